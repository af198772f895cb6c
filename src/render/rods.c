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
    for (int k = 0; k < 3; k++) {
        rod->a[k] = a[k];
        rod->b[k] = b[k];
        model->rods_rgb[model->rods][k] = rgb[k];
    }
    model->rods++;
    return PLU_OK;
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
