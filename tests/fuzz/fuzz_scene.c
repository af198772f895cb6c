/* Scenes: the input is the file, and the scene that a result holds. What is accepted is read again
 * from the text with all defaults, which must be a scene, and the same one. */
#include "input.h"
#include "judge.h"
#include "pluvia/scene.h"
#include "scratch_file.h"

static void read_stored(const uint8_t *data, size_t size)
{
    plu_scene scene;
    plu_error err = {0};
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    if (plu_scene_read_stored(&scene, "a.h5md", text, &err) != PLU_OK)
        require(err.count > 0 && err.text[0]);
    plu_scene_free(&scene);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    plu_scene scene, again;
    plu_error err = {0};
    scratch_fill(data, size);
    read_stored(data, size);
    if (plu_scene_read(&scene, scratch, NULL, 0, &err) != PLU_OK) {
        require(err.count > 0 && err.text[0]);
        return 0;
    }
    scratch_fill((const uint8_t *)scene.resolved, strlen(scene.resolved));
    char changes[1024];
    require(plu_scene_read(&again, scratch, NULL, 0, &err) == PLU_OK);
    if (scene.bodies_count == 0) /* paths of files are relative to the scene */
        require(plu_scene_compare(scene.resolved, again.resolved, changes, sizeof changes, &err) ==
                PLU_OK);
    plu_scene_free(&again);
    require(plu_scene_read_stored(&again, "a.h5md", scene.resolved, &err) == PLU_OK);
    plu_scene_free(&scene);
    plu_scene_free(&again);
    return 0;
}
