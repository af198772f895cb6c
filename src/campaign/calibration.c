/* Begins a calibration with its first grid. The whole of it:
 *
 *    first grid (calibration_grid.c) --> cases --> run (pluvia sweep) --> means, errors, chi2
 *                                          ^                              (calibration_grid.c)
 *                                          |                                      |
 *        new points, more seeds <-- halve cells that the valley crosses <---------+
 *                                                                                 |
 *                         raster of chi2 and the valley (calibration_map.c) <-----'
 *
 * One turn is a round. Points are corners of cells, in units of 2^-PLU_ROUNDS of the distance of
 * neighbors in the first grid. */
#include "campaign/calibration.h"
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 10000 };

/* Checks that the scene accepts values between those of the grid, which a number of spheres, for
 * example, does not. */
static plu_status probe(plu_calibration *c, plu_error *err)
{
    plu_case_scene made;
    const plu_status first = plu_case_scene_make(&made, c->campaign, 0, err);
    if (first != PLU_OK) /* it takes no value at all, for a reason of its own */
        return first;
    plu_case_scene_free(&made);
    int at[PLU_PARAMETERS];
    for (int p = 0; p < PLU_PARAMETERS; p++)
        at[p] = PLU_GRID_UNIT / 2;
    plu_calibration copy = {.campaign = c->campaign};
    plu_status status = plu_calibration_point(&copy, at) >= 0 ? PLU_OK : PLU_IO;
    if (status == PLU_OK) {
        status = plu_case_scene_make(&made, c->campaign, c->campaign->cases_count - 1, err);
        plu_case_scene_free(&made);
    }
    while (copy.points_count && copy.points[0].seeds-- > 0)
        plu_campaign_remove_last(c->campaign);
    plu_calibration_free(&copy);
    if (status == PLU_BAD_INPUT)
        plu_error_add(err, status,
                      "%s: a calibration searches between the values of its axes, so their keys "
                      "must take any number of the range",
                      c->campaign->path);
    return status;
}

plu_status plu_calibration_begin(plu_calibration *c, plu_campaign *campaign, plu_error *err)
{
    *c = (plu_calibration){.campaign = campaign};
    if (campaign->targets_count == 0)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s: targets is missing: a list of groups, ( { measure = ...; value = ...; "
                        "error = ...; }, ... )",
                        campaign->path);
    if (campaign->cases_count / campaign->seeds > POINTS_MOST)
        return plu_fail(
            err, PLU_BAD_INPUT,
            "%s: a calibration starts with at most %d points and refines the grid itself",
            campaign->path, POINTS_MOST);
    plu_status status = probe(c, err);
    if (status != PLU_OK)
        return status;
    status = plu_calibration_take_grid(c);
    if (status == PLU_OK)
        status = plu_calibration_first_cells(c);
    return status == PLU_OK ? PLU_OK : plu_fail(err, status, "out of memory");
}

void plu_calibration_free(plu_calibration *c)
{
    for (int i = 0; i < c->points_count; i++)
        free(c->points[i].mean);
    free(c->points);
    free(c->cells);
    free(c->point_of);
    free(c->measures);
    memset(c, 0, sizeof *c);
}
