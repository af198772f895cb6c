/* The heap: what its base carries.
 *
 * The base. Each body says how high the floor below its center is (floors.c), and what it weighs.
 * The base is the level that carries most: of all windows one mean diameter high the one with the
 * largest volume of bodies over it, in it the median. A window, since a mesh may be rough. A floor
 * of triangles is a base only if four fifths of what lies over triangles is in the window and their
 * mean normal is upright; a drum or a slope is none. All floors are where they are at that time.
 *
 *        o                          o falls: no body of the heap touches it
 *            ooo
 *           ooooo      oo           lower level, less over it
 *        =============  ====
 *
 * The heap. Bodies that touch are one group. The groups that have a body on the base are the heap;
 * if the user named a level, the largest group above it and the groups with a body at that level
 * are. */
#include "base/memory.h"
#include "measure/floors.h"
#include "measure/view.h"
#include "pluvia/scene.h"
#include <stdlib.h>

static const double four_fifths = 0.8, upright = 0.05; /* tangent of a mean slope */

typedef struct vote {
    double level, volume; /* m, and m^3 without the constant factor */
    bool triangle;
    double tilt[2];
} vote;

typedef struct finder {
    const plu_view *view;
    plu_below *below;
    int *group;
    vote *votes;
    int count;
    double height; /* m: of a window */
} finder;

static double cube(double x)
{
    return x * x * x;
}

static int compare_levels(const void *a, const void *b)
{
    const double x = ((const vote *)a)->level, y = ((const vote *)b)->level;
    return (x > y) - (x < y);
}

static void collect_votes(finder *f)
{
    double sum = 0.0;
    f->count = 0;
    for (int b = 0; b < f->view->bodies; b++) {
        const double r = plu_view_radius(f->view, b);
        if (isnan(f->below[b].level) || !(r > 0.0) || !isfinite(r))
            continue;
        const plu_below *below = &f->below[b];
        f->votes[f->count++] =
            (vote){below->level, cube(r), below->triangle, {below->tilt[0], below->tilt[1]}};
        sum += 2.0 * r;
    }
    f->height = f->count > 0 ? sum / f->count : 0.0;
    qsort(f->votes, (size_t)f->count, sizeof *f->votes, compare_levels);
}

/* What a vote counts; sheets only if not `triangles`. */
static double weight(const vote *v, bool triangles)
{
    return triangles || !v->triangle ? v->volume : 0.0;
}

/* The level below which half of the volume in votes `from` to `to` - 1 lies. */
static double median(const vote *votes, int from, int to, bool triangles, double volume)
{
    double below = 0.0, level = NAN;
    for (int k = from; k < to && !(below >= 0.5 * volume); k++) {
        below += weight(&votes[k], triangles);
        level = weight(&votes[k], triangles) > 0.0 ? votes[k].level : level;
    }
    return level;
}

/* Whether the triangles in votes `from` to `to` - 1, of volume `on`, may be a base; `all`: the
 * volume over all triangles. */
static bool is_level(const vote *votes, int from, int to, double on, double all)
{
    double tilt[2] = {0.0, 0.0};
    for (int k = from; k < to; k++)
        for (int i = 0; i < 2 && votes[k].triangle; i++)
            tilt[i] += votes[k].volume * votes[k].tilt[i];
    return on >= four_fifths * all && hypot(tilt[0], tilt[1]) <= upright * on;
}

/* The level that carries most; only sheets count if not `triangles`. NAN: there is none. */
static double find_level(const finder *f, bool triangles)
{
    const vote *v = f->votes;
    double best = 0.0, inside = 0.0, on = 0.0, best_on = 0.0, all_on = 0.0; /* on: triangles */
    int from = 0, first = 0, last = 0;
    for (int to = 0; to < f->count; to++) {
        inside += weight(&v[to], triangles);
        on += v[to].triangle ? v[to].volume : 0.0;
        all_on += v[to].triangle ? v[to].volume : 0.0;
        for (; v[to].level - v[from].level > f->height; from++) {
            inside -= weight(&v[from], triangles);
            on -= v[from].triangle ? v[from].volume : 0.0;
        }
        if (inside > best) {
            best = inside;
            best_on = on;
            first = from;
            last = to + 1;
        }
    }
    if (!(best > 0.0))
        return NAN;
    if (triangles && best_on > 0.5 * best && !is_level(v, first, last, best_on, all_on))
        return find_level(f, false);
    return median(v, first, last, triangles, best);
}

