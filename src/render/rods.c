#include "base/memory.h"
#include "render/model.h"
#include <string.h>

const float plu_outline_rgb[3] = {0.10f, 0.11f, 0.13f};

plu_status plu_model_rod(plu_model *model, const double a[3], const double b[3], double r,
                         const float rgb[3], plu_error *err)
{
    const size_t need = (size_t)model->rods + 1;
    if (plu_reserve(&model->rod, &model->room_rods, need, sizeof *model->rod, 1, err) != PLU_OK ||
        plu_reserve(&model->rods_rgb, &model->room_rgb, need, sizeof *model->rods_rgb, 1, err) !=
            PLU_OK)
        return PLU_IO;
    plu_rod *rod = &model->rod[model->rods];
    rod->r = r;
    rod->tip = false;
    for (int k = 0; k < 3; k++) {
        rod->a[k] = a[k];
        rod->b[k] = b[k];
        model->rods_rgb[model->rods][k] = rgb[k];
    }
    model->rods++;
    return PLU_OK;
}

/* Adds an arrow head: a cone with its foot at a, where its radius is r, and its tip at b. */
static plu_status model_tip(plu_model *model, const double a[3], const double b[3], double r,
                            const float rgb[3], plu_error *err)
{
    const plu_status status = plu_model_rod(model, a, b, r, rgb, err);
    if (status == PLU_OK)
        model->rod[model->rods - 1].tip = true;
    return status;
}

enum { SIDES = 64 }; /* of a ring */

void plu_ring_point(const double center[3], const double u[3], const double v[3], double r,
                    double angle, double point[3])
{
    memcpy(point, center, 3 * sizeof *point);
    plu_add_scaled(point, r * cos(angle), u);
    plu_add_scaled(point, r * sin(angle), v);
}

plu_status plu_model_ring(plu_model *model, const double center[3], const double u[3],
                          const double v[3], double radius, double r, plu_error *err)
{
    const double turn = 2.0 * acos(-1.0) / SIDES;
    plu_status status = PLU_OK;
    for (int s = 0; s < SIDES && radius > 0.0 && status == PLU_OK; s++) {
        double from[3], to[3];
        plu_ring_point(center, u, v, radius, turn * s, from);
        plu_ring_point(center, u, v, radius, turn * (s + 1), to);
        status = plu_model_rod(model, from, to, r, plu_outline_rgb, err);
    }
    return status;
}

/* --- Arrows: a rod for the shaft, a cone for the head --- */

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
    return status == PLU_OK ? model_tip(model, neck, end, thick * head * radius, arrow_rgb, err)
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
