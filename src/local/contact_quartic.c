/* All solutions of a single contact with Coulomb friction: take-off, sticking and sliding are tried
 * one after the other. Sliding solutions are roots of the quartic (cone/quartic.h); if the free
 * velocity does not close the contact, the quartic in the direction is used, because the one in the
 * multiplier cannot be scaled. Each is put into the equations before it counts.
 *
 * Where W is singular, impulses that stick, W p = -q, are a line or a plane a + N z or none. The
 * cone cuts a convex piece out of it, which is found where f(z) = |p_T| - mu p_N, a convex
 * function, is least: f < 0: a continuum of solutions; f = 0: one; f > 0: none.
 *
 * Impulses that slide are a continuum where they are r = t (1, -mu d) with one direction d, for
 * which W (1, -mu d) = (0, s d): u_N stays q_N = 0, and u_T = q_T + t s d along d, as q_T is. W
 * need not be singular for that. */
#include "base/memory.h"
#include "cone/quartic.h"
#include "local/contact.h"
#include "problem/contact_problem.h"
#include <math.h>
#include <string.h>

/* Solutions whose relative difference is smaller count as one. */
static const double same = 1e-8;

/* What misses the equations by more (plu_contact_error) is none. */
static const double wrong = 1e-6;

/* Pivots of W below this share of its largest entry are rounding. */
static const double rounding = 1e-13;

typedef struct list {
    const plu_local_contact *c;
    plu_single_solution *found;
    int count;
} list;

static void add_solution(list *l, plu_single_mode mode, const double p[3])
{
    if (l->count == PLU_SINGLE_SOLUTIONS || !(plu_contact_error(l->c, p) <= wrong))
        return;
    for (int i = 0; i < l->count; i++)
        if (plu_distance_n(3, l->found[i].r, p) <= same * plu_norm_n(3, p))
            return;
    plu_single_solution *s = &l->found[l->count++];
    s->mode = mode;
    memcpy(s->r, p, sizeof s->r);
    plu_contact_velocity(l->c, p, s->u);
    s->error = plu_contact_error(l->c, p);
}

/* The impulses that stick: at + z[0] along[0] + z[1] along[1]. */
typedef struct flat {
    int dimension; /* -1: there are none */
    double at[3], along[2][3];
    double mu;
} flat;

/* Largest entry of the rows and columns from k on. */
static void find_pivot(const double m[3][4], int k, int *row, int *column)
{
    *row = *column = k;
    for (int i = k; i < 3; i++)
        for (int j = k; j < 3; j++)
            if (fabs(m[i][j]) > fabs(m[*row][*column])) {
                *row = i;
                *column = j;
            }
}

static void swap(double *x, double *y)
{
    const double kept = *x;
    *x = *y;
    *y = kept;
}

/* W p = -q by elimination in all rows with the largest pivots. */
static flat sticking_of(const plu_local_contact *c)
{
    double m[3][4], first = 0.0;
    int place[3] = {0, 1, 2}, rank = 0;
    for (int i = 0; i < 3; i++) {
        memcpy(m[i], c->w + 3 * i, 3 * sizeof **m);
        m[i][3] = -c->q[i];
    }
    for (int row, column; rank < 3; rank++) {
        find_pivot((const double(*)[4])m, rank, &row, &column);
        first = rank == 0 ? fabs(m[row][column]) : first;
        if (!(fabs(m[row][column]) > rounding * first))
            break;
        for (int j = 0; j < 4; j++)
            swap(&m[rank][j], &m[row][j]);
        for (int i = 0; i < 3; i++)
            swap(&m[i][rank], &m[i][column]);
        const int kept = place[rank];
        place[rank] = place[column];
        place[column] = kept;
        for (int i = 0; i < 3; i++) {
            const double f = i != rank ? m[i][rank] / m[rank][rank] : 0.0;
            for (int j = rank; j < 4; j++)
                m[i][j] -= f * m[rank][j];
        }
    }
    flat f = {.dimension = 3 - rank, .mu = c->mu[0]};
    for (int i = rank; i < 3; i++)
        if (!(fabs(m[i][3]) <= same * plu_norm_n(3, c->q)))
            f.dimension = -1;
    for (int i = 0; i < rank; i++)
        f.at[place[i]] = m[i][3] / m[i][i];
    for (int k = 0; k < 3 - rank && k < 2; k++) {
        for (int i = 0; i < rank; i++)
            f.along[k][place[i]] = -m[i][rank + k] / m[i][i];
        f.along[k][place[rank + k]] = 1.0;
    }
    return f;
}

