/* shape.h: the shapes that boundaries can have, one row a shape and one file a row.
 *
 * A scene names shapes (plu_boundary_kind). A shape makes parts, and each part has a surface that
 * bodies meet: a box makes up to six rectangles, a cylinder a tube and a disc. Scene, detection,
 * files, measures and pictures ask the row of the shape or the surface of the part; none of them
 * knows which shapes there are. src/adding.md says how to add one. */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include "pluvia/boundary.h"
#include "pluvia/extension.h"
#include "pluvia/outline.h"
#include "shape/pose.h"

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

/* The parts made so far, in their order. */
typedef struct plu_parts {
    plu_part *part; /* owned by the maker of this */
    int count;
    size_t capacity;
    plu_status status; /* PLU_IO once memory ran out */
    plu_error *err;
    int boundary;
    plu_part spare; /* what is written to without memory */
} plu_parts;

/* A new part of boundary `parts->boundary` with the center, normal, radius and height of its
 * specification; all else is 0. Never NULL; to be filled before the next one is added. */
plu_part *plu_parts_add(plu_parts *parts, const plu_boundary_spec *spec,
                        const plu_surface *surface);

/* Receives the numbers that describe a boundary; `name` is that of an attribute in the file. */
typedef struct plu_describer {
    void (*real)(void *user, const char *name, int count, const double *values);
    void (*whole)(void *user, const char *name, int value);
    void (*text)(void *user, const char *name, const char *value);
    void *user;
} plu_describer;

/* A boundary that was just read from a scene, to be checked and completed. */
typedef struct plu_settling {
    plu_boundary_spec *spec;
    /* whether the scene gives the key `key` of the shape */
    bool (*given)(void *user, const char *key);
    /* Turns the path of a file, which the key `key` gives, into one from the working folder; false:
     * the file is not to be read; an error has been reported if it is wrong. */
    bool (*find)(void *user, const char *key, const char *given, char path[PLU_PATH]);
    /* complains of the key `key`: "boundaries[2].plate" followed by `text` */
    void (*complain)(void *user, const char *key, const char *text);
    void *user;
    const plu_extensions *extensions; /* shapes from outside are among these; NULL: none are */
    bool stored; /* of the scene of a result: what is not in it is not looked for */
} plu_settling;

/* Makes the vector of the key `key` a unit vector; complains where it has length 0 (false). */
bool plu_settle_unit(const plu_settling *s, const char *key, double vector[3]);

/* A shape: what a kind of boundary is for all others. */
typedef struct plu_shape {
    const char *name; /* its key in a scene */
    /* Checks what was read and completes it: directions become unit vectors. */
    void (*settle)(const plu_settling *s);
    /* Adds its parts. Returns NULL, or a sentence that says what is wrong with it. */
    const char *(*make)(const plu_boundary_spec *spec, plu_parts *parts);
    /* Visits the pieces that it is drawn with (pluvia/outline.h). */
    void (*outline)(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user);
    /* Tells the numbers that a trajectory keeps of it. */
    void (*describe)(const plu_boundary_spec *spec, const plu_describer *d);
} plu_shape;

/* A macro, so that a row without one of its fields does not compile. */
#define PLU_SHAPE(name, settle, make, outline, describe)                                           \
    {                                                                                              \
        name, settle, make, outline, describe                                                      \
    }

/* Every kind of plu_boundary_kind with its row; shape.c makes the table and asserts that no kind is
 * missing. */
#define PLU_SHAPES(ROW)                                                                            \
    ROW(PLU_PLANE, plu_shape_plane)                                                                \
    ROW(PLU_PLATE, plu_shape_plate)                                                                \
    ROW(PLU_DISC, plu_shape_disc)                                                                  \
    ROW(PLU_BOX, plu_shape_box)                                                                    \
    ROW(PLU_CYLINDER, plu_shape_cylinder)                                                          \
    ROW(PLU_FIXED_SPHERE, plu_shape_sphere)                                                        \
    ROW(PLU_CONE, plu_shape_cone)                                                                  \
    ROW(PLU_MESH, plu_shape_mesh)                                                                  \
    ROW(PLU_OWN_SHAPE, plu_shape_own)

#define PLU_SHAPE_DECLARE(kind, row) extern const plu_shape row;
PLU_SHAPES(PLU_SHAPE_DECLARE)
#undef PLU_SHAPE_DECLARE

/* The row of a kind. */
const plu_shape *plu_shape_of(plu_boundary_kind kind);

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
