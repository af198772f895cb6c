/* What a scene takes over from the run that its bodies come from: the cell as it is by now (edges,
 * tilt), and of boundaries of the same name and shape where they are, written as the scene itself
 * would say it (`start`: displacement, and a turn about an axis), so that a run does not need the
 * other one any more.
 *
 * A frame has of a boundary the place x' of its center c' and the quaternion q = (cos(a/2), n
 * sin(a/2)). A motion about the center c of the new scene with the same place of all points has
 * the shift
 *
 *   s = x' - c' - (R x_0 - x_0),   x_0 = c' - c,   R x - x = 2 (q_0 q_v x x + q_v x (q_v x x))
 *
 * since a point p goes to R (p - c') + x' there and to R (p - c) + c + s here. */
#include "io/run/start_adopt.h"
#include "base/memory.h"
#include "base/space.h"
#include "base/vec3.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/cell.h"
#include "scene/adopt.h"
#include "world/world.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double no_turn = 1e-9; /* rad: rounding */

/* The cell of a frame, where it is one that a scene can start with: it leans along x at most. */
static void find_cell(const plu_frame_data *f, plu_adopted *adopted)
{
    const plu_cell_box *box = &f->cell;
    bool upright = box->given;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++)
            upright = upright && (k == i || (k == 2 && i == 0) || box->edge[k][i] == 0.0);
    for (int k = 0; k < 3; k++)
        upright = upright && box->edge[k][k] > 0.0;
    if (!upright)
        return;
    adopted->cell = true;
    adopted->tilt = box->edge[2][0];
    for (int k = 0; k < 3; k++) {
        adopted->size[k] = box->edge[k][k];
        adopted->origin[k] = box->origin[k];
        adopted->periodic |= box->periodic[k] ? 1u << k : 0u;
    }
}

/* R x - x, R being the rotation by the quaternion q. */
static void turned_by(const double q[4], const double x[3], double change[3])
{
    double cross[3], twice[3];
    plu_cross(q + 1, x, cross);
    plu_cross(q + 1, cross, twice);
    for (int k = 0; k < 3; k++)
        change[k] = 2.0 * (q[0] * cross[k] + twice[k]);
}

/* Where boundary b of the scene, which is `was` in the run, is now, as the key `start` gives it. */
static plu_status find_place(const plu_boundary_spec *b, const plu_boundary_spec *was,
                             const plu_boundary_place *now, plu_beginning_place *place,
                             plu_error *err)
{
    const double *q = now->rotation, upright[3] = {0.0, 0.0, 1.0};
    double about[3], change[3], length = plu_norm(q + 1);
    const bool turned = length > no_turn;
    const double *axis =
        was->moves || was->staged ? was->motion.axis : (was->displaced ? was->start_axis : upright);
    if (b->moves && turned && plu_dot(axis, b->motion.axis) < 1.0 - no_turn)
        return plu_fail(err, PLU_BAD_INPUT,
                        "boundary \"%s\" was turned about another axis than that of its motion in "
                        "the scene; say where it begins (boundaries.start), or remove "
                        "\"boundaries\" from run.keep",
                        b->name);
    place->angle = turned ? 2.0 * atan2(plu_dot(q + 1, axis), q[0]) : 0.0;
    memcpy(place->axis, b->moves ? b->motion.axis : axis, sizeof place->axis);
    plu_sub(was->motion.center, b->motion.center, about);
    turned_by(q, about, change);
    for (int k = 0; k < 3; k++)
        place->shift[k] = now->position[k] - was->motion.center[k] - (turned ? change[k] : 0.0);
    place->given = place->angle != 0.0 || plu_norm(place->shift) > 0.0;
    return PLU_OK;
}

/* The boundary of the run that has the name and the shape of this one; -1: there is none. */
static int same_boundary(const plu_scene *began, const plu_boundary_spec *b)
{
    const int i = plu_scene_boundary(began, b->name);
    return i >= 0 && plu_same_shape(&began->boundaries[i], b) ? i : -1;
}

static plu_status find_places(const plu_scene *scene, const plu_frame_data *f,
                              const plu_scene *began, plu_start_entry *entry,
                              plu_beginning_place *place, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int b = 0; b < scene->boundaries_count && status == PLU_OK; b++) {
        const int i = same_boundary(began, &scene->boundaries[b]);
        if (i < 0 || (f->place && (i >= f->boundaries || f->place[i].gone)))
            continue;
        entry->met[b] = true;
        if (f->place)
            status = find_place(&scene->boundaries[b], &began->boundaries[i], &f->place[i],
                                &place[b], err);
    }
    return status;
}

