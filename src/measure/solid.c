/* Solid fractions: of a box, and of the box around a packing. */
#include "measure/view.h"

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
