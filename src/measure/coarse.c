/* Coarse graining (pluvia/coarse.h has the sources and phi). At a node x, over grains i with their
 * centers x_i and over the forces f on a grain at its contacts, whose branch b leads from the
 * center to the contact:
 *
 *    density          rho   = sum m_i phi(x - x_i)                         MASS
 *    velocity         rho u = sum m_i v_i phi(x - x_i)                     MOMENTUM
 *    kinetic stress         = sum m_i v_i v_i phi(x - x_i) - rho u u       SQUARE
 *    temperature            = trace of that / (3 rho)
 *    contact stress         = - sum f b int_0^1 phi(x - x_i - s b) ds      STRESS
 *    fabric                 = sum n n phi / sum phi, at contact points     FABRIC, CONTACTS
 *
 *         i  o----b--->| contact        f presses against b, so that pressure is positive
 *             phi along the line
 *
 * Sums are made in the order of bodies and contacts by one thread, so that they have the same bits
 * always. */
#include "pluvia/coarse.h"
#include "base/memory.h"
#include "measure/view.h"
#include <math.h>
#include <stdlib.h>

/* What is summed up at a node. */
enum {
    NUMBER,
    VOLUME,
    MASS,
    MOMENTUM,              /* 3 */
    SQUARE = MOMENTUM + 3, /* m v v: xx, yy, zz, xy, xz, yz */
    STRESS = SQUARE + 6,   /* 9 */
    CONTACTS = STRESS + 9,
    FABRIC = CONTACTS + 1, /* 6, as SQUARE */
    SUMS = FABRIC + 6
};

/* The entries of a symmetric tensor. */
static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static int dimensions(const plu_coarse_grid *g)
{
    return g->along[0] + g->along[1] + g->along[2];
}

static void place_along(plu_coarse_grid *g, int axis, double spacing, bool closes, bool given)
{
    const double length = g->over.upper[axis] - g->over.lower[axis];
    const double parts =
        fmax(closes ? round(length / spacing) : ceil(length / spacing - 1e-9), 1.0);
    g->spacing[axis] = length / parts;
    const double more = given || closes ? 0.0 : ceil(2.0 * g->width / g->spacing[axis]);
    g->size[axis] = (int)fmin(parts + 2.0 * more, PLU_COARSE_NODES) + !closes;
    g->origin[axis] = g->over.lower[axis] - more * g->spacing[axis];
}

double plu_coarse_place(plu_coarse_grid *g, const plu_cell_box *cell, double spacing, bool given)
{
    double nodes = 1.0;
    for (int i = 0; i < 3; i++) {
        g->size[i] = 1;
        if (g->along[i])
            place_along(g, i, spacing, cell->given && cell->periodic[i] && !given, given);
        nodes *= g->size[i];
    }
    return nodes;
}

plu_status plu_coarse_begin(plu_coarse *c, const plu_coarse_grid *grid, plu_error *err)
{
    *c = (plu_coarse){.grid = *grid, .nodes = 1, .moves = true, .touches = true};
    for (int i = 0; i < 3; i++) {
        c->grid.size[i] = grid->along[i] ? grid->size[i] : 1;
        if (c->grid.size[i] < 1 || (grid->along[i] && !(grid->spacing[i] > 0.0)) ||
            (!grid->along[i] && !(grid->over.upper[i] > grid->over.lower[i])))
            return plu_fail(err, PLU_USAGE, "fields: the grid is empty");
        c->nodes *= c->grid.size[i];
    }
    if (dimensions(grid) == 0 || !(grid->width > 0.0))
        return plu_fail(err, PLU_USAGE, "fields: the grid has no direction or no width");
    c->sum = plu_alloc((size_t)c->nodes * SUMS, sizeof *c->sum, err);
    return c->sum ? PLU_OK : PLU_IO;
}

void plu_coarse_free(plu_coarse *c)
{
    free(c->sum);
    *c = (plu_coarse){0};
}

plu_region plu_coarse_reach(const plu_coarse_grid *g)
{
    plu_region reach = g->over;
    for (int i = 0; i < 3; i++)
        if (g->along[i]) {
            reach.lower[i] = g->origin[i] - 2.0 * g->width;
            reach.upper[i] = g->origin[i] + (g->size[i] - 1) * g->spacing[i] + 2.0 * g->width;
        }
    return reach;
}

