/* The residual, in two measures (src/solving.md). */
#include "base/team.h"
#include "base/vec3.h"
#include "blocks/parts.h"
#include "blocks/problem_lanes.h"
#include "cone/friction_cone.h"
#include <math.h>

typedef plu_residual_sums sums;

static sums sum_range(const plu_problem *problem, const plu_island *island, int begin, int end,
                      bool natural)
{
    const plu_residual_parts wanted = !natural                    ? PLU_SUM_SCALED
                                      : island->free_square < 0.0 ? PLU_SUM_ALL
                                                                  : PLU_SUM_NATURAL;
    return island->padded
               ? PLU_ISA_BEST(plu_residual_blocks)(problem, begin, end, wanted, island->bound)
               : plu_residual_blocks_one(problem, begin, end, wanted, island->bound);
}

static double natural_of(plu_island *island, const sums *total)
{
    if (island->free_square < 0.0)
        island->free_square = total->q;
    const double scale = plu_max(island->free_square, plu_max(total->p, total->y));
    return sqrt(total->f_natural / (sqrt(scale) > 2.2e-16 ? scale : 1.0));
}

static void share_strips(const plu_problem *problem, const plu_island *island, bool natural,
                         bool hands_on, plu_shares *shares, sums *part)
{
    int range = 0;
    for (int i; (i = plu_shares_take(shares, &range)) >= 0;) {
        const plu_strip *strip = &problem->strips[i];
        part[i - island->strip_begin] =
            sum_range(problem, island, strip->begin, strip->end, natural);
        if (hands_on)
            plu_flow_done(problem, i);
    }
}

plu_residuals plu_problem_residual(const plu_problem *problem, plu_island *island, bool natural,
                                   bool last)
{
    enum { COLUMNS = sizeof(sums) / sizeof(double) };
    const bool hands_on = last && plu_flow_hands_on(problem, island);
    _Static_assert(sizeof(sums) <= PLU_SUMS * sizeof(double), "room for a partial sum");
    sums total = {0}, *part = (sums *)(void *)problem->sums;
    if (!island->large) {
        total = sum_range(problem, island, island->slot_begin, island->slot_end, natural);
    } else {
        plu_shares shares;
        plu_share_strips(&shares, problem, island);
        PLU_TEAM(true, share_strips(problem, island, natural, hands_on, &shares, part));
        plu_join_parts(island, part, island->strip_end - island->strip_begin, sizeof *part, COLUMNS,
                       (double *)(void *)&total);
    }
    if (hands_on)
        plu_flow_handed_on(island);
    return (plu_residuals){
        .scaled = plu_scaled_residual(total.f_scaled, total.p_scaled),
        .natural = natural ? natural_of(island, &total) : NAN,
    };
}

static void share_masses(const plu_problem *problem, const plu_island *island, double *part)
{
#pragma omp for schedule(static) nowait
    for (int i = 0; i < plu_body_parts(island); i++) {
        const plu_body_part at = plu_body_part_of(problem, island, i);
        part[i] = 0.0;
        for (int k = at.begin; k < at.end; k++)
            part[i] += 1.0 / problem->v_free[problem->island_body[k]][6];
    }
}

double plu_mass_of_parts(const plu_island *island, const double *part)
{
    const int count = island->body_end - island->body_begin;
    double sum = 0.0;
    plu_join_parts(island, part, plu_body_parts(island), sizeof *part, 1, &sum);
    return count > 0 ? sum / sqrt((double)count) : 0.0;
}

double plu_problem_mass(const plu_problem *problem, const plu_island *island)
{
    double one[PLU_LARGE / PLU_SUM_CHUNK + 1];
    double *part = island->large ? problem->sums : one;
    PLU_TEAM(island->large, share_masses(problem, island, part));
    return plu_mass_of_parts(island, part);
}
