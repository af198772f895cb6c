/* VTK XML PolyData: the active bodies of a frame as vertices, raw appended arrays, in single
 * precision but for positions, which may be coordinates of a map (VTK file formats, "XML file
 * formats": each array is its size in bytes and its bytes).
 */
#include "cli/export/export_vtk.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct item {
    const char *name, *type;
    int components, element; /* numbers a body, bytes a number: of a real one 8, or 4 in the file */
    const void *rows;        /* NULL: not in the file */
    bool real;               /* doubles in the frame */
} item;

enum { ITEMS = 12, POINTS = 0, CONNECTIVITY = 1, OFFSETS = 2, DATA = 3 };

static void list_items(item list[ITEMS], const plu_frame_data *f)
{
    const item all[ITEMS] = {
        {"Points", "Float64", 3, 8, f->position, true},
        {"connectivity", "Int32", 1, 4, f->id, false},
        {"offsets", "Int32", 1, 4, f->id, false},
        {"radius", "Float32", 1, 4, f->radius, true},
        {"id", "Int32", 1, 4, f->id, false},
        {"species", "Int32", 1, 4, f->species, false},
        {"mass", "Float32", 1, 4, f->mass, true},
        {"velocity", "Float32", 3, 4, f->velocity, true},
        {"angular_velocity", "Float32", 3, 4, f->angular_velocity, true},
        {"orientation", "Float32", 4, 4, f->orientation, true},
        {"force", "Float32", 3, 4, f->force, true},
        {"fixed", "UInt8", 1, 1, f->fixed, false},
    };
    memcpy(list, all, sizeof all);
}

static int count_active(const plu_frame_data *f)
{
    int count = 0;
    for (int b = 0; b < f->bodies; b++)
        count += f->state[b] == PLU_ACTIVE;
    return count;
}

static size_t bytes_of(const item *it, int active)
{
    return (size_t)it->components * (size_t)it->element * (size_t)active;
}

static void declare(FILE *out, const item *it, int active, size_t *offset)
{
    if (!it->rows)
        return;
    fprintf(out,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" "
            "offset=\"%zu\"/>\n",
            it->type, it->name, it->components, *offset);
    *offset += sizeof(uint64_t) + bytes_of(it, active);
}

static void write_head(FILE *out, const item list[ITEMS], const plu_frame_data *f, int active)
{
    size_t offset = 0;
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n"
            "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
            "format=\"ascii\">%.17g</DataArray>\n</FieldData>\n"
            "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"0\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<Points>\n",
            f->time, active, active);
    declare(out, &list[POINTS], active, &offset);
    fputs("</Points>\n<Verts>\n", out);
    declare(out, &list[CONNECTIVITY], active, &offset);
    declare(out, &list[OFFSETS], active, &offset);
    fputs("</Verts>\n<PointData Scalars=\"radius\">\n", out);
    for (int i = DATA; i < ITEMS; i++)
        declare(out, &list[i], active, &offset);
    fputs("</PointData>\n</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_", out);
}

/* Packs the rows of the active bodies; verts are the points themselves. Numbers are those of this
 * machine, which is little endian wherever pluvia is built. */
static void pack(void *to, const item *it, int i, const plu_frame_data *f)
{
    float *real = to;
    double *exact = to;
    int32_t *whole = to;
    unsigned char *flag = to;
    int n = 0;
    for (int b = 0; b < f->bodies; b++) {
        if (f->state[b] != PLU_ACTIVE)
            continue;
        if (i == CONNECTIVITY || i == OFFSETS)
            *whole++ = n + (i == OFFSETS);
        else if (it->real)
            for (int c = 0; c < it->components; c++) {
                const double x =
                    ((const double *)it->rows)[(size_t)it->components * (size_t)b + (size_t)c];
                if (it->element == 8)
                    *exact++ = x;
                else
                    *real++ = (float)x;
            }
        else if (it->element == 1)
            *flag++ = ((const unsigned char *)it->rows)[b];
        else
            *whole++ = ((const int *)it->rows)[b];
        n++;
    }
}

