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

/* How fast the row moves along the normal, whatever forces act on it; 0: forces move it. */
static double told(const plu_problem *p, int row, const double n[3])
{
    return p->v[row][6] == 0.0 ? plu_dot(p->v[row], n) : 0.0;
}

/* How fast one side of the contact, a boundary or a body that is fixed, is moved along the normal
 * against the other, whatever forces act on it. */
static double driven(const plu_problem *p, int slot)
{
    const plu_block *c = plu_block_of(p, slot);
    const int k = slot % PLU_LANES;
    const double n[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
    double speed = told(p, c->a[k], n) - told(p, c->b[k], n);
    for (int i = 0; c->crossing && i < 3; i++)
        speed += c->crossing->drift[i][k] * n[i];
    return speed > 0.0 && !is_servo(p, slot) ? speed : 0.0;
}

/* What gives one side that speed of the other (N s); 0: nothing moves them together. */
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
