#include "shape/shape.h"
#include "base/vec3.h"
#include "pluvia/outline.h"
#include <string.h>

#define ENTRY(kind, row) [kind] = &(row),
#define ONE(kind, row) +1
static const plu_shape *const shapes[] = {PLU_SHAPES(ENTRY)};
_Static_assert(sizeof shapes / sizeof *shapes == PLU_BOUNDARY_KINDS &&
                   0 PLU_SHAPES(ONE) == PLU_BOUNDARY_KINDS,
               "each kind of boundary has one row in PLU_SHAPES");

const plu_shape *plu_shape_of(plu_boundary_kind kind)
{
    return shapes[kind];
}

void plu_boundary_outline(const plu_boundary_spec *spec, plu_piece_visit *visit, void *user)
{
    shapes[spec->kind]->outline(spec, visit, user);
}

/* --- pieces of boundaries that have moved --- */

typedef struct mover {
    const plu_boundary_place *place;
    const double *center;
    plu_piece_visit *visit;
    void *user;
} mover;

/* x + 2 q0 (q x x) + 2 q x (q x x) */
static void rotate(const double q[4], const double x[3], double out[3])
{
    double once[3], twice[3];
    plu_cross(q + 1, x, once);
    plu_cross(q + 1, once, twice);
    for (int k = 0; k < 3; k++)
        out[k] = x[k] + 2.0 * (q[0] * once[k] + twice[k]);
}

static void move(void *user, const plu_piece *piece)
{
    const mover *m = user;
    const double *q = m->place->rotation;
    plu_piece moved = *piece;
    double arm[3];
    plu_sub(piece->center, m->center, arm);
    rotate(q, arm, moved.center);
    plu_add_scaled(moved.center, 1.0, m->place->position);
    rotate(q, piece->axis, moved.axis);
    rotate(q, piece->edge, moved.edge);
    for (int k = 0; k < 3; k++) {
        plu_sub(piece->corner[k], m->center, arm);
        rotate(q, arm, moved.corner[k]);
        plu_add_scaled(moved.corner[k], 1.0, m->place->position);
    }
    m->visit(m->user, &moved);
}

void plu_boundary_outline_at(const plu_boundary_spec *spec, const plu_boundary_place *place,
                             plu_piece_visit *visit, void *user)
{
    if (!place->gone)
        plu_boundary_outline(spec, move, &(mover){place, spec->motion.center, visit, user});
}
