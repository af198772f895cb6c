/* Deep columns in single precision: impulses near the floor are hundreds of times what remains of
 * them in the velocities, so that floats lose sight of the errors. Columns stand side by side and
 * touch; they lean as gravity does, because vertical normals would have no rounding. */
#include "blocks/problem_lanes.h"
#include "draw.h"
#include "near.h"
#include "solve/solve.h"
#include "sweep/criterion.h"
#include "sweep/island_sweep.h"
#include "sweep/sweep_lanes.h"
#include "sweep/workspace.h"
#include <stdlib.h>

enum { COLUMNS = 16, DEEPEST = 800, BODIES = COLUMNS * DEEPEST };
static const double radius = 0.01, mass = 0.0125, fall = 1e-2;
static const double up[3] = {0.6, 0.48, 0.64}, across[3] = {-0.8, 0.36, 0.48};

typedef struct bed {
    plu_layout *layout;
    plu_problem problem;
    plu_solve_settings settings;
    double v_free[BODIES + 1][8], v[BODIES + 1][8];
    plu_contact_pair pairs[2 * BODIES];
    int contacts, depth;
} bed;

static void set_constants(plu_pair_constants *t, int k, double bodies)
{
    const double inertia = 0.4 * mass * radius * radius;
    t->arm_a[k] = bodies > 1.0 ? radius : 0.0;
    t->arm_b[k] = radius;
    t->wn[k] = bodies / mass;
    t->wr[k] = bodies / inertia;
    t->wt[k] = t->wn[k] + radius * radius * t->wr[k];
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
    t->inverse_wr[k] = 1.0 / t->wr[k];
    t->inverse_length[k] = 1.0 / radius;
    t->mu[k] = 0.3;
}

/* Body i is in column i % COLUMNS. Contacts in the columns bear what is above them, up to the share
 * `off`; those across bear nothing. */
static void set_contact(bed *b, draw *d, int contact, double off)
{
    const int slot = b->problem.slot_of_contact[contact], k = slot % PLU_LANES;
    const plu_contact_pair e = b->pairs[contact];
    plu_block *c = plu_block_of(&b->problem, slot);
    const bool carries = e.b - e.a != 1;
    for (int i = 0; i < 3; i++)
        c->normal[i][k] = carries ? up[i] : across[i];
    c->a[k] = e.a;
    c->b[k] = e.b;
    set_constants(c->pair, k, e.a < b->problem.moving ? 2.0 : 1.0);
    if (carries)
        c->p[0][k] = (b->depth - e.b / COLUMNS) * mass * fall * (1.0 + draw_uniform(d, -off, off));
}

static bed *open_bed(int depth, double off)
{
    plu_error err = {0};
    draw d = {7};
    bed *b = calloc(1, sizeof *b);
    const int bodies = COLUMNS * depth;
    b->depth = depth;
    for (int i = 0; i < bodies; i++) {
        for (int k = 0; k < 3; k++)
            b->v_free[i][k] = -fall * up[k];
        b->v_free[i][6] = 1.0 / mass;
        b->v_free[i][7] = 2.5 / (mass * radius * radius);
        b->pairs[b->contacts++] = (plu_contact_pair){i < COLUMNS ? bodies : i - COLUMNS, i};
        if (i % COLUMNS > 0)
            b->pairs[b->contacts++] = (plu_contact_pair){i - 1, i};
    }
    b->settings = (plu_solve_settings){.velocity = true,
                                       .tolerance = 0.1,
                                       .step = 1e-3,
                                       .single = true,
                                       .momentum = true,
                                       .min_iterations = 5,
                                       .max_iterations = 1000,
                                       .local = plu_local_method_find("exact")};
    for (int k = 0; k < 3; k++)
        b->settings.pull[k] = -fall * up[k];
    b->layout = plu_layout_create(&err);
    b->problem.v = b->v;
    b->problem.v_free = b->v_free;
    b->problem.moving = bodies;
    b->problem.given = 1;
    b->problem.unit_mass = exp2(-ilogb(1.0 / mass));
    b->problem.unit_length = exp2(ilogb(radius));
    assert_int_equal(
        plu_layout_make(b->layout, &b->problem, b->contacts, b->pairs, NULL, true, &err), PLU_OK);
    plu_problem_clear(&b->problem);
    for (int c = 0; c < b->contacts; c++)
        set_contact(b, &d, c, off);
    assert_true(b->problem.islands_count == 1 && b->problem.islands[0].large);
    return b;
}

