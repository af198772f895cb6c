/* The points of a calibration and their cases. A point is a place of the grid in whole numbers
 * (`at`, in units of 2^-PLU_ROUNDS of the first grid), so that corners which neighboring cells
 * share are one point and no rounding makes two of them; its cases are the seeds that it has been
 * given so far.
 *
 *   first grid   0         U        2U      U = PLU_GRID_UNIT
 *                o---------o---------o
 *   refined           .                     U/2: corners of halved cells, ...
 *                o----o----o---------o
 *
 *   value of a point   low + (high - low) at / ((count - 1) U), or the same of logarithms
 *
 * The value of a parameter goes through its text, so that a point and its case have the same bits.
 */
#include "base/memory.h"
#include "campaign/calibration.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INPUTS_MOST = 256 };

double plu_calibration_part(const plu_parameter *p, double at)
{
    return at / ((double)(p->count - 1) * PLU_GRID_UNIT);
}

static int calibration_find(const plu_calibration *c, const int *at)
{
    const size_t size = (size_t)c->campaign->parameters_count * sizeof *at;
    for (int i = 0; i < c->points_count; i++)
        if (memcmp(c->points[i].at, at, size) == 0)
            return i;
    return -1;
}

/* A point without cases; -1 without memory. */
static int add_point(plu_calibration *c, const int *at)
{
    const plu_campaign *campaign = c->campaign;
    if (plu_reserve(&c->points, &c->points_capacity, (size_t)c->points_count + 1, sizeof *c->points,
                    1, NULL) != PLU_OK)
        return -1;
    plu_point *point = &c->points[c->points_count];
    *point = (plu_point){.round = c->round, .chi2 = NAN};
    for (int p = 0; p < campaign->parameters_count; p++) {
        const plu_parameter *range = &campaign->parameter[p];
        char text[40];
        point->at[p] = at[p];
        point->x[p] = strtod(plu_range_value(range->logarithmic, range->low, range->high,
                                             plu_calibration_part(range, at[p]), text, sizeof text),
                             NULL);
    }
    point->mean = plu_alloc((size_t)plu_calibration_targets(c) * 2, sizeof *point->mean, NULL);
    if (!point->mean)
        return -1;
    point->error = point->mean + plu_calibration_targets(c);
    return c->points_count++;
}

/* Records that case `index`, which is the next one, belongs to `point`. */
static plu_status note_case(plu_calibration *c, int index, int point)
{
    const size_t count = (size_t)index + 1, targets = (size_t)plu_calibration_targets(c);
    if (plu_reserve(&c->point_of, &c->cases_capacity, count, sizeof *c->point_of, 1, NULL) !=
            PLU_OK ||
        plu_reserve(&c->measures, &c->measures_capacity, count * targets, sizeof *c->measures, 1,
                    NULL) != PLU_OK)
        return PLU_IO;
    c->point_of[index] = point;
    for (size_t t = 0; t < targets; t++)
        c->measures[(size_t)index * targets + t] = NAN;
    c->points[point].seeds++;
    return PLU_OK;
}

/* The k-th seed: those of the axis, then the numbers after the largest of them. */
static void seed_text(const plu_campaign *campaign, int k, char *text, size_t size)
{
    const int input = campaign->keys.count - 1;
    long long largest = 0;
    for (int i = 0; i < campaign->seeds; i++) {
        const long long seed = strtoll(campaign->cases[i].values[input], NULL, 10);
        largest = seed > largest ? seed : largest;
        if (i == k)
            snprintf(text, size, "%s", campaign->cases[i].values[input]);
    }
    if (k >= campaign->seeds) {
        const long long seed = largest + 1 + k - campaign->seeds;
        snprintf(text, size, "%lld%s", seed, seed > INT_MAX ? "L" : "");
    }
}

static plu_status add_cases(plu_calibration *c, int point, int count)
{
    plu_campaign *campaign = c->campaign;
    char text[PLU_PARAMETERS + 1][40], *values[INPUTS_MOST];
    for (int p = 0; p < campaign->parameters_count; p++) {
        const plu_parameter *range = &campaign->parameter[p];
        plu_range_value(range->logarithmic, range->low, range->high,
                        plu_calibration_part(range, c->points[point].at[p]), text[p],
                        sizeof text[p]);
        for (int i = 0; i < range->inputs; i++)
            values[range->input + i] = text[p];
    }
    plu_status status = PLU_OK;
    for (int k = 0; k < count && status == PLU_OK; k++) {
        if (campaign->seeded) {
            seed_text(campaign, c->points[point].seeds, text[PLU_PARAMETERS], sizeof text[0]);
            values[campaign->keys.count - 1] = text[PLU_PARAMETERS];
        }
        status = plu_campaign_add(campaign, values);
        if (status == PLU_OK)
            status = note_case(c, campaign->cases_count - 1, point);
    }
    return status;
}

int plu_calibration_point(plu_calibration *c, const int *at)
{
    const int there = calibration_find(c, at);
    if (there >= 0)
        return there;
    const int point = add_point(c, at);
    return point >= 0 && add_cases(c, point, c->campaign->seeds) == PLU_OK ? point : -1;
}

/* As many again as it has: each round halves the variance of its mean. */
plu_status plu_calibration_more_seeds(plu_calibration *c, int point)
{
    return add_cases(c, point, c->points[point].seeds);
}

plu_status plu_calibration_take_grid(plu_calibration *c)
{
    const plu_campaign *campaign = c->campaign;
    for (int i = 0; i < campaign->cases_count; i++) {
        int at[PLU_PARAMETERS] = {0};
        for (int p = campaign->parameters_count - 1, rest = i / campaign->seeds; p >= 0; p--) {
            at[p] = rest % campaign->parameter[p].count * PLU_GRID_UNIT;
            rest /= campaign->parameter[p].count;
        }
        const int point = i % campaign->seeds == 0 ? add_point(c, at) : c->points_count - 1;
        if (point < 0 || note_case(c, i, point) != PLU_OK)
            return PLU_IO;
    }
    return PLU_OK;
}
