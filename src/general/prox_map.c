#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "general/prox_system.h"
#include <math.h>
#include <string.h>

void plu_prox_weights(const plu_contact_problem *problem, double *weight)
{
    const int d = problem->rows;
    for (int c = 0; c < problem->contacts; c++) {
        const double *w = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
        double *to = weight + (size_t)c * (size_t)d;
        to[0] = w[0];
        for (int i = 1; i < d; i += 2)
            to[i] = to[i + 1] = plu_max(w[i * (d + 1)], w[(i + 1) * (d + 1)]);
    }
}

static double length_of(const double x[2])
{
    return sqrt(x[0] * x[0] + x[1] * x[1]);
}

/* P of contact c, whose components begin at index `at`; returns |P - p|^2. */
static double project_contact(const plu_prox_map *map, int c, size_t at, const double *p,
                              const double *y, double *target)
{
    const double *center = map->center + at, *weight = map->weight + at;
    const double limit[PLU_DISKS_MAX] = PLU_CONTACT_SLOPES(map->problem, c);
    const double normal = plu_max(center[0] - y[0] / (map->eps * weight[0]), 0.0);
    target[0] = normal;
    double sum = (normal - p[0]) * (normal - p[0]);
    for (int i = 1; i < map->problem->rows; i += 2) {
        const double rho = 1.0 / (map->eps * weight[i]);
        const double x[2] = {center[i] - rho * y[i], center[i + 1] - rho * y[i + 1]};
        const double factor = plu_disk_factor(length_of(x), limit[i / 2] * normal);
        for (int k = 0; k < 2; k++) {
            target[i + k] = factor * x[k];
            sum += (target[i + k] - p[i + k]) * (target[i + k] - p[i + k]);
        }
    }
    return sum;
}

double plu_prox_project(const plu_prox_map *map, const double *p, const double *y, double *target)
{
    const size_t d = (size_t)map->problem->rows;
    double sum = 0.0;
    for (int c = 0; c < map->problem->contacts; c++) {
        const size_t at = (size_t)c * d;
        sum += project_contact(map, c, at, p + at, y + at, target + at);
    }
    return sqrt(sum);
}

/* A pair with x outside its disk: |x| p = R x gives, with p kept in the disk,
 * dP = (R I - p d^T) dx / |x| + d mu dP_N, d = x / |x|. */
static void slipping(const double x[2], const double p[2], double rho, double radius,
                     double mu_rho_n, double column[2], double block[4])
{
    const double length = length_of(x), shrink = plu_disk_factor(length_of(p), radius);
    for (int i = 0; i < 2; i++) {
        column[i] = mu_rho_n * x[i] / length;
        for (int j = 0; j < 2; j++)
            block[2 * i + j] =
                rho / length * ((i == j ? radius : 0.0) - shrink * p[i] * x[j] / length);
    }
}

void plu_prox_slopes(const plu_prox_map *map, const double *p, const double *y,
                     const double *target, plu_prox_slope *slope)
{
    const size_t d = (size_t)map->problem->rows;
    for (int c = 0; c < map->problem->contacts; c++) {
        const size_t at = (size_t)c * d;
        const double limit[PLU_DISKS_MAX] = PLU_CONTACT_SLOPES(map->problem, c);
        plu_prox_slope *s = &slope[c];
        memset(s, 0, sizeof *s);
        if (target[at] <= 0.0)
            continue;
        s->normal = 1.0 / (map->eps * map->weight[at]);
        for (size_t i = 1; i < d; i += 2) {
            const size_t k = at + i, pair = i / 2;
            const double rho = 1.0 / (map->eps * map->weight[k]);
            const double radius = limit[pair] * target[at];
            const double x[2] = {map->center[k] - rho * y[k], map->center[k + 1] - rho * y[k + 1]};
            if (length_of(x) > radius)
                slipping(x, p + k, rho, radius, limit[pair] * s->normal, s->column[pair],
                         s->block[pair]);
            else
                s->block[pair][0] = s->block[pair][3] = rho;
        }
    }
}
