/* Measures of things that the scene has or has not: sensors, boundaries and stages. Their names
 * are known before anything runs:
 *
 *   sensors.outlet_mass_rate       a sensor "outlet" that gives mass_rate
 *   last.sensor_outlet_mass        the same as the trajectory stores it
 *   boundaries.2.position.0        the scene has at least three boundaries
 *   stages.1.ended                 ... and two stages
 *
 * The first case stands for all, unless the campaign changes the sensors themselves. */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include "cli/measure/measure_run.h"
#include "cli/measure/statistics.h"
#include "pluvia/tool/paths.h"
#include <stdio.h>
#include <string.h>

enum { NAME = 3 * PLU_NAME };

typedef struct names {
    plu_nearest nearest;
    char best[NAME];
    bool found;
} names;

static void try_name(names *n, const char *known)
{
    n->found = n->found || plu_same_name(n->nearest.word, known);
    plu_nearest_try_brief(&n->nearest, known, n->best, sizeof n->best);
}

static void try_sensors(names *n, const plu_case_scene *made)
{
    char known[NAME];
    const char *number;
    for (int s = 0; s < made->sensors_count; s++) {
        const plu_sensor_spec *sensor = &made->sensors[s];
        for (int k = 0; (number = plu_run_sensor_number(sensor->kind, k)); k++) {
            snprintf(known, sizeof known, "sensors.%s_%s", sensor->name, number);
            try_name(n, known);
        }
        for (int k = 0; k < plu_sensor_numbers(sensor->kind); k++) {
            snprintf(known, sizeof known, "last.sensor_%s_%s", sensor->name,
                     plu_sensor_number_name(sensor->kind, k));
            try_name(n, known);
        }
    }
}

static plu_status check_sensor(const char *name, const char *place, const plu_case_scene *made,
                               plu_error *err)
{
    names n = {.nearest = plu_nearest_start(name)};
    try_sensors(&n, made);
    if (n.found)
        return PLU_OK;
    if (made->sensors_count == 0)
        return plu_error_add(err, PLU_BAD_INPUT, "%s: there is no \"%s\": the scene has no sensors",
                             place, name);
    return plu_error_add(err, PLU_BAD_INPUT, "%s: no sensor of the scene gives \"%s\"%s%s%s", place,
                         name, *n.best ? "; did you mean \"" : "; its first sensor is \"",
                         *n.best ? n.best : made->sensors[0].name, *n.best ? "\"?" : "\"");
}

/* "boundaries.2.position.0" of a scene with two boundaries. */
static plu_status check_number(const char *name, const char *place, const char *group, int count,
                               plu_error *err)
{
    const size_t length = strlen(group);
    int number = -1, end = 0;
    if (strncmp(name, group, length) != 0 || sscanf(name + length, ".%d.%n", &number, &end) != 1 ||
        end == 0 || number < count)
        return PLU_OK;
    return plu_error_add(err, PLU_BAD_INPUT,
                         "%s: there is no \"%s\": the scene has %d %s, counted from 0", place, name,
                         count, group);
}

/* Whether the cases may have sensors of other names: all else is alike, an axis adds no entries. */
static bool sensors_vary(const plu_campaign *campaign)
{
    bool vary = false;
    for (int k = 0; k < campaign->keys.count; k++)
        vary = vary || strncmp(campaign->keys.text[k], "sensors", 7) == 0;
    return vary;
}

plu_status plu_sweep_check_things(const plu_case_sweep *sweep, const plu_case_scene *made,
                                  plu_error *err)
{
    static const char frame[] = "frame."; /* where result.json has the numbers of the last frame */
    const plu_campaign *campaign = &sweep->campaign;
    plu_status status = PLU_OK;
    for (int m = 0; m < campaign->measures.count; m++) {
        const char *name = campaign->measures.text[m], *place = campaign->places.text[m];
        plu_status bad = PLU_OK;
        plu_error unused = {0};
        plu_asked asked;
        if (plu_is_statistic(name)) {
            if (plu_asked_read(&asked, name, &unused) != PLU_OK)
                continue;
            name = asked.name;
        }
        if (strncmp(name, frame, sizeof frame - 1) == 0)
            name += sizeof frame - 1;
        if (strncmp(name, "sensors.", 8) == 0 || strncmp(name, "last.sensor_", 12) == 0)
            bad = sensors_vary(campaign) ? PLU_OK : check_sensor(name, place, made, err);
        else
            bad = check_number(name, place, "boundaries", made->boundaries_count, err);
        if (bad == PLU_OK)
            bad = check_number(name, place, "stages", made->stages.count, err);
        status = bad != PLU_OK ? bad : status;
    }
    return status;
}
