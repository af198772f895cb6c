/* A pass over up to 48 of the frames that will be drawn, for what all pictures share: box, range
 * of colors, largest force. Outliers are left out of the box: what lies outside the middle 95 % of
 * the bodies by more than half the width of that range plus a diameter, so that one stray sphere
 * does not make all others small.
 *
 *   .   |<------- 95 % of the bodies ------->|         .       .
 *   out |       w/2 + d beyond it still in    - - - - >|  in   | out
 *
 *   frames  first ... last: those with the numbers first + span i / looks, so that both ends are in
 */
#include "render/survey.h"
#include "base/memory.h"
#include "render/model.h"
#include <stdlib.h>
#include <string.h>

enum { LOOKS = 48, SAMPLE = 4096, FEW = 10 };

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

long plu_survey_looks(const plu_render_options *options)
{
    const long span = options->last - options->first;
    return span < LOOKS ? span : LOOKS;
}

long plu_survey_look(const plu_render_options *options, long i)
{
    const long span = options->last - options->first, looks = plu_survey_looks(options);
    return options->first + (looks ? span * i / looks : 0);
}

/* Bounds of the active bodies along axis k; false: there are none. Unless `all`, outliers such as
 * spheres that have rolled away are left out: those that lie outside the middle 95 % of the bodies
 * (of few bodies: all but one at each end) by more than half the width of that range plus a
 * diameter. */
static bool bounds(const plu_frame_data *frame, int k, bool all, double *low, double *high)
{
    double sample[SAMPLE];
    const int stride = 1 + frame->bodies / SAMPLE;
    double largest = 0.0;
    int count = 0;
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < frame->bodies; i++) {
        const double x = frame->position[i][k], r = frame->radius[i];
        if (frame->state[i] != PLU_ACTIVE || !isfinite(x))
            continue;
        largest = plu_max(largest, r);
        if (i % stride == 0)
            sample[count++] = x;
        *low = plu_min(*low, x - r);
        *high = plu_max(*high, x + r);
    }
    if (all || count < FEW)
        return *low < *high;
    qsort(sample, (size_t)count, sizeof *sample, by_size);
    const int out = count < 40 ? 1 : count / 40;
    const double first = sample[out], last = sample[count - 1 - out];
    const double beyond = 0.5 * (last - first) + 2.0 * largest;
    *low = plu_max(*low, first - beyond);
    *high = plu_min(*high, last + beyond);
    return true;
}

static void look_at_cell(plu_survey *survey, const plu_frame_data *frame)
{
    const plu_cell_box cell = plu_model_cell(frame);
    for (int corner = 0; corner < 8 && cell.given; corner++)
        for (int i = 0; i < 3; i++) {
            double x = cell.origin[i];
            for (int k = 0; k < 3; k++)
                x += (corner >> k & 1) * cell.edge[k][i];
            survey->box.low[i] = plu_min(survey->box.low[i], x);
            survey->box.high[i] = plu_max(survey->box.high[i], x);
        }
}

static void look_at_bodies(plu_survey *survey, const plu_frame_data *frame, bool all)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < frame->bodies; i++)
        if (frame->state[i] == PLU_ACTIVE) {
            sum += frame->radius[i];
            count++;
        }
    if (count)
        survey->radius = sum / count;
    for (int k = 0; k < 3; k++) {
        double low, high;
        if (!bounds(frame, k, all, &low, &high))
            continue;
        survey->box.low[k] = plu_min(survey->box.low[k], low);
        survey->box.high[k] = plu_max(survey->box.high[k], high);
    }
    look_at_cell(survey, frame);
    for (int i = 0; i < frame->contacts; i++)
        survey->strongest =
            plu_max(survey->strongest, frame->contact[i].impulse_normal / frame->dt);
}

/* The values that all but a fiftieth of the bodies have, from below and from above: forces and
 * stresses of a few are many times those of the others. False: there are none. */
static bool most_values(const plu_frame_data *frame, const double *value, double range[2])
{
    double sample[SAMPLE];
    const int stride = 1 + frame->bodies / SAMPLE;
    int count = 0;
    for (int i = 0; i < frame->bodies; i += stride)
        if (frame->state[i] == PLU_ACTIVE && isfinite(value[i]))
            sample[count++] = value[i];
    if (count == 0)
        return false;
    qsort(sample, (size_t)count, sizeof *sample, by_size);
    range[0] = sample[count / 50];
    range[1] = sample[count - 1 - count / 50];
    return true;
}

static void look_at_values(plu_survey *survey, const plu_frame_data *frame, const double *value,
                           bool tail)
{
    double most[2];
    for (int i = 0; i < frame->bodies; i++)
        if (frame->state[i] == PLU_ACTIVE && isfinite(value[i])) {
            survey->all[0] = plu_min(survey->all[0], value[i]);
            survey->all[1] = plu_max(survey->all[1], value[i]);
        }
    if (!tail) {
        memcpy(survey->range, survey->all, sizeof survey->range);
    } else if (most_values(frame, value, most)) {
        survey->range[0] = plu_min(survey->range[0], most[0]);
        survey->range[1] = plu_max(survey->range[1], most[1]);
    }
}

