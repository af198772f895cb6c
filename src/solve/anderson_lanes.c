/* The vector work of Anderson acceleration by lanes (compiled for each instruction set,
 * base/cpu.h). */
#include "solve/anderson_lanes.h"
#include "problem/block_lanes.h"

enum { DEPTH = PLU_ANDERSON_DEPTH };

plu_anderson_products PLU_ISA(plu_anderson_remember)(const plu_problem *problem, int first,
                                                     int begin, int end,
                                                     const plu_anderson_vectors *v, int newest,
                                                     int depth)
{
    const lanes zero = all(0.0);
    lanes ff = zero, f_df[DEPTH] = {zero, zero, zero, zero, zero},
          row[DEPTH] = {zero, zero, zero, zero, zero};
    for (int k = begin; k < end; k++) {
        const plu_block *c = &problem->blocks[first + k];
        const lanes weight[3] = {load(c->wn), load(c->wt), load(c->wr)};
        for (int i = 0; i < 7; i++) {
            const size_t at = (size_t)k * PLU_VECTOR + (size_t)i * PLU_LANES;
            const lanes w = weight[(i + 2) / 3], g = load(c->p[i]), f = g - load(c->before[i]);
            if (newest >= 0) {
                store(v->dg[newest] + at, g - load(v->g + at));
                store(v->df[newest] + at, f - load(v->f + at));
            }
            store(v->g + at, g);
            store(v->f + at, f);
            const lanes wf = w * f, wd = newest >= 0 ? w * load(v->df[newest] + at) : zero;
            ff += wf * f;
            for (int j = 0; j < depth; j++) {
                const lanes df = load(v->df[j] + at);
                f_df[j] += wf * df;
                row[j] += wd * df;
            }
        }
    }
    plu_anderson_products sums = {.ff = total(ff)};
    for (int j = 0; j < depth; j++) {
        sums.f_df[j] = total(f_df[j]);
        sums.row[j] = total(row[j]);
    }
    return sums;
}

/* The projection on K_r with moments in units of the contact's length. */
static inline void project(plu_block *c, lanes n, vectors t, vectors m)
{
    const lanes il = load(c->inverse_length), one = all(1.0);
    const lanes mu = load(c->mu), mu_r = load(c->mu_r) * il, lt = norm(t), lm = norm(m) * il;
    const lanes slide = (n + mu * lt) / (one + mu * mu);
    const lanes roll = (n + mu_r * lm) / (one + mu_r * mu_r);
    const lanes both = (n + mu * lt + mu_r * lm) / (one + mu * mu + mu_r * mu_r);
    const lanes p = larger(larger(all(0.0), n), larger(larger(slide, roll), both));
    store(c->p[0], p);
    store3(c->p + 1, into_disk(t, mu * p));
    store3(c->p + 4, into_disk(m, load(c->mu_r) * p));
}

void PLU_ISA(plu_anderson_combine)(const plu_problem *problem, int first, int begin, int end,
                                   const plu_anderson_vectors *v, int depth, const double *gamma)
{
    for (int k = begin; k < end; k++) {
        lanes x[7];
        for (int i = 0; i < 7; i++) {
            const size_t at = (size_t)k * PLU_VECTOR + (size_t)i * PLU_LANES;
            x[i] = load(v->g + at);
            for (int j = 0; j < depth; j++)
                x[i] -= all(gamma[j]) * load(v->dg[j] + at);
        }
        project(&problem->blocks[first + k], x[0], (vectors){x[1], x[2], x[3]},
                (vectors){x[4], x[5], x[6]});
    }
}
