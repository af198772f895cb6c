/* scene_files.h: a temporary folder to write scenes into, and a small scene that is right. */
#ifndef UNIT_SCENE_FILES_H
#define UNIT_SCENE_FILES_H

#define _XOPEN_SOURCE 700 /* nftw; so this header comes first */

#include "near.h"
#include "pluvia/scene.h"
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char right[] = /* lines are counted in the tests */
    "title = \"Pile\";\n"
    "time: { step = 1e-3; end = 2.0; };\n"
    "materials = ( { name = \"grain\"; density = 1300.0; },\n"
    "              { name = \"plate\"; } );\n"
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; },\n"
    "             { between = [\"grain\", \"plate\"]; friction = 0.2; restitution = 0.5; } );\n"
    "boundaries = ( { plate: { size = [1.2, 1]; normal = [0, 0, 2]; }; material = \"plate\"; } );\n"
    "bodies = ( { position = [0, 0, 0.5]; material = \"grain\"; radius = 0.01; } );\n"
    "feeders = ( { pluviation: { count = 25; interval = 0.06; height = 0.2;\n"
    "                            footprint: { square = 0.02; }; };\n"
    "              material = \"grain\"; radius = 0.01; } );\n"
    "domain: { box = [[-1, -1, -1], [1, 1.5, 1]]; };\n"
    "solver: { tolerance = 1e-4; };\n";

static plu_scene scene;
static plu_error err;

static inline void write_bytes(const char *name, const char *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline void write_file(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

/* Reads a scene file with up to 4 overrides into `scene`, errors into `err`. */
static inline plu_status read_file(const char *name, const char *const overrides[], int count)
{
    plu_scene_free(&scene);
    memset(&err, 0, sizeof err);
    return plu_scene_read(&scene, name, overrides, count, &err);
}

static inline plu_status read_text(const char *text)
{
    write_file("pile.cfg", text);
    return read_file("pile.cfg", NULL, 0);
}

/* `text` with the first `find` in it replaced; the caller frees it. */
static inline char *replaced(const char *text, const char *find, const char *by)
{
    const char *at = strstr(text, find);
    char *result = malloc(strlen(text) + strlen(by) + 1), *to = result;
    if (!at || !result)
        abort();
    while (text < at)
        *to++ = *text++;
    strcpy(to, by);
    strcat(to, at + strlen(find));
    return result;
}

static inline void expect(const char *part)
{
    if (!strstr(err.text, part)) {
        fprintf(stderr, "expected: %s\nfound:    %s\n", part, err.text);
        fail();
    }
}

static inline int remove_entry(const char *path, const struct stat *info, int flag, struct FTW *ftw)
{
    (void)info, (void)flag, (void)ftw;
    return remove(path);
}

/* Runs the tests in a folder of their own. */
static inline int run_in_folder(int (*run)(void))
{
    char folder[] = "/tmp/pluvia-scene-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 99;
    const int failed = run();
    plu_scene_free(&scene);
    if (chdir("/") == 0)
        nftw(folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    return failed;
}

#endif
