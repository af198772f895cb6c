/* Errors as velocities and what the criterion makes of them, on problems whose answer is known: a
 * stack of spheres on a floor, which gravity has begun to move. */
#include "stack.h"
#include "sweep/criterion.h"
#include <math.h>
#include <string.h>

/* A sphere that is not held at all is wrong by g h, whatever stands on it or under it. */
static void free_fall_is_an_error_of_one(void **state)
{
    (void)state;
    const double one[] = {2.0};
    stack *s = open_stack(1, one);
    const plu_errors e = errors_at(s, 0.0);
    assert_near(e.velocity, 1.0, 1e-12);
    assert_near(e.heavy, 1.0, 1e-12);
    assert_near(e.worst, 1.0, 1e-12);
    assert_near(e.change, 0.0, 1e-15);
    assert_near(e.raw, fall, 1e-15);
    assert_near(e.speed, 0.0, 1e-15);   /* it was at rest */
    assert_near(e.sinking, 0.0, 1e-15); /* nothing is borne */
    assert_true(plu_velocity_missed(&e, &s->settings) > 3.0);
    close_stack(s);
}

static void the_answer_has_no_error(void **state)
{
    (void)state;
    const double mass[] = {1.0, 2.0, 0.5, 4.0, 1.0, 1e4};
    stack *s = open_stack(6, mass);
    const plu_errors e = errors_at(s, 1.0);
    assert_near(e.velocity, 0.0, 1e-11);
    assert_near(e.worst, 0.0, 1e-11);
    assert_near(e.sinking, 0.0, 1e-11 * fall);
    assert_near(e.change, fall, 1e-12);
    assert_true(plu_velocity_missed(&e, &s->settings) <= 1e-6);
    close_stack(s);
}

/* A sphere that turns where friction and rolling friction would stop it: the floor sees it slip by
 * r omega, and roll by L omega, L = r. */
static void rolling_is_an_error_of_its_speed(void **state)
{
    (void)state;
    const double one[] = {2.0}, omega = 3e-3 * fall / radius;
    stack *s = open_stack(1, one);
    plu_block_of(&s->problem, 0)->pair->mu_r[0] = radius;
    s->v_free[0][4] = omega;
    const plu_errors e = errors_at(s, 1.0);
    assert_near(e.velocity, sqrt(2.0) * 3e-3, 1e-12);
    assert_near(e.worst, sqrt(2.0) * 3e-3, 1e-12);
    close_stack(s);
}

/* All bear 0.9 of the weight: every sphere falls by 0.1 g h, which only the floor feels, and the
 * load sinks by as much: 1/2 n (n + 1) / n of the mass times what the lowest contact is wrong by.
 */
static void sinking_sees_depth(void **state)
{
    (void)state;
    const double mass[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    for (int n = 1; n <= MOST; n++) {
        stack *s = open_stack(n, mass);
        const plu_errors e = errors_at(s, 0.9);
        assert_near(e.velocity, 0.1 / sqrt(n), 1e-12);
        assert_near(e.worst, 0.1, 1e-12);
        assert_near(e.sinking, 0.9 * 0.1 * fall, 1e-12 * fall);
        assert_near(e.raw, 0.1 * fall, 1e-12 * fall);
        close_stack(s);
    }
}

/* A stack that falls is judged by how fast it is where the step ends or where it began, whichever
 * is less: what a wrong step sets in motion was at rest, and what a step brings to rest is. */
static void what_begins_to_move_was_at_rest(void **state)
{
    (void)state;
    const double mass[] = {1.0, 1.0}, fast = 2.0 * fall;
    for (int k = 0; k < 3; k++) {
        stack *s = open_stack(2, mass);
        for (int i = 0; i < 2; i++) /* at rest and let go; falls on; falls and is stopped */
            s->v_free[i][2] = k == 0 ? -fall : -fall - fast;
        const plu_errors e = errors_at(s, k == 0 ? 0.0 : k == 1 ? 1.0 : 3.0);
        const double after = k == 0 ? fall : k == 1 ? fast : 0.0;
        assert_near(e.raw, after, 1e-12);
        assert_near(e.speed, k == 1 ? fast : 0.0, 1e-12);
        assert_near(e.drift, k == 1 ? fast : 0.0, 1e-12);
        close_stack(s);
    }
}

/* A heavy sphere on light ones that nothing holds is not lost among them. */
static void a_boulder_counts(void **state)
{
    (void)state;
    const double mass[] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1e6};
    stack *s = open_stack(MOST, mass);
    double weight = 0.0; /* all but the last contact bear what stands on them without the boulder */
    for (int c = MOST - 2; c >= 0; c--) {
        const int slot = s->problem.slot_of_contact[c];
        weight += mass[c] * fall;
        plu_block_of(&s->problem, slot)->p[0][slot % PLU_LANES] = weight;
    }
    plu_problem_apply(&s->problem, &s->problem.islands[0]);
    const plu_errors e = plu_problem_errors(&s->problem, &s->problem.islands[0], pull, false);
    assert_near(e.velocity, 1.0 / sqrt(MOST), 1e-9);
    assert_near(e.heavy, 1.0, 1e-5);
    assert_true(e.scaled < 1.0);
    close_stack(s);
}

