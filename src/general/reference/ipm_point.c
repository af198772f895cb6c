/* Steps of an interior point (ipm_point.h has the problem) by predictor and corrector of Mehrotra
 * (SIAM J. Optim. 2 (1992) 575). Scaled by Nesterov and Todd, x = Q z = Q^-1 l, a direction
 * satisfies
 *
 *     (T W + B) dp = dual residual + G^T Q h ,   dz = G dp ,   dl = Q (h - Q dz)
 *     h            = -x + x \ target ,   x \ the inverse of x o
 *
 *     predictor    target 0                                  a: the longest step to the borders
 *     corrector    target (1 - a)^3 gap - (Q dz) o (Q^-1 dl)     0.995 of the way to the borders
 *
 * Where the predictor may go far little centering is needed, and its second-order term is taken
 * into account. Both share one factorization. Each direction is refined once, because in dl errors
 * of dz count many times. */
#include "general/reference/ipm_point.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "general/reference/reference.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Added to the blocks B, relative to the diagonal of W: with redundant contacts W + B would become
 * singular near the solution. It only shortens steps in directions that do not change velocities.
 */
static const double damping = 1e-9;
/* Share of a in the smoothing of |u_T|; factor of the gap in a lift. */
static const double smooth = 0.1, lift = 100.0;

static void add_disk(plu_ipm_point *t, int contact, int tail, double weight)
{
    t->disk[t->disks++] = (plu_disk){.contact = contact, .tail = tail, .weight = weight};
}

/* A pair without friction has no cone: its impulse is zero, and r_N needs a cone of its own if no
 * other holds it. */
static void find_disks(plu_ipm_point *t)
{
    const plu_contact_problem *p = t->problem;
    for (int c = 0; c < p->contacts; c++) {
        t->first[c] = t->disks;
        const double weight[PLU_DISKS_MAX] = PLU_CONTACT_SLOPES(p, c);
        for (int i = 1; i < p->rows; i += 2)
            if (weight[i / 2] > 0.0)
                add_disk(t, c, i, weight[i / 2]);
            else
                t->held[c * p->rows + i] = t->held[c * p->rows + i + 1] = true;
        if (t->disks == t->first[c])
            add_disk(t, c, 0, 1.0);
    }
    t->first[p->contacts] = t->disks;
}

plu_status plu_ipm_point_create(plu_ipm_point *t, const plu_contact_problem *problem, bool moving,
                                plu_stop *stop, plu_error *err)
{
    const size_t contacts = (size_t)problem->contacts, n = contacts * (size_t)problem->rows;
    *t = (plu_ipm_point){.problem = problem, .moving = moving, .n = (int)n};
    t->disk = plu_alloc(PLU_DISKS_MAX * contacts, sizeof *t->disk, err);
    t->first = plu_alloc(contacts + 1, sizeof *t->first, err);
    t->held = plu_alloc(n, sizeof *t->held, err);
    t->metric = plu_alloc(contacts, sizeof *t->metric, err);
    t->p = plu_alloc(n, sizeof *t->p, err);
    t->dp = plu_alloc(n, sizeof *t->dp, err);
    t->change = plu_alloc(n, sizeof *t->change, err);
    t->y = plu_alloc(n, sizeof *t->y, err);
    t->rhs = plu_alloc(n, sizeof *t->rhs, err);
    t->root = plu_alloc(contacts, sizeof *t->root, err);
    t->slope = plu_alloc(contacts, sizeof *t->slope, err);
    if (!t->disk || !t->first || !t->held || !t->p || !t->dp || !t->y || !t->change || !t->rhs ||
        !t->root || !t->slope || !t->metric)
        return PLU_IO;
    find_disks(t);
    plu_contact_metric(problem, t->metric);
    return plu_ipm_system_create(&t->system, problem, moving, stop, err);
}

void plu_ipm_point_destroy(plu_ipm_point *t)
{
    plu_ipm_system_destroy(t->system);
    void *arrays[] = {t->disk, t->first, t->held,  t->p,      t->dp,    t->y,
                      t->rhs,  t->root,  t->slope, t->metric, t->change};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
}

