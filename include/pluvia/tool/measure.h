/* measure.h: measures of the state of a run at one time, and of the motion of a rolling sphere.
 *
 * Every measure takes a plu_view: bodies and contacts, borrowed from a world or from a frame of a
 * trajectory, so that both give the same numbers. Only active bodies count. A result is NAN if it
 * cannot be computed (no velocities or contacts in the file, nothing to average). Heights are along
 * z, against gravity.
 *
 * Sources: AB21 = Acary & Bourrier (2021); Radjai = Radjai, Jean, Moreau & Roux (1996), Phys. Rev.
 * Lett. 77, 274; Thornton (2000), Geotechnique 50, 43; Love (1927) and Weber (1966) for the stress
 * of contact forces; O'Sullivan (2011), Particulate Discrete Element Modelling, chapters 8-10. */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_MEASURE_H
#define PLUVIA_TOOL_MEASURE_H

#include "pluvia/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- what is measured --- */

/* The room in a box: the part of it on the inner side of the boundaries that enclose the spheres.
 * By it stress and solid fractions are divided. A boundary encloses those that its inner side holds
 * if the center of none in the box is beyond it:
 * - planes and the faces of boxes, continued without end; to where spheres press into them
 * - tubes and cones, from their first circle to their second, and their bottoms
 * - hollow spheres
 * each where it is at the time of the view, until it is removed. Volumes are exact for boxes and
 * for one upright tube in them, else sums over lines, right to 2e-4 of the box. Not taken into
 * account are plates, discs, meshes, shapes of programs, solid spheres, and tubes with spheres
 * outside; `left_out` counts pieces (triangles) of those that reach into the box. Of flat ones
 * normal to an axis only faces of boxes count, for the box around spheres ends at such plates by
 * itself. Fixed spheres are boundaries, too: their volume in the box is no room. */
typedef struct plu_room {
    double volume; /* m^3 */
    int left_out;
} plu_room;

plu_room plu_measure_room(const plu_view *view, const plu_region *box);

/* --- a heap (heap.c, pile.c, repose.c) --- */

/* What lies on the base: the level that carries most at the time of the view (heap.c has the rule
 * and a drawing). Floors are level sheets, that is planes, plates, discs, bottoms and faces of
 * boxes, and the triangles of meshes that are less than 45 degrees steep, each where it is by then;
 * a mesh that is not level as a whole is no base. The heap are the spheres that touch it, straight
 * or through others, with gaps of at most 0.2 radii: what still falls is not part of it, nor is
 * what lies elsewhere. */
typedef struct plu_heap {
    double base;          /* m; NAN: nothing level is below the spheres */
    plu_view view;        /* of the heap: all others are removed; without a base as it was */
    unsigned char *state; /* owned, borrowed by the view */
} plu_heap;

/* `base` NAN: it is found. Else the heap is the largest group of spheres above it that touch each
 * other, and the groups that lie at this level. PLU_OK or PLU_IO (no memory). */
plu_status plu_heap_find(plu_heap *heap, const plu_view *view, double base, plu_error *err);
void plu_heap_free(plu_heap *heap); /* accepts an empty one */

/* Whether a scene has a floor that can be a base, at its start. */
bool plu_scene_has_base(const struct plu_scene *scene);

/* A pile on a horizontal plate, as measured in AB21 section 6.2. */
typedef struct plu_pile {
    int spheres;        /* active spheres above `base`, which were counted */
    double height;      /* m, top of the highest sphere above `base` */
    double mean_height; /* m, mean height of the centers above `base` */
    int bottom;         /* spheres that touch the base: center below base + 1.05 radius */
    double mean_radius; /* m, mean horizontal distance of those from their centroid */
    double base_radius; /* m, largest distance of those from it, plus their radius */
} plu_pile;

/* Measures the active spheres whose center lies above the level z = `base`. */
void plu_measure_pile(plu_pile *pile, const plu_view *view, double base);

enum { PLU_SECTORS = 36 };

