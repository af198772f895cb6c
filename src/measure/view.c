/* One form of a state for all measures: rows of numbers with a stride, which point into a running
 * world or into a frame of a file, so that each measure is written once.
 *
 *   plu_rows {at, stride}         world: one array of 8 numbers a body     frame: an array a
 * quantity velocity of body b          at + 8 b                                 at + 3 b mass 1 /
 * at[8 b + 6]    (view.inverse)        at[b]
 *
 * A view owns nothing and is right as long as the world or the frame is not changed. Contacts are
 * added by plu_view_contacts, since a world has them in another form. */
#include "measure/view.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "world/world.h"
#include <math.h>
#include <string.h>

static plu_cell_box box_of(const plu_world *world)
{
    const plu_space *space = &world->space;
    plu_cell_box box = {.given = space->kind == PLU_PERIODIC_SPACE};
    memcpy(box.periodic, space->periodic, sizeof box.periodic);
    memcpy(box.origin, space->origin, sizeof box.origin);
    memcpy(box.edge, space->edge, sizeof box.edge);
    return box;
}

plu_view plu_view_world(const plu_world *world)
{
    PLU_SPHERES_ARE_BODIES; /* a view has a row a sphere */
    plu_view view = {.time = world->time,
                     .bodies = world->spheres.count,
                     .state = world->bodies.state,
                     .fixed = world->fixed > 0 ? world->bodies.rest : NULL,
                     .fixed_mark = PLU_FIXED,
                     .position = {world->spheres.at[0], 4},
                     .radius = {world->spheres.at[0] + 3, 4},
                     .velocity = {world->bodies.row[0], 8},
                     .spin = {world->bodies.row[0] + 3, 8},
                     .mass = {world->bodies.row[0] + 6, 8},
                     .inertia = {world->bodies.row[0] + 7, 8},
                     .inverse = true,
                     .contacts = -1,
                     .scene = world->scene,
                     .world = world,
                     .cell = box_of(world)};
    if (world->space.moves)
        memcpy(view.cell_rate, world->space.rate[1], sizeof view.cell_rate);
    memcpy(view.gravity, world->gravity, sizeof view.gravity);
    return view;
}

static plu_rows threes(const double (*rows)[3])
{
    return (plu_rows){rows ? rows[0] : NULL, 3};
}

plu_view plu_view_frame(const plu_frame_data *frame, const plu_scene *scene)
{
    plu_view view = {.time = frame->time,
                     .bodies = frame->bodies,
                     .state = frame->state,
                     .species = frame->species,
                     .fixed = frame->fixed,
                     .fixed_mark = 1,
                     .position = threes(frame->position),
                     .radius = {frame->radius, 1},
                     .velocity = threes(frame->velocity),
                     .spin = threes(frame->angular_velocity),
                     .mass = {frame->mass, 1},
                     .inertia = {frame->inertia, 1},
                     .contacts = frame->contacts,
                     .contact = frame->contact,
                     .dt = frame->dt,
                     .boundaries = frame->boundaries,
                     .place = frame->place,
                     .turning = frame->turning,
                     .scene = scene,
                     .cell = frame->cell};
    memcpy(view.gravity, scene->gravity, sizeof view.gravity);
    return view;
}

void plu_view_contacts(plu_view *view, const plu_contact_row *contact, int count, double dt)
{
    view->contact = contact;
    view->contacts = count;
    view->dt = dt;
}

plu_region plu_measure_bounds(const plu_view *view, double base)
{
    plu_region box = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (int b = 0; b < view->bodies; b++) {
        const double *x = plu_view_position(view, b), r = plu_view_radius(view, b);
        if (!plu_view_grain(view, b) || x[2] <= base)
            continue;
        for (int i = 0; i < 3; i++) { /* fmin and fmax leave a NAN aside */
            box.lower[i] = fmin(box.lower[i], x[i] - r);
            box.upper[i] = fmax(box.upper[i], x[i] + r);
        }
    }
    if (isfinite(base) && box.lower[2] < base)
        box.lower[2] = base;
    for (int k = 0; k < 3; k++)
        if (view->cell.given && view->cell.periodic[k]) {
            box.lower[k] = view->cell.origin[k];
            box.upper[k] = view->cell.origin[k] + view->cell.edge[k][k];
        }
    return box;
}

void plu_view_outline(const plu_view *view, plu_piece_visit *visit, void *user)
{
    for (int i = 0; view->scene && i < view->scene->boundaries_count; i++) {
        const plu_boundary_spec *spec = &view->scene->boundaries[i];
        if (view->world) {
            const plu_boundary_place place = plu_world_boundary(view->world, i);
            plu_boundary_outline_at(spec, &place, visit, user);
        } else if (i < view->boundaries) {
            plu_boundary_outline_at(spec, &view->place[i], visit, user);
        } else {
            plu_boundary_outline(spec, visit, user);
        }
    }
}

double plu_view_diameter(const plu_view *view)
{
    double d = 0.0;
    for (int b = 0; b < view->bodies; b++)
        if (view->state[b] == PLU_ACTIVE)
            d = fmax(d, 2.0 * plu_view_radius(view, b));
    return d;
}
