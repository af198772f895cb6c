/* model.h: the objects in a picture: spheres, walls, outlines and force chains of one frame. Its
 * rods are drawn by rods.c, walls before the spheres opened by front.c. */
#ifndef RENDER_MODEL_H
#define RENDER_MODEL_H

#include "pluvia/frames.h"
#include "render/camera.h"
#include "render/cells.h"

typedef struct plu_model {
    int balls, rods, facets, flats;
    int lines,
        outlines; /* the first `lines` rods are edges of walls, those up to `outlines` walls */
    plu_ball *ball;
    int *body;             /* of each ball */
    float (*balls_rgb)[3]; /* linear light */
    plu_rod *rod;
    float (*rods_rgb)[3];
    plu_facet *facet; /* of meshes */
    plu_flat *flat;
    const double (*orientation)[4]; /* of the bodies; NULL: no marks. Not owned */
    double size;                    /* m: mean radius of the balls */
    double tile;                    /* m: width of the squares on the walls */
    double clear; /* share of the light that walls let through; > 0: they cast no shadows */
    bool mantles; /* of cylinders and cones are surfaces, not lines only */
    size_t room_rods, room_rgb, room_facets, room_flats;
} plu_model;

/* The periodic cell of a frame, which ends with the spheres where it is open. */
plu_cell_box plu_model_cell(const plu_frame_data *frame);

/* Flat walls, meshes and the outlines of containers, and the edges of a periodic cell, where they
 * are in the frame (NULL: at the start), but for those that are `hidden` (by boundary; NULL: none
 * is); earlier ones are forgotten. Those between `eye` and the balls, which are there already, are
 * outlines (model.h); `eye` NULL: none is. PLU_OK or PLU_IO. */
plu_status plu_model_walls(plu_model *model, const struct plu_scene *scene, const bool *hidden,
                           double thickness, const plu_frame_data *frame, const double *eye,
                           plu_error *err);

/* Makes a gray ball of each active body but those whose center x has n . x > d, `cut` being n and d
 * (NULL: of all); replaces those of the last frame. */
plu_status plu_model_balls(plu_model *model, const plu_frame_data *frame, double scale,
                           const double *cut, plu_error *err);

/* Makes a rod of each contact, from center to center (or wall), with a radius proportional to the
 * normal force: `thickness` (m) for `strongest` (N). Forces below a hundredth of `strongest` are
 * left out, and those of bodies that `cut` leaves out (NULL: none). Replaces the rods of the last
 * frame. */
plu_status plu_model_chains(plu_model *model, const plu_frame_data *frame, double strongest,
                            double thickness, const double *cut, plu_error *err);

/* Adds an arrow at each ball, `vector` of its body (3 a body) times `scale` (m) long, for balls of
 * about the radius given (m). Those shorter than a fifth of it are left out. PLU_OK or PLU_IO. */
plu_status plu_model_arrows(plu_model *model, const plu_frame_data *frame, const double *vector,
                            double scale, double radius, plu_error *err);

void plu_model_free(plu_model *model);

/* --- lines of a model: rods, and rings of them --- */

extern const float plu_outline_rgb[3];

/* Adds a rod of radius r. PLU_OK or PLU_IO. */
plu_status plu_model_rod(plu_model *model, const double a[3], const double b[3], double r,
                         const float rgb[3], plu_error *err);

/* A point at `angle` of the circle of radius r around the center, u and v being normal to each
 * other and to its axis. */
void plu_ring_point(const double center[3], const double u[3], const double v[3], double r,
                    double angle, double point[3]);

/* Adds the sides of a polygon along that circle; none for radius 0. PLU_OK or PLU_IO. */
plu_status plu_model_ring(plu_model *model, const double center[3], const double u[3],
                          const double v[3], double radius, double r, plu_error *err);

/* --- walls between the camera and the spheres are drawn as outlines --- */

/* Replaces by outlines of thickness r (m) what hides a fifth of the balls from the eye: flat walls,
 * and of a mesh the triangles that have the eye on one side and the middle of the balls on the
 * other. PLU_OK or PLU_IO. */
plu_status plu_front_open(plu_model *model, const double eye[3], double r, plu_error *err);

#endif
