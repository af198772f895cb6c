/* Windows of time of statistics against the times that runs have: where a run ends before, a cell
 * of the table is empty, or a mean of less than was asked for. */
#include "cli/base/text.h"
#include "cli/campaign/sweep.h"
#include "cli/measure/statistics.h"
#include <math.h>

static bool ask(const plu_case_sweep *sweep, int measure, plu_asked *asked)
{
    const char *text = sweep->campaign.measures.text[measure];
    plu_error unused = {0};
    return plu_is_statistic(text) && plu_asked_read(asked, text, &unused) == PLU_OK;
}

plu_status plu_sweep_check_windows(const plu_case_sweep *sweep, int index, double end,
                                   plu_error *err)
{
    plu_status status = PLU_OK;
    for (int m = 0; m < sweep->campaign.measures.count; m++) {
        plu_asked asked;
        if (ask(sweep, m, &asked) && asked.window.from > end * (1.0 + 1e-9))
            status = plu_error_add(err, PLU_BAD_INPUT,
                                   "%s: the window of \"%s\" begins after the end of %s at %g s "
                                   "(time.end)",
                                   sweep->campaign.places.text[m], sweep->campaign.measures.text[m],
                                   sweep->campaign.cases[index].name, end);
    }
    return status;
}

/* What is wrong with a statistic in the cases that are done. */
typedef struct shortcoming {
    int done, early, missing; /* cases; early: they end within or before the window */
    int first_early, first_missing;
    double end; /* s, of the first early one */
} shortcoming;

static void look_at_case(shortcoming *s, const plu_case_sweep *sweep, int index,
                         const plu_asked *asked, const char *text)
{
    plu_result result;
    plu_sweep_result(sweep, index, &result);
    const plu_member *end = plu_sweep_measure(&result, "run.time");
    const plu_member *value = plu_sweep_measure(&result, text);
    const plu_window *w = &asked->window;
    const double wanted = *asked->stage       ? -INFINITY
                          : isfinite(w->to)   ? w->to
                          : isfinite(w->from) ? w->from
                                              : -INFINITY;
    s->done++;
    if (end && end->number < wanted - 1e-6 * fabs(wanted)) {
        if (s->early++ == 0) {
            s->first_early = index;
            s->end = end->number;
        }
    } else if (value && isnan(value->number) && s->missing++ == 0) {
        s->first_missing = index;
    }
    plu_result_free(&result);
}

void plu_sweep_tell_windows(const plu_case_sweep *sweep)
{
    for (int m = 0; m < sweep->campaign.measures.count; m++) {
        const char *text = sweep->campaign.measures.text[m];
        const char *place = sweep->campaign.places.text[m];
        plu_asked asked;
        shortcoming s = {0};
        if (!ask(sweep, m, &asked))
            continue;
        for (int i = 0; i < sweep->cases_count; i++)
            if (sweep->cases[i].state == PLU_CASE_DONE)
                look_at_case(&s, sweep, i, &asked, text);
        if (s.early > 0)
            plu_message("%s: %d of %d cases end before the window of \"%s\" does, the first of "
                        "them, %s, at %g s: their values are of less time, or missing",
                        place, s.early, s.done, text, sweep->campaign.cases[s.first_early].name,
                        s.end);
        if (s.missing > 0)
            plu_message("%s: \"%s\" has no value in %d of %d cases, the first of them %s: %s",
                        place, text, s.missing, s.done, sweep->campaign.cases[s.first_missing].name,
                        *asked.stage ? "they did not come to that stage, or no frame of it knows it"
                                     : "no frame in the window knows it");
    }
}
