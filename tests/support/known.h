/* known.h: a world and a stepper whose numbers are known, made up in place of the real ones, and
 * what the tests of trajectories share. Included once by a test program, which then must not link
 * the world nor the stepper. */
#ifndef SUPPORT_KNOWN_H
#define SUPPORT_KNOWN_H

#include "base/vec3.h"
#include "near.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "pluvia/trajectory.h"
#include "pluvia/writing.h"
#include "world/enclosure.h"
#include "world/servo.h"
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BODIES = 5000, PARTS = 2 }; /* more bodies than a chunk holds */

struct plu_stepper {
    plu_totals totals;
    int contacts;
};

static double position[BODIES][4], velocity[BODIES][8], orientation[BODIES][4];
static int species[BODIES];
static unsigned char state[BODIES];
static plu_part parts[PARTS];
static plu_world world;
static plu_stepper stepper;
static plu_scene scene;
static plu_step_info info;
static plu_error err;
static const plu_provenance provenance = {.command = "pluvia run made-up.cfg", .threads = 3};

double plu_world_time(const plu_world *w)
{
    return w->time;
}
long plu_world_steps(const plu_world *w)
{
    return w->steps;
}
int plu_world_fixed(const plu_world *w)
{
    (void)w;
    return 0;
}

bool plu_world_is_fixed(const plu_world *w, int body)
{
    (void)w;
    (void)body;
    return false;
}

int plu_world_active(const plu_world *w)
{
    return w->active;
}
plu_bodies_view plu_world_bodies(const plu_world *w)
{
    return (plu_bodies_view){w->bodies.count,
                             (const double(*)[4])w->bodies.position,
                             (const double(*)[8])w->bodies.row,
                             (const double(*)[4])w->bodies.orientation,
                             w->spheres.species,
                             w->bodies.state};
}
plu_energy plu_world_energy(const plu_world *w)
{
    return (plu_energy){1.0 + w->time, 2.0, -3.0};
}
const plu_totals *plu_stepper_totals(const plu_stepper *s)
{
    return &s->totals;
}
double plu_stepper_imbalance_at(const plu_stepper *s, plu_energy energy)
{
    (void)s;
    (void)energy;
    return 1e-15;
}
int plu_stepper_contacts(const plu_stepper *s)
{
    return s->contacts;
}
/* Body 2 i + 1 touches body 2 i, every fourth one the wall part i % 2. */
void plu_stepper_contact(const plu_stepper *s, int i, plu_contact_row *row)
{
    assert_in_range(i, 0, s->contacts - 1);
    const double n[3] = {0.6, 0.0, 0.8};
    double t1[3], t2[3];
    plu_frame(n, t1, t2);
    *row = (plu_contact_row){.a = i % 4 ? plu_side_of_sphere(2 * i) : plu_side_of_part(i % PARTS),
                             .b = 2 * i + 1,
                             .gap = -1e-6 * i,
                             .impulse_normal = 1.0 + i,
                             .law = i % 3,
                             .mode = (unsigned char)(i % 5)};
    for (int k = 0; k < 3; k++) {
        row->point[k] = i + 0.1 * k;
        row->normal[k] = n[k];
        row->impulse_tangent[k] = 0.25 * i * t1[k] - 0.5 * t2[k];
        row->impulse_moment[k] = -2.0 * t1[k] + 0.125 * i * t2[k];
        row->velocity[k] = 0.5 * n[k] + 3.0 * t1[k] - 4.0 * t2[k];
    }
}
/* All but every seventh, which the list then leaves out. */
bool plu_stepper_touches(const plu_stepper *s, int i)
{
    (void)s;
    return i % 7 != 6;
}
double plu_stepper_sensor(const plu_stepper *s, int sensor, int number)
{
    (void)s;
    return 10.0 * sensor + number;
}

