/* The volume of the part of a box that lies within a container.
 *
 * Vertical lines x + t e_z through the box, each cut exactly: what lies beyond a shell is where a
 * t^2 + b t + c > 0 (a = 0 for a sheet), between the ends of a mantle. The volume is the sum of
 * what is left of the lines, times the area that each of them stands for.
 *
 *     |   |  /|   |          box, and a cone that cuts its corner off: each line ends at the cone
 *     |   | / |   |
 *     |   |/  |   |          sheet    -n.(x - c) - t n_z > 0
 *     |   /   |   |          globe    |x - c + t e_z|^2 - R^2 > 0
 *     |  /|   |   |          mantle   |..|^2 - (..a)^2 - (R + s (..a))^2 > 0,  .. = x - c + t e_z
 *
 * For an upright tube alone sections are exact: rectangle and disc (by_sections). Layers share the
 * work: a line that goes through whole layers is noted at its ends only (add_part), and summed up
 * at last. */
#include "base/vec3.h"
#include "measure/container.h"
#include "measure/view.h"
#include <stdbool.h>
#include <string.h>

/* Vertical lines along each side of the box: errors below 2e-4 of its volume. */
enum { LINES = 320, WAYS = 3 * PLU_SHELLS };

/* The parts of a line that are left (m above its origin). */
typedef struct way {
    int count;
    double part[WAYS][2];
} way;

static void take_out(way *w, double from, double to)
{
    const int count = w->count;
    for (int k = 0; from < to && k < count; k++) {
        double *p = w->part[k];
        const double end = p[1];
        if (!(from < end && to > p[0]))
            continue;
        if (from > p[0] && to < end && w->count < WAYS) { /* a hole: the rest is a new part */
            w->part[w->count][0] = to;
            w->part[w->count++][1] = end;
        }
        p[1] = plu_max(p[0], plu_min(end, from));
        if (from <= p[0] && to < end) {
            p[0] = to;
            p[1] = end;
        }
    }
}

/* Takes out where a t^2 + b t + c > 0 between `from` and `to`. */
static void take_out_positive(way *w, double a, double b, double c, double from, double to)
{
    const double square = b * b - 4.0 * a * c;
    if (a == 0.0 && b != 0.0) {
        take_out(w, b > 0.0 ? plu_max(from, -c / b) : from, b > 0.0 ? to : plu_min(to, -c / b));
        return;
    }
    if (!(square > 0.0)) {
        if (a > 0.0 || (a == 0.0 && c > 0.0))
            take_out(w, from, to);
        return;
    }
    /* The roots q/a and c/q lose no digits where b^2 is much larger than 4 a c. */
    const double q = -0.5 * (b + copysign(sqrt(square), b)), one = q / a, other = c / q;
    const double low = plu_min(one, other), high = plu_max(one, other);
    if (a > 0.0) {
        take_out(w, from, plu_min(to, low));
        take_out(w, plu_max(from, high), to);
    } else {
        take_out(w, plu_max(from, low), plu_min(to, high));
    }
}

/* Takes out what of the vertical line through x lies beyond a shell. */
static void cut_line(way *w, const plu_shell *s, const double x[3])
{
    double from[3];
    plu_sub(x, s->center, from);
    const double along = plu_dot(from, s->axis), up = s->axis[2];
    if (s->kind == PLU_SHEET) {
        take_out_positive(w, 0.0, -up, -along, -HUGE_VAL, HUGE_VAL);
        return;
    }
    if (s->kind == PLU_GLOBE) {
        take_out_positive(w, 1.0, 2.0 * from[2], plu_dot(from, from) - s->radius * s->radius,
                          -HUGE_VAL, HUGE_VAL);
        return;
    }
    const double radius = s->radius + s->slope * along, rise = s->slope * up;
    double low = -HUGE_VAL, high = HUGE_VAL;
    if (up != 0.0) {
        low = plu_min(-along / up, (s->height - along) / up);
        high = plu_max(-along / up, (s->height - along) / up);
    } else if (along < 0.0 || along > s->height) {
        return;
    }
    take_out_positive(w, 1.0 - up * up - rise * rise, 2.0 * (from[2] - along * up - radius * rise),
                      plu_dot(from, from) - along * along - radius * radius, low, high);
}

typedef struct layers {
    int rows;
    double bottom, height; /* m: of all of them, of each */
    double *volume, *lines;
} layers;

static int layer_of(const layers *l, double z)
{
    const double at = (z - l->bottom) / l->height;
    return at > 0.0 ? (at < l->rows ? (int)at : l->rows - 1) : 0;
}

/* Adds a part of a line from z = `low` to `high`: lengths in its first and last layer to `volume`,
 * and that it goes through all between to `lines`, where a sum over the layers is missing. */
