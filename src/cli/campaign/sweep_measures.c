/* The measures of a campaign: whether there are numbers of their names, found out as early as can
 * be.
 *
 *   before any case runs        names that no result can have (plu_sweep_check_measures)
 *   when the first case is done names that this scene does not have (plu_sweep_first_measures): an
 *                               error if all cases are of the same things, else a message
 *   when the table is written   names that no case had (plu_sweep_unseen_measures)
 *
 * result.json of a case contains what `pluvia measure --json` and `pluvia info --json` print,
 * below "measure" and "info": a measure "pile.angle" is its member "measure.frame.pile.angle". */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include "cli/measure/measure_series.h"
#include "cli/measure/statistics.h"
#include <math.h>
#include <string.h>

enum { NAME = 128, HINT = NAME + 32 };

/* Prefixes of measures in a result: from pluvia measure for the last frame and for the run, and
 * from pluvia info. */
static const char *const sources[] = {"measure.frame.", "measure.", "info."};
enum { SOURCES = sizeof sources / sizeof *sources };

/* A number; a text of that name, such as a title, is no measure. */
const plu_member *plu_sweep_measure(const plu_result *result, const char *name)
{
    char path[256];
    const plu_member *member = plu_sweep_statistic(result, name);
    for (int i = 0; i < SOURCES && !member; i++) {
        snprintf(path, sizeof path, "%s%s", sources[i], name);
        member = plu_result_find(result, path);
    }
    return member && !member->text ? member : NULL;
}

/* The name by which a campaign asks for a member; NULL: it is no measure. */
static const char *measure_name(const plu_member *member)
{
    for (int i = 0; i < SOURCES; i++)
        if (strncmp(member->name, sources[i], strlen(sources[i])) == 0)
            return member->text ? NULL : member->name + strlen(sources[i]);
    return NULL;
}

/* What the result has instead: "; did you mean "pile.height"?", or "". Written into `text`, which
 * is returned. */
static const char *hint_of(const plu_result *result, const char *name, char text[HINT])
{
    plu_nearest nearest = plu_nearest_start(name);
    for (int i = 0; i < result->count; i++) {
        const char *known = measure_name(&result->member[i]);
        if (known)
            plu_nearest_try(&nearest, known);
    }
    text[0] = '\0';
    if (nearest.best)
        snprintf(text, HINT, "; did you mean \"%s\"?", nearest.best);
    return text;
}

/* Whether a case that is done has it: one of an older version may have numbers that there are no
 * more. */
static bool some_case_has(const plu_case_sweep *sweep, const char *name)
{
    bool has = false;
    for (int i = 0; i < sweep->cases_count && !has; i++) {
        plu_result result;
        if (sweep->cases[i].state != PLU_CASE_DONE)
            continue;
        plu_sweep_result(sweep, i, &result);
        has = plu_sweep_measure(&result, name) != NULL;
        plu_result_free(&result);
    }
    return has;
}

plu_status plu_sweep_check_measures(const plu_case_sweep *sweep, plu_error *err)
{
    const plu_campaign *campaign = &sweep->campaign;
    plu_status status = PLU_OK;
    for (int m = 0; m < campaign->measures.count; m++) {
        const char *name = campaign->measures.text[m], *place = campaign->places.text[m];
        char meant[NAME];
        if (plu_is_statistic(name)) {
            const plu_status bad = plu_sweep_check_statistic(sweep, m, err);
            status = bad != PLU_OK ? bad : status;
            continue;
        }
        if (plu_measure_kind_of(name) != PLU_MEASURE_UNKNOWN || some_case_has(sweep, name))
            continue;
        if (plu_measure_meant(name, meant, sizeof meant))
            status = plu_error_add(err, PLU_BAD_INPUT,
                                   "%s: unknown measure \"%s\"; did you mean \"%s\"?", place, name,
                                   meant);
        else
            status = plu_error_add(err, PLU_BAD_INPUT,
                                   "%s: unknown measure \"%s\"; the names are those that \"pluvia "
                                   "measure --json\" and \"pluvia info --json\" print",
                                   place, name);
    }
    return status;
}

/* Whether all cases are made of the same things, so that each has the measures that the scene
 * decides about, or none has. */
static bool cases_are_alike(const plu_campaign *campaign)
{
    static const char *const values[] = {"contacts.", "materials.", "solver.",   "limits.",
                                         "gravity",   "seed",       "time.step", "time.theta"};
    for (int k = 0; k < campaign->keys.count; k++) {
        bool harmless = false;
        for (size_t i = 0; i < sizeof values / sizeof *values && !harmless; i++)
            harmless = strncmp(campaign->keys.text[k], values[i], strlen(values[i])) == 0;
        if (!harmless)
            return false;
    }
    return true;
}

plu_status plu_sweep_first_measures(const plu_case_sweep *sweep, int index, plu_error *err)
{
    const plu_campaign *campaign = &sweep->campaign;
    const char *first = campaign->cases[index].name;
    plu_status status = PLU_OK;
    plu_result result;
    plu_sweep_result(sweep, index, &result);
    for (int m = 0; m < campaign->measures.count; m++) {
        const char *name = campaign->measures.text[m], *place = campaign->places.text[m];
        char hint[HINT];
        const plu_member *member = plu_sweep_measure(&result, name);
        if (member && isnan(member->number) && plu_is_statistic(name))
            plu_message("%s: of %s, the first case that ended, \"%s\" is not known in any frame; "
                        "\"pluvia measure\" of its trajectory says why (stresses need "
                        "output.contacts = true)",
                        place, first, name);
        if (member)
            continue;
        hint_of(&result, name, hint);
        if (plu_measure_kind_of(name) == PLU_MEASURE_OF_SCENE && cases_are_alike(campaign))
            status = plu_error_add(err, PLU_BAD_INPUT,
                                   "%s: no case can have the measure \"%s\" if %s, the first that "
                                   "ended, has not; what has ended is kept%s",
                                   place, name, first, hint);
        else
            plu_message("%s: %s, the first case that ended, has no measure \"%s\"; others may have "
                        "it%s",
                        place, first, name, hint);
    }
    plu_result_free(&result);
    return status;
}

plu_status plu_sweep_unseen_measures(const plu_case_sweep *sweep, const bool *seen, plu_error *err)
{
    const plu_campaign *campaign = &sweep->campaign;
    plu_status status = PLU_OK;
    plu_result result;
    int done = 0;
    while (done < campaign->cases_count && sweep->cases[done].state != PLU_CASE_DONE)
        done++;
    if (done == campaign->cases_count)
        return PLU_OK;
    plu_sweep_result(sweep, done, &result);
    for (int m = 0; m < campaign->measures.count; m++) {
        const char *name = campaign->measures.text[m];
        char hint[HINT];
        if (!seen[m])
            status = plu_error_add(err, PLU_BAD_INPUT,
                                   "%s: no result has the measure \"%s\"; result.json of a case "
                                   "lists the measures%s",
                                   campaign->places.text[m], name, hint_of(&result, name, hint));
    }
    plu_result_free(&result);
    return status;
}