static void close_bed(bed *b)
{
    plu_layout_destroy(b->layout);
    free(b);
}

/* The errors of the impulses and velocities in doubles, over what is allowed. */
static double missed_by(const bed *b)
{
    const plu_errors e =
        plu_problem_errors(&b->problem, &b->problem.islands[0], b->settings.pull, false);
    return plu_velocity_missed(&e, &b->settings);
}

/* Floats show smaller errors than there are: below columns of this depth each step is checked in
 * doubles, however small they seem, and what is called solved is. The deepest are left to doubles.
 */
static void what_is_solved_is_right(void **state)
{
    (void)state;
    static const struct {
        int depth;
        double off;
    } beds[] = {{250, 1e-5}, {250, 1e-3}, {300, 1e-6}, {400, 1e-4}, {600, 1e-5}, {800, 1e-4}};
    for (size_t i = 0; i < sizeof beds / sizeof *beds; i++) {
        plu_error err = {0};
        bed *b = open_bed(beds[i].depth, beds[i].off);
        plu_workspace *w = plu_workspace_create(&err);
        assert_int_equal(plu_solve_gs(&b->problem, &b->settings, w, &err), PLU_OK);
        const double missed = missed_by(b);
        assert_true(w->results[0].converged && missed <= 1.0 && missed > 0.1);
        assert_near(w->results[0].missed / missed, 1.0, 1e-9);
        plu_workspace_destroy(w);
        close_bed(b);
    }
}

/* Hundreds of sweeps of a deep bed stay in floats, although errors hardly fall: in doubles, with
 * Anderson acceleration, columns slip (src/tried.md). The load of 200 layers is 27,000 (g h)^2. */
static void a_deep_bed_stays_in_floats(void **state)
{
    (void)state;
    plu_error err = {0};
    bed *b = open_bed(200, 0.1);
    plu_workspace *w = plu_workspace_create(&err);
    assert_int_equal(plu_solve_gs(&b->problem, &b->settings, w, &err), PLU_OK);
    assert_true(w->results[0].converged && w->results[0].iterations > 300);
    assert_int_equal(w->results[0].exact, 0);
    plu_workspace_destroy(w);
    close_bed(b);
}

/* Velocities in floats drift away from those of the impulses unless they are computed anew now and
 * then: then what floats call solved is not, and a seventh of the sweeps follow in doubles. */
static void long_solves_end_in_floats(void **state)
{
    (void)state;
    static const struct {
        int depth;
        double off;
    } beds[] = {{240, 8e-3}, {300, 4e-3}, {300, 1.6e-2}};
    int exact = 0;
    for (size_t i = 0; i < sizeof beds / sizeof *beds; i++) {
        plu_error err = {0};
        bed *b = open_bed(beds[i].depth, beds[i].off);
        plu_workspace *w = plu_workspace_create(&err);
        assert_int_equal(plu_solve_gs(&b->problem, &b->settings, w, &err), PLU_OK);
        assert_true(w->results[0].converged && w->results[0].iterations > 120);
        exact += w->results[0].exact;
        plu_workspace_destroy(w);
        close_bed(b);
    }
    assert_in_range(exact, 0, 16); /* none; 74 where velocities are never computed anew */
}

/* After many sweeps with momentum velocities in floats are still those of the impulses. */
static void momentum_does_not_amplify_rounding(void **state)
{
    (void)state;
    plu_error err = {0};
    plu_single s = {0};
    bed *b = open_bed(250, 1e-4);
    plu_island *island = &b->problem.islands[0];
    assert_int_equal(plu_single_begin(&s, &b->problem, island, &err), PLU_OK);
    for (int i = 0; i < 100; i++) {
        const plu_sweep_way way = {
            .keep = true, .judged = true, .moves = i > 0, .beta = i < 2 ? 0.0 : 0.95};
        (void)plu_sweep_single(&s, island, &way);
    }
    const plu_errors e = plu_single_errors(&s, island, b->settings.pull);
    plu_problem_apply_single(&b->problem, island, &s);
    const double floats = plu_velocity_missed(&e, &b->settings);
    assert_true(missed_by(b) < 1.1 * floats + 0.1);
    plu_single_free(&s);
    close_bed(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_solved_is_right),
        cmocka_unit_test(a_deep_bed_stays_in_floats),
        cmocka_unit_test(long_solves_end_in_floats),
        cmocka_unit_test(momentum_does_not_amplify_rounding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