/* The angle of repose: that of the cone whose horizontal sections have the mean square distance
 * from the axis that those of the heap have (repose.c derives it). It is unbiased for cones of any
 * height from 4 diameters on, and independent of how dense the heap is packed. A layer, lower than
 * 1.5 mean diameters, has none, nor has what is flat on top with a flank narrower than one. */
typedef struct plu_repose {
    const char *none; /* why there is no angle, "no heap: ..."; NULL: there is one */
    double axis[2];   /* m: center of the solid volume */
    double height;    /* m, of the heap */
    int spheres;      /* those it is measured on: the largest group that touch each other */
    int sectors;      /* of azimuth, for the error */
    double angle;     /* rad; NAN: none */
    double error;     /* rad, its standard error; NAN: less than 3 sectors */
    double radius;    /* m: radius of the cone of centers at the base */
} plu_repose;

/* `sectors` in [1, PLU_SECTORS]. PLU_OK or PLU_IO (no memory). */
plu_status plu_measure_repose(plu_repose *repose, const plu_view *view, double base, int sectors,
                              plu_error *err);

/* --- packing (room.c, solid_cut.c, core.c) --- */

/* Solid fraction phi = solid / volume, porosity 1 - phi, void ratio (1 - phi) / phi. Where spheres
 * overlap their lens counts twice. Fixed spheres are no part of it. */
typedef struct plu_solid {
    double solid;  /* m^3, of the parts of spheres inside */
    double volume; /* m^3 */
} plu_solid;

/* In the room in a box. Spheres that are cut by its faces, edges or corners count with the part
 * inside, integrated over sections to 1e-6 of their volume. */
plu_solid plu_measure_solid(const plu_view *view, const plu_region *region);

/* In the room in the box of plu_measure_bounds; across the sides of a periodic cell spheres count
 * whole. */
plu_solid plu_measure_box(const plu_view *view, double base);

/* In the core of the packing on `base`: points more than `depth` above it and above what carries
 * the spheres elsewhere, more than `depth` below the surface, and horizontally more than `depth`
 * from the edge. The surface is the height map in which pits less than 2 `depth` wide are filled
 * (morphological closing by a square of that width), on cells of depth / 8; what carries the
 * spheres is the map of undersides, closed in the same way. With `depth` the largest diameter this
 * leaves out free surface, walls, floor and strays, where packings are looser; lone spheres and
 * single layers have no core, volume 0. PLU_OK or PLU_IO (no memory). */
plu_status plu_measure_core(plu_solid *core, const plu_view *view, double base, double depth,
                            plu_error *err);

/* --- energy (energy.c) --- */

/* Translational, rotational and potential energy -m g . x (J); NAN without the velocities needed.
 */
plu_energy plu_measure_energy(const plu_view *view);

/* Power that contacts dissipate (W), AB21 (43): -r_T . u_T, -m_R . omega_R, -m_P omega_P over dt,
 * with the velocities after the step; positive where energy is lost. Rolling and pivoting need
 * angular velocities, also those of boundaries: NAN if one that turns has a moment. */
typedef struct plu_dissipation {
    double sliding, rolling, pivoting;
} plu_dissipation;

plu_dissipation plu_measure_dissipation(const plu_view *view);

/* Energy since the first frame (J), from the observables of a trajectory. To rounding
 *   change = inserted - removed + impact + friction + rolling + theta + projection + cohesion
 *            + pivoting + boundary + cell,
 * `missing` is left minus right, `turned_over` the sum of the sizes of all terms. */
typedef struct plu_balance {
    double change, inserted, removed, impact, friction, rolling, theta, projection, cohesion;
    double pivoting, boundary, cell;
    double missing, turned_over;
    double created;    /* part of the works of contacts: plu_totals.created */
    double creating;   /* steps that created energy */
    double elastic;    /* penalty method: in the springs, at the start of the last step; else NAN */
    double dissipated; /* penalty method: energy dissipated by dampers and friction until then */
} plu_balance;

/* Balance of frame k. Terms that the file does not contain are NAN, and then `missing` is NAN, too.
 */
plu_status plu_measure_balance(plu_balance *balance, plu_frames *frames, long k, plu_error *err);

