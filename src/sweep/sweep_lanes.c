/* Solves the contacts of one color in SIMD lanes, as many at a time as a register holds (compiled
 * for each instruction set, base/cpu.h).
 *
 * Contacts of a color share no body, so eight of them can be visited at once with the result of any
 * order. Lane k of a block is contact k; a visit (gs.c has its equations) is then
 *
 *      row a_0 [v w 1/m 1/I]            v_x of lanes 0..7                     rows a_0 ... a_7
 *      row a_1 [v w 1/m 1/I]   8 x 8    v_y                  y, q-, p'  8 x 8  += M^-1 H (p' - p)
 *      ...                    ------->  ...                 --------> ------>
 *      row a_7 [v w 1/m 1/I]  transpose 1/I of lanes 0..7             transpose
 *
 * and the same with the rows b. The velocity of a body is one row of 64 bytes, a cache line: rows
 * are loaded whole and transposed in registers, which is faster than gathering single numbers.
 * Branches become masks (local/exact_lanes.h), so that a lane's result does not depend on the
 * others. In doubles given rows are not written; in floats all may be (blocks/single.h). */
#include "sweep/sweep_lanes.h"
#include "local/exact_lanes.h"
#include "local/open_lanes.h"

#if defined(PLU_SINGLE)
#define SWAPPED true /* the caller has swapped v and v_before, so only one of them is written */
#define EXACT_CHANGE true
#else
#define SWAPPED false
#define EXACT_CHANGE false
#endif

LANES_INLINE exact_terms terms_of(const swept_block *c, int k, bool pivots, bool yields, lanes most)
{
    return (exact_terms){load(c->pair->wt + k),
                         load(c->pair->wr + k),
                         load(c->pair->wc + k),
                         load(c->pair->inverse_wn + k),
                         load(c->pair->inverse_wt + k),
                         load(c->pair->inverse_wr + k),
                         sliding(c, k),
                         rolling(c, k),
                         pivots ? pivoting(c, k) : all(0.0),
                         yields,
                         most};
}

/* How far momentum carries the impulses `last` of the block on. */
LANES_INLINE impulses extrapolation(swept_before *b, int k, lanes beta, const impulses *last)
{
    const impulses before = {load(b->p[0] + k), load3(b->p + 1, k), load3(b->p + 4, k)};
    return (impulses){beta * (last->n - before.n), scaled(beta, difference(last->t, before.t)),
                      scaled(beta, difference(last->m, before.m))};
}

typedef struct sums { /* the fields of plu_sweep_sums, for each lane */
    parts change, size, momentum, rounding;
} sums;

/* |x|^2 with moments divided by the length L; g is 1 / L^2. */
LANES_INLINE lanes size_of(const impulses *x, lanes g)
{
    return mul_add(g, dot(x->m, x->m), mul_add(x->n, x->n, dot(x->t, x->t)));
}

/* Adds a visit with the change d and the result `fresh` to the sums of a sweep. */
LANES_INLINE void add_change(swept_block *c, int k, const impulses *fresh, const impulses *d,
                             lanes floor, sums *s)
{
    const lanes il = load(c->pair->inverse_length + k), g = il * il;
    add(&s->change, k, size_of(d, g));
    const lanes size = size_of(fresh, g);
#if defined(PLU_SINGLE)
    add(&s->size, k, size);
    add(&s->rounding, k, floor);
#else
    add(&s->size, k, size + floor);
#endif
}

/* Adds the product of the change d with the extrapolation `ahead` to the sums. */
LANES_INLINE void add_momentum(swept_block *c, int k, const impulses *ahead, const impulses *d,
                               sums *s)
{
    add(&s->momentum, k,
        load(c->pair->wn + k) * d->n * ahead->n + load(c->pair->wt + k) * dot(d->t, ahead->t) +
            load(c->pair->wr + k) * dot(d->m, ahead->m));
}

LANES_INLINE void write_impulses(real (*p)[BLOCK], int k, const impulses *x)
{
    store(p[0] + k, x->n);
    store3(p + 1, k, x->t);
    store3(p + 4, k, x->m);
}

/* Whether all of these contacts are decoupled (wc = 0) and between moving bodies, as most are, so
 * that the short code path serves. Spare slots are not: both their sides are given. */
LANES_INLINE bool are_plain(const swept *problem, const swept_block *c, int k)
{
    return all_written(problem, c->a + k) && !any(load(c->pair->wc + k) != all(0.0));
}

/* The contacts between two spheres: boundaries have no arm. */
LANES_INLINE mask of_spheres(const swept_block *c, int k)
{
    return load(c->pair->arm_a + k) != all(0.0);
}

