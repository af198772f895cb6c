/* outline.h: the surfaces of boundaries, for pictures and for files of other programs.
 *
 * Each boundary is described by pieces of a few simple kinds, so that code that draws boundaries
 * handles these kinds and not every shape of a scene. */
#ifndef PLUVIA_OUTLINE_H
#define PLUVIA_OUTLINE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef enum plu_piece_kind {
    PLU_SHEET,   /* flat: a rectangle, a disc or a whole plane */
    PLU_MANTLE,  /* the curved side of a cylinder or a truncated cone, open at both ends */
    PLU_GLOBE,   /* a solid sphere, or a cavity that contains bodies */
    PLU_TRIANGLE /* one of a mesh, counterclockwise from outside */
} plu_piece_kind;

struct plu_boundary_spec; /* pluvia/boundary.h */

/* One piece; lengths in m, directions are unit vectors of the world frame. */
typedef struct plu_piece {
    plu_piece_kind kind;
    bool container;   /* contains bodies: drawn so that they are visible */
    bool round;       /* sheet: a disc of radius half[0] */
    double center[3]; /* sheet: its middle; globe; mantle: center of its first circle */
    double axis[3];   /* sheet: normal, a container is on the side to which it points; mantle: from
                         its first circle to its second */
    double edge[3];   /* normal to `axis`; sheet: along the first edge */
    double half[2];   /* sheet: half the edges along `edge` and axis x edge; infinite: a plane */
    double radius[2]; /* mantle: of its circles; globe: twice its own */
    double height;    /* mantle: from circle to circle */
    double corner[3][3]; /* triangle */
} plu_piece;

/* The pose of a boundary: a point x of the scene is at position + R (x - center of its motion). */
typedef struct plu_boundary_place {
    double position[3]; /* m: of that center */
    double rotation[4]; /* R, a unit quaternion, scalar first */
    bool gone;          /* it was removed */
} plu_boundary_place;

/* Called for each piece; `user` is passed through from plu_boundary_outline. */
typedef void plu_piece_visit(void *user, const plu_piece *piece);

/* Visits the pieces of a boundary of a complete scene (plu_scene_read), always in the same order.
 */
void plu_boundary_outline(const struct plu_boundary_spec *spec, plu_piece_visit *visit, void *user);

/* As plu_boundary_outline for a boundary that has moved; nothing for one that is removed. */
void plu_boundary_outline_at(const struct plu_boundary_spec *spec, const plu_boundary_place *place,
                             plu_piece_visit *visit, void *user);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
