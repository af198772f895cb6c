/* shade.h: the nearest object that a ray hits, the light that it reflects, the light in each pixel.
 */
#ifndef RENDER_SHADE_H
#define RENDER_SHADE_H

#include "render/model.h"

enum { PLU_LIGHTS = 24 }; /* shadow rays for a pixel, at most: points of the sun's disc */

typedef struct plu_studio {
    const plu_model *model;
    plu_cells cells;
    double sun[3], sun_u[3], sun_v[3];          /* towards the light; across it */
    double disc[PLU_LIGHTS + 1][PLU_LIGHTS][2]; /* points of the sun: [n] are n of them */
    double near;                                /* m: how far a shadow ray begins off its surface */
    double reach;                               /* m: how far neighbors hide the sky */
    double haze;                                /* m: where infinite planes have faded */
} plu_studio;

/* The points of the sun's disc to which shadow rays go: `count` of `all` points from `first` on,
 * rotated by an angle. */
typedef struct plu_lights {
    int count, first, all;
    double turn[2]; /* its cosine and sine */
} plu_lights;

/* PLU_OK or PLU_IO; plu_studio_free in any case. The model must outlive the studio. */
plu_status plu_studio_build(plu_studio *studio, const plu_model *model, const plu_camera *camera,
                            plu_error *err);
void plu_studio_free(plu_studio *studio);

/* The light that comes back along the ray, linear; returns what was hit: a ball, then rods, then
 * flats; -1: nothing. `partly`: some of the sun was hidden and some not. */
int plu_shade(const plu_studio *studio, const plu_ray *ray, const plu_lights *lights, float rgb[3],
              bool *partly);

/* --- from a model to the light in each pixel --- */

/* Light from a disc-shaped sun on the left behind the camera and from the sky. `rgb` has the
 * encoded colors, 3 a pixel. PLU_OK or PLU_IO. */
plu_status plu_trace(const plu_model *model, const plu_camera *camera, int width, int height,
                     int threads, unsigned char *rgb, plu_error *err);

#endif
