/* What is odd about a mesh. Each edge of a closed surface joins two triangles, which run through it
 * in opposite directions:
 *
 *     .-->--.         sorted by its two corners an edge stands
 *     | \<  |           once            open: a rim, or a hole
 *     |  >\ |           twice, alike    flipped: one of the two faces the other way
 *     '--<--'           more often      crowded
 *
 * Open edges on which a corner of another triangle lies are joints (T): surfaces that touch without
 * sharing corners. */
#include "base/memory.h"
#include "base/vec3.h"
#include "shape/mesh_read.h"
#include <stdbool.h>
#include <stdlib.h>

/* An edge of a triangle, from its smaller corner to its larger. */
typedef struct edge {
    int from, to;
    bool backward; /* the triangle runs through it from its larger corner */
} edge;

static int by_ends(const void *x, const void *y)
{
    const edge *a = x, *b = y;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->backward - b->backward;
}

static void list_edges(const plu_mesh *mesh, edge *edges)
{
    for (int t = 0; t < mesh->report.triangles; t++)
        for (int k = 0; k < 3; k++) {
            const int a = mesh->triangle[t][k], b = mesh->triangle[t][(k + 1) % 3];
            edges[3 * (size_t)t + (size_t)k] = a < b ? (edge){a, b, false} : (edge){b, a, true};
        }
}

static void measure_edge(plu_mesh *mesh, const edge *e)
{
    double along[3];
    plu_sub(mesh->corner[e->to], mesh->corner[e->from], along);
    const double length = plu_norm(along);
    mesh->report.shortest = plu_min(mesh->report.shortest, length);
    mesh->report.longest = plu_max(mesh->report.longest, length);
}

/* Counts the kinds of edges; the open ones are moved to the front. */
static void count_edges(plu_mesh *mesh, edge *edges, size_t count)
{
    plu_mesh_report *r = &mesh->report;
    for (size_t begin = 0, end; begin < count; begin = end) {
        const edge *first = &edges[begin];
        int backward = first->backward;
        for (end = begin + 1;
             end < count && edges[end].from == first->from && edges[end].to == first->to; end++)
            backward += edges[end].backward;
        measure_edge(mesh, first);
        r->crowded += end - begin > 2;
        r->flipped += end - begin == 2 && backward != 1;
        if (end - begin == 1)
            edges[r->open++] = *first;
    }
}

/* A corner at the end of an open edge. */
typedef struct rim {
    double x;
    int corner;
} rim;

static int by_x(const void *x, const void *y)
{
    const rim *a = x, *b = y;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

/* Whether the corner lies on the edge and between its ends. */
static bool lies_between(const plu_mesh *mesh, const edge *e, int corner, double near)
{
    double along[3], from[3];
    plu_sub(mesh->corner[e->to], mesh->corner[e->from], along);
    plu_sub(mesh->corner[corner], mesh->corner[e->from], from);
    const double length = plu_norm(along), at = plu_dot(from, along) / length;
    return at > near && at < length - near &&
           plu_dot(from, from) - at * at <= near * near + 1e-12 * length * length;
}

static bool is_joint(const plu_mesh *mesh, const edge *e, const rim *rims, size_t count,
                     double near)
{
    const double a = mesh->corner[e->from][0], b = mesh->corner[e->to][0];
    const double low = plu_min(a, b) - near, high = plu_max(a, b) + near;
    size_t first = 0, last = count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (rims[middle].x < low)
            first = middle + 1;
        else
            last = middle;
    }
    for (; first < count && rims[first].x <= high; first++)
        if (lies_between(mesh, e, rims[first].corner, near))
            return true;
    return false;
}

static plu_status count_joints(plu_mesh *mesh, const edge *open, plu_error *err)
{
    plu_mesh_report *r = &mesh->report;
    const size_t count = 2 * (size_t)r->open;
    rim *rims = plu_alloc(count, sizeof *rims, err);
    if (!rims)
        return PLU_IO;
    for (size_t k = 0; k < count; k++) {
        rims[k].corner = k % 2 ? open[k / 2].to : open[k / 2].from;
        rims[k].x = mesh->corner[rims[k].corner][0];
    }
    qsort(rims, count, sizeof *rims, by_x);
    double across[3];
    plu_sub(r->high, r->low, across);
    for (long k = 0; k < r->open; k++)
        r->joints += is_joint(mesh, &open[k], rims, count, PLU_WELD * plu_norm(across));
    free(rims);
    return PLU_OK;
}

static void measure_mesh(plu_mesh *mesh)
{
    plu_mesh_report *r = &mesh->report;
    for (int t = 0; t < r->triangles; t++) {
        double area[3], from[3];
        plu_mesh_area(mesh, t, area);
        plu_sub(mesh->corner[mesh->triangle[t][0]], r->low, from);
        r->area += 0.5 * plu_norm(area);
        r->volume += plu_dot(from, area) / 6.0;
    }
}

plu_status plu_mesh_inspect(plu_mesh *mesh, plu_error *err)
{
    const size_t count = 3 * (size_t)mesh->report.triangles;
    edge *edges = plu_alloc(count, sizeof *edges, err);
    if (!edges)
        return PLU_IO;
    mesh->report.shortest = HUGE_VAL;
    list_edges(mesh, edges);
    qsort(edges, count, sizeof *edges, by_ends);
    count_edges(mesh, edges, count);
    const plu_status s = count_joints(mesh, edges, err);
    free(edges);
    measure_mesh(mesh);
    return s;
}