/* The root of the largest group above the base; -1: nothing is there. */
static int largest_group(const finder *f, double base, double *volume)
{
    int best = -1;
    memset(volume, 0, (size_t)f->view->bodies * sizeof *volume);
    for (int b = 0; b < f->view->bodies; b++) {
        const double r = plu_view_radius(f->view, b);
        const int group = f->group[b];
        if (group < 0 || !(plu_view_position(f->view, b)[2] > base) || !isfinite(r))
            continue;
        volume[group] += cube(r);
        if (best < 0 || volume[group] > volume[best])
            best = group;
    }
    return best;
}

/* Whether a body lies on the base; `given`: the user named its level. */
static bool on_base(const finder *f, int body, double base, bool given)
{
    const plu_below *below = &f->below[body];
    if (!given)
        return below->rests && fabs(below->level - base) <= f->height;
    const double above = plu_view_position(f->view, body)[2] - base;
    return above > 0.0 && above <= (1.0 + plu_touch) * plu_view_radius(f->view, body);
}

static plu_status mark(plu_heap *heap, const finder *f, bool given, plu_error *err)
{
    const plu_view *view = f->view;
    double *volume = plu_alloc((size_t)view->bodies, sizeof *volume, err);
    bool *carried = volume ? plu_alloc((size_t)view->bodies, sizeof *carried, err) : NULL;
    if (carried) {
        const int largest = given ? largest_group(f, heap->base, volume) : -1;
        if (largest >= 0)
            carried[largest] = true;
        for (int b = 0; b < view->bodies; b++)
            if (f->group[b] >= 0 && on_base(f, b, heap->base, given))
                carried[f->group[b]] = true;
        for (int b = 0; b < view->bodies; b++) {
            heap->state[b] = view->state[b];
            if (f->group[b] < 0 || !(plu_view_position(view, b)[2] > heap->base))
                continue;
            if (!carried[f->group[b]])
                heap->state[b] = PLU_REMOVED;
        }
    }
    free(volume);
    free(carried);
    return carried ? PLU_OK : PLU_IO;
}

plu_status plu_heap_find(plu_heap *heap, const plu_view *view, double base, plu_error *err)
{
    const size_t bodies = (size_t)view->bodies;
    const bool given = !isnan(base);
    finder f = {.view = view};
    double first = NAN;
    *heap = (plu_heap){.base = base, .view = *view};
    heap->state = plu_alloc(bodies, sizeof *heap->state, err);
    plu_status status = heap->state ? PLU_OK : PLU_IO;
    if (status == PLU_OK && (!(f.below = plu_alloc(bodies, sizeof *f.below, err)) ||
                             !(f.group = plu_alloc(bodies, sizeof *f.group, err)) ||
                             !(f.votes = plu_alloc(bodies, sizeof *f.votes, err))))
        status = PLU_IO;
    if (status == PLU_OK)
        status = plu_floors_below(f.below, &first, view, err);
    if (status == PLU_OK)
        status = plu_touching_groups(f.group, view, err);
    if (status == PLU_OK) {
        collect_votes(&f);
        if (!given)
            heap->base = f.count > 0 ? find_level(&f, true) : first;
        status = mark(heap, &f, given, err);
    }
    if (status == PLU_OK)
        heap->view.state = heap->state;
    free(f.below);
    free(f.group);
    free(f.votes);
    if (status != PLU_OK)
        plu_heap_free(heap);
    return status;
}

void plu_heap_free(plu_heap *heap)
{
    free(heap->state);
    *heap = (plu_heap){.base = NAN};
}

bool plu_scene_has_base(const plu_scene *scene)
{
    return plu_floors_any(scene);
}
