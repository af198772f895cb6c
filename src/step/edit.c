/* Bodies that calls add, move, remove and fix (pluvia/edit.h). Everything given is checked before
 * any of it is done: that bodies exist, are named once, are free or there, that numbers are
 * finite, that places are free (fill/placing.c). Then the world changes as a whole, energy is
 * counted as inserted or removed, and what is known of the last step (contacts, forces, bounds of
 * speed) is found anew.
 *
 *   reserved --add--> active --remove--> removed --add--> active
 *                     active --move, fix--> active
 *
 * Bounds of speed and height (`renew`) only widen: those from before the call hold as well. */
#include "pluvia/edit.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/near.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "pluvia/scene.h"
#include "pluvia/solving.h"
#include "step/jams.h"
#include "step/limits.h"
#include "step/stepper.h"
#include "world/body_edit.h"
#include "world/body_energy.h"
#include "world/groups.h"
#include "world/loads.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool plu_world_is_spare(const plu_world *w, int body)
{
    return plu_is_reserved(w, body) || w->bodies.state[body] == PLU_REMOVED;
}

static plu_status check_exists(const plu_world *w, int body, bool *named, plu_error *err)
{
    if (body < 0 || body >= w->bodies.count)
        return plu_fail(err, PLU_USAGE, "body %d does not exist: bodies are numbered 0 to %d", body,
                        w->bodies.count - 1);
    if (named[body])
        return plu_fail(err, PLU_USAGE, "body %d is named twice", body);
    named[body] = true;
    return PLU_OK;
}

static plu_status check_spare(const plu_world *w, int body, plu_error *err)
{
    if (plu_world_is_spare(w, body))
        return PLU_OK;
    return plu_fail(err, PLU_USAGE, "body %d cannot be added: it %s", body,
                    w->bodies.state[body] == PLU_ACTIVE ? "is there already"
                                                        : "waits for its feeder or file");
}

static plu_status check_there(const plu_world *w, int body, plu_error *err)
{
    if (w->bodies.state[body] != PLU_ACTIVE)
        return plu_fail(err, PLU_USAGE,
                        "body %d is not active: it waits for its release or has been removed",
                        body);
    if (plu_group_of(w, body))
        return plu_fail(err, PLU_USAGE, "body %d is moved by the scene (bodies.motion)", body);
    return PLU_OK;
}

/* Each body exists, is named once, and is there or, `spare`, may be added. */
static plu_status check_bodies(const plu_world *w, int count, const int *body, bool spare,
                               plu_error *err)
{
    plu_status status = PLU_OK;
    bool *named = plu_alloc((size_t)w->bodies.count, sizeof *named, err);
    if (!named)
        return PLU_IO;
    for (int k = 0; k < count && status == PLU_OK; k++) {
        status = check_exists(w, body[k], named, err);
        if (status == PLU_OK)
            status = spare ? check_spare(w, body[k], err) : check_there(w, body[k], err);
    }
    free(named);
    return status;
}

/* `rows` of `columns` numbers, one row a body; NULL: none. */
static plu_status check_numbers(int count, const int *body, const double *rows, int columns,
                                const char *what, plu_error *err)
{
    for (int k = 0; rows && k < count; k++)
        for (int i = 0; i < columns; i++)
            if (!isfinite(rows[columns * k + i]))
                return plu_fail(err, PLU_USAGE, "body %d: its %s has a number that is not finite",
                                body[k], what);
    return PLU_OK;
}

/* Bounds that follow from where bodies are and how fast, and what is known of the last step. */
static void renew(plu_stepper *s)
{
    const double base = s->base_speed, highest = s->highest, lowest = s->lowest;
    plu_limits_begin(s);
    s->base_speed = plu_max(s->base_speed, base);
    s->highest = plu_max(s->highest, highest);
    s->lowest = plu_min(s->lowest, lowest);
    plu_strength_begin(s);
    plu_stepper_forget(s);
}

/* The energy of bodies that are there (J). */
static double energy_of(const plu_world *w, int count, const int *body)
{
    double sum = 0.0;
    for (int k = 0; k < count; k++)
        if (w->bodies.state[body[k]] == PLU_ACTIVE)
            sum += plu_energy_sum(plu_body_energy(w, body[k]));
    return sum;
}

/* In a cell that is sheared the velocity of the image that is in it. */
static void set_velocity(plu_world *w, int body, const double velocity[3], const double spin[3])
{
    double *row = w->bodies.row[body];
    memset(row, 0, 6 * sizeof *row);
    if (velocity)
        memcpy(row, velocity, 3 * sizeof *row);
    if (spin)
        memcpy(row + 3, spin, 3 * sizeof *row);
    for (int k = 0; k < 3 && w->image && w->space.moves; k++)
        plu_add_scaled(row, -w->image[body][k], w->space.rate[1][k]);
}

