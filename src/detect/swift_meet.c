/* When a sphere on its way meets another, or a part. */
#include "base/vec3.h"
#include "detect/swift.h"
#include "pluvia/scene.h"
#include <string.h>

enum { MOST_TRIES = 200 };

/* Whether this law's pairs are seen so: none where the scene asks for the scheme without. */
bool plu_swift_law(const plu_world *w, const plu_pair_law *law)
{
    return law->index >= 0 && w->scene->forecast == PLU_TOUCH;
}

/* The share of the way after which the centers are `radii` apart; above 1: not in this step.
 * *nearest: the share after which they are nearest. */
double plu_share_until(const double apart[3], const double way[3], double radii, double *nearest)
{
    const double aa = plu_dot(apart, apart), aw = plu_dot(apart, way), ww = plu_dot(way, way);
    const double c = aa - radii * radii, square = aw * aw - ww * c;
    *nearest = plu_min(plu_max(-aw / ww, 0.0), 1.0);
    if (aw >= 0.0 || square < 0.0)
        return 2.0;
    return c <= 0.0 ? 0.0 : c / (-aw + sqrt(square)); /* without cancellation */
}

/* Where the part is at a share of the step, and how far from the sphere. */
static double gap_then(const plu_world *w, const plu_part *part, const plu_flight *f, double share,
                       plu_meeting *m)
{
    double sphere[4];
    for (int k = 0; k < 3; k++)
        sphere[k] = f->at[k] + (share - f->from) * w->step * f->velocity[k];
    sphere[3] = f->radius;
    memset(m->surface, 0, sizeof m->surface);
    m->when = share;
    if (!part->pose)
        return part->surface->gap(part, sphere, m->normal);
    return plu_posed_gap_ahead(part, w->step, w->scene->theta, share, sphere, m->normal,
                               m->surface);
}

/* The largest speed at which the gap closes (m/s). */
double plu_closing_speed(const plu_world *w, const plu_part *part, const plu_flight *f)
{
    const double speed = plu_norm(f->velocity);
    if (!part->pose)
        return speed;
    return speed + plu_pose_speed(part->pose, f->at, f->radius + w->step * speed);
}

/* Goes forward by no more than the gap allows. False: they do not meet. */
bool plu_meets_part(const plu_world *w, const plu_part *part, const plu_flight *f, plu_meeting *m)
{
    const double h = w->step, speed = plu_closing_speed(w, part, f), near = 1e-9 * f->radius;
    double share = f->from;
    for (int tries = 0; tries < MOST_TRIES && share <= 1.0; tries++) {
        const double gap = gap_then(w, part, f, share, m);
        if (gap <= near) {
            double rate[3];
            plu_sub(f->velocity, m->surface, rate);
            const double nearer = -h * plu_dot(rate, m->normal);
            if (nearer > (share > 0.0 ? 1e-9 * h * speed : PLU_SLOW_STRIDE * f->radius)) {
                if (share > f->from) /* to rounding, by a step of Newton's method */
                    (void)gap_then(w, part, f, plu_min(share + gap / nearer, 1.0), m);
                return true;
            }
            if (gap < -near)
                return false; /* it moves out */
        }
        share += plu_max(gap, near) / (h * speed);
    }
    return false;
}

void plu_swift_leave(const plu_world *w, const double normal[3], double approach, double t,
                     double e, plu_swift *swift)
{
    const double pull = plu_dot(normal, w->gravity), h = w->step;
    swift->bias = plu_min(e * (approach + t * h * pull) - (1.0 - t) * h * pull, 0.0);
    swift->early = swift->bias < 0.0 ? (0.5 - t) * h * pull : 0.0;
}

const plu_pair_law *plu_wall_law(const plu_world *w, plu_pair pair)
{
    return plu_world_law(w, w->parts[pair.a].material, w->spheres.species[pair.b]);
}

bool plu_is_facet(const plu_part *part)
{
    return part->surface == &plu_surface_triangle && !part->pose;
}