static void disk_gather(const plu_ipm_point *t, const plu_disk *k, const double *p, double z[3])
{
    const double *x = plu_contact_of(t->problem, p, k->contact);
    z[0] = k->weight * x[0];
    z[1] = k->tail ? x[k->tail] : 0.0;
    z[2] = k->tail ? x[k->tail + 1] : 0.0;
}

/* z = G p of one disk, and x += G^T f. */
static void disk_scatter(const plu_ipm_point *t, const plu_disk *k, const double f[3], double *x)
{
    double *to = x + (size_t)k->contact * (size_t)t->problem->rows;
    to[0] += k->weight * f[0];
    for (int i = 0; k->tail && i < 2; i++)
        to[k->tail + i] += f[1 + i];
}

void plu_ipm_point_start(plu_ipm_point *t)
{
    const plu_contact_problem *p = t->problem;
    double stiffness = 0.0, largest = 0.0;
    for (int c = 0; c < p->contacts; c++)
        stiffness += p->w.block[(size_t)p->w.diagonal[c] * (size_t)(p->rows * p->rows)];
    for (int i = 0; i < t->n; i++)
        largest = plu_max(largest, fabs(p->q[i]));
    t->scale = largest > 0.0 ? largest : 1.0;
    t->stiffness = stiffness / p->contacts;
    memset(t->p, 0, (size_t)t->n * sizeof *t->p);
    for (int c = 0; c < p->contacts; c++)
        t->p[c * p->rows] = t->scale / t->stiffness;
    for (int i = 0; i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        memcpy(k->l, (double[3]){t->scale, 0.0, 0.0}, sizeof k->l);
        disk_gather(t, k, t->p, k->z);
    }
}

/* r = -(W p + q + E s - G^T l) with y of the last measurement; zero where held. */
static void ipm_point_dual(const plu_ipm_point *t, double *r)
{
    for (int i = 0; i < t->n; i++)
        r[i] = t->held[i] ? 0.0 : -t->y[i];
    for (int i = 0; i < t->disks; i++) {
        const plu_disk *k = t->disk + i;
        const double f[3] = {k->l[0] - k->s, k->l[1], k->l[2]};
        disk_scatter(t, k, f, r);
    }
}

/* |u_T| as "ipm" sees it, sqrt(|u_T|^2 + epsilon^2), epsilon a share of what a is for a contact
 * that sticks: without it, its derivative turns about where |u_T| is next to nothing. */
static double speed(const plu_ipm_point *t, const plu_disk *k)
{
    const double *u = plu_contact_of(t->problem, t->y, k->contact) + k->tail;
    const double epsilon = t->moving ? smooth * t->gap / k->z[0] : 0.0;
    return k->tail ? sqrt(u[0] * u[0] + u[1] * u[1] + epsilon * epsilon) : 0.0;
}

void plu_ipm_point_measure(plu_ipm_point *t)
{
    plu_contact_problem_velocity(t->problem, t->p, t->y);
    t->gap = 0.0;
    for (int i = 0; i < t->disks; i++)
        t->gap += plu_dot(t->disk[i].z, t->disk[i].l) / t->disks;
    for (int i = 0; i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        k->speed = speed(t, k);
        k->s = t->moving ? k->speed : k->s;
    }
    ipm_point_dual(t, t->rhs);
    t->dual = 0.0;
    for (int i = 0; i < t->n; i++)
        t->dual = plu_max(t->dual, fabs(t->rhs[i]) / t->scale);
}

/* The root R of (G^T Q^2 G + damping)^-1 of contact c. With m = 1 + 2 |w_T|^2 a cone adds
 *
 *   eta^2 (weight^2 m, 2 weight w_0 w_T^T ; 2 weight w_0 w_T, I + 2 w_T w_T^T) ,
 *
 * whose pair has the eigenvectors w_T and normal to it; the rest is the Schur complement of r_N,
 * written so that nothing cancels however close to the border the point is. */
