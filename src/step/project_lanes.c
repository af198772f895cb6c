/* Compiled for each instruction set (base/cpu.h). */
#include "step/project_lanes.h"
#include "base/lanes.h"

/* Whether all of them are pairs of spheres, as most are. */
static inline bool are_pairs(const plu_ends *ends)
{
    int fixed = 0;
    for (int k = 0; k < WIDTH; k++)
        fixed |= ends[k].a;
    return fixed >= 0; /* an empty slot has a < 0 too */
}

/* Both sides of the pairs. Where there is no pair both are the same row: a distance of 0. */
static inline void read_positions(const plu_overlaps *o, const plu_ends *ends, bool pairs,
                                  lanes a[4], lanes b[4])
{
    static const double nowhere[4];
    const double *ra[WIDTH], *rb[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
        const bool both = pairs || ends[k].a >= 0;
        ra[k] = both ? o->position[ends[k].a] : nowhere;
        rb[k] = both ? o->position[ends[k].b] : nowhere;
    }
    load_short_rows(ra, a);
    load_short_rows(rb, b);
}

static inline void write_positions(double out[WIDTH][4], const lanes column[4])
{
    double *row[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        row[k] = out[k];
    store_short_rows(row, column);
}

/* Moves one body to its new place. Bytes are written where they change only: threads whose bodies
 * are neighbours in memory would take their cache line from each other every time. */
static inline void place(const plu_overlaps *o, int body, const double to[4], unsigned char mark)
{
    memcpy(o->position[body], to, sizeof o->position[body]);
    if (o->moved[body] != mark)
        o->moved[body] = mark;
    if (o->quiet[body] != 0)
        o->quiet[body] = 0;
}

/* The pairs of `moved`, which have come to their new places. What has no share stays. */
static inline void place_pairs(const plu_overlaps *o, const plu_ends *ends, const double *share,
                               unsigned moved, const lanes a[4], const lanes b[4],
                               unsigned char mark)
{
    double new_a[WIDTH][4], new_b[WIDTH][4];
    write_positions(new_a, a);
    write_positions(new_b, b);
    for (; moved; moved &= moved - 1) {
        const int k = __builtin_ctz(moved);
        if (share[k] != 0.0)
            place(o, ends[k].b, new_b[k], mark);
        if (share[k] != 1.0)
            place(o, ends[k].a, new_a[k], mark);
    }
}

static inline __attribute__((always_inline)) bool separate(const plu_overlaps *o, int slot,
                                                           bool pairs, unsigned char mark)
{
    const plu_ends *ends = o->ends + slot;
    lanes a[4], b[4];
    read_positions(o, ends, pairs, a, b);
    const vectors apart = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const lanes distance = norm(apart), d = all(2.0) * smaller(a[3], b[3]);
    const lanes depth = a[3] + b[3] - distance;
    const mask moved = (depth > all(o->least) * d) & (distance > all(0.0));
    if (!any(moved))
        return false;
    const double *shares = o->blocks[slot / PLU_LANES].pair->share + slot % PLU_LANES;
    const lanes excess = smaller(depth - all(o->slop) * d, all(PLU_STRIDE) * d);
    const lanes way = excess / choose(moved, distance, all(1.0)), share = load(shares);
    const vectors to_b = scaled(way * share, apart), to_a = scaled(way * (all(1.0) - share), apart);
    const lanes new_a[4] = {a[0] - to_a.x, a[1] - to_a.y, a[2] - to_a.z, a[3]};
    const lanes new_b[4] = {b[0] + to_b.x, b[1] + to_b.y, b[2] + to_b.z, b[3]};
    place_pairs(o, ends, shares, bits(moved), new_a, new_b, mark);
    return true;
}

/* A function of its own keeps the path of the pairs short. */
static __attribute__((noinline)) bool separate_some(const plu_overlaps *o, int slot,
                                                    unsigned char mark)
{
    return separate(o, slot, false, mark);
}

bool PLU_ISA(plu_separate_blocks)(const plu_overlaps *o, int begin, int end, unsigned char mark)
{
    bool any = false;
    for (int slot = begin; slot < end; slot += WIDTH)
        any |= are_pairs(o->ends + slot) ? separate(o, slot, true, mark)
                                         : separate_some(o, slot, mark);
    return any;
}
