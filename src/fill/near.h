/* near.h: finds the spheres that overlap a given one.
 *
 * Cells of a hashed grid, one grid for each factor of two in size, so that large and small spheres
 * go together; for making worlds and releasing bodies (detection has its own). */
#ifndef FILL_NEAR_H
#define FILL_NEAR_H

#include "base/space.h"
#include "pluvia/status.h"
#include "world/world.h"
#include <stdbool.h>
#include <stdint.h>

enum { PLU_NEAR_LEVELS = 32 };

typedef struct plu_near {
    const double (*spheres)[4]; /* x, y, z, radius; not owned, must not move once added */
    int coarsest;               /* exponent of the largest radius: level 0 */
    struct {
        int count, head;
        double largest; /* radius (m) */
    } level[PLU_NEAR_LEVELS];
    uint64_t mask;
    int *bucket;   /* [mask + 1] first sphere, -1: none */
    int *next;     /* in the bucket */
    int *sibling;  /* in the level */
    uint64_t *key; /* of the sphere's cell */
    plu_space space;
} plu_near;

/* Room for the `count` spheres, none of them added yet; `largest` is at least their largest radius.
 * PLU_OK or PLU_IO. */
plu_status plu_near_create(plu_near *near, const plu_space *space, const double (*spheres)[4],
                           int count, double largest, plu_error *err);
void plu_near_free(plu_near *near); /* accepts a zeroed one */

void plu_near_add(plu_near *near, int sphere);

/* 0 for the largest spheres, one more for each factor of two below them. */
int plu_near_level(const plu_near *near, double radius);

/* Calls `visit` for the added spheres of levels 0 to `finest` whose center is closer to that of
 * `sphere` than the sum of the radii, until it returns false. The order depends on the spheres
 * alone. */
void plu_near_visit(const plu_near *near, const double sphere[4], int finest,
                    bool (*visit)(void *user, int found), void *user);

/* Some added sphere that overlaps `sphere`; -1: none does. */
int plu_near_overlapping(const plu_near *near, const double sphere[4]);

/* Bodies that calls put to places while a run lasts (pluvia/edit.h), and what they may overlap. */

/* The overlap (m) that is none: contacts at rest have it. */
double plu_overlap_allowed(const struct plu_scene *scene, double smaller_radius);

/* The first boundary behind boundary `last` that the sphere overlaps, and how deep at most (m); -1:
 * there is none. */
int plu_overlap_wall(const plu_world *world, const double sphere[4], int last, double *depth);

/* Puts the centers of these bodies to these places and makes them active, all or none of them.
 * PLU_OK, PLU_USAGE (one overlaps another body or a boundary, unless the scene allows it, or is
 * outside of the domain; nothing has changed then) or PLU_IO. */
plu_status plu_world_place(plu_world *world, int count, const int *body,
                           const double (*position)[3], plu_error *err);

#endif
