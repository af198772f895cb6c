/* Which parts of boundaries, by which contacts name them, are those of which boundary. */
#include "base/memory.h"
#include "io/h5/h5_read.h"
#include "io/trajectory/writer.h"
#include "pluvia/scene.h"
#include "pluvia/trajectory.h"
#include <stdlib.h>
#include <string.h>

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
