/* edit.h: bodies that a program adds, moves, fixes and removes while a run lasts, between its
 * steps or in a callback before or after one (pluvia/control.h).
 *
 * A world has all bodies from its start, so that each keeps its index: those that may be added wait
 * in a reserve of the scene, bodies = ( { reserve: { count = 100; }; radius = 0.01; material =
 * "glass"; } ), with their size and material. A body that was removed, by a call or by the domain,
 * can be added again.
 *
 * Each function does all that it is asked for, or nothing and says why: PLU_USAGE (a body that does
 * not exist, is named twice or is in the wrong state, a number that is not finite, a place that is
 * not free) or PLU_IO (no memory). What bodies gain or lose counts as energy inserted or removed
 * (plu_totals). Contacts and forces are known again after the next step; sleeping bodies wake that
 * lean on what is gone. Edits are part of a checkpoint, and of a trajectory in so far as it has
 * positions and states: it does not say which bodies a call has fixed. */
#ifndef PLUVIA_EDIT_H
#define PLUVIA_EDIT_H

#include "pluvia/step.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* Whether plu_stepper_add may add the body: it waits in a reserve or was removed. */
bool plu_world_is_spare(const plu_world *world, int body);

/* Adds these bodies with their centers at `position` (m). Velocities (m/s) and angular velocities
 * (rad/s), world frame; NULL: 0. A place is free where the sphere overlaps nothing, by more than
 * contacts at rest do, nor the others that are added, unless the scene has allow_overlap = true. In
 * a periodic cell places outside of it are those of images. */
plu_status plu_stepper_add(plu_stepper *stepper, int count, const int *body,
                           const double (*position)[3], const double (*velocity)[3],
                           const double (*angular_velocity)[3], plu_error *err);

/* Moves the centers of active bodies to free places, as above, at once: nothing on the way is
 * touched, and sensors do not count it. `orientation`: unit quaternions, scalar first; NULL:
 * unchanged. Velocities stay; bodies that the scene moves (bodies.motion) are not moved. */
plu_status plu_stepper_move(plu_stepper *stepper, int count, const int *body,
                            const double (*position)[3], const double (*orientation)[4],
                            plu_error *err);

/* Removes active bodies, and their loads. */
plu_status plu_stepper_remove(plu_stepper *stepper, int count, const int *body, plu_error *err);

/* Fixes active bodies where they are, as bodies.fixed does (they no longer touch boundaries nor
 * each other), or lets them go, from rest. Not in a cell that is sheared or deformed, nor those
 * that the scene moves; nor let go what a boundary is deep in (limits.penetration). */
plu_status plu_stepper_fix(plu_stepper *stepper, int count, const int *body, bool fixed,
                           plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
