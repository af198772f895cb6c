/* Boundaries that move have a skin, as spheres do: a pair that is not listed had a gap above m_i +
 * m_p, and is no contact while s_i + gamma h |v_i| <= m_i and s_p + gamma h V_p <= m_p hold, s_p
 * being how far the boundary has moved, and V_p how fast it is. A drum that turns about its own
 * axis has neither. */
#include "base/vec3.h"
#include "detect/detector.h"
#include "world/motion.h"

static const double skin_steps = 30.0; /* steps: the skin of a part is its way in so many, */
static const double skin_most = 0.5;   /* or this share of the largest radius if that is less */

/* The farthest of the spheres from an axis of the motion. */
static double farthest(const plu_detector *d, const plu_motion *motion, int count)
{
    const plu_world *w = d->world;
    double most = 0.0;
    for (int k = 0; k < count; k++) {
        const int i = d->member[k];
        double arm[3];
        plu_pose_arm(&motion->pose, w->spheres.at[i], arm);
        most = plu_max(most, plu_norm(arm) + w->spheres.at[i][3] + 2.0 * d->origin[i][3]);
    }
    return most;
}

void plu_list_motions(plu_detector *d, int count)
{
    const plu_world *w = d->world;
    double largest = 0.0;
    d->far = 0.0;
    if (w->motions_count == 0)
        return;
    for (int k = 0; k < count; k++)
        largest = plu_max(largest, w->spheres.at[d->member[k]][3]);
    for (int m = 0; m < w->motions_count; m++)
        if (w->motions[m].endless && w->motions[m].pose.turns)
            d->far = plu_max(d->far, farthest(d, &w->motions[m], count));
    for (int m = 0; m < w->motions_count; m++) {
        const double speed = plu_motion_speed(&w->motions[m], d->far);
        const double stride = w->step * speed;
        const double wanted = plu_min(skin_steps * stride, skin_most * largest);
        d->motion[m].placing = w->motions[m].pose.now;
        d->motion[m].skin =
            plu_max(wanted, 2.0 * stride + plu_max(w->reach.ahead, w->step) * speed);
    }
}

bool plu_motions_listed(const plu_detector *d)
{
    const plu_world *w = d->world;
    for (int m = 0; m < w->motions_count; m++) {
        const plu_motion *motion = &w->motions[m];
        const double way = plu_motion_way(motion, &d->motion[m].placing, &motion->pose.now, d->far);
        if (way + plu_max(w->reach.ahead, w->step) * plu_motion_speed(motion, d->far) >
            d->motion[m].skin)
            return false;
    }
    return true;
}

double plu_part_skins(const plu_detector *d)
{
    double most = 0.0;
    for (int m = 0; m < d->world->motions_count; m++)
        most = plu_max(most, 2.0 * d->motion[m].skin);
    return most;
}

/* Twice the skin: a boundary that moved away since the list was made may come back. */
bool plu_in_part_skin(const plu_detector *d, int part, int i)
{
    const plu_world *w = d->world;
    const plu_pose *pose = w->parts[part].pose;
    double normal[3];
    for (int m = 0; pose && m < w->motions_count; m++)
        if (&w->motions[m].pose == pose)
            return plu_part_gap(&w->parts[part], w->spheres.at[i], normal) <=
                   d->origin[i][3] + 2.0 * d->motion[m].skin;
    return false;
}
