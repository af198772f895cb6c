/* Contacts of a step that are solved together while the others keep their impulses, on a stack of
 * spheres whose answer is known. */
#include "problem/contact_problem.h"
#include "solve/solve.h"
#include "stack.h"
#include "sweep/criterion.h"
#include "sweep/hand_over.h"
#include <math.h>

enum { SPHERES = 6 };
static const double mass[SPHERES] = {1.0, 2.0, 0.5, 4.0, 1.0, 1e4};

static double *normal_of(stack *s, int contact)
{
    const int slot = s->problem.slot_of_contact[contact];
    return &plu_block_of(&s->problem, slot)->p[0][slot % PLU_LANES];
}

/* What contact c bears, above which all is at rest. */
static double weight_on(int c)
{
    double weight = 0.0;
    for (int i = c; i < SPHERES; i++)
        weight += mass[i] * fall;
    return weight;
}

/* y of the problem of two contacts is that of the step, whatever the others bear. */
static void others_keep_their_impulses(void **state)
{
    (void)state;
    stack *s = open_stack(SPHERES, mass);
    (void)errors_at(s, 0.7);
    const int first = s->problem.slot_of_contact[2], second = s->problem.slot_of_contact[3];
    const int slots[2] = {first < second ? first : second, first < second ? second : first};
    plu_contact_problem *p;
    plu_error err = {0};
    assert_int_equal(plu_contact_problem_of_slots(&p, &s->problem, slots, 2, &err), PLU_OK);
    assert_int_equal(p->contacts, 2);
    assert_int_equal(p->body.bodies, 3); /* spheres 1, 2 and 3 */
    double y[2 * PLU_ROWS_MAX];
    plu_contact_problem_velocity(p, p->guess, y);
    for (int c = 0; c < 2; c++) {
        const plu_block *b = plu_block_of(&s->problem, slots[c]);
        double at[7];
        plu_slot_velocity(b, slots[c] % PLU_LANES, s->v[b->a[slots[c] % PLU_LANES]],
                          s->v[b->b[slots[c] % PLU_LANES]], at);
        assert_near(y[p->rows * c], at[0], 1e-12);
    }
    plu_contact_problem_destroy(p);
    close_stack(s);
}

/* The impulses go back to their slots alone. */
static void impulses_return_to_their_slots(void **state)
{
    (void)state;
    stack *s = open_stack(SPHERES, mass);
    (void)errors_at(s, 0.7);
    const int slot = s->problem.slot_of_contact[4];
    plu_contact_problem *p;
    plu_error err = {0};
    assert_int_equal(plu_contact_problem_of_slots(&p, &s->problem, &slot, 1, &err), PLU_OK);
    const double new[3] = {123.0, 4.0, -3.0};
    plu_contact_problem_return_slots(p, new, &s->problem, &slot);
    const plu_block *b = plu_block_of(&s->problem, slot);
    const int k = slot % PLU_LANES;
    assert_near(b->p[0][k], 123.0, 1e-12);
    assert_near(hypot(b->p[1][k], b->p[2][k]), 5.0, 1e-12);
    assert_near(b->p[3][k], 0.0, 1e-12);
    for (int c = 0; c < SPHERES; c++)
        if (c != 4)
            assert_near(*normal_of(s, c), 0.7 * weight_on(c), 1e-12 * weight_on(c));
    plu_contact_problem_destroy(p);
    close_stack(s);
}

/* The top sphere is ten thousand times as heavy as those below it: sweeps from 0.7 of the answer
 * would take thousands, the fallback finds it. */
static void the_worst_contacts_are_solved(void **state)
{
    (void)state;
    stack *s = open_stack(SPHERES, mass);
    s->settings.fallback = plu_portfolio_find("prox-newton");
    s->settings.step = 1e-3;
    assert_non_null(s->settings.fallback);
    plu_island_result result = {0};
    (void)errors_at(s, 0.7);
    plu_problem *p = &s->problem;
    (void)plu_velocity_judge(p, &p->islands[0], &s->settings, false, &result);
    assert_true(result.missed > 1.0);
    bool kept = false;
    plu_error err = {0};
    assert_int_equal(plu_hand_over_worst(p, &p->islands[0], &s->settings, &result, &kept, &err),
                     PLU_OK);
    assert_true(kept);
    assert_true(result.missed <= 0.75);
    assert_true(result.converged);
    assert_near(*normal_of(s, 0), weight_on(0), 1e-2 * weight_on(0));
    close_stack(s);
}

/* Where nothing bears, no contact has work, and there is nothing to hand over. */
static void an_island_without_work_is_left_alone(void **state)
{
    (void)state;
    stack *s = open_stack(SPHERES, mass);
    s->settings.fallback = plu_portfolio_find("prox-newton");
    plu_problem *p = &s->problem;
    plu_island_result result = {.missed = 2.0};
    bool kept = true;
    plu_error err = {0};
    plu_problem_apply(p, &p->islands[0]);
    assert_int_equal(plu_hand_over_worst(p, &p->islands[0], &s->settings, &result, &kept, &err),
                     PLU_OK);
    assert_false(kept);
    assert_near(result.missed, 2.0, 0.0);
    close_stack(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_keep_their_impulses),
        cmocka_unit_test(impulses_return_to_their_slots),
        cmocka_unit_test(the_worst_contacts_are_solved),
        cmocka_unit_test(an_island_without_work_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
