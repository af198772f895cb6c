#include "base/space.h"
#include <string.h>

static void find_inverse(plu_space *space)
{
    for (int k = 0; k < 3; k++) {
        double *row = space->inverse[k];
        plu_cross(space->edge[(k + 1) % 3], space->edge[(k + 2) % 3], row);
        const double volume = plu_dot(space->edge[k], row);
        space->height[k] = volume / plu_norm(row);
        for (int i = 0; i < 3; i++)
            row[i] /= volume;
    }
}

static void find_images(plu_space *space)
{
    for (int image = 0; image < PLU_IMAGES; image++) {
        int s[3];
        plu_image_vector(image, s);
        memset(space->shift[image], 0, sizeof space->shift[image]);
        for (int k = 0; k < 3; k++)
            plu_add_scaled(space->shift[image], s[k], space->edge[k]);
    }
    memcpy(space->later, space->shift, sizeof space->later);
}

void plu_space_make(plu_space *space, const double origin[3], const double edge[3][3],
                    const bool periodic[3])
{
    *space = (plu_space){.kind = PLU_PERIODIC_SPACE};
    memcpy(space->origin, origin, sizeof space->origin);
    memcpy(space->edge, edge, sizeof space->edge);
    memcpy(space->periodic, periodic, sizeof space->periodic);
    find_inverse(space);
    find_images(space);
}

bool plu_space_wrap(const plu_space *space, double x[3], int s[3])
{
    bool moved = false;
    for (int k = 0; k < 3; k++) {
        const double cells = space->periodic[k] ? floor(plu_space_fraction(space, k, x)) : 0.0;
        s[k] = fabs(cells) < 1e9 ? (int)cells : 0;
        moved |= s[k] != 0;
    }
    for (int k = 0; k < 3 && moved; k++)
        plu_add_scaled(x, -s[k], space->edge[k]);
    return moved;
}

void plu_apart_nearest(const plu_space *space, const double a[3], const double b[3], double d[3])
{
    plu_sub(b, a, d);
    for (int image = 1; image < PLU_IMAGES; image++) {
        double way[3];
        if (!plu_space_has_image(space, image))
            continue;
        plu_apart_from(space, image, a, b, way);
        if (plu_dot(way, way) < plu_dot(d, d))
            memcpy(d, way, sizeof way);
    }
}

int plu_image_on_way(const plu_space *space, const double a[3], const double b[3],
                     const double way[3])
{
    double least = HUGE_VAL;
    int found = 0;
    for (int image = 0; image < PLU_IMAGES && space->kind == PLU_PERIODIC_SPACE; image++) {
        double off[3];
        plu_apart_from(space, image, a, b, off);
        plu_sub(off, way, off);
        const double square = plu_dot(off, off);
        if (square < least && plu_space_has_image(space, image)) {
            least = square;
            found = image;
        }
    }
    return found;
}
