/* control.h: control of a run between its steps: velocities, forces and moments of
 * bodies, gravity, motion of boundaries, and callbacks before and after each step.
 *
 * The energy balance (plu_totals) counts energy added or removed so as inserted, and the work of
 * boundaries as work_boundary. */
#ifndef PLUVIA_CONTROL_H
#define PLUVIA_CONTROL_H

#include "pluvia/step.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* Sets velocity (m/s) and angular velocity (rad/s) of an active body, world frame; NULL: unchanged.
 * Call it between steps, or in a callback before or after a step. Wakes the body. PLU_OK;
 * PLU_USAGE: there is no such body, it is not active (plu_body_state), or a number is not finite.
 */
plu_status plu_stepper_set_velocity(plu_stepper *stepper, int body, const double velocity[3],
                                    const double angular_velocity[3], plu_error *err);

/* The same for many: one row a body. `body` NULL: all of the world, `count` of them, of which those
 * are left out that are not active or are fixed. All or, after PLU_USAGE, none. */
plu_status plu_stepper_set_velocities(plu_stepper *stepper, int count, const int *body,
                                      const double (*velocity)[3],
                                      const double (*angular_velocity)[3], plu_error *err);

/* Sets the force (N) and the moment (N m), world frame, that act on a body in every step from now
 * on; NULL: none. It counts while the body is active. A body with a load does not sleep. Loads are
 * part of a checkpoint. If a load is much larger than the weight m g, spheres that it drives
 * together may overlap by h^2 F / m for a step. PLU_OK; PLU_USAGE: there is no such body, or a
 * number is not finite; PLU_IO. */
plu_status plu_stepper_set_load(plu_stepper *stepper, int body, const double force[3],
                                const double moment[3], plu_error *err);

/* The same for many: one row a body. `body` NULL: all of the world, `count` of them, of which those
 * are left out that are fixed. All or, after PLU_USAGE, none. */
plu_status plu_stepper_set_loads(plu_stepper *stepper, int count, const int *body,
                                 const double (*force)[3], const double (*moment)[3],
                                 plu_error *err);

/* Sets a drag on bodies in every step from now on, beside their loads: drag[k] (kg/s, not negative)
 * times (flow[k] - velocity), flow in m/s; NULL: 0. `body`, `count` and status as above. The
 * velocity is that at the end of the step, so no drag is too large for the step; what contacts do
 * to it is taken from the step before: on a body that they hold the drag is drag * flow. */
plu_status plu_stepper_set_drags(plu_stepper *stepper, int count, const int *body,
                                 const double *drag, const double (*flow)[3], plu_error *err);

/* Force and drag on every body in the last step (N): times the step the momentum that came from
 * outside, exactly; `force` has one row a body. */
void plu_stepper_loads(const plu_stepper *stepper, double (*force)[3]);

/* Sets gravity (m/s^2) from the next step on; all sleeping bodies wake. The change of potential
 * energy counts as inserted. Part of a checkpoint; a trajectory contains the gravity of the scene.
 * PLU_OK; PLU_USAGE: a number is not finite. */
plu_status plu_stepper_set_gravity(plu_stepper *stepper, const double gravity[3], plu_error *err);
void plu_stepper_gravity(const plu_stepper *stepper, double gravity[3]);

/* Sets the motion of a boundary (index into plu_scene.boundaries: plu_scene_boundary) from the next
 * step on, instead of its motion in the scene; NULL: as in the scene again, from where it is now.
 * Velocities jump: the theta rule takes the mean of both in the step (for theta = 1/2). Bodies that
 * lean on it wake. Part of a checkpoint; plu_stepper_set uses the motion of the scene. PLU_OK;
 * PLU_USAGE: there is no such boundary, it has no motion in the scene (`motion = {}` will do) or a
 * servo, or a number is not finite. */
plu_status plu_stepper_drive_boundary(plu_stepper *stepper, int boundary, const plu_drive *drive,
                                      plu_error *err);

/* Makes plu_step call `before` first and `after` last, unless they are NULL; replaces callbacks
 * that were set before. `after` is not called if the step fails. They run in the thread that called
 * plu_step. */
void plu_stepper_set_calls(plu_stepper *stepper, plu_step_call *before, plu_step_call *after,
                           void *user);

/* `stop` is asked now and then while a step lasts, by any of its threads: true gives the step up.
 * plu_step then returns PLU_STOPPED, and the state is that of a step half made, of no use but to be
 * set to another one (pluvia/checkpoint.h). NULL: no step is given up. */
void plu_stepper_set_stop(plu_stepper *stepper, plu_stop_call *stop, void *user);

/* The world that the stepper advances. */
plu_world *plu_stepper_world(const plu_stepper *stepper);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
