/* Compiled for each instruction set (base/cpu.h). */
#include "blocks/block_lanes.h"
#include "blocks/problem_lanes.h"

typedef float narrow __attribute__((vector_size(WIDTH * sizeof(float))));

/* A friction impulse of at least this share of its limit counts as being at the limit. */
static const double at_limit = 1.0 - 1e-6;

static inline void to_floats(float *to, lanes x)
{
    const narrow y = __builtin_convertvector(x, narrow);
    memcpy(to, &y, sizeof y);
}

static inline lanes from_floats(const float *from)
{
    narrow y;
    memcpy(&y, from, sizeof y);
    return __builtin_convertvector(y, lanes);
}

void PLU_ISA(plu_to_single)(const plu_single *s, plu_block *from, plu_single_block *to, int k,
                            int still)
{
    const lanes linear = all(1.0 / s->mass), angular = all(1.0 / (s->mass * s->length));
    for (int j = 0; j < PLU_LANES; j += WIDTH) {
        for (int i = 0; i < 3; i++)
            to_floats(to->normal[i] + k + j, load(from->normal[i] + j));
        for (int i = 0; i < 7; i++)
            to_floats(to->p[i] + k + j, load(from->p[i] + j) * (i < 4 ? linear : angular));
        to_floats(to->bias + k + j, load(from->bias + j));
        to_floats(to->friction + k + j, load(from->friction + j));
    }
    for (int j = 0; j < PLU_LANES; j++) {
        to->a[k + j] = from->a[j] == plu_still_row(s->problem) ? still : from->a[j];
        to->b[k + j] = from->b[j] == plu_still_row(s->problem) ? still : from->b[j];
    }
}

static inline vectors stretched(vectors v, lanes limit)
{
    const lanes square = dot(v, v), least = all(at_limit) * limit;
    const mask there = (square >= least * least) & (square > all(0.0));
    return scaled(choose(there, limit / root(choose(there, square, all(1.0))), all(1.0)), v);
}

/* As `stretched`, of a single number. */
static inline lanes to_limit(lanes x, lanes limit)
{
    const lanes least = all(at_limit) * limit;
    return choose((mask)(x >= least) & (mask)(x > all(0.0)), limit,
                  choose((mask)(x <= -least) & (mask)(x < all(0.0)), -limit, x));
}

static inline vectors tangential(vectors v, vectors normal)
{
    return take_times(v, dot(v, normal), normal);
}

void PLU_ISA(plu_from_single)(const plu_single *s, plu_single_block *from, int k, plu_block *to)
{
    const lanes linear = all(s->mass), angular = all(s->mass * s->length);
    for (int j = 0; j < PLU_LANES; j += WIDTH) {
        const vectors normal = load3(to->normal, j);
        lanes p[7];
        for (int i = 0; i < 7; i++)
            p[i] = from_floats(from->p[i] + k + j) * (i < 4 ? linear : angular);
        vectors t = {p[1], p[2], p[3]}, m = {p[4], p[5], p[6]};
        if (s->tangential) {
            t = tangential(t, normal);
            m = s->problem->pivots ? m : tangential(m, normal);
        }
        store(to->p[0] + j, p[0]);
        store3(to->p + 1, j, stretched(t, sliding(to, j) * p[0]));
        if (s->problem->pivots) {
            const lanes along = dot(m, normal);
            m = stretched(take_times(m, along, normal), rolling(to, j) * p[0]);
            store3(to->p + 4, j, add_times(m, to_limit(along, pivoting(to, j) * p[0]), normal));
        } else {
            store3(to->p + 4, j, stretched(m, rolling(to, j) * p[0]));
        }
    }
}
