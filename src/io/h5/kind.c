#include "io/h5/h5.h"
#include "io/h5/system_file.h"
#include "pluvia/scene.h"
#include "pluvia/tool/keys.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

const char *plu_file_kind_name(plu_file_kind kind)
{
    static const char *const names[] = {
        [PLU_KIND_SCENE] = "a scene",
        [PLU_KIND_TRAJECTORY] = "a trajectory",
        [PLU_KIND_CHECKPOINT] = "a checkpoint",
        [PLU_KIND_PROBLEM] = "a contact problem",
        [PLU_KIND_CAMPAIGN] = "a table of a campaign",
        [PLU_KIND_HDF5] = "an HDF5 file",
    };
    _Static_assert(sizeof names / sizeof *names == PLU_FILE_KINDS, "a name for each kind");
    return kind == PLU_KIND_OTHER ? NULL : names[kind];
}

/* The signature of HDF5, at the start or after a user block. */
static bool is_hdf5(FILE *file)
{
    static const char signature[] = "\211HDF\r\n\032\n";
    char start[8];
    bool found = false;
    for (long at = 0; !found && at <= 4096; at = at ? 2 * at : 512)
        found = fseek(file, at, SEEK_SET) == 0 && fread(start, 1, 8, file) == 8 &&
                memcmp(start, signature, 8) == 0;
    return found;
}

static bool begins_with(FILE *file, const char *text)
{
    char start[64] = "";
    rewind(file);
    const size_t got = fread(start, 1, sizeof start - 1, file);
    return got >= strlen(text) && memcmp(start, text, strlen(text)) == 0;
}

/* The kind of an HDF5 file, by the groups at its root. */
static plu_file_kind look_inside(const char *path)
{
    static const struct {
        const char *name;
        plu_file_kind kind;
    } marks[] = {{"fclib_local", PLU_KIND_PROBLEM},
                 {"fclib_global", PLU_KIND_PROBLEM},
                 {"fclib_global_rolling", PLU_KIND_PROBLEM},
                 {"particles", PLU_KIND_TRAJECTORY},
                 {"h5md", PLU_KIND_TRAJECTORY},
                 {"campaign", PLU_KIND_CAMPAIGN}};
    plu_file_kind kind = PLU_KIND_HDF5;
    const plu_h5_quiet before = plu_h5_quiet_begin(path);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    for (size_t k = 0; file >= 0 && k < sizeof marks / sizeof *marks; k++)
        if (H5Lexists(file, marks[k].name, H5P_DEFAULT) > 0)
            kind = marks[k].kind; /* of two the later one, which is worth more */
    if (file >= 0)
        H5Fclose(file);
    plu_h5_quiet_end(before);
    return kind;
}

/* The text formats of problems begin with their dimension and another whole number, a line each. */
static bool is_text_problem(FILE *file)
{
    char line[2][24];
    rewind(file);
    for (int k = 0; k < 2; k++) {
        char *end = fgets(line[k], sizeof line[k], file);
        if (!end || !isdigit((unsigned char)*(end += strspn(end, " \t"))))
            return false;
        end += strspn(end, "0123456789");
        if (end[strspn(end, " \t\r\n")])
            return false;
    }
    const char *first = line[0] + strspn(line[0], " \t");
    return strchr("235", *first) && !isdigit((unsigned char)first[1]);
}

plu_file_kind plu_file_kind_of(const char *path)
{
    plu_file_kind kind = PLU_KIND_OTHER;
    FILE *file = fopen(path, "rb");
    if (!file)
        return kind;
    if (begins_with(file, "pluvia checkpoint\n"))
        kind = PLU_KIND_CHECKPOINT;
    else if (is_hdf5(file))
        kind = PLU_KIND_HDF5;
    else if (is_text_problem(file))
        kind = PLU_KIND_PROBLEM;
    fclose(file);
    if (kind == PLU_KIND_HDF5)
        return look_inside(path);
    return kind == PLU_KIND_OTHER && plu_scene_looks_like_one(path) ? PLU_KIND_SCENE : kind;
}