static double largest_of(const plu_local_contact *c)
{
    return plu_max(plu_max(c->w[0], c->w[4]), c->w[8]);
}

/* The least |p_T| - mu p_N over the last `dimension` directions, from p on; p becomes where it is.
 * A convex function of one number is least where the search by thirds ends. */
static double least_of(const flat *f, int dimension, double reach, double p[3])
{
    if (dimension == 0)
        return plu_plane_length(p + 1) - f->mu * p[0];
    enum { THIRDS = 120 };
    const double *along = f->along[dimension - 1];
    double low = -reach, high = reach, found[2][3], value[2];
    for (int k = 0; k < THIRDS; k++) {
        for (int side = 0; side < 2; side++) {
            const double z = low + (high - low) * (side ? 2.0 : 1.0) / 3.0;
            for (int i = 0; i < 3; i++)
                found[side][i] = p[i] + z * along[i];
            value[side] = least_of(f, dimension - 1, reach, found[side]);
        }
        const double third = (high - low) / 3.0;
        if (value[0] <= value[1])
            high -= third;
        else
            low += third;
    }
    memcpy(p, found[0], sizeof found[0]);
    return value[0];
}

/* Adds the solution that sticks; true: there are infinitely many, of which `p` is one. */
static bool add_sticking(list *l, int *dimension, double p[3])
{
    static const double far = 1e3; /* times the size of the data: how far is looked */
    const plu_local_contact *c = l->c;
    const flat f = sticking_of(c);
    *dimension = f.dimension;
    if (f.dimension < 0 || f.dimension > 2 || f.mu == 0.0) /* 0: slides (add_sliding) */
        return false;
    memcpy(p, f.at, sizeof f.at);
    const double given = plu_norm_n(3, f.at) + plu_norm_n(3, c->q) / largest_of(c);
    const double size = given > 0.0 ? given : 1.0; /* W p = 0: any size */
    const double least = least_of(&f, f.dimension, far * size, p);
    const double scale = plu_norm_n(3, p) * (1.0 + f.mu);
    if (f.dimension > 0 && least < -same * scale)
        return true;
    if (p[0] > 0.0 && least <= same * scale)
        add_solution(l, PLU_SINGLE_STICK, p);
    return false;
}

/* Whether r = t (1, -mu d) slides for a piece of all t > 0; p becomes one of these. */
static bool slides_along(const plu_local_contact *c, double x, double y, double p[3])
{
    const double length = hypot(x, y), d[2] = {x / length, y / length}, mu = c->mu[0];
    const double ray[3] = {1.0, -mu * d[0], -mu * d[1]}, free = c->q[1] * d[0] + c->q[2] * d[1];
    const double size = plu_norm_n(3, c->q), most = largest_of(c) * (1.0 + mu);
    double v[3];
    for (int i = 0; i < 3; i++)
        v[i] = plu_dot(c->w + 3 * i, ray);
    const double s = v[1] * d[0] + v[2] * d[1], steady = same * most;
    if (!(length > 0.0) || fabs(v[0]) > steady || fabs(v[1] * d[1] - v[2] * d[0]) > steady ||
        fabs(c->q[0]) > same * size || fabs(c->q[1] * d[1] - c->q[2] * d[0]) > same * size)
        return false;
    const bool slows = s<-steady, quickens = s> steady;
    if (free < -same * size ? !quickens : slows && !(free > same * size))
        return false;
    const double t = size == 0.0 ? 1.0
                     : slows     ? -0.5 * free / s
                     : quickens  ? 2.0 * fabs(free) / s
                                 : size / most;
    for (int i = 0; i < 3; i++)
        p[i] = t * ray[i];
    return true;
}

/* Whether infinitely many impulses slide, of which `p` is one. Where nothing moves without impulse
 * the ray is one of W's kernel, which may touch the cone. */
static bool slides_anywhere(const plu_local_contact *c, double p[3])
{
    if (c->mu[0] == 0.0)
        return false;
    if (plu_norm_n(3, c->q) > 0.0)
        return slides_along(c, c->q[1], c->q[2], p) || slides_along(c, -c->q[1], -c->q[2], p);
    const flat f = sticking_of(c);
    const double *z = f.dimension == 1 ? f.along[0] : c->w;
    return (f.dimension == 1 || f.dimension == 2) &&
           (slides_along(c, z[1], z[2], p) || slides_along(c, -z[1], -z[2], p));
}

