#include "run_scene.h"
#include "pluvia/trajectory.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path_key[] = "path = \"", nowhere[] = "/dev/null";

/* Writes the scene with the files of bodies replaced by one that is always there. In this text,
 * which pluvia wrote, a quote within a string has a backslash before it. */
static void write_without_bodies(FILE *out, const char *text)
{
    for (const char *found; (found = strstr(text, path_key)) != NULL;) {
        found += strlen(path_key);
        fwrite(text, 1, (size_t)(found - text), out);
        fputs(nowhere, out);
        while (*found && *found != '"')
            found += found[0] == '\\' && found[1] ? 2 : 1;
        text = found;
    }
    fputs(text, out);
}

/* The reader of scenes wants a file. */
plu_status plu_run_scene_read(plu_scene *scene, const char *trajectory, plu_error *err)
{
    char *text = NULL, path[] = "/tmp/pluvia-scene-XXXXXX";
    plu_status status = plu_trajectory_scene(&text, true, trajectory, err);
    if (status != PLU_OK)
        return status;
    const int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (out)
        write_without_bodies(out, text);
    if (!out || fclose(out) != 0)
        status = plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    if (status == PLU_OK)
        status = plu_scene_read(scene, path, NULL, 0, err);
    if (file >= 0)
        unlink(path);
    free(text);
    return status;
}
