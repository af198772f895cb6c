/* What overlaps a sphere: a hashed grid for each level of sizes.
 *
 *     level k    radii from 2^(c - k) to twice that, 2^c being that power of two for the largest
 *     cells      of the width 4 2^(c - k), the largest diameter of the level
 *
 *     looked at, level by level:   | . | x | x | . |     the cells that the sphere's radius and the
 *                                  | . | x (o) | . |     largest one of the level reach
 *
 * Of a level with fewer spheres than such cells all spheres are compared. A cell is found by the
 * hash of (level, x, y, z), and spheres in it are a list. */
#include "fill/near.h"
#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

static int exponent(double radius)
{
    return radius > 0.0 ? ilogb(radius) : 0;
}

plu_status plu_near_create(plu_near *near, const plu_space *space, const double (*spheres)[4],
                           int count, double largest, plu_error *err)
{
    uint64_t buckets = 64;
    while (buckets < 2 * (uint64_t)count)
        buckets *= 2;
    *near = (plu_near){
        .space = *space, .spheres = spheres, .coarsest = exponent(largest), .mask = buckets - 1};
    near->bucket = plu_alloc(buckets, sizeof *near->bucket, err);
    near->next = plu_alloc((size_t)count, sizeof *near->next, err);
    near->sibling = plu_alloc((size_t)count, sizeof *near->sibling, err);
    near->key = plu_alloc((size_t)count, sizeof *near->key, err);
    if (!near->bucket || !near->next || !near->sibling || !near->key) {
        plu_near_free(near);
        return PLU_IO;
    }
    for (uint64_t b = 0; b < buckets; b++)
        near->bucket[b] = -1;
    for (int k = 0; k < PLU_NEAR_LEVELS; k++)
        near->level[k].head = -1;
    return PLU_OK;
}

void plu_near_free(plu_near *near)
{
    free(near->bucket);
    free(near->next);
    free(near->sibling);
    free(near->key);
    *near = (plu_near){0};
}

int plu_near_level(const plu_near *near, double radius)
{
    const int level = near->coarsest - exponent(radius);
    return level < 0 ? 0 : level >= PLU_NEAR_LEVELS ? PLU_NEAR_LEVELS - 1 : level;
}

/* Cells are as wide as the largest diameter that its level allows. */
static double inverse_width(const plu_near *near, int level)
{
    return ldexp(0.25, level - near->coarsest);
}

/* Far away everything shares the outermost cell, so that the number fits. */
static int64_t cell_of(double coordinate, double inverse)
{
    return (int64_t)floor(fmin(fmax(coordinate * inverse, -1e15), 1e15));
}

/* Multiplicative hashing (Knuth, The Art of Computer Programming 3, 6.4): 2^64 over the golden
 * ratio spreads neighbors over the buckets. */
static uint64_t mixed(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9E3779B97F4A7C15);
    return a ^ a >> 29;
}

/* Two cells with one key do no harm: spheres found by a key are still tested for an overlap. */
static uint64_t key_of(int level, int64_t x, int64_t y, int64_t z)
{
    return mixed(mixed(mixed((uint64_t)level, (uint64_t)x), (uint64_t)y), (uint64_t)z);
}

void plu_near_add(plu_near *near, int sphere)
{
    const double *at = near->spheres[sphere];
    const int level = plu_near_level(near, at[3]);
    const double inverse = inverse_width(near, level);
    const uint64_t key =
        key_of(level, cell_of(at[0], inverse), cell_of(at[1], inverse), cell_of(at[2], inverse));
    int *bucket = &near->bucket[key & near->mask];
    near->key[sphere] = key;
    near->next[sphere] = *bucket;
    *bucket = sphere;
    near->sibling[sphere] = near->level[level].head;
    near->level[level].head = sphere;
    near->level[level].count++;
    near->level[level].largest = fmax(near->level[level].largest, at[3]);
}

static bool overlap(const plu_near *near, int other, const double sphere[4])
{
    double way[3];
    plu_apart_from(&near->space, 0, sphere, near->spheres[other], way);
    const double reach = near->spheres[other][3] + sphere[3];
    return plu_dot(way, way) < reach * reach;
}

