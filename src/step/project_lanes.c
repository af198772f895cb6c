/* Compiled for each instruction set (base/cpu.h). */
#include "step/project_lanes.h"
#include "base/lanes.h"

typedef struct rows { /* of one side of the pairs; NULL: no sphere */
    double *at[WIDTH];
} rows;

/* Where there is no pair of spheres both sides are the same row: a distance of 0. */
static inline void find_rows(const plu_overlaps *o, int slot, rows *a, rows *b)
{
    static double nowhere[4];
    for (int k = 0; k < WIDTH; k++) {
        const plu_ends ends = o->ends[slot + k];
        b->at[k] = ends.b >= 0 ? o->position[ends.b] : nowhere;
        a->at[k] = ends.a >= 0 ? o->position[ends.a] : b->at[k];
    }
}

static inline void leave_out(rows *r, unsigned moved)
{
    for (int k = 0; k < WIDTH; k++)
        r->at[k] = moved >> k & 1 ? r->at[k] : NULL;
}

static inline unsigned separate(const plu_overlaps *o, int slot)
{
    const plu_pair_terms *terms = o->blocks[slot / PLU_LANES].pair;
    rows ra, rb;
    lanes a[4], b[4];
    find_rows(o, slot, &ra, &rb);
    load_short_rows((const double *const *)ra.at, a);
    load_short_rows((const double *const *)rb.at, b);
    const vectors apart = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const lanes distance = norm(apart), d = all(2.0) * smaller(a[3], b[3]);
    const lanes depth = a[3] + b[3] - distance;
    const mask moved = (depth > all(o->least) * d) & (distance > all(0.0));
    if (!any(moved))
        return 0;
    const lanes excess = smaller(depth - all(o->slop) * d, all(PLU_STRIDE) * d);
    const lanes way = excess / choose(moved, distance, all(1.0)),
                share = load(terms->share + slot % PLU_LANES);
    const vectors to_b = scaled(way * share, apart), to_a = scaled(way * (all(1.0) - share), apart);
    const lanes new_a[4] = {a[0] - to_a.x, a[1] - to_a.y, a[2] - to_a.z, a[3]};
    const lanes new_b[4] = {b[0] + to_b.x, b[1] + to_b.y, b[2] + to_b.z, b[3]};
    leave_out(&ra, bits(moved));
    leave_out(&rb, bits(moved));
    store_short_rows(ra.at, new_a);
    store_short_rows(rb.at, new_b);
    return bits(moved);
}

unsigned PLU_ISA(plu_separate_pairs)(const plu_overlaps *overlaps, int slot)
{
    unsigned moved = 0;
    for (int k = 0; k < PLU_LANES; k += WIDTH)
        moved |= separate(overlaps, slot + k) << k;
    return moved;
}
