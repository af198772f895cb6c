/* Summarizes a trajectory, which may be truncated, damaged or written by another program.
 *
 * Only headers and last rows are read, so that a file of many gigabytes is summarized at once:
 *
 *   /parameters/pluvia                     version, title, state, h, seed, threads, command
 *   shape of position                      frames, bodies; first and last time
 *   last row of state                      bodies active, waiting, removed
 *   names below /particles/trajectory      quantities
 *   last row of each observable
 *   /contacts/offset[frames]               rows of contacts in all
 *
 * The rows that were read are compared with their checksums (plu_info_check). */
#include "io/trajectory/frame_parts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 65536 }; /* bodies read at a time */

static void read_parameters(plu_h5 *h5, hid_t file, plu_trajectory_info *info)
{
    const hid_t group = plu_h5_find(h5, file, "/parameters/pluvia", H5I_GROUP);
    plu_h5_read_number(h5, group, "schema", H5T_NATIVE_INT, &info->schema);
    plu_h5_read_text(h5, group, "version", info->version, sizeof info->version);
    plu_h5_read_text(h5, group, "title", info->title, sizeof info->title);
    plu_h5_read_text(h5, group, "state", info->state, sizeof info->state);
    plu_h5_read_number(h5, group, "h", H5T_NATIVE_DOUBLE, &info->step);
    plu_h5_read_number(h5, group, "seed", H5T_NATIVE_UINT64, &info->seed);
    plu_h5_read_number(h5, group, "threads", H5T_NATIVE_INT, &info->threads);
    char *command = plu_h5_read_whole_text(h5, group, "command", info->bytes);
    if (command)
        strncpy(info->command, command, sizeof info->command - 1);
    free(command);
}

/* Number `row` of a dataset with one number a frame. */
static double number(plu_h5 *h5, hid_t dataset, const char *name, hsize_t row)
{
    const hsize_t one = 1;
    double value = 0.0;
    plu_h5_read_part(h5, dataset, name, H5T_NATIVE_DOUBLE, 1, &row, &one, &value);
    return value;
}

static void read_frames(plu_h5 *h5, hid_t particles, plu_trajectory_info *info)
{
    const plu_frame_shape shape = plu_frame_shape_read(h5, particles);
    info->frames = (long)shape.frames;
    info->bodies = shape.bodies;
    if (shape.frames > 0) {
        info->start = number(h5, shape.time, "position/time", 0);
        info->end = number(h5, shape.time, "position/time", shape.frames - 1);
    }
}

/* Counts the bodies of the last frame by their state. */
static void read_states(plu_h5 *h5, hid_t particles, plu_trajectory_info *info)
{
    static const char name[] = "state/value";
    const hid_t value = plu_h5_find(h5, particles, name, H5I_DATASET);
    hsize_t size[2] = {0, 0};
    plu_h5_shape(h5, value, name, 2, size);
    if (size[0] < (hsize_t)info->frames || size[1] != (hsize_t)info->bodies)
        plu_h5_damaged(h5, "damaged: %s does not fit position/value", name);
    if (h5->status != PLU_OK || info->frames == 0)
        return;
    unsigned char *states = malloc(BLOCK);
    if (!states) {
        h5->status = plu_fail(h5->err, PLU_IO, "out of memory");
        return;
    }
    for (hsize_t first = 0; first < size[1] && h5->status == PLU_OK; first += BLOCK) {
        const hsize_t start[2] = {(hsize_t)info->frames - 1, first};
        const hsize_t count[2] = {1, size[1] - first < BLOCK ? size[1] - first : BLOCK};
        memset(states, 0, BLOCK);
        plu_h5_read_part(h5, value, name, H5T_NATIVE_UCHAR, 2, start, count, states);
        for (hsize_t i = 0; i < count[1]; i++) {
            info->waiting += states[i] == PLU_WAITING;
            info->removed += states[i] == PLU_REMOVED;
            info->active += states[i] != PLU_WAITING && states[i] != PLU_REMOVED;
        }
    }
    free(states);
}

/* Name number `k` below `group`, in alphabetical order; false when there is none. */
static bool name_of(hid_t group, hsize_t k, char name[PLU_NAME])
{
    return H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, PLU_NAME,
                              H5P_DEFAULT) > 0;
}

static void read_quantities(hid_t particles, plu_trajectory_info *info)
{
    char name[PLU_NAME] = "";
    for (hsize_t k = 0; info->quantities_count < 32 && name_of(particles, k, name); k++)
        if (strcmp(name, "box") != 0)
            memcpy(info->quantities[info->quantities_count++], name, sizeof name);
}