static void fill_root(plu_ipm_point *t, int c)
{
    const int d = t->problem->rows;
    const double f = (damping + t->shift) * t->metric[c];
    double *root = t->root[c], schur = f;
    memset(root, 0, sizeof t->root[c]);
    for (int k = t->first[c]; k < t->first[c + 1]; k++) {
        const plu_disk *disk = t->disk + k;
        const double *w = disk->q.w, e = disk->q.eta * disk->q.eta, length = hypot(w[1], w[2]);
        const double m = 1.0 + 2.0 * length * length;
        schur += disk->weight * disk->weight * e * (e + m * f) / (e * m + f);
        if (disk->tail == 0)
            continue;
        const double x = length > 0.0 ? w[1] / length : 1.0, y = length > 0.0 ? w[2] / length : 0.0;
        const double along = 1.0 / sqrt(e * m + f), across = 1.0 / sqrt(e + f);
        double *row = root + disk->tail * d + disk->tail;
        row[0] = along * x;
        row[1] = along * y;
        row[d] = -across * y;
        row[d + 1] = across * x;
        for (int i = 0; i < 2; i++)
            root[disk->tail + i] = -2.0 * disk->weight * e * w[0] * w[1 + i] / (e * m + f);
    }
    root[0] = 1.0;
    for (int i = 0; i < d; i++)
        root[i] /= sqrt(schur);
}

/* The derivative of E s with respect to y: row N of T less that of I. */
static void fill_slope(plu_ipm_point *t, int c)
{
    const double *y = plu_contact_of(t->problem, t->y, c);
    memset(t->slope[c], 0, sizeof t->slope[c]);
    for (int k = t->first[c]; k < t->first[c + 1]; k++) {
        const plu_disk *disk = t->disk + k;
        for (int i = disk->tail; disk->tail && i < disk->tail + 2; i++)
            t->slope[c][i] = disk->speed > 0.0 ? disk->weight * y[i] / disk->speed : 0.0;
    }
}

void plu_ipm_point_blocks(plu_ipm_point *t)
{
    for (int i = 0; i < t->disks; i++)
        t->disk[i].q = plu_soc_scale(t->disk[i].z, t->disk[i].l);
    for (int c = 0; c < t->problem->contacts; c++) {
        fill_root(t, c);
        fill_slope(t, c);
    }
}

void plu_ipm_point_lift(plu_ipm_point *t)
{
    const double gap = lift * t->gap;
    for (int c = 0; c < t->problem->contacts; c++)
        t->p[c * t->problem->rows] += sqrt(gap / t->stiffness);
    for (int i = 0; i < t->disks; i++) {
        t->disk[i].l[0] += sqrt(gap * t->stiffness);
        disk_gather(t, t->disk + i, t->p, t->disk[i].z);
    }
}

/* --- One step of an interior point: predictor and corrector of Mehrotra --- */

/* Share of the way to the border of the cones that a step goes. */
static const double approach = 0.995;

/* h = -x + x \ (center - correction) with x = Q z; the correction is that of Mehrotra. */
static void aim(plu_ipm_point *t, double center, bool correct)
{
    for (int i = 0; i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        double x[3], a[3], b[3], product[3] = {0};
        plu_soc_apply(&k->q, k->z, x);
        if (correct) {
            plu_soc_apply(&k->q, k->dz, a);
            plu_soc_unapply(&k->q, k->dl, b);
            plu_soc_product(a, b, product);
        }
        const double target[3] = {center - product[0], -product[1], -product[2]};
        plu_soc_divide(x, target, k->h);
        for (int j = 0; j < 3; j++)
            k->h[j] -= x[j];
    }
}

/* Solves again for what rounding left of the dual equation, (T W + D) dp - G^T dl + residual = 0:
 * in dl = Q (h - Q dz) the errors of dz count many times. */
