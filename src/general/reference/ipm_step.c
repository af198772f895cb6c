/* One step of an interior point: predictor and corrector of Mehrotra. */
#include "base/vec3.h"
#include "general/reference/ipm_point.h"
#include <float.h>

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
    plu_ipm_point_dual(t, t->rhs);
    plu_contact_problem_velocity(problem, t->dp, t->change);
    for (int i = 0; i < t->n; i++)
        t->change[i] -= problem->q[i];
    for (int i = 0; i < t->n; i++) {
        t->rhs[i] -= t->held[i] ? 0.0 : t->change[i] + t->shift * t->metric[i / d] * t->dp[i];
        if (t->moving)
            t->rhs[i - i % d] -= t->slope[i / d][i % d] * t->change[i];
    }
    for (int i = 0; i < t->disks; i++)
        plu_disk_scatter(t, t->disk + i, t->disk[i].dl, t->rhs);
    const plu_status status = plu_ipm_system_solve(t->system, t->rhs, t->change, err);
    for (int i = 0; status == PLU_OK && i < t->n; i++)
        t->dp[i] += t->change[i];
    for (int i = 0; status == PLU_OK && i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        double dz[3], x[3], dl[3];
        plu_disk_gather(t, k, t->change, dz);
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
    plu_ipm_point_dual(t, t->rhs);
    for (int i = 0; i < t->disks; i++) {
        double f[3];
        plu_soc_apply(&t->disk[i].q, t->disk[i].h, f);
        plu_disk_scatter(t, t->disk + i, f, t->rhs);
    }
    plu_status status = plu_ipm_system_solve(t->system, t->rhs, t->dp, err);
    for (int i = 0; status == PLU_OK && i < t->disks; i++) {
        plu_disk *k = t->disk + i;
        double x[3];
        plu_disk_gather(t, k, t->dp, k->dz);
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
        plu_disk_gather(t, k, t->p, k->z);
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