/* Reads the last value of each observable; datasets with more than one number a frame are skipped.
 */
static void read_observables(plu_h5 *h5, hid_t file, plu_trajectory_info *info)
{
    if (h5->status != PLU_OK || !plu_h5_has(file, "observables"))
        return;
    const hid_t group = plu_h5_find(h5, file, "observables", H5I_GROUP);
    char name[PLU_NAME] = "";
    for (hsize_t k = 0; info->observables_count < PLU_OBSERVABLES && name_of(group, k, name); k++) {
        hsize_t rows = 0;
        const hid_t element = plu_h5_find(h5, group, name, H5I_GROUP);
        const hid_t value = plu_h5_find(h5, element, "value", H5I_DATASET);
        plu_h5_shape(h5, value, name, 1, &rows);
        if (h5->status == PLU_OK && rows < (hsize_t)info->frames)
            plu_h5_damaged(h5, "damaged: observable %s has fewer rows than there are frames", name);
        if (h5->status != PLU_OK)
            return;
        const int at = info->observables_count++;
        memcpy(info->observables[at], name, sizeof name);
        info->last[at] =
            info->frames > 0 ? number(h5, value, name, (hsize_t)info->frames - 1) : (double)NAN;
    }
}

/* Rows of the contact table that belong to whole frames. */
static void read_contacts(plu_h5 *h5, hid_t file, plu_trajectory_info *info)
{
    info->contacts = -1;
    if (h5->status != PLU_OK || !plu_h5_has(file, "contacts"))
        return;
    hsize_t rows = 0;
    const hid_t offset = plu_h5_find(h5, file, "/contacts/offset", H5I_DATASET);
    plu_h5_shape(h5, offset, "/contacts/offset", 1, &rows);
    if (h5->status == PLU_OK && rows <= (hsize_t)info->frames)
        plu_h5_damaged(h5, "damaged: /contacts/offset is too short");
    const double last = number(h5, offset, "/contacts/offset", (hsize_t)info->frames);
    if (h5->status == PLU_OK && !(last >= 0.0 && last < 1e15))
        plu_h5_damaged(h5, "damaged: /contacts/offset contains impossible values");
    if (h5->status == PLU_OK)
        info->contacts = (long)last;
}

void plu_info_check(const plu_trajectory_info *info, plu_h5 *h5, plu_summed *s)
{
    static const char *const last[] = {"/particles/trajectory/position/time",
                                       "/particles/trajectory/state/value", "/contacts/offset"};
    if (info->frames == 0)
        return;
    plu_summed_row(s, h5, last[0], 0);
    for (size_t k = 0; k < sizeof last / sizeof *last; k++)
        plu_summed_row(s, h5, last[k], info->frames - 1);
    for (int i = 0; i < s->count; i++)
        if (strncmp(s->set[i].path, "/observables/", strlen("/observables/")) == 0)
            plu_summed_row(s, h5, s->set[i].path, info->frames - 1);
}

void plu_info_read(plu_trajectory_info *info, plu_h5 *h5, hid_t file)
{
    read_parameters(h5, file, info);
    const hid_t particles = plu_h5_find(h5, file, "/particles/trajectory", H5I_GROUP);
    read_frames(h5, particles, info);
    read_states(h5, particles, info);
    if (h5->status == PLU_OK)
        read_quantities(particles, info);
    read_observables(h5, file, info);
    read_contacts(h5, file, info);
}

plu_status plu_trajectory_info_read(plu_trajectory_info *info, const char *path, plu_error *err)
{
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = err};
    memset(info, 0, sizeof *info);
    const hid_t file = plu_h5_open(&h5, &info->bytes);
    plu_summed summed;
    plu_info_read(info, &h5, file);
    plu_summed_open(&summed, &h5, file);
    plu_info_check(info, &h5, &summed);
    plu_summed_close(&summed);
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    return h5.status;
}

plu_status plu_trajectory_scene(char **text, bool resolved, const char *path, plu_error *err)
{
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = err};
    long long bytes = 0;
    const hid_t file = plu_h5_open(&h5, &bytes);
    plu_summed_header(&h5, file);
    const hid_t group = plu_h5_find(&h5, file, "/parameters/pluvia", H5I_GROUP);
    *text = plu_h5_read_whole_text(&h5, group, resolved ? "scene_resolved" : "scene", bytes);
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    return h5.status;
}