static plu_status write_frame(const plu_export *export, FILE *out, const void *user, plu_error *err)
{
    (void)export;
    const plu_frame_data *f = user;
    item list[ITEMS];
    const int active = count_active(f);
    void *buffer = malloc(24 * (size_t)active + 1);
    if (!buffer)
        return plu_fail(err, PLU_IO, "out of memory: %d bodies", active);
    list_items(list, f);
    write_head(out, list, f, active);
    for (int i = 0; i < ITEMS; i++) {
        if (!list[i].rows)
            continue;
        const uint64_t bytes = bytes_of(&list[i], active);
        pack(buffer, &list[i], i, f);
        fwrite(&bytes, sizeof bytes, 1, out);
        fwrite(buffer, 1, bytes, out);
    }
    free(buffer);
    fputs("\n</AppendedData>\n</VTKFile>\n", out);
    return PLU_OK;
}

/* The name of the collection in pieces: FOLDER/, NAME. */
typedef struct names {
    char stem[PLU_PATH]; /* without .pvd */
    const char *name;    /* its last part */
} names;

/* The frames, and where boundaries are in them. */
static plu_status write_frames(const plu_export *export, FILE *list, const names *n, long from,
                               long to, plu_vtk_boundaries *boundaries, plu_error *err)
{
    plu_vtk_collection_begin(list);
    for (long k = from; k < to; k++) {
        char path[2 * PLU_PATH + 32];
        plu_frame_data frame;
        plu_status status = plu_frames_read(export->frames, k, &frame, err);
        snprintf(path, sizeof path, "%s/%s-%06ld.vtp", n->stem, n->name, k);
        if (status == PLU_OK)
            status = plu_export_stream(export, path, PLU_OUTPUT_OTHER, write_frame, &frame, err);
        if (status != PLU_OK)
            return status;
        plu_vtk_boundaries_take(boundaries, &frame);
        plu_vtk_collection_add(list, frame.time, 0, path + (n->name - n->stem));
    }
    plu_vtk_collection_end(list);
    return PLU_OK;
}

static plu_status write_series(const plu_export *export, FILE *list, const void *user,
                               plu_error *err)
{
    const names *n = user;
    const long from = export->frame < 0 ? 0 : export->frame;
    const long to = export->frame < 0 ? plu_frames_count(export->frames) : from + 1;
    char walls[PLU_PATH + 32];
    snprintf(walls, sizeof walls, "%s-boundaries.pvd", n->stem);
    plu_vtk_boundaries boundaries;
    plu_status status = plu_vtk_boundaries_begin(&boundaries, export, walls, from, to - from, err);
    if (status == PLU_OK)
        status = write_frames(export, list, n, from, to, &boundaries, err);
    if (status == PLU_OK)
        status = plu_vtk_boundaries_write(&boundaries, export, walls, n->stem, err);
    plu_vtk_boundaries_free(&boundaries);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

plu_status plu_export_vtk(const plu_export *export, plu_error *err)
{
    names n;
    plu_frame_data frame;
    if (export->frame >= 0 &&
        (ends_with(export->output, ".vtp") || plu_output_goes_through(export->output))) {
        const plu_status status = plu_frames_read(export->frames, export->frame, &frame, err);
        return status == PLU_OK ? plu_export_stream(export, export->output, PLU_OUTPUT_OTHER,
                                                    write_frame, &frame, err)
                                : status;
    }
    if (!ends_with(export->output, ".pvd") || strlen(export->output) >= sizeof n.stem)
        return plu_fail(err, PLU_USAGE,
                        "option --output: the name must end in .pvd (a series), or with --at in "
                        ".vtp (one frame)");
    snprintf(n.stem, sizeof n.stem, "%.*s", (int)strlen(export->output) - 4, export->output);
    n.name = strrchr(n.stem, '/') ? strrchr(n.stem, '/') + 1 : n.stem;
    if (mkdir(n.stem, 0777) != 0 && errno != EEXIST)
        return plu_fail(err, PLU_IO, "cannot make the folder %s: %s", n.stem, strerror(errno));
    return plu_export_stream(export, export->output, PLU_OUTPUT_OTHER, write_series, &n, err);
}
