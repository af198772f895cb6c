/* start_adopt.h: what a scene takes over from the run that an entry of its bodies comes from:
 * the periodic cell, and where boundaries are. */
#ifndef IO_RUN_START_ADOPT_H
#define IO_RUN_START_ADOPT_H

#include "pluvia/frames.h"
#include "pluvia/scene.h"
#include "pluvia/start.h"

/* `frame` of the run that began with the scene `began`. Also notes in `entry` what its spheres
 * found where they were: the space and boundaries. PLU_OK, PLU_BAD_INPUT (one sentence) or PLU_IO.
 */
plu_status plu_start_adopt(struct plu_scene *scene, const plu_body_spec *spec,
                           const plu_frame_data *frame, const struct plu_scene *began,
                           plu_start_entry *entry, plu_error *err);

/* The motion of the cell of that run, which its velocities contain, is taken out of them: that of
 * the scene is added to all (plu_world_create_from). */
void plu_start_calm(const struct plu_scene *scene, const plu_frame_data *frame,
                    const struct plu_scene *began, plu_start_entry *entry);

#endif
