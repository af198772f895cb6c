/* VTK XML PolyData: the active bodies of a frame as vertices, in single precision but for
 * positions, which may be coordinates of a map; beside them boundaries and contacts, and what opens
 * all of it. Arrays have the names that they have in trajectories, and those of the readers of
 * OVITO.
 *
 *   pluvia export run.h5md --to vtk -o OUT.pvd
 *
 *   OUT.pvd                        the series of bodies         -> OUT/OUT-000000.vtp ...
 *   OUT-boundaries.pvd             boundaries                   -> OUT/OUT-standing.vtp,
 *                                                                  OUT/OUT-moving-000000.vtp ...
 *   OUT-all.pvd                    all at once, by blocks       -> OUT/OUT-000000.vtm ...
 *   OUT/OUT-contacts-000000.vtp    contacts between grains, where a frame has any
 *   OUT/OUT-wall-contacts-000000.vtp   and of grains with boundaries
 *
 * Numbers in the names are those of the frames in the trajectory. Lists (.pvd) are written last of
 * their series: a list names no file that is not there. */
#include "cli/export/export_vtk.h"
#include "cli/export/vtk_data.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef enum kind { REAL, WHOLE, FLAG } kind;

typedef struct item {
    const char *name, *other; /* other: a second name, by which OVITO knows it */
    kind kind;
    int components;
    const void *rows; /* NULL: not known */
} item;

enum { ITEMS = 13 };

static void list_items(item list[ITEMS], const plu_frame_data *f)
{
    const item all[ITEMS] = {
        {"radius", NULL, REAL, 1, f->radius},
        {"id", NULL, WHOLE, 1, f->id},
        {"species", NULL, WHOLE, 1, f->species},
        {"mass", NULL, REAL, 1, f->mass},
        {"velocity", "v", REAL, 3, f->velocity},
        {"angular_velocity", "omega", REAL, 3, f->angular_velocity},
        {"orientation", NULL, REAL, 4, f->orientation},
        {"force", "f", REAL, 3, f->force},
        {"torque", "tq", REAL, 3, f->torque},
        {"stress", NULL, REAL, 9, f->stress},
        {"dissipation", NULL, REAL, 1, f->dissipation},
        {"coordination", NULL, WHOLE, 1, f->coordination},
        {"fixed", NULL, FLAG, 1, f->fixed},
    };
    memcpy(list, all, sizeof all);
}

static size_t count_active(const plu_frame_data *f)
{
    size_t count = 0;
    for (int b = 0; b < f->bodies; b++)
        count += f->state[b] == PLU_ACTIVE;
    return count;
}

/* Packs the rows of the active bodies, one after the other: a frame has rows of waiting and
 * removed bodies, too. */
static void pack(void *to, const item *it, const plu_frame_data *f)
{
    float *real = to;
    int32_t *whole = to;
    for (int b = 0; b < f->bodies; b++) {
        if (f->state[b] != PLU_ACTIVE)
            continue;
        const size_t first = (size_t)it->components * (size_t)b;
        for (int c = 0; c < it->components && it->kind == REAL; c++)
            *real++ = (float)((const double *)it->rows)[first + (size_t)c];
        if (it->kind == WHOLE)
            *whole++ = ((const int *)it->rows)[b];
        else if (it->kind == FLAG)
            *whole++ = ((const unsigned char *)it->rows)[b];
    }
}

/* Quantities that both ParaView and OVITO know are written twice, under the names of either. */
static void put_item(FILE *out, const item *it, const plu_frame_data *f, size_t active,
                     void *buffer)
{
    const plu_vtk_type type = it->kind == REAL ? PLU_VTK_FLOAT32 : PLU_VTK_INT32;
    if (!it->rows)
        return;
    pack(buffer, it, f);
    plu_vtk_array(out, type, it->name, it->components, active, buffer);
    if (it->other)
        plu_vtk_array(out, type, it->other, it->components, active, buffer);
}

static void put_points(FILE *out, const plu_frame_data *f, size_t active, double (*buffer)[3])
{
    size_t n = 0;
    for (int b = 0; b < f->bodies; b++)
        if (f->state[b] == PLU_ACTIVE)
            memcpy(buffer[n++], f->position[b], sizeof *buffer);
    fputs("<Points>\n", out);
    plu_vtk_array(out, PLU_VTK_FLOAT64, "Points", 3, active, buffer);
    fputs("</Points>\n", out);
}

