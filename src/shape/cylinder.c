/* A thin tube along any axis with two sides, open at the end and, unless a disc closes it, at its
 * center. */
#include "shape/frustum.h"

static void cylinder_settle(const plu_settling *s)
{
    plu_settle_unit(s, "axis", s->spec->axis);
}

static const char *cylinder_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    plu_frustum_add(parts, spec, (double[]){spec->radius, spec->radius}, 0);
    if (spec->bottom)
        plu_frustum_close(parts, spec, spec->radius);
    return NULL;
}

static void cylinder_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    plu_frustum_outline(spec, (double[]){spec->radius, spec->radius}, visit, user);
    if (spec->bottom)
        plu_frustum_close_outline(spec, spec->radius, visit, user);
}

static void cylinder_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "center", 3, spec->center);
    d->real(d->user, "axis", 3, spec->axis);
    d->real(d->user, "radius", 1, &spec->radius);
    d->real(d->user, "height", 1, &spec->height);
    d->whole(d->user, "bottom", spec->bottom);
}

const plu_shape plu_shape_cylinder =
    PLU_SHAPE("cylinder", cylinder_settle, cylinder_make, cylinder_outline, cylinder_describe);
