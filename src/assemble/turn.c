#include "assemble/turn.h"
#include <math.h>
#include <string.h>

/* The largest of some numbers is the same in any order, and so are the bits of numbers above 0. */
static void raise_shared(uint64_t *most, double x)
{
    uint64_t bits, now = __atomic_load_n(most, __ATOMIC_RELAXED);
    memcpy(&bits, &x, sizeof bits);
    while (now < bits && !__atomic_compare_exchange_n(most, &now, bits, true, __ATOMIC_RELAXED,
                                                      __ATOMIC_RELAXED)) {
    }
}

static void add(plu_turn *turn, const plu_contact *c, double share)
{
    for (int k = 0; k < 3; k++)
        __atomic_fetch_add(&turn->sum[k],
                           (int64_t)llrint(share * c->curve * c->normal[k] / PLU_TURN_UNIT),
                           __ATOMIC_RELAXED);
    raise_shared(&turn->most, fabs(c->curve));
}

/* 1/kg; 0: the body sleeps. */
static double lightness(const plu_world *w, int body)
{
    return plu_awake(w, body) ? w->bodies.row[body][6] : 0.0;
}

static void note(const plu_world *w, const plu_contact *c, plu_turn *turn)
{
    const int a = plu_side_is_sphere(c->a) ? plu_side_owner(w, c->a) : -1,
              b = plu_owner(&w->spheres, c->b);
    const double of_a = a >= 0 ? lightness(w, a) : 0.0, of_b = lightness(w, b);
    if (of_b > 0.0)
        add(&turn[b], c, of_b / (of_a + of_b));
    if (of_a > 0.0)
        add(&turn[a], c, -of_a / (of_a + of_b));
}

void plu_turns_note(const plu_world *w, const plu_contact *const contact[], int count,
                    plu_turn *turn)
{
    for (int k = 0; k < count; k++)
        if (contact[k] && contact[k]->curve != 0.0 && plu_lasts(w, contact[k]))
            note(w, contact[k], turn);
}

double plu_turn_most(const plu_turn *turn)
{
    double most;
    memcpy(&most, &turn->most, sizeof most);
    return most;
}
