#include "assemble/turn.h"
#include "base/exact.h"
#include <math.h>
#include <omp.h>

double plu_turn_unit(const plu_world *w)
{
    int power;
    frexp(w->smallest / w->step, &power);
    return isfinite(w->smallest) ? ldexp(1.0, power - 54) : 1.0;
}

/* What a sum holds of one contact; a step that turns more than that is beyond all limits. */
static int64_t whole(double x)
{
    static const double most = 0x1p58;
    return (int64_t)llrint(fmax(-most, fmin(x, most)));
}

/* `alone`: no other thread adds to turns now. Atomic operations take ten times as long. */
static void add(plu_turn *turn, const plu_contact *c, double share, double unit, bool alone)
{
    for (int k = 0; k < 3; k++) {
        const int64_t part = whole(share * c->curve * c->normal[k] / unit);
        if (alone)
            turn->sum[k] += part;
        else
            __atomic_fetch_add(&turn->sum[k], part, __ATOMIC_RELAXED);
    }
    const uint64_t bits = plu_bits_of(fabs(c->curve));
    if (alone)
        plu_raise(&turn->most, bits);
    else
        plu_raise_shared(&turn->most, bits);
}

/* 1/kg; 0: the body sleeps. */
static double lightness(const plu_world *w, int body)
{
    return plu_awake(w, body) ? w->bodies.row[body][6] : 0.0;
}

static void note(const plu_world *w, const plu_contact *c, plu_turn *turn, double unit, bool alone)
{
    const int a = plu_side_is_sphere(c->a) ? plu_side_owner(w, c->a) : -1,
              b = plu_owner(&w->spheres, c->b);
    const double of_a = a >= 0 ? lightness(w, a) : 0.0, of_b = lightness(w, b);
    if (of_b > 0.0)
        add(&turn[b], c, of_b / (of_a + of_b), unit, alone);
    if (of_a > 0.0)
        add(&turn[a], c, -of_a / (of_a + of_b), unit, alone);
}

void plu_turns_note(const plu_world *w, const plu_contact *const contact[], int count,
                    plu_turn *turn)
{
    const bool alone = omp_get_num_threads() == 1;
    const double unit = plu_turn_unit(w);
    for (int k = 0; k < count; k++)
        if (contact[k] && contact[k]->curve != 0.0 && plu_lasts(w, contact[k]))
            note(w, contact[k], turn, unit, alone);
}

double plu_turn_most(const plu_turn *turn)
{
    return plu_of_bits(turn->most);
}
