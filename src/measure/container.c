/* Which boundaries bound a box: those that the bodies are on the inner side of, which cut a part
 * of it off (room.c has the volume that is left). Of each shell the depth of a point within it:
 *
 *     sheet     n.(x - c)               globe    R - |x - c|
 *     mantle    R + s t - |x - c - t a| ,  t = a.(x - c) from 0 to its height (tubes: slope s = 0)
 *
 *        .-------.        the box around the spheres reaches beyond the tube at its corners:
 *       /| o o o |\       these are no room for grains
 *      ( |o o o o| )
 *       \| o o o |/       (seen from above)
 *        '-------'
 *
 * A shell encloses if some center lies within it and no sphere of the box lies beyond it. Pieces
 * that reach into the box but enclose nothing (obstacles, plates) are counted as left out. */
#include "measure/container.h"
#include "measure/view.h"
#include <string.h>

/* Distances within this part of the box are rounding: what reaches no further cuts nothing, so that
 * a plain box keeps its volume to the bit. */
static const double rounding = 1e-9;

typedef struct finder {
    plu_container *found;
    const plu_view *view;
    const plu_region *region;
    double size; /* m, of the box */
} finder;

/* Corner k of a box: bit i chooses the upper end along axis i. */
static void corner_of(const plu_region *box, int k, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = k >> i & 1 ? box->upper[i] : box->lower[i];
}

/* How far x lies within the shell (m), negative beyond it; false: it is past an end of a tube,
 * where that says nothing. */
static bool depth_in(const plu_shell *s, const double x[3], double *depth)
{
    double from[3];
    plu_sub(x, s->center, from);
    const double along = plu_dot(from, s->axis);
    *depth = along;
    if (s->kind == PLU_SHEET)
        return true;
    if (s->kind == PLU_GLOBE) {
        *depth = s->radius - plu_norm(from);
        return true;
    }
    plu_add_scaled(from, -along, s->axis);
    *depth = s->radius + s->slope * along - plu_norm(from);
    return along >= 0.0 && along <= s->height;
}

/* How far the box reaches beyond a tube or cone at most (m), taken at its narrowest in the box. */
static double beyond_mantle(const finder *f, const plu_shell *s)
{
    double low = HUGE_VAL, high = -HUGE_VAL, wide = 0.0;
    for (int k = 0; k < 8; k++) {
        double x[3], from[3];
        corner_of(f->region, k, x);
        plu_sub(x, s->center, from);
        const double along = plu_dot(from, s->axis);
        plu_add_scaled(from, -along, s->axis);
        low = plu_min(low, along);
        high = plu_max(high, along);
        wide = plu_max(wide, plu_norm(from));
    }
    low = plu_max(low, 0.0);
    high = plu_min(high, s->height);
    if (!(high - low > rounding * f->size))
        return 0.0;
    return wide - s->radius - plu_min(s->slope * low, s->slope * high);
}

/* How far the box reaches beyond the shell at most (m). */
static double beyond(const finder *f, const plu_shell *s)
{
    double most = 0.0, depth, x[3];
    if (s->kind == PLU_MANTLE)
        return beyond_mantle(f, s);
    for (int k = 0; k < 8; k++) {
        corner_of(f->region, k, x);
        depth_in(s, x, &depth);
        most = plu_max(most, -depth);
    }
    return most;
}

/* Whether spheres are within the shell, and none of the box is beyond it; `overlap`: by how much
 * those within stand out (m). */
static bool encloses(const finder *f, const plu_shell *s, double *overlap)
{
    bool within = false;
    *overlap = 0.0;
    for (int b = 0; b < f->view->bodies; b++) {
        const double *x = plu_view_position(f->view, b);
        double depth;
        if (!plu_view_grain(f->view, b) || !depth_in(s, x, &depth))
            continue;
        if (depth >= 0.0) {
            within = true;
            *overlap = plu_max(*overlap, plu_view_radius(f->view, b) - depth);
        } else if (plu_region_holds(f->region, x)) {
            return false;
        }
    }
    return within;
}

/* A wall normal to axis k only makes the box smaller. */
static void clip(plu_region *box, int k, double sign, double at)
{
    if (sign > 0.0)
        box->lower[k] = plu_min(plu_max(box->lower[k], at), box->upper[k]);
    else
        box->upper[k] = plu_max(plu_min(box->upper[k], at), box->lower[k]);
}

