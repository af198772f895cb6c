/* calibration.h: what the parts of a calibration share. */
#ifndef CAMPAIGN_CALIBRATION_H
#define CAMPAIGN_CALIBRATION_H

#include "pluvia/calibration.h"

/* Of plu_point.at: the distance of neighbors in the first grid, halved in each round. */
enum { PLU_GRID_UNIT = 1 << PLU_ROUNDS };

static inline int plu_calibration_targets(const plu_calibration *c)
{
    return c->campaign->targets_count;
}

/* --- calibration_points.c --- */

/* Where `at` (in units of plu_point.at) stands in the range of a parameter: 0 to 1. */
double plu_calibration_part(const plu_parameter *p, double at);
/* The point there; -1: none. */
int plu_calibration_find(const plu_calibration *c, const int *at);
/* The same, made with its cases if there is none; -1: no memory. */
int plu_calibration_point(plu_calibration *c, const int *at);
/* Doubles the cases of a point. */
plu_status plu_calibration_more_seeds(plu_calibration *c, int point);
/* The points of the first grid, whose cases the campaign has already: seeds run fastest, then the
 * last parameter. PLU_OK or PLU_IO. */
plu_status plu_calibration_take_grid(plu_calibration *c);

/* --- calibration_grid.c --- */

plu_status plu_calibration_first_cells(plu_calibration *c);
/* The point with the smallest chi2; -1: no point has results. */
int plu_calibration_nearest(const plu_calibration *c);

#endif
