/* The answer of a calibration, for people and for programs: the point of least chi2, and the
 * extent of chi2 <= least + 1, one standard error for one parameter (F. James, Statistical Methods
 * in Experimental Physics, 2006). It counts as reached where the least chi2 is at most 4. With
 * more parameters than targets the best place means nothing, and only the extent of the valley is
 * given.
 *
 *   friction
 *     |          .'   chi2 <= least + 1      two parameters, one target: a valley, along
 *     |      .-'  .'                         which all points meet the target equally well;
 *     |   .-'  .-'                           its extent is given for each parameter, and
 *     | -'  .-'                              valley.csv has its course
 *     +---------------- rolling_friction */
#include "cli/base/text.h"
#include "cli/campaign/calibrate.h"
#include <math.h>
#include <stdio.h>

/* As many parameters as numbers: the best place means something. */
static bool determined(const plu_campaign *campaign)
{
    return campaign->parameters_count <= campaign->targets_count;
}

/* Points of which no seed has all measures: cases that failed, or numbers that are unknown. */
static int without_numbers(const plu_calibration *c)
{
    int count = 0;
    for (int i = 0; i < c->points_count; i++)
        count += c->points[i].counted == 0;
    return count;
}

/* --- words --- */

static void print_nearest(const plu_calibration *c, const plu_point *point)
{
    const plu_campaign *campaign = c->campaign;
    printf("nearest point");
    for (int p = 0; p < campaign->parameters_count; p++)
        printf("%s %s = %.6g", p ? "," : "", campaign->parameter[p].name, point->x[p]);
    printf(" (chi2 %.3g, %d seed%s)\n", point->chi2, point->counted,
           point->counted == 1 ? "" : "s");
    for (int t = 0; t < campaign->targets_count; t++) {
        const double z = plu_calibration_deviation(c, point, t);
        printf("              %s = %.6g +- %.2g, %.2g standard error%s too %s\n",
               campaign->targets[t].measure, point->mean[t], point->error[t], fabs(z),
               fabs(z) == 1.0 ? "" : "s", z > 0.0 ? "large" : "small");
    }
}

/* Where the valley goes on beyond both ends of the range, nothing is known of the parameter. */
static void print_extent(const plu_parameter *parameter, const plu_value_span *extent, bool best)
{
    printf("%-13s ", parameter->name);
    if (best)
        printf("%.6g, ", extent->best);
    if (extent->open_low && extent->open_high)
        printf("any value from %.6g to %.6g, its whole range\n", extent->low, extent->high);
    else
        printf("from %.6g to %.6g%s\n", extent->low, extent->high,
               extent->open_low    ? " (the lower bound is the end of its range)"
               : extent->open_high ? " (the upper bound is the end of its range)"
                                   : "");
}

static void print_reached(const plu_calibration *c, const plu_answer *answer)
{
    const plu_campaign *campaign = c->campaign;
    const double least = answer->limit - 1.0;
    printf("%s %s, where chi2 <= %.3g, the least chi2 + 1:\n",
           least > 1.0 ? "reproduced within two standard errors, not within one, by"
                       : "reproduced by",
           determined(campaign) ? "these values" : "a valley of values", answer->limit);
    for (int p = 0; p < campaign->parameters_count; p++)
        print_extent(&campaign->parameter[p], &answer->extent[p], determined(campaign));
    if (!determined(campaign))
        printf("note          %d parameters cannot be determined from %d value%s: all points of "
               "the valley\n"
               "              are equivalent; another measured quantity can distinguish them\n",
               campaign->parameters_count, campaign->targets_count,
               campaign->targets_count == 1 ? "" : "s");
}

/* A point at an end of the range says in which direction the range should be extended. */
static void print_not_reached(const plu_calibration *c, const plu_point *point)
{
    printf(
        "not reached   anywhere in the range: the least chi2 is above 4 (two standard errors)\n");
    for (int p = 0; p < c->campaign->parameters_count; p++) {
        const plu_parameter *parameter = &c->campaign->parameter[p];
        const bool low = point->x[p] == parameter->low, high = point->x[p] == parameter->high;
        if (low || high)
            printf("              %s is nearest at the %s end of its range, %.6g\n",
                   parameter->name, low ? "lower" : "upper", point->x[p]);
    }
}

