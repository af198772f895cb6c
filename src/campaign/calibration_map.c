/* The map of the misfit between the points of a calibration, and its valley. Means and variances
 * are interpolated in each cell, linearly along every parameter, to the nodes of a raster. Between
 * two neighboring nodes z = (mean - target) / error is linear, so chi2 = sum z^2 is a parabola:
 *
 *     chi2 |  o               o nodes; the least value between two of them is at
 *          |    `.      o     s = -(z_0 . (z_1 - z_0)) / |z_1 - z_0|^2 , cut to [0, 1]
 *          |      `-..-'
 *          '------------      where it is below `reached` (two standard errors of a target) the
 *              valley         parameters reproduce what was measured */
#include "base/memory.h"
#include "campaign/calibration.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINER = 4, NODES_MOST = 4000000 };

static const double reached = 4.0; /* chi2: two standard errors of a target */
static const double rounding = 1e-12;

typedef struct raster {
    const plu_calibration *c;
    int parameters, targets;
    int step[PLU_PARAMETERS]; /* between nodes, in units of plu_point.at */
    int size[PLU_PARAMETERS]; /* nodes along each parameter */
    long stride[PLU_PARAMETERS];
    long nodes;
    double *z; /* of each node a row of targets, NaN: not known */
} raster;

/* Counts the nodes of a raster whose steps are known. */
static void measure_raster(raster *m)
{
    m->nodes = 1;
    for (int p = m->parameters - 1; p >= 0; p--) {
        m->size[p] = (m->c->campaign->parameter[p].count - 1) * (PLU_GRID_UNIT / m->step[p]) + 1;
        m->stride[p] = m->nodes;
        m->nodes *= m->size[p];
    }
}

/* FINER times as fine as the smallest cells, if that is not too much. */
static plu_status make_raster(raster *m, const plu_calibration *c, plu_error *err)
{
    *m = (raster){
        .c = c, .parameters = c->campaign->parameters_count, .targets = c->campaign->targets_count};
    for (int p = 0; p < m->parameters; p++) {
        int level = 0;
        for (int i = 0; i < c->cells_count; i++)
            level = c->cells[i].level[p] > level ? c->cells[i].level[p] : level;
        m->step[p] = PLU_GRID_UNIT >> level;
        m->step[p] = m->step[p] > FINER ? m->step[p] / FINER : 1;
    }
    measure_raster(m);
    for (bool finer = true; m->nodes > NODES_MOST && finer; measure_raster(m)) {
        finer = false;
        for (int p = 0; p < m->parameters; p++)
            if (m->step[p] < PLU_GRID_UNIT) {
                m->step[p] *= 2;
                finer = true;
            }
    }
    m->z = plu_alloc((size_t)m->nodes * (size_t)m->targets, sizeof *m->z, err);
    for (long i = 0; m->z && i < m->nodes * m->targets; i++)
        m->z[i] = NAN;
    return m->z ? PLU_OK : PLU_IO;
}

/* z of all targets at `w`, which is in [0, 1] along each parameter of the cell. */
static void interpolate(const raster *m, const plu_cell *cell, const double *w, double *z)
{
    for (int t = 0; t < m->targets; t++) {
        const plu_target *target = &m->c->campaign->targets[t];
        double mean = 0.0, variance = 0.0;
        for (int k = 0; k < 1 << m->parameters; k++) {
            const plu_point *point = &m->c->points[cell->corner[k]];
            double weight = 1.0;
            for (int p = 0; p < m->parameters; p++)
                weight *= (k >> p & 1) ? w[p] : 1.0 - w[p];
            mean += weight * point->mean[t];
            variance += weight * point->error[t] * point->error[t];
        }
        z[t] = (mean - target->value) / sqrt(target->error * target->error + variance);
    }
}

static void fill_cell(raster *m, const plu_cell *cell)
{
    const int *origin = m->c->points[cell->corner[0]].at;
    int count = 1, first[PLU_PARAMETERS] = {0}, nodes[PLU_PARAMETERS] = {0};
    for (int p = 0; p < m->parameters; p++) { /* the raster may be coarser than the cell */
        const int step = m->step[p];
        first[p] = (origin[p] + step - 1) / step;
        nodes[p] = (origin[p] + (PLU_GRID_UNIT >> cell->level[p])) / step - first[p] + 1;
        count *= nodes[p];
    }
    for (int i = 0; i < count; i++) {
        double w[PLU_PARAMETERS];
        long node = 0;
        for (int p = 0, rest = i; p < m->parameters; p++) {
            const int at = first[p] + rest % nodes[p];
            rest /= nodes[p];
            node += at * m->stride[p];
            w[p] = (double)(at * m->step[p] - origin[p]) / (PLU_GRID_UNIT >> cell->level[p]);
        }
        interpolate(m, cell, w, &m->z[node * m->targets]);
    }
}

