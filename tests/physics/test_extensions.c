/* Solvers from outside, problems from arrays, scenes from texts and by calls: what is refused, what
 * is handed on, and the same bits for any number of threads. */
#include "draw.h"
#include "pluvia/draft.h"
#include "pluvia/extension.h"
#include "pluvia/tool/solver.h"
#include "pluvia/writing.h"
#include "run.h"
#include <omp.h>

static plu_error err;

/* Nine spheres that do not touch each other slide, then roll: nine islands. */
static const char columns[] =
    "time: { step = 1e-3; end = 1; };\n"
    "solver: { name = \"mine\"; fallback = \"none\"; criterion = \"scaled\"; tolerance = 1e-8; };\n"
    "materials = ( { name = \"a\"; density = 2500.0; } );\n"
    "contacts = ( { between = [\"a\", \"a\"]; friction = 0.3; rolling_friction = 1e-4; } );\n"
    "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = \"a\"; } );\n"
    "bodies = ( { lattice: { counts = [3, 3, 1]; spacing = 0.03; origin = [0, 0, 0.01]; };\n"
    "  material = \"a\"; radius = 0.01; velocity = [0.3, 0.2, 0]; } );\n";

/* Projected sweeps over contacts of any number of rows. `user`: the island of so many rows that is
 * refused; NULL: none. */
static plu_status sweeps(void *user, const plu_problem_view *v, plu_solve_run *going, double *p,
                         plu_error *e)
{
    const int d = v->rows, n = d * v->contacts;
    if (user && n > *(const int *)user)
        return plu_fail(e, PLU_BREAKDOWN, "no more than %d rows, please", *(const int *)user);
    double *y = calloc((size_t)n, sizeof *y);
    for (int k = 0; !plu_solve_run_stop(going, p, k); k++)
        for (int c = 0; c < v->contacts; c++) {
            plu_problem_view_velocity(v, p, y);
            int b = v->start[c];
            while (v->column[b] != c)
                b++;
            const double *w = v->block + (size_t)(b * d * d);
            double *x = p + c * d;
            for (int i = 0; i < d; i++)
                x[i] -= 0.7 * y[c * d + i] / w[i * d + i];
            x[0] = fmax(x[0], 0.0);
            for (int i = 1; i < d; i += 2) {
                const double size = hypot(x[i], x[i + 1]), most = v->slope[c][i / 2] * x[0];
                for (int j = i; j < i + 2 && size > most; j++)
                    x[j] *= most / size;
            }
        }
    free(y);
    return PLU_OK;
}

/* Opens the scene with a solver "mine"; the status of the stepper. */
static plu_status open_with(run *r, plu_extensions *own)
{
    run_check(r, plu_scene_read_text(&r->scene, "columns", columns, NULL, 0, &r->err));
    run_check(r, plu_world_create(&r->world, &r->scene, &r->err));
    return plu_stepper_create_with(&r->stepper, r->world, &r->scene, own, NULL, &r->err);
}

static void same_bits_for_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t hash[3];
    plu_extensions *own;
    assert_int_equal(plu_extensions_create(&own, &err), PLU_OK);
    assert_int_equal(plu_extensions_add_solver(own, "mine", sweeps, NULL, &err), PLU_OK);
    for (int threads = 1; threads <= 3; threads++) {
        omp_set_num_threads(threads);
        run *r = calloc(1, sizeof *r);
        run_check(r, open_with(r, own));
        run_to(r, 0.02);
        assert_int_equal(r->info.islands, 9);
        assert_true(r->info.converged);
        hash[threads - 1] = plu_world_hash(r->world);
        run_close(r);
    }
    assert_true(hash[0] == hash[1] && hash[0] == hash[2]);
    plu_extensions_destroy(own);
}

static void what_a_solver_says_is_handed_on(void **state)
{
    (void)state;
    int most = 4;
    plu_extensions *own;
    assert_int_equal(plu_extensions_create(&own, &err), PLU_OK);
    assert_int_equal(plu_extensions_add_solver(own, "mine", sweeps, &most, &err), PLU_OK);
    run *r = calloc(1, sizeof *r);
    run_check(r, open_with(r, own));
    plu_status status = PLU_OK;
    for (int k = 0; k < 100 && status == PLU_OK; k++)
        status = plu_step(r->stepper, &r->info, &r->err);
    assert_int_equal(status, PLU_BREAKDOWN);
    assert_string_equal(r->err.text, "no more than 4 rows, please");
    run_close(r);
    plu_extensions_destroy(own);
}

