/* The sidecar for ParaView (xdmf.h): a text that refers to datasets of the trajectory. It grows
 * with each frame and is a complete document after every write:
 *
 *     head, entities, number of frames | grid 0 | grid 1 | ... | tail
 *                                                               '- one write: grid k over the old
 *                                                                  tail, and the tail behind it
 *
 * Lengths that change (how many frames a dataset has) are numbers of fixed width in the head. */
#include "io/trajectory/xdmf.h"
#include "base/words.h"
#include "io/h5/h5_read.h"
#include "io/h5/system_file.h"
#include "pluvia/frames.h"
#include "pluvia/scene.h"
#include "pluvia/writing.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tail[] = "</Grid>\n</Domain>\n</Xdmf>\n";
enum { DIGITS = 10 }; /* of the number of frames, which is written again with each */

/* Bytes of the UTF-8 character at `text` that XML allows, 0 where there is none. */
static int character(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80)
        return c[0] >= 0x20 || c[0] == '\t' || c[0] == '\n';
    const int length = c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (c[0] < 0xc2 || c[0] > 0xf4)
        return 0;
    for (int k = 1; k < length; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    const bool surrogate = c[0] == 0xed && c[1] >= 0xa0;
    const bool beyond = c[0] == 0xf4 && c[1] >= 0x90;
    const bool nothing = c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
    return overlong || surrogate || beyond || nothing ? 0 : length;
}

/* Copies `text` with the characters that XML reserves, also in the value of an entity, escaped;
 * those that XML cannot represent become '?'. */
static void escape(char *out, size_t size, const char *text)
{
    size_t used = 0;
    while (*text) {
        const int length = character(text);
        char piece[8] = "?";
        if (length > 0)
            snprintf(piece, sizeof piece, "%.*s", length, text);
        const char *put = *text == '&'    ? "&amp;"
                          : *text == '<'  ? "&lt;"
                          : *text == '>'  ? "&gt;"
                          : *text == '"'  ? "&quot;"
                          : *text == '\'' ? "&apos;"
                          : *text == '%'  ? "&#37;"
                                          : piece;
        if (used + strlen(put) >= size)
            break;
        memcpy(out + used, put, strlen(put));
        used += strlen(put);
        text += length > 0 ? length : 1;
    }
    out[used] = '\0';
}

static plu_status cannot_write(const plu_xdmf *xdmf, plu_error *err)
{
    return plu_fail(err, PLU_IO, "%s: cannot write the sidecar (.xdmf): %s", xdmf->name,
                    strerror(errno));
}

/* Puts `grids` (may be empty) and the end of the document at the end of the grids. */
static plu_status xdmf_add(plu_xdmf *xdmf, const char *grids, plu_error *err)
{
    const size_t length = strlen(grids) + strlen(tail);
    char *text = malloc(length + 1);
    if (!text)
        return plu_fail(err, PLU_IO, "out of memory: %zu bytes for the sidecar", length);
    snprintf(text, length + 1, "%s%s", grids, tail);
    plu_status status = PLU_OK;
    if (plu_write_whole(xdmf->file, text, length, xdmf->end)) {
        xdmf->end += (off_t)strlen(grids);
    } else {
        status = cannot_write(xdmf, err);
        if (plu_write_whole(xdmf->file, tail, strlen(tail), xdmf->end) &&
            ftruncate(xdmf->file, xdmf->end + (off_t)strlen(tail)) != 0)
            plu_error_add(err, PLU_IO, "nor truncate it: %s", strerror(errno));
    }
    free(text);
    return status;
}

typedef struct item {
    const char *name;   /* in ParaView and below /particles/trajectory */
    const char *entity; /* that stands for its data */
    const char *kind;   /* XDMF attribute type */
    const char *slab;   /* entity that selects a frame of it; NULL: the same in all frames */
    const char *type;   /* XDMF number type */
    int components, precision;
} item;

enum { ITEMS = 12 };

