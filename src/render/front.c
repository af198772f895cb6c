/* Which walls hide balls: rays from the eye to some of the balls are tried against each wall. One
 * that a fifth of them pass first is in front, and is opened: only its outline is drawn, of a mesh
 * the edges at which two facets meet sharply.
 *
 *    eye  <----|------ o          this wall is met before the balls: opened
 *      \       |     o   o |
 *       '------|------ o   |      this one behind them is drawn
 *            wall        wall
 *
 * Rays are aimed at up to 128 balls, evenly chosen. Of a mesh in front only the facets whose
 * planes lie between the eye and the balls go: its far side is still seen. An edge is sharp if the
 * normals of its two facets enclose more than acos(0.9) = 26 degrees, and drawn as well where it
 * has one facet alone. */
#include "base/memory.h"
#include "render/model.h"
#include <stdlib.h>
#include <string.h>

enum { RAYS = 128 };
static const double a_fifth = 0.2, sharp = 0.9; /* cosine of the angle of facets at a drawn edge */

typedef struct rays {
    int count;
    plu_ray ray[RAYS];
    double length[RAYS]; /* m: to the ball */
    double middle[3];    /* of the balls */
} rays;

static void aim(rays *to, const plu_model *model, const double eye[3])
{
    const int stride = 1 + (model->balls - 1) / RAYS;
    *to = (rays){.count = 0};
    for (int i = 0; i < model->balls; i += stride) {
        plu_ray *ray = &to->ray[to->count];
        memcpy(ray->o, eye, sizeof ray->o);
        plu_sub(model->ball[i].c, eye, ray->d);
        const double length = plu_norm(ray->d);
        for (int k = 0; k < 3; k++)
            ray->d[k] /= length;
        to->length[to->count++] = length;
        plu_add_scaled(to->middle, 1.0, model->ball[i].c);
    }
    for (int k = 0; k < 3 && to->count > 0; k++)
        to->middle[k] /= to->count;
}

static bool many(const rays *to, int hidden)
{
    return hidden > 0 && hidden >= a_fifth * to->count;
}

static plu_status outline_flat(plu_model *model, const plu_flat *flat, double r, plu_error *err)
{
    static const int x[5] = {-1, 1, 1, -1, -1}, y[5] = {-1, -1, 1, 1, -1};
    plu_status status = PLU_OK;
    if (flat->round)
        return plu_model_ring(model, flat->center, flat->u, flat->v, flat->half[0], r, err);
    for (int k = 0; k < 4 && status == PLU_OK; k++) {
        double end[2][3];
        for (int i = 0; i < 2; i++) {
            memcpy(end[i], flat->center, sizeof end[i]);
            plu_add_scaled(end[i], x[k + i] * flat->half[0], flat->u);
            plu_add_scaled(end[i], y[k + i] * flat->half[1], flat->v);
        }
        status = plu_model_rod(model, end[0], end[1], r, plu_outline_rgb, err);
    }
    return status;
}

static plu_status open_flats(plu_model *model, const rays *to, double r, plu_error *err)
{
    int kept = 0;
    plu_status status = PLU_OK;
    for (int i = 0; i < model->flats; i++) {
        const plu_flat flat = model->flat[i];
        int hidden = 0;
        for (int k = 0; k < to->count; k++)
            hidden += plu_ray_flat(&to->ray[k], &flat, 0.0) < to->length[k];
        if (!many(to, hidden) || isinf(flat.half[0]))
            model->flat[kept++] = flat;
        else if (status == PLU_OK)
            status = outline_flat(model, &flat, r, err);
    }
    model->flats = kept;
    return status;
}

/* An edge of a facet that is taken away: its ends in a fixed order. */
typedef struct edge {
    double end[2][3], normal[3];
} edge;

/* By their ends alone: those of two neighbors come together. */
static int compare_edges(const void *a, const void *b)
{
    return memcmp(((const edge *)a)->end, ((const edge *)b)->end, sizeof((const edge *)a)->end);
}