plu_status plu_stepper_add(plu_stepper *s, int count, const int *body, const double (*position)[3],
                           const double (*velocity)[3], const double (*angular_velocity)[3],
                           plu_error *err)
{
    static const double straight[4] = {1.0, 0.0, 0.0, 0.0};
    plu_world *w = s->world;
    plu_status status = check_bodies(w, count, body, true, err);
    if (status == PLU_OK)
        status = check_numbers(count, body, (const double *)position, 3, "place", err);
    if (status == PLU_OK)
        status = check_numbers(count, body, (const double *)velocity, 3, "velocity", err);
    if (status == PLU_OK)
        status = check_numbers(count, body, (const double *)angular_velocity, 3, "angular velocity",
                               err);
    if (status == PLU_OK)
        status = plu_world_place(w, count, body, position, err);
    if (status != PLU_OK || count == 0)
        return status;
    for (int k = 0; k < count; k++) {
        memcpy(w->bodies.orientation[body[k]], straight, sizeof straight);
        set_velocity(w, body[k], velocity ? velocity[k] : NULL,
                     angular_velocity ? angular_velocity[k] : NULL);
    }
    s->totals.inserted += energy_of(w, count, body);
    renew(s);
    return PLU_OK;
}

static plu_status check_orientations(int count, const int *body, const double (*orientation)[4],
                                     plu_error *err)
{
    static const double rounding = 1e-6;
    for (int k = 0; orientation && k < count; k++) {
        const double *q = orientation[k];
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(fabs(length - 1.0) <= rounding))
            return plu_fail(err, PLU_USAGE, "body %d: its orientation has length %g, not 1",
                            body[k], length);
    }
    return PLU_OK;
}

plu_status plu_stepper_move(plu_stepper *s, int count, const int *body, const double (*position)[3],
                            const double (*orientation)[4], plu_error *err)
{
    plu_world *w = s->world;
    plu_status status = check_bodies(w, count, body, false, err);
    if (status == PLU_OK)
        status = check_numbers(count, body, (const double *)position, 3, "place", err);
    if (status == PLU_OK)
        status = check_orientations(count, body, orientation, err);
    const double before = status == PLU_OK ? energy_of(w, count, body) : 0.0;
    if (status == PLU_OK)
        status = plu_world_place(w, count, body, position, err);
    if (status != PLU_OK || count == 0)
        return status;
    for (int k = 0; k < count; k++) {
        if (orientation)
            memcpy(w->bodies.orientation[body[k]], orientation[k], sizeof *orientation);
        plu_stepper_wake(s, body[k]);
    }
    s->totals.inserted += energy_of(w, count, body) - before;
    renew(s);
    return PLU_OK;
}

plu_status plu_stepper_remove(plu_stepper *s, int count, const int *body, plu_error *err)
{
    plu_world *w = s->world;
    const plu_status status = check_bodies(w, count, body, false, err);
    if (status != PLU_OK || count == 0)
        return status;
    for (int k = 0; k < count; k++) {
        plu_loads_drop(w, body[k]);
        s->totals.removed += plu_world_take_out(w, body[k]);
    }
    renew(s);
    return PLU_OK;
}

/* A body that is fixed reaches through boundaries: let go so deep, it would end the run. */
static plu_status check_walls(const plu_stepper *s, int count, const int *body, plu_error *err)
{
    const plu_world *w = s->world;
    for (int k = 0; k < count; k++) {
        const double *at = w->spheres.at[body[k]];
        double depth = 0.0;
        for (int b = -1; (b = plu_overlap_wall(w, at, b, &depth)) >= 0;)
            if (plu_is_fixed(w, body[k]) && depth > 2.0 * at[3] * s->scene->limits->penetration)
                return plu_fail(
                    err, PLU_USAGE,
                    "body %d cannot be let go: it overlaps boundary \"%s\" by %.3g m, as "
                    "fixed bodies may; move it first",
                    body[k], s->scene->boundaries[b].name, depth);
    }
    return PLU_OK;
}

plu_status plu_stepper_fix(plu_stepper *s, int count, const int *body, bool fixed, plu_error *err)
{
    plu_world *w = s->world;
    plu_status status = check_bodies(w, count, body, false, err);
    if (status == PLU_OK && fixed && plu_cell_moves(s->scene->cell))
        status = plu_fail(err, PLU_USAGE,
                          "bodies cannot be fixed in a cell that is sheared or deformed (cell)");
    if (status == PLU_OK && !fixed)
        status = check_walls(s, count, body, err);
    if (status != PLU_OK || count == 0)
        return status;
    const double before = energy_of(w, count, body);
    for (int k = 0; k < count; k++)
        plu_world_fix(w, body[k], fixed);
    s->totals.inserted += energy_of(w, count, body) - before;
    renew(s);
    return PLU_OK;
}
