#include "assemble/bias.h"
#include "assemble/cohesion.h"
#include "assemble/rebound.h"
#include "base/vec3.h"

double plu_bias_of(const plu_world *w, const plu_contacts *list, int at)
{
    const plu_contact *c = &list->contact[at];
    const plu_pair_law *law = plu_law_of(w, c);
    const plu_swift *swift = list->swift_count > 0 ? plu_swift_of(list, at) : NULL;
    if (swift)
        return swift->bias;
    if (law->rebounds)
        return plu_rebound_bias(w, c, law, &list->rebound[at]);
    if (law->lands)
        return plu_gap_bias(c, w->step) + c->curve;
    if (law->cohesion > 0.0 && !plu_closes(w, c, law))
        return c->gap / w->step; /* listed for its attraction alone */
    if (plu_goes_on(w, c))
        return plu_gap_bias(c, w->step) + c->curve;
    return law->restitution * plu_min(c->approach, 0.0) + (plu_lasts(w, c) ? c->curve : 0.0);
}
