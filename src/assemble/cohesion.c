#include "assemble/cohesion.h"
#include "assemble/wall_share.h"
#include "base/vec3.h"
#include <math.h>
#include <string.h>

/* How long in the step it attracts (s): the whole step, but where the pair leaves the range in it
 * even so, until it does. */
static double time_of(const plu_world *w, const plu_contact *c, const plu_pair_law *law)
{
    const double h = w->step, u = c->approach, left = plu_attracts_up_to(w, c, law) - c->gap;
    if (u * h <= left)
        return h;
    const double slows = law->cohesion * plu_pair_lightness(w, c->a, c->b);
    if (h * (u - 0.5 * h * slows) <= left)
        return h;
    return 2.0 * left / (u + sqrt(plu_max(u * u - 2.0 * slows * left, 0.0)));
}

double plu_attraction(const plu_world *w, const plu_contacts *list, int at)
{
    if (!w->coheres)
        return 0.0;
    const plu_contact *c = &list->contact[at];
    const plu_pair_law *law = plu_law_of(w, c);
    if (!(law->cohesion > 0.0) || c->gap > plu_attracts_up_to(w, c, law))
        return 0.0;
    const double all = time_of(w, c, law) * law->cohesion;
    return plu_side_is_part(c->a) ? all * plu_wall_share(w, list, at) : all;
}

bool plu_closes(const plu_world *w, const plu_contact *c, const plu_pair_law *law)
{
    return c->gap + law->reach.ahead * c->approach <= PLU_CLOSED * w->spheres.at[c->b][3];
}

/* Rows of sleepers have it already: step/border.c. */
static void pull_sphere(const plu_world *w, int sphere, double impulse, const double normal[3],
                        double (*v_free)[8], double (*v)[8], double (*attracted)[3])
{
    PLU_SPHERES_ARE_BODIES; /* attraction makes no moment */
    const int body = plu_owner(&w->spheres, sphere);
    if (!plu_awake(w, body))
        return;
    plu_add_scaled(v_free[body], impulse * v_free[body][6], normal);
    plu_add_scaled(attracted[body], impulse * v_free[body][6], normal);
    memcpy(v[body], v_free[body], sizeof *v);
}

void plu_attract(const plu_world *w, const plu_contacts *list, double (*v_free)[8], double (*v)[8],
                 double (*attracted)[3])
{
    if (w->coheres)
        memset(attracted, 0, (size_t)w->bodies.count * sizeof *attracted);
    for (int i = 0; w->coheres && i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const double pull = plu_attraction(w, list, list->live[i]);
        pull_sphere(w, c->b, -pull, c->normal, v_free, v, attracted);
        if (plu_side_is_sphere(c->a))
            pull_sphere(w, plu_side_sphere(c->a), pull, c->normal, v_free, v, attracted);
    }
}

double plu_attraction_work(const plu_world *w, const plu_contacts *list, double (*before)[8],
                           double (*after)[8])
{
    PLU_SPHERES_ARE_BODIES; /* attraction makes no moment */
    double work = 0.0;
    for (int i = 0; w->coheres && i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const double pull = plu_attraction(w, list, list->live[i]);
        const int b = plu_owner(&w->spheres, c->b);
        double u = plu_dot(c->normal, before[b]) + plu_dot(c->normal, after[b]);
        if (plu_side_is_sphere(c->a)) {
            const int a = plu_side_owner(w, c->a);
            u -= plu_dot(c->normal, before[a]) + plu_dot(c->normal, after[a]);
        }
        work -= 0.5 * pull * u;
    }
    return work;
}
