/* Hits of bodies that bear something else in the same step, by a law that loses nothing
 * (src/theory.md, "Oblique impacts"). */
#include "base/vec3.h"
#include "step/marks.h"

/* Whether the hit, of a law that keeps account of energy, has its own moment whatever its bodies
 * bear besides, in gravity. */
static bool is_single(const plu_hit *hit)
{
    return !hit->alone && !hit->joined && !isnan(hit->share);
}

/* Counts in `sum` what the bodies of hits bear. */
static void count_borne(const plu_stepper *s)
{
    struct plu_impacts *m = s->impacts;
    for (int k = 0; k < s->contacts->live_count; k++) {
        const plu_contact_pair pair = plu_moved_of(s, s->contacts->key[s->contacts->live[k]]);
        if (!plu_is_marked(m, pair) || !(plu_live_impulse(s, k) > 0.0))
            continue;
        m->of[pair.a].sum += 1.0;
        m->of[pair.b].sum += pair.a != pair.b ? 1.0 : 0.0;
    }
}

/* Joins the hits of bodies that bear more than one contact; whether there were some. */
bool plu_impacts_join(plu_stepper *s)
{
    plu_hits *hits = &s->hits;
    struct plu_impacts *m = s->impacts;
    const double *g = s->world->gravity;
    bool some = false;
    if (!(plu_dot(g, g) > 0.0))
        return false;
    plu_marks_forget(m);
    for (int k = 0; k < hits->count; k++) {
        const plu_contact_pair pair = plu_moved_of(s, hits->hit[k].key);
        if (!is_single(&hits->hit[k]))
            continue;
        plu_mark(m, pair.a, NAN);
        plu_mark(m, pair.b, NAN);
        m->of[pair.a].sum = m->of[pair.b].sum = 0.0;
    }
    if (m->marked == 0)
        return false;
    count_borne(s);
    for (int k = 0; k < hits->count; k++) {
        plu_hit *hit = &hits->hit[k];
        const plu_contact_pair pair = plu_moved_of(s, hit->key);
        if (!is_single(hit) || plu_max(m->of[pair.a].sum, m->of[pair.b].sum) <= 1.0)
            continue;
        plu_hits_join(s->world, hit, plu_law_of(s->world, plu_contact_of_hit(s, hit)));
        some = true;
    }
    plu_marks_forget(m);
    return some;
}
