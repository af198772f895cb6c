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

/* `alone`: no other thread adds now. Atomic operations take ten times as long. */
static void add_to(int64_t sum[3], const double n[3], double size, bool alone)
{
    for (int k = 0; k < 3; k++) {
        const int64_t part = whole(size * n[k]);
        if (alone)
            sum[k] += part;
        else
            __atomic_fetch_add(&sum[k], part, __ATOMIC_RELAXED);
    }
}

/* `when`: the share of the step after which the contact turns what it turns. */
static void add(plu_turn *turn, const plu_contact *c, double share, double when, double unit,
                bool alone)
{
    const double size = share * c->curve / unit;
    add_to(turn->sum, c->normal, size, alone);
    if (when != 0.5)
        add_to(turn->late, c->normal, (2.0 * when - 1.0) * size, alone);
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

static void note(const plu_world *w, const plu_contact *c, double when, plu_turn *turn, double unit,
                 bool alone)
{
    const int a = plu_side_is_sphere(c->a) ? plu_side_owner(w, c->a) : -1,
              b = plu_owner(&w->spheres, c->b);
    const double of_a = a >= 0 ? lightness(w, a) : 0.0, of_b = lightness(w, b);
    if (of_b > 0.0)
        add(&turn[b], c, of_b / (of_a + of_b), when, unit, alone);
    if (of_a > 0.0)
        add(&turn[a], c, -of_a / (of_a + of_b), when, unit, alone);
}

/* A fold; NULL: it turns in the middle of the step. */
static const plu_swift *fold_of(const plu_contacts *list, const plu_contact *c)
{
    const plu_swift *swift =
        list->swift_count > 0 ? plu_swift_of(list, (int)(c - list->contact)) : NULL;
    return swift && swift->fold ? swift : NULL;
}

void plu_turns_note(const plu_world *w, const plu_contacts *list,
                    const plu_contact *const contact[], int count, plu_turn *turn)
{
    const bool alone = omp_get_num_threads() == 1;
    const double unit = plu_turn_unit(w);
    for (int k = 0; k < count; k++) {
        if (!contact[k] || contact[k]->curve == 0.0 || !plu_lasts(w, contact[k]))
            continue;
        const plu_swift *fold = fold_of(list, contact[k]);
        if (fold || w->lands)
            note(w, contact[k], fold ? fold->when : 0.5, turn, unit, alone);
    }
}

double plu_turn_most(const plu_turn *turn)
{
    return plu_of_bits(turn->most);
}
