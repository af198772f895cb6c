#include "fill/sizes.h"
#include "base/vec3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of a bell: equal ones in ln r, and those of a quarter of its width up to nine widths. */
enum { EQUAL_PIECES = 64, QUARTERS = 36 };

/* Of Newton's method on the inverse; three to five are needed. */
enum { NEWTON_STEPS = 60 };

/* Integral of r^power from exp(t) to exp(t + length), over exp((power + 1) t). */
static double power_integral(double power, double length)
{
    const double p = power + 1.0;
    return fabs(p * length) < 1e-12 ? length : expm1(p * length) / p;
}

/* Density of a bell in ln r, times r^power; it is 1 where the range comes nearest to its middle. */
static double bell_at(const plu_sizes *s, double t, double power)
{
    const double x = s->normal ? exp(t) : t, z = (x - s->center) / s->width;
    const double tilted = s->normal ? (1.0 - s->tilt) * (t - log(s->center)) : 0.0;
    return exp(s->origin - 0.5 * z * z + tilted + power * t);
}

/* Of that density, by the rule of Gauss and Legendre with eight points. */
static double bell_integral(const plu_sizes *s, double from, double to, double power)
{
    static const double at[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                 0.9602898564975363},
                        weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                     0.1012285362903763};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;
    for (int k = 0; k < 4; k++)
        sum += weight[k] * (bell_at(s, middle - half * at[k], power) +
                            bell_at(s, middle + half * at[k], power));
    return half * sum;
}

static int rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void cut_bell(plu_sizes *s, const plu_size_spec *spec)
{
    const double low = log(spec->range[0]), high = log(spec->range[1]);
    int count = 0;
    for (int k = 0; k <= EQUAL_PIECES; k++)
        s->edge[count++] = k < EQUAL_PIECES ? low + (high - low) * k / EQUAL_PIECES : high;
    for (int k = -QUARTERS; k <= QUARTERS; k++) {
        const double x = s->center + 0.25 * k * s->width;
        const double t = !s->normal ? x : x > 0.0 ? log(x) : low;
        if (t > low && t < high)
            s->edge[count++] = t;
    }
    qsort(s->edge, (size_t)count, sizeof *s->edge, rising);
    s->pieces = count - 1;
}

static void make_bell(plu_sizes *s, const plu_size_spec *spec)
{
    s->bell = true;
    s->normal = spec->kind == PLU_NORMAL;
    s->width = spec->sigma;
    s->tilt = s->normal && spec->by == PLU_BY_MASS ? 3.0 : 0.0;
    s->center = spec->mean;
    if (!s->normal)
        s->center =
            log(spec->median) - (spec->by == PLU_BY_MASS ? 3.0 * spec->sigma * spec->sigma : 0.0);
    double nearest = s->center;
    for (int end = 0; end < 2; end++) {
        const double x = s->normal ? spec->range[end] : log(spec->range[end]);
        nearest = end == 0 ? fmax(nearest, x) : fmin(nearest, x);
    }
    nearest = (nearest - s->center) / s->width;
    s->origin = 0.5 * nearest * nearest;
    cut_bell(s, spec);
    double cubes = 0.0;
    for (int k = 0; k < s->pieces; k++) {
        s->below[k + 1] = s->below[k] + bell_integral(s, s->edge[k], s->edge[k + 1], 0.0);
        cubes += bell_integral(s, s->edge[k], s->edge[k + 1], 3.0);
    }
    s->cube = cubes / s->below[s->pieces];
}

static double mean_cube(double slope, double from, double to)
{
    return exp(3.0 * from) * power_integral(3.0 - slope, to - from) /
           power_integral(-slope, to - from);
}

/* Powers: what a piece holds of the whole, by number or by mass, is given. */
static void make_powers(plu_sizes *s, const plu_size_spec *spec)
{
    const bool mass = spec->by == PLU_BY_MASS, sieves = spec->kind == PLU_SIEVES;
    s->slope = (sieves ? 1.0 : spec->kind == PLU_POWER ? spec->exponent : 0.0) + (mass ? 3.0 : 0.0);
    s->pieces = sieves ? spec->sieves_count - 1 : 1;
    for (int k = 0; k <= s->pieces; k++)
        s->edge[k] = log(sieves ? 0.5 * spec->sieves[k][0] : spec->range[k]);
    double cubes = 0.0;
    for (int k = 0; k < s->pieces; k++) {
        const double cube = mean_cube(s->slope, s->edge[k], s->edge[k + 1]);
        const double share = sieves ? spec->sieves[k + 1][1] - spec->sieves[k][1] : 1.0;
        const double number = mass ? share / cube : share;
        s->below[k + 1] = s->below[k] + number;
        cubes += number * cube;
    }
    s->cube = cubes / s->below[s->pieces];
}

void plu_sizes_make(plu_sizes *sizes, const plu_size_spec *spec)
{
    memset(sizes, 0, sizeof *sizes);
    if (spec->kind == PLU_NORMAL || spec->kind == PLU_LOGNORMAL)
        make_bell(sizes, spec);
    else
        make_powers(sizes, spec);
    for (int end = 0; end < 2; end++)
        sizes->range[end] = spec->kind != PLU_SIEVES
                                ? spec->range[end]
                                : 0.5 * spec->sieves[end == 0 ? 0 : spec->sieves_count - 1][0];
    const double whole = sizes->below[sizes->pieces];
    for (int k = 0; k < sizes->pieces; k++)
        sizes->below[k] /= whole;
    sizes->below[sizes->pieces] = 1.0;
}

/* Where a share c of the piece from `low` to `high` is below: Newton's method, kept in brackets. */
static double bell_inverse(const plu_sizes *s, double low, double high, double c)
{
    const double from = low, wanted = c * bell_integral(s, low, high, 0.0);
    double t = low + c * (high - low);
    for (int k = 0; k < NEWTON_STEPS; k++) {
        const double over = bell_integral(s, from, t, 0.0) - wanted;
        *(over > 0.0 ? &high : &low) = t;
        const double next = t - over / bell_at(s, t, 0.0);
        const double before = t;
        t = next > low && next < high ? next : 0.5 * (low + high);
        if (fabs(t - before) <= 1e-15 * (1.0 + fabs(t)))
            break;
    }
    return t;
}

static double power_inverse(double slope, double low, double high, double c)
{
    const double p = 1.0 - slope, length = high - low;
    return fabs(p * length) < 1e-12 ? low + c * length : low + log1p(c * expm1(p * length)) / p;
}

double plu_sizes_radius(const plu_sizes *s, double u)
{
    int low = 0, high = s->pieces; /* below[low] <= u < below[high] */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(s->below[middle] <= u ? &low : &high) = middle;
    }
    const double c = (u - s->below[low]) / (s->below[low + 1] - s->below[low]);
    const double t = s->bell ? bell_inverse(s, s->edge[low], s->edge[low + 1], c)
                             : power_inverse(s->slope, s->edge[low], s->edge[low + 1], c);
    return plu_max(s->range[0], fmin(s->range[1], exp(t)));
}
