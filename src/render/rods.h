/* rods.h: lines of a model: rods, and rings of them. */
#ifndef RENDER_RODS_H
#define RENDER_RODS_H

#include "render/model.h"

extern const float plu_outline_rgb[3];

/* Adds a rod of radius r. PLU_OK or PLU_IO. */
plu_status plu_model_rod(plu_model *model, const double a[3], const double b[3], double r,
                         const float rgb[3], plu_error *err);

/* Adds an arrow head: a cone with its foot at a, where its radius is r, and its tip at b. */
plu_status plu_model_tip(plu_model *model, const double a[3], const double b[3], double r,
                         const float rgb[3], plu_error *err);

/* A point at `angle` of the circle of radius r around the center, u and v being normal to each
 * other and to its axis. */
void plu_ring_point(const double center[3], const double u[3], const double v[3], double r,
                    double angle, double point[3]);

/* Adds the sides of a polygon along that circle; none for radius 0. PLU_OK or PLU_IO. */
plu_status plu_model_ring(plu_model *model, const double center[3], const double u[3],
                          const double v[3], double radius, double r, plu_error *err);

#endif
