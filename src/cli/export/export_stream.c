/* The files that an export writes. */
#include "cli/export/digits.h"
#include "cli/export/export.h"
#include <math.h>

plu_output_rule plu_export_rule(const plu_export *export, plu_output_kind kind)
{
    return (plu_output_rule){.kind = kind,
                             .force = export->force,
                             .inputs = export->inputs,
                             .inputs_count = sizeof export->inputs / sizeof *export->inputs};
}

plu_status plu_export_frame(const plu_export *export, long k, plu_frame_data *frame, plu_error *err)
{
    const plu_status status = plu_frames_read(export->frames, k, frame, err);
    return status == PLU_OK ? plu_grains_complete(export->columns_of_grains, frame, err) : status;
}

plu_status plu_export_stream(const plu_export *export, const char *path, plu_output_kind kind,
                             plu_export_writer *write, const void *user, plu_error *err)
{
    plu_output output;
    const plu_output_rule rule = plu_export_rule(export, kind);
    plu_status status = plu_output_begin(&output, path, &rule, err);
    FILE *out = status == PLU_OK ? plu_output_stream(&output, err) : NULL;
    if (status == PLU_OK)
        status = out ? write(export, out, user, err) : PLU_IO;
    return plu_output_end(&output, status, err);
}

int plu_export_digits(const plu_frame_data *frame)
{
    double far = 0.0, radius = HUGE_VAL;
    for (int b = 0; b < frame->bodies; b++)
        if (frame->state[b] == PLU_ACTIVE) {
            radius = fmin(radius, frame->radius[b]);
            for (int i = 0; i < 3; i++)
                far = fmax(far, fabs(frame->position[b][i]));
        }
    return plu_digits_of_places(far, radius);
}
