/* Contacts of a step that are solved together while the others keep their impulses, on spheres
 * whose answer is known: which are chosen, and what becomes of the result. */
#define STACK_MOST 1000
#include "problem/contact_problem.h"
#include "solve/solve.h"
#include "stack.h"
#include "sweep/criterion.h"
#include "sweep/hand_over.h"
#include <math.h>
#include <string.h>

enum { SPHERES = 6 };
static const double mass[SPHERES] = {1.0, 2.0, 0.5, 4.0, 1.0, 1e4};

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

/* A fallback that says what it was asked, and takes the errors times `times`. */
static struct {
    int calls, contacts;
    double tolerance, times;
} asked;

static plu_status fake_solve(const plu_contact_problem *p, const plu_portfolio_settings *settings,
                             plu_monitor *m, plu_error *err)
{
    (void)err;
    double *new = erring(p, asked.times);
    asked.calls++;
    asked.contacts = p->contacts;
    asked.tolerance = settings->tolerance;
    (void)plu_monitor_stop(m, new, 1);
    free(new);
    return PLU_OK;
}

static const plu_portfolio_solver fake = {.name = "fake", .solve = fake_solve};

/* A row of spheres of 1 kg that bear all they have to, until `bears` says otherwise. */
static stack *open_equal_row(int count)
{
    double one[STACK_MOST] = {0.0};
    for (int i = 0; i < count; i++)
        one[i] = 1.0;
    stack *s = open_row(count, one);
    for (int i = 0; i < count; i++)
        *normal_of(s, i) = fall;
    s->settings.fallback = &fake;
    s->settings.step = 1e-3;
    return s;
}

/* Sphere i bears this share of its weight: an error whose work is share (1 - share) m (g h)^2. */
static void bears(stack *s, int i, double share)
{
    *normal_of(s, i) = share * fall;
}

/* Hands over; what the fallback was asked is in `asked`. Returns whether its result was kept. */
static bool kept_by(stack *s, double times, plu_island_result *result)
{
    plu_problem *p = &s->problem;
    plu_error err = {0};
    bool kept = false;
    memset(&asked, 0, sizeof asked);
    asked.times = times;
    plu_problem_apply(p, &p->islands[0]);
    (void)plu_velocity_judge(p, &p->islands[0], &s->settings, false, result);
    assert_true(result->missed > 1.0);
    assert_int_equal(plu_hand_over_worst(p, &p->islands[0], &s->settings, result, &kept, &err),
                     PLU_OK);
    return kept;
}

/* Errors that 120 contacts share alike are held by few of them: 64 have 0.53 of the work. Of 140
 * they have 0.46. */
static void few_contacts_hold_half_of_the_work(void **state)
{
    (void)state;
    for (int wrong = 120; wrong <= 140; wrong += 20) {
        stack *s = open_equal_row(200);
        plu_island_result result = {0};
        for (int i = 0; i < wrong; i++)
            bears(s, i, 0.8);
        (void)kept_by(s, 0.5, &result);
        assert_int_equal(asked.calls, wrong == 120);
        close_stack(s);
    }
}

/* One contact with nearly all of the work is handed over alone, with what is around it; where it
 * has less the next one comes, too. */
static void what_holds_nearly_all_is_enough(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        enum { FIRST = 250, SECOND = 750 };
        const double left = more ? 0.99 : 0.997; /* 0.962 and 0.988 of the work in the first one */
        stack *s = open_equal_row(STACK_MOST);
        plu_island_result result = {0};
        bears(s, FIRST, 0.5);
        bears(s, SECOND, left);
        assert_true(kept_by(s, 0.5, &result));
        assert_near(*normal_of(s, FIRST), 0.75 * fall, 1e-9 * fall);
        assert_near(*normal_of(s, SECOND), (more ? 0.5 + 0.5 * left : left) * fall, 1e-9 * fall);
        close_stack(s);
    }
}

/* From one sphere of a row on, the next two spheres are added at a time, each with two contacts,
 * until there are four hundred. */
