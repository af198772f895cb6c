#include "assemble/servo_rows.h"
#include "base/vec3.h"
#include "pluvia/scene.h"
#include "world/groups.h"
#include <string.h>

int plu_first_live_wall(const plu_contacts *list)
{
    const int wall = plu_contact_place(list, PLU_FIRST_WALL, 0);
    int low = 0, high = list->live_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (list->live[middle] < wall)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int plu_given_rows(const plu_world *w, const plu_contacts *list)
{
    return w->motions_count ? list->live_count - plu_first_live_wall(list) : 0;
}

static void fill(const plu_world *w, const plu_contact *c, double before[8], double after[8])
{
    const plu_pose *pose = plu_side_pose(w, c->a);
    memset(before, 0, 8 * sizeof *before);
    memset(after, 0, 8 * sizeof *after);
    if (!pose || !pose->moves)
        return;
    const double *x = w->spheres.at[c->b], *v = plu_sphere_velocity(w, c->b);
    const double ahead = (1.5 - w->scene->theta) * w->step;
    double arm[3], later[3];
    plu_pose_arm(pose, x, arm);
    plu_add_scaled(arm, -(x[3] + c->gap), c->normal);
    for (int k = 0; k < 3; k++)
        later[k] = arm[k] + ahead * (v[k] - pose->velocity[0][k]);
    plu_pose_velocity(pose, 0, arm, c->normal, before);
    plu_pose_velocity(pose, 1, later, c->normal, after);
    for (int k = 0; k < 3; k++) {
        before[3 + k] = pose->spin[0] * pose->axis[k];
        after[3 + k] = pose->spin[1] * pose->axis[k];
    }
}

void plu_fill_given(const plu_world *w, const plu_contacts *list, double (*before)[8],
                    double (*v_free)[8], double (*v)[8])
{
    const int first = plu_first_live_wall(list), rows = plu_given_rows(w, list);
#pragma omp parallel for schedule(static) if (rows > 4000)
    for (int k = 0; k < rows; k++) {
        const int row = w->bodies.count + 1 + k;
        const int at = list->live[first + k];
        fill(w, &list->contact[at], before[row], v_free[row]);
        const plu_swift *swift = list->swift_count > 0 ? plu_swift_of(list, at) : NULL;
        if (swift && swift->given) /* as it is when it is met */
            memcpy(v_free[row], swift->surface, sizeof swift->surface);
        memcpy(v[row], v_free[row], sizeof *v);
    }
}

void plu_fill_fixed(const plu_world *w, double (*v_free)[8], double (*v)[8])
{
    for (int b = 0; b < w->bodies.count && w->fixed > 0; b++) {
        if (!plu_is_fixed(w, b))
            continue;
        memset(v_free[b], 0, sizeof *v_free); /* it may have moved before a call fixed it */
        if (plu_group_of(w, b))
            plu_group_velocity(w, b, v_free[b]);
        memcpy(v[b], v_free[b], sizeof *v);
    }
}
