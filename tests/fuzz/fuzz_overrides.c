/* Overrides of a right scene: the input is one a line, as -s on the command line. */
#include "input.h"
#include "judge.h"
#include "scratch_file.h"
#include "small_run.h"

enum { MOST = 8 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[4096];
    const char *overrides[MOST];
    plu_scene scene;
    plu_error err = {0};
    if (size >= sizeof text || memchr(data, '\0', size))
        return -1; /* no argument of a command */
    if (scratch_made())
        scratch_fill((const uint8_t *)small_scene, sizeof small_scene - 1);
    memcpy(text, data, size);
    text[size] = '\0';
    int count = 0;
    for (char *line = strtok(text, "\n"); line && count < MOST; line = strtok(NULL, "\n"))
        overrides[count++] = line;
    if (plu_scene_read(&scene, scratch, overrides, count, &err) == PLU_OK)
        require(scene.resolved && scene.overrides_count == count);
    else
        require(err.count > 0 && err.text[0]);
    plu_scene_free(&scene);
    return 0;
}