/* C of Lucy's polynomial over the extent of the directions that have no nodes. */
static double height_of(const plu_coarse_grid *g)
{
    const double c = 2.0 * g->width;
    const double top[4] = {0.0, 5.0 / (4.0 * c), 5.0 / (PLU_PI * c * c),
                           105.0 / (16.0 * PLU_PI * c * c * c)};
    double height = top[dimensions(g)];
    for (int i = 0; i < 3; i++)
        height /= g->along[i] ? 1.0 : g->over.upper[i] - g->over.lower[i];
    return height;
}

/* The nodes within 2 w of a point along an axis: first, and behind the last. False: there are none,
 * or the point does not count. */
static bool span(const plu_coarse_grid *g, int axis, double x, int *first, int *end)
{
    *first = 0;
    *end = 1;
    if (!g->along[axis])
        return x >= g->over.lower[axis] && x < g->over.upper[axis];
    const double at = (x - g->origin[axis]) / g->spacing[axis];
    const double reach = 2.0 * g->width / g->spacing[axis];
    *first = at - reach > 0.0 ? (int)ceil(plu_min(at - reach, g->size[axis])) : 0;
    *end =
        at + reach < g->size[axis] - 1 ? (int)floor(plu_max(at + reach, -1.0)) + 1 : g->size[axis];
    return *first < *end;
}

static double *sums_of(const plu_coarse *c, int i, int j, int k)
{
    const int *n = c->grid.size;
    return &c->sum[(((size_t)k * (size_t)n[1] + (size_t)j) * (size_t)n[0] + (size_t)i) * SUMS];
}

/* Adds `count` numbers, times phi, to the entries from `entry` on of all nodes near x. */
static void spread(plu_coarse *c, const double x[3], double height, int entry, const double *number,
                   int count)
{
    const plu_coarse_grid *g = &c->grid;
    int first[3], end[3];
    for (int i = 0; i < 3; i++)
        if (!span(g, i, x[i], &first[i], &end[i]))
            return;
    for (int k = first[2]; k < end[2]; k++)
        for (int j = first[1]; j < end[1]; j++)
            for (int i = first[0]; i < end[0]; i++) {
                const int at[3] = {i, j, k};
                double square = 0.0;
                for (int a = 0; a < 3; a++) {
                    const double d =
                        g->along[a] ? g->origin[a] + at[a] * g->spacing[a] - x[a] : 0.0;
                    square += d * d;
                }
                const double q = sqrt(square) / (2.0 * g->width);
                if (q >= 1.0)
                    continue;
                const double phi = height * (1.0 + 3.0 * q) * (1.0 - q) * (1.0 - q) * (1.0 - q);
                double *sum = sums_of(c, i, j, k);
                for (int e = 0; e < count; e++)
                    sum[entry + e] += phi * number[e];
            }
}

static void add_body(plu_coarse *c, const plu_view *view, int body, double height)
{
    const double r = plu_view_radius(view, body), m = plu_view_mass(view, body);
    double number[STRESS] = {[NUMBER] = 1.0, [VOLUME] = 4.0 / 3.0 * PLU_PI * r * r * r, [MASS] = m};
    if (view->velocity.at) {
        const double *v = plu_row(view->velocity, body);
        for (int i = 0; i < 3; i++)
            number[MOMENTUM + i] = m * v[i];
        for (int i = 0; i < 6; i++)
            number[SQUARE + i] = m * v[pair[i][0]] * v[pair[i][1]];
    }
    spread(c, plu_view_position(view, body), height, 0, number, STRESS);
}

/* phi along a line is integrated exactly. With rho the distance of a node from a point of the line,
 * h the least one, tau measured from there, and c = 2 w,
 *
 *        node o            phi ~ 1 - 6 rho^2 / c^2 + 8 rho^3 / c^3 - 3 rho^4 / c^4,
 *             |\ rho       rho^2 = h^2 + tau^2,
 *           h | \
 *   x0 -------+--*---- x1 whose antiderivative in tau, from 0, is this one. */
static double along_line(double tau, double h, double c)
{
    const double a = h / c, t = tau / c, rho = sqrt(a * a + t * t);
    const double log = a > 0.0 ? asinh(t / a) : 0.0;
    const double square = a * a * t + t * t * t / 3.0;
    const double cube = (2.0 * t * rho * rho * rho + 3.0 * a * a * (t * rho + a * a * log)) / 8.0;
    const double fourth = a * a * (a * a * t + 2.0 * t * t * t / 3.0) + t * t * t * t * t / 5.0;
    return c * (t - 6.0 * square + 8.0 * cube - 3.0 * fourth);
}

