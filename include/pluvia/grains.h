/* grains.h: numbers of single grains, from the contacts of one time: stress, torque, dissipation,
 * coordination. Those of boundaries count as those of other grains do.
 *
 * Source of the stress: Love (1927), Weber (1966), as in measure.h. */
#ifndef PLUVIA_GRAINS_H
#define PLUVIA_GRAINS_H

#include "pluvia/view.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* Of one body. A body that is fixed has only what its contacts give: what holds it is not known. */
typedef struct plu_grain {
    /* Mean stress in the sphere (Pa), compression positive: sigma = -1/V sum over its contacts of
     * f (x_c - x), f the force on it, x_c - x = +-r n, V = 4/3 pi r^3; [i][j]: force i, arm j. The
     * sum of V sigma over grains is that of plu_measure_stress times its volume. Grains that are
     * accelerated by forces at their surface have a tensor that is not symmetric. */
    double stress[3][3];
    double force[3];  /* N, of its contacts */
    double torque[3]; /* N m, of their forces and moments about its center */
    /* W, what friction, rolling and pivoting friction dissipate (plu_measure_dissipation): half of
     * it at a contact of two grains, all of it at one with a boundary or a fixed body. Not a number
     * where a contact has a moment and spins are not known, as of boundaries that turn in files. */
    double dissipation;
    int coordination; /* contacts that bear load, r_N > 0 */
} plu_grain;

/* Adds the contacts of a view to `grain`, which has one for each body of it, all zero before the
 * first. `spins`: the contacts have their spins, as those of a stepper do; in files they do not,
 * and the spins of bodies are taken, no boundary turning but where the view says so. Bodies that
 * are not active get nothing. Without contacts in the view (< 0), or dt, nothing is known, and
 * nothing is added. */
void plu_grains_add(plu_grain *grain, const plu_view *view, bool spins);

/* Room for what a frame of a trajectory does not have. */
typedef struct plu_grain_columns {
    size_t room;      /* bodies */
    plu_grain *grain; /* owned, as the arrays below */
    double (*force)[3], (*torque)[3], (*stress)[9], *dissipation;
    int *coordination;
} plu_grain_columns;

/* Adds to a frame force, torque, stress, dissipation and coordination where the file has none of
 * them, but has contacts (dissipation: and spins; NAN of bodies at a boundary while one turns by an
 * unknown spin). They are valid until the next call with these columns, which begin as zero. PLU_OK
 * or PLU_IO (no memory). */
plu_status plu_grains_complete(plu_grain_columns *columns, plu_frame_data *frame, plu_error *err);
void plu_grain_columns_free(plu_grain_columns *columns);

/* A third of the trace of the stress (Pa). */
double plu_grain_pressure(const plu_grain *grain);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
