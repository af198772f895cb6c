/* /boundaries: where each boundary is and what the bodies do to it, a row a boundary in each frame.
 */
#include "base/memory.h"
#include "io/trajectory/writer.h"
#include "pluvia/scene.h"
#include "world/servo.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POSITION, ROTATION, STATE, FORCE, MOMENT, STRESS, ELEMENTS };

static const struct element {
    const char *name, *unit;
    int components; /* 0: one number without a dimension of its own */
} elements[ELEMENTS] = {[POSITION] = {"position", "m", 3}, [ROTATION] = {"rotation", NULL, 4},
                        [STATE] = {"state", NULL, 0},      [FORCE] = {"force", "N", 3},
                        [MOMENT] = {"moment", "N m", 3},   [STRESS] = {"stress", "Pa", 0}};

static bool wanted(const plu_trajectory *t)
{
    return t->scene->output.boundaries && t->scene->boundaries_count > 0;
}

void plu_writer_boundaries(plu_trajectory *t, plu_h5 *h5)
{
    if (!wanted(t))
        return;
    const hsize_t count = (hsize_t)t->scene->boundaries_count;
    const hid_t group = plu_h5_group(h5, t->file, "boundaries");
    t->first_boundary = t->series_count;
    for (int e = 0; e < ELEMENTS; e++) {
        const hsize_t c = (hsize_t)elements[e].components;
        const plu_h5_layout layout = {.type = e == STATE ? H5T_STD_U8LE : H5T_IEEE_F64LE,
                                      .rank = c ? 3 : 2,
                                      .size = {0, count, c},
                                      .chunk = {1, count, c},
                                      .growing = 1,
                                      .packed = true,
                                      .gzip = t->scene->output.compression};
        const hid_t element = plu_writer_element(t, h5, group, elements[e].name);
        plu_writer_series(t, h5, element, "value", &layout);
        if (elements[e].unit)
            plu_h5_attr_text(h5, element, "unit", elements[e].unit);
    }
    if (h5->existing)
        return;
    const char **names = plu_alloc((size_t)count, sizeof *names, h5->err);
    for (hsize_t b = 0; names && b < count; b++)
        names[b] = t->scene->boundaries[b].name;
    if (names)
        plu_h5_texts(h5, group, "names", (int)count, names);
    else
        h5->status = PLU_IO;
    free(names);
}

/* One row of each boundary. */
static void gather(const plu_trajectory *t, int e, bool stepped, double *real, unsigned char *state)
{
    for (int b = 0; b < t->scene->boundaries_count; b++) {
        const plu_boundary_place place = plu_world_boundary(t->world, b);
        double force[3] = {0.0}, moment[3] = {0.0};
        if (stepped && (e == FORCE || e == MOMENT || e == STRESS))
            plu_stepper_boundary_force(t->stepper, b, force, moment);
        const double stress = stepped ? plu_boundary_stress(t->world, b, force) : NAN;
        const double *from = e == POSITION   ? place.position
                             : e == ROTATION ? place.rotation
                             : e == FORCE    ? force
                             : e == MOMENT   ? moment
                                             : &stress;
        const size_t width = elements[e].components ? (size_t)elements[e].components : 1;
        memcpy(real + width * (size_t)b, from, width * sizeof *real);
        state[b] = !place.gone;
    }
}

void plu_writer_boundaries_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info)
{
    if (!wanted(t) || h5->status != PLU_OK)
        return;
    const size_t count = (size_t)t->scene->boundaries_count;
    double *real = plu_alloc(4 * count, sizeof *real, h5->err);
    unsigned char *state = plu_alloc(count, 1, h5->err);
    if (!real || !state)
        h5->status = PLU_IO;
    for (int e = 0; e < ELEMENTS && h5->status == PLU_OK; e++) {
        gather(t, e, info != NULL, real, state);
        plu_series_append(h5, &t->series[t->first_boundary + e],
                          e == STATE ? H5T_NATIVE_UCHAR : H5T_NATIVE_DOUBLE, 1,
                          e == STATE ? (const void *)state : real);
    }
    free(real);
    free(state);
}