/* A line from `from` by `way`, or the part of it, t in [first, last], that counts. */
typedef struct line {
    double from[3], way[3], first, last;
} line;

/* False: no part of it lies in the region along the axes without nodes. */
static bool clip(const plu_coarse_grid *g, line *l)
{
    l->first = 0.0;
    l->last = 1.0;
    for (int i = 0; i < 3; i++) {
        if (g->along[i])
            continue;
        const double low = g->over.lower[i] - l->from[i], high = g->over.upper[i] - l->from[i];
        if (l->way[i] == 0.0 && !(low <= 0.0 && high > 0.0))
            return false;
        if (l->way[i] == 0.0)
            continue;
        const double one = low / l->way[i], other = high / l->way[i];
        l->first = plu_max(l->first, plu_min(one, other));
        l->last = plu_min(l->last, plu_max(one, other));
    }
    return l->first < l->last;
}

/* The integral of phi over the part of the line, over t. */
static double weigh(const plu_coarse_grid *g, const line *l, const double node[3], double height)
{
    const double c = 2.0 * g->width;
    double squares = 0.0, ways = 0.0, product = 0.0;
    for (int i = 0; i < 3; i++)
        if (g->along[i]) {
            const double d = node[i] - l->from[i];
            squares += d * d;
            ways += l->way[i] * l->way[i];
            product += d * l->way[i];
        }
    const double length = sqrt(ways);
    if (!(length > 1e-9 * c)) { /* across the axes with nodes: as a point */
        const double q = sqrt(squares) / c;
        return q < 1.0 ? height * (l->last - l->first) * (1.0 + 3.0 * q) * (1.0 - q) * (1.0 - q) *
                             (1.0 - q)
                       : 0.0;
    }
    const double middle = product / length, h = sqrt(plu_max(squares - middle * middle, 0.0));
    if (h >= c)
        return 0.0;
    const double reach = sqrt(c * c - h * h);
    const double from = plu_max(l->first * length - middle, -reach);
    const double to = plu_min(l->last * length - middle, reach);
    return from < to ? height * (along_line(to, h, c) - along_line(from, h, c)) / length : 0.0;
}

/* The nodes near the line along an axis. */
static bool span_line(const plu_coarse_grid *g, int axis, const line *l, int *first, int *end)
{
    int other;
    *first = 0;
    *end = 1;
    if (!g->along[axis])
        return true;
    const double a = l->from[axis], b = a + l->way[axis];

    (void)span(g, axis, plu_min(a, b), first, &other);
    (void)span(g, axis, plu_max(a, b), &other, end);
    return *first < *end;
}

/* Adds a tensor, times the integral of phi over a line. */
static void spread_line(plu_coarse *c, line *l, double height, const double tensor[9])
{
    const plu_coarse_grid *g = &c->grid;
    int first[3], end[3];
    if (!clip(g, l))
        return;
    for (int i = 0; i < 3; i++)
        if (!span_line(g, i, l, &first[i], &end[i]))
            return;
    for (int k = first[2]; k < end[2]; k++)
        for (int j = first[1]; j < end[1]; j++)
            for (int i = first[0]; i < end[0]; i++) {
                const int at[3] = {i, j, k};
                double node[3];
                for (int a = 0; a < 3; a++)
                    node[a] = g->origin[a] + at[a] * g->spacing[a];
                const double phi = weigh(g, l, node, height);
                double *sum = sums_of(c, i, j, k) + STRESS;
                for (int e = 0; e < 9; e++)
                    sum[e] += phi * tensor[e];
            }
}

/* The force on a body, `force` on body b and the opposite one on a, over the line from its center
 * to its contact: both give the same tensor. */
static void add_branch(plu_coarse *c, const plu_view *view, int body,
                       const plu_contact_row *contact, double sign, const double force[3],
                       double height)
{
    const double r = plu_view_radius(view, body), *center = plu_view_position(view, body);
    double tensor[9];
    line l;
    for (int i = 0; i < 3; i++) {
        l.from[i] = center[i];
        l.way[i] = -sign * r * contact->normal[i];
    }
    for (int i = 0; i < 9; i++)
        tensor[i] = force[i / 3] * r * contact->normal[i % 3];
    spread_line(c, &l, height, tensor);
}

