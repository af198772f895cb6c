/* What is measured: the bodies of a frame, a region. */
#include "cli/measure/measure_run.h"
#include <string.h>

plu_status plu_measured_run_view(plu_view *view, const plu_measured_run *run, long k,
                                 plu_error *err)
{
    plu_frame_data frame;
    const plu_status status = plu_frames_read(run->frames, k, &frame, err);
    if (status == PLU_OK && run->stages.count > 0)
        plu_scene_enter(run->entered, run->stages.of[k], run->stages.begun);
    if (status == PLU_OK)
        *view = plu_view_frame(&frame, &run->scene);
    if (status == PLU_OK && view->cell.given)
        plu_cell_rates(&run->scene.cell, (const double(*)[3])view->cell.edge, view->cell_rate);
    return status;
}

plu_status plu_region_argument(const plu_arguments *arguments, int option, plu_region *region,
                               plu_error *err)
{
    double box[6];
    const plu_status status = plu_argument_numbers(arguments, option, 6, box, err);
    for (int i = 0; status == PLU_OK && i < 3; i++)
        if (!(box[i] < box[i + 3]))
            return plu_fail(err, PLU_USAGE, "option --%s: the box is empty",
                            arguments->command->options[option].name);
    if (status == PLU_OK) {
        memcpy(region->lower, box, sizeof region->lower);
        memcpy(region->upper, box + 3, sizeof region->upper);
    }
    return status;
}