/* A solver that never asks whether to stop, though another could take over, and one whose impulses
 * are not finite: `user` says which. */
static plu_status careless(void *user, const plu_problem_view *v, plu_solve_run *going, double *p,
                           plu_error *e)
{
    (void)v, (void)e;
    if (*(const bool *)user) {
        p[4] = NAN;
        while (!plu_solve_run_stop(going, p, 7))
            continue;
    }
    return PLU_OK;
}

static void a_careless_solver_is_blamed(void **state)
{
    (void)state;
    static const char *const said[] = {
        "the solver \"mine\" has returned without a call of plu_solve_run_stop",
        "the solver \"mine\" gave contact 0 an impulse that is not finite, after 7 iterations"};
    for (int k = 0; k < 2; k++) {
        bool broken = k;
        plu_extensions *own;
        assert_int_equal(plu_extensions_create(&own, &err), PLU_OK);
        assert_int_equal(plu_extensions_add_solver(own, "mine", careless, &broken, &err), PLU_OK);
        run *r = calloc(1, sizeof *r);
        const char *const fallback[] = {"solver.fallback=prox-newton"};
        run_check(r, plu_scene_read_text(&r->scene, "columns", columns, fallback, 1, &r->err));
        run_check(r, plu_world_create(&r->world, &r->scene, &r->err));
        run_check(r, plu_stepper_create_with(&r->stepper, r->world, &r->scene, own, NULL, &r->err));
        plu_status status = PLU_OK;
        for (int step = 0; step < 5 && status == PLU_OK; step++)
            status = plu_step(r->stepper, &r->info, &r->err);
        assert_int_equal(status, k ? PLU_BREAKDOWN : PLU_USAGE);
        assert_non_null(strstr(r->err.text, said[k]));
        run_close(r);
        plu_extensions_destroy(own);
    }
}

static void without_it_the_scene_is_refused(void **state)
{
    (void)state;
    run *r = calloc(1, sizeof *r);
    assert_int_equal(open_with(r, NULL), PLU_BAD_INPUT);
    assert_non_null(strstr(r->err.text, "columns:2: solver.name: unknown solver \"mine\""));
    run_close(r);
}

static void names(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "", "none", "a b", "gs",
        "a-name-of-more-than-sixty-three-letters-which-nobody-would-want-to-type"};
    plu_extensions *own;
    assert_int_equal(plu_extensions_create(&own, &err), PLU_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(plu_extensions_add_solver(own, wrong[i], sweeps, NULL, &err), PLU_USAGE);
    assert_int_equal(plu_extensions_add_solver(own, "mine", sweeps, NULL, &err), PLU_OK);
    assert_int_equal(plu_extensions_add_solver(own, "mine", sweeps, NULL, &err), PLU_USAGE);
    assert_int_equal(plu_extensions_add_local(own, "exact", NULL, NULL, &err), PLU_USAGE);
    plu_extensions_destroy(own);
}

static void a_text_has_no_includes(void **state)
{
    (void)state;
    plu_scene scene;
    assert_int_equal(plu_scene_read_text(&scene, "mine", "\n@include \"x.cfg\"\n", NULL, 0, &err),
                     PLU_BAD_INPUT);
    assert_non_null(
        strstr(err.text, "mine:2: a scene that is not read from a file cannot contain an include"));
    const char *const until[] = {"time.end=3"};
    assert_int_equal(plu_scene_read_text(&scene, "mine", columns, until, 1, &err), PLU_OK);
    assert_near(scene.end, 3.0, 0.0);
    plu_scene_free(&scene);
}

