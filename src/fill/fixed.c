/* Bodies that are fixed: they have the velocity 0 and a mass that counts for nothing. */
#include "base/vec3.h"
#include "fill/build.h"
#include <string.h>

/* Whether the scene, or the run that it comes from, has body b of an entry fixed. */
static bool is_told(const plu_build *build, int entry, int b)
{
    if (entry >= build->scene->bodies_count)
        return false;
    const plu_body_spec *spec = &build->scene->bodies[entry];
    if (spec->kind != PLU_FROM_RUN || spec->fixed_given)
        return spec->fixed;
    if (build->known)
        return build->known->fixed && build->known->fixed[b];
    const plu_start_entry *from = &build->start->entry[entry];
    return from->fixed && from->fixed[b - build->first[entry]];
}

static plu_status complain(const plu_build *build, int entry, int body, const char *what)
{
    char where[PLU_PATH + 32];
    plu_scene_where(build->scene, plu_build_entry_where(build, entry), where, sizeof where);
    return plu_error_add(build->err, PLU_BAD_INPUT, "%s: sphere %d is fixed, but its file %s",
                         where, body, what);
}

static plu_status fix(plu_build *build, int entry, int body)
{
    plu_world *w = build->world;
    double *row = w->bodies.row[body];
    char where[PLU_PATH + 32];
    const plu_body_spec *spec = &build->scene->bodies[entry];
    const bool file = spec->kind == PLU_FILE && !build->known;
    if (spec->kind == PLU_RESERVE)
        return plu_error_add(build->err, PLU_BAD_INPUT,
                             "%s: spheres of a reserve are not fixed: remove fixed, and fix them "
                             "by a call once they are added",
                             plu_scene_where(build->scene, spec->where, where, sizeof where));
    if (w->bodies.state[body] == PLU_WAITING)
        return complain(build, entry, body,
                        "releases it later (column time): what is fixed is there from the start");
    if (file && (plu_norm(row) > 0.0 || plu_norm(row + 3) > 0.0))
        return complain(build, entry, body, "gives it a velocity; remove the columns");
    memset(row, 0, 6 * sizeof *row);
    w->bodies.rest[body] = PLU_FIXED;
    w->fixed++;
    return PLU_OK;
}

plu_status plu_build_fixed(plu_build *build)
{
    const plu_world *w = build->world;
    for (int e = 0; e < build->entries; e++)
        for (int b = build->first[e]; b < build->first[e + 1]; b++) {
            if (w->bodies.state[b] == PLU_REMOVED || !is_told(build, e, b))
                continue;
            const plu_status status = fix(build, e, b);
            if (status != PLU_OK)
                return status;
        }
    return PLU_OK;
}

plu_status plu_build_check_fixed_cell(const plu_build *build)
{
    const plu_world *w = build->world;
    char where[PLU_PATH + 32];
    if (w->fixed == 0 || !plu_cell_moves(&build->scene->cell))
        return PLU_OK;
    return plu_error_add(
        build->err, PLU_BAD_INPUT,
        "%s: spheres that are fixed (bodies.fixed) need a cell at rest, without "
        "cell.shear_rate, strain_rate and stress, as boundaries do",
        plu_scene_where(build->scene, build->scene->cell.size_where, where, sizeof where));
}
