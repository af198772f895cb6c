/* Bodies that a call puts to places, all or none of them: first the domain is looked at, then they
 * are put there one by one, each checked against boundaries, all other bodies and those of the
 * call before it, and if one may not stay, all go back. The places where bodies of the call were
 * are no obstacles.
 *
 *   check_domain (all) -> keep_places -> place_all --+-- all right --> make_active
 *                                                    '-- overlap ----> put_back, PLU_USAGE
 *
 * `among` marks the bodies of the call: they enter the list of neighbors (near) only at their new
 * places. After a success `generation` rises, so that lists of neighbors are made anew. */
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/near.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "world/body_edit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first overlap of a body at its new place that counts. */
typedef struct overlap_search {
    const plu_world *world;
    int body;
    int found; /* -1: none */
    double depth;
} overlap_search;

static bool meet(void *user, int other)
{
    PLU_SPHERES_ARE_BODIES;
    overlap_search *search = user;
    const plu_world *w = search->world;
    const double *a = w->spheres.at[search->body], *b = w->spheres.at[other];
    double from[3];
    plu_apart(&w->space, a, b, from);
    const double depth = a[3] + b[3] - plu_norm(from);
    const double least = plu_overlap_allowed(w->scene, plu_min(a[3], b[3]));
    if (!(depth > least) || plu_both_fixed(w, search->body, other))
        return true;
    search->found = other;
    search->depth = depth;
    return false;
}

static plu_status complain(const plu_world *w, int body, const char *what, double depth,
                           plu_error *err)
{
    const double *x = w->bodies.position[body];
    return plu_fail(err, PLU_USAGE,
                    "body %d at (%.6g, %.6g, %.6g) m would overlap %s by %.3g m: choose a free "
                    "place, or set allow_overlap = true in the scene",
                    body, x[0], x[1], x[2], what, depth);
}

static plu_status check_place(const plu_world *w, const plu_near *near, int body, plu_error *err)
{
    char what[PLU_NAME + 32];
    double depth = 0.0;
    overlap_search search = {.world = w, .body = body, .found = -1};
    plu_near_visit(near, w->spheres.at[body], PLU_NEAR_LEVELS - 1, meet, &search);
    if (search.found >= 0) {
        snprintf(what, sizeof what, "body %d", search.found);
        return complain(w, body, what, search.depth, err);
    }
    const int wall =
        plu_is_fixed(w, body) ? -1 : plu_overlap_wall(w, w->spheres.at[body], -1, &depth);
    if (wall < 0)
        return PLU_OK;
    snprintf(what, sizeof what, "boundary \"%s\"", w->scene->boundaries[wall].name);
    return complain(w, body, what, depth, err);
}

/* A cell wraps what is outside of it, and counts how often. */
static void put(plu_world *w, int body, const double position[3])
{
    PLU_SPHERES_ARE_BODIES; /* its sphere goes along */
    int s[3] = {0, 0, 0};
    memcpy(w->bodies.position[body], position, 3 * sizeof *position);
    if (w->space.kind == PLU_PERIODIC_SPACE)
        plu_space_wrap(&w->space, w->bodies.position[body], s);
    for (int k = 0; k < 3 && w->image; k++)
        w->image[body][k] = s[k];
}

static plu_status place_all(plu_world *w, plu_near *near, int count, const int *body,
                            const double (*position)[3], const bool *among, plu_error *err)
{
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.state[i] == PLU_ACTIVE && !among[i])
            plu_near_add(near, i);
    plu_status status = PLU_OK;
    for (int k = 0; k < count && status == PLU_OK; k++) {
        put(w, body[k], position[k]);
        if (!w->scene->allow_overlap)
            status = check_place(w, near, body[k], err);
        plu_near_add(near, body[k]);
    }
    return status;
}

/* Counts follow from the state that the body had. */
static void make_active(plu_world *w, int body)
{
    unsigned char *state = &w->bodies.state[body];
    w->reserved -= plu_is_reserved(w, body);
    w->waiting -= *state == PLU_WAITING;
    w->removed -= *state == PLU_REMOVED;
    w->active += *state != PLU_ACTIVE;
    *state = PLU_ACTIVE;
}

static plu_status check_domain(const plu_world *w, int body, const double x[3], plu_error *err)
{
    return plu_world_removes(w, body, x)
               ? plu_fail(err, PLU_USAGE,
                          "body %d at (%.6g, %.6g, %.6g) m would be outside of the domain, which "
                          "removes it (domain.box)",
                          body, x[0], x[1], x[2])
               : PLU_OK;
}

/* Where bodies were, to be put back. */
typedef struct places {
    bool *among; /* [bodies]: whether a body is one of them */
    double (*at)[4];
    int (*image)[3];
} places;

static plu_status keep_places(const plu_world *w, int count, const int *body, places *kept,
                              plu_error *err)
{
    kept->among = plu_alloc((size_t)w->bodies.count, sizeof *kept->among, err);
    kept->at = plu_alloc((size_t)count, sizeof *kept->at, err);
    kept->image = plu_alloc((size_t)count, sizeof *kept->image, err);
    if (!kept->among || !kept->at || !kept->image)
        return PLU_IO;
    for (int k = 0; k < count; k++) {
        kept->among[body[k]] = true;
        memcpy(kept->at[k], w->bodies.position[body[k]], sizeof *kept->at);
        if (w->image)
            memcpy(kept->image[k], w->image[body[k]], sizeof *kept->image);
    }
    return PLU_OK;
}

static void put_back(plu_world *w, int count, const int *body, const places *kept)
{
    for (int k = 0; k < count; k++) {
        memcpy(w->bodies.position[body[k]], kept->at[k], sizeof *kept->at);
        if (w->image)
            memcpy(w->image[body[k]], kept->image[k], sizeof *kept->image);
    }
}

static plu_status make_near(const plu_world *w, plu_near *near, plu_error *err)
{
    double largest = 0.0;
    for (int i = 0; i < w->spheres.count; i++)
        largest = plu_max(largest, w->spheres.at[i][3]);
    return plu_near_create(near, &w->space, (const double(*)[4])w->spheres.at, w->spheres.count,
                           largest, err);
}

plu_status plu_world_place(plu_world *w, int count, const int *body, const double (*position)[3],
                           plu_error *err)
{
    plu_near near = {0};
    places kept = {0};
    plu_status status = PLU_OK;
    for (int k = 0; k < count && status == PLU_OK; k++)
        status = check_domain(w, body[k], position[k], err);
    if (status == PLU_OK)
        status = make_near(w, &near, err);
    if (status == PLU_OK)
        status = keep_places(w, count, body, &kept, err);
    if (status == PLU_OK) {
        status = place_all(w, &near, count, body, position, kept.among, err);
        if (status != PLU_OK)
            put_back(w, count, body, &kept);
    }
    for (int k = 0; k < count && status == PLU_OK; k++)
        make_active(w, body[k]);
    w->generation += status == PLU_OK;
    plu_near_free(&near);
    free(kept.among);
    free(kept.at);
    free(kept.image);
    return status;
}