void plu_calibrate_text(const plu_calibration *c, const plu_answer *answer, const char *folder)
{
    const plu_campaign *campaign = c->campaign;
    const plu_point *nearest = &c->points[answer->nearest];
    printf("              %s/" PLU_POINTS_CSV ", " PLU_VALLEY_CSV "\n", folder);
    if (c->round == 0)
        printf("points        %d, those of the first grid\n", c->points_count);
    else
        printf("points        %d in %d round%s of refinement\n", c->points_count, c->round,
               c->round == 1 ? "" : "s");
    for (int t = 0; t < campaign->targets_count; t++)
        printf("target        %s = %.6g +- %.2g\n", campaign->targets[t].measure,
               campaign->targets[t].value, campaign->targets[t].error);
    print_nearest(c, nearest);
    if (answer->reached)
        print_reached(c, answer);
    else
        print_not_reached(c, nearest);
    if (!c->scatter_known)
        printf("note          one seed per point: the scatter between seeds is unknown and taken "
               "as 0\n");
    if (without_numbers(c) > 0)
        printf("note          %d points do not have values of all targets; they are left out\n",
               without_numbers(c));
}

/* --- JSON --- */

static void print_point(const plu_campaign *campaign, const plu_point *point)
{
    plu_json_key("nearest", false);
    printf("{");
    for (int p = 0; p < campaign->parameters_count; p++)
        plu_json_real(campaign->parameter[p].name, point->x[p], p == 0);
    plu_json_integer("seeds", point->counted);
    plu_json_real("chi2", point->chi2, false);
    printf("}");
}

static void print_targets(const plu_calibration *c, const plu_point *nearest)
{
    const plu_campaign *campaign = c->campaign;
    plu_json_key("targets", false);
    printf("{");
    for (int t = 0; t < campaign->targets_count; t++) {
        plu_json_key(campaign->targets[t].measure, t == 0);
        printf("{");
        plu_json_real("value", campaign->targets[t].value, true);
        plu_json_real("error", campaign->targets[t].error, false);
        plu_json_real("nearest", nearest->mean[t], false);
        plu_json_real("nearest_error", nearest->error[t], false);
        plu_json_real("deviation", plu_calibration_deviation(c, nearest, t), false);
        printf("}");
    }
    printf("}");
}

static void print_parameters(const plu_campaign *campaign, const plu_answer *answer)
{
    plu_json_key("parameters", false);
    printf("{");
    for (int p = 0; p < campaign->parameters_count; p++) {
        const plu_value_span *extent = &answer->extent[p];
        plu_json_key(campaign->parameter[p].name, p == 0);
        printf("{");
        plu_json_real("best", determined(campaign) ? extent->best : NAN, true);
        plu_json_real("low", extent->low, false);
        plu_json_real("high", extent->high, false);
        plu_json_bool("open_low", extent->open_low);
        plu_json_bool("open_high", extent->open_high);
        printf("}");
    }
    printf("}");
}

void plu_calibrate_json(const plu_calibration *c, const plu_answer *answer, const char *folder)
{
    const plu_point *nearest = &c->points[answer->nearest];
    printf("{");
    plu_json_key("folder", true);
    plu_json_string(folder);
    plu_json_bool("reached", answer->reached);
    plu_json_bool("determined", determined(c->campaign));
    plu_json_real("chi2", answer->chi2, false);
    plu_json_real("limit", answer->limit, false);
    plu_json_integer("rounds", c->round);
    plu_json_integer("points", c->points_count);
    plu_json_integer("points_without_numbers", without_numbers(c));
    plu_json_integer("cases", c->campaign->cases_count);
    plu_json_bool("scatter_known", c->scatter_known);
    print_targets(c, nearest);
    print_point(c->campaign, nearest);
    print_parameters(c->campaign, answer);
    printf("}\n");
}
