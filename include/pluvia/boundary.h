/* boundary.h: the boundaries of a scene as the user wrote them: plain numbers and names in SI
 * units.
 */
#ifndef PLUVIA_BOUNDARY_H
#define PLUVIA_BOUNDARY_H

#include "pluvia/motion.h"
#include "pluvia/where.h"
#include <stdbool.h>

typedef enum plu_boundary_kind {
    PLU_PLANE,         /* half space below an infinite plane */
    PLU_PLATE,         /* finite rectangle, both sides and its edges */
    PLU_DISC,          /* finite disc, both sides and its edge */
    PLU_BOX,           /* rectangular container made of plates */
    PLU_CYLINDER,      /* cylinder: thin shell, optional bottom disc */
    PLU_FIXED_SPHERE,  /* solid sphere, or a spherical cavity in a solid */
    PLU_CONE,          /* cone, pointed or cut off: thin shell, optional bottom disc */
    PLU_MESH,          /* triangles of a file, both sides */
    PLU_OWN_SHAPE,     /* a shape registered by a program (pluvia/extension.h) */
    PLU_BOUNDARY_KINDS /* number of kinds */
} plu_boundary_kind;

enum { /* bits of plu_boundary_spec.faces */
       PLU_FACE_XMIN = 1,
       PLU_FACE_XMAX = 2,
       PLU_FACE_YMIN = 4,
       PLU_FACE_YMAX = 8,
       PLU_FACE_ZMIN = 16,
       PLU_FACE_ZMAX = 32
};

enum { PLU_OWN_NUMBERS = 64 }; /* at most, of a registered shape */

typedef struct plu_boundary_spec {
    plu_boundary_kind kind;
    char name[PLU_NAME]; /* optional; default: kind and number, "plate-1" */
    char material_name[PLU_NAME];
    int material;
    double center[3]; /* plane: any point of it; cylinder, cone: center of their first circle;
                         mesh, own: where the origin of the file or of the shape lies */
    double normal[3]; /* plane, plate, disc: unit vector after reading */
    double axis[3];   /* cylinder, cone: unit vector after reading, from `center` to the other end;
                         mesh, own: about which it is turned */
    double direction[3]; /* plate: its first edge, made normal to `normal`; 0: chosen (x, else y) */
    double size[2];      /* plate: full edge lengths along `direction` and normal x direction */
    double radius;       /* disc, cylinder, sphere */
    double radii[2];     /* cone: at `center` and at the other end; one may be 0 */
    double height;       /* cylinder, cone */
    bool bottom;         /* cylinder, cone: closed by a disc at `center` */
    bool inside;         /* sphere, mesh: bodies are inside */
    double box[2][3];    /* box: lower and upper corner */
    unsigned faces;      /* box: which faces exist */
    double scale;        /* mesh: m for each unit of the file */
    double angle;        /* mesh, own: by which it is turned about `axis` (rad) */
    char file[PLU_PATH]; /* mesh: relative to the working folder after reading */
    struct plu_mesh *mesh; /* mesh, own with triangles: owned by the scene, in place; NULL: a stored
                       scene whose triangles were not read (plu_trajectory_meshes) */
    char type[PLU_NAME];   /* own: the name of the shape */
    double numbers[PLU_OWN_NUMBERS]; /* own: arguments of its functions */
    int numbers_count;
    struct plu_own_use *own; /* own: of the library, owned by the scene; NULL: a stored scene */
    bool moves;              /* `motion` is given */
    plu_motion_spec motion;
    bool has_servo; /* `servo` is given */
    plu_servo_spec servo;
    double until;     /* s: time at which it is removed; 0: never */
    bool staged;      /* some stage of the scene moves it, adds it or removes it */
    bool absent;      /* it is not there in the present stage */
    bool added;       /* it is there from the beginning of the present stage on */
    int since, entry; /* the stage whose motion it follows, and its entry there; -1: the scene */
    bool displaced; /* `start` is given: it begins elsewhere than its shape says, by the next three
                     */
    double start_shift[3]; /* m */
    double start_angle;    /* rad, about start_axis through motion.center */
    double start_axis[3];  /* unit vector after reading */
    plu_where where;
} plu_boundary_spec;

#endif
