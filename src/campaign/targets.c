/* Reads what makes a campaign a calibration: its targets (a measure, its value and standard error)
 * and the axes to be searched, which then need a range, since values in between have to mean
 * something.
 *
 *   axes = ( { key = "contacts.0.friction"; range = [0.1, 0.9]; count = 5; },     a parameter
 *            { seeds = 3; } );                                                    the last axis
 *   targets = ( { measure = "pile.angle"; value = 24.0; error = 0.5; } );
 *
 *   chi2 = sum over targets of ((mean - value) / error)^2, with the scatter of seeds in the error
 *   (calibration.c) */
#include "base/memory.h"
#include "campaign/campaign.h"
#include <math.h>
#include <string.h>

enum { TARGETS_MOST = 16 };

static const plu_campaign_key keys[] = {
    {"measure", PLU_ONE_TEXT, "text, a name as in measures"},
    {"value", PLU_ONE_NUMBER, "a number, what was measured"},
    {"error", PLU_ONE_NUMBER, "a number > 0, the standard error of value"},
    {NULL, PLU_ONE_TEXT, NULL},
};

static void read_target(plu_campaign *campaign, plu_reader *reader, const config_setting_t *entry)
{
    const plu_place place = plu_setting_place(reader, entry);
    const size_t before = reader->messages_count;
    if (!plu_campaign_check(reader, entry, keys))
        return;
    for (const plu_campaign_key *key = keys; key->name; key++)
        if (!config_setting_get_member(entry, key->name))
            plu_complain(reader, place, "%s is missing: %s", key->name, key->wanted);
    if (reader->messages_count > before)
        return;
    plu_target *target = &campaign->targets[campaign->targets_count];
    const char *measure = config_setting_get_string(config_setting_get_member(entry, "measure"));
    target->value = config_setting_get_float(config_setting_get_member(entry, "value"));
    target->error = config_setting_get_float(config_setting_get_member(entry, "error"));
    if (snprintf(target->measure, sizeof target->measure, "%s", measure) >=
        (int)sizeof target->measure)
        plu_complain(reader, place, "the name of the measure is too long");
    if (!(target->error > 0.0))
        plu_complain(reader, place,
                     "error must be a number > 0: a value without an error has no "
                     "range of parameters that reproduces it");
    for (int t = 0; t < campaign->targets_count; t++)
        if (strcmp(campaign->targets[t].measure, target->measure) == 0)
            plu_complain(reader, place, "%s is given twice as a target", measure);
    campaign->targets_count++;
    if (plu_texts_find(&campaign->measures, measure) < 0)
        plu_campaign_measure(campaign, reader,
                             plu_setting_place(reader, config_setting_get_member(entry, "measure")),
                             measure);
}

static void read_parameter(plu_campaign *campaign, plu_reader *reader, const plu_axis *axis)
{
    if (axis->kind != PLU_AXIS_RANGE && axis->kind != PLU_AXIS_LOG_RANGE) {
        plu_complain(reader, axis->place,
                     "with targets, an axis must have a range or a log_range, so that values in "
                     "between can be searched, or seeds");
        return;
    }
    if (campaign->parameters_count == PLU_PARAMETERS) {
        plu_complain(reader, axis->place, "a calibration searches at most %d parameters",
                     PLU_PARAMETERS);
        return;
    }
    if (!(axis->low < axis->high))
        plu_complain(reader, axis->place, "the range of a calibration must increase");
    plu_parameter *parameter = &campaign->parameter[campaign->parameters_count++];
    *parameter = (plu_parameter){.input = plu_texts_find(&campaign->columns, axis->columns.text[0]),
                                 .inputs = axis->keys.count,
                                 .logarithmic = axis->kind == PLU_AXIS_LOG_RANGE,
                                 .low = axis->low,
                                 .high = axis->high,
                                 .count = axis->rows};
    snprintf(parameter->name, sizeof parameter->name, "%s", axis->columns.text[0]);
}

void plu_targets_read(plu_campaign *campaign, plu_reader *reader, const config_setting_t *targets,
                      const plu_axis *axes, int count)
{
    const int targets_count = config_setting_length(targets);
    if (targets_count < 1 || targets_count > TARGETS_MOST) {
        plu_complain(reader, plu_setting_place(reader, targets), "there must be 1 to %d targets",
                     TARGETS_MOST);
        return;
    }
    campaign->targets = plu_alloc((size_t)targets_count, sizeof *campaign->targets, NULL);
    if (!campaign->targets) {
        reader->status = PLU_IO;
        return;
    }
    for (int i = 0; i < targets_count && reader->status == PLU_OK; i++)
        read_target(campaign, reader, config_setting_get_elem(targets, (unsigned)i));
    campaign->seeds = 1;
    for (int a = 0; a < count; a++) {
        if (axes[a].kind != PLU_AXIS_SEEDS) {
            read_parameter(campaign, reader, &axes[a]);
            continue;
        }
        campaign->seeded = true;
        campaign->seeds = axes[a].rows;
        if (a < count - 1)
            plu_complain(reader, axes[a].place,
                         "with targets, the axis of seeds must be the last one");
    }
    if (campaign->parameters_count == 0 && reader->messages_count == 0)
        plu_complain(reader, plu_setting_place(reader, targets),
                     "targets need an axis with a range or a log_range to search");
}
