/* What boundaries do to the bodies: work, forces and moments. A boundary with the velocity V of its
 * surface at the contact, and the spin Omega, does
 *
 *     work = 1/2 p.(V_k + V_{k+1}) + 1/2 m.(Omega_k + Omega_{k+1})        p, m act on the body
 *
 * which is `work_boundary` of the energy balance, in which all other works are of velocities
 * relative to the boundary. Attraction is part of the contact's p^ but does its work elsewhere
 * (cohesion.h): it is taken out here. Force and moment on a boundary are -p / h and -(arm x p + m)
 * / h, about its pivot. */
#include "assemble/cohesion.h"
#include "assemble/servo_rows.h"
#include "base/vec3.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "step/projection.h"
#include "step/stepper.h"
#include "world/groups.h"
#include <string.h>

/* The mean velocity in the step, at its contact with impulse on `side` of it (+1: it is a), of a
 * body that is fixed and moves with its group, and its spin. */
static void mean_velocity(const plu_stepper *s, int body, const plu_contact *c, double side,
                          double mean[6])
{
    PLU_SPHERES_ARE_BODIES; /* the arm lies along the normal */
    double arm[3], swept[3];
    for (int i = 0; i < 6; i++)
        mean[i] = 0.5 * (s->world->bodies.row[body][i] + s->problem.v[body][i]);
    for (int i = 0; i < 3; i++)
        arm[i] = side * s->world->spheres.at[body][3] * c->normal[i];
    plu_cross(mean + 3, arm, swept);
    plu_add_scaled(mean, 1.0, swept);
}

/* What groups of fixed bodies that move do to others (J). */
static double work_of_groups(const plu_stepper *s)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    plu_exact work = {0};
    for (int k = 0; k < list->live_count && plu_groups_move(w); k++) {
        const int at = list->live[k];
        const plu_contact *c = &list->contact[at];
        const plu_impulse *p = &list->impulse[at];
        if (plu_side_is_part(c->a))
            break; /* walls are the last */
        const int a = plu_side_owner(w, c->a), b = plu_owner(&w->spheres, c->b);
        const double side = plu_group_moves(w, a) ? 1.0 : -1.0; /* p acts on b */
        if (!plu_group_moves(w, a) && !plu_group_moves(w, b))
            continue;
        double mean[6], force[3];
        mean_velocity(s, side > 0.0 ? a : b, c, side, mean);
        const double n = p->n - plu_attraction(w, list, at);
        for (int i = 0; i < 3; i++)
            force[i] = side * (n * c->normal[i] + p->t[i]);
        plu_exact_add(&work, plu_dot(force, mean) + side * plu_dot(p->m, mean + 3));
    }
    return plu_exact_value(&work);
}

double plu_boundary_work(const plu_stepper *s, double *attracted)
{
    const plu_world *w = s->world;
    const plu_contacts *list = s->contacts;
    const int rows = plu_given_rows(w, list), first = list->live_count - rows;
    const double groups = w->mover ? work_of_groups(s) : 0.0;
    if (rows == 0)
        return groups;
    plu_exact work = {0}, pulls = {0};
    for (int k = 0; k < rows; k++) {
        const int at = list->live[first + k], row = w->bodies.count + 1 + k;
        const plu_contact *c = &list->contact[at];
        if (!plu_side_moves(w, c->a))
            continue;
        const plu_impulse *p = &list->impulse[at];
        double sum[6], force[3];
        for (int i = 0; i < 6; i++)
            sum[i] = 0.5 * (w->bodies.row[row][i] + s->problem.v[row][i]);
        for (int i = 0; i < 3; i++)
            force[i] = p->n * c->normal[i] + p->t[i];
        const double pull = plu_attraction(w, list, at) * plu_dot(sum, c->normal);
        plu_exact_add(&work, plu_dot(force, sum) + plu_dot(p->m, sum + 3) - pull);
        plu_exact_add(&pulls, pull);
    }
    *attracted += plu_exact_value(&pulls);
    return plu_exact_value(&work) + groups;
}

/* Where boundary `b` is asked for its moment: the center of its motion, or its own. */
static void pivot_of(const plu_world *w, int b, double pivot[3])
{
    memcpy(pivot, w->scene->boundaries[b].motion.center, 3 * sizeof *pivot);
    for (int p = 0; p < w->parts_count; p++)
        if (w->parts[p].boundary == b && w->parts[p].pose) {
            plu_add_scaled(pivot, 1.0, w->parts[p].pose->before.shift);
            return;
        }
}

void plu_stepper_boundary_force(const plu_stepper *s, int boundary, double force[3],
                                double moment[3])
{
    const plu_world *w = s->world;
    double pivot[3];
    memset(force, 0, 3 * sizeof *force);
    memset(moment, 0, 3 * sizeof *moment);
    pivot_of(w, boundary, pivot);
    const int count = plu_stepper_contacts(s), first = count - s->walls;
    for (int k = 0; count > 0 && k < s->walls; k++) {
        const plu_contact *c = &s->contacts->contact[first + k];
        if (plu_side_surface(w, c->a)->boundary != boundary)
            continue;
        const plu_impulse *p = &s->contacts->impulse[first + k];
        const double n = p->n - plu_attraction(w, s->contacts, first + k),
                     r = w->spheres.at[c->b][3] + c->gap;
        double f[3], arm[3], turning[3];
        for (int i = 0; i < 3; i++) {
            f[i] = -(n * c->normal[i] + p->t[i]) / s->world->step;
            arm[i] = s->way[k].start[i] - r * c->normal[i] - pivot[i];
        }
        plu_cross(arm, f, turning);
        for (int i = 0; i < 3; i++) {
            force[i] += f[i];
            moment[i] += turning[i] - p->m[i] / s->world->step;
        }
    }
}
