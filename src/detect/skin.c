/* How far a sphere may move before its candidates are listed anew. */
#include "base/vec3.h"
#include "detect/look.h"

/* Margins of the candidate list, in radii: a larger one is kept longer and holds more pairs. */
static const double skin_rest = 0.10, skin_moving = 0.50;
static const double skin_steps = 30.0; /* steps of its own motion that it may use up */

double plu_reach_ahead(const plu_world *w, int i)
{
    return (w->reach.ahead + w->reach.speed) * plu_speed_of(w, i) +
           w->reach.radius * w->spheres.at[i][3] + w->reach.fall;
}

double plu_skin(const plu_world *w, int i)
{
    const double r = w->spheres.at[i][3], stride = w->scene->step * plu_speed_of(w, i);
    const double wanted = plu_min(skin_steps * stride, skin_moving * r);
    const double strides = 1.5 * stride + (w->reach.ahead + w->reach.speed) * plu_speed_of(w, i);
    return plu_max(plu_max(skin_rest * r, wanted), strides) + w->reach.radius * r + w->reach.fall;
}
