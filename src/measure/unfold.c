/* Bodies and contacts around a region of a periodic cell, as if space were open: each body is
 * copied to x + H S for all whole S for which the copy touches the region, and each contact to all
 * pairs of copies.
 *
 *     | cell  | cell  | cell  |     fractions f = H^-1 (x - o) of the corners of the region say
 *     |     +-----------+     |     which S can matter; a contact (a, b) of the image S of a
 * belongs |     |  region   |     |     to the copies of a by T + S and of b by T | +-----------+ |
 *
 * Numbers that are sums over pairs (stress, fabric) are then those of a region of any shape. */
#include "base/memory.h"
#include "base/space.h"
#include "measure/view.h"
#include <stdlib.h>
#include <string.h>

enum {
    MOST_CELLS = 64,       /* along an edge */
    MOST_COPIES = 4000000, /* of spheres in all: with their contacts they take up to 3 GB */
    NUMBERS = 12           /* position, radius, v, omega, m, I */
};

/* Over the radii of two bodies that touch: what touches a body in the region is copied too. */
static const double around = 1.1;

typedef struct unfolding {
    const plu_view *view;
    const plu_region *region;
    plu_space space;
    double low[3], high[3]; /* of the region, in fractions of the cell */
    double largest;         /* radius (m) */
    int *first;             /* by body: its first copy; [bodies]: their number */
    int (*by)[3];           /* by copy: how many edges away */
    plu_unfolded *to;
    size_t bodies_capacity, by_capacity, contacts_capacity;
    int count;
    plu_error *err;
} unfolding;

/* The corners of the region have its extreme fractions. */
static void find_fractions(unfolding *u)
{
    for (int k = 0; k < 3; k++) {
        u->low[k] = HUGE_VAL;
        u->high[k] = -HUGE_VAL;
    }
    for (int corner = 0; corner < 8; corner++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = corner >> k & 1 ? u->region->upper[k] : u->region->lower[k];
        for (int k = 0; k < 3; k++) {
            const double f = plu_space_fraction(&u->space, k, x);
            u->low[k] = plu_min(u->low[k], f);
            u->high[k] = plu_max(u->high[k], f);
        }
    }
}

static plu_status check_size(const unfolding *u)
{
    for (int k = 0; k < 3; k++)
        if (u->space.periodic[k] && !(u->high[k] - u->low[k] <= MOST_CELLS &&
                                      fabs(u->low[k]) <= 1e6 && fabs(u->high[k]) <= 1e6))
            return plu_fail(u->err, PLU_USAGE,
                            "the region extends over more than %d periodic cells along %c, which "
                            "are all alike; choose a smaller region",
                            MOST_CELLS, "xyz"[k]);
    return PLU_OK;
}

static bool meets(const plu_region *region, const double x[3], double reach)
{
    for (int k = 0; k < 3; k++)
        if (!(x[k] + reach >= region->lower[k] && x[k] - reach <= region->upper[k]))
            return false;
    return true;
}

static void shift(const unfolding *u, const int s[3], const double from[3], double to[3])
{
    memcpy(to, from, 3 * sizeof *to);
    for (int k = 0; k < 3; k++)
        plu_add_scaled(to, s[k], u->space.edge[k]);
}

static plu_status add_copy(unfolding *u, int body, const int s[3], const double x[3])
{
    const plu_view *v = u->view;
    const size_t need = (size_t)u->count + 1;
    if (need > MOST_COPIES)
        return plu_fail(u->err, PLU_USAGE,
                        "the region contains more than %d spheres of periodic cells, which are all "
                        "alike; choose a smaller region",
                        MOST_COPIES);
    plu_status status =
        plu_reserve(&u->to->bodies, &u->bodies_capacity, need, sizeof *u->to->bodies, 1, u->err);
    if (status == PLU_OK)
        status = plu_reserve(&u->by, &u->by_capacity, need, sizeof *u->by, 1, u->err);
    if (status != PLU_OK)
        return status;
    double *row = u->to->bodies[u->count];
    memset(row, 0, NUMBERS * sizeof *row);
    memcpy(row, x, 3 * sizeof *row);
    row[3] = plu_view_radius(v, body);
    if (v->velocity.at)
        memcpy(row + 4, plu_row(v->velocity, body), 3 * sizeof *row);
    for (int k = 0; k < 3; k++)
        plu_add_scaled(row + 4, s[k], v->cell_rate[k]);
    if (v->spin.at)
        memcpy(row + 7, plu_row(v->spin, body), 3 * sizeof *row);
    row[10] = v->mass.at ? *plu_row(v->mass, body) : 0.0;
    row[11] = v->inertia.at ? *plu_row(v->inertia, body) : 0.0;
    memcpy(u->by[u->count], s, sizeof u->by[0]);
    u->count++;
    return PLU_OK;
}

/* Whole numbers of edges by which something at x comes within `reach` of the region: from[k] up to
 * to[k]. */
static void find_range(const unfolding *u, const double x[3], double reach, int from[3], int to[3])
{
    for (int k = 0; k < 3; k++) {
        const double f = plu_space_fraction(&u->space, k, x), more = reach / u->space.height[k];
        const bool goes_on = u->space.periodic[k] && fabs(f) < 1e6;
        from[k] = goes_on ? (int)ceil(u->low[k] - more - f) : 0;
        to[k] = goes_on ? (int)floor(u->high[k] + more - f) : 0;
    }
}

