/* view.h: what measures look at: the bodies and contacts of a world or of a frame of a file, in SI
 * units, and access to their rows. */
#ifndef PLUVIA_VIEW_H
#define PLUVIA_VIEW_H

#include "pluvia/frames.h"
#include "pluvia/world.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* A box with edges along the axes (m). Measures over a region take the grains whose center lies in
 * it and the contacts whose point does; NULL: all. */
typedef struct plu_region {
    double lower[3], upper[3];
} plu_region;

/* Rows of numbers in an array that is not owned: row i begins at `at + stride * i`. `at` NULL: not
 * known. */
typedef struct plu_rows {
    const double *at;
    int stride;
} plu_rows;

typedef struct plu_view {
    double time;                /* s */
    double gravity[3];          /* m/s^2 */
    int bodies;                 /* all; a body has the index that contacts name */
    const unsigned char *state; /* plu_body_state */
    const int *species;         /* index of the material; NULL: not known */
    const unsigned char *fixed; /* of those that are fixed `fixed_mark`; NULL: none is */
    unsigned char fixed_mark;
    plu_rows position, radius; /* m */
    plu_rows velocity, spin;   /* m/s, rad/s, world frame */
    plu_rows mass, inertia;    /* kg, kg m^2, or their inverses */
    bool inverse;              /* the inverses */
    int contacts;              /* -1: not known */
    const plu_contact_row *contact;
    double dt;      /* s: impulses of the contacts over dt are forces */
    int boundaries; /* of the scene that have a place; 0: all are where the scene has them */
    const plu_boundary_place *place;
    bool turning;                  /* one of them turns by an unknown spin, as in frames */
    const struct plu_scene *scene; /* its boundaries bound volumes; NULL: nothing does */
    const plu_world *world;        /* places the boundaries, of a view of a world; else NULL */
    plu_cell_box cell;             /* periodic; not `given`: space is open */
    double cell_rate[3][3];        /* m/s: of its edges; a world's has them, a frame's are zero */
} plu_view;

/* A view is valid until its world or frame changes, and as long as the scene. A world has no
 * contacts; plu_view_contacts adds those of a stepper or of a test. */
plu_view plu_view_world(const plu_world *world);
plu_view plu_view_frame(const plu_frame_data *frame, const struct plu_scene *scene);
void plu_view_contacts(plu_view *view, const plu_contact_row *contact, int count, double dt);
double plu_view_diameter(const plu_view *view); /* m, of the largest active sphere; 0 without */

static inline const double *plu_row(plu_rows rows, int i)
{
    return rows.at + (size_t)rows.stride * (size_t)i;
}

static inline bool plu_view_active(const plu_view *view, int body)
{
    return view->state[body] == PLU_ACTIVE;
}

/* Bodies that are fixed are solid as others, but they are a boundary: no grains. */
static inline bool plu_view_fixed(const plu_view *view, int body)
{
    return view->fixed && view->fixed[body] == view->fixed_mark;
}

/* Whether a body is a grain: active, and not fixed. */
static inline bool plu_view_grain(const plu_view *view, int body)
{
    return plu_view_active(view, body) && !plu_view_fixed(view, body);
}

static inline const double *plu_view_position(const plu_view *view, int body)
{
    return plu_row(view->position, body);
}

static inline double plu_view_radius(const plu_view *view, int body)
{
    return *plu_row(view->radius, body);
}

static inline double plu_view_mass(const plu_view *view, int body)
{
    const double m = *plu_row(view->mass, body);
    return view->inverse ? 1.0 / m : m;
}

static inline double plu_view_inertia(const plu_view *view, int body)
{
    const double inertia = *plu_row(view->inertia, body);
    return view->inverse ? 1.0 / inertia : inertia;
}

static inline bool plu_region_holds(const plu_region *region, const double x[3])
{
    if (region)
        for (int i = 0; i < 3; i++)
            if (!(x[i] >= region->lower[i] && x[i] <= region->upper[i]))
                return false;
    return true;
}

/* The smallest box around the grains (active spheres that are not fixed) above `base` (NAN: all),
 * not reaching below it. All NAN without grains. Along the directions of a periodic cell it is as
 * wide as that; a box of this width is one period also of a cell that is sheared. */
plu_region plu_measure_bounds(const plu_view *view, double base);

/* The view of a region of a periodic cell as if space were open: with copies of all bodies in
 * and around it across the sides of the cell, and of their contacts. For measures over this region;
 * of no use where there is none, for bodies may be in it more than once. Where space is open it is
 * the view itself. Valid as long as the view is; plu_unfolded_free frees it. PLU_OK, PLU_USAGE (the
 * region is many cells wide) or PLU_IO (no memory). */
typedef struct plu_unfolded {
    plu_view view;
    double (*bodies)[12];
    plu_contact_row *contacts;
    unsigned char *state, *fixed;
    int *species;
} plu_unfolded;

plu_status plu_view_unfold(plu_unfolded *unfolded, const plu_view *view, const plu_region *region,
                           plu_error *err);
void plu_unfolded_free(plu_unfolded *unfolded);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
