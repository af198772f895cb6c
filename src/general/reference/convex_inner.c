#include "general/reference/convex_inner.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <stdlib.h>
#include <string.h>

enum { INNER_MAX = 80, PATIENCE = 3 };
/* Products z . l relative to those of the start, below which rounding has the word. */
static const double exact = 1e-24;

plu_status plu_cone_program_create(plu_cone_program *g, const plu_contact_problem *problem,
                                   plu_error *err)
{
    *g = (plu_cone_program){0};
    plu_status status = plu_ipm_point_create(&g->point, problem, false, err);
    if (status == PLU_OK)
        status = plu_ipm_system_create(&g->tangent, problem, true, err);
    if (status == PLU_OK) {
        g->u = plu_alloc((size_t)g->point.disks, sizeof *g->u, err);
        g->kept = plu_alloc((size_t)g->point.disks, sizeof *g->kept, err);
        g->kept_y = plu_alloc((size_t)g->point.n, sizeof *g->kept_y, err);
        status = g->u && g->kept && g->kept_y ? PLU_OK : PLU_IO;
    }
    return status;
}

void plu_cone_program_destroy(plu_cone_program *g)
{
    plu_ipm_point_destroy(&g->point);
    plu_ipm_system_destroy(g->tangent);
    free(g->u);
    free(g->kept);
    free(g->kept_y);
}

plu_status plu_cone_program_solve(plu_cone_program *g, const double *s, plu_monitor *monitor,
                                  plu_error *err)
{
    plu_ipm_point *t = &g->point;
    plu_ipm_point_start(t);
    for (int i = 0; i < t->disks; i++)
        t->disk[i].s = s[i];
    plu_ipm_point_measure(t);
    const double target = exact * t->gap;
    int stuck = 0;
    for (int k = 0; k < INNER_MAX && stuck < PATIENCE && !plu_monitor_expired(monitor, 0); k++) {
        if (t->gap <= target && t->dual <= 1e-13)
            break;
        const plu_status status = plu_ipm_point_advance(t, err);
        if (status == PLU_BREAKDOWN)
            break;
        if (status != PLU_OK)
            return status;
        monitor->factorizations++;
        const double before = t->gap;
        plu_ipm_point_measure(t);
        stuck = t->gap > 0.9 * before ? stuck + 1 : 0;
    }
    for (int i = 0; i < t->disks; i++)
        g->u[i] = t->disk[i].speed;
    return PLU_OK;
}

void plu_cone_program_keep(plu_cone_program *g)
{
    memcpy(g->kept, g->point.disk, (size_t)g->point.disks * sizeof *g->kept);
    memcpy(g->kept_y, g->point.y, (size_t)g->point.n * sizeof *g->kept_y);
}

/* With T as in ipm_point.h, (T W + B) dp = E S and ds = -S + D W dp, D the derivative of |u_T|. */
plu_status plu_cone_program_newton(plu_cone_program *g, const double *s, double smoothing,
                                   double *ds, plu_error *err)
{
    plu_ipm_point *t = &g->point;
    memcpy(t->disk, g->kept, (size_t)t->disks * sizeof *t->disk);
    memcpy(t->y, g->kept_y, (size_t)t->n * sizeof *t->y);
    for (int i = 0; i < t->disks; i++) {
        g->u[i] = g->kept[i].speed;
        t->disk[i].speed = t->disk[i].tail ? hypot(g->u[i], smoothing) : 0.0;
    }
    plu_ipm_point_blocks(t);
    plu_status status = plu_ipm_system_factorize(g->tangent, t->root, t->slope, err);
    if (status != PLU_OK)
        return status;
    memset(t->rhs, 0, (size_t)t->n * sizeof *t->rhs);
    for (int i = 0; i < t->disks; i++)
        t->rhs[t->disk[i].contact * t->problem->rows] += t->disk[i].weight * (s[i] - g->u[i]);
    status = plu_ipm_system_solve(g->tangent, t->rhs, t->dp, err);
    if (status != PLU_OK)
        return status;
    plu_contact_problem_velocity(t->problem, t->dp, t->rhs);
    for (int i = 0; i < t->disks; i++) {
        const plu_disk *k = t->disk + i;
        const int row = k->contact * t->problem->rows + k->tail;
        const double *u = t->y + row, *q = t->problem->q + row, *v = t->rhs + row;
        ds[i] = g->u[i] - s[i];
        for (int j = 0; k->speed > 0.0 && j < 2; j++)
            ds[i] += u[j] / k->speed * (v[j] - q[j]);
    }
    return PLU_OK;
}