/* What `columns` says, by calls. */
static plu_draft *drafted(void)
{
    static const double third[3] = {1.0 / 3.0, 0.2, 0.0}, origin[3] = {0, 0, 0.01};
    static const int counts[3] = {3, 3, 1};
    plu_draft *d;
    assert_int_equal(plu_draft_create(&d, &err), PLU_OK);
    assert_int_equal(plu_draft_set_real(d, "time.step", 1e-2), PLU_OK);
    assert_int_equal(plu_draft_set_real(d, "time.step", 1e-3), PLU_OK);
    assert_int_equal(plu_draft_set_integer(d, "time.end", 1), PLU_OK);
    assert_int_equal(plu_draft_set_integer(d, "seed", 98765432100LL), PLU_OK);
    assert_int_equal(plu_draft_set(d, "solver", "{ fallback = \"none\"; tolerance = 1e-8; }"),
                     PLU_OK);
    assert_int_equal(plu_draft_set_text(d, "solver.criterion", "scaled"), PLU_OK);
    assert_int_equal(plu_draft_set_bool(d, "output.contacts", true), PLU_OK);
    assert_int_equal(plu_draft_set_text(d, "materials[+].name", "a \"b\"\\"), PLU_OK);
    assert_int_equal(plu_draft_set_real(d, "materials.0.density", 2500.0 / 3.0), PLU_OK);
    assert_int_equal(
        plu_draft_set(d, "contacts[0].between", "[\"a \\\"b\\\"\\\\\", \"a \\\"b\\\"\\\\\"]"),
        PLU_OK);
    assert_int_equal(plu_draft_set_real(d, "contacts[*].friction", 0.3), PLU_OK);
    assert_int_equal(plu_draft_set_real(d, "contacts[-1].rolling_friction", 1e-4), PLU_OK);
    assert_int_equal(plu_draft_set(d, "boundaries[+].plane", "{}"), PLU_OK);
    assert_int_equal(plu_draft_set_text(d, "boundaries[0].material", "a \"b\"\\"), PLU_OK);
    assert_int_equal(plu_draft_set_integers(d, "bodies[+].lattice.counts", 3, counts), PLU_OK);
    assert_int_equal(plu_draft_set_real(d, "bodies[0].lattice.spacing", 0.03), PLU_OK);
    assert_int_equal(plu_draft_set_reals(d, "bodies[0].lattice.origin", 3, origin), PLU_OK);
    assert_int_equal(plu_draft_set_text(d, "bodies[0].material", "a \"b\"\\"), PLU_OK);
    assert_int_equal(plu_draft_set_real(d, "bodies[0].radius", 0.01), PLU_OK);
    assert_int_equal(plu_draft_set_reals(d, "bodies[0].velocity", 3, third), PLU_OK);
    return d;
}

static uint64_t hash_of(run *r)
{
    run_check(r, plu_world_create(&r->world, &r->scene, &r->err));
    run_check(r, plu_stepper_create(&r->stepper, r->world, &r->scene, NULL, &r->err));
    run_to(r, 0.02);
    const uint64_t hash = plu_world_hash(r->world);
    run_close(r);
    return hash;
}

/* A scene by calls is that of the text, bit for bit: of the one written by hand, and of its own. */
static void a_scene_by_calls(void **state)
{
    (void)state;
    static const char by_hand[] =
        "seed = 98765432100L;\n"
        "time: { step = 1e-3; end = 1; };\n"
        "solver: { fallback = \"none\"; criterion = \"scaled\"; tolerance = 1e-8; };\n"
        "output: { contacts = true; };\n"
        "materials = ( { name = \"a \\\"b\\\"\\\\\"; density = 833.33333333333337; } );\n"
        "contacts = ( { between = [\"a \\\"b\\\"\\\\\", \"a \\\"b\\\"\\\\\"]; friction = 0.3;\n"
        "               rolling_friction = 1e-4; } );\n"
        "boundaries = ( { plane: {}; material = \"a \\\"b\\\"\\\\\"; } );\n"
        "bodies = ( { lattice: { counts = [3, 3, 1]; spacing = 0.03; origin = [0, 0, 0.01]; };\n"
        "  material = \"a \\\"b\\\"\\\\\"; radius = 0.01;\n"
        "  velocity = [0.33333333333333331, 0.2, 0]; } );\n";
    plu_draft *d = drafted();
    run *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b), *c = calloc(1, sizeof *c);
    char *text;
    run_check(a, plu_scene_read_text(&a->scene, "hand", by_hand, NULL, 0, &a->err));
    run_check(b, plu_draft_scene(d, &b->scene, NULL, "calls", &b->err));
    run_check(c, plu_draft_text(d, &text, &c->err));
    run_check(c, plu_scene_read_text(&c->scene, "text", text, NULL, 0, &c->err));
    assert_true(b->scene.output->contacts && b->scene.seed == 98765432100ULL);
    assert_string_equal(b->scene.resolved, c->scene.resolved);
    const uint64_t hash = hash_of(a);
    assert_true(hash_of(b) == hash && hash_of(c) == hash);
    free(text);
    plu_draft_destroy(d);
}