/* What a visit does besides solving its contacts. */
typedef enum visit_kind {
    REPEAT,      /* nothing: a further sweep of a tile within a pass */
    KEEP_UNSEEN, /* stores the old impulses in problem->before, makes no sums */
    SUM,         /* adds the change to the sums */
    KEEP,        /* stores the old impulses and adds to the sums */
    MOMENTUM     /* as KEEP, and starts from the extrapolated impulses */
} visit_kind;

LANES_INLINE impulses sum_of(const impulses *p, const impulses *q)
{
    return (impulses){p->n + q->n, sum(p->t, q->t), sum(p->m, q->m)};
}

LANES_INLINE impulses difference_of(const impulses *p, const impulses *q)
{
    return (impulses){p->n - q->n, difference(p->t, q->t), difference(p->m, q->m)};
}

/* Velocities are carried on beside the impulses (plu_move_on), so in floats the change d must be
 * that from the exact extrapolation, and not from its rounded sum: in a deep bed impulses are
 * thousands of times what a sweep changes, and momentum would amplify their rounding from sweep to
 * sweep. In doubles that does no harm, and where a sweep changes nothing d is zero. */
LANES_INLINE void visit(swept *problem, swept_block *c, int k, bool plain, bool pivots, bool opens,
                        bool yields, visit_kind how, lanes beta, plu_bound bound, sums *s)
{
    swept_before *before = &problem->before[c - problem->blocks];
    const vectors normal = load3(c->normal, k);
    bodies a = read_rows(problem->v, c->a + k), b = read_rows(problem->v, c->b + k);
    const impulses last = read_impulses(c, k);
    impulses p = last, ahead = {0};
    if (how == MOMENTUM) {
        ahead = extrapolation(before, k, beta, &last);
        p = sum_of(&last, &ahead);
    }
    impulses y = relative_velocity(c, k, normal, &a, &b, pivots);
    y.n += load(c->bias + k);
    const exact_terms w =
        terms_of(c, k, pivots, yields, yields ? most_of(problem, c, k, bound) : all(0.0));
    impulses fresh = opens   ? solve_open(&w, load(c->pair->wn + k), normal, &y, &p, !plain, pivots)
                     : plain ? decoupled(&w, normal, &y, &p, pivots)
                     : pivots ? solve(&w, normal, &y, &p, true)
                              : visited(&w, of_spheres(c, k), normal, &y, &p);
    impulses d = difference_of(&fresh, EXACT_CHANGE ? &last : &p);
    if (EXACT_CHANGE && how == MOMENTUM)
        d = difference_of(&d, &ahead);
    const lanes floor = noise(c, k, &b);
    apply_impulses(c, k, normal, &d, &a, &b);
    write_rows(problem, c->a + k, plain, &a);
    write_rows(problem, c->b + k, plain, &b);
    write_impulses(c->p, k, &fresh);
    if (how == KEEP_UNSEEN || how >= KEEP)
        write_impulses(before->p, k, &last);
    if (how < SUM)
        return;
    add_change(c, k, &fresh, &d, floor, s);
    if (how == MOMENTUM)
        add_momentum(c, k, &ahead, &d, s);
}

/* The general path. It is not inlined, so that the code of the plain path stays short. */
static __attribute__((noinline)) void visit_any(swept *problem, swept_block *c, int k,
                                                visit_kind how, lanes beta, sums *s)
{
    visit(problem, c, k, false, false, false, false, how, beta, (plu_bound){0}, s);
}

static __attribute__((noinline)) void visit_pivoting(swept *problem, swept_block *c, int k,
                                                     visit_kind how, lanes beta, sums *s)
{
    visit(problem, c, k, false, true, false, false, how, beta, (plu_bound){0}, s);
}

/* A visit by the associated law. */
static __attribute__((noinline)) void visit_opening(swept *problem, swept_block *c, int k,
                                                    visit_kind how, lanes beta, sums *s)
{
    if (pivots_of(problem))
        visit(problem, c, k, false, true, true, false, how, beta, (plu_bound){0}, s);
    else if (are_plain(problem, c, k))
        visit(problem, c, k, true, false, true, false, how, beta, (plu_bound){0}, s);
    else
        visit(problem, c, k, false, false, true, false, how, beta, (plu_bound){0}, s);
}

#if !defined(PLU_SINGLE)
/* In an island that yields, by Coulomb's law. */
static __attribute__((noinline)) void visit_yielding(swept *problem, swept_block *c, int k,
                                                     visit_kind how, lanes beta, plu_bound bound,
                                                     sums *s)
{
    if (pivots_of(problem))
        visit(problem, c, k, false, true, false, true, how, beta, bound, s);
    else if (are_plain(problem, c, k))
        visit(problem, c, k, true, false, false, true, how, beta, bound, s);
    else
        visit(problem, c, k, false, false, false, true, how, beta, bound, s);
}
#endif

enum { AHEAD = 4 }; /* prefetch distance in blocks */

