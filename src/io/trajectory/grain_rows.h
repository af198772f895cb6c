/* grain_rows.h: numbers of single grains that a scene asks for (output.quantities), on their way to
 * a frame. */
#ifndef IO_TRAJECTORY_GRAIN_ROWS_H
#define IO_TRAJECTORY_GRAIN_ROWS_H

#include "io/trajectory/writer.h"

/* Whether the scene asks for any: then `grains` and `rows` of the writer are allocated. */
bool plu_grain_rows_asked(const struct plu_scene *scene);

/* Computes them of the last step; all zero where there was none (`info` NULL). */
void plu_grain_rows_take(plu_trajectory *t, const plu_step_info *info);

/* What was taken, one row a body (3, 9, 1 numbers), in the buffer of the writer. */
const double *plu_grain_rows_torque(const plu_trajectory *t);
const double *plu_grain_rows_stress(const plu_trajectory *t);
const double *plu_grain_rows_dissipation(const plu_trajectory *t);
const int *plu_grain_rows_coordination(const plu_trajectory *t);

#endif
