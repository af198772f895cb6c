/* calibration.h: declarations that the files of a calibration share. */
#ifndef CAMPAIGN_CALIBRATION_H
#define CAMPAIGN_CALIBRATION_H

#include "pluvia/tool/calibration.h"

/* Distance of neighboring points of the first grid, in units of plu_point.at; each round halves it.
 */
enum { PLU_GRID_UNIT = 1 << PLU_ROUNDS };

static inline int plu_calibration_targets(const plu_calibration *c)
{
    return c->campaign->targets_count;
}

/* --- calibration_points.c --- */

/* Where `at` (in units of plu_point.at) stands in the range of a parameter: 0 to 1. */
double plu_calibration_part(const plu_parameter *p, double at);
/* The point at the grid position `at`; -1: none. */
/* The same; a missing point is added with its cases. -1: out of memory. */
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