#if !defined(PLU_SINGLE)
/* The blocks of an island that yields. */
static __attribute__((noinline)) void visit_yielding_blocks(swept *problem, int begin, int end,
                                                            visit_kind how, lanes beta,
                                                            plu_bound bound, sums *s)
{
    for (int slot = begin; slot < end; slot += STRIDE) {
        const int filled = end - slot < STRIDE ? end - slot : STRIDE; /* spare lanes are the last */
        for (int k = FIRST_LANE(slot); k < FIRST_LANE(slot) + filled; k += WIDTH)
            visit_yielding(problem, &problem->blocks[slot / BLOCK], k, how, beta, bound, s);
    }
}
#endif

PLU_FETCH void fetch_ahead(const swept *problem, const swept_block *c, visit_kind how)
{
    plu_fetch_record(c + AHEAD, sizeof *c);
    if (how == MOMENTUM)
        plu_fetch_record(&problem->before[c - problem->blocks + AHEAD], sizeof *problem->before);
}

LANES_INLINE void visit_all(swept *problem, int begin, int end, visit_kind how, lanes beta,
                            plu_coming *coming, sums *s)
{
    const bool pivots = pivots_of(problem), opens = opens_of(problem);
    for (int slot = begin; slot < end; slot += STRIDE) {
        swept_block *c = &problem->blocks[slot / BLOCK];
        if (coming)
            fetch_coming(problem, coming);
        else
            fetch_ahead(problem, c, how);
        const int filled = end - slot < STRIDE ? end - slot : STRIDE; /* spare lanes are the last */
        for (int k = FIRST_LANE(slot); k < FIRST_LANE(slot) + filled; k += WIDTH) {
            if (opens)
                visit_opening(problem, c, k, how, beta, s);
            else if (pivots)
                visit_pivoting(problem, c, k, how, beta, s);
            else if (are_plain(problem, c, k))
                visit(problem, c, k, true, false, false, false, how, beta, (plu_bound){0}, s);
            else
                visit_any(problem, c, k, how, beta, s);
        }
    }
}

plu_sweep_sums PLU_ISA(plu_sweep_blocks)(swept *problem, int begin, int end,
                                         const plu_sweep_way *way)
{
    sums s = {0};
#if !defined(PLU_SINGLE)
    if (way->bound.most > 0.0) {
        visit_yielding_blocks(problem, begin, end,
                              way->beta != 0.0 ? MOMENTUM
                              : way->keep      ? KEEP
                                               : SUM,
                              all(way->beta), way->bound, &s);
        return (plu_sweep_sums){total(&s.change), total(&s.size), total(&s.momentum),
                                total(&s.rounding)};
    }
#endif
    if (way->beta != 0.0)
        visit_all(problem, begin, end, MOMENTUM, all(way->beta), NULL, &s);
    else if (way->keep && way->judged)
        visit_all(problem, begin, end, KEEP, all(0.0), NULL, &s);
    else if (way->keep)
        visit_all(problem, begin, end, KEEP_UNSEEN, all(0.0), NULL, &s);
    else if (way->judged)
        visit_all(problem, begin, end, SUM, all(0.0), NULL, &s);
    else
        visit_all(problem, begin, end, REPEAT, all(0.0), NULL, &s);
    return (plu_sweep_sums){total(&s.change), total(&s.size), total(&s.momentum),
                            total(&s.rounding)};
}

void PLU_ISA(plu_sweep_again)(swept *problem, int begin, int end, plu_coming *coming)
{
    sums none = {0};
    visit_all(problem, begin, end, REPEAT, all(0.0), coming, &none);
}

/* A vector of at most a row. */
typedef real part
    __attribute__((vector_size(PLU_REGISTER < 8 * PLU_REAL ? PLU_REGISTER : 8 * PLU_REAL)));

static inline part load_part(const real *at)
{
    part x;
    memcpy(&x, at, sizeof x);
    return x;
}

void PLU_ISA(plu_move_on)(swept *problem, const int *body, int count, double beta)
{
    enum { LATER = 24 }; /* bodies that are prefetched ahead */
    for (int i = 0; i < count; i++) {
        if (i + LATER < count) {
            plu_fetch_row(problem->v, sizeof *problem->v, body[i + LATER]);
            plu_fetch_row(problem->v_before, sizeof *problem->v_before, body[i + LATER]);
        }
        real *v = SWAPPED ? problem->v_before[body[i]] : problem->v[body[i]];
        real *before = SWAPPED ? problem->v[body[i]] : problem->v_before[body[i]];
        for (size_t j = 0; j < 8; j += sizeof(part) / sizeof(real)) {
            const part now = load_part(v + j);
            part next = now;
            if (beta != 0.0)
                next += (real)beta * (now - load_part(before + j));
            memcpy(SWAPPED ? before + j : v + j, &next, sizeof next);
            if (!SWAPPED)
                memcpy(before + j, &now, sizeof now);
        }
    }
}
