/* Gauss-Seidel over the contacts of general problems: random networks of rigid bodies, and a tower
 * in which information travels slowly. */
#include "base/vec3.h"
#include "contacts.h"
#include "general/block_gs.h"
#include "general/pace.h"
#include "local/contact.h"
#include "near.h"
#include "solve/solve.h"
#include "sweep/search.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* H of one end: the rows of the frame, with the lever arm; sign -1 at the first body. */
static void set_end(int rows, double frame[3][3], const double arm[3], double sign, double *h)
{
    for (int j = 0; j < rows; j++) {
        const double *e = frame[j < 3 ? j : j - 2];
        double turn[3];
        plu_cross(arm, e, turn);
        for (int i = 0; i < 3; i++) {
            h[i * rows + j] = j < 3 ? sign * e[i] : 0.0;
            h[(3 + i) * rows + j] = sign * (j < 3 ? turn[i] : e[i]);
        }
    }
}

static void set_body(plu_contact_problem *p, draw *d, int b)
{
    const double mass = draw_log(d, 1.0, 4.0), inertia = mass * draw_uniform(d, 0.2, 0.6);
    for (int i = 0; i < 6; i++) {
        p->body.mass[b][7 * i] = i < 3 ? mass : inertia;
        p->body.inverse_mass[b][7 * i] = 1.0 / p->body.mass[b][7 * i];
        p->body.v_free[b][i] = draw_uniform(d, -1.0, 1.0);
    }
}

/* Bodies that touch at random, and something fixed. */
static plu_contact_problem *network(int rows, int contacts, int bodies, uint64_t seed)
{
    plu_contact_problem *p;
    plu_error err;
    draw d = {seed};
    assert_int_equal(plu_contact_problem_create(&p, rows, contacts, 0, bodies, &err), PLU_OK);
    for (int b = 0; b < bodies; b++)
        set_body(p, &d, b);
    for (int c = 0; c < contacts; c++) {
        double frame[3][3], arm[3];
        const int a = (int)draw_uniform(&d, 0.0, bodies), b = (int)draw_uniform(&d, 0.0, bodies);
        p->body.pairs[c][0] = a == b ? -1 : a;
        p->body.pairs[c][1] = b;
        contacts_frame(&d, frame);
        for (int e = 0; e < 2; e++) {
            for (int i = 0; i < 3; i++)
                arm[i] = draw_uniform(&d, -0.7, 0.7);
            set_end(rows, frame, arm, e ? 1.0 : -1.0, p->body.h[c][e]);
        }
        p->mu[c] = draw_uniform(&d, 0.1, 0.7);
        p->mu_r[c] = rows == 5 ? draw_uniform(&d, 0.01, 0.3) : 0.0;
    }
    assert_int_equal(plu_contact_problem_assemble(p, &err), PLU_OK);
    assert_int_equal(plu_contact_problem_check(p, "network", &err), PLU_OK);
    return p;
}

