/* Arrows: a rod for the shaft, a cone for the head. */
#include "render/model.h"
#include "render/rods.h"
#include <string.h>

static const float arrow_rgb[3] = {0.55f, 0.02f, 0.02f};
static const double shortest = 0.2, shaft = 0.11, head = 0.30, head_length = 1.0; /* radii */

static plu_status add_arrow(plu_model *model, const double from[3], const double along[3],
                            double length, double radius, plu_error *err)
{
    const double tip = plu_min(head_length * radius, 0.5 * length);
    const double thick = tip / (head_length * radius); /* short arrows are thinner */
    double neck[3], end[3];
    memcpy(neck, from, sizeof neck);
    memcpy(end, from, sizeof end);
    plu_add_scaled(neck, 1.0 - tip / length, along);
    plu_add_scaled(end, 1.0, along);
    const plu_status status =
        plu_model_rod(model, from, neck, thick * shaft * radius, arrow_rgb, err);
    return status == PLU_OK ? plu_model_tip(model, neck, end, thick * head * radius, arrow_rgb, err)
                            : status;
}

plu_status plu_model_arrows(plu_model *model, const plu_frame_data *frame, const double *vector,
                            double scale, double radius, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int n = 0; vector && n < model->balls && status == PLU_OK; n++) {
        const int body = model->body[n];
        double along[3] = {0.0, 0.0, 0.0};
        plu_add_scaled(along, scale, vector + 3 * (size_t)body);
        const double length = plu_norm(along);
        if (isfinite(length) && length >= shortest * radius)
            status = add_arrow(model, frame->position[body], along, length, radius, err);
    }
    return status;
}