/* Limits in motion, at rest and in impacts. */
static void limits(void **state)
{
    (void)state;
    plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .pull = {0.0, 0.0, -fall}};
    plu_errors e = {.contacts = 100000,
                    .velocity = 0.1,
                    .change = fall,
                    .fall = fall,
                    .speed = PLU_FAST * fall,
                    .drift = PLU_FAST * fall};
    assert_near(plu_velocity_missed(&e, &s), 1.0, 1e-12);
    e.speed = 0.0; /* at rest thirty times sharper */
    assert_near(plu_velocity_missed(&e, &s), 1.0 / 0.03, 1e-10);
    e = (plu_errors){.contacts = 100000,
                     .sinking = 0.3 * fall,
                     .change = fall,
                     .fall = fall,
                     .speed = PLU_FAST * fall,
                     .drift = PLU_FAST * fall};
    assert_near(plu_velocity_missed(&e, &s), 1.0, 1e-12);
    e.drift = 0.0; /* a hundred times */
    assert_near(plu_velocity_missed(&e, &s), 100.0, 1e-10);
    e.drift = PLU_FAST * fall;
    e.change = 4.0 * fall; /* in turmoil 4^2 less sharp, */
    assert_near(plu_velocity_missed(&e, &s), 1.0 / 16.0, 1e-12);
    e.drift = 0.5 * PLU_FAST * fall; /* and where half of it moves 4^(3/2) times 3/2 */
    assert_near(plu_velocity_missed(&e, &s), 2.0 / 12.0, 1e-12);
    e = (plu_errors){.contacts = 100000, .velocity = 0.1, .speed = 1.0, .bounce = 1.0};
    s.restitution = 1.0;
    assert_near(plu_velocity_missed(&e, &s), 500.0, 1e-9);
    s.restitution = 0.0;
    assert_near(plu_velocity_missed(&e, &s), 2.0, 1e-12);
    e = (plu_errors){
        .contacts = 100000, .heavy = 0.1, .change = fall, .speed = PLU_FAST * fall, .bounce = 0.0};
    assert_near(plu_velocity_missed(&e, &s), 1.0, 1e-12);
    e.heavy = 0.0;
    e.worst = 3.0; /* a single contact, 30 times less sharp */
    assert_near(plu_velocity_missed(&e, &s), 1.0, 1e-12);
    e.worst = 0.0;
    e.closing = 2.0; /* radii in a second: by half a step of it an overlap of 0.05 tau */
    s.step = 5e-3;
    assert_near(plu_velocity_missed(&e, &s), 1.0, 1e-12);
    s.unequal = 5.6; /* sharper among unequal grains, from 4 to 10 times the radius */
    assert_near(plu_velocity_missed(&e, &s), 1.4, 1e-12);
    s.unequal = 100.0;
    assert_near(plu_velocity_missed(&e, &s), 2.5, 1e-12);
    e.velocity = NAN;
    assert_true(!(plu_velocity_missed(&e, &s) <= 1.0));
}

/* The same impacts, with a gravity that does not matter and without any: the work of the errors, J
 * = sinking times momentum, is compared with the energy of the step in both. */
