/* All real roots of a quartic. Ferrari's formulas lose half of the digits in one of some thousand
 * cases. A search on pieces on which the polynomial is monotone loses none, and takes less than a
 * microsecond. */
#include "cone/quartic.h"

enum { DEGREE = 4, MAX_STEPS = 100 };

static double value(int n, const double *a, double x)
{
    double y = a[n];
    for (int i = n - 1; i >= 0; i--)
        y = y * x + a[i];
    return y;
}

/* The root between low and high, where the polynomial a is monotone and has opposite signs: Newton
 * steps with the derivative b, and bisection where a step leaves the bracket. */
static double root_between(int n, const double *a, const double *b, double low, double high)
{
    const bool rises = value(n, a, high) > 0.0;
    double x = 0.5 * (low + high);
    for (int i = 0; i < MAX_STEPS; i++) {
        const double y = value(n, a, x);
        if (y == 0.0)
            return x;
        *((y > 0.0) == rises ? &high : &low) = x;
        double next = x - y / value(n - 1, b, x);
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (fabs(next - x) <= 1e-16 * fabs(x) || next == low || next == high)
            return next;
        x = next;
    }
    return x;
}

/* Whether the value at x is zero up to the rounding of its evaluation, as at a double root, where
 * the sign does not change. */
static bool vanishes(int n, const double *a, double x)
{
    double size = 0.0;
    for (int i = n; i >= 0; i--)
        size = size * fabs(x) + fabs(a[i]);
    return fabs(value(n, a, x)) <= 1e-14 * size;
}

/* Roots in [-1, 1] in increasing order; returns how many. */
static int roots_inside(int n, const double *a, double root[DEGREE])
{
    double b[DEGREE] = {0}, turn[DEGREE + 1];
    if (n == 1) {
        root[0] = -a[0] / a[1];
        return fabs(root[0]) <= 1.0 ? 1 : 0;
    }
    for (int i = 1; i <= n; i++)
        b[i - 1] = i * a[i];
    const int turns = roots_inside(n - 1, b, turn);
    turn[turns] = 1.0;
    int count = 0;
    bool crossed = false; /* the sign changed within the last piece; roots at ends: vanishes() */
    double low = -1.0, at_low = value(n, a, low);
    for (int i = 0; i <= turns; i++) {
        const double high = turn[i], at_high = value(n, a, high);
        const bool found = count > 0 && root[count - 1] == low;
        if (vanishes(n, a, low) && !found && count < n)
            root[count++] = low;
        crossed = (at_low < 0.0 && at_high > 0.0) || (at_low > 0.0 && at_high < 0.0);
        if (crossed && count < n)
            root[count++] = root_between(n, a, b, low, high);
        low = high;
        at_low = at_high;
    }
    if (!crossed && vanishes(n, a, 1.0) && count < n)
        root[count++] = 1.0;
    return count;
}

int plu_quartic_roots(const double a[5], double root[PLU_QUARTIC_ROOTS])
{
    double turned[5], outer[DEGREE];
    int degree = DEGREE;
    while (degree > 0 && a[degree] == 0.0)
        degree--;
    if (degree == 0)
        return 0;
    for (int i = 0; i <= degree; i++)
        turned[i] = a[degree - i];
    int count = roots_inside(degree, a, root);
    const int others = roots_inside(degree, turned, outer);
    for (int i = 0; i < others && count < PLU_QUARTIC_ROOTS; i++)
        if (fabs(outer[i]) < 1.0)
            root[count++] = outer[i] == 0.0 ? HUGE_VAL : 1.0 / outer[i];
    if (degree < DEGREE && count < PLU_QUARTIC_ROOTS)
        root[count++] = HUGE_VAL;
    return count;
}
