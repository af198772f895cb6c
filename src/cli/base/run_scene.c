#include "cli/base/run_scene.h"
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