/* Bodies on top of each other, falling on a floor. */
static plu_contact_problem *tower(int height)
{
    plu_contact_problem *p;
    plu_error err;
    draw d = {0};
    double frame[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    assert_int_equal(plu_contact_problem_create(&p, 3, height, 0, height, &err), PLU_OK);
    for (int b = 0; b < height; b++) {
        set_body(p, &d, b);
        memset(p->body.v_free[b], 0, sizeof p->body.v_free[b]);
        p->body.v_free[b][2] = -1.0;
        p->body.v_free[b][0] = 0.1;
        p->body.pairs[b][0] = b - 1;
        p->body.pairs[b][1] = b;
        set_end(3, frame, (double[3]){0, 0, 0.5}, -1.0, p->body.h[b][0]);
        set_end(3, frame, (double[3]){0, 0, -0.5}, 1.0, p->body.h[b][1]);
        p->mu[b] = 0.5;
    }
    assert_int_equal(plu_contact_problem_assemble(p, &err), PLU_OK);
    return p;
}

static plu_monitor solve(const plu_contact_problem *p, const plu_portfolio_settings *settings)
{
    plu_monitor m;
    plu_error err;
    assert_int_equal(plu_monitor_start(&m, p, settings, &err), PLU_OK);
    assert_int_equal(plu_blocks_gs(p, settings, &m, &err), PLU_OK);
    return m;
}

/* The law, contact by contact, with velocities computed here. */
static void obeys_the_law(const plu_contact_problem *problem, const double *p, double tolerance)
{
    const int d = problem->rows;
    double *y = calloc((size_t)(d * problem->contacts), sizeof *y);
    plu_contact_problem_velocity(problem, p, y);
    for (int c = 0; c < problem->contacts; c++) {
        const double *r = p + c * d, *u = y + c * d;
        assert_true(r[0] >= 0.0 && u[0] >= -tolerance);
        assert_near(r[0] * u[0], 0.0, tolerance);
        for (int i = 1; i < d; i += 2) {
            const double limit = (i == 1 ? problem->mu : problem->mu_r)[c] * r[0];
            assert_true(plu_plane_length(r + i) <= limit + tolerance);
            assert_near(plu_plane_dot(r + i, u + i) + limit * plu_plane_length(u + i), 0.0,
                        tolerance);
        }
    }
    free(y);
}

static void both_forms_give_the_same_sweep(void **state)
{
    (void)state;
    for (int rows = 3; rows <= 5; rows += 2) {
        plu_contact_problem *p = network(rows, 120, 20, 5), by_rows = *p;
        const plu_portfolio_settings settings = {.from_zero = true};
        plu_block_gs a, b;
        plu_error err;
        by_rows.body.bodies = 0;
        assert_int_equal(plu_block_gs_create(&a, p, &settings, &err), PLU_OK);
        assert_int_equal(plu_block_gs_create(&b, &by_rows, &settings, &err), PLU_OK);
        assert_true(a.through_bodies && !b.through_bodies);
        for (int k = 0; k < 20; k++) {
            const plu_block_sweep x = plu_block_gs_sweep(&a), y = plu_block_gs_sweep(&b);
            assert_near(x.change, y.change, 1e-10 * y.size);
            assert_near(x.momentum, y.momentum, 1e-10 * y.size);
            for (int i = 0; i < a.n; i++)
                assert_near(a.p[i], b.p[i], 1e-10);
            plu_block_gs_extrapolate(&a, 0.3);
            plu_block_gs_extrapolate(&b, 0.3);
        }
        plu_block_gs_free(&a);
        plu_block_gs_free(&b);
        plu_contact_problem_destroy(p);
    }
}

static void solutions_obey_the_law(void **state)
{
    (void)state;
    for (int k = 0; k < 16; k++) {
        plu_contact_problem *p = network(k & 1 ? 5 : 3, 60, k & 8 ? 15 : 40, (uint64_t)k * 1000);
        const plu_portfolio_settings settings = {.tolerance = 1e-11,
                                                 .max_iterations = 20000,
                                                 .natural = (k & 2) != 0,
                                                 .natural_order = (k & 4) != 0,
                                                 .momentum = k % 3 != 0};
        plu_monitor m = solve(p, &settings);
        assert_true(m.converged);
        obeys_the_law(p, m.best_p, 1e-8);
        /* from its own solution there is nothing to do */
        memcpy(p->guess, m.best_p, (size_t)(p->rows * p->contacts) * sizeof *p->guess);
        plu_monitor again = solve(p, &settings);
        assert_int_equal(again.iterations, 0);
        plu_monitor_free(&m);
        plu_monitor_free(&again);
        plu_contact_problem_destroy(p);
    }
}

static void with_every_local_method(void **state)
{
    (void)state;
    const char *names[] = {"exact",        "projection",         "extragradient",
                           "newton",       "fischer-burmeister", "quartic-angle",
                           "quartic-alpha"};
    for (int rows = 3; rows <= 5; rows += 2) {
        plu_contact_problem *p = network(rows, 30, 30, 77);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const plu_local_method *local = plu_local_method_find(names[i]);
            if (local->rows == 3 && rows == 5)
                continue;
            const plu_portfolio_settings settings = {
                .tolerance = 1e-9, .max_iterations = 5000, .momentum = true, .local = local};
            plu_monitor m = solve(p, &settings);
            assert_true(m.converged);
            obeys_the_law(p, m.best_p, 1e-6);
            plu_monitor_free(&m);
        }
        plu_contact_problem_destroy(p);
    }
}

/* Sorted by colors, where the color of a contact is the smallest that no smaller neighbor has.
 */
static void order_is_that_of_greedy_colors(void **state)
{
    (void)state;
    enum { CONTACTS = 200 };
    plu_contact_problem *p = network(3, CONTACTS, 60, 3);
    int order[CONTACTS], work[2 * CONTACTS + 1], color[CONTACTS];
    plu_block_gs_color(p, order, work);
    for (int c = 0; c < CONTACTS; c++) {
        bool taken[CONTACTS + 1] = {false};
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++)
            if (p->w.column[b] < c)
                taken[color[p->w.column[b]]] = true;
        for (color[c] = 0; taken[color[c]]; color[c]++)
            ;
    }
    for (int k = 1; k < CONTACTS; k++) {
        const int a = order[k - 1], b = order[k];
        assert_true(color[a] < color[b] || (color[a] == color[b] && a < b));
    }
    plu_contact_problem_destroy(p);
}

