/* Spheres that overlap each other or a boundary at the start, and where the scene says so. Each
 * pair is found once (near.c, by levels of sizes, equals by number); the first ten are shown, the
 * rest counted.
 *
 * Allowed are 2 PLU_SLOP_MARGIN slop r, what the position projection leaves alone, and what a run
 * had from which both bodies come: that is how it was left.
 *
 *     (a)(b)     depth = r_a + r_b - |x_b - x_a|  >  allowed(min(r_a, r_b))   an error, which names
 *     |(c)       depth = -gap of a part                                       both places
 *
 * A sphere that begins within a wall would be thrown out of it with more energy than it should
 * have. */
#include "base/vec3.h"
#include "fill/build.h"
#include "fill/near.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include <stdio.h>

enum { OVERLAPS_SHOWN = 10, OVERLAPS_COUNTED = 1000000 };

/* Overlaps below this share of the smaller radius are rounding of the input. */
#define ROUNDING 1e-9

double plu_overlap_allowed(const plu_scene *scene, double smaller_radius)
{
    return fmax(ROUNDING, 2.0 * PLU_SLOP_MARGIN * scene->slop) * smaller_radius;
}

struct search {
    const plu_build *build;
    plu_near near;
    int sphere; /* whose overlaps are looked for */
    long total;
};

static int entry_of(const plu_build *build, int body)
{
    int entry = 0;
    while (body >= build->first[entry + 1])
        entry++;
    return entry;
}

/* "scene.cfg:17", or for a sphere from a file "start.csv:12". */
static const char *origin(const plu_build *build, int body, char *buffer, size_t size)
{
    const int entry = entry_of(build, body);
    if (entry >= build->scene->bodies_count || build->scene->bodies[entry].kind != PLU_FILE)
        return plu_scene_where(build->scene, plu_build_entry_where(build, entry), buffer, size);
    const plu_csv_row *row = &build->tables[entry].rows[body - build->first[entry]];
    snprintf(buffer, size, "%s:%d", build->scene->bodies[entry].path, row->line);
    return buffer;
}

/* The run that a body comes from; NULL: from none. */
static const plu_start_entry *run_of(const plu_build *build, int body)
{
    const int entry = entry_of(build, body);
    const bool run = build->start && entry < build->start->entries;
    return run && build->start->entry[entry].read ? &build->start->entry[entry] : NULL;
}

/* Whether two spheres overlapped in the run that both come from: such overlaps are what it left. */
static bool left_so(const plu_build *build, int a, int b)
{
    const plu_start_entry *run = run_of(build, a);
    return run && run == run_of(build, b) && run->same_space;
}

static bool report_pair(void *user, int other)
{
    struct search *search = user;
    const plu_build *build = search->build;
    PLU_SPHERES_ARE_BODIES; /* spheres of one body may overlap */
    const double *a = build->world->spheres.at[search->sphere],
                 *b = build->world->spheres.at[other];
    /* two spheres of one level find each other */
    if (other >= search->sphere &&
        plu_near_level(&search->near, a[3]) == plu_near_level(&search->near, b[3]))
        return true;
    const double smaller = fmin(a[3], b[3]);
    double from[3];
    plu_apart(&build->world->space, a, b, from);
    const double depth = a[3] + b[3] - plu_norm(from);
    if (!(depth > plu_overlap_allowed(build->scene, smaller)) ||
        left_so(build, search->sphere, other) ||
        plu_both_fixed(build->world, search->sphere, other))
        return true;
    if (search->total++ < OVERLAPS_SHOWN) {
        char mine[PLU_PATH + 32], theirs[PLU_PATH + 32];
        plu_error_add(build->err, PLU_BAD_INPUT,
                      "%s: sphere %d overlaps sphere %d (%s) by %.3g m, %.3g %% of the smaller "
                      "diameter",
                      origin(build, search->sphere, mine, sizeof mine), search->sphere, other,
                      origin(build, other, theirs, sizeof theirs), depth, 50.0 * depth / smaller);
    }
    return search->total < OVERLAPS_COUNTED;
}

int plu_overlap_wall(const plu_world *world, const double sphere[4], int last, double *depth)
{
    const double least = plu_overlap_allowed(world->scene, sphere[3]);
    plu_part_search search = plu_parts_near(sphere, sphere[3]);
    int first = -1;
    for (int p; (p = plu_part_next(&world->tree, &search)) >= 0;) {
        double normal[3];
        const int boundary = world->parts[p].boundary;
        const double deep = -plu_part_gap(&world->parts[p], sphere, normal);
        if (boundary <= last || (first >= 0 && boundary > first) || !(deep > least))
            continue;
        *depth = boundary == first ? fmax(*depth, deep) : deep;
        first = boundary;
    }
    return first;
}

static void report_walls(struct search *search)
{
    const plu_build *build = search->build;
    const plu_world *world = build->world;
    const double *sphere = world->spheres.at[search->sphere];
    double depth = 0.0;
    const plu_start_entry *run = run_of(build, search->sphere);
    for (int b = -1; (b = plu_overlap_wall(world, sphere, b, &depth)) >= 0;) {
        if (run && run->met[b])
            continue;
        if (search->total++ >= OVERLAPS_SHOWN)
            continue;
        const plu_boundary_spec *wall = &build->scene->boundaries[b];
        char mine[PLU_PATH + 32], theirs[PLU_PATH + 32];
        plu_error_add(build->err, PLU_BAD_INPUT,
                      "%s: sphere %d overlaps boundary \"%s\" (%s) by %.3g m, %.3g %% of its "
                      "diameter",
                      origin(build, search->sphere, mine, sizeof mine), search->sphere, wall->name,
                      plu_scene_where(build->scene, wall->where, theirs, sizeof theirs), depth,
                      50.0 * depth / sphere[3]);
    }
}

plu_status plu_build_check_overlaps(plu_build *build)
{
    const plu_world *world = build->world;
    struct search search = {.build = build};
    double largest = 0.0;
    for (int b = 0; b < world->spheres.count; b++)
        largest = fmax(largest, world->spheres.at[b][3]);
    if (plu_near_create(&search.near, &world->space, (const double(*)[4])world->spheres.at,
                        world->spheres.count, largest, build->err) != PLU_OK)
        return PLU_IO;
    for (int b = 0; b < world->spheres.count; b++)
        if (world->bodies.state[plu_owner(&world->spheres, b)] == PLU_ACTIVE)
            plu_near_add(&search.near, b);
    for (int b = 0; b < world->spheres.count && search.total < OVERLAPS_COUNTED; b++) {
        if (world->bodies.state[plu_owner(&world->spheres, b)] != PLU_ACTIVE)
            continue;
        search.sphere = b;
        /* each pair is found from its smaller sphere */
        plu_near_visit(&search.near, world->spheres.at[b],
                       plu_near_level(&search.near, world->spheres.at[b][3]), report_pair, &search);
        if (!plu_sphere_fixed(world, b))
            report_walls(&search);
    }
    plu_near_free(&search.near);
    if (search.total == 0)
        return PLU_OK;
    return plu_error_add(build->err, PLU_BAD_INPUT,
                         "%s: %s%ld overlap%s of initial spheres in total; move or shrink them, or "
                         "accept overlaps by allow_overlap = true",
                         build->scene->path, search.total >= OVERLAPS_COUNTED ? "at least " : "",
                         search.total, search.total == 1 ? "" : "s");
}
