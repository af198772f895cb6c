/* How far a sphere may move before its candidates are listed anew. */
#include "base/vec3.h"
#include "detect/look.h"

/* Margins of the candidate list, in radii: a larger one is kept longer and holds more pairs. */
static const double skin_rest = 0.10, skin_moving = 0.50;
static const double skin_steps = 30.0; /* steps of its own motion that it may use up */

/* s: what the forecast of the contacts lacks of a step, in which they may meet (swift.c). */
static double rest_of_step(const plu_world *w)
{
    return plu_max(w->step - w->reach.ahead, 0.0);
}

double plu_reach_ahead(const plu_world *w, int i)
{
    const double rest = rest_of_step(w) * (plu_speed_of(w, i) + 0.5 * w->space.fastest);
    return (w->reach.ahead + w->reach.speed) * plu_speed_of(w, i) +
           0.5 * w->reach.ahead * w->space.fastest + w->reach.radius * w->spheres.at[i][3] +
           w->reach.fall + rest;
}

/* A skin up to which two spheres that are a height of the cell apart are no candidates: those are
 * not looked for (base/space.h). */
static double room_of(const plu_world *w)
{
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        if (w->space.periodic[k])
            least = plu_min(least, w->space.height[k]);
    return 0.5 * least - w->largest;
}

/* For a sphere at this speed (m/s). */
static double skin_at(const plu_world *w, int i, double speed)
{
    const double r = w->spheres.at[i][3], stride = w->step * speed;
    const double wanted = plu_min(skin_steps * stride, skin_moving * r);
    const double cell = 0.5 * w->space.fastest * (1.5 * w->step + w->reach.ahead + rest_of_step(w));
    const double strides =
        1.5 * stride + (w->reach.ahead + rest_of_step(w) + w->reach.speed) * speed + cell;
    const double skin =
        plu_max(plu_max(skin_rest * r, wanted), strides) + w->reach.radius * r + w->reach.fall;
    return w->space.kind == PLU_OPEN_SPACE
               ? skin
               : plu_max(plu_min(skin, room_of(w)), strides + w->reach.radius * r + w->reach.fall);
}

double plu_skin(const plu_detector *d, int i)
{
    const plu_world *w = d->world;
    const double speed = plu_speed_of(w, i);
    if (!d->fresh_rows)
        return skin_at(w, i, speed);
    return skin_at(w, i, plu_max(speed, plu_norm(d->fresh_rows[plu_owner(&w->spheres, i)])));
}
