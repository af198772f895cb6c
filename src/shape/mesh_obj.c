/* OBJ: lines `v x y z` and `f i j k ...`; all others say how it looks. Faces with more corners
 * become fans of triangles. */
#include "shape/mesh_read.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

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
    const plu_status s = plu_triangles_corner(read, corner, &why);
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
            s = plu_triangles_add(read, triangle, err);
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