static void add_part(const layers *l, double low, double high)
{
    const int first = layer_of(l, low), last = layer_of(l, high);
    if (first == last) {
        l->volume[first] += high - low;
        return;
    }
    l->volume[first] += l->bottom + (first + 1) * l->height - low;
    l->volume[last] += high - l->bottom - last * l->height;
    l->lines[first + 1] += 1.0;
    l->lines[last] -= 1.0;
}

/* By vertical lines, each cut exactly. Rows of lines are shifted against each other by the golden
 * section, lest many of them meet the edge of a tube at once. */
static void integrate(const plu_container *c, const layers *l)
{
    static const double golden = 0.61803398874989485;
    const plu_region *box = &c->box;
    const double dx = (box->upper[0] - box->lower[0]) / LINES,
                 dy = (box->upper[1] - box->lower[1]) / LINES;
    double through = 0.0;
    for (int j = 0; j < LINES; j++) {
        const double shift = fmod(golden * (j + 0.5), 1.0);
        for (int i = 0; i < LINES; i++) {
            const double x[3] = {box->lower[0] + (i + shift) * dx, box->lower[1] + (j + 0.5) * dy,
                                 0.5 * (box->lower[2] + box->upper[2])};
            way w;
            w.count = 1;
            w.part[0][0] = box->lower[2] - x[2];
            w.part[0][1] = box->upper[2] - x[2];
            for (int k = 0; k < c->shells; k++)
                cut_line(&w, &c->shell[k], x);
            for (int k = 0; k < w.count; k++)
                if (w.part[k][1] > w.part[k][0])
                    add_part(l, x[2] + w.part[k][0], x[2] + w.part[k][1]);
        }
    }
    for (int k = 0; k < l->rows; k++) {
        through += l->lines[k];
        l->volume[k] = (l->volume[k] + through * l->height) * dx * dy;
    }
}

/* An upright tube, the only shell: its section with the box, which is the same at all heights. */
static bool is_upright_tube(const plu_container *c)
{
    const plu_shell *s = &c->shell[0];
    return c->shells == 1 && s->kind == PLU_MANTLE && s->slope == 0.0 &&
           fabs(s->axis[2]) > 1.0 - 1e-12;
}

static void by_sections(const plu_container *c, const layers *l)
{
    const plu_shell *s = &c->shell[0];
    const double whole = (c->box.upper[0] - c->box.lower[0]) * (c->box.upper[1] - c->box.lower[1]);
    double area = whole, low = c->box.lower[2], high = low;
    if (c->shells > 0) {
        plu_region around = c->box;
        for (int i = 0; i < 2; i++) {
            around.lower[i] -= s->center[i];
            around.upper[i] -= s->center[i];
        }
        area = plu_disk_in_rectangle(s->radius, &around);
        low = s->center[2] + plu_min(s->axis[2] * s->height, 0.0);
        high = s->center[2] + plu_max(s->axis[2] * s->height, 0.0);
    }
    for (int k = 0; k < l->rows; k++) {
        const double bottom = plu_max(l->bottom + k * l->height, c->box.lower[2]);
        const double top = plu_min(l->bottom + (k + 1) * l->height, c->box.upper[2]);
        const double in = plu_max(plu_min(top, high) - plu_max(bottom, low), 0.0);
        l->volume[k] = area * in + whole * (plu_max(top - bottom, 0.0) - in);
    }
}

void plu_container_layers(const plu_container *c, const plu_region *region, int rows,
                          double *volume, double *lines)
{
    const double height = (region->upper[2] - region->lower[2]) / rows;
    const layers l = {rows, region->lower[2], height, volume, lines};
    memset(volume, 0, (size_t)rows * sizeof *volume);
    memset(lines, 0, (size_t)rows * sizeof *lines);
    if (c->shells == 0 || is_upright_tube(c))
        by_sections(c, &l);
    else
        integrate(c, &l);
}

plu_room plu_measure_room(const plu_view *view, const plu_region *region)
{
    plu_container c;
    plu_container_find(&c, view, region);
    plu_room room = {.volume = 1.0, .left_out = c.left_out};
    double lines;
    for (int i = 0; i < 3; i++)
        room.volume *= c.box.upper[i] - c.box.lower[i];
    if (c.shells > 0)
        plu_container_layers(&c, region, 1, &room.volume, &lines);
    room.volume -= plu_fixed_volume(view, region);
    return room;
}

/* Solid fractions: of a box, and of the box around a packing. */

plu_solid plu_measure_box(const plu_view *view, double base)
{
    const plu_region box = plu_measure_bounds(view, base);
    const plu_region whole = plu_across_sides(view, &box);
    return (plu_solid){plu_solid_in(view, &whole, false), plu_measure_room(view, &box).volume};
}

plu_solid plu_measure_solid(const plu_view *view, const plu_region *region)
{
    return (plu_solid){plu_solid_in(view, region, false), plu_measure_room(view, region).volume};
}