static plu_status refine(plu_ipm_point *t, plu_error *err)
{
    const plu_contact_problem *problem = t->problem;
    const int d = problem->rows;
    ipm_point_dual(t, t->rhs);
    plu_contact_problem_velocity(problem, t->dp, t->change);
    for (int i = 0; i < t->n; i++)
        t->change[i] -= problem->q[i];
    for (int i = 0; i < t->n; i++) {
        t->rhs[i] -= t->held[i] ? 0.0 : t->change[i] + t->shift * t->metric[i / d] * t->dp[i];
        if (t->moving)
            t->rhs[i - i % d] -= t->slope[i / d][i % d] * t->change[i];
    }
    for (int i = 0; i < t->disks; i++)
        disk_scatter(t, t->disk + i, t->disk[i].dl, t->rhs);
    const plu_status status = plu_ipm_system_solve(t->system, t->rhs, t->change, err);
    for (int i = 0; status == PLU_OK && i < t->n; i++)
        t->dp[i] += t->change[i];
    for (int i = 0; status == PLU_OK && i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        double dz[3], x[3], dl[3];
        disk_gather(t, k, t->change, dz);
        plu_soc_apply(&k->q, dz, x);
        plu_soc_apply(&k->q, x, dl);
        for (int j = 0; j < 3; j++) {
            k->dz[j] += dz[j];
            k->dl[j] -= dl[j];
        }
    }
    return status;
}

/* The direction that belongs to h; the dual residual is taken out wholly. */
static plu_status find_direction(plu_ipm_point *t, plu_error *err)
{
    ipm_point_dual(t, t->rhs);
    for (int i = 0; i < t->disks; i++) {
        double f[3];
        plu_soc_apply(&t->disk[i].q, t->disk[i].h, f);
        disk_scatter(t, t->disk + i, f, t->rhs);
    }
    plu_status status = plu_ipm_system_solve(t->system, t->rhs, t->dp, err);
    for (int i = 0; status == PLU_OK && i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        double x[3];
        disk_gather(t, k, t->dp, k->dz);
        plu_soc_apply(&k->q, k->dz, x);
        for (int j = 0; j < 3; j++)
            x[j] = k->h[j] - x[j];
        plu_soc_apply(&k->q, x, k->dl);
    }
    return status == PLU_OK ? refine(t, err) : status;
}

static double longest_step(const plu_ipm_point *t)
{
    double a = 1.0;
    for (int i = 0; i < t->disks; i++) {
        const plu_disk *k = t->disk + i;
        a = plu_min(a, plu_min(plu_soc_step(k->z, k->dz), plu_soc_step(k->l, k->dl)));
    }
    return a;
}

static void take_step(plu_ipm_point *t, double a)
{
    for (int i = 0; i < t->n; i++)
        t->p[i] += a * t->dp[i];
    for (int i = 0; i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        for (int j = 0; j < 3; j++)
            k->l[j] += a * k->dl[j];
        disk_gather(t, k, t->p, k->z);
        /* rounding may have put a point that is all but on the border outside */
        k->z[0] = plu_max(k->z[0], (1.0 + 2.0 * DBL_EPSILON) * hypot(k->z[1], k->z[2]));
        k->l[0] = plu_max(k->l[0], (1.0 + 2.0 * DBL_EPSILON) * hypot(k->l[1], k->l[2]));
    }
    t->step = a;
}

plu_status plu_ipm_point_advance(plu_ipm_point *t, plu_error *err)
{
    plu_ipm_point_measure(t);
    plu_ipm_point_blocks(t);
    plu_status status =
        plu_ipm_system_factorize(t->system, t->root, t->moving ? t->slope : NULL, err);
    aim(t, 0.0, false);
    if (status == PLU_OK)
        status = find_direction(t, err);
    if (status != PLU_OK)
        return status;
    const double a = longest_step(t);
    aim(t, (1.0 - a) * (1.0 - a) * (1.0 - a) * t->gap, true);
    status = find_direction(t, err);
    if (status == PLU_OK)
        take_step(t, plu_min(1.0, approach * longest_step(t)));
    return status;
}
