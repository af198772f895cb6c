/* Position projection of pairs of spheres, several at a time (compiled for each instruction set,
 * base/cpu.h; project.c has the method):
 *
 *     depth  = r_a + r_b - |x_b - x_a| ,  e = min(depth - slop d, stride d)
 *     x_b   += e share n ,  x_a -= e (1 - share) n ,  share = w_b / (w_a + w_b)
 *
 * Pairs that are not too deep are written back as they were: which ones move is a coin's throw to
 * the processor, so nothing branches on it. Walls, spare slots and bodies that do not move are read
 * as a pair at distance 0, and have no place to be written to. */
#include "step/project_lanes.h"
#include "base/rows.h"

/* Whether all of them are pairs of spheres, as most are. */
static inline bool are_pairs(const plu_overlaps *o, const plu_contact_pair *pairs)
{
    int room = 0; /* negative where a is given, as in empty slots */
    for (int k = 0; k < WIDTH; k++)
        room |= o->moving - 1 - pairs[k].a;
    return room >= 0;
}

/* Both sides of the pairs. Where there is no pair both are the same row: a distance of 0. */
static inline void read_positions(const plu_overlaps *o, const plu_contact_pair *pairs,
                                  bool all_pairs, lanes a[4], lanes b[4])
{
    static const double nowhere[4];
    const double *ra[WIDTH], *rb[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
        const bool both = all_pairs || pairs[k].a < o->moving;
        ra[k] = both ? o->position[pairs[k].a] : nowhere;
        rb[k] = both ? o->position[pairs[k].b] : nowhere;
    }
    load_short_rows(ra, a);
    load_short_rows(rb, b);
}

/* Where all bodies have a place, as in most blocks: with this constant the compiler tests none. */
static inline void write_all_positions(const plu_overlaps *o, const int *body,
                                       const lanes column[4])
{
    double *row[WIDTH];
    for (int k = 0; k < WIDTH; k++) {
        row[k] = o->position[body[2 * k]];
        if (!row[k])
            __builtin_unreachable();
    }
    store_short_rows(row, column);
}

/* Where the bodies of the pairs are written back to: one without share, which may sleep beside
 * other pairs too, has no place. */
static inline void write_positions(const plu_overlaps *o, const int *body, const mask moves,
                                   const lanes column[4])
{
    double *row[WIDTH];
    for (int k = 0; k < WIDTH; k++)
        row[k] = moves[k] ? o->position[body[2 * k]] : NULL;
    store_short_rows(row, column);
}

/* Pairs that are in order are written back as they were: which ones move is a coin's throw to the
 * processor, and it learns the outcome late. */
static inline __attribute__((always_inline)) unsigned separate(const plu_overlaps *o, int slot,
                                                               bool all_pairs)
{
    const plu_contact_pair *pairs = o->pairs + slot;
    lanes a[4], b[4];
    read_positions(o, pairs, all_pairs, a, b);
    const plu_block *block = &o->blocks[slot / PLU_LANES];
    vectors apart = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    if (block->crossing) /* a is an image */
        apart = difference(apart, load3(block->crossing->shift, slot % PLU_LANES));
    const lanes distance = norm(apart), d = all(2.0) * smaller(a[3], b[3]);
    const lanes depth = a[3] + b[3] - distance;
    const mask moved = (depth > all(o->least) * d) & (distance > all(0.0));
    if (!any(moved))
        return 0;
    const double *shares = block->share + slot % PLU_LANES;
    const lanes excess = smaller(depth - all(o->slop) * d, all(PLU_STRIDE) * d);
    const lanes way = excess / choose(moved, distance, all(1.0)), share = load(shares);
    const vectors to_b = scaled(way * share, apart), to_a = scaled(way * (all(1.0) - share), apart);
    const lanes new_a[4] = {choose(moved, a[0] - to_a.x, a[0]), choose(moved, a[1] - to_a.y, a[1]),
                            choose(moved, a[2] - to_a.z, a[2]), a[3]};
    const lanes new_b[4] = {choose(moved, b[0] + to_b.x, b[0]), choose(moved, b[1] + to_b.y, b[1]),
                            choose(moved, b[2] + to_b.z, b[2]), b[3]};
    const mask fixed = (share == all(0.0)) | (share == all(1.0));
    if (all_pairs && !any(fixed)) {
        write_all_positions(o, &pairs->b, new_b);
        write_all_positions(o, &pairs->a, new_a);
        return bits(moved);
    }
    const mask place = all_pairs ? (mask)(moved | ~moved) : (mask)(distance > all(0.0));
    write_positions(o, &pairs->b, place & (share != all(0.0)), new_b);
    write_positions(o, &pairs->a, place & (share != all(1.0)), new_a);
    return bits(moved);
}

/* A function of its own keeps the path of the pairs short. */
static __attribute__((noinline)) unsigned separate_some(const plu_overlaps *o, int slot,
                                                        bool *walls)
{
    for (int k = slot; k < slot + WIDTH; k++)
        *walls |= o->pairs[k].a >= o->moving && o->pairs[k].b < o->moving;
    return separate(o, slot, false);
}

bool PLU_ISA(plu_separate_blocks)(const plu_overlaps *o, int begin, int end, unsigned char *moved,
                                  plu_coming *coming)
{
    bool walls = false;
    for (int slot = begin; slot < end; slot += PLU_LANES) {
        unsigned all = 0;
        if (coming->slot < coming->end) {
            plu_fetch_places(o, coming->slot);
            coming->slot += PLU_LANES;
        }
        for (int k = 0; k < PLU_LANES; k += WIDTH) {
            const bool all_pairs = are_pairs(o, o->pairs + slot + k);
            all |= (all_pairs ? separate(o, slot + k, true) : separate_some(o, slot + k, &walls))
                   << k;
        }
        moved[(slot - begin) / PLU_LANES] = (unsigned char)all;
    }
    return walls;
}