double plu_stepper_boundary_load(const plu_stepper *s)
{
    (void)s;
    return 0.75;
}
bool plu_world_cell(const plu_world *w, double edges[3][3])
{
    (void)w;
    memset(edges, 0, 9 * sizeof **edges);
    return false;
}
double plu_cell_fraction(const plu_world *w)
{
    (void)w;
    return NAN;
}
void plu_stepper_cell_stress(const plu_stepper *s, double stress[3][3])
{
    (void)s;
    memset(stress, 0, 9 * sizeof **stress);
}
const int (*plu_world_images(const plu_world *w))[3]
{
    (void)w;
    return NULL;
}
plu_boundary_place plu_world_boundary(const plu_world *w, int b)
{
    return (plu_boundary_place){{b, 0.5 * (double)w->steps, -2.0},
                                {0.6, 0.0, b ? 0.8 : -0.8, 0.0},
                                b == 1 && w->steps == 2};
}
double plu_boundary_stress(const plu_world *w, int b, const double force[3])
{
    (void)w;
    return force[0] + b;
}
double plu_enclosed_fraction(const plu_world *w)
{
    (void)w;
    return 0.6;
}
void plu_stepper_boundary_force(const plu_stepper *s, int b, double force[3], double moment[3])
{
    (void)s;
    for (int k = 0; k < 3; k++) {
        force[k] = b + 10.0 * k + (double)world.steps;
        moment[k] = -force[k];
    }
}
void plu_stepper_forces(const plu_stepper *s, double (*force)[3])
{
    (void)s;
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < 3; k++)
            force[i][k] = world.steps + i - 0.5 * k;
}

/* The state at step `step`; contacts come and go. */
static inline void advance(long step)
{
    world.steps = step;
    world.time = 1e-3 * (double)step;
    world.active = 0;
    for (int i = 0; i < world.bodies.count; i++) {
        for (int k = 0; k < 3; k++) {
            position[i][k] = sin(i + 10.0 * k + (double)step);
            velocity[i][k] = cos(i + 10.0 * k + (double)step);
            velocity[i][3 + k] = cos(i - 10.0 * k + (double)step);
        }
        for (int k = 0; k < 4; k++)
            orientation[i][k] = 0.5;
        state[i] = i % 10 == 9 ? PLU_WAITING : i % 10 == 8 && step > 1 ? PLU_REMOVED : PLU_ACTIVE;
        world.active += state[i] == PLU_ACTIVE;
    }
    stepper.contacts = step == 2 ? 0 : (int)(40 * step);
    stepper.totals.unconverged = step;
    stepper.totals.steps = 3 * step;
    stepper.totals.worst_sinking = 0.25;
    stepper.totals.jams = 3;
    stepper.totals.yielding_steps = 5;
    stepper.totals.errors = (plu_error_work){-0.5, 1.5, 8.0, 4.0};
    stepper.totals.jam = (plu_jam){
        .time = 0.5, .depth = 0.0625, .force = 2.0, .body = 4, .between = {-2, PLU_NOBODY}};
    stepper.totals.worst_velocity = 0.75;
    stepper.totals.work_friction = -0.5 * (double)step;
    stepper.totals.work_rolling = -0.25 * (double)step;
    stepper.totals.work_impact = -2.0 * (double)step;
    stepper.totals.work_cohesion = 0.03125;
    stepper.totals.work_boundary = 0.375;
    stepper.totals.work_cell = 0.1875;
    stepper.totals.theta = 0.125;
    stepper.totals.projection = 0.0625;
    stepper.totals.inserted = 16.0;
    stepper.totals.removed = 32.0;
    info = (plu_step_info){.contacts = stepper.contacts,
                           .wall_contacts = stepper.contacts / 4,
                           .iterations = 7,
                           .yielding = 6,
                           .residual_scaled = 1e-3,
                           .residual_natural = 1e-9,
                           .velocity_error = 0.03,
                           .penetration = 1e-5};
}

