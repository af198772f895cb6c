/* camera.h: the perspective camera: the ray of a pixel and the pixel of a point. */
#ifndef RENDER_CAMERA_H
#define RENDER_CAMERA_H

#include "pluvia/render.h"
#include "render/shapes.h"

typedef struct plu_box {
    double low[3], high[3];
} plu_box;

typedef struct plu_camera {
    double eye[3], focus[3];         /* m: where it stands, what it looks at */
    double right[3], up[3], back[3]; /* unit vectors */
    double middle[2];                /* pixel of the target */
    double pixel;                    /* size of a pixel at distance 1 */
} plu_camera;

/* Aims the camera such that the box fills the picture, except `margin` pixels on the right, which
 * are left for a legend. */
void plu_camera_aim(plu_camera *camera, const plu_render_options *options, const plu_box *box,
                    double margin);

/* The ray through a point of the picture: x from the left, y from the top, in pixels. */
plu_ray plu_camera_ray(const plu_camera *camera, double x, double y);

#endif
