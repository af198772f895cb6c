/* The residual, in two measures (src/solving.md). */
#include "base/vec3.h"
#include "cone/cone.h"
#include "problem/problem_lanes.h"
#include <math.h>

typedef plu_residual_sums sums;

static sums sum_range(const plu_problem *problem, const plu_island *island, int begin, int end,
                      bool natural)
{
    const plu_residual_parts wanted = !natural                    ? PLU_SUM_SCALED
                                      : island->free_square < 0.0 ? PLU_SUM_ALL
                                                                  : PLU_SUM_NATURAL;
    return island->padded ? PLU_ISA_BEST(plu_residual_blocks)(problem, begin, end, wanted)
                          : plu_residual_blocks_one(problem, begin, end, wanted);
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
                                   bool last)
{
    const int begin = island->slot_begin, end = island->slot_end;
    const int chunks = plu_sum_chunks(island);
    const bool hands_on = last && plu_flow_hands_on(problem, island);
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
            if (hands_on)
                plu_flow_done(problem, from, from + PLU_SUM_CHUNK);
        }
        for (int i = 0; i < chunks; i++)
            add(&total, &part[i]);
    }
    if (hands_on)
        plu_flow_handed_on(island);
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