static char folder[64] = "/tmp/pluvia-trajectory-XXXXXX", file[128], sidecar[128], part[128];
static plu_boundary_spec boundaries[] = {{.kind = PLU_PLATE,
                                          .name = "floor/1",
                                          .material_name = "plate",
                                          .normal = {0, 0, 1},
                                          .size = {1.25, 1.5}},
                                         {.kind = PLU_BOX, .name = "position", .faces = 5}};
static plu_output_spec output;
static plu_cell_spec cell;
static plu_material materials[] = {{.name = "grain"}, {.name = "plate"}};
static char override[] = "time.end=2";
static char *overrides[] = {override};
static char text[] = "title = \"made up\";\n", resolved[] = "title = \"made up\";\nseed = 7;\n";

static inline int setup(void **unused)
{
    (void)unused;
    memset(&scene, 0, sizeof scene);
    strcpy(scene.title, "caf\xc3\xa9 <&\"'> \x01 \xff");
    scene.seed = UINT64_C(0xfedcba9876543210);
    scene.step = 1e-3;
    scene.text = text;
    scene.resolved = resolved;
    scene.materials_count = 2;
    scene.materials = materials;
    scene.boundaries_count = 2;
    scene.boundaries = boundaries;
    scene.overrides_count = 1;
    scene.overrides = overrides;
    output = (plu_output_spec){.quantities = 15, .contacts = true, .compression = 1};
    cell = (plu_cell_spec){0};
    scene.output = &output;
    scene.cell = &cell;
    world = (plu_world){.scene = &scene,
                        .step = scene.step,
                        .bodies.count = BODIES,
                        .spheres.count = BODIES,
                        .parts_count = PARTS,
                        .parts = parts};
    world.bodies.position = world.spheres.at = position;
    world.bodies.row = velocity;
    world.bodies.orientation = orientation;
    world.spheres.species = species;
    world.bodies.state = state;
    parts[1].boundary = 1;
    for (int i = 0; i < BODIES; i++) {
        species[i] = i % 2;
        position[i][3] = 0.01 + 1e-5 * i;
        velocity[i][6] = 1.0 / (1.0 + i);
        velocity[i][7] = 1.0 / (2.0 + i);
    }
    advance(0);
    snprintf(file, sizeof file, "%s/pile.h5md", folder);
    snprintf(sidecar, sizeof sidecar, "%s/pile.xdmf", folder);
    snprintf(part, sizeof part, "%s/pile.h5md.part", folder);
    return 0;
}

static inline int teardown(void **unused)
{
    (void)unused;
    unlink(file);
    unlink(sidecar);
    return rmdir(folder) == 0 && mkdir(folder, 0700) == 0 ? 0 : -1; /* nothing else was left */
}

static inline bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

static inline void ok(plu_status status)
{
    if (status != PLU_OK)
        fail_msg("status %d: %s", status, err.text);
}

static inline plu_trajectory *create(bool force)
{
    plu_trajectory *t = NULL;
    ok(plu_trajectory_create(&t, file, force, &scene, &world, &stepper, &provenance, &err));
    return t;
}

/* A run of `frames` frames, one a step. */
static inline void write_run(int frames, bool force)
{
    plu_trajectory *t = create(force);
    for (int k = 0; k < frames; k++) {
        advance(k);
        ok(plu_trajectory_frame(t, k ? &info : NULL, &err));
    }
    ok(plu_trajectory_close(t, PLU_RUN_COMPLETE, &err));
}

/* Reads a whole dataset as doubles; the caller frees it. */
static inline double *numbers(hid_t h5, const char *path, int rank, hsize_t *size)
{
    const hid_t id = H5Dopen2(h5, path, H5P_DEFAULT);
    assert_true(id >= 0);
    const hid_t space = H5Dget_space(id);
    assert_int_equal(H5Sget_simple_extent_ndims(space), rank);
    H5Sget_simple_extent_dims(space, size, NULL);
    double *out = malloc((size_t)H5Sget_simple_extent_npoints(space) * sizeof *out + 1);
    assert_true(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Sclose(space);
    H5Dclose(id);
    return out;
}

#endif