/* The number of times that a cell was halved, over all parameters. */
static int depth(const raster *m, const plu_cell *cell)
{
    int sum = 0;
    for (int p = 0; p < m->parameters; p++)
        sum += cell->level[p];
    return sum;
}

/* Large cells come first, so that on a common side the finer interpolation of the smaller cell
 * remains. */
static bool fill_raster(raster *m)
{
    bool any = false;
    for (int level = 0; level <= PLU_ROUNDS * m->parameters; level++)
        for (int i = 0; i < m->c->cells_count; i++) {
            const plu_cell *cell = &m->c->cells[i];
            bool known = !cell->divided && depth(m, cell) == level;
            for (int k = 0; k < 1 << m->parameters && known; k++)
                known = isfinite(m->c->points[cell->corner[k]].chi2);
            if (known)
                fill_cell(m, cell);
            any = any || known;
        }
    return any;
}

/* --- lines along one parameter --- */

/* chi2 at the part s in [0, 1] of a segment: a s^2 + 2 b s + c. */
typedef struct parabola {
    double a, b, c;
} parabola;

static parabola segment(const raster *m, const double *z0, const double *z1)
{
    parabola q = {0.0, 0.0, 0.0};
    for (int t = 0; t < m->targets; t++) {
        const double slope = z1[t] - z0[t];
        q.a += slope * slope;
        q.b += slope * z0[t];
        q.c += z0[t] * z0[t];
    }
    return q;
}

static double lowest(const parabola *q, double *at)
{
    *at = q->a > 0.0 ? fmin(1.0, fmax(0.0, -q->b / q->a)) : 0.0;
    const double value = (q->a * *at + 2.0 * q->b) * *at + q->c;
    return value > rounding ? value : 0.0;
}

/* The interval in which the parabola is at most `limit`, which its minimum does not exceed. */
static void map_below(const parabola *q, double limit, double *low, double *high)
{
    const double root = q->a > 0.0 ? sqrt(fmax(0.0, q->b * q->b - q->a * (q->c - limit))) : 0.0;
    *low = q->a > 0.0 ? fmax(0.0, (-q->b - root) / q->a) : 0.0;
    *high = q->a > 0.0 ? fmin(1.0, (-q->b + root) / q->a) : 1.0;
}

/* The value of parameter p at a place of the raster, rounded as the axis is. */
static double value_at(const raster *m, int p, double place)
{
    const plu_parameter *range = &m->c->campaign->parameter[p];
    const double t = plu_calibration_part(range, place * m->step[p]);
    char text[40];
    plu_range_value(range->logarithmic, range->low, range->high, fmin(1.0, fmax(0.0, t)), text,
                    sizeof text);
    return strtod(text, NULL);
}

typedef void visit(void *data, const plu_value_span *span);

/* Calls `found` for every part of the line from node `start` along parameter p where chi2 is at
 * most `limit`; returns the best place of the whole line, chi2 infinite where nothing is known. */
static plu_value_span walk(const raster *m, long start, int p, double limit, visit *found,
                           void *data)
{
    plu_value_span line = {.chi2 = INFINITY}, span = {0};
    bool inside = false;
    for (int i = 0; i < m->size[p]; i++) {
        const double *z0 = &m->z[(start + i * m->stride[p]) * m->targets];
        const double *z1 = z0 + m->stride[p] * m->targets;
        const bool known = i < m->size[p] - 1 && isfinite(z0[0]) && isfinite(z1[0]);
        double at = 0.0, low = 0.0, high = 0.0, least = INFINITY;
        if (known) {
            const parabola q = segment(m, z0, z1);
            least = lowest(&q, &at);
            map_below(&q, limit, &low, &high);
        }
        const bool hit = least <= limit;
        if (inside && (!hit || low > 0.0)) { /* what came before ends here */
            span.open_high = span.open_high && !known;
            found(data, &span);
            inside = false;
        }
        if (least < line.chi2) {
            line.chi2 = least;
            line.best = value_at(m, p, i + at);
        }
        if (!hit)
            continue;
        if (!inside)
            span = (plu_value_span){
                .low = value_at(m, p, i + low),
                .chi2 = INFINITY,
                .open_low = low == 0.0 && (i == 0 || !isfinite(z0[-m->stride[p] * m->targets]))};
        if (least < span.chi2) {
            span.chi2 = least;
            span.best = value_at(m, p, i + at);
        }
        span.high = value_at(m, p, i + high);
        inside = true;
        span.open_high = high == 1.0;
    }
    return line;
}

/* --- the valley, from all lines --- */

