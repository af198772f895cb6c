#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include "pluvia/scene.h"
#include "pluvia/start.h"
#include "pluvia/trajectory.h"
#include <stdlib.h>

plu_status plu_run_scene_read(plu_scene *scene, const char *trajectory, plu_frames *frames,
                              plu_error *err)
{
    char *text = NULL;
    plu_status status = frames ? plu_frames_scene(&text, true, frames, err)
                               : plu_trajectory_scene(&text, true, trajectory, err);
    if (status == PLU_OK)
        status = plu_scene_read_stored(scene, trajectory, text, err);
    if (status == PLU_OK && (status = plu_trajectory_meshes(scene, trajectory, err)) != PLU_OK)
        plu_scene_free(scene);
    free(text);
    return status;
}

static plu_status given_scene_compare(const plu_scene *given, const char *began,
                                      const char *trajectory, plu_error *err)
{
    char changes[512];
    plu_error why = {0};
    if (plu_scene_compare(began, given->resolved, changes, sizeof changes, &why) == PLU_OK)
        return PLU_OK;
    return plu_fail(
        err, PLU_BAD_INPUT,
        "option --scene: %s is not the scene of %s, which contains its own: remove the option\n"
        "%s",
        given->path, trajectory, why.text);
}

plu_status plu_given_scene_check(const char *path, const char *trajectory, plu_error *err)
{
    char *began = NULL;
    plu_scene given = {0};
    plu_status status = plu_scene_read(&given, path, NULL, 0, err);
    if (status == PLU_OK)
        status = plu_trajectory_scene(&began, true, trajectory, err);
    if (status == PLU_OK)
        status = plu_start_adopt_again(&given, trajectory, began, err);
    if (status == PLU_OK)
        status = given_scene_compare(&given, began, trajectory, err);
    free(began);
    plu_scene_free(&given);
    return status;
}

plu_status plu_given_scene_read(plu_scene *scene, const char *path, const char *trajectory,
                                plu_error *err)
{
    plu_error why = {0};
    const plu_status own = plu_run_scene_read(scene, trajectory, NULL, &why);
    plu_scene_free(scene);
    if (own != PLU_OK)
        plu_message(
            "the scene in %s cannot be read; the picture uses %s, which cannot be compared with it",
            trajectory, path);
    const plu_status status = own == PLU_OK ? plu_given_scene_check(path, trajectory, err) : PLU_OK;
    return status == PLU_OK ? plu_scene_read(scene, path, NULL, 0, err) : status;
}
