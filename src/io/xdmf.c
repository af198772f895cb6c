#include "io/xdmf.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tail[] = "    </Grid>\n  </Domain>\n</Xdmf>\n";

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

/* Copies `text` with the characters that XML reserves escaped; those that XML cannot represent
 * become '?'. */
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
                                          : piece;
        if (used + strlen(put) >= size)
            break;
        memcpy(out + used, put, strlen(put));
        used += strlen(put);
        text += length > 0 ? length : 1;
    }
    out[used] = '\0';
}

/* Writes the whole text at `offset`; fails with errno. */
static int write_at(int file, const char *text, size_t length, off_t offset)
{
    while (length > 0) {
        const ssize_t done = pwrite(file, text, length, offset);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        text += done;
        length -= (size_t)done;
        offset += done;
    }
    return 0;
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
    if (write_at(xdmf->file, text, length, xdmf->end) == 0) {
        xdmf->end += (off_t)strlen(grids);
    } else {
        status = plu_fail(err, PLU_IO, "%s: cannot write the sidecar (.xdmf): %s", xdmf->data,
                          strerror(errno));
        if (write_at(xdmf->file, tail, strlen(tail), xdmf->end) == 0 &&
            ftruncate(xdmf->file, xdmf->end + (off_t)strlen(tail)) != 0)
            plu_error_add(err, PLU_IO, "nor truncate it: %s", strerror(errno));
    }
    free(text);
    return status;
}

plu_status plu_xdmf_create(plu_xdmf *xdmf, const char *path, const char *data,
                           const plu_scene *scene, int bodies, plu_error *err)
{
    *xdmf = (plu_xdmf){.file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
                       .bodies = bodies,
                       .precision = scene->output.float32 ? 4 : 8,
                       .quantities = scene->output.quantities};
    if (xdmf->file < 0)
        return plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    escape(xdmf->data, sizeof xdmf->data, data);
    char title[1600], head[2048];
    escape(title, sizeof title, scene->title);
    snprintf(head, sizeof head,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<!DOCTYPE Xdmf SYSTEM \"Xdmf.dtd\" []>\n"
             "<Xdmf Version=\"2.0\">\n"
             "  <Information Name=\"title\" Value=\"%s\"/>\n"
             "  <Domain>\n"
             "    <Grid Name=\"trajectory\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
             title);
    return xdmf_add(xdmf, head, err);
}

typedef struct item {
    const char *name;   /* in ParaView and below /particles/trajectory */
    const char *kind;   /* XDMF attribute type */
    const char *number; /* XDMF number type */
    int components, precision;
    bool fixed; /* the same in all frames */
} item;

/* What a DataItem refers to: frame `frame` of /particles/trajectory/NAME/value, or NAME itself. */
static void data_item(FILE *out, const plu_xdmf *xdmf, const item *it, long frame)
{
    const int n = xdmf->bodies, c = it->components;
    char shape[32] = "";
    if (c > 1)
        snprintf(shape, sizeof shape, " %d", c);
    const bool flat = c == 1;
    const char *opened = "";
    if (!it->fixed) {
        fprintf(out,
                "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%d%s\">"
                "<DataItem Dimensions=\"3 %d\" Format=\"XML\">%ld 0%s 1 1%s 1 %d%s</DataItem>",
                n, shape, flat ? 2 : 3, frame, flat ? "" : " 0", flat ? "" : " 1", n, shape);
        opened = "</DataItem>";
    }
    fprintf(out, "<DataItem Dimensions=\"");
    if (!it->fixed)
        fprintf(out, "%ld ", frame + 1);
    fprintf(out,
            "%d%s\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">"
            "%s:/particles/trajectory/%s%s</DataItem>%s",
            n, shape, it->number, it->precision, xdmf->data, it->name, it->fixed ? "" : "/value",
            opened);
}

static void attribute(FILE *out, const plu_xdmf *xdmf, const item *it, long frame)
{
    fprintf(out, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"Node\">", it->name,
            it->kind);
    data_item(out, xdmf, it, frame);
    fputs("</Attribute>\n", out);
}

static void grid(FILE *out, const plu_xdmf *xdmf, long frame, double time)
{
    const int real = xdmf->precision;
    const item position = {"position", "", "Float", 3, real, false};
    const item items[] = {{"radius", "Scalar", "Float", 1, 8, true},
                          {"species", "Scalar", "Int", 1, 4, true},
                          {"state", "Scalar", "UChar", 1, 1, false},
                          {"velocity", "Vector", "Float", 3, real, false},
                          {"angular_velocity", "Vector", "Float", 3, real, false},
                          {"orientation", "Matrix", "Float", 4, real, false},
                          {"force", "Vector", "Float", 3, real, false}};
    const unsigned asked[] = {
        0, 0, 0, PLU_OUT_VELOCITY, PLU_OUT_ANGULAR_VELOCITY, PLU_OUT_ORIENTATION, PLU_OUT_FORCE};
    fprintf(
        out,
        "<Grid Name=\"frame-%ld\" GridType=\"Uniform\"><Time Value=\"%.17g\"/>"
        "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%d\" NodesPerElement=\"1\"/>\n"
        "<Geometry GeometryType=\"XYZ\">",
        frame, time, xdmf->bodies);
    data_item(out, xdmf, &position, frame);
    fputs("</Geometry>\n", out);
    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++)
        if ((asked[k] & xdmf->quantities) == asked[k])
            attribute(out, xdmf, &items[k], frame);
    fputs("</Grid>\n", out);
}

plu_status plu_xdmf_frame(plu_xdmf *xdmf, long frame, double time, plu_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out)
        grid(out, xdmf, frame, time);
    if (!out || fclose(out) != 0 || !text) {
        free(text);
        return plu_fail(err, PLU_IO, "out of memory: the sidecar of frame %ld", frame);
    }
    const plu_status status = xdmf_add(xdmf, text, err);
    free(text);
    return status;
}

void plu_xdmf_close(plu_xdmf *xdmf)
{
    if (xdmf->file >= 0)
        close(xdmf->file);
    xdmf->file = -1;
}
