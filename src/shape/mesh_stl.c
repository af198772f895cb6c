/* STL: triangles with their corners, in binary form or as text. Normals of the file are not read:
 * they follow from the corners. */
#include "shape/mesh_read.h"
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    return plu_triangles_add(read, triangle, err);
}

static plu_status stl_binary(plu_triangles *read, const char *bytes, size_t count, plu_error *err)
{
    plu_status s = PLU_OK;
    for (size_t t = 0; t < count && s == PLU_OK; t++) {
        const char *at = bytes + HEAD + t * TRIANGLE + FIRST_CORNER;
        for (size_t k = 0; k < 3 && s == PLU_OK; k++, at += CORNER) {
            const double corner[3] = {number_at(at), number_at(at + 4), number_at(at + 8)};
            s = plu_triangles_corner(read, corner, err);
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
    return plu_triangles_corner(read, corner, err);
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