static plu_status copy_body(unfolding *u, int body)
{
    const double *x = plu_view_position(u->view, body),
                 reach = around * (plu_view_radius(u->view, body) + u->largest);
    int from[3], to[3], s[3];
    plu_status status = PLU_OK;
    find_range(u, x, reach, from, to);
    for (s[0] = from[0]; s[0] <= to[0]; s[0]++)
        for (s[1] = from[1]; s[1] <= to[1]; s[1]++)
            for (s[2] = from[2]; s[2] <= to[2] && status == PLU_OK; s[2]++) {
                double at[3];
                shift(u, s, x, at);
                if (meets(u->region, at, reach))
                    status = add_copy(u, body, s, at);
            }
    return status;
}

static int compare_shifts(const int a[3], const int b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* -1: it does not come near the region. The copies of a body are in the order of their shifts, and
 * may be many. */
static int copy_of(const unfolding *u, int body, const int s[3])
{
    int low = u->first[body], high = u->first[body + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const int order = compare_shifts(u->by[middle], s);
        if (order == 0)
            return middle;
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return -1;
}

/* The contact as each copy of its sphere b has it. */
static plu_status copy_contact(unfolding *u, const plu_contact_row *c)
{
    int of_a[3] = {0, 0, 0};
    const bool pair = plu_side_is_sphere(c->a);
    if (pair)
        plu_image_vector(plu_side_image(c->a), of_a);
    for (int copy = u->first[c->b]; copy < u->first[c->b + 1]; copy++) {
        const int *s = u->by[copy];
        const int sa[3] = {s[0] + of_a[0], s[1] + of_a[1], s[2] + of_a[2]};
        const int a = pair ? copy_of(u, plu_side_sphere(c->a), sa) : 0;
        if (a < 0)
            continue;
        const plu_status status =
            plu_reserve(&u->to->contacts, &u->contacts_capacity, (size_t)u->to->view.contacts + 1,
                        sizeof *u->to->contacts, 1, u->err);
        if (status != PLU_OK)
            return status;
        plu_contact_row *row = &u->to->contacts[u->to->view.contacts++];
        *row = *c;
        row->b = copy;
        if (pair)
            row->a = plu_side_of_sphere(a);
        shift(u, s, c->point, row->point);
    }
    return PLU_OK;
}

static plu_rows rows_of(const plu_unfolded *u, plu_rows old, int at)
{
    return old.at && u->bodies ? (plu_rows){u->bodies[0] + at, NUMBERS} : (plu_rows){NULL, NUMBERS};
}

static plu_status finish(unfolding *u)
{
    plu_view *v = &u->to->view;
    u->to->state = plu_alloc((size_t)u->count, 1, u->err);
    u->to->species = plu_alloc((size_t)u->count, sizeof *u->to->species, u->err);
    u->to->fixed = plu_alloc((size_t)u->count, 1, u->err);
    if (!u->to->state || !u->to->species || !u->to->fixed)
        return PLU_IO;
    memset(u->to->state, PLU_ACTIVE, (size_t)u->count);
    for (int b = 0; b < u->view->bodies; b++)
        for (int copy = u->first[b]; copy < u->first[b + 1]; copy++) {
            u->to->fixed[copy] = plu_view_fixed(u->view, b);
            u->to->species[copy] = v->species ? v->species[b] : 0;
        }
    v->species = v->species ? u->to->species : NULL;
    v->fixed = u->to->fixed;
    v->fixed_mark = 1;
    v->bodies = u->count;
    v->state = u->to->state;
    v->position = rows_of(u->to, u->view->position, 0);
    v->radius = rows_of(u->to, u->view->radius, 3);
    v->velocity = rows_of(u->to, u->view->velocity, 4);
    v->spin = rows_of(u->to, u->view->spin, 7);
    v->mass = rows_of(u->to, u->view->mass, 10);
    v->inertia = rows_of(u->to, u->view->inertia, 11);
    v->contact = u->to->contacts;
    return PLU_OK;
}

static plu_status unfold(unfolding *u)
{
    const plu_view *v = u->view;
    plu_status status = check_size(u);
    for (int b = 0; b < v->bodies; b++)
        if (plu_view_active(v, b))
            u->largest = plu_max(u->largest, plu_view_radius(v, b));
    for (int b = 0; b < v->bodies && status == PLU_OK; b++) {
        u->first[b] = u->count;
        if (plu_view_active(v, b))
            status = copy_body(u, b);
        u->first[b + 1] = u->count;
    }
    u->to->view.contacts = v->contacts < 0 ? -1 : 0;
    for (int k = 0; k < v->contacts && status == PLU_OK; k++)
        if (plu_view_valid(v, &v->contact[k]))
            status = copy_contact(u, &v->contact[k]);
    return status == PLU_OK ? finish(u) : status;
}

plu_status plu_view_unfold(plu_unfolded *unfolded, const plu_view *view, const plu_region *region,
                           plu_error *err)
{
    unfolding u = {.view = view, .region = region, .to = unfolded, .err = err};
    *unfolded = (plu_unfolded){.view = *view};
    if (!view->cell.given)
        return PLU_OK;
    plu_space_make(&u.space, view->cell.origin, view->cell.edge, view->cell.periodic);
    find_fractions(&u);
    u.first = plu_alloc((size_t)view->bodies + 1, sizeof *u.first, err);
    const plu_status status = u.first ? unfold(&u) : PLU_IO;
    free(u.first);
    free(u.by);
    if (status != PLU_OK)
        plu_unfolded_free(unfolded);
    return status;
}

void plu_unfolded_free(plu_unfolded *u)
{
    free(u->bodies);
    free(u->contacts);
    free(u->state);
    free(u->species);
    free(u->fixed);
    *u = (plu_unfolded){0};
}