static plu_status write_frame(const plu_export *export, FILE *out, const void *user, plu_error *err)
{
    (void)export;
    const plu_frame_data *f = user;
    const size_t active = count_active(f);
    item list[ITEMS] = {{0}};
    void *buffer = malloc(36 * active + 1); /* nine numbers of four bytes, or three of eight */
    if (!buffer)
        return plu_fail(err, PLU_IO, "out of memory: %zu bodies", active);
    list_items(list, f);
    plu_vtk_begin(out, (plu_vtk_size){.points = active, .verts = active});
    put_points(out, f, active, buffer);
    plu_vtk_cells(out, "Verts", active, 1);
    fputs("<PointData Scalars=\"radius\">\n", out);
    for (int i = 0; i < ITEMS; i++)
        put_item(out, &list[i], f, active, buffer);
    fputs("</PointData>\n", out);
    plu_vtk_end(out, &f->time);
    free(buffer);
    return PLU_OK;
}

/* The name of the collection in pieces: FOLDER/, NAME. */
typedef struct names {
    char stem[PLU_PATH]; /* without .pvd */
    const char *name;    /* its last part */
} names;

/* The files of frame k, without the folder if they are seen from there. */
static void name_frame(char path[PLU_VTK_PATH], const names *n, const char *what, long k)
{
    snprintf(path, PLU_VTK_PATH, "%s/%s%s-%06ld.vtp", n->stem, n->name, what, k);
}

/* The contacts of frame k, where the file has any, and how many there are. */
static plu_status write_contacts(const plu_export *export, const names *n, long k,
                                 const plu_frame_data *f, plu_network *network, plu_vtk_frame *has,
                                 plu_error *err)
{
    char path[PLU_VTK_PATH];
    if (f->contacts < 0)
        return PLU_OK;
    plu_status status = plu_network_take(network, f, export->source, err);
    has->network = true;
    has->walls = network->walls;
    has->pairs = network->count - network->walls;
    name_frame(path, n, "-contacts", k);
    if (status == PLU_OK && has->pairs > 0)
        status = plu_vtk_contacts_write(export, network, f->time, false, path, err);
    name_frame(path, n, "-wall-contacts", k);
    if (status == PLU_OK && has->walls > 0)
        status = plu_vtk_contacts_write(export, network, f->time, true, path, err);
    return status;
}

/* The frames, and where boundaries are in them. */
static plu_status write_frames(const plu_export *export, FILE *list, const names *n,
                               plu_vtk_boundaries *boundaries, plu_vtk_frame *has, long count,
                               plu_error *err)
{
    plu_network network = {0};
    plu_status status = PLU_OK;
    plu_vtk_collection_begin(list);
    for (long i = 0; i < count && status == PLU_OK; i++) {
        char path[PLU_VTK_PATH];
        plu_frame_data frame;
        const long k = boundaries->first + i;
        status = plu_export_frame(export, k, &frame, err);
        if (status == PLU_OK && frame.contacts >= 0 && !network.first_part)
            status = plu_network_begin(&network, &boundaries->scene, export->source, err);
        name_frame(path, n, "", k);
        if (status == PLU_OK)
            status = plu_export_stream(export, path, PLU_OUTPUT_OTHER, write_frame, &frame, err);
        if (status == PLU_OK)
            status = write_contacts(export, n, k, &frame, &network, &has[i], err);
        if (status != PLU_OK)
            break;
        plu_vtk_boundaries_take(boundaries, &frame);
        plu_vtk_collection_add(list, frame.time, 0, path + (n->name - n->stem));
    }
    plu_vtk_collection_end(list);
    plu_network_free(&network);
    return status;
}

static plu_status write_series(const plu_export *export, FILE *list, const void *user,
                               plu_error *err)
{
    const names *n = user;
    const long count = export->end - export->first;
    char walls[PLU_PATH + 32], all[PLU_PATH + 32];
    snprintf(walls, sizeof walls, "%s-boundaries.pvd", n->stem);
    snprintf(all, sizeof all, "%s-all.pvd", n->stem);
    plu_vtk_boundaries boundaries;
    plu_vtk_frame *has = calloc((size_t)count + 1, sizeof *has);
    const plu_output_rule rule = plu_export_rule(export, PLU_OUTPUT_OTHER);
    plu_status status =
        plu_vtk_boundaries_begin(&boundaries, export, walls, export->first, count, err);
    if (status == PLU_OK && !has)
        status = plu_fail(err, PLU_IO, "out of memory: %ld frames", count);
    if (status == PLU_OK)
        status = plu_output_check(all, &rule, err);
    if (status == PLU_OK)
        status = write_frames(export, list, n, &boundaries, has, count, err);
    if (status == PLU_OK)
        status = plu_vtk_boundaries_write(&boundaries, export, walls, n->stem, err);
    if (status == PLU_OK)
        status = plu_vtk_all_write(export, &boundaries, has, all, n->stem, err);
    plu_vtk_boundaries_free(&boundaries);
    free(has);
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
    if (export->single &&
        (ends_with(export->output, ".vtp") || plu_output_goes_through(export->output))) {
        const plu_status status = plu_export_frame(export, export->first, &frame, err);
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
