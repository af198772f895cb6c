/* How long grains stay in a region: a row for each stay, from all frames up to one. A grain enters
 * or leaves where the straight line between its places in two frames meets the box; where it comes
 * into being or is removed, or space closes, half-way between the frames.
 *
 *     frames        k     k+1            m    m+1
 *     grain     o---|--o   in the box    o---|--o
 *                entered                 left          residence = left - entered
 */
#include "cli/base/text.h"
#include "cli/measure/measure_run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct stays {
    FILE *out;
    const plu_measured_run *run;
    int bodies;
    bool *in;               /* at the last frame */
    bool *there;            /* active */
    double (*place)[3];     /* m, at the last frame */
    double *entered;        /* s; NAN: it was in from the start */
    double time;            /* s, of the last frame */
    double *whole;          /* s: stays with a beginning and an end */
    long count, room, open; /* of these, and stays without an end */
} stays;

static bool holds(const stays *s, const double x[3])
{
    bool in = true;
    for (int i = 0; s->run->has_region && i < 3; i++)
        in = in && x[i] >= s->run->region.lower[i] && x[i] <= s->run->region.upper[i];
    return in;
}

/* The share of the way from `out` to `in` at which it comes into the box. */
static double share_of_way(const plu_region *box, const double out[3], const double in[3])
{
    double share = 0.0;
    for (int i = 0; i < 3; i++) {
        const double wall = out[i] < box->lower[i]   ? box->lower[i]
                            : out[i] > box->upper[i] ? box->upper[i]
                                                     : out[i];
        if (wall != out[i])
            share = fmax(share, (wall - out[i]) / (in[i] - out[i]));
    }
    return share;
}

/* Half-way where there is no way to divide: the grain came into being, or space is periodic and
 * its place may have jumped by an edge of the cell. */
static double crossing(const stays *s, int b, const plu_view *view, bool comes)
{
    const double *before = s->place[b], *now = plu_view_position(view, b);
    double share = 0.5;
    if (s->run->has_region && s->there[b] && plu_view_grain(view, b) && !view->cell.given)
        share = comes ? share_of_way(&s->run->region, before, now)
                      : 1.0 - share_of_way(&s->run->region, now, before);
    return s->time + share * (view->time - s->time);
}

static void write_time(FILE *out, double time)
{
    if (isnan(time))
        fprintf(out, ",");
    else
        fprintf(out, ",%.9g", time);
}

static bool write_stay(stays *s, int b, const plu_view *view, double left)
{
    fprintf(s->out, "%d,%.9g", b, plu_view_radius(view, b));
    write_time(s->out, s->entered[b]);
    write_time(s->out, left);
    write_time(s->out, left - s->entered[b]);
    fprintf(s->out, "\n");
    s->open += isnan(left);
    if (isnan(left - s->entered[b]))
        return true;
    if (s->count == s->room) {
        const long more = s->room ? 2 * s->room : 256;
        double *whole = realloc(s->whole, (size_t)more * sizeof *whole);
        if (!whole)
            return false;
        s->whole = whole;
        s->room = more;
    }
    s->whole[s->count++] = left - s->entered[b];
    return true;
}

static plu_status make_room(stays *s, int bodies, plu_error *err)
{
    const size_t room = (size_t)bodies + 1;
    s->bodies = bodies;
    s->in = calloc(room, sizeof *s->in);
    s->there = calloc(room, sizeof *s->there);
    s->place = calloc(room, sizeof *s->place);
    s->entered = calloc(room, sizeof *s->entered);
    return s->in && s->there && s->place && s->entered ? PLU_OK
                                                       : plu_fail(err, PLU_IO, "out of memory");
}

static plu_status add_frame(stays *s, long k, plu_error *err)
{
    plu_view view;
    plu_status status = plu_measured_run_view(&view, s->run, k, err);
    if (status == PLU_OK && k == 0)
        status = make_room(s, view.bodies, err);
    for (int b = 0; status == PLU_OK && b < s->bodies; b++) {
        const double *x = plu_view_position(&view, b);
        const bool there = plu_view_grain(&view, b), in = there && holds(s, x);
        if (in && !s->in[b])
            s->entered[b] = k > 0 ? crossing(s, b, &view, true) : NAN;
        else if (!in && s->in[b] && !write_stay(s, b, &view, crossing(s, b, &view, false)))
            status = plu_fail(err, PLU_IO, "out of memory");
        s->in[b] = in;
        s->there[b] = there;
        memcpy(s->place[b], x, sizeof s->place[b]);
    }
    s->time = status == PLU_OK ? view.time : s->time;
    return status;
}

/* Those that are still in. */
static plu_status finish(stays *s, long k, plu_error *err)
{
    plu_view view;
    const plu_status status = plu_measured_run_view(&view, s->run, k, err);
    for (int b = 0; status == PLU_OK && b < s->bodies; b++)
        if (s->in[b])
            write_stay(s, b, &view, NAN);
    return status;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static void tell(const stays *s)
{
    double mean = 0.0, square = 0.0;
    if (s->count == 0) {
        plu_message("%s: no grain has come and gone again; %ld are still in", s->run->path,
                    s->open);
        return;
    }
    qsort(s->whole, (size_t)s->count, sizeof *s->whole, compare);
    for (long k = 0; k < s->count; k++)
        mean += s->whole[k] / (double)s->count;
    for (long k = 0; k < s->count; k++)
        square += (s->whole[k] - mean) * (s->whole[k] - mean);
    plu_message("%s: residence time %.6g s, standard deviation %.3g s; 10, 50, 90 %% below %.4g, "
                "%.4g, %.4g s: of %ld stays with beginning and end; %ld grains are still in",
                s->run->path, mean, s->count > 1 ? sqrt(square / (double)(s->count - 1)) : 0.0,
                s->whole[s->count / 10], s->whole[s->count / 2], s->whole[9 * s->count / 10],
                s->count, s->open);
}

plu_status plu_measure_residence(FILE *out, const plu_measured_run *run, long last, plu_error *err)
{
    stays s = {.out = out, .run = run};
    plu_status status = PLU_OK;
    fprintf(out, "id,radius_m,entered_s,left_s,residence_s\n");
    for (long k = 0; status == PLU_OK && k <= last; k++)
        status = add_frame(&s, k, err);
    if (status == PLU_OK)
        status = finish(&s, last, err);
    if (status == PLU_OK)
        tell(&s);
    free(s.in);
    free(s.there);
    free(s.place);
    free(s.entered);
    free(s.whole);
    return status;
}