/* All items of the trajectory, the position first; returns how many there are. */
static int list_items(item items[ITEMS], const plu_xdmf *xdmf)
{
    const int real = xdmf->precision;
    const item known[ITEMS] = {
        {"position", "p", "Vector", "x3", "Float", 3, real},
        {"radius", "r", "Scalar", NULL, "Float", 1, 8},
        {"species", "m", "Scalar", NULL, "Int", 1, 4},
        {"state", "s", "Scalar", "x1", "UChar", 1, 1},
        {"velocity", "v", "Vector", "x3", "Float", 3, real},
        {"angular_velocity", "w", "Vector", "x3", "Float", 3, real},
        {"orientation", "q", "Matrix", "x4", "Float", 4, real},
        {"force", "f", "Vector", "x3", "Float", 3, real},
        {"torque", "tq", "Vector", "x3", "Float", 3, real},
        {"stress", "st", "Tensor", "x9", "Float", 9, real},
        {"dissipation", "d", "Scalar", "x1", "Float", 1, real},
        {"coordination", "z", "Scalar", "x1", "Int", 1, 4},
    };
    static const unsigned asked[ITEMS] = {[4] = PLU_OUT_VELOCITY, PLU_OUT_ANGULAR_VELOCITY,
                                          PLU_OUT_ORIENTATION,    PLU_OUT_FORCE,
                                          PLU_OUT_TORQUE,         PLU_OUT_STRESS,
                                          PLU_OUT_DISSIPATION,    PLU_OUT_COORDINATION};
    int count = 0;
    for (int k = 0; k < ITEMS; k++)
        if ((asked[k] & xdmf->quantities) == asked[k])
            items[count++] = known[k];
    return count;
}

/* The dimensions of the item in one frame. */
static void dimensions(FILE *out, const plu_xdmf *xdmf, const item *it)
{
    fprintf(out, "%d", xdmf->bodies);
    if (it->components > 1)
        fprintf(out, " %d", it->components);
}

/* The data of the item in all frames. */
static void source(FILE *out, const plu_xdmf *xdmf, const item *it)
{
    fprintf(out, "<DataItem Dimensions=\"%s", it->slab ? "&frames; " : "");
    dimensions(out, xdmf, it);
    fprintf(out,
            "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">"
            "%s:/particles/trajectory/%s%s</DataItem>",
            it->type, it->precision, xdmf->data, it->name, it->slab ? "/value" : "");
}

/* The same by its entity. Parsers refuse a file whose entities expand to more than five times its
 * size, so a long name is repeated. */
static void named_source(FILE *out, const plu_xdmf *xdmf, const item *it)
{
    enum { LONGEST = 100 };
    if (strlen(xdmf->data) > LONGEST)
        source(out, xdmf, it);
    else
        fprintf(out, "&%s;", it->entity);
}

/* The XDMF 3 library, by which ParaView has a second reader, has no defaults for these. */
static void attribute(FILE *out, const item *it)
{
    fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", it->name,
            it->kind);
}

/* Declares what would be the same in all grids. */
static void declarations(FILE *out, const plu_xdmf *xdmf)
{
    item items[ITEMS];
    const int count = list_items(items, xdmf);
    for (int k = 0; k < count; k++) {
        fprintf(out, "<!ENTITY %s '", items[k].entity);
        source(out, xdmf, &items[k]);
        fputs("'>\n", out);
    }
    fprintf(out,
            "<!ENTITY x1 ' 0 1 1 1 %d'>\n"
            "<!ENTITY x3 ' 0 0 1 1 1 1 %d 3'>\n"
            "<!ENTITY x4 ' 0 0 1 1 1 1 %d 4'>\n",
            xdmf->bodies, xdmf->bodies, xdmf->bodies);
    if (xdmf->quantities & PLU_OUT_STRESS)
        fprintf(out, "<!ENTITY x9 ' 0 0 1 1 1 1 %d 9'>\n", xdmf->bodies);
    fprintf(out,
            "<!ENTITY same '<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%d\" "
            "NodesPerElement=\"1\"/>",
            xdmf->bodies);
    for (int k = 0; k < count; k++)
        if (!items[k].slab) {
            attribute(out, &items[k]);
            named_source(out, xdmf, &items[k]);
            fputs("</Attribute>", out);
        }
    fputs("'>\n", out);
}

