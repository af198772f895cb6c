#include "sweep/jam.h"
#include "base/vec3.h"
#include "blocks/yield.h"
#include <math.h>

/* In units of what gives the body of a contact the speed of the boundary: what an impulse is at
 * least of a contact that bodies are jammed at. */
static const double many = 3.0;

/* Whether a force moves what side a is, and no motion. */
static bool is_servo(const plu_problem *p, int slot)
{
    for (int k = 0; k < p->servos_count; k++)
        for (int i = p->servos[k].begin; i < p->servos[k].end; i++)
            if (p->slot_of_contact[p->servo_contact[i].contact] == slot)
                return true;
    return false;
}

/* How fast side a of the contact is moved along the normal against b, whatever forces act on it. */
static double driven(const plu_problem *p, int slot)
{
    const plu_block *c = plu_block_of(p, slot);
    const int k = slot % PLU_LANES;
    double v[3] = {0.0, 0.0, 0.0};
    if (c->a[k] > plu_still_row(p))
        for (int i = 0; i < 3; i++)
            v[i] = p->v[c->a[k]][i];
    for (int i = 0; c->crossing && i < 3; i++)
        v[i] += c->crossing->drift[i][k];
    const double speed = v[0] * c->normal[0][k] + v[1] * c->normal[1][k] + v[2] * c->normal[2][k];
    return speed > 0.0 && !is_servo(p, slot) ? speed : 0.0;
}

/* What gives body b the speed of side a (N s); 0: nothing moves a against it. */
static double pace_of(const plu_problem *p, int slot)
{
    if (p->contact_of_slot[slot] < 0)
        return 0.0;
    return driven(p, slot) * plu_block_of(p, slot)->pair->inverse_wn[slot % PLU_LANES];
}

bool plu_jam_presses(const plu_problem *p, const plu_island *island)
{
    const double hit = plu_problem_mass(p, island) * plu_fastest_approach(p, island),
                 least = plu_max(hit, plu_servos_sum(p, island, false).load);
    bool any = false;
    for (int slot = island->slot_begin; slot < island->slot_end && !any; slot++) {
        const double pace = pace_of(p, slot);
        any = pace > 0.0 &&
              plu_block_of(p, slot)->p[0][slot % PLU_LANES] > plu_max(many * pace, least);
    }
    return any;
}