static int axis_along(const double n[3])
{
    for (int k = 0; k < 3; k++)
        if (fabs(n[k]) > 1.0 - 1e-12)
            return k;
    return -1;
}

/* Takes a shell into account; false: it has bodies of the box on both sides, or none within. */
static bool take(const finder *f, plu_shell *s)
{
    plu_container *c = f->found;
    double overlap;
    if (!(beyond(f, s) > rounding * f->size))
        return true;
    if (!encloses(f, s, &overlap))
        return false;
    if (s->kind == PLU_SHEET) { /* the box around the spheres ends where they press into the wall */
        const int k = axis_along(s->axis);
        plu_add_scaled(s->center, -overlap, s->axis);
        if (!(beyond(f, s) > rounding * f->size))
            return true;
        if (k >= 0) {
            clip(&c->box, k, s->axis[k], s->center[k]);
            return true;
        }
    }
    if (c->shells == PLU_SHELLS)
        return false;
    c->shell[c->shells++] = *s;
    return true;
}

/* Whether a piece is flat and normal to an axis: the box around spheres ends at it by itself. A
 * ring written as a cone of next to no height is one, too. */
static bool is_level(const plu_piece *p)
{
    double edge[2][3], normal[3];
    if (p->kind == PLU_SHEET)
        return !p->container && axis_along(p->axis) >= 0;
    if (p->kind == PLU_MANTLE)
        return p->height < 1e-3 * fabs(p->radius[1] - p->radius[0]) && axis_along(p->axis) >= 0;
    if (p->kind == PLU_GLOBE)
        return false;
    plu_sub(p->corner[1], p->corner[0], edge[0]);
    plu_sub(p->corner[2], p->corner[0], edge[1]);
    plu_cross(edge[0], edge[1], normal);
    const double area = plu_norm(normal);
    for (int i = 0; i < 3; i++)
        normal[i] /= area;
    return axis_along(normal) >= 0;
}

/* The lower (`sign` -1) or upper end of a box around a piece along axis i. */
static double end_of(const plu_piece *p, int i, double sign)
{
    double across[3], half = plu_max(p->radius[0], p->radius[1]), end = sign * p->center[i];
    if (p->kind == PLU_TRIANGLE)
        return sign * plu_max(sign * p->corner[0][i],
                              plu_max(sign * p->corner[1][i], sign * p->corner[2][i]));
    if (p->kind == PLU_MANTLE)
        end = plu_max(end, end + sign * p->height * p->axis[i]);
    if (p->kind == PLU_SHEET && isinf(p->half[0]))
        return sign * HUGE_VAL;
    if (p->kind == PLU_SHEET) {
        plu_cross(p->axis, p->edge, across);
        half = fabs(p->edge[i]) * p->half[0] + fabs(across[i]) * p->half[1];
    }
    return sign * (end + half);
}

/* Whether a piece reaches into the box. */
static bool reaches_in(const finder *f, const plu_piece *p)
{
    for (int i = 0; i < 3; i++)
        if (!(end_of(p, i, 1.0) > f->region->lower[i] && end_of(p, i, -1.0) < f->region->upper[i]))
            return false;
    return !is_level(p);
}

static void look_at(void *user, const plu_piece *p)
{
    const finder *f = user;
    plu_shell s = {.kind = p->kind, .radius = p->radius[0], .height = p->height};
    memcpy(s.center, p->center, sizeof s.center);
    memcpy(s.axis, p->axis, sizeof s.axis);
    if (p->kind == PLU_MANTLE)
        s.slope = (p->radius[1] - p->radius[0]) / p->height;
    const bool one_sided = p->container || (p->kind == PLU_SHEET && isinf(p->half[0]));
    if (!(one_sided && p->kind != PLU_TRIANGLE && take(f, &s)) && reaches_in(f, p))
        f->found->left_out++;
}

void plu_container_find(plu_container *found, const plu_view *view, const plu_region *region)
{
    double diagonal[3];
    *found = (plu_container){.box = *region};
    plu_sub(region->upper, region->lower, diagonal);
    finder f = {found, view, region, plu_norm(diagonal)};
    if (isfinite(f.size))
        plu_view_outline(view, look_at, &f);
}
