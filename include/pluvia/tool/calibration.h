/* calibration.h: finds the parameters that reproduce measured values.
 *
 * A calibration is a campaign with targets (pluvia/tool/campaign.h). Its points, each a set of
 * parameters with some seeds, form a grid that is refined near the best fit; the misfit of a point
 * is
 *
 *     chi2 = sum over targets of z^2,   z = (mean - value) / sqrt(error^2 + s^2)
 *
 * with the mean over seeds and its standard error s. These functions run no cases: they add cases
 * to the campaign, and the caller provides their results (src/cli/campaign/calibrate.c). Which
 * cases are added depends on the results alone, so that a calibration can be repeated with kept
 * results. */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_CALIBRATION_H
#define PLUVIA_TOOL_CALIBRATION_H

#include "pluvia/tool/campaign.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PLU_ROUNDS = 8,                   /* rounds of refinement, at most: each halves the spacing */
    PLU_CORNERS = 1 << PLU_PARAMETERS /* of a cell of the grid, at most */
};

/* One set of parameters. */
typedef struct plu_point {
    int at[PLU_PARAMETERS]; /* 2^-PLU_ROUNDS of the spacing of the first grid, from the low end */
    double x[PLU_PARAMETERS];
    int round;            /* 0: of the first grid */
    int seeds;            /* number of its cases */
    int counted;          /* number of these that gave all values */
    double *mean, *error; /* of each target, and its standard error (0: unknown) */
    double chi2;          /* NaN: nothing counted */
} plu_point;

/* A box of the grid. Corner c has the upper value of parameter p if bit p of c is set. */
typedef struct plu_cell {
    int corner[PLU_CORNERS];   /* points */
    int level[PLU_PARAMETERS]; /* number of halvings along each parameter */
    bool divided;              /* into smaller cells */
} plu_cell;

typedef struct plu_calibration {
    plu_campaign *campaign; /* borrowed; grows */
    int round;              /* refinements made */
    int points_count, cells_count;
    size_t points_capacity, cells_capacity, cases_capacity, measures_capacity;
    plu_point *points;
    plu_cell *cells;
    int *point_of;      /* each case */
    double *measures;   /* a row of targets for each case, NaN: none */
    bool scatter_known; /* some point has two seeds or more */
} plu_calibration;

/* Starts a calibration with the first grid of a campaign. PLU_OK; PLU_BAD_INPUT: the campaign has
 * no targets, the grid is too large, or the scene does not accept values between those of the first
 * grid; PLU_IO. Call plu_calibration_free in any case. */
plu_status plu_calibration_begin(plu_calibration *c, plu_campaign *campaign, plu_error *err);
void plu_calibration_free(plu_calibration *c);

/* The array that the caller fills with the results of case `index`, one for each target; NaN: the
 * case has failed or has no such result. Owned by the calibration. */
double *plu_calibration_measures(plu_calibration *c, int index);
/* Computes means, errors and misfits of all points from the results. PLU_OK or PLU_IO. */
plu_status plu_calibration_judge(plu_calibration *c, plu_error *err);
/* z of target t at a point, NaN without results. */
double plu_calibration_deviation(const plu_calibration *c, const plu_point *point, int t);
/* One round of refinement, after plu_calibration_judge. It halves the cells that the valley
 * crosses, along the parameters that change a target by more than its error and significantly, and
 * doubles the seeds of points near the valley whose scatter exceeds the error of a target. *added:
 * number of new cases; 0: further refinement would not help. PLU_OK or PLU_IO. */
plu_status plu_calibration_refine(plu_calibration *c, int *added, plu_error *err);

/* --- the result, interpolated between the points (calibration_map.c) --- */

/* A contiguous part of a line along one parameter where chi2 stays below a limit. */
typedef struct plu_value_span {
    double best, low, high;
    double chi2;              /* at `best` */
    bool open_low, open_high; /* it ends only where the grid or its results end */
} plu_value_span;

/* The valley along the last parameter, the others given. */
typedef struct plu_valley {
    double given[PLU_PARAMETERS]; /* the last one is not */
    bool found;                   /* else only `span.best` and `.chi2`: the best of the line */
    plu_value_span span;
} plu_valley;

typedef struct plu_answer {
    int nearest;  /* the point with the smallest chi2; -1: no point has any result */
    double chi2;  /* least of the interpolated map, which may lie between points */
    bool reached; /* chi2 <= 4: all targets are met there within two standard errors */
    double limit; /* of chi2 for the valley: chi2 + 1 */
    plu_value_span extent[PLU_PARAMETERS]; /* of the whole valley along each parameter */
    int valley_count;
    size_t valley_capacity;
    plu_valley *valley; /* by rising given values; a value may have several parts or none */
} plu_answer;

/* The result, after plu_calibration_judge. PLU_OK, PLU_BAD_INPUT (no cell of the grid has results
 * at all of its corners) or PLU_IO. Call plu_answer_free in any case. */
plu_status plu_calibration_answer(plu_answer *answer, const plu_calibration *c, plu_error *err);
void plu_answer_free(plu_answer *answer);

#ifdef __cplusplus
}
#endif

#endif