static void acceleration_pays(void **state)
{
    (void)state;
    plu_contact_problem *p = tower(50);
    const plu_portfolio_settings plain = {.tolerance = 1e-8, .max_iterations = 100000},
                                 fast = {
                                     .tolerance = 1e-8, .max_iterations = 100000, .momentum = true};
    plu_monitor a = solve(p, &plain), b = solve(p, &fast);
    assert_true(a.converged && b.converged);
    assert_true(5 * b.iterations < a.iterations);
    plu_monitor_free(&a);
    plu_monitor_free(&b);
    plu_contact_problem_destroy(p);
}

/* A method that notes where it was asked to start, and makes ten iterations of nothing. */
static double handed_over;

static plu_status take_note(const plu_contact_problem *problem,
                            const plu_portfolio_settings *settings, plu_monitor *m, plu_error *err)
{
    double y[3 * 100];
    (void)err;
    assert_false(settings->from_zero);
    handed_over = plu_contact_residuals(problem, problem->guess, y).scaled;
    for (int i = 0; i <= 10; i++)
        plu_monitor_stop(m, problem->guess, i);
    return PLU_OK;
}

static void hands_over_when_it_stalls(void **state)
{
    (void)state;
    const plu_portfolio_solver other = {.name = "other", .solve = take_note};
    plu_contact_problem *p = tower(100);
    plu_portfolio_settings settings = {
        .tolerance = 1e-10, .max_iterations = 100000, .from_zero = true, .fallback = &other};
    plu_monitor m = solve(p, &settings);
    assert_false(m.converged);
    assert_true(m.iterations >= 210 && m.iterations < 3000);
    assert_near(handed_over, m.best.scaled, 1e-15);
    assert_true(handed_over < 0.1);
    plu_monitor_free(&m);
    settings.fallback = NULL;
    settings.max_iterations = 700;
    m = solve(p, &settings);
    assert_int_equal(m.iterations, 700);
    plu_monitor_free(&m);
    plu_contact_problem_destroy(p);
}

/* Of a residual that falls by the factor q a sweep the pace tells what is left exactly. */
static void pace_is_extrapolated(void **state)
{
    (void)state;
    const double q = 0.97, tolerance = 1e-12;
    plu_pace falling = {0}, still = {0}, done = {0};
    for (int k = PLU_PACE_FIRST - PLU_PACE_CHECKS * PLU_PACE_EVERY; k <= 600; k += PLU_PACE_EVERY) {
        const double residual = 0.1 * pow(q, k);
        const double left = log(tolerance / residual) / log(q);
        const double expected = k < PLU_PACE_FIRST ? 0.0 : left;
        assert_true(plu_pace_due(k) && !plu_pace_due(k + 1));
        assert_near(plu_pace_left(&falling, k, residual, tolerance), expected, 1e-9 * left);
        assert_true(plu_pace_left(&still, k, 0.1, tolerance) ==
                    (k < PLU_PACE_FIRST ? 0.0 : HUGE_VAL));
        assert_true(plu_pace_left(&done, k, residual, 0.2) == 0.0);
    }
}

/* Errors that fall as a power of the number of sweeps are checked three times: the third check, at
 * the sweep before which they are still too large, is passed. Cheap checks come as soon as they can
 * be passed, and leap farther after the first one. */
static void checks_are_extrapolated(void **state)
{
    (void)state;
    for (int cheap = 0; cheap < 2; cheap++) {
        const double power = 0.9, goal = cheap ? 0.98 : 1.0, first = 3.0;
        plu_checks c = {0};
        plu_checks_plan(&c, 6, first, cheap);
        assert_true(!c.falls && c.next == (cheap ? 19 : 13));
        const int second = c.next;
        plu_checks_plan(&c, second, first * pow(6.0 / second, power), cheap);
        const double last = 6.0 * pow(first / goal, 1.0 / power);
        assert_true(c.falls && c.next > last && c.next <= last + 1.0);
        plu_checks_plan(&c, c.next, 1.0, cheap); /* missed by nothing */
        assert_int_equal(c.next, cheap ? c.last + 1 : c.last * 9 / 8 + 1);
    }
    plu_checks stuck = {0};
    plu_checks_plan(&stuck, 30, 1.2, true);
    plu_checks_plan(&stuck, 60, 1.1, true);
    assert_false(stuck.falls);
    plu_checks_plan(&stuck, 80, 1.3, true);
    assert_true(!stuck.falls && stuck.next > 80);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_forms_give_the_same_sweep),
        cmocka_unit_test(solutions_obey_the_law),
        cmocka_unit_test(with_every_local_method),
        cmocka_unit_test(order_is_that_of_greedy_colors),
        cmocka_unit_test(acceleration_pays),
        cmocka_unit_test(hands_over_when_it_stalls),
        cmocka_unit_test(pace_is_extrapolated),
        cmocka_unit_test(checks_are_extrapolated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
