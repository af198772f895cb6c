/* VTK XML of PolyData, with arrays in base64 (RFC 4648). An array is its size in bytes as 64 bits,
 * then the numbers, encoded as one stream: three bytes are four letters of six bits each,
 *
 *  |aaaaaa aa|bbbb bbbb|cc cccccc|   ->   four letters; a rest of one byte ends in ==, of two
 *                                         in =
 *
 *   <VTKFile type="PolyData" ... header_type="UInt64"> <PolyData>
 *     <Piece NumberOfPoints="2" NumberOfVerts="2" ...>
 *       <Points> <DataArray type="Float64" Name="Points" NumberOfComponents="3" format="binary">
 *       <Verts>  connectivity: corners of all cells; offsets: where each cell ends
 *       <PointData> or <CellData>: the other arrays
 *     <FieldData> TimeValue
 *
 * Order of calls: plu_vtk_begin, the caller's elements with plu_vtk_array, plu_vtk_cells,
 * plu_vtk_end. Numbers are written in the order of bytes of the machine, which the file calls
 * little-endian. */
#include "cli/export/vtk_data.h"
#include "cli/export/export_vtk.h"
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static size_t vtk_bytes(plu_vtk_type type)
{
    return type == PLU_VTK_FLOAT32 || type == PLU_VTK_INT32 ? 4 : 8;
}

void plu_vtk_begin(FILE *out, plu_vtk_size size)
{
    fprintf(out,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n"
            "<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n",
            size.points, size.verts, size.lines, size.polys);
}

/* Base64 (RFC 4648), of which three bytes make four letters; what is left over waits. */
typedef struct encoder {
    FILE *out;
    unsigned char left[3];
    unsigned waiting; /* 0 to 2 */
    size_t used;
    char text[4 * 1024];
} encoder;

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_three(encoder *e, const unsigned char b[3])
{
    char *to = &e->text[e->used];
    to[0] = letters[b[0] >> 2];
    to[1] = letters[(b[0] & 3) << 4 | b[1] >> 4];
    to[2] = letters[(b[1] & 15) << 2 | b[2] >> 6];
    to[3] = letters[b[2] & 63];
    e->used += 4;
    if (e->used == sizeof e->text) {
        fwrite(e->text, 1, sizeof e->text, e->out);
        e->used = 0;
    }
}

/* Up to two bytes wait for the next call, since size and numbers are one stream. */
static void encode(encoder *e, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    for (size_t i = 0; i < count;) {
        if (e->waiting == 0 && count - i >= 3) {
            put_three(e, b + i);
            i += 3;
            continue;
        }
        e->left[e->waiting] = b[i++];
        e->waiting = (e->waiting + 1) % 3U;
        if (e->waiting == 0)
            put_three(e, e->left);
    }
}

static void finish(encoder *e)
{
    const unsigned waiting = e->waiting;
    fwrite(e->text, 1, e->used, e->out);
    if (waiting == 0)
        return;
    for (unsigned i = waiting; i < 3; i++)
        e->left[i] = 0;
    e->used = 0;
    put_three(e, e->left);
    for (unsigned i = waiting + 1; i < 4; i++)
        e->text[i] = '=';
    fwrite(e->text, 1, 4, e->out);
}

static void begin_array(encoder *e, plu_vtk_type type, const char *name, int components,
                        uint64_t bytes)
{
    static const char *const types[] = {"Float32", "Float64", "Int32", "Int64"};
    fprintf(e->out,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"binary\">",
            types[type], name, components);
    encode(e, &bytes, sizeof bytes);
}

static void end_array(encoder *e)
{
    finish(e);
    fputs("</DataArray>\n", e->out);
}

void plu_vtk_array(FILE *out, plu_vtk_type type, const char *name, int components, size_t rows,
                   const void *numbers)
{
    encoder e = {.out = out};
    const size_t bytes = rows * (size_t)components * vtk_bytes(type);
    begin_array(&e, type, name, components, bytes);
    if (bytes > 0)
        encode(&e, numbers, bytes);
    end_array(&e);
}

/* first, first + step, ..., in 32 bits where the last one fits. */
static void put_numbers(FILE *out, const char *name, int64_t first, int64_t step, size_t count)
{
    encoder e = {.out = out};
    const bool small = first + step * (int64_t)count <= INT32_MAX;
    const plu_vtk_type type = small ? PLU_VTK_INT32 : PLU_VTK_INT64;
    begin_array(&e, type, name, 1, vtk_bytes(type) * count);
    for (size_t k = 0; k < count; k++, first += step) {
        const int32_t number = (int32_t)first;
        if (small)
            encode(&e, &number, sizeof number);
        else
            encode(&e, &first, sizeof first);
    }
    end_array(&e);
}

void plu_vtk_cells(FILE *out, const char *kind, size_t cells, int corners)
{
    fprintf(out, "<%s>\n", kind);
    put_numbers(out, "connectivity", 0, 1, cells * (size_t)corners);
    put_numbers(out, "offsets", corners, corners, cells);
    fprintf(out, "</%s>\n", kind);
}

void plu_vtk_end(FILE *out, const double *time)
{
    fputs("</Piece>\n", out);
    if (time)
        fprintf(out,
                "<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
                "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
                *time);
    fputs("</PolyData>\n</VTKFile>\n", out);
}

/* --- collections of VTK files (export_vtk.h) --- */

void plu_vtk_escape(FILE *out, const char *text)
{
    for (; *text; text++)
        if (strchr("&<>\"", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

/* A collection (.pvd): files by time and part. */
void plu_vtk_collection_begin(FILE *out)
{
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          out);
}

void plu_vtk_collection_add(FILE *out, double time, int part, const char *file)
{
    fprintf(out, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"", time, part);
    plu_vtk_escape(out, file);
    fputs("\"/>\n", out);
}

void plu_vtk_collection_end(FILE *out)
{
    fputs("</Collection>\n</VTKFile>\n", out);
}