static void add_sliding(list *l)
{
    const plu_local_contact *c = l->c;
    double p[PLU_SLIDING_CANDIDATES][3] = {{-c->q[0] / c->w[0]}};
    if (c->mu[0] == 0.0) {
        if (c->q[0] < 0.0)
            add_solution(l, PLU_SINGLE_SLIDE, p[0]);
        return;
    }
    const int by_angle = plu_sliding_by_angle(c->w, c->q, c->mu[0], p);
    for (int i = 0; i < by_angle; i++)
        add_solution(l, PLU_SINGLE_SLIDE, p[i]);
    if (!(c->q[0] < 0.0))
        return;
    const int by_alpha = plu_sliding_by_alpha(c->w, c->q, c->mu[0], p);
    for (int i = 0; i < by_alpha; i++)
        add_solution(l, PLU_SINGLE_SLIDE, p[i]);
}

plu_status plu_contact_problem_all_solutions(const plu_contact_problem *problem,
                                             plu_single_solution found[PLU_SINGLE_SOLUTIONS],
                                             int *count, plu_error *err)
{
    *count = 0;
    if (problem->contacts != 1 || problem->rows != 3)
        return plu_fail(err, PLU_USAGE,
                        "all solutions can only be found for one contact with Coulomb friction; "
                        "this problem has %d contact%s of %d rows",
                        problem->contacts, problem->contacts == 1 ? "" : "s", problem->rows);
    const plu_local_contact c = {
        3, problem->w.block, problem->q, {plu_contact_slope(problem, 0, 0), 0.0}};
    list l = {.c = &c, .found = found};
    int dimension;
    double p[3];
    if (c.q[0] >= 0.0)
        add_solution(&l, PLU_SINGLE_TAKE_OFF, (double[3]){0.0, 0.0, 0.0});
    if (add_sticking(&l, &dimension, p))
        return plu_fail(err, PLU_BAD_INPUT,
                        "W is singular, and infinitely many impulses stick, those of a piece of a "
                        "%s in which r = (%.9g, %.9g, %.9g) lies: they cannot be listed",
                        dimension == 1 ? "line" : "plane", p[0], p[1], p[2]);
    if (slides_anywhere(&c, p))
        return plu_fail(err, PLU_BAD_INPUT,
                        "infinitely many impulses slide, those of a piece of a line in which r = "
                        "(%.9g, %.9g, %.9g) lies: they cannot be listed",
                        p[0], p[1], p[2]);
    add_sliding(&l);
    *count = l.count;
    return PLU_OK;
}

/* Local solvers "quartic-angle" and "quartic-alpha" (cone/quartic.h): take-off, stick, then all
 * sliding solutions through the roots of a polynomial, the most exact of which is taken. */

typedef int enumeration(const double w[9], const double q[3], double mu,
                        double p[PLU_SLIDING_CANDIDATES][3]);

static bool enumerate(enumeration *sliding, const double *w, const double *q, double mu, double *p)
{
    const plu_local_contact c = {3, w, q, {mu, 0.0}};
    double found[PLU_SLIDING_CANDIDATES][3];
    if (plu_contact_is_simple(&c, p))
        return true;
    if (mu == 0.0) {
        p[0] = -q[0] / w[0];
        p[1] = p[2] = 0.0;
        return true;
    }
    double least = 0.0;
    int best = -1;
    const int count = sliding(w, q, mu, found);
    for (int i = 0; i < count; i++) {
        const double error = plu_contact_error(&c, found[i]);
        if (best < 0 || error < least) {
            best = i;
            least = error;
        }
    }
    if (best < 0)
        return false;
    memcpy(p, found[best], 3 * sizeof *p);
    return least <= PLU_CONTACT_SOLVED;
}

bool plu_contact_quartic_angle(int rows, const double *w, const double *q, const double *mu,
                               double *p, double *state)
{
    (void)rows, (void)state;
    return enumerate(plu_sliding_by_angle, w, q, mu[0], p);
}

bool plu_contact_quartic_alpha(int rows, const double *w, const double *q, const double *mu,
                               double *p, double *state)
{
    (void)rows, (void)state;
    return enumerate(plu_sliding_by_alpha, w, q, mu[0], p);
}
