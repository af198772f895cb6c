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
#include "shape/surface.h"

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

#endif
