/* trace.h: from a model to the light in each pixel. */
#ifndef RENDER_TRACE_H
#define RENDER_TRACE_H

#include "render/model.h"

/* Light from a disc-shaped sun on the left behind the camera and from the sky. `rgb` has the
 * encoded colors, 3 a pixel. PLU_OK or PLU_IO. */
plu_status plu_trace(const plu_model *model, const plu_camera *camera, int width, int height,
                     int threads, unsigned char *rgb, plu_error *err);

#endif
