/* initial_impulses.h: the impulses that a bed at rest starts from, where it brings none along.
 *
 * Coulomb's law has several solutions in a deep bed, and sweeps from zero find one that slips. By
 * the associated law (contact_problem.h) impulses minimize the kinetic energy after the step: where
 * contacts can bear the load, they bear it, and where nothing slips Coulomb's law holds, too. They
 * are computed with less friction than there is (open_lanes.h), so that they bear the load in the
 * steps that follow as well:
 *
 *     bed at rest, p = 0 --> sweeps by the associated law, 0.9 of the friction --> |dv| small?
 *         yes: the step begins from these impulses        no: from zero, as if nothing had been
 *
 * Sweeps carry a load a few layers on each, so what tells whether they are done is by how much the
 * step would still change the velocities, at doubled numbers of sweeps. */
#ifndef SWEEP_INITIAL_IMPULSES_H
#define SWEEP_INITIAL_IMPULSES_H

#include "sweep/settings.h"

/* Sets the impulses of islands of spheres that begin at rest, on boundaries at rest, and would stay
 * at rest; those of others remain zero. The solver of the step then starts from them.
 * For the first step of a run, whose contacts have no impulses yet. *served: the number of contacts
 * of islands that bear their load by these impulses, or are in motion and need none. *found:
 * whether such impulses were found. PLU_OK or PLU_IO. */
plu_status plu_initial_impulses(plu_problem *problem, const plu_solve_settings *settings,
                                plu_workspace *workspace, long *served, bool *found,
                                plu_error *err);

#endif