static bool visit_cell(const plu_near *near, const double sphere[4], uint64_t key,
                       bool (*visit)(void *user, int found), void *user)
{
    for (int s = near->bucket[key & near->mask]; s >= 0; s = near->next[s])
        if (near->key[s] == key && overlap(near, s, sphere) && !visit(user, s))
            return false;
    return true;
}

/* The same by the list of a level, for a query that spans more cells than there are spheres. */
static bool visit_all(const plu_near *near, const double sphere[4], int level,
                      bool (*visit)(void *user, int found), void *user)
{
    for (int s = near->level[level].head; s >= 0; s = near->sibling[s])
        if (overlap(near, s, sphere) && !visit(user, s))
            return false;
    return true;
}

/* Cells of a level that a sphere which overlaps may have its center in: those within both radii,
 * by the largest sphere there is so far, not the largest that the level allows. */
static bool visit_level(const plu_near *near, const double sphere[4], int level,
                        bool (*visit)(void *user, int found), void *user)
{
    const double inverse = inverse_width(near, level);
    const double reach = sphere[3] + near->level[level].largest;
    int64_t low[3], high[3];
    double cells = 1.0;
    for (int k = 0; k < 3; k++) {
        low[k] = cell_of(sphere[k] - reach, inverse);
        high[k] = cell_of(sphere[k] + reach, inverse);
        cells *= (double)(high[k] - low[k] + 1);
    }
    if (cells > near->level[level].count)
        return visit_all(near, sphere, level, visit, user);
    for (int64_t z = low[2]; z <= high[2]; z++)
        for (int64_t y = low[1]; y <= high[1]; y++)
            for (int64_t x = low[0]; x <= high[0]; x++)
                if (!visit_cell(near, sphere, key_of(level, x, y, z), visit, user))
                    return false;
    return true;
}

static bool visit_place(const plu_near *near, const double sphere[4], int finest,
                        bool (*visit)(void *user, int found), void *user)
{
    for (int level = 0; level <= finest && level < PLU_NEAR_LEVELS; level++)
        if (near->level[level].count > 0 && !visit_level(near, sphere, level, visit, user))
            return false;
    return true;
}

/* Whether a sphere there may overlap one whose center is in the cell. */
static bool meets_cell(const plu_near *near, const double sphere[4])
{
    double largest = 0.0;
    for (int level = 0; level < PLU_NEAR_LEVELS; level++)
        largest = fmax(largest, near->level[level].largest);
    for (int k = 0; k < 3; k++) {
        const double f = plu_space_fraction(&near->space, k, sphere),
                     reach = (sphere[3] + largest) / near->space.height[k];
        if (near->space.periodic[k] && (f < -reach || f > 1.0 + reach))
            return false;
    }
    return true;
}

/* Spheres stand once, where they are; periodic cells are seen by asking again for each image of
 * the query, but only for images that reach back to the cell. */
void plu_near_visit(const plu_near *near, const double sphere[4], int finest,
                    bool (*visit)(void *user, int found), void *user)
{
    if (!visit_place(near, sphere, finest, visit, user) || near->space.kind == PLU_OPEN_SPACE)
        return;
    for (int image = 1; image < PLU_IMAGES; image++) {
        double at[4] = {sphere[0], sphere[1], sphere[2], sphere[3]};
        plu_add_scaled(at, 1.0, near->space.shift[image]);
        if (plu_space_has_image(&near->space, image) && meets_cell(near, at) &&
            !visit_place(near, at, finest, visit, user))
            return;
    }
}

static bool keep(void *user, int found)
{
    *(int *)user = found;
    return false;
}

int plu_near_overlapping(const plu_near *near, const double sphere[4])
{
    int found = -1;
    const int level = plu_near_level(near, sphere[3]);
    const double inverse = inverse_width(near, level);
    const uint64_t own = key_of(level, cell_of(sphere[0], inverse), cell_of(sphere[1], inverse),
                                cell_of(sphere[2], inverse));
    /* where a place is taken, it is mostly by a sphere of the same cell */
    if (!visit_cell(near, sphere, own, keep, &found))
        return found;
    plu_near_visit(near, sphere, PLU_NEAR_LEVELS - 1, keep, &found);
    return found;
}
