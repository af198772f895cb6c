/* Triangles from files: STL and OBJ.
 *
 *     STL    a text, or binary: 80 bytes of title, a count, then 50 bytes each: normal, 3 corners,
 *            2 bytes
 *     OBJ    v x y z, and f with numbers of corners, from 1 or backward from the last; faces with
 *            more corners are cut into triangles
 *
 * Normals of files are not read: they follow from the corners. Corners of STL are repeated in each
 * triangle; they are joined when the mesh is made (mesh_make.c). */
#include "shape/mesh_read.h"
#include "base/memory.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* The content of a file with a NUL behind it; the caller frees it. */
static char *content_of(const char *path, size_t *size, plu_error *err)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        plu_fail(err, PLU_BAD_INPUT, "%s: %s", path,
                 errno == ENOENT ? "no such file" : strerror(errno));
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        plu_fail(err, PLU_BAD_INPUT, "%s is not a file", path);
        return NULL;
    }
    if ((double)info.st_size > PLU_MESH_LARGEST) {
        plu_fail(err, PLU_BAD_INPUT,
                 "%s has %.3g GB; the limit for meshes is %.3g GB: make it coarser or split it",
                 path, 1e-9 * (double)info.st_size, 1e-9 * PLU_MESH_LARGEST);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (!file) {
        plu_fail(err, PLU_BAD_INPUT, "%s: %s", path, strerror(errno));
        return NULL;
    }
    *size = (size_t)info.st_size;
    char *bytes = plu_alloc(*size + 1, 1, err);
    if (bytes && fread(bytes, 1, *size, file) != *size) {
        plu_fail(err, PLU_IO, "%s: cannot be read", path);
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

static bool ends_with_obj(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcasecmp(path + length - 4, ".obj") == 0;
}

plu_status plu_triangles_read(plu_triangles *read, const char *path, plu_error *err)
{
    *read = (plu_triangles){0};
    plu_error why = {.status = PLU_IO};
    size_t size = 0;
    char *bytes = content_of(path, &size, &why);
    if (!bytes)
        return plu_fail(err, why.status, "%s", why.text);
    plu_status s = ends_with_obj(path) ? plu_triangles_obj(read, bytes, &why)
                                       : plu_triangles_stl(read, bytes, size, &why);
    free(bytes);
    if (s == PLU_OK && read->triangles == 0)
        s = plu_fail(&why, PLU_BAD_INPUT, "it contains no triangles");
    return s == PLU_OK ? s : plu_fail(err, s, "%s: %s", path, why.text);
}

/* --- what the formats share --- */

void plu_triangles_free(plu_triangles *read)
{
    free(read->corner);
    free(read->triangle);
    *read = (plu_triangles){0};
}

static plu_status triangles_corner(plu_triangles *read, const double corner[3], plu_error *err)
{
    if (!(isfinite(corner[0]) && isfinite(corner[1]) && isfinite(corner[2])))
        return plu_fail(err, PLU_BAD_INPUT, "corner %ld is not a finite point: (%g, %g, %g)",
                        read->corners + 1, corner[0], corner[1], corner[2]);
    if (read->corners == INT_MAX)
        return plu_fail(err, PLU_BAD_INPUT, "it has more than %d corners", INT_MAX);
    const plu_status s = plu_reserve(&read->corner, &read->corner_capacity,
                                     (size_t)read->corners + 1, sizeof *read->corner, 1, err);
    if (s == PLU_OK)
        memcpy(read->corner[read->corners++], corner, sizeof *read->corner);
    return s;
}

static plu_status triangles_add(plu_triangles *read, const int triangle[3], plu_error *err)
{
    const plu_status s = plu_reserve(&read->triangle, &read->triangle_capacity,
                                     (size_t)read->triangles + 1, sizeof *read->triangle, 1, err);
    if (s == PLU_OK)
        memcpy(read->triangle[read->triangles++], triangle, sizeof *read->triangle);
    return s;
}

/* STL: triangles with their corners, in binary form or as text. Normals of the file are not read:
 * they follow from the corners. */

enum { HEAD = 84, TRIANGLE = 50, FIRST_CORNER = 12, CORNER = 12 }; /* bytes of the binary form */

static uint32_t word_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double number_at(const char *bytes)
{
    const uint32_t word = word_at(bytes);
    float number;
    memcpy(&number, &word, sizeof number);
    return number;
}

/* The triangle of the last three corners. */
static plu_status close_triangle(plu_triangles *read, plu_error *err)
{
    const int last = (int)read->corners - 1, triangle[3] = {last - 2, last - 1, last};
    return triangles_add(read, triangle, err);
}

static plu_status stl_binary(plu_triangles *read, const char *bytes, size_t count, plu_error *err)
{
    plu_status s = PLU_OK;
    for (size_t t = 0; t < count && s == PLU_OK; t++) {
        const char *at = bytes + HEAD + t * TRIANGLE + FIRST_CORNER;
        for (size_t k = 0; k < 3 && s == PLU_OK; k++, at += CORNER) {
            const double corner[3] = {number_at(at), number_at(at + 4), number_at(at + 8)};
            s = triangles_corner(read, corner, err);
        }
        if (s == PLU_OK)
            s = close_triangle(read, err);
    }
    return s;
}

/* The next word of the text, without regard to case; false: it is another one. */
static bool word_is(const char *text, size_t length, const char *word)
{
    size_t k = 0;
    while (k < length && word[k] && tolower((unsigned char)text[k]) == word[k])
        k++;
    return k == length && !word[k];
}

static plu_status bad_text(const plu_triangles *read, const char *what, plu_error *err)
{
    return plu_fail(err, PLU_BAD_INPUT, "triangle %ld %s", read->triangles + 1, what);
}

/* Reads the three numbers behind "vertex". */
static plu_status stl_vertex(plu_triangles *read, const char **at, plu_error *err)
{
    double corner[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        corner[k] = strtod(*at, &end);
        if (end == *at)
            return bad_text(read, "has a corner without three numbers", err);
        *at = end;
    }
    return triangles_corner(read, corner, err);
}

static plu_status stl_text(plu_triangles *read, const char *text, plu_error *err)
{
    plu_status s = PLU_OK;
    bool ended = false;
    int corners = 0; /* of the present triangle */
    for (const char *at = text; s == PLU_OK && *at;) {
        at += strspn(at, " \t\r\n\v\f");
        const size_t length = strcspn(at, " \t\r\n\v\f");
        const char *word = at;
        at += length;
        if (word_is(word, length, "vertex")) {
            s = stl_vertex(read, &at, err);
            corners++;
        } else if (word_is(word, length, "endfacet")) {
            s = corners == 3 ? close_triangle(read, err)
                             : bad_text(read, "does not have three corners", err);
            corners = 0;
        } else if (word_is(word, length, "endsolid")) {
            ended = true;
        }
    }
    if (s == PLU_OK && (corners != 0 || !ended))
        s = bad_text(read, "is the last one, and `endsolid` is missing: the file was cut off", err);
    return s;
}

/* --- for the formats: the text ends with a NUL; messages name no path --- */
plu_status plu_triangles_stl(plu_triangles *read, const char *bytes, size_t size, plu_error *err)
{
    const char *first = bytes + strspn(bytes, " \t\r\n");
    const size_t count = size >= HEAD ? word_at(bytes + HEAD - 4) : 0;
    if (size >= HEAD && size == HEAD + TRIANGLE * count)
        return count < INT_MAX / 3 ? stl_binary(read, bytes, count, err)
                                   : plu_fail(err, PLU_BAD_INPUT, "it has too many triangles");
    if (word_is(first, strcspn(first, " \t\r\n"), "solid"))
        return stl_text(read, first, err);
    if (size < HEAD)
        return plu_fail(err, PLU_BAD_INPUT, "%s",
                        size ? "it is not an STL file: it is too short" : "it is empty");
    return plu_fail(err, PLU_BAD_INPUT,
                    "it is not an STL file, or it was cut off: the %zu triangles that its header "
                    "announces need %zu bytes, and it has %zu",
                    count, HEAD + TRIANGLE * count, size);
}

/* OBJ: lines `v x y z` and `f i j k ...`; all others say how it looks. Faces with more corners
 * become fans of triangles. */

static plu_status bad_line(long line, const char *what, plu_error *err)
{
    return plu_fail(err, PLU_BAD_INPUT, "line %ld: %s", line, what);
}

static plu_status obj_corner(plu_triangles *read, const char *text, long line, plu_error *err)
{
    double corner[3];
    for (int k = 0; k < 3; k++) {
        char *end;
        corner[k] = strtod(text, &end);
        if (end == text || memchr(text, '\n', (size_t)(end - text)))
            return bad_line(line, "a corner needs three numbers", err);
        text = end;
    }
    plu_error why = {0};
    const plu_status s = triangles_corner(read, corner, &why);
    return s == PLU_OK ? s : plu_fail(err, s, "line %ld: %s", line, why.text);
}

/* `i`, `i/t`, `i//n` or `i/t/n`: i counts from 1, or back from the last corner so far. */
static plu_status obj_index(const plu_triangles *read, const char **text, long line, int *index,
                            plu_error *err)
{
    char *end;
    const long given = strtol(*text, &end, 10);
    const long from_zero = given < 0 ? read->corners + given : given - 1;
    if (end == *text || from_zero < 0 || from_zero >= read->corners)
        return bad_line(line, "a face names a corner that does not exist", err);
    *index = (int)from_zero;
    *text = end + strcspn(end, " \t\r\n");
    return PLU_OK;
}

static plu_status obj_face(plu_triangles *read, const char *text, long line, plu_error *err)
{
    int triangle[3], corners = 0;
    plu_status s = PLU_OK;
    for (;;) {
        text += strspn(text, " \t\r");
        if (*text == '\n' || !*text || *text == '#' || s != PLU_OK)
            break;
        int index = 0;
        s = obj_index(read, &text, line, &index, err);
        if (s != PLU_OK)
            break;
        if (corners > 2)
            triangle[1] = triangle[2];
        triangle[corners < 2 ? corners : 2] = index;
        if (++corners > 2)
            s = triangles_add(read, triangle, err);
    }
    return s == PLU_OK && corners < 3 ? bad_line(line, "a face needs three corners", err) : s;
}

plu_status plu_triangles_obj(plu_triangles *read, const char *text, plu_error *err)
{
    plu_status s = PLU_OK;
    for (long line = 1; s == PLU_OK && *text; line++) {
        text += strspn(text, " \t\r");
        if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t'))
            s = obj_corner(read, text + 1, line, err);
        else if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t'))
            s = obj_face(read, text + 1, line, err);
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return s;
}
