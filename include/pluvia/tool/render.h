/* render.h: pictures of a trajectory by ray tracing, without a display or another program.
 *
 * plu_render_create reads the frames to be drawn and determines what all pictures share: the
 * camera, the colors and their legend. The pictures do not depend on the number of threads. */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_RENDER_H
#define PLUVIA_TOOL_RENDER_H

#include "pluvia/frames.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plu_render plu_render;

/* A picture: rows from the top, pixels from the left, red, green and blue as in sRGB. */
typedef struct plu_picture {
    int width, height;
    unsigned char *rgb; /* 3 width height bytes, owned */
} plu_picture;

typedef struct plu_render_options {
    int width, height; /* pixels */
    int threads;       /* 0: as many as OpenMP has */
    long first, last;  /* frames that will be drawn; camera and colors fit all of them */

    double azimuth, elevation; /* direction of the camera (degrees): azimuth from x towards y, seen
                                * from the target; elevation above the horizon */
    double zoom; /* 1: all spheres fill the picture, with the container that they are in unless it
                  * is much larger; 2: twice as large */
    double distance; /* m from the camera to the target, for pictures at the same scale; 0: as
                      * far as all spheres need */
    bool all;        /* show all spheres; else those far from 95 % of them may be outside */
    bool has_target;
    double target[3]; /* m: target in the middle of the picture; else the center of the spheres */

    const char *color; /* name of a quantity (src/render/quantity.c); NULL: "species" where there
                        * are several, else "none" */
    bool has_range;
    double range[2];    /* of the quantity; else from the smallest to the largest value */
    bool marks;         /* checkered spheres, which show their rotation */
    bool chains;        /* contact forces as rods, small spheres */
    bool legend;        /* color bar, time */
    const char *arrows; /* velocity, angular_velocity, force or torque at the spheres; NULL: none */
    double arrow_length; /* factor; 0 is 1: the longest of all frames is 6 mean radii */
    double ball_size;    /* drawn radius over radius; 0: 1, with `chains` 0.3, with `arrows` 0.5 */
    bool solid;     /* walls between the camera and the spheres are drawn, not their outlines */
    bool has_walls; /* all walls are drawn with this opacity, 0 to 1, also those in front and the
                     * mantles of cylinders and cones, which are lines otherwise */
    double walls;
    bool has_cut; /* spheres whose center x has cut[0..2] . x > cut[3] (m) are left out, with their
                     chains and arrows */
    double cut[4];
    const char *hide; /* names of boundaries that are not drawn, with commas between; NULL: none */
} plu_render_options;

/* 1200 x 900 with a legend, seen from 30 degrees above and from the front, frames 0 to 0. */
plu_render_options plu_render_defaults(void);

/* `frames` and `scene` (its boundaries and materials are drawn) must outlive the render; the
 * options are copied. PLU_OK, PLU_USAGE (an invalid option; a quantity that the file
 * does not contain; an unknown boundary to hide), PLU_BAD_INPUT (damaged file) or PLU_IO. */
plu_status plu_render_create(plu_render **render, plu_frames *frames, const struct plu_scene *scene,
                             const plu_render_options *options, plu_error *err);
void plu_render_destroy(plu_render *render); /* accepts NULL */

/* Draws frame k. On success the caller frees the picture with plu_picture_free. */
plu_status plu_render_frame(plu_render *render, long k, plu_picture *picture, plu_error *err);

/* How many frames are drawn at the same time, each by one thread; 1: one after the other, each by
 * all threads. At most one for each thread, and fewer of many bodies, for the sake of memory. */
int plu_render_at_once(const plu_render *render);

/* Draws frames first to first + count - 1, the same pictures as plu_render_frame. The caller frees
 * them. On failure there are the pictures before the first frame that failed; the others are
 * empty. */
plu_status plu_render_frames(plu_render *render, long first, long count, plu_picture *picture,
                             plu_error *err);

/* Writes a PNG file. PLU_OK or PLU_IO. */
plu_status plu_picture_write(const plu_picture *picture, const char *path, plu_error *err);
void plu_picture_free(plu_picture *picture);

#ifdef __cplusplus
}
#endif

#endif
