/* A mesh from triangles: corners that are meant to be one become one (an STL file has each corner
 * once a triangle), and triangles without an area, or that are there already, go.
 *
 * Welding: a grid of cells by hash, each new corner is compared with those in the cells that
 * `near` reaches: the first that is nearer stands for it. So the result depends on the order of
 * the file alone.
 *
 *     +-----+-----+        cells of four times `near` (PLU_WELD times the diagonal of the box): a
 *     |     | x   |        corner x is compared with those of its own cell, and of the next ones
 * only
 *     +-----+-----+        where it is nearer than `near` to the side between
 *
 * The hash of corners and triangles is part of checkpoints: a changed file is noticed. */
#include "base/hash.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "shape/mesh_read.h"
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

/* Triangles have no area that are smaller than this share of the squared diagonal of the box around
 * all, or less wide than that share of their longest edge. */
#define NO_AREA 1e-12
#define NO_WIDTH 1e-6

/* Corners found so far in the cells of a grid, by hash. */
typedef struct welder {
    double near, cell; /* m: corners nearer than `near` are one; edge of the cells */
    const double *low;
    size_t mask;
    int *head, *next; /* of the corners in a bucket; -1 ends */
    plu_mesh *mesh;
} welder;

static size_t bucket_of(const welder *w, const int64_t cell[3])
{
    return (size_t)plu_hash(PLU_HASH_START, cell, 3 * sizeof *cell) & w->mask;
}

static int64_t cell_along(const welder *w, double x, int k)
{
    return (int64_t)floor((x - w->low[k]) / w->cell);
}

/* A corner nearer than `near`, -1: there is none. */
static int find_corner(const welder *w, const double x[3])
{
    int64_t low[3], high[3], cell[3];
    for (int k = 0; k < 3; k++) {
        low[k] = cell_along(w, x[k] - w->near, k);
        high[k] = cell_along(w, x[k] + w->near, k);
    }
    for (cell[0] = low[0]; cell[0] <= high[0]; cell[0]++)
        for (cell[1] = low[1]; cell[1] <= high[1]; cell[1]++)
            for (cell[2] = low[2]; cell[2] <= high[2]; cell[2]++)
                for (int c = w->head[bucket_of(w, cell)]; c >= 0; c = w->next[c]) {
                    double apart[3];
                    plu_sub(w->mesh->corner[c], x, apart);
                    if (plu_dot(apart, apart) <= w->near * w->near)
                        return c;
                }
    return -1;
}

static int corner_of(welder *w, const double x[3])
{
    const int found = find_corner(w, x);
    if (found >= 0)
        return found;
    const int64_t cell[3] = {cell_along(w, x[0], 0), cell_along(w, x[1], 1),
                             cell_along(w, x[2], 2)};
    const int corner = w->mesh->report.corners++;
    memcpy(w->mesh->corner[corner], x, sizeof *w->mesh->corner);
    int *head = &w->head[bucket_of(w, cell)];
    w->next[corner] = *head;
    *head = corner;
    return corner;
}

/* A triangle by its corners in rising order. */
typedef struct sorted {
    int corner[3], triangle;
} sorted;

