/* From a camera to pixels, in two passes:
 *
 *    1. one ray through the middle of each pixel           what is hit, its light
 *    2. SUB rays, where the pixel differs from one of its eight neighbors in what is hit or by more
 *       than `contrast`, or lies in a half-shadow
 *
 *           camera            first hit (cells.c)
 *             o ------------------> (  )
 *                                   /  \___ light of the sky: share that neighbors leave open
 *                                  /        (plu_cells_open)
 *                           to points of the sun's disc: any hit is shadow (plu_cells_any)
 */
#include "base/memory.h"
#include "render/legend.h"
#include "render/shade.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Traces a picture. Each pixel first gets one ray through its middle; pixels that differ from their
 * neighbors get SUB rays. The result does not depend on the order of the pixels. */
enum { SUB = 8, LOOK_LIGHTS = 4, SUB_LIGHTS = PLU_LIGHTS / SUB };

static const float contrast = 0.03f; /* of the encoded color, that a neighbor may differ by */

typedef struct pixel {
    float rgb[3]; /* linear light */
    int seen;     /* what is hit */
    bool partly;  /* in a half-shadow */
} pixel;

/* Points of the sun for a pixel, turned by an angle that looks random. */
static plu_lights lights_of(unsigned x, unsigned y, int count, int all)
{
    unsigned h = x * 0x9E3779B1u ^ y * 0x85EBCA77u;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    h ^= h >> 12;
    h *= 0x297A2D39u;
    h ^= h >> 15;
    const double angle = h * (6.283185307179586 / 4294967296.0);
    return (plu_lights){count, 0, all, {cos(angle), sin(angle)}};
}

static bool trace_differ(const pixel *a, const pixel *b)
{
    if (a->seen != b->seen)
        return true;
    for (int k = 0; k < 3; k++) /* the square root stands in for the encoding */
        if (fabsf(sqrtf(a->rgb[k]) - sqrtf(b->rgb[k])) > contrast)
            return true;
    return false;
}

static bool needs_more(const pixel *image, int width, int height, int x, int y)
{
    const pixel *here = &image[(size_t)y * (size_t)width + (size_t)x];
    if (here->partly)
        return true;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height &&
                trace_differ(here, here + (long)dy * width + dx))
                return true;
    return false;
}

static void refine(const plu_studio *studio, const plu_camera *camera, int x, int y, float rgb[3])
{
    /* No two points share a row or a column of an 8 x 8 raster. */
    static const double row[SUB] = {1, 4, 7, 2, 5, 0, 3, 6};
    double sum[3] = {0.0, 0.0, 0.0};
    plu_lights lights = lights_of((unsigned)x, (unsigned)y, SUB_LIGHTS, PLU_LIGHTS);
    for (int s = 0; s < SUB; s++) {
        float one[3];
        bool partly;
        const plu_ray ray = plu_camera_ray(camera, x + (s + 0.5) / SUB, y + (row[s] + 0.5) / SUB);
        lights.first = (s * 3 % SUB) * SUB_LIGHTS;
        plu_shade(studio, &ray, &lights, one, &partly);
        for (int k = 0; k < 3; k++)
            sum[k] += one[k];
    }
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)(sum[k] / SUB);
}

static void trace(const plu_studio *studio, const plu_camera *camera, int width, int height,
                  int threads, pixel *image, unsigned char *rgb)
{
    (void)threads; /* used by OpenMP only */
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic, 4)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                pixel *p = &image[(size_t)y * (size_t)width + (size_t)x];
                const plu_ray ray = plu_camera_ray(camera, x + 0.5, y + 0.5);
                const plu_lights lights =
                    lights_of((unsigned)x, (unsigned)y, LOOK_LIGHTS, LOOK_LIGHTS);
                p->seen = plu_shade(studio, &ray, &lights, p->rgb, &p->partly);
            }
#pragma omp for schedule(dynamic, 4)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const size_t at = (size_t)y * (size_t)width + (size_t)x;
                float light[3];
                memcpy(light, image[at].rgb, sizeof light);
                if (needs_more(image, width, height, x, y))
                    refine(studio, camera, x, y, light);
                for (int k = 0; k < 3; k++)
                    rgb[3 * at + (size_t)k] = plu_color_encode(light[k]);
            }
    }
}

plu_status plu_trace(const plu_model *model, const plu_camera *camera, int width, int height,
                     int threads, unsigned char *rgb, plu_error *err)
{
    plu_studio studio;
    pixel *image = plu_alloc((size_t)width * (size_t)height, sizeof *image, err);
    plu_status status = image ? plu_studio_build(&studio, model, camera, err) : PLU_IO;
    if (status == PLU_OK)
        trace(&studio, camera, width, height, threads > 0 ? threads : omp_get_max_threads(), image,
              rgb);
    if (image)
        plu_studio_free(&studio);
    free(image);
    return status;
}