static void neighbors_are_added_until_there_are_enough(void **state)
{
    (void)state;
    stack *s = open_equal_row(STACK_MOST);
    plu_island_result result = {0};
    bears(s, STACK_MOST / 2, 0.5);
    assert_true(kept_by(s, 0.5, &result));
    assert_true(asked.contacts >= 400 && asked.contacts < 404);
    close_stack(s);
}

/* A row of spheres that touch walls, all wrong alike, of which 63 have nearly all of the work: with
 * 1,386 contacts together they are handed over, with 1,575 not. */
static void not_too_many_are_handed_over(void **state)
{
    (void)state;
    enum { COUNT = 64 };
    for (int walls = 21; walls <= 24; walls += 3) {
        double one[COUNT];
        stack *s = calloc(1, sizeof *s);
        plu_island_result result = {0};
        int contacts = 2 * COUNT - 1;
        for (int i = 0; i < COUNT; i++) {
            one[i] = 1.0;
            s->pairs[i] = (plu_contact_pair){COUNT, i};
            s->pairs[COUNT + i] = (plu_contact_pair){i, i + 1};
        }
        for (int k = 0; k < COUNT * (walls - 1); k++)
            s->pairs[contacts++] = (plu_contact_pair){COUNT, k % COUNT};
        s = open_pairs(s, COUNT, one, contacts);
        s->settings.fallback = &fake;
        for (int i = 0; i < COUNT; i++)
            bears(s, i, 0.8);
        (void)kept_by(s, 0.5, &result);
        assert_int_equal(asked.contacts, walls == 21 ? 63 * walls + 63 : 0);
        close_stack(s);
    }
}

/* The fallback is to leave a tenth of what is allowed, in terms of its own residual. */
static void the_fallback_solves_sharper_than_is_allowed(void **state)
{
    (void)state;
    stack *s = open_equal_row(8);
    plu_island_result result = {0};
    bears(s, 4, 0.9);
    *normal_of(s, 8) = 0.0;
    (void)kept_by(s, 1.0, &result);
    const double missed = result.missed, tolerance = asked.tolerance;
    (void)kept_by(s, 0.1 / missed, &result);
    plu_contact_problem *all;
    plu_error err = {0};
    assert_int_equal(plu_contact_problem_of_island(&all, &s->problem, &s->problem.islands[0], &err),
                     PLU_OK);
    double y[15 * PLU_ROWS_MAX];
    assert_near(plu_contact_residuals(all, all->guess, y).scaled, tolerance, 0.1 * tolerance);
    plu_contact_problem_destroy(all);
    close_stack(s);
}

/* What leaves three times the error is kept, for a few sweeps remove it; five times is no gain. */
static void somewhat_larger_errors_are_kept(void **state)
{
    (void)state;
    for (int times = 3; times <= 5; times += 2) {
        stack *s = open_equal_row(100);
        plu_island_result result = {0}, after = {0};
        bears(s, 50, 0.95);
        const bool kept = kept_by(s, times, &result);
        assert_int_equal(kept, times == 3);
        assert_near(*normal_of(s, 50), (kept ? 1.0 - 0.05 * times : 0.95) * fall, 1e-9 * fall);
        (void)plu_velocity_judge(&s->problem, &s->problem.islands[0], &s->settings, false, &after);
        assert_near(after.missed, result.missed, 1e-12 * result.missed);
        close_stack(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_keep_their_impulses),
        cmocka_unit_test(impulses_return_to_their_slots),
        cmocka_unit_test(the_worst_contacts_are_solved),
        cmocka_unit_test(an_island_without_work_is_left_alone),
        cmocka_unit_test(few_contacts_hold_half_of_the_work),
        cmocka_unit_test(what_holds_nearly_all_is_enough),
        cmocka_unit_test(neighbors_are_added_until_there_are_enough),
        cmocka_unit_test(not_too_many_are_handed_over),
        cmocka_unit_test(the_fallback_solves_sharper_than_is_allowed),
        cmocka_unit_test(somewhat_larger_errors_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
