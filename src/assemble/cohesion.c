#include "assemble/cohesion.h"
#include "base/vec3.h"
#include <math.h>

/* A step cannot tell a gap that gravity closes in it from a contact. */
static double range_of(const plu_world *w, const plu_pair_law *law)
{
    const double h = w->scene->step;
    return plu_max(law->cohesion_range, h * h * plu_norm(w->scene->gravity));
}

double plu_attraction(const plu_world *w, const plu_contact *c)
{
    if (!w->coheres)
        return 0.0;
    const plu_pair_law *law = plu_law_of(w, c);
    const double rounding = PLU_CLOSED * w->position[c->b][3];
    return law->cohesion > 0.0 && c->gap <= range_of(w, law) + rounding
               ? w->scene->step * law->cohesion
               : 0.0;
}

bool plu_closes(const plu_world *w, const plu_contact *c, const plu_pair_law *law)
{
    return c->gap + law->reach.ahead * c->approach <= PLU_CLOSED * w->position[c->b][3];
}

void plu_attract(const plu_world *w, const plu_contacts *list, double (*v_free)[8])
{
    if (!w->coheres)
        return;
    for (int i = 0; i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const double pull = plu_attraction(w, c);
        if (pull == 0.0)
            continue;
        plu_add_scaled(v_free[c->b], -pull * v_free[c->b][6], c->normal);
        if (c->a >= 0)
            plu_add_scaled(v_free[c->a], pull * v_free[c->a][6], c->normal);
    }
}

double plu_attraction_work(const plu_world *w, const plu_contacts *list, double (*before)[8],
                           double (*after)[8])
{
    double work = 0.0;
    for (int i = 0; w->coheres && i < list->live_count; i++) {
        const plu_contact *c = &list->contact[list->live[i]];
        const double pull = plu_attraction(w, c);
        double u = plu_dot(c->normal, before[c->b]) + plu_dot(c->normal, after[c->b]);
        if (c->a >= 0)
            u -= plu_dot(c->normal, before[c->a]) + plu_dot(c->normal, after[c->a]);
        work -= 0.5 * pull * u;
    }
    return work;
}
