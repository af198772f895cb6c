/* scenes.h: scenes made by hand, for tests that need no scene file. */
#ifndef SUPPORT_SCENES_H
#define SUPPORT_SCENES_H

#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include "pluvia/writing.h"
#include <string.h>

enum { SMALL_GRAIN, SMALL_PLATE };

/* A scene with room for a few entries of each kind; it owns nothing and must not move once made. */
typedef struct small_scene {
    plu_scene scene;
    plu_cell_spec cell;
    plu_solver_spec solver;
    plu_limit_spec limits;
    plu_output_spec output;
    plu_material materials[4];
    plu_contact_law laws[8];
    plu_boundary_spec boundaries[8];
    plu_body_spec bodies[16];
    plu_feeder_spec feeders[4];
    char files[1][PLU_PATH];
} small_scene;

static inline void small_scene_law(small_scene *small, int a, int b, double friction,
                                   double rolling_friction, double restitution)
{
    plu_contact_law *law = &small->laws[small->scene.laws_count++];
    *law = (plu_contact_law){.material = {a, b},
                             .friction = friction,
                             .rolling_friction = rolling_friction,
                             .restitution = restitution,
                             .where = {0, small->scene.laws_count}};
    strcpy(law->between[0], small->materials[a].name);
    strcpy(law->between[1], small->materials[b].name);
}

/* Materials "grain" (2500 kg/m^3) and "plate", the laws that they need, gravity downward; no
 * boundaries and no bodies yet. Entries get the line numbers 1, 2, ... of "scene.cfg" by kind. */
static inline void small_scene_init(small_scene *small)
{
    memset(small, 0, sizeof *small);
    plu_scene *scene = &small->scene;
    scene->cell = &small->cell;
    scene->solver = &small->solver;
    scene->limits = &small->limits;
    scene->output = &small->output;
    scene->seed = 1;
    scene->step = 1e-3;
    scene->end = 1.0;
    scene->theta = 1.0;
    scene->forecast = 0.5;
    scene->gravity[2] = -9.81;
    scene->slop = 1e-3;
    strcpy(scene->solver->name, "gs");
    strcpy(scene->solver->local, "exact");
    scene->solver->tolerance = 1e-2;
    scene->solver->min_iterations = 5;
    scene->solver->max_iterations = 1000;
    scene->solver->momentum = true;
    scene->solver->anderson_after = 100;
    scene->solver->islands = true;
    scene->output->interval = 0.01;
    scene->materials = small->materials;
    scene->laws = small->laws;
    scene->boundaries = small->boundaries;
    scene->bodies = small->bodies;
    scene->feeders = small->feeders;
    strcpy(scene->path, "scene.cfg");
    strcpy(small->files[0], "scene.cfg");
    scene->files = small->files;
    scene->files_count = 1;
    scene->materials_count = 2;
    strcpy(small->materials[SMALL_GRAIN].name, "grain");
    small->materials[SMALL_GRAIN].density = 2500.0;
    strcpy(small->materials[SMALL_PLATE].name, "plate");
    small_scene_law(small, SMALL_GRAIN, SMALL_GRAIN, 0.3, 1e-2, 0.0);
    small_scene_law(small, SMALL_GRAIN, SMALL_PLATE, 0.3, 1e-2, 0.0);
}

/* A boundary of material "plate" with normal z through the origin; the caller fills in the rest. */
static inline plu_boundary_spec *small_scene_boundary(small_scene *small, plu_boundary_kind kind)
{
    plu_boundary_spec *boundary = &small->boundaries[small->scene.boundaries_count++];
    *boundary = (plu_boundary_spec){.kind = kind,
                                    .material = SMALL_PLATE,
                                    .normal = {0.0, 0.0, 1.0},
                                    .axis = {0.0, 0.0, 1.0},
                                    .where = {0, small->scene.boundaries_count}};
    snprintf(boundary->name, sizeof boundary->name, "wall-%d", small->scene.boundaries_count);
    return boundary;
}

/* A square horizontal plate at the origin. */
static inline plu_boundary_spec *small_scene_plate(small_scene *small, double side)
{
    plu_boundary_spec *plate = small_scene_boundary(small, PLU_PLATE);
    plate->size[0] = plate->size[1] = side;
    return plate;
}

/* An entry of `bodies` of material "grain" and one radius; the caller fills in the rest. */
static inline plu_body_spec *small_scene_bodies(small_scene *small, plu_body_kind kind,
                                                double radius)
{
    plu_body_spec *bodies = &small->bodies[small->scene.bodies_count++];
    *bodies = (plu_body_spec){.kind = kind,
                              .material = SMALL_GRAIN,
                              .radius = {radius, radius},
                              .where = {0, small->scene.bodies_count}};
    return bodies;
}

static inline plu_body_spec *small_scene_sphere(small_scene *small, double x, double y, double z,
                                                double radius)
{
    plu_body_spec *sphere = small_scene_bodies(small, PLU_SPHERE, radius);
    sphere->position[0] = x;
    sphere->position[1] = y;
    sphere->position[2] = z;
    return sphere;
}

static inline plu_feeder_spec *small_scene_feeder(small_scene *small, int count, double interval,
                                                  double radius)
{
    plu_feeder_spec *feeder = &small->feeders[small->scene.feeders_count++];
    *feeder = (plu_feeder_spec){.material = SMALL_GRAIN,
                                .radius = {radius, radius},
                                .count = count,
                                .interval = interval,
                                .where = {0, small->scene.feeders_count}};
    return feeder;
}

#endif