/* Corners of neighbors are the same but for rounding, and are rounded to `grain` (m). */
static void add_edges(edge *edges, const plu_facet *facet, double grain)
{
    double corner[3][3], normal[3];
    plu_cross(facet->edge[0], facet->edge[1], normal);
    const double area = plu_norm(normal);
    for (int k = 0; k < 3; k++) {
        memcpy(corner[k], facet->corner, sizeof corner[k]);
        if (k > 0)
            plu_add_scaled(corner[k], 1.0, facet->edge[k - 1]);
        for (int i = 0; i < 3; i++)
            corner[k][i] = grain * round(corner[k][i] / grain) + 0.0; /* no -0 */
    }
    for (int k = 0; k < 3; k++) {
        const double *a = corner[k], *b = corner[(k + 1) % 3];
        const bool turn = memcmp(a, b, sizeof corner[k]) > 0;
        memcpy(edges[k].end[0], turn ? b : a, sizeof corner[k]);
        memcpy(edges[k].end[1], turn ? a : b, sizeof corner[k]);
        for (int i = 0; i < 3; i++)
            edges[k].normal[i] = normal[i] / area;
    }
}

/* Draws edges that only one of these facets has, and those where two meet at an angle. */
static plu_status outline_edges(plu_model *model, edge *edges, size_t count, double r,
                                plu_error *err)
{
    plu_status status = PLU_OK;
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t k = 0; k < count && status == PLU_OK;) {
        size_t next = k + 1;
        while (next < count && compare_edges(&edges[k], &edges[next]) == 0)
            next++;
        const bool smooth = next == k + 2 && plu_dot(edges[k].normal, edges[k + 1].normal) > sharp;
        if (!smooth)
            status =
                plu_model_rod(model, edges[k].end[0], edges[k].end[1], r, plu_outline_rgb, err);
        k = next;
    }
    return status;
}

/* Whether the plane of a facet is between the eye and the balls. */
static bool is_between(const plu_facet *facet, const rays *to)
{
    double normal[3], eye[3], ball[3];
    plu_cross(facet->edge[0], facet->edge[1], normal);
    plu_sub(to->ray[0].o, facet->corner, eye);
    plu_sub(to->middle, facet->corner, ball);
    return plu_dot(normal, eye) * plu_dot(normal, ball) < 0.0;
}

/* How many of the balls the facets from `from` to `end` - 1 hide. */
static int hidden_by(const plu_model *model, const rays *to, int from, int end)
{
    int hidden = 0;
    for (int k = 0; k < to->count; k++)
        for (int i = from; i < end; i++)
            if (plu_ray_facet(&to->ray[k], &model->facet[i], 0.0) < to->length[k]) {
                hidden++;
                break;
            }
    return hidden;
}

static plu_status open_facets(plu_model *model, const rays *to, double r, plu_error *err)
{
    edge *edges = NULL;
    size_t room = 0, count = 0;
    int kept = 0;
    plu_status status = PLU_OK;
    for (int from = 0, end; from < model->facets && status == PLU_OK; from = end) {
        for (end = from; end < model->facets && model->facet[end].wall == model->facet[from].wall;)
            end++;
        const bool open = many(to, hidden_by(model, to, from, end));
        for (int i = from; i < end && status == PLU_OK; i++) {
            const plu_facet facet = model->facet[i];
            if (!open || facet.front || !is_between(&facet, to)) {
                model->facet[kept++] = facet;
                continue;
            }
            status = plu_reserve(&edges, &room, count + 3, sizeof *edges, 1, err);
            if (status == PLU_OK)
                add_edges(edges + count, &facet, 1e-3 * r);
            count += 3;
        }
    }
    if (status == PLU_OK && count > 0) {
        model->facets = kept;
        status = outline_edges(model, edges, count, r, err);
    }
    free(edges);
    return status;
}

plu_status plu_front_open(plu_model *model, const double eye[3], double r, plu_error *err)
{
    rays to;
    aim(&to, model, eye);
    if (to.count == 0)
        return PLU_OK;
    const plu_status status = open_flats(model, &to, r, err);
    return status == PLU_OK ? open_facets(model, &to, r, err) : status;
}
