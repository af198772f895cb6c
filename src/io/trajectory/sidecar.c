/* Writes a new ParaView sidecar for an existing trajectory. */
#include "io/h5/h5_read.h"
#include "io/trajectory/xdmf.h"
#include "pluvia/frames.h"
#include "pluvia/scene.h"
#include <stdlib.h>
#include <string.h>

static unsigned quantities_of(const plu_trajectory_info *info)
{
    static const struct {
        const char *name;
        unsigned bit;
    } known[] = {
        {"velocity", PLU_OUT_VELOCITY},       {"angular_velocity", PLU_OUT_ANGULAR_VELOCITY},
        {"orientation", PLU_OUT_ORIENTATION}, {"force", PLU_OUT_FORCE},
        {"torque", PLU_OUT_TORQUE},           {"stress", PLU_OUT_STRESS},
        {"dissipation", PLU_OUT_DISSIPATION}, {"coordination", PLU_OUT_COORDINATION}};
    unsigned bits = 0;
    for (int i = 0; i < info->quantities_count; i++)
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            if (strcmp(info->quantities[i], known[k].name) == 0)
                bits |= known[k].bit;
    return bits;
}

static plu_status read_precision(bool *float32, const char *path, plu_error *err)
{
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    plu_h5 h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .err = err};
    const hid_t file = plu_h5_open(&h5, NULL);
    const hid_t value = plu_h5_find(&h5, file, "/particles/trajectory/position/value", H5I_DATASET);
    if (h5.status == PLU_OK) {
        const hid_t type = H5Dget_type(value);
        *float32 = H5Tget_size(type) == 4;
        H5Tclose(type);
    }
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    return h5.status;
}

/* How the sidecar `path` names the trajectory: beside it by its name, elsewhere by its full path.
 */
static char *name_from(const char *path, const char *trajectory, plu_error *err)
{
    const char *slash = strrchr(trajectory, '/'), *other = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - trajectory) + 1 : 0;
    const size_t others = other ? (size_t)(other - path) + 1 : 0;
    char *name = folder == others && strncmp(path, trajectory, folder) == 0
                     ? strdup(trajectory + folder)
                     : realpath(trajectory, NULL);
    if (!name)
        plu_fail(err, PLU_IO, "cannot find the full path of %s", trajectory);
    return name;
}

static plu_status write_frames(plu_xdmf *xdmf, const char *trajectory, plu_error *err)
{
    plu_frames *frames;
    plu_status status = plu_frames_open(&frames, trajectory, err);
    for (long k = 0; status == PLU_OK && k < plu_frames_count(frames); k++)
        status = plu_xdmf_frame(xdmf, k, plu_frames_time(frames, k), err);
    plu_frames_close(frames);
    return status;
}

plu_status plu_trajectory_sidecar(const char *trajectory, const char *path, plu_error *err)
{
    plu_trajectory_info info;
    plu_xdmf xdmf = {.file = -1};
    plu_scene scene = {0};
    plu_status status = plu_trajectory_info_read(&info, trajectory, err);
    if (status == PLU_OK)
        status = read_precision(&scene.output.float32, trajectory, err);
    if (status != PLU_OK)
        return status;
    strcpy(scene.title, info.title);
    scene.output.quantities = quantities_of(&info);
    char *name = name_from(path, trajectory, err);
    if (!name)
        return PLU_IO;
    status = plu_xdmf_create(&xdmf, path, name, &scene, info.bodies, err);
    free(name);
    if (status == PLU_OK)
        status = write_frames(&xdmf, trajectory, err);
    plu_xdmf_close(&xdmf);
    return status;
}