/* Extends the extent of the valley by a part of it. */
static void widen(plu_value_span *extent, const plu_value_span *span)
{
    const bool first = !(extent->low <= extent->high);
    if (first || span->low < extent->low)
        extent->open_low = false;
    if (first || span->high > extent->high)
        extent->open_high = false;
    extent->low = first ? span->low : fmin(extent->low, span->low);
    extent->high = first ? span->high : fmax(extent->high, span->high);
    extent->open_low = extent->open_low || (span->open_low && span->low == extent->low);
    extent->open_high = extent->open_high || (span->open_high && span->high == extent->high);
    if (first || span->chi2 < extent->chi2) {
        extent->best = span->best;
        extent->chi2 = span->chi2;
    }
}

typedef struct measurer {
    const raster *m;
    plu_value_span *extent;
    int along, place[PLU_PARAMETERS]; /* of the line */
} measurer;

/* A part of a line lies at one value of each other parameter. */
static void measure_part(void *data, const plu_value_span *span)
{
    const measurer *k = data;
    for (int p = 0; p < k->m->parameters; p++) {
        const double value = value_at(k->m, p, k->place[p]);
        const plu_value_span across = {.best = value,
                                       .low = value,
                                       .high = value,
                                       .chi2 = span->chi2,
                                       .open_low = k->place[p] == 0,
                                       .open_high = k->place[p] == k->m->size[p] - 1};
        widen(&k->extent[p], p == k->along ? span : &across);
    }
}

/* The places of node `start`; true: a line along p begins there. */
static bool begins_line(const raster *m, long start, int p, int *place)
{
    for (int q = 0; q < m->parameters; q++)
        place[q] = (int)(start / m->stride[q] % m->size[q]);
    return place[p] == 0;
}

static void measure_extent(const raster *m, plu_answer *answer)
{
    measurer k = {.m = m, .extent = answer->extent};
    for (int p = 0; p < m->parameters; p++)
        answer->extent[p] = (plu_value_span){.low = 1.0, .high = 0.0};
    for (long i = 0; i < m->nodes; i++)
        for (k.along = 0; k.along < m->parameters; k.along++)
            if (begins_line(m, i, k.along, k.place))
                walk(m, i, k.along, answer->limit, measure_part, &k);
}

static void find_least(const raster *m, plu_answer *answer)
{
    int place[PLU_PARAMETERS];
    answer->chi2 = INFINITY;
    for (long i = 0; i < m->nodes; i++)
        for (int p = 0; p < m->parameters; p++)
            if (begins_line(m, i, p, place))
                answer->chi2 = fmin(answer->chi2, walk(m, i, p, -1.0, NULL, NULL).chi2);
    answer->limit = answer->chi2 + 1.0;
    answer->reached = answer->chi2 <= reached;
}

typedef struct collector {
    plu_answer *answer;
    plu_valley row;
    plu_status status;
} collector;

static void collect(void *data, const plu_value_span *span)
{
    collector *k = data;
    plu_answer *a = k->answer;
    if (plu_reserve(&a->valley, &a->valley_capacity, (size_t)a->valley_count + 1, sizeof *a->valley,
                    1, NULL) != PLU_OK) {
        k->status = PLU_IO;
        return;
    }
    k->row.span = *span;
    a->valley[a->valley_count++] = k->row;
}

/* Lines along the last parameter. */
static plu_status follow_valley(const raster *m, plu_answer *answer)
{
    const int last = m->parameters - 1;
    collector k = {.answer = answer};
    int place[PLU_PARAMETERS];
    for (long i = 0; i < m->nodes && k.status == PLU_OK; i++) {
        if (!begins_line(m, i, last, place))
            continue;
        for (int p = 0; p < last; p++)
            k.row.given[p] = value_at(m, p, place[p]);
        const int before = answer->valley_count;
        k.row.found = true;
        const plu_value_span line = walk(m, i, last, answer->limit, collect, &k);
        k.row.found = false;
        if (answer->valley_count == before && isfinite(line.chi2))
            collect(&k, &line);
    }
    return k.status;
}

plu_status plu_calibration_answer(plu_answer *answer, const plu_calibration *c, plu_error *err)
{
    *answer = (plu_answer){.nearest = plu_calibration_nearest(c)};
    raster m;
    plu_status status = make_raster(&m, c, err);
    if (status != PLU_OK)
        return status;
    if (!fill_raster(&m))
        status = plu_fail(err, PLU_BAD_INPUT,
                          "%s: no cell of the grid has values of all targets at its corners",
                          c->campaign->path);
    if (status == PLU_OK) {
        find_least(&m, answer);
        measure_extent(&m, answer);
        status = follow_valley(&m, answer);
        if (status != PLU_OK)
            plu_fail(err, status, "out of memory");
    }
    free(m.z);
    return status;
}

void plu_answer_free(plu_answer *answer)
{
    free(answer->valley);
    memset(answer, 0, sizeof *answer);
}
