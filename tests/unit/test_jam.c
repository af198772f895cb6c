/* What contacts bear before they yield, on a row of spheres of 1 kg whose impulses are made up
 * (physics/jam: what becomes of it). */
#define STACK_MOST 100
#include "stack.h"
#include "sweep/jam.h"

enum { CONTACT = 7 };

/* A pair of the row meets at 1 m/s; contacts bear what impacts stop. */
static stack *open_impact(void)
{
    double one[STACK_MOST];
    for (int i = 0; i < STACK_MOST; i++)
        one[i] = 1.0;
    stack *s = open_row(STACK_MOST, one);
    for (int c = 0; c < s->problem.contacts; c++) {
        const int slot = s->problem.slot_of_contact[c];
        s->problem.start[slot / PLU_LANES].approach[slot % PLU_LANES] = c == 0 ? -1.0 : 0.0;
    }
    s->problem.yield = (plu_yield){.step = 1e-3, .most = 1e-3, .impact = 1.0, .least = 1e-3};
    return s;
}

/* An impact stops at a contact the heaviest body and a column, four times the mass of all over the
 * square root of their number: 41 N s here. More is no impact; a thousandth less counts as all. */
static void impacts_do_not_yield(void **state)
{
    (void)state;
    static const struct {
        double bears;
        bool yields;
    } tried[] = {{30.0, false}, {0.998 * 41.0, false}, {0.9995 * 41.0, true}, {60.0, true}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        stack *s = open_impact();
        *normal_of(s, CONTACT) = tried[i].bears;
        assert_int_equal(plu_yields(&s->problem, &s->problem.islands[0]), tried[i].yields);
        close_stack(s);
    }
}

/* In a jam contacts may bear a fifth more than before; what has a tenth of that belongs to it. */
static void a_jam_has_room(void **state)
{
    (void)state;
    static const double none[3] = {0.0, 0.0, 0.0};
    stack *s = open_impact();
    plu_island *island = &s->problem.islands[0];
    *normal_of(s, CONTACT) = 20.0;
    plu_yield_begin(&s->problem, island, none, true);
    assert_near(island->bound.most, 41.0, 1e-9);
    assert_true(island->bound.now > 1.0 * 20.0 && island->bound.now < 2.0 * 20.0);
    assert_near(island->bound.held, 2.0, 1.0);
    assert_near(*normal_of(s, CONTACT), 20.0, 1e-12);
    close_stack(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impacts_do_not_yield),
        cmocka_unit_test(a_jam_has_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