static void what_a_draft_refuses(void **state)
{
    (void)state;
    const double two[2] = {1, -NAN};
    plu_draft *d = drafted();
    plu_scene scene;
    assert_int_equal(plu_draft_set_real(d, "time.stp", 1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_real(d, "time.step", -1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_reals(d, "gravity", 2, two), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_text(d, "method", "magic"), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_real(d, "bodies[7].radius", 1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_real(d, "feeders[-1].radius", 1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_real(d, "feeders[*].radius", 1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_real(d, "bodies.radius", 1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_real(d, "bodies", 1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set_real(d, "", 1.0), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_set(d, "gravity", "[1, 2"), PLU_BAD_INPUT);
    assert_int_equal(plu_draft_scene(d, &scene, NULL, "calls", &err), PLU_BAD_INPUT);
    static const char *const said[] = {
        "calls: unknown key \"stp\" in time; did you mean \"step\"?",
        "calls: time.step must be > 0 or \"auto\" (s) (found -1.0)",
        "calls: gravity must be 3 numbers [x, y, z] from -1e+06 to 1e+06 (m/s^2) (found nan)",
        "calls: method must be \"nonsmooth\" or \"penalty\" (found \"magic\")",
        "calls: bodies has no entry 7: it has 1",
        "calls: feeders has no entry -1: it has 0",
        "calls: feeders[*].radius: the scene has no entry",
        "calls: bodies is a list: write bodies[0].KEY for its first entry, bodies[+].KEY for a new",
        "calls: bodies must be a list of groups",
        "calls: the key is empty",
        "calls: gravity: \"[\" is never closed"};
    const char *from = err.text; /* in the order of the calls */
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const char *found = strstr(from, said[i]);
        if (!found)
            fail_msg("\"%s\" does not say \"%s\"", from, said[i]);
        else
            from = found + 1;
    }
    plu_draft_destroy(d);
    assert_int_equal(plu_draft_create(&d, &err), PLU_OK);
    assert_int_equal(plu_draft_set_bool(d, "output.contacts", true), PLU_OK);
    assert_int_equal(plu_draft_scene(d, &scene, NULL, "calls", &err), PLU_BAD_INPUT);
    assert_non_null(strstr(err.text, "time.end is missing"));
    plu_draft_destroy(d);
}

enum { CONTACTS = 12 };

typedef struct arrays {
    int start[CONTACTS + 1], column[3 * CONTACTS];
    double block[3 * CONTACTS][25], q[5 * CONTACTS], mu[CONTACTS], mu_r[CONTACTS];
    plu_problem_arrays a;
} arrays;

/* A ring of contacts, each coupled with both of its neighbors. */
static void fill(arrays *x)
{
    draw d = {4};
    memset(x, 0, sizeof *x);
    for (int c = 0; c < CONTACTS; c++) {
        x->start[c + 1] = 3 * (c + 1);
        for (int k = 0; k < 3; k++) {
            x->column[3 * c + k] = (c + k + CONTACTS - 1) % CONTACTS;
            for (int i = 0; i < 5; i++)
                x->block[3 * c + k][6 * i] = (k == 1 ? 4.0 + c : 1.0) * (i < 3 ? 1.0 : 300.0);
        }
        for (int i = 0; i < 5; i++)
            x->q[5 * c + i] = draw_uniform(&d, -1.0, i ? 1.0 : 0.2);
        x->mu[c] = 0.1 * (1 + c % 5);
        x->mu_r[c] = 1e-3 * (1 + c % 3);
    }
    x->a = (plu_problem_arrays){.rows = 5,
                                .contacts = CONTACTS,
                                .q = x->q,
                                .mu = x->mu,
                                .mu_r = x->mu_r,
                                .start = x->start,
                                .column = x->column,
                                .block = &x->block[0][0]};
}

static void arrays_there_and_back(void **state)
{
    (void)state;
    arrays x, y;
    plu_contact_problem *problem;
    plu_problem_facts facts;
    plu_solve_report report;
    double r[5 * CONTACTS], u[5 * CONTACTS];
    fill(&x);
    assert_int_equal(plu_contact_problem_of_arrays(&problem, &x.a, &err), PLU_OK);
    plu_contact_problem_facts(problem, &facts);
    assert_int_equal(facts.blocks, 3 * CONTACTS);
    plu_contact_problem_w(problem, y.start, y.column, &y.block[0][0]);
    assert_int_equal(plu_contact_problem_q(problem, y.q, &err), PLU_OK);
    plu_contact_problem_friction(problem, y.mu, y.mu_r, NULL);
    for (int i = 0; i < 5 * CONTACTS; i++) /* moments are scaled inside: to rounding */
        assert_near(y.q[i], x.q[i], 4e-16 * fabs(x.q[i]));
    for (int c = 0; c < CONTACTS; c++) {
        assert_near(y.mu[c], x.mu[c], 0.0);
        assert_near(y.mu_r[c], x.mu_r[c], 4e-16 * x.mu_r[c]);
    }
    for (int c = 0; c < CONTACTS; c++)
        for (int k = 0; k < 3; k++) { /* columns rise there */
            int b = x.start[c];
            while (x.column[b] != y.column[3 * c + k])
                b++;
            for (int i = 0; i < 25; i++)
                assert_near(y.block[3 * c + k][i], x.block[b][i], 4e-16 * fabs(x.block[b][i]));
        }
    const plu_solve_request request = {.tolerance = 1e-12};
    assert_int_equal(plu_contact_problem_solve(problem, &request, &report, &err), PLU_OK);
    assert_int_equal(plu_contact_problem_solution(problem, r, u, &err), PLU_OK);
    assert_true(report.converged);
    const plu_solve_request senseless[] = {
        {.tolerance = NAN}, {.tolerance = -1.0}, {.max_iterations = -1}, {.max_seconds = NAN}};
    for (int k = 0; k < 4; k++) {
        plu_solve_report none;
        assert_int_equal(plu_contact_problem_solve(problem, &senseless[k], &none, &err), PLU_USAGE);
    }
    for (int i = 0; i < 5 * CONTACTS; i++) { /* u = W r + q, in the units of the arrays */
        double sum = x.q[i];
        for (int b = x.start[i / 5]; b < x.start[i / 5 + 1]; b++)
            sum += x.block[b][6 * (i % 5)] * r[5 * x.column[b] + i % 5];
        assert_near(u[i], sum, 1e-12 * (1.0 + fabs(sum)));
    }
    plu_solve_report_free(&report);
    plu_contact_problem_destroy(problem);
}

static void arrays_refused(const plu_problem_arrays *a, const char *why)
{
    plu_contact_problem *problem;
    assert_int_equal(plu_contact_problem_of_arrays(&problem, a, &err), PLU_BAD_INPUT);
    assert_null(problem);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
}

static void arrays_that_make_no_sense(void **state)
{
    (void)state;
    arrays x;
    plu_problem_arrays a;
    fill(&x);
    a = x.a, a.rows = 4;
    arrays_refused(&a, "4 rows per contact");
    a = x.a, a.contacts = 0;
    arrays_refused(&a, "0 contacts");
    a = x.a, a.mu_r = NULL;
    arrays_refused(&a, "with 5 rows mu_r");
    a = x.a, a.block = NULL;
    arrays_refused(&a, "either W by blocks or bodies");
    a = x.a, a.bodies = 1;
    arrays_refused(&a, "either W by blocks or bodies");
    x.column[4] = CONTACTS;
    arrays_refused(&x.a, "column[4] is 12, but there are 12 contacts");
    x.column[4] = -1;
    arrays_refused(&x.a, "column[4] is -1");
    fill(&x);
    x.start[2] = 1;
    arrays_refused(&x.a, "start[2] is less than start[1]");
    fill(&x);
    x.q[7] = NAN;
    arrays_refused(&x.a, "q");
    fill(&x);
    x.block[1][0] = NAN;
    arrays_refused(&x.a, "finite");
    fill(&x);
    x.mu[3] = -0.1;
    arrays_refused(&x.a, "contact 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_for_any_number_of_threads),
        cmocka_unit_test(what_a_solver_says_is_handed_on),
        cmocka_unit_test(a_careless_solver_is_blamed),
        cmocka_unit_test(without_it_the_scene_is_refused),
        cmocka_unit_test(names),
        cmocka_unit_test(a_text_has_no_includes),
        cmocka_unit_test(a_scene_by_calls),
        cmocka_unit_test(what_a_draft_refuses),
        cmocka_unit_test(arrays_there_and_back),
        cmocka_unit_test(arrays_that_make_no_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