/* The domain comes first: the XDMF 3 library takes the first element for it. */
static void head(FILE *out, plu_xdmf *xdmf, const char *title)
{
    char escaped[1600];
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!DOCTYPE Xdmf [\n"
          "<!ENTITY frames '",
          out);
    xdmf->count = ftell(out);
    fprintf(out, "%*d'>\n", DIGITS, 0);
    declarations(out, xdmf);
    escape(escaped, sizeof escaped, title);
    fprintf(out,
            "]>\n"
            "<Xdmf Version=\"2.0\">\n"
            "<Domain>\n"
            "<Information Name=\"title\" Value=\"%s\"/>\n"
            "<Grid Name=\"trajectory\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
            escaped);
}

/* Frame `frame` of an item that changes. */
static void slab(FILE *out, const plu_xdmf *xdmf, const item *it, long frame)
{
    fputs("<DataItem ItemType=\"HyperSlab\" Dimensions=\"", out);
    dimensions(out, xdmf, it);
    fprintf(out,
            "\"><DataItem Dimensions=\"3 %d\" NumberType=\"Int\" Format=\"XML\">%ld&%s;</DataItem>",
            it->components > 1 ? 3 : 2, frame, it->slab);
    named_source(out, xdmf, it);
    fputs("</DataItem>", out);
}

static void grid(FILE *out, const plu_xdmf *xdmf, long frame, double time)
{
    char when[PLU_SHORTEST];
    item items[ITEMS];
    const int count = list_items(items, xdmf);
    plu_shortest(when, time);
    fprintf(out,
            "<Grid Name=\"frame-%ld\"><Time Value=\"%s\"/>&same;\n<Geometry GeometryType=\"XYZ\">",
            frame, when);
    slab(out, xdmf, &items[0], frame);
    fputs("</Geometry>\n", out);
    for (int k = 1; k < count; k++)
        if (items[k].slab) {
            attribute(out, &items[k]);
            slab(out, xdmf, &items[k], frame);
            fputs("</Attribute>\n", out);
        }
    fputs("</Grid>\n", out);
}

/* Adds what is written to `out`, an open_memstream of `text`, and closes it. */
static plu_status add_stream(plu_xdmf *xdmf, FILE *out, char **text, plu_error *err)
{
    plu_status status;
    if (!out || fclose(out) != 0 || !*text)
        status = plu_fail(err, PLU_IO, "out of memory to write the sidecar (.xdmf)");
    else
        status = xdmf_add(xdmf, *text, err);
    free(*text);
    return status;
}

plu_status plu_xdmf_create(plu_xdmf *xdmf, const char *path, const char *data,
                           const plu_scene *scene, int bodies, plu_error *err)
{
    char *text = NULL;
    size_t length = 0;
    *xdmf = (plu_xdmf){.file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
                       .bodies = bodies,
                       .precision = scene->output->float32 ? 4 : 8,
                       .quantities = scene->output->quantities};
    if (xdmf->file < 0)
        return plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    snprintf(xdmf->name, sizeof xdmf->name, "%s", data);
    escape(xdmf->data, sizeof xdmf->data, data);
    FILE *out = open_memstream(&text, &length);
    if (out)
        head(out, xdmf, scene->title);
    return add_stream(xdmf, out, &text, err);
}

/* The number of frames goes first: the trajectory has that many. */
plu_status plu_xdmf_frame(plu_xdmf *xdmf, long frame, double time, plu_error *err)
{
    char number[32], *text = NULL;
    size_t length = 0;
    snprintf(number, sizeof number, "%*ld", DIGITS, frame + 1);
    if (!plu_write_whole(xdmf->file, number, DIGITS, xdmf->count))
        return cannot_write(xdmf, err);
    FILE *out = open_memstream(&text, &length);
    if (out)
        grid(out, xdmf, frame, time);
    return add_stream(xdmf, out, &text, err);
}

void plu_xdmf_close(plu_xdmf *xdmf)
{
    if (xdmf->file >= 0)
        close(xdmf->file);
    xdmf->file = -1;
}

/* --- Writes a new ParaView sidecar for an existing trajectory --- */

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
    plu_output_spec output = {.quantities = 0};
    plu_scene scene = {.output = &output};
    plu_status status = plu_trajectory_info_read(&info, trajectory, err);
    if (status == PLU_OK)
        status = read_precision(&output.float32, trajectory, err);
    if (status != PLU_OK)
        return status;
    strcpy(scene.title, info.title);
    output.quantities = quantities_of(&info);
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
