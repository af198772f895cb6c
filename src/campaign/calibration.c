/* The points of a calibration: from cases to means and misfits, and which cases to add. */
#include "campaign/calibration.h"
#include "base/memory.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MOST = 10000, INPUTS_MOST = 256, UNIT = 1 << PLU_ROUNDS };

/* Degrees of freedom that the scatter of all points counts for in that of one. */
static const double prior = 2.0;

static int targets_of(const plu_calibration *c)
{
    return c->campaign->targets_count;
}

double plu_calibration_part(const plu_parameter *p, double at)
{
    return at / ((double)(p->count - 1) * UNIT);
}

/* --- points and their cases --- */

int plu_calibration_find(const plu_calibration *c, const int *at)
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
    point->mean = plu_alloc((size_t)targets_of(c) * 2, sizeof *point->mean, NULL);
    if (!point->mean)
        return -1;
    point->error = point->mean + targets_of(c);
    return c->points_count++;
}

/* Says that case `index`, the first one not noted, belongs to `point`. */
static plu_status note_case(plu_calibration *c, int index, int point)
{
    const size_t count = (size_t)index + 1, targets = (size_t)targets_of(c);
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
    const int there = plu_calibration_find(c, at);
    if (there >= 0)
        return there;
    const int point = add_point(c, at);
    return point >= 0 && add_cases(c, point, c->campaign->seeds) == PLU_OK ? point : -1;
}

/* --- the beginning --- */

/* The first grid, whose cases the campaign has already: seeds run fastest, then the last
 * parameter. */
static plu_status take_grid(plu_calibration *c)
{
    const plu_campaign *campaign = c->campaign;
    for (int i = 0; i < campaign->cases_count; i++) {
        int at[PLU_PARAMETERS] = {0};
        for (int p = campaign->parameters_count - 1, rest = i / campaign->seeds; p >= 0; p--) {
            at[p] = rest % campaign->parameter[p].count * UNIT;
            rest /= campaign->parameter[p].count;
        }
        const int point = i % campaign->seeds == 0 ? add_point(c, at) : c->points_count - 1;
        if (point < 0 || note_case(c, i, point) != PLU_OK)
            return PLU_IO;
    }
    return PLU_OK;
}

/* Whether the scene takes values between those of the grid: a count of spheres does not. */
static plu_status probe(plu_calibration *c, plu_error *err)
{
    int at[PLU_PARAMETERS];
    for (int p = 0; p < PLU_PARAMETERS; p++)
        at[p] = UNIT / 2;
    plu_case_scene made;
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
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s: a calibration begins with at most %d points; it refines by itself",
                        campaign->path, POINTS_MOST);
    plu_status status = probe(c, err);
    if (status != PLU_OK)
        return status;
    status = take_grid(c);
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

/* --- means and misfits --- */

double *plu_calibration_measures(plu_calibration *c, int index)
{
    return &c->measures[(size_t)index * (size_t)targets_of(c)];
}

static bool counts(const plu_calibration *c, const double *row)
{
    for (int t = 0; t < targets_of(c); t++)
        if (!isfinite(row[t]))
            return false;
    return true;
}

/* Means of target t into the points, sums of squared deviations into `squares`. */
static void sum_up(plu_calibration *c, int t, double *squares)
{
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < c->campaign->cases_count; i++) {
            const double *row = plu_calibration_measures(c, i);
            plu_point *point = &c->points[c->point_of[i]];
            if (!counts(c, row))
                continue;
            if (pass == 0)
                point->mean[t] += row[t] / point->counted;
            else
                squares[c->point_of[i]] += (row[t] - point->mean[t]) * (row[t] - point->mean[t]);
        }
}

/* Few seeds tell little of their own scatter: the variance of a point is drawn towards that of all
 * points (Smyth 2004, "Linear models and empirical Bayes methods", with a fixed prior). */
static void estimate_errors(plu_calibration *c, int t, const double *squares)
{
    double sum = 0.0, freedom = 0.0;
    for (int i = 0; i < c->points_count; i++) {
        sum += squares[i];
        freedom += c->points[i].counted > 1 ? c->points[i].counted - 1 : 0;
    }
    c->scatter_known = freedom > 0.0;
    const double common = c->scatter_known ? sum / freedom : 0.0;
    for (int i = 0; i < c->points_count; i++) {
        plu_point *point = &c->points[i];
        const double variance = (squares[i] + prior * common) / (point->counted - 1 + prior);
        point->error[t] = point->counted > 0 ? sqrt(variance / point->counted) : NAN;
    }
}

double plu_calibration_deviation(const plu_calibration *c, const plu_point *point, int t)
{
    const plu_target *target = &c->campaign->targets[t];
    return (point->mean[t] - target->value) / hypot(target->error, point->error[t]);
}

plu_status plu_calibration_judge(plu_calibration *c, plu_error *err)
{
    double *squares = plu_alloc((size_t)c->points_count, sizeof *squares, err);
    if (!squares)
        return PLU_IO;
    for (int i = 0; i < c->points_count; i++) {
        c->points[i].counted = 0;
        memset(c->points[i].mean, 0, (size_t)targets_of(c) * sizeof(double));
    }
    for (int i = 0; i < c->campaign->cases_count; i++)
        c->points[c->point_of[i]].counted += counts(c, plu_calibration_measures(c, i));
    for (int t = 0; t < targets_of(c); t++) {
        memset(squares, 0, (size_t)c->points_count * sizeof *squares);
        sum_up(c, t, squares);
        estimate_errors(c, t, squares);
    }
    for (int i = 0; i < c->points_count; i++) {
        plu_point *point = &c->points[i];
        point->chi2 = point->counted > 0 ? 0.0 : NAN;
        for (int t = 0; t < targets_of(c); t++) {
            const double z = plu_calibration_deviation(c, point, t);
            point->chi2 += z * z;
        }
    }
    free(squares);
    return PLU_OK;
}

plu_status plu_calibration_more_seeds(plu_calibration *c, int point)
{
    return add_cases(c, point, c->points[point].seeds);
}