/* Whether the scene has boundary b where the run had it. */
static bool is_there(const plu_boundary_spec *b, const plu_beginning_place *place)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    double apart[3];
    plu_sub(b->displaced ? b->start_shift : none, place->shift, apart);
    const double turn = (b->displaced ? b->start_angle : 0.0) - place->angle;
    return plu_norm(apart) == 0.0 && fabs(turn) <= no_turn;
}

plu_status plu_start_adopt(plu_scene *scene, const plu_body_spec *spec, const plu_frame_data *frame,
                           const plu_scene *began, plu_start_entry *entry, plu_error *err)
{
    const size_t count = (size_t)scene->boundaries_count;
    plu_adopted adopted = {.cell = false};
    plu_adopted taken = {.cell = false};
    plu_beginning_place *place = plu_alloc(count, sizeof *place, err);
    entry->met = plu_alloc(count, sizeof *entry->met, err);
    plu_status status = place && entry->met ? PLU_OK : PLU_IO;
    if (status == PLU_OK)
        status = find_places(scene, frame, began, entry, place, err);
    find_cell(frame, &adopted);
    if (spec->keep & PLU_KEEP_CELL)
        taken = adopted;
    taken.place = spec->keep & PLU_KEEP_BOUNDARIES ? place : NULL;
    entry->took_cell = status == PLU_OK && taken.cell && plu_scene_lacks_cell(scene);
    if (status == PLU_OK)
        status = plu_scene_adopt(scene, &taken, err);
    for (size_t b = 0; b < count && status == PLU_OK; b++) {
        entry->met[b] = entry->met[b] && is_there(&scene->boundaries[b], &place[b]);
        entry->carried += entry->met[b] && place[b].given;
    }
    entry->same_space = frame->cell.given || !scene->cell->given;
    free(place);
    return status;
}

void plu_start_calm(const plu_scene *scene, const plu_frame_data *frame, const plu_scene *began,
                    plu_start_entry *entry)
{
    plu_space space;
    if (!frame->cell.given || !plu_cell_flows(scene->cell) || !plu_cell_flows(began->cell))
        return;
    plu_space_make(&space, frame->cell.origin, frame->cell.edge, frame->cell.periodic);
    plu_cell_rates(began->cell, frame->cell.edge, space.rate[1]);
    for (int i = 0; i < entry->count; i++)
        plu_space_flow(&space, 1, -1.0, entry->position[i], entry->velocity[i]);
}

plu_status plu_start_adopt_again(plu_scene *scene, const char *path, const char *resolved,
                                 plu_error *err)
{
    plu_scene began = {0};
    plu_adopted adopted = {.cell = false};
    if (!plu_scene_keeps(scene, PLU_KEEP_CELL | PLU_KEEP_BOUNDARIES))
        return PLU_OK;
    plu_status status = plu_scene_read_stored(&began, path, resolved, err);
    if (status != PLU_OK)
        return status;
    const plu_cell_spec *cell = began.cell;
    adopted.cell = cell->given;
    adopted.tilt = cell->tilt;
    adopted.periodic = cell->periodic;
    memcpy(adopted.size, cell->size, sizeof adopted.size);
    memcpy(adopted.origin, cell->origin, sizeof adopted.origin);
    adopted.place = plu_alloc((size_t)scene->boundaries_count, sizeof *adopted.place, err);
    status = adopted.place ? PLU_OK : PLU_IO;
    for (int b = 0; status == PLU_OK && b < scene->boundaries_count; b++) {
        const int i = same_boundary(&began, &scene->boundaries[b]);
        if (i < 0 || !began.boundaries[i].displaced)
            continue;
        const plu_boundary_spec *was = &began.boundaries[i];
        plu_beginning_place *place = &adopted.place[b];
        *place = (plu_beginning_place){.given = true, .angle = was->start_angle};
        memcpy(place->shift, was->start_shift, sizeof place->shift);
        memcpy(place->axis, was->start_axis, sizeof place->axis);
    }
    if (status == PLU_OK)
        status = plu_scene_adopt(scene, &adopted, err);
    free(adopted.place);
    plu_scene_free(&began);
    return status;
}