plu_status plu_survey_values(const plu_survey *survey, const plu_coloring *quantity,
                             const plu_frame_data *frame, double *value, plu_error *err)
{
    if (!quantity->of && !quantity->column) {
        memcpy(value, survey->release, (size_t)frame->bodies * sizeof *value);
        return PLU_OK;
    }
    if (plu_quantity_values(quantity, frame, value))
        return PLU_OK;
    return plu_fail(
        err, PLU_USAGE,
        "the trajectory does not contain what the color \"%s\" needs; run the scene with %s",
        quantity->name, quantity->needs);
}

plu_status plu_source_frame(plu_source *source, long k, plu_frame_data *frame, plu_error *err)
{
    const bool grains = source->quantity->grains || (source->vector && source->vector->grains);
    const plu_status status = plu_frames_read(source->frames, k, frame, err);
    return status == PLU_OK && grains ? plu_grains_complete(&source->columns, frame, err) : status;
}

/* PLU_OK or PLU_USAGE: the frame has no such vectors. */
static plu_status look_at_vectors(plu_survey *survey, const plu_frame_data *frame,
                                  const plu_vector *vector, plu_error *err)
{
    const double *column = vector->column(frame);
    if (!column)
        return plu_fail(err, PLU_USAGE,
                        "the trajectory does not contain what arrows of \"%s\" need; run the "
                        "scene with %s",
                        vector->name, vector->needs);
    for (int i = 0; i < frame->bodies; i++) {
        const double length = plu_norm(column + 3 * (size_t)i);
        if (frame->state[i] == PLU_ACTIVE && isfinite(length))
            survey->longest = plu_max(survey->longest, length);
    }
    return PLU_OK;
}

/* Length (m) of an arrow for a vector of size 1: the longest one has six radii. */
double plu_survey_arrow(const plu_survey *survey, const plu_render_options *options)
{
    static const double radii = 6.0; /* of the longest */
    const double longer = options->arrow_length > 0.0 ? options->arrow_length : 1.0;
    return survey->longest > 0.0 ? radii * longer * survey->radius / survey->longest : 0.0;
}

static plu_status find_release(plu_survey *survey, plu_frames *frames, long last, plu_error *err)
{
    const int bodies = plu_frames_bodies(frames);
    survey->release = plu_alloc((size_t)bodies, sizeof *survey->release, err);
    if (!survey->release)
        return PLU_IO;
    for (int i = 0; i < bodies; i++)
        survey->release[i] = NAN;
    for (long k = 0; k <= last; k++) {
        plu_frame_data frame;
        const plu_status status = plu_frames_read(frames, k, &frame, err);
        if (status != PLU_OK)
            return status;
        for (int i = 0; i < bodies; i++)
            if (isnan(survey->release[i]) && frame.state[i] == PLU_ACTIVE)
                survey->release[i] = frame.time;
    }
    return PLU_OK;
}

/* Gives ranges that are still empty a positive width. */
static void complete(plu_survey *survey, const plu_coloring *quantity)
{
    if (!(survey->range[0] <= survey->range[1]))
        survey->range[0] = survey->range[1] = 0.0;
    if (quantity->from_zero)
        survey->range[0] = plu_min(survey->range[0], 0.0);
    if (!(survey->range[1] - survey->range[0] > 1e-9 * fabs(survey->range[1])))
        survey->range[1] = survey->range[0] + 1.0;
    for (int k = 0; k < 3; k++) {
        if (!(survey->box.low[k] <= survey->box.high[k]))
            survey->box.low[k] = survey->box.high[k] = 0.0;
        survey->box.low[k] -= survey->radius;
        survey->box.high[k] += survey->radius;
    }
}

plu_status plu_survey_make(plu_survey *survey, plu_source *source,
                           const plu_render_options *options, plu_error *err)
{
    const plu_coloring *quantity = source->quantity;
    *survey =
        (plu_survey){.range = {INFINITY, -INFINITY}, .all = {INFINITY, -INFINITY}, .radius = 1.0};
    for (int k = 0; k < 3; k++) {
        survey->box.low[k] = INFINITY;
        survey->box.high[k] = -INFINITY;
    }
    plu_status status = PLU_OK;
    if (!quantity->of && !quantity->column)
        status = find_release(survey, source->frames, options->last, err);
    double *value = plu_alloc((size_t)plu_frames_bodies(source->frames), sizeof *value, err);
    if (!value)
        return PLU_IO;
    for (long i = 0; i <= plu_survey_looks(options) && status == PLU_OK; i++) {
        plu_frame_data frame;
        status = plu_source_frame(source, plu_survey_look(options, i), &frame, err);
        if (status == PLU_OK)
            status = plu_survey_values(survey, quantity, &frame, value, err);
        if (status == PLU_OK && source->vector)
            status = look_at_vectors(survey, &frame, source->vector, err);
        if (status != PLU_OK)
            break;
        look_at_bodies(survey, &frame, options->all);
        look_at_values(survey, &frame, value, quantity->tail);
    }
    free(value);
    complete(survey, quantity);
    return status;
}

void plu_survey_free(plu_survey *survey)
{
    free(survey->release);
    survey->release = NULL;
}
