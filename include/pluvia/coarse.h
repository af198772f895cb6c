/* coarse.h: continuous fields of density, velocity, stress, fabric and temperature from grains and
 * contacts, by coarse graining: I. Goldhirsch, "Stress, stress asymmetry and couple stress: from
 * discrete particles to continuous fields", Granular Matter 12, 239 (2010), equations 2, 3, 18, 19;
 * forces of boundaries as in T. Weinhart et al., "From discrete particles to continuum fields near
 * a boundary", Granular Matter 14, 289 (2012). They fulfill the balances of mass and momentum
 * exactly, for every width:
 *
 *   d rho / dt + div (rho u) = 0,   d (rho u) / dt + div (rho u u + stress) = rho g + wall forces
 *
 * Fields at a point are sums over grains (masses, momenta) and over the lines from the centers of
 * grains to their contacts (forces), each weighted by a function phi of the distance from the
 * point. It is Lucy's polynomial C (1 + 3 q) (1 - q)^3, q = distance / (2 w) < 1, of integral 1.
 *
 *                       phi          2 w from the point it is zero; half of its
 *                     .'''.          integral is within 0.7 w (on a line)
 *              ____.'       '.____
 *                |     w     |
 *
 * Fields on a line or a plane are means over the other directions of a region: phi of one or two
 * dimensions over the width of the region. Near a boundary fields fade within 2 w, for there is
 * nothing beyond. */
#ifndef PLUVIA_COARSE_H
#define PLUVIA_COARSE_H

#include "pluvia/view.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef struct plu_coarse_grid {
    bool along[3];     /* axes along which there are nodes; one at least */
    int size[3];       /* nodes; 1 along the others */
    double origin[3];  /* m, the first node */
    double spacing[3]; /* m; along an axis with nodes > 0 */
    plu_region over;   /* m: along the other axes what lies in it counts, its lower face included,
                        * its upper face not */
    double width;      /* m, w > 0 */
} plu_coarse_grid;

/* The fields at a node. NAN: not known (no velocities or contacts in the file), or a mean over
 * nothing. Pressures and compression are positive. */
typedef struct plu_coarse_node {
    double position[3]; /* m; along axes without nodes the middle of the region */
    double number;      /* 1/m^3, grains */
    double solid_fraction;
    double density;              /* kg/m^3, of the grains over all space */
    double velocity[3];          /* m/s, momentum over mass */
    double temperature;          /* m^2/s^2, a third of the mean square of v - u, by mass */
    double contact_stress[3][3]; /* Pa, of forces; [i][j]: force i, direction of the branch j */
    double kinetic_stress[3][3]; /* Pa, of velocities about u */
    double contacts;             /* 1/m^3, that bear load */
    double fabric[3][3];         /* mean of n n over these */
} plu_coarse_node;

/* Sums over frames, each of which counts alike: u is the mean momentum over the mean mass, and the
 * kinetic stress contains what velocities vary in time. */
typedef struct plu_coarse {
    plu_coarse_grid grid;
    long nodes, frames;
    bool moves, touches; /* all frames so far had velocities, contacts */
    double *sum;         /* owned */
} plu_coarse;

enum { PLU_COARSE_NODES = 4000000 }; /* of a grid at most */

/* Places the nodes of a grid that has `along`, `over` and `width`, about `spacing` (m) apart: in a
 * periodic cell as many as close the circle, else up to the far end, and where `over` is not given
 * by a user as far beyond both ends as grains are spread, so that the fields hold the whole mass.
 * Returns how many nodes these are; with more than PLU_COARSE_NODES the grid is not to be used. */
double plu_coarse_place(plu_coarse_grid *grid, const plu_cell_box *cell, double spacing,
                        bool given);
/* PLU_OK, PLU_USAGE (a grid without nodes or width) or PLU_IO (no memory); plu_coarse_free in any
 * case. */
plu_status plu_coarse_begin(plu_coarse *coarse, const plu_coarse_grid *grid, plu_error *err);
/* What must be in a view that is added: all within 2 w of the nodes (plu_view_unfold of it where
 * space is periodic). */
plu_region plu_coarse_reach(const plu_coarse_grid *grid);
/* Adds a frame. `counts`: by body of the view, whether it is one of those that the fields are of
 * (their contacts count with their own half); NULL: all. */
void plu_coarse_add(plu_coarse *coarse, const plu_view *view, const bool *counts);
/* Node `k`, x fastest, in [0, nodes). */
plu_coarse_node plu_coarse_at(const plu_coarse *coarse, long k);
void plu_coarse_free(plu_coarse *coarse);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
