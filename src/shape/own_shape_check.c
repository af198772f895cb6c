/* Whether the functions of a shape from outside can be what they say: asked at 4 to 128 places a
 * part around it, by what every exact distance d with unit normal n satisfies.
 *
 *      n ^
 *        o  x        |n| = 1
 *        |           the distance from x - d n / 2, halfway, is d / 2: it is not where d is scaled,
 *        o  halfway  has the wrong sign, or n points to the surface
 *     ---o---  foot  x - d n lies in the bounds that the shape gives
 *
 * Places are a sequence of low discrepancy: place k has the coordinates frac(1/2 + k a_i) with a_i
 * = g^-i, g = 1.2207..., g^4 = g + 1 (M. Roberts, The unreasonable effectiveness of quasirandom
 * sequences, 2018). */
#include "base/vec3.h"
#include "shape/own_shape.h"
#include <string.h>

enum { PLACES = 128, PLACES_OF_ALL = 16384, PLACES_LEAST = 4 };

/* Of what is without an end, this far from the origin counts (m). */
static const double far = 1.0;

typedef struct box {
    double low[3], high[3]; /* as the shape says */
    double from[3], to[3];  /* finite, and around it */
    double size;            /* m: the diagonal of that */
} box;

/* Numbers in [0, 1) that fill a cube evenly (Roberts 2018: powers of the plastic number). */
static double spread(int place, int k)
{
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    return fmod(0.5 + step[k] * (double)(place + 1), 1.0);
}

const char *plu_own_wrong(double distance, const double normal[3])
{
    const double squared = plu_dot(normal, normal);
    if (!isfinite(distance))
        return "the distance is not finite";
    if (!(fabs(squared - 1.0) <= 1e-6))
        return "the length of the normal is not 1";
    return NULL;
}

static plu_status wrong_at(const plu_own_use *use, int part, const double x[3], const char *what,
                           plu_error *err)
{
    return plu_fail(err, PLU_BAD_INPUT,
                    "the shape \"%s\": %s, at (%g, %g, %g) of its part %d, in its own frame",
                    use->name, what, x[0], x[1], x[2], part);
}

static plu_status bound(const plu_own_use *use, int part, box *b, plu_error *err)
{
    use->shape.bounds(use->user, &use->numbers, part, b->low, b->high);
    double squared = 0.0;
    for (int k = 0; k < 3; k++) {
        if (!(b->low[k] <= b->high[k]))
            return plu_fail(err, PLU_BAD_INPUT,
                            "the shape \"%s\": the bounds of its part %d are %g and %g, but the "
                            "lower one must be smaller",
                            use->name, part, b->low[k], b->high[k]);
        const bool below = isfinite(b->low[k]), above = isfinite(b->high[k]);
        b->from[k] = below ? b->low[k] : plu_min(above ? b->high[k] : 0.0, 0.0) - far;
        b->to[k] = above ? b->high[k] : plu_max(b->from[k], 0.0) + far;
        squared += (b->to[k] - b->from[k]) * (b->to[k] - b->from[k]);
    }
    b->size = sqrt(squared);
    for (int k = 0; k < 3; k++) {
        b->from[k] -= 0.25 * b->size;
        b->to[k] += 0.25 * b->size;
    }
    return PLU_OK;
}

/* At x, and half the way from there to the surface, where the distance must be half as much. */
static plu_status look(const plu_own_use *use, int part, const box *b, const double x[3],
                       plu_error *err)
{
    double normal[3], other[3], half[3];
    const double distance = use->shape.distance(use->user, &use->numbers, part, x, normal);
    const char *wrong = plu_own_wrong(distance, normal);
    if (wrong)
        return wrong_at(use, part, x, wrong, err);
    for (int k = 0; k < 3; k++)
        half[k] = x[k] - 0.5 * distance * normal[k];
    const double there = use->shape.distance(use->user, &use->numbers, part, half, other);
    wrong = plu_own_wrong(there, other);
    if (wrong)
        return wrong_at(use, part, half, wrong, err);
    if (fabs(there - 0.5 * distance) > 0.01 * fabs(distance) + 1e-9 * b->size)
        return wrong_at(use, part, x,
                        "halfway to the closest point the distance is not half as large (is it the "
                        "exact distance, with the right sign, and does the normal point from the "
                        "surface to the given point?)",
                        err);
    for (int k = 0; k < 3; k++) {
        const double foot = x[k] - distance * normal[k], slack = 1e-3 * b->size;
        if (foot < b->low[k] - slack || foot > b->high[k] + slack)
            return wrong_at(use, part, x, "the closest point is outside the bounds", err);
    }
    return PLU_OK;
}

plu_status plu_own_check(const plu_own_use *use, plu_error *err)
{
    const int share = PLACES_OF_ALL / use->parts;
    const int places = share > PLACES ? PLACES : share < PLACES_LEAST ? PLACES_LEAST : share;
    for (int part = 0; part < use->parts; part++) {
        box b;
        plu_status status = bound(use, part, &b, err);
        for (int place = 0; place < places && status == PLU_OK; place++) {
            double x[3];
            for (int k = 0; k < 3; k++)
                x[k] = b.from[k] + spread(part * places + place, k) * (b.to[k] - b.from[k]);
            status = look(use, part, &b, x, err);
        }
        if (status != PLU_OK)
            return status;
    }
    return PLU_OK;
}
