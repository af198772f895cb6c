/* front.h: walls between the camera and the spheres are drawn as outlines. */
#ifndef RENDER_FRONT_H
#define RENDER_FRONT_H

#include "render/model.h"

/* Replaces by outlines of thickness r (m) what hides a fifth of the balls from the eye: flat walls,
 * and of a mesh the triangles that have the eye on one side and the middle of the balls on the
 * other. PLU_OK or PLU_IO. */
plu_status plu_front_open(plu_model *model, const double eye[3], double r, plu_error *err);

#endif
