/* camera.h: the perspective camera: the ray of a pixel and the pixel of a point. */
#ifndef RENDER_CAMERA_H
#define RENDER_CAMERA_H

#include "pluvia/tool/render.h"
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

/* What has to be in the picture. A ball is if it lies within the four planes through the eye and
 * the edges of the picture, whose normals are known before the eye is: the largest values of normal
 * . center + |normal| radius say how far away the eye has to be. */
typedef struct plu_fit {
    double normal[4][3], most[4]; /* right, left, upper, lower */
    double slope[2];              /* of these planes against the line of sight */
    double back[2];               /* m: nearest and farthest along camera->back */
} plu_fit;

/* Sets the direction of the camera, and a fit that contains nothing. `margin` pixels on the right
 * are left for a legend, and `foot` below. */
void plu_camera_turn(plu_camera *camera, plu_fit *fit, const plu_render_options *options,
                     double margin, double foot);

void plu_fit_ball(plu_fit *fit, const plu_camera *camera, const double x[3], double r);

/* Places the eye such that all of the fit fills the picture. */
void plu_camera_aim(plu_camera *camera, const plu_fit *fit, const plu_render_options *options);

/* The ray through a point of the picture: x from the left, y from the top, in pixels. */
plu_ray plu_camera_ray(const plu_camera *camera, double x, double y);

#endif