static void impacts_do_not_depend_on_gravity(void **state)
{
    (void)state;
    const double mass = 3.0, change = 2.0, work = 0.3 * mass * change * change;
    plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .pull = {0.0, 0.0, -1e-3}};
    plu_errors e = {.contacts = 100000, .change = change, .fall = 1e-3, .drift = 1.0, .speed = 1.0};
    e.sinking = work / (mass * e.fall);
    assert_near(plu_velocity_missed(&e, &s), 1.0, 1e-12);
    e.fall = s.pull[2] = 0.0;
    e.sinking = work / (mass * change);
    assert_near(plu_velocity_missed(&e, &s), 1.0, 1e-12);
}

/* In driven islands the work of the errors is compared with that of friction, D: half of it, and
 * two percent of it signed. After many sweeps more counts as noise: up to ten and three times that.
 */
static void noise_counts_less_after_many_sweeps(void **state)
{
    (void)state;
    const plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .step = 1e-4};
    plu_errors e = {.contacts = 100000, .driven = true, .sinking = 1.0, .rubbed = 2.0, .work = 5.0};
    plu_island_result r = {.iterations = 100};
    plu_velocity_take(&e, &s, &r);
    assert_near(r.missed, 5.0, 1e-12);
    assert_false(r.converged);
    r.iterations = 600;
    plu_velocity_take(&e, &s, &r);
    assert_near(r.missed, 1.25, 1e-12);
    r.iterations = 1000000;
    plu_velocity_take(&e, &s, &r);
    assert_near(r.missed, 0.5, 1e-12);
    assert_true(r.converged);
    e.net = -0.1; /* five times as much as it may be, */
    plu_velocity_take(&e, &s, &r);
    assert_near(r.missed, 5.0 / 6.0, 1e-12);
    r.iterations = 200;
    plu_velocity_take(&e, &s, &r);
    assert_near(r.missed, 5.0, 1e-12);
    r.iterations = 600;
    plu_velocity_take(&e, &s, &r);
    assert_near(r.missed, 5.0 / 3.0, 1e-12);
}

/* In a bed that flows slowly under its weight, too, and is too large for the fallback: up to twice
 * as much, unless errors do more than half the work of friction, as in a bed that creeps by them.
 */
static void a_slow_flow_may_end_with_more(void **state)
{
    (void)state;
    const plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .step = 1e-3};
    const plu_errors flow = {.contacts = 100000,
                             .fall = fall,
                             .change = fall,
                             .drift = 0.3 * fall,
                             .sinking = 0.01 * fall,
                             .rubbed = 1.0,
                             .work = 1.0,
                             .net = -0.2};
    plu_errors creep = flow, noise = flow, few = flow;
    creep.net = -0.201;
    noise.work = 1.01;
    few.contacts = 2000;
    const int sweeps[] = {100, 200, 300, 400, 100000};
    const double more[] = {1.0, 1.0, 1.5, 2.0, 2.0};
    const double missed = plu_velocity_missed(&flow, &s);
    assert_true(missed > 0.1);
    for (int i = 0; i < 5; i++) {
        plu_island_result r = {.iterations = sweeps[i]};
        plu_velocity_take(&flow, &s, &r);
        assert_near(r.missed, missed / more[i], 1e-12);
        plu_velocity_take(&creep, &s, &r);
        assert_near(r.missed, missed, 1e-12);
        plu_velocity_take(&noise, &s, &r);
        assert_near(r.missed, missed, 1e-12);
        plu_velocity_take(&few, &s, &r);
        assert_near(r.missed, missed, 1e-12);
    }
}

/* Of contacts that press with "held" N s m in a step that lasts y of the time in which their stress
 * moves a grain: how much friction counts at least, as a strain. */
static double least_strain(double y)
{
    const plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .step = 1e-4};
    const double held = 3.0;
    const plu_errors e = {.contacts = 100000,
                          .driven = true,
                          .sinking = 1.0,
                          .held = held,
                          .span = s.step * held / (y * y),
                          .work = 1.0};
    return s.step / (0.5 * held * plu_velocity_missed(&e, &s));
}

/* A bed under a stress is judged by work: of friction, D, of the least friction that counts, D0,
 * and of impacts, K (src/solving.md). Steps of usual length, y = 0.44, are judged sharpest. */