static int by_corners(const void *x, const void *y)
{
    const sorted *a = x, *b = y;
    for (int k = 0; k < 3; k++)
        if (a->corner[k] != b->corner[k])
            return a->corner[k] < b->corner[k] ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void swap_if_falling(int *a, int *b)
{
    const int small = *a < *b ? *a : *b, large = *a < *b ? *b : *a;
    *a = small;
    *b = large;
}

/* Marks triangles that are there already: their first corner becomes -1. */
static plu_status mark_twins(plu_mesh *mesh, plu_error *err)
{
    const int count = mesh->report.triangles;
    sorted *all = plu_alloc((size_t)count, sizeof *all, err);
    if (!all)
        return PLU_IO;
    for (int t = 0; t < count; t++) {
        memcpy(all[t].corner, mesh->triangle[t], sizeof all[t].corner);
        all[t].triangle = t;
        swap_if_falling(&all[t].corner[0], &all[t].corner[1]);
        swap_if_falling(&all[t].corner[1], &all[t].corner[2]);
        swap_if_falling(&all[t].corner[0], &all[t].corner[1]);
    }
    qsort(all, (size_t)count, sizeof *all, by_corners);
    for (int t = 1; t < count; t++)
        if (memcmp(all[t].corner, all[t - 1].corner, sizeof all[t].corner) == 0)
            mesh->triangle[all[t].triangle][0] = -1;
    free(all);
    return PLU_OK;
}

static bool has_area(const plu_mesh *mesh, int triangle, double diagonal)
{
    const int *c = mesh->triangle[triangle];
    double area[3], longest = 0.0;
    for (int k = 0; k < 3; k++) {
        double edge[3];
        plu_sub(mesh->corner[c[(k + 1) % 3]], mesh->corner[c[k]], edge);
        longest = plu_max(longest, plu_dot(edge, edge));
    }
    plu_mesh_area(mesh, triangle, area);
    return plu_norm(area) > 2.0 * NO_AREA * diagonal * diagonal &&
           plu_norm(area) > NO_WIDTH * longest;
}

/* Keeps the triangles that have an area and are there once. */
static plu_status drop_bad(plu_mesh *mesh, double diagonal, plu_error *err)
{
    plu_status s = mark_twins(mesh, err);
    int kept = 0;
    for (int t = 0; s == PLU_OK && t < mesh->report.triangles; t++)
        if (mesh->triangle[t][0] >= 0 && has_area(mesh, t, diagonal))
            memmove(mesh->triangle[kept++], mesh->triangle[t], sizeof *mesh->triangle);
    mesh->report.dropped = mesh->report.triangles - kept;
    mesh->report.triangles = kept;
    if (s == PLU_OK && kept == 0)
        s = plu_fail(err, PLU_BAD_INPUT, "none of its triangles has an area");
    return s;
}

static plu_status weld(plu_mesh *mesh, long corners, const double (*corner)[3],
                       const int (*triangle)[3], double diagonal, plu_error *err)
{
    size_t buckets = 64;
    /* Twice as many buckets as corners: lists of one or two corners. */
    while (buckets < 2 * (size_t)corners)
        buckets *= 2;
    const double near = PLU_WELD * diagonal;
    welder w = {near, 4.0 * near, mesh->report.low, buckets - 1, NULL, NULL, mesh};
    w.head = plu_alloc(buckets, sizeof *w.head, err);
    w.next = plu_alloc((size_t)corners, sizeof *w.next, err);
    int *now = plu_alloc((size_t)corners, sizeof *now, err);
    const bool ok = w.head && w.next && now;
    if (ok) {
        memset(w.head, 0xff, buckets * sizeof *w.head);
        memset(now, 0xff, (size_t)corners * sizeof *now);
        for (int t = 0; t < mesh->report.triangles; t++)
            for (int k = 0; k < 3; k++) {
                int *c = &now[triangle[t][k]];
                *c = *c >= 0 ? *c : corner_of(&w, corner[triangle[t][k]]);
                mesh->triangle[t][k] = *c;
            }
    }
    free(w.head);
    free(w.next);
    free(now);
    return ok ? PLU_OK : PLU_IO;
}

/* The box around all corners of triangles; false: a number is out of range. */
static bool find_box(plu_mesh_report *r, long corners, const double (*corner)[3], long triangles,
                     const int (*triangle)[3])
{
    for (int k = 0; k < 3; k++) {
        r->low[k] = HUGE_VAL;
        r->high[k] = -HUGE_VAL;
    }
    for (long t = 0; t < triangles; t++)
        for (int c = 0; c < 3; c++) {
            if (triangle[t][c] < 0 || triangle[t][c] >= corners)
                return false;
            for (int k = 0; k < 3; k++) {
                const double x = corner[triangle[t][c]][k];
                if (!(fabs(x) < 1e100))
                    return false;
                r->low[k] = plu_min(r->low[k], x);
                r->high[k] = plu_max(r->high[k], x);
            }
        }
    return true;
}

static plu_status mesh_fill(plu_mesh *mesh, long corners, const double (*corner)[3], long triangles,
                            const int (*triangle)[3], plu_error *err)
{
    plu_mesh_report *r = &mesh->report;
    double across[3];
    if (triangles < 1 || triangles > INT_MAX / 4 || corners > INT_MAX)
        return plu_fail(err, PLU_BAD_INPUT, "it has %ld triangles, which is not possible",
                        triangles);
    if (!find_box(r, corners, corner, triangles, triangle))
        return plu_fail(err, PLU_BAD_INPUT, "a triangle has a corner that does not exist");
    plu_sub(r->high, r->low, across);
    const double diagonal = plu_norm(across);
    r->given = triangles;
    r->triangles = (int)triangles;
    mesh->corner = plu_alloc((size_t)corners, sizeof *mesh->corner, err);
    mesh->triangle = plu_alloc((size_t)triangles, sizeof *mesh->triangle, err);
    if (!mesh->corner || !mesh->triangle)
        return PLU_IO;
    if (!(diagonal > 0.0))
        return plu_fail(err, PLU_BAD_INPUT, "none of its triangles has an area");
    plu_status s = weld(mesh, corners, corner, triangle, diagonal, err);
    if (s == PLU_OK)
        s = drop_bad(mesh, diagonal, err);
    if (s != PLU_OK)
        return s;
    r->hash = plu_hash(PLU_HASH_START, mesh->corner, (size_t)r->corners * sizeof *mesh->corner);
    r->hash = plu_hash(r->hash, mesh->triangle, (size_t)r->triangles * sizeof *mesh->triangle);
    return plu_mesh_inspect(mesh, err);
}

plu_status plu_mesh_make(plu_mesh **mesh, long corners, const double (*corner)[3], long triangles,
                         const int (*triangle)[3], plu_error *err)
{
    plu_mesh *made = *mesh = plu_alloc(1, sizeof *made, err);
    if (!made)
        return PLU_IO;
    const plu_status s = mesh_fill(made, corners, corner, triangles, triangle, err);
    if (s != PLU_OK) {
        plu_mesh_free(made);
        *mesh = NULL;
    }
    return s;
}

void plu_mesh_free(plu_mesh *mesh)
{
    if (!mesh)
        return;
    free(mesh->corner);
    free(mesh->triangle);
    free(mesh);
}

const plu_mesh_report *plu_mesh_reported(const plu_mesh *mesh)
{
    return &mesh->report;
}

const double (*plu_mesh_corners(const plu_mesh *mesh))[3]
{
    return (const double(*)[3])mesh->corner;
}

const int (*plu_mesh_triangles(const plu_mesh *mesh))[3]
{
    return (const int(*)[3])mesh->triangle;
}
