/* adopt.h: what a scene takes over from a run that its bodies come from, where it says nothing
 * else: a periodic cell, and where boundaries begin. */
#ifndef SCENE_ADOPT_H
#define SCENE_ADOPT_H

#include "pluvia/scene.h"

/* Where a boundary begins, as in plu_boundary_spec. */
typedef struct plu_beginning_place {
    bool given;
    double shift[3], angle, axis[3];
} plu_beginning_place;

typedef struct plu_adopted {
    bool cell; /* there is one, with edges as in plu_cell_spec */
    double size[3], origin[3], tilt;
    unsigned periodic;
    plu_beginning_place *place; /* [boundaries_count] of the scene; owned by the caller */
} plu_adopted;

/* Whether some bodies come from a run that is asked for this (PLU_KEEP_...). */
bool plu_scene_keeps(const struct plu_scene *scene, unsigned what);

/* Whether the scene leaves the cell to such a run. */
bool plu_scene_lacks_cell(const struct plu_scene *scene);

/* Whether two boundaries have the same shape at the same place, their `start` and motion aside. */
bool plu_same_shape(const plu_boundary_spec *x, const plu_boundary_spec *y);

/* Takes over what the scene lacks, also into plu_scene.resolved: a result then says what was
 * simulated. PLU_OK, PLU_BAD_INPUT (one sentence: such a cell does not suit the scene) or PLU_IO.
 */
plu_status plu_scene_adopt(struct plu_scene *scene, const plu_adopted *adopted, plu_error *err);

#endif
