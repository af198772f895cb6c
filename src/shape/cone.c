/* A thin cone along any axis, pointed or cut off: a hopper, a funnel or a cone to pour on. Both of
 * its sides bear. */
#include "shape/frustum.h"

static void cone_settle(const plu_settling *s)
{
    plu_settle_unit(s, "axis", s->spec->axis);
    if (s->given(s->user, "radii") && !(s->spec->radii[0] + s->spec->radii[1] > 0.0))
        s->complain(s->user, "radii", ".radii are both 0: one end may be a point, the other not");
}

static const char *cone_make(const plu_boundary_spec *spec, plu_parts *parts)
{
    for (int turn = 0; turn < 3; turn++)
        plu_frustum_add(parts, spec, spec->radii, turn < 2 ? turn : -1);
    if (spec->bottom && spec->radii[0] > 0.0)
        plu_frustum_close(parts, spec, spec->radii[0]);
    return NULL;
}

static void cone_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    plu_frustum_outline(spec, spec->radii, visit, user);
    if (spec->bottom && spec->radii[0] > 0.0)
        plu_frustum_close_outline(spec, spec->radii[0], visit, user);
}

static void cone_describe(const plu_boundary_spec *spec, const plu_describer *d)
{
    d->real(d->user, "center", 3, spec->center);
    d->real(d->user, "axis", 3, spec->axis);
    d->real(d->user, "radii", 2, spec->radii);
    d->real(d->user, "height", 1, &spec->height);
    d->whole(d->user, "bottom", spec->bottom);
}

const plu_shape plu_shape_cone =
    PLU_SHAPE("cone", cone_settle, cone_make, cone_outline, cone_describe);