/* --- contacts (contacts.c) --- */

/* Mean number of loaded contacts (r_N > 0) of a grain. A contact with a wall counts once, a contact
 * between grains for both of them (O'Sullivan, 10.2). */
typedef struct plu_coordination {
    int grains;        /* in the region */
    int rattlers;      /* those with no or one contact: they carry no load (Thornton) */
    double all;        /* over all grains */
    double mechanical; /* without rattlers: (2 N_c - N_1)/(N - N_0 - N_1) */
} plu_coordination;

plu_status plu_measure_coordination(plu_coordination *coordination, const plu_view *view,
                                    const plu_region *region, plu_error *err);

enum { PLU_FORCE_BINS = 40 };

typedef struct plu_contact_numbers {
    int all, walls;       /* loaded contacts; those with a boundary */
    int mode[5];          /* by plu_contact_mode; open: those without load */
    double force;         /* N, mean normal force of loaded contacts */
    double force_largest; /* N */
    double force_spread;  /* standard deviation over the mean */
    /* beta in P(f) ~ exp(-beta f/<f>) above the mean, by maximum likelihood: one over the mean of
     * f/<f> - 1 there (the exponential tail of Radjai) */
    double tail;
    double density[PLU_FORCE_BINS];  /* P(f/<f>) in bins of a quarter; the last holds all beyond */
    double mobilized;                /* mean |r_T|/r_N of loaded contacts */
    double overlap, overlap_largest; /* m: mean over the overlapping, largest; 0 without */
    double overlap_ratio;            /* largest, over the smaller diameter of its pair */
} plu_contact_numbers;

void plu_measure_contacts(plu_contact_numbers *numbers, const plu_view *view,
                          const plu_region *region);

/* How well the impulses and velocities after a step obey the contact law (contacts.c). The sums are
 * over the loaded contacts that touched at the start of the step and do not bounce, and the most
 * that friction can dissipate at one is d = r_N (mu |u_T| + mu_r |omega_R| + mu_p |omega_P|):
 *
 *   possible     sum of d
 *   missed       sum of d + r_T.u_T + m.omega, over possible: 0 where friction dissipates all it
 *                can (Moreau's principle of maximum dissipation), > 0 elsewhere
 *   bipotential  the former and sum of r_N u_N, over possible: the error in the constitutive law by
 *                the bipotential d on p in K, u_N >= 0 (De Saxce & Feng, Mathematical and Computer
 *                Modelling 28, 1998); 0 by Coulomb's law, 1 by the associated law, which opens what
 *                slides
 *
 * NAN if nothing slides or rotates, if spins matter and are unknown, and for method =
 * "penalty", whose law has springs. */
typedef struct plu_law_errors {
    int contacts, left_out; /* evaluated; left out: landing or with restitution */
    double possible;        /* J */
    double missed, bipotential;
} plu_law_errors;

/* The laws are those of the scene. */
void plu_measure_law(plu_law_errors *errors, const plu_view *view, const struct plu_scene *scene,
                     const plu_region *region);

/* --- fabric and stress (fabric.c) --- */

/* Fabric F = <n n> over loaded contacts, trace 1 (O'Sullivan, 10.3). `anisotropy` is
 * sqrt(3/2 F' : F') with the deviator F' = F - I/3: 0 isotropic, 1 all normals parallel. */
typedef struct plu_fabric {
    int contacts;
    double tensor[3][3];
    double anisotropy;
} plu_fabric;

void plu_measure_fabric(plu_fabric *fabric, const plu_view *view, const plu_region *region);

/* Mean stress of contact forces (Love, Weber), compression positive:
 *   sigma = -1/V sum over grains in the region, over their contacts: f (x_c - x_i),
 * f the force on the grain, x_c the contact point on its surface; V the room in the region
 * (plu_measure_room). A contact of two grains in the region gives f times the branch vector, one
 * with a boundary its own lever arm. Without the kinetic part: grains nearly at rest. `region`
 * NULL: of all grains, over the room in the box of plu_measure_bounds in a periodic cell, else NAN;
 * NAN without grains. */