static void a_driven_bed_is_judged_by_work(void **state)
{
    (void)state;
    plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .step = 1e-4};
    plu_errors e = {.contacts = 100000, .driven = true, .sinking = 1.0, .struck = 2.0, .work = 1.0};
    assert_near(plu_velocity_missed(&e, &s), 1.0 / (3.0 * 0.1 * 2.0), 1e-12);
    assert_near(least_strain(0.01), 2e-6, 1e-16);
    assert_near(least_strain(0.2), 2e-6 * 0.073 / 0.2, 1e-16);
    assert_near(least_strain(2.0), 1.5e-6, 1e-16);
    const double held = 3e4, least = 2e-6 * held / s.step; /* 600 J, more than K */
    e.held = held;
    e.span = 1e4 * s.step * held;
    assert_near(plu_velocity_missed(&e, &s), 1.0 / (0.5 * (least + 10.0 * 2.0) + 0.6), 1e-12);
    e.struck = 1e4; /* more than that does not help */
    assert_near(plu_velocity_missed(&e, &s), 1.0 / (0.5 * 11.0 * least + 3e3), 1e-12);
    s.tolerance = 1.0; /* counts as 0.2 */
    assert_near(plu_velocity_missed(&e, &s), 0.5 / (0.5 * 11.0 * least + 3e3), 1e-12);
    e = (plu_errors){.contacts = 100000, .driven = true, .fall = fall, .rubbed = 1.0};
    s.tolerance = 0.1; /* single velocities three times less sharp than at rest */
    assert_near(plu_velocity_tau(&e, &s), 3.0 * 0.1 * 0.03, 1e-15);
}

/* What counts at least is for beds at rest. It may not double the work of one that is strained
 * slowly, whose forces would stay those that it began with. */
static void slow_strain_is_judged_by_its_own_work(void **state)
{
    (void)state;
    const plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .step = 1e-4};
    const double held = 3e4, least = 2e-6 * held / s.step;
    plu_errors e = {.contacts = 100000,
                    .driven = true,
                    .sinking = 1.0,
                    .held = held,
                    .span = 1e4 * s.step * held,
                    .work = 1.0};
    static const double work[][2] = {/* of friction, and what counts: over the least that counts */
                                     {0.0, 1.0}, {0.5, 1.0}, {1.0, 1.2},
                                     {2.0, 2.4}, {5.0, 6.0}, {50.0, 51.0}};
    for (size_t k = 0; k < sizeof work / sizeof *work; k++) {
        e.rubbed = work[k][0] * least;
        assert_near(plu_velocity_missed(&e, &s) * 0.5 * least, 1.0 / work[k][1], 1e-12);
    }
}

/* A body that only boundaries hold is solved a hundred times as sharply, unless it is pressed. */
static void a_body_alone_is_solved_sharply(void **state)
{
    (void)state;
    const plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .step = 1e-3};
    plu_errors e = {.contacts = 2, .fall = fall, .pull = fall, .velocity = 1e-3};
    const double missed = plu_velocity_missed(&e, &s);
    e.lone = true;
    assert_near(plu_velocity_missed(&e, &s), 100.0 * missed, 1e-12 * missed);
    e.driven = true;
    assert_true(plu_velocity_missed(&e, &s) <= missed);
}

/* Single errors may be three times as large where friction takes the work, but not where bodies
 * fall together (a lattice that 1 kPa pressed in steps of 1 ms stayed one for five of eight seeds).
 */
static void what_falls_together_is_solved_as_elsewhere(void **state)
{
    (void)state;
    const plu_solve_settings s = {.velocity = true, .tolerance = 0.1, .step = 1e-4};
    plu_errors e = {.contacts = 100000, .driven = true, .fall = 1.0, .rubbed = 2.0};
    assert_near(plu_velocity_tau(&e, &s), 0.1 * 0.03 * 3.0, 1e-12);
    e.struck = 2.0;
    assert_near(plu_velocity_tau(&e, &s), 0.1 * 0.03 * 3.0, 1e-12);
    e.struck = 4.0;
    assert_near(plu_velocity_tau(&e, &s), 0.1 * 0.03 * 1.5, 1e-12);
    e.struck = 20.0;
    assert_near(plu_velocity_tau(&e, &s), 0.1 * 0.03, 1e-12);
}

