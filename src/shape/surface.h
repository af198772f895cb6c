/* surface.h: the parts of boundaries and their surfaces, as bodies meet them.
 *
 * Detection and the world ask the surface of a part, and need not know which shape of the scene it
 * is of (shape.h). */
#ifndef SHAPE_SURFACE_H
#define SHAPE_SURFACE_H

#include "shape/pose.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct plu_part plu_part;

/* What detection knows of a part. */
typedef struct plu_surface {
    /* Distance of the surface of the sphere (x, y, z, radius; 0: a point) from the part (m,
     * negative where they overlap) and the unit normal from the part to the sphere. A sphere has
     * one contact with a part, at its closest point, and none where that lies on another part that
     * is nearer (detect/minimum.h). The distance must change by no more than the center moves. */
    double (*gap)(const plu_part *part, const double sphere[4], double normal[3]);
    /* Whether a point that moves straight from `a` to `b` passes the surface to a side where bodies
     * are not meant to get to. A way that ends on it and one that begins there pass it once between
     * them. */
    bool (*passed)(const plu_part *part, const double a[3], const double b[3]);
    /* A box around the part; infinite where the part is. */
    void (*bounds)(const plu_part *part, double low[3], double high[3]);
    /* Whether the part stays what it is when it turns about this axis; NULL: it never does. */
    bool (*round)(const plu_part *part, const double center[3], const double axis[3]);
    /* Of a part whose closest point moves by no more than the center: how far this may move (m)
     * with the closest point still on `other`, which has one that is nearer by 1e-8 of the radius
     * and more; 0: not known. At most half the radius. NULL: it is never known. */
    double (*covered)(const plu_part *part, const plu_part *other, const double sphere[4]);
} plu_surface;

/* A macro, so that a surface without one of its functions does not compile. */
#define PLU_SURFACE(gap, passed, bounds)                                                           \
    {                                                                                              \
        gap, passed, bounds, NULL, NULL                                                            \
    }

/* One that can turn without becoming another. */
#define PLU_ROUND_SURFACE(gap, passed, bounds, round)                                              \
    {                                                                                              \
        gap, passed, bounds, round, NULL                                                           \
    }

/* One that continues in neighbors, as in a mesh. */
#define PLU_JOINED_SURFACE(gap, passed, bounds, covered)                                           \
    {                                                                                              \
        gap, passed, bounds, NULL, covered                                                         \
    }

/* Whether the axis of a rotation is that of a part: parallel to `axis` and, unless `anywhere`,
 * through `center`. To rounding. */
bool plu_is_axis_of(const double center[3], const double axis[3], const double about[3],
                    const double direction[3], bool anywhere);

/* Contacts name parts. */
struct plu_part {
    const plu_surface *surface;
    const plu_pose *pose; /* NULL: it stands still where it is made */
    int boundary;         /* index into scene->boundaries */
    int material;
    int wall; /* of its boundary: a sphere is attracted once by all parts of a wall that it touches
                 (assemble/wall_share.h); they follow each other */
    /* numbers of the surface, which says what they are (m) */
    double center[3];
    double normal[3];
    double axis[2][3];
    double half[2];
    double radius, height;
    bool alone; /* its contacts count wherever they are, and keep none of other parts from counting:
                   for parts that depend on where the sphere is (frustum.c) */
    double meridian[2], length, turn[2]; /* frustum.c: of a line of the surface its direction away
                                            from and along the axis, and its length; cosine and sine
                                            by which it is turned from the closest one */
    struct plu_own_use *own;             /* own_shape.c: the boundary that it belongs to */
    int number;                          /* own_shape.c: which part of that boundary it is */
};

/* Surfaces that several shapes use: */
extern const plu_surface plu_surface_rectangle; /* plate.c: two-sided, with edges; `axis`: unit
                                                   vectors along them, `half`: their halves */
extern const plu_surface plu_surface_disc;      /* disc.c: two-sided, with an edge */
extern const plu_surface plu_surface_triangle;  /* triangle.c: two-sided, with edges */
extern const plu_surface plu_surface_plane;     /* plane.c: a half space */

/* Flat ones have no curvature but at their edges. */
static inline bool plu_surface_is_flat(const plu_surface *surface)
{
    return surface == &plu_surface_plane || surface == &plu_surface_rectangle ||
           surface == &plu_surface_disc || surface == &plu_surface_triangle;
}

/* pose.c: the same as below for parts with a pose, where they are now. */
double plu_posed_gap(const plu_part *part, const double sphere[4], double normal[3]);
bool plu_posed_passed(const plu_part *part, const double a[3], const double b[3]);

/* The gap at a share of the coming step, and the velocity that the surface has there and then
 * (m/s).
 */
double plu_posed_gap_ahead(const plu_part *part, double step, double theta, double share,
                           const double sphere[4], double normal[3], double surface[3]);

static inline double plu_part_gap(const plu_part *part, const double sphere[4], double normal[3])
{
    return part->pose ? plu_posed_gap(part, sphere, normal)
                      : part->surface->gap(part, sphere, normal);
}

static inline bool plu_part_passed(const plu_part *part, const double a[3], const double b[3])
{
    return part->pose ? plu_posed_passed(part, a, b) : part->surface->passed(part, a, b);
}

/* The same for a way of the last step: `a` was there when the step began, and the part where it was
 * then. */
bool plu_part_passed_in_step(const plu_part *part, const double a[3], const double b[3]);

/* The same for a way that is straight from `a` to `bend`, where it is after the share `when` of the
 * step, and on to `b`. */
bool plu_part_passed_along(const plu_part *part, const double a[3], const double bend[3],
                           double when, const double b[3]);

/* How far a way in the frame of a part may be from the box around its ends (m). */
double plu_pose_sagitta(const plu_pose *pose, const double a[3], const double b[3]);

#endif
