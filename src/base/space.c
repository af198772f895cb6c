/* A periodic cell (space.h). With its edges a, b, c as columns of H:
 *
 *     fractions   f = H^-1 (x - o): rows of H^-1 are cross products over the volume, b x c / V, ...
 *     height      distance of opposite faces, V / |b x c|
 *     images      x + H S, S in {-1, 0, 1}^3: 27 vectors in a table, with what they move by
 *     step        H_{k+1} = H_k + h (theta D_{k+1} + (1 - theta) D_k) + h (H'_{k+1} - D_{k+1}) ,
 *                 D: the rates that are prescribed; the rest is what a stress moves in this step
 *     flip        an edge c that leans along a by more than half of a becomes c - m a: the same
 *                 lattice, so that no image lies farther than the next cell */
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

/* table: by image the sum of the rows of `edge` times S. */
static void find_table(double table[PLU_IMAGES][4], const double edge[3][3])
{
    for (int image = 0; image < PLU_IMAGES; image++) {
        int s[3];
        plu_image_vector(image, s);
        memset(table[image], 0, sizeof table[image]);
        for (int k = 0; k < 3; k++)
            plu_add_scaled(table[image], s[k], edge[k]);
    }
}

void plu_space_renew(plu_space *space)
{
    find_inverse(space);
    find_table(space->shift, (const double(*)[3])space->edge);
    find_table(space->later, (const double(*)[3])space->edge);
    for (int when = 0; when < 2; when++)
        find_table(space->drift[when], (const double(*)[3])space->rate[when]);
}

void plu_space_yield(plu_space *space, const double rate[3][3], double step, double theta)
{
    memcpy(space->rate[1], rate, sizeof space->rate[1]);
    memcpy(space->next, space->edge, sizeof space->next);
    for (int k = 0; k < 3; k++) {
        double yields[3];
        plu_sub(space->rate[1][k], space->driven[1][k], yields);
        plu_add_scaled(space->next[k], step * theta, space->driven[1][k]);
        plu_add_scaled(space->next[k], step * (1.0 - theta), space->driven[0][k]);
        plu_add_scaled(space->next[k], step, yields);
    }
    find_table(space->later, (const double(*)[3])space->next);
    find_table(space->drift[1], (const double(*)[3])space->rate[1]);
}

void plu_space_begin(plu_space *space, const double rate[3][3], const double driven[3][3],
                     double step, double theta)
{
    double most = 0.0;
    memcpy(space->rate[0], space->rate[1], sizeof space->rate[0]);
    memcpy(space->driven[0], space->driven[1], sizeof space->driven[0]);
    memcpy(space->driven[1], driven, sizeof space->driven[1]);
    for (int k = 0; k < 3; k++)
        plu_sub(space->driven[1][k], space->driven[0][k], space->kick[k]);
    plu_space_yield(space, rate, step, theta);
    find_table(space->drift[0], (const double(*)[3])space->rate[0]);
    for (int when = 0; when < 2; when++)
        for (int image = 0; image < PLU_IMAGES; image++)
            if (plu_space_has_image(space, image))
                most = plu_max(most, plu_norm(space->drift[when][image]));
    space->fastest = most;
}

void plu_space_end(plu_space *space)
{
    memcpy(space->edge, space->next, sizeof space->edge);
    plu_space_renew(space);
}

int plu_space_flip(plu_space *space, int c, int a)
{
    const double *along = space->edge[a];
    const double share = plu_dot(space->edge[c], along) / plu_dot(along, along);
    const int m = fabs(share) > 0.5 ? (int)rint(share) : 0;
    if (m == 0)
        return 0;
    plu_add_scaled(space->edge[c], -m, space->edge[a]);
    for (int when = 0; when < 2; when++) {
        plu_add_scaled(space->rate[when][c], -m, space->rate[when][a]);
        plu_add_scaled(space->driven[when][c], -m, space->driven[when][a]);
    }
    plu_space_renew(space);
    return m;
}

void plu_space_make(plu_space *space, const double origin[3], const double edge[3][3],
                    const bool periodic[3])
{
    *space = (plu_space){.kind = PLU_PERIODIC_SPACE};
    memcpy(space->origin, origin, sizeof space->origin);
    memcpy(space->edge, edge, sizeof space->edge);
    memcpy(space->periodic, periodic, sizeof space->periodic);
    plu_space_renew(space);
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
