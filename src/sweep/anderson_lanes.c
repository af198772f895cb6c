/* The vector operations of Anderson acceleration in SIMD lanes (compiled for each instruction set,
 * base/cpu.h). */
#include "sweep/anderson_lanes.h"
#include "blocks/block_lanes.h"

enum { DEPTH = PLU_ANDERSON_DEPTH };

typedef struct sums { /* of plu_anderson_products */
    parts ff, f_df[DEPTH], row[DEPTH];
} sums;

/* Lanes k on of component i of a block, whose numbers stand at `at` in the vectors. */
static inline void remember(const plu_block *c, const plu_block_before *before, int i, int k,
                            size_t at, const plu_anderson_vectors *v, int newest, int depth,
                            sums *s)
{
    const double *weights = i == 0 ? c->pair->wn : i < 4 ? c->pair->wt : c->pair->wr;
    const lanes w = load(weights + k), g = load(c->p[i] + k), f = g - load(before->p[i] + k);
    if (newest >= 0) {
        store(v->dg[newest] + at, g - load(v->g + at));
        store(v->df[newest] + at, f - load(v->f + at));
    }
    store(v->g + at, g);
    store(v->f + at, f);
    const lanes wf = w * f, wd = newest >= 0 ? w * load(v->df[newest] + at) : all(0.0);
    add(&s->ff, k, wf * f);
    for (int j = 0; j < depth; j++) {
        const lanes df = load(v->df[j] + at);
        add(&s->f_df[j], k, wf * df);
        add(&s->row[j], k, wd * df);
    }
}

plu_anderson_products PLU_ISA(plu_anderson_remember)(const plu_problem *problem, int first,
                                                     int begin, int end,
                                                     const plu_anderson_vectors *v, int newest,
                                                     int depth)
{
    sums s = {0};
    for (int block = begin; block < end; block++)
        for (int i = 0; i < 7; i++)
            for (int k = 0; k < PLU_LANES; k += WIDTH)
                remember(&problem->blocks[first + block], &problem->before[first + block], i, k,
                         (size_t)block * PLU_VECTOR + (size_t)(i * PLU_LANES + k), v, newest, depth,
                         &s);
    plu_anderson_products products = {.ff = total(&s.ff)};
    for (int j = 0; j < depth; j++) {
        products.f_df[j] = total(&s.f_df[j]);
        products.row[j] = total(&s.row[j]);
    }
    return products;
}

/* The projection on K_r with moments in units of the contact's length. */
LANES_INLINE void project(plu_block *c, int k, lanes n, vectors t, vectors m, bool pivots)
{
    const lanes il = load(c->pair->inverse_length + k);
    const lanes mu = sliding(c, k), mu_r = rolling(c, k);
    lanes p;
    if (pivots) {
        const vectors normal = load3(c->normal, k);
        const lanes along = dot(m, normal), mu_p = pivoting(c, k);
        const vectors mr = take_times(m, along, normal);
        p = cone_normal_pivoting(n, norm(t), norm(mr) * il, larger(along, -along) * il, mu,
                                 mu_r * il, mu_p * il);
        store3(c->p + 4, k, bounded_moment(m, normal, mu_r * p, mu_p * p));
    } else {
        p = cone_normal(n, norm(t), norm(m) * il, mu, mu_r * il);
        store3(c->p + 4, k, into_disk(m, mu_r * p));
    }
    store(c->p[0] + k, p);
    store3(c->p + 1, k, into_disk(t, mu * p));
}

void PLU_ISA(plu_anderson_combine)(const plu_problem *problem, int first, int begin, int end,
                                   const plu_anderson_vectors *v, int depth, const double *gamma)
{
    for (int block = begin; block < end; block++)
        for (int k = 0; k < PLU_LANES; k += WIDTH) {
            lanes x[7];
            for (int i = 0; i < 7; i++) {
                const size_t at = (size_t)block * PLU_VECTOR + (size_t)(i * PLU_LANES + k);
                x[i] = load(v->g + at);
                for (int j = 0; j < depth; j++)
                    x[i] -= all(gamma[j]) * load(v->dg[j] + at);
            }
            project(&problem->blocks[first + block], k, x[0], (vectors){x[1], x[2], x[3]},
                    (vectors){x[4], x[5], x[6]}, problem->pivots);
        }
}
