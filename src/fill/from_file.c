#include "fill/build.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Those that are there from the start come first, in the order of the file; then by time. */
static int earlier_first(const void *a, const void *b)
{
    const plu_csv_row *x = a, *y = b;
    const double s = fmax(x->value[PLU_CSV_TIME], 0.0), t = fmax(y->value[PLU_CSV_TIME], 0.0);
    return s != t ? (s > t) - (s < t) : (x->line > y->line) - (x->line < y->line);
}

static void fill_radii(const plu_build *build, int entry)
{
    plu_grading *grading = &build->gradings[entry];
    const plu_csv *csv = &build->tables[entry];
    int material; /* that of the entry: files are no mixtures */
    grading->count = (uint64_t)csv->count;
    for (int k = 0; k < csv->count; k++)
        plu_grading_draw(grading, (uint64_t)k, &csv->rows[k].value[PLU_CSV_RADIUS], &material);
}

plu_status plu_build_tables(plu_build *build)
{
    const plu_scene *scene = build->scene;
    plu_status status = PLU_OK;
    for (int e = 0; e < scene->bodies_count; e++) {
        const plu_body_spec *spec = &scene->bodies[e];
        if (spec->kind != PLU_FILE)
            continue;
        char where[PLU_PATH + 32];
        plu_csv *csv = &build->tables[e];
        const plu_status read =
            plu_csv_read(csv, spec->path, plu_scene_where(scene, spec->where, where, sizeof where),
                         !(spec->radius[0] > 0.0), build->err);
        if (read != PLU_OK) {
            status = status == PLU_OK ? read : status;
            continue;
        }
        if (!csv->has[PLU_CSV_RADIUS])
            fill_radii(build, e);
        qsort(csv->rows, (size_t)csv->count, sizeof *csv->rows, earlier_first);
    }
    return status;
}

void plu_build_file(plu_build *build, int entry, int queue)
{
    const plu_body_spec *spec = &build->scene->bodies[entry];
    const plu_csv *csv = &build->tables[entry];
    for (int k = 0; k < csv->count; k++) {
        const double *value = csv->rows[k].value;
        plu_new_body body = {.radius = value[PLU_CSV_RADIUS],
                             .release = value[PLU_CSV_TIME],
                             .material = spec->material,
                             .queue = value[PLU_CSV_TIME] > 0.0 ? queue : -1};
        memcpy(body.position, &value[PLU_CSV_X], sizeof body.position);
        for (int i = 0; i < 3; i++) {
            const int v = PLU_CSV_VX + i, w = PLU_CSV_WX + i;
            body.velocity[i] = csv->has[v] ? value[v] : spec->velocity[i];
            body.angular_velocity[i] = csv->has[w] ? value[w] : spec->angular_velocity[i];
        }
        plu_build_put(build, build->first[entry] + k, &body);
    }
}