static void add_contact(plu_coarse *c, const plu_view *view, const plu_contact_row *contact,
                        bool of_a, bool of_b, double height)
{
    double force[3], number[7] = {1.0};
    for (int i = 0; i < 3; i++)
        force[i] =
            (contact->impulse_normal * contact->normal[i] + contact->impulse_tangent[i]) / view->dt;
    if (of_b)
        add_branch(c, view, contact->b, contact, 1.0, force, height);
    if (of_a)
        add_branch(c, view, plu_side_sphere(contact->a), contact, -1.0, force, height);
    if (!(contact->impulse_normal > 0.0))
        return;
    const double share = plu_side_is_sphere(contact->a) ? 0.5 * (of_a + of_b) : of_b;
    number[0] = share;
    for (int i = 0; i < 6; i++)
        number[1 + i] = share * contact->normal[pair[i][0]] * contact->normal[pair[i][1]];
    spread(c, contact->point, height, CONTACTS, number, 7);
}

static bool is_of(const plu_view *view, int body, const bool *counts)
{
    return plu_view_grain(view, body) && (!counts || counts[body]);
}

void plu_coarse_add(plu_coarse *c, const plu_view *view, const bool *counts)
{
    const double height = height_of(&c->grid);
    c->frames++;
    c->moves = c->moves && view->velocity.at;
    c->touches = c->touches && view->contacts >= 0;
    for (int b = 0; b < view->bodies; b++)
        if (is_of(view, b, counts))
            add_body(c, view, b, height);
    for (int k = 0; k < view->contacts; k++) {
        const plu_contact_row *contact = &view->contact[k];
        if (!plu_view_valid(view, contact))
            continue;
        const bool of_a =
            plu_side_is_sphere(contact->a) && is_of(view, plu_side_sphere(contact->a), counts);
        add_contact(c, view, contact, of_a, is_of(view, contact->b, counts), height);
    }
}

static void place(const plu_coarse_grid *g, long k, double x[3])
{
    const long at[3] = {k % g->size[0], k / g->size[0] % g->size[1],
                        k / ((long)g->size[0] * g->size[1])};
    for (int i = 0; i < 3; i++)
        x[i] = g->along[i] ? g->origin[i] + (double)at[i] * g->spacing[i]
                           : 0.5 * (g->over.lower[i] + g->over.upper[i]);
}

/* u, the temperature and the kinetic stress: m v v about the mean is that about 0 less rho u u. */
static void find_velocities(plu_coarse_node *n, const double *mean)
{
    const double rho = mean[MASS];
    for (int i = 0; i < 3; i++)
        n->velocity[i] = rho > 0.0 ? mean[MOMENTUM + i] / rho : NAN;
    for (int i = 0; i < 6; i++) {
        const int a = pair[i][0], b = pair[i][1];
        const double about =
            mean[SQUARE + i] - (rho > 0.0 ? mean[MOMENTUM + a] * n->velocity[b] : 0.0);
        n->kinetic_stress[a][b] = n->kinetic_stress[b][a] = about;
    }
    const double trace =
        n->kinetic_stress[0][0] + n->kinetic_stress[1][1] + n->kinetic_stress[2][2];
    n->temperature = rho > 0.0 ? plu_max(trace, 0.0) / (3.0 * rho) : NAN;
}

plu_coarse_node plu_coarse_at(const plu_coarse *c, long k)
{
    const double *sum = &c->sum[(size_t)k * SUMS];
    double mean[SUMS];
    plu_coarse_node n = {.number = 0.0};
    for (int e = 0; e < SUMS; e++)
        mean[e] = c->frames > 0 ? sum[e] / (double)c->frames : NAN;
    for (int e = MOMENTUM; e < STRESS && !c->moves; e++)
        mean[e] = NAN;
    for (int e = STRESS; e < SUMS && !c->touches; e++)
        mean[e] = NAN;
    place(&c->grid, k, n.position);
    n.number = mean[NUMBER];
    n.solid_fraction = mean[VOLUME];
    n.density = mean[MASS];
    n.contacts = mean[CONTACTS];
    find_velocities(&n, mean);
    for (int i = 0; i < 9; i++)
        n.contact_stress[i / 3][i % 3] = mean[STRESS + i];
    for (int i = 0; i < 6; i++)
        n.fabric[pair[i][0]][pair[i][1]] = n.fabric[pair[i][1]][pair[i][0]] =
            mean[CONTACTS] > 0.0 ? mean[FABRIC + i] / mean[CONTACTS] : NAN;
    return n;
}