/* A row without gravity: its first sphere is stopped by the floor, the third one falls by `error`.
 */
static double worst_without_gravity(double stopped, double error, double boundary)
{
    const double mass[] = {1.0, 1.0, 1.0};
    stack *s = open_row(3, mass);
    plu_problem *p = &s->problem;
    for (int i = 0; i < 3; i++)
        s->v_free[i][2] = 0.0;
    s->v_free[0][2] = -stopped;
    s->v_free[2][2] = -error;
    for (int c = 0; c < 3; c++)
        plu_block_of(p, p->slot_of_contact[c])->pair->mu[p->slot_of_contact[c] % PLU_LANES] = 0.0;
    *normal_of(s, 0) = stopped;
    if (boundary > 0.0) /* contacts yield */
        p->islands[0].bound.most = p->islands[0].bound.now = 1e9;
    s->v[3][0] = boundary;
    plu_problem_apply(p, &p->islands[0]);
    s->v[3][0] = boundary;
    const plu_errors e = plu_problem_errors(p, &p->islands[0], (double[3]){0.0, 0.0, 0.0}, false);
    close_stack(s);
    return e.worst;
}

/* Without gravity errors are compared with a thousandth of the largest change, where contacts yield
 * with one of the fastest boundary. */
static void errors_without_gravity_have_a_scale(void **state)
{
    (void)state;
    assert_near(worst_without_gravity(2.0, 1e-4, 0.0), 1e-4 / 2e-3, 1e-9);
    assert_near(worst_without_gravity(0.0, 1e-4, 4.0), 1e-4 / 4e-3, 1e-9);
    assert_near(worst_without_gravity(2.0, 1e-4, 4.0), 1e-4 / 4e-3, 1e-9);
}

/* A sphere that a floor drags along while it stops its fall: friction takes `ratio` times what the
 * impact does. */
static bool is_driven(double drags, double *ratio)
{
    const double one[] = {1.0};
    stack *s = open_stack(1, one);
    plu_problem *p = &s->problem;
    plu_block *b = plu_block_of(p, p->slot_of_contact[0]);
    const int k = p->slot_of_contact[0] % PLU_LANES;
    b->p[0][k] = fall;
    b->p[1][k] = 0.3 * fall;
    s->v[1][0] = drags * fall;
    plu_problem_apply(p, &p->islands[0]);
    s->v[1][0] = drags * fall;
    const plu_errors e = plu_problem_errors(p, &p->islands[0], (double[3]){0.0, 0.0, 0.0}, false);
    close_stack(s);
    *ratio = e.rubbed / e.struck;
    return e.driven;
}

/* Without gravity a bed is driven where friction takes more than ten times as much as impacts. */
static void friction_tells_what_is_driven(void **state)
{
    (void)state;
    double ratio;
    assert_true(is_driven(60.0, &ratio));
    assert_near(ratio, 16.0, 2.0);
    assert_false(is_driven(25.0, &ratio));
    assert_near(ratio, 6.5, 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_without_gravity_have_a_scale),
        cmocka_unit_test(friction_tells_what_is_driven),
        cmocka_unit_test(impacts_do_not_depend_on_gravity),
        cmocka_unit_test(free_fall_is_an_error_of_one),
        cmocka_unit_test(the_answer_has_no_error),
        cmocka_unit_test(rolling_is_an_error_of_its_speed),
        cmocka_unit_test(sinking_sees_depth),
        cmocka_unit_test(what_begins_to_move_was_at_rest),
        cmocka_unit_test(a_boulder_counts),
        cmocka_unit_test(limits),
        cmocka_unit_test(noise_counts_less_after_many_sweeps),
        cmocka_unit_test(what_falls_together_is_solved_as_elsewhere),
        cmocka_unit_test(a_slow_flow_may_end_with_more),
        cmocka_unit_test(a_driven_bed_is_judged_by_work),
        cmocka_unit_test(slow_strain_is_judged_by_its_own_work),
        cmocka_unit_test(a_body_alone_is_solved_sharply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
