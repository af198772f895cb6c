/* /boundaries: where each boundary is and what the bodies do to it, a row a boundary in each
 * frame.
 *
 *   position/value   [frames][boundaries][3]  m      rotation/value  [4], a unit quaternion, scalar
 * first force/value      [frames][boundaries][3]  N      moment/value    N m stress/value
 * [frames][boundaries]     Pa; nan where the boundary has no area to press on state/value      1:
 * there, 0: removed            names           as in the scene
 *
 * Forces are those of the step that ended with the frame: zero in the first one.
 *
 * Below: which parts of boundaries, by which contacts name them, are of which boundary, as /walls
 * says. */
#include "base/memory.h"
#include "io/h5/h5_read.h"
#include "io/trajectory/writer.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "pluvia/trajectory.h"
#include "pluvia/writing.h"
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
    return t->scene->output->boundaries && t->scene->boundaries_count > 0;
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
                                      .gzip = t->scene->output->compression};
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

/* Which parts of boundaries, by which contacts name them, are those of which boundary. */

/* The names of the groups of all boundaries, as they were chosen when the file was made. */
static void choose_names(const plu_scene *scene, char (*name)[PLU_NAME])
{
    for (int b = 0; b < scene->boundaries_count; b++) {
        plu_wall_name(&scene->boundaries[b], name[b]);
        bool taken = !name[b][0];
        for (int k = 0; k < b; k++)
            taken |= strcmp(name[k], name[b]) == 0;
        if (taken)
            plu_wall_other_name(b, name[b]);
    }
}

/* The first number of an attribute that has one or more integers; -1: it has none. */
static int first_of(plu_h5 *h5, hid_t wall, const char *attribute)
{
    int first = -1, *all = NULL;
    if (h5->status != PLU_OK || H5Aexists(wall, attribute) <= 0)
        return -1;
    const hid_t id = H5Aopen(wall, attribute, H5P_DEFAULT);
    const hid_t type = H5Aget_type(id), space = H5Aget_space(id);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Tget_class(type) == H5T_INTEGER && count > 0)
        all = plu_alloc((size_t)count, sizeof *all, h5->err);
    if (all && H5Aread(id, H5T_NATIVE_INT, all) >= 0)
        first = all[0];
    else
        plu_h5_damaged(h5, "damaged: the parts of a boundary cannot be read");
    free(all);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(id);
    return first;
}

static void read_firsts(plu_h5 *h5, hid_t walls, const plu_scene *scene, char (*name)[PLU_NAME],
                        int *first)
{
    for (int b = 0; b < scene->boundaries_count && h5->status == PLU_OK; b++) {
        if (!plu_h5_has(walls, name[b]))
            continue;
        const hid_t wall = plu_h5_find(h5, walls, name[b], H5I_GROUP);
        first[b] = first_of(h5, wall, "parts");
        if (first[b] < 0)
            first[b] = first_of(h5, wall, "first_part");
        if (wall >= 0)
            H5Gclose(wall);
    }
}

plu_status plu_trajectory_parts(int *first, const plu_scene *scene, const char *path,
                                plu_error *err)
{
    const int count = scene->boundaries_count;
    for (int b = 0; b < count; b++)
        first[b] = -1;
    if (count == 0)
        return PLU_OK;
    char(*name)[PLU_NAME] = plu_alloc((size_t)count, sizeof *name, err);
    if (!name)
        return PLU_IO;
    choose_names(scene, name);
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = err};
    const hid_t file = plu_h5_open(&h5, NULL);
    const hid_t walls = plu_h5_find(&h5, file, "walls", H5I_GROUP);
    read_firsts(&h5, walls, scene, name, first);
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    free(name);
    return h5.status;
}
