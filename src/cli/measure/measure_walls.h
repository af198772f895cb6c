/* measure_walls.h: whether what lies on the base is a heap, or fills the space between walls. */
#ifndef CLI_MEASURE_MEASURE_WALLS_H
#define CLI_MEASURE_MEASURE_WALLS_H

#include "pluvia/measure.h"

/* Whether spheres above `base` reach a wall in most of the sectors around the axis in which there
 * are any: then they have no slope of their own. A wall is what is steeper than 45 degrees, reached
 * within a tenth of a radius. A few strays at the walls leave most sectors free. */
bool plu_walls_confine(const plu_scene *scene, const plu_view *view, double base,
                       const plu_repose *repose);

#endif