typedef struct plu_stress {
    double tensor[3][3]; /* Pa */
    double pressure;     /* trace / 3 */
    double deviator;     /* sqrt(3/2 s : s), s = sigma - p I */
} plu_stress;

void plu_measure_stress(plu_stress *stress, const plu_view *view, const plu_region *region);

/* --- fields (fields.c, pile.c): arrays are owned, plu_field_free frees them --- */

/* A grid of values, x fastest. */
typedef struct plu_field {
    int size[3];      /* cells; size[2] = 1 for a map */
    double origin[3]; /* m, lower corner */
    double cell[3];   /* m */
    double *value;
} plu_field;

void plu_field_free(plu_field *field); /* accepts an empty field */

/* Height of the highest point of spheres above `base` over the center of each cell; 0 where none
 * is. Cells at least `cell` wide cover the spheres above `base`, at most 2048 along a side. */
plu_status plu_measure_height(plu_field *field, const plu_view *view, double base, double cell,
                              plu_error *err);

/* Solid volume over volume of each cell of a region, also where a boundary cuts the cell. A sphere
 * is cut into 32 x 32 columns over the square around it, each column exactly into the cells along
 * z; the columns are scaled to the exact volume of the sphere. */
plu_status plu_measure_packing(plu_field *field, const plu_view *view, const plu_region *region,
                               const int size[3], plu_error *err);

/* Means in slabs of height (vertical) or in rings around an axis (radial). */
typedef struct plu_profile_row {
    double from, to; /* m: levels z, or radii */
    int grains;      /* centers inside */
    double solid;    /* m^3, by the columns above */
    double volume;   /* m^3, of the room in the slab, or of the ring below the surface */
    double height;   /* m, rings: mean height of the surface; slabs: NAN */
    double speed;    /* m/s, mean over the grains; NAN without */
} plu_profile_row;

/* `rows` slabs of equal height over the region; the room in them is that of the whole region. */
plu_status plu_measure_vertical(plu_profile_row *row, int rows, const plu_view *view,
                                const plu_region *region, plu_error *err);

/* `rows` rings of width `ring` around `axis`, over the spheres above `base`. */
plu_status plu_measure_radial(plu_profile_row *row, int rows, const plu_view *view, double base,
                              const double axis[2], double ring, plu_error *err);

/* --- a rolling sphere (rolling.c) --- */

/* The state of a single sphere at one time; NAN: not in the file. */
typedef struct plu_roll_sample {
    double time, position[3], velocity[3], spin[3];
    double normal, friction, moment; /* r_N, |r_T| (N), |m_R| (N m), 0 in flight */
} plu_roll_sample;

plu_roll_sample plu_roll_sample_of(const plu_view *view, int body);

typedef enum plu_roll_mode { /* bits */
                             PLU_ROLL_REST = 0,
                             PLU_ROLL_SLIDES = 1, /* slips on the plane */
                             PLU_ROLL_TURNS = 2   /* spins about a tangent of it */
} plu_roll_mode;

typedef struct plu_roll_phase {
    int mode;
    double from, to;         /* s */
    double friction, moment; /* means of |r_T|/r_N and |m_R|/r_N (m) in it */
} plu_roll_phase;

enum { PLU_ROLL_PHASES = 16 };

/* The motion of a sphere on a plane, AB21 section 6.1. Slip is |u_T|, u_T = v - omega x R n. Speeds
 * below 1e-4 of the largest at the start count as none. Since all speeds are linear in time between
 * changes of mode, the time of a change is where the line through the two samples next to it
 * meets zero: not limited to the interval of the frames. No phases without velocities. */
typedef struct plu_rolling {
    int phases_count;
    plu_roll_phase phases[PLU_ROLL_PHASES];
    double stop_time;     /* s; NAN: still moves */
    double stop_distance; /* m along the plane from the first sample; NAN: still moves */
} plu_rolling;

void plu_measure_rolling(plu_rolling *rolling, const plu_roll_sample *sample, long count,
                         const double normal[3], double radius);

#ifdef __cplusplus
}
#endif

#endif
