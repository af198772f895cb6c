#include "shape/shape.h"

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
