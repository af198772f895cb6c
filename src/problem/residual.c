/* The residual, in two measures (src/README.md). */
#include "base/vec3.h"
#include "cone/cone.h"
#include "problem/problem_lanes.h"
#include <math.h>

typedef plu_residual_sums sums;

/* Alart-Curnier function with rho = 1/W_ii: r_N - (r_N - rho u_N)+ and, for the disks of radius
 * mu (r_N - rho u_N)+, vector minus projected trial vector. */
static void add_scaled(const plu_block *c, int k, const double p[7], const double y[7], sums *s)
{
    const double trial = plu_max(p[0] - y[0] / c->pair->wn[k], 0.0), fn = p[0] - trial;
    double t[3], m[3], ft = 0.0, fm = 0.0;
    for (int i = 0; i < 3; i++) {
        t[i] = p[1 + i] - y[1 + i] / c->pair->wt[k];
        m[i] = p[4 + i] - y[4 + i] / c->pair->wr[k];
    }
    const double at = plu_disk_factor(plu_norm(t), plu_slot_slope(c, k) * trial);
    const double am = plu_disk_factor(plu_norm(m), plu_slot_slope_r(c, k) * trial);
    for (int i = 0; i < 3; i++) {
        ft += (p[1 + i] - at * t[i]) * (p[1 + i] - at * t[i]);
        fm += (p[4 + i] - am * m[i]) * (p[4 + i] - am * m[i]);
    }
    const double g = c->pair->inverse_length[k] * c->pair->inverse_length[k];
    s->f_scaled += fn * fn + ft + g * fm;
    s->p_scaled += p[0] * p[0] + plu_dot(p + 1, p + 1) + g * plu_dot(p + 4, p + 4);
}

/* Natural map in SI units, written for vectors in the tangent plane: the projection on K_r only
 * shortens r_T and m_R. */
static void add_natural(const plu_block *c, int k, const double p[7], const double y[7], sums *s)
{
    const double mu = plu_slot_slope(c, k), mu_r = plu_slot_slope_r(c, k);
    double t[3], m[3];
    plu_sub(p + 1, y + 1, t);
    plu_sub(p + 4, y + 4, m);
    const double x =
        p[0] - (y[0] + plu_lift(mu, plu_norm(y + 1)) + plu_lift(mu_r, plu_norm(y + 4)));
    const double lt = plu_norm(t), lm = plu_norm(m);
    const double n = plu_cone_normal(x, lt, lm, mu, mu_r);
    const double at = plu_disk_factor(lt, mu * n), am = plu_disk_factor(lm, mu_r * n);
    double f = (p[0] - n) * (p[0] - n);
    for (int i = 0; i < 3; i++) {
        f += (p[1 + i] - at * t[i]) * (p[1 + i] - at * t[i]);
        f += (p[4 + i] - am * m[i]) * (p[4 + i] - am * m[i]);
    }
    s->f_natural += f;
    s->p += p[0] * p[0] + plu_dot(p + 1, p + 1) + plu_dot(p + 4, p + 4);
    s->y += y[0] * y[0] + plu_dot(y + 1, y + 1) + plu_dot(y + 4, y + 4);
}

static sums sum_slots(const plu_problem *problem, int begin, int end, plu_residual_parts wanted)
{
    sums s = {0};
    for (int slot = begin; slot < end; slot++) {
        if (problem->contact_of_slot[slot] < 0)
            continue;
        const int k = slot % PLU_LANES;
        const plu_block *c = plu_block_of(problem, slot);
        const int a = c->a[k], b = c->b[k];
        double p[7], y[7];
        for (int i = 0; i < 7; i++)
            p[i] = c->p[i][k];
        plu_slot_velocity(c, k, problem->v[a], problem->v[b], y);
        add_scaled(c, k, p, y, &s);
        s.p_scaled += plu_noise(c, k, problem->v[b]);
        if (wanted == PLU_SUM_SCALED)
            continue;
        add_natural(c, k, p, y, &s);
        if (wanted == PLU_SUM_NATURAL)
            continue;
        plu_slot_velocity(c, k, problem->v_free[a], problem->v_free[b], y);
        s.q += y[0] * y[0] + plu_dot(y + 1, y + 1) + plu_dot(y + 4, y + 4);
    }
    return s;
}

static sums sum_range(const plu_problem *problem, const plu_island *island, int begin, int end,
                      bool natural)
{
    const plu_residual_parts wanted = !natural                    ? PLU_SUM_SCALED
                                      : island->free_square < 0.0 ? PLU_SUM_ALL
                                                                  : PLU_SUM_NATURAL;
    return island->padded ? PLU_ISA_BEST(plu_residual_blocks)(problem, begin, end, wanted)
                          : sum_slots(problem, begin, end, wanted);
}

static void add(sums *total, const sums *part)
{
    total->f_scaled += part->f_scaled;
    total->p_scaled += part->p_scaled;
    total->f_natural += part->f_natural;
    total->p += part->p;
    total->y += part->y;
    total->q += part->q;
}

static double natural_of(plu_island *island, const sums *total)
{
    if (island->free_square < 0.0)
        island->free_square = total->q;
    const double scale = plu_max(island->free_square, plu_max(total->p, total->y));
    return sqrt(total->f_natural / (sqrt(scale) > 2.2e-16 ? scale : 1.0));
}

plu_residuals plu_problem_residual(const plu_problem *problem, plu_island *island, bool natural,
                                   const plu_observer *observer)
{
    const int begin = island->slot_begin, end = island->slot_end;
    const int chunks = plu_sum_chunks(island);
    _Static_assert(sizeof(sums) <= PLU_SUMS * sizeof(double), "room for a partial sum");
    sums total = {0}, *part = (sums *)problem->sums;
    if (!island->large) {
        total = sum_range(problem, island, begin, end, natural);
    } else {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < chunks; i++) {
            const int from = begin + i * PLU_SUM_CHUNK;
            part[i] = sum_range(problem, island, from,
                                from + PLU_SUM_CHUNK < end ? from + PLU_SUM_CHUNK : end, natural);
            if (observer && island->tiled)
                observer->see(observer->context, from);
        }
        for (int i = 0; i < chunks; i++)
            add(&total, &part[i]);
    }
    return (plu_residuals){
        .scaled = plu_scaled_residual(total.f_scaled, total.p_scaled),
        .natural = natural ? natural_of(island, &total) : NAN,
    };
}

double plu_mass_of_parts(const plu_island *island, const double part[PLU_BODY_PARTS])
{
    const int count = island->body_end - island->body_begin;
    double sum = 0.0;
    for (int i = 0; i < PLU_BODY_PARTS; i++)
        sum += part[i];
    return count > 0 ? sum / sqrt((double)count) : 0.0;
}

double plu_problem_mass(const plu_problem *problem, const plu_island *island)
{
    double part[PLU_BODY_PARTS];
#pragma omp parallel for schedule(static) if (island->large)
    for (int i = 0; i < PLU_BODY_PARTS; i++) {
        part[i] = 0.0;
        for (int k = plu_body_part(island, i); k < plu_body_part(island, i + 1); k++)
            part[i] += 1.0 / problem->v_free[problem->island_body[k]][6];
    }
    return plu_mass_of_parts(island, part);
}
