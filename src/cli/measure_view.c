/* The bodies of a frame that is measured. */
#include "measure_run.h"
#include <math.h>

plu_status plu_measured_run_view(plu_view *view, const plu_measured_run *run, long k,
                                 plu_error *err)
{
    plu_frame_data frame;
    const plu_status status = plu_frames_read(run->frames, k, &frame, err);
    if (status == PLU_OK)
        *view = plu_view_frame(&frame, &run->scene);
    if (status == PLU_OK && view->cell.given)
        plu_cell_rates(&run->scene.cell, (const double(*)[3])view->cell.edge, view->cell_rate);
    return status;
}

double plu_view_diameter(const plu_view *view)
{
    double d = 0.0;
    for (int b = 0; b < view->bodies; b++)
        if (view->state[b] == PLU_ACTIVE)
            d = fmax(d, 2.0 * view->radius.at[(size_t)view->radius.stride * (size_t)b]);
    return d;
}
