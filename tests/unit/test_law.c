/* One friction law: whatever solves or judges contacts takes it from cone/law.h. The law is written
 * here a second time, and everything is compared with it, on 10^5 contacts; and once more compiled
 * with slopes three times as large (PLU_LAW_TIMES), where whoever has a copy of the law disagrees.
 */
#include "base/vec3.h"
#include "blocks/errors.h"
#include "blocks/problem_lanes.h"
#include "blocks/single.h"
#include "draw.h"
#include "draws.h"
#include "local/contact.h"
#include "near.h"
#include "networks.h"
#include "run.h"
#include "solve/solve.h"
#include "solving.h"
#include "sweep/island_sweep.h"
#include <math.h>

#if !defined(PLU_LAW_TIMES)
#define PLU_LAW_TIMES 1.0
#endif

enum { CONTACTS = SANITIZED ? 17000 : 33000, ROWS = 2 * CONTACTS };

/* Contacts that share no body: pairs of spheres, of equal size or not, and spheres at a wall. */
typedef struct field {
    plu_layout *layout;
    plu_problem problem;
    double v_free[ROWS + 1][8], v[ROWS + 1][8], radius[ROWS];
    plu_contact_pair pairs[CONTACTS];
    plu_body_cell cell[ROWS];
} field;

static void make_body(field *f, draw *d, int i)
{
    const double r = f->radius[i] =
        i % 2 && draw_uniform(d, 0.0, 1.0) < 0.5 ? f->radius[i - 1] : draw_uniform(d, 0.5, 2.0);
    const double mass = r * r * r;
    for (int k = 0; k < 3; k++) {
        f->v_free[i][k] = draw_uniform(d, -1.0, 1.0);
        f->v_free[i][3 + k] = draw_uniform(d, -1.0, 1.0) / r;
    }
    f->v_free[i][6] = 1.0 / mass;
    f->v_free[i][7] = 2.5 / (mass * r * r);
    f->cell[i] = plu_cell_at((int[3]){i / 2 % 20, i / 40 % 20, i / 800});
}

/* Of a field that pivots two contacts of three have pivoting friction. */
static void make_contact(field *f, draw *d, int contact)
{
    const int slot = f->problem.slot_of_contact[contact], k = slot % PLU_LANES;
    const plu_contact_pair e = f->pairs[contact];
    plu_block *c = plu_block_of(&f->problem, slot);
    plu_pair_constants *t = c->pair;
    const double ra = e.a < ROWS ? f->radius[e.a] : 0.0, rb = f->radius[e.b];
    const double ma = f->v_free[e.a][6], mb = f->v_free[e.b][6];
    const double ia = f->v_free[e.a][7], ib = f->v_free[e.b][7];
    double n[3];
    draw_direction(d, n);
    for (int i = 0; i < 3; i++)
        c->normal[i][k] = n[i];
    c->a[k] = e.a;
    c->b[k] = e.b;
    c->friction[k] = draw_uniform(d, 0.0, 1.0) < 0.2 ? 0.5 : 1.0;
    t->arm_a[k] = ra;
    t->arm_b[k] = rb;
    t->wn[k] = ma + mb;
    t->wt[k] = ma + mb + ra * ra * ia + rb * rb * ib;
    t->wr[k] = ia + ib;
    t->wc[k] = e.a < ROWS && ra == rb ? 0.0 : ra * ia - rb * ib;
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
    t->inverse_wr[k] = 1.0 / t->wr[k];
    t->inverse_length[k] = 1.0 / (e.a < ROWS ? fmin(ra, rb) : rb);
    t->mu[k] = draw_log(d, 0.02, 1.0); /* the projection has no end for slopes from 5 on */
    t->mu_r[k] = draw_log(d, 0.02, 0.5) / t->inverse_length[k];
    if (f->problem.pivots && contact % 3 != 1)
        t->mu_p[k] = draw_log(d, 0.02, 0.5) / t->inverse_length[k];
}

/* One island of many tiles, or one of one tile, or an island each. */
static field *open_field(bool tiles, bool islands, bool pivots)
{
    plu_error err;
    draw d = {77};
    field *f = calloc(1, sizeof *f);
    for (int i = 0; i < ROWS; i++)
        make_body(f, &d, i);
    for (int c = 0; c < CONTACTS; c++)
        f->pairs[c] = (plu_contact_pair){c % 3 == 0 ? ROWS : 2 * c, 2 * c + 1};
    f->layout = plu_layout_create(&err);
    f->problem = (plu_problem){.moving = ROWS,
                               .given = 1,
                               .v = f->v,
                               .v_free = f->v_free,
                               .unit_mass = 1.0,
                               .unit_length = 1.0};
    assert_int_equal(plu_layout_make(f->layout, &f->problem, CONTACTS, f->pairs,
                                     tiles ? f->cell : NULL, islands, &err),
                     PLU_OK);
    plu_problem_clear(&f->problem);
    f->problem.pivots = pivots;
    for (int c = 0; c < CONTACTS; c++)
        make_contact(f, &d, c);
    for (int i = 0; i < f->problem.islands_count; i++)
        plu_problem_apply(&f->problem, &f->problem.islands[i]);
    return f;
}

static void close_field(field *f)
{
    plu_layout_destroy(f->layout);
    free(f);
}

/* How far a contact is from the law for one disk, over the impulses and velocities it has. */
static double miss_of_disk(double mu, double normal, const double r[3], const double u[3])
{
    const double limit = PLU_LAW_TIMES * mu * normal, speed = plu_norm(u);
    const double over = fmax(plu_norm(r) - limit, 0.0) / (limit + 1e-300);
    const double against = plu_dot(r, u) + limit * speed;
    return fmax(normal > 0.0 ? over : plu_norm(r),
                fabs(against) / (limit * (speed + 1.0) + 1e-300));
}

/* Counts contacts that slide or roll. */
static double miss_of_slot(const plu_problem *p, int slot, int *moving)
{
    const int k = slot % PLU_LANES;
    const plu_block *c = plu_block_of(p, slot);
    double y[7], r[7];
    plu_slot_velocity(c, k, p->v[c->a[k]], p->v[c->b[k]], y);
    for (int i = 0; i < 7; i++)
        r[i] = c->p[i][k];
    const double mu = c->pair->mu[k] * c->friction[k], mu_r = c->pair->mu_r[k] * c->friction[k],
                 mu_p = c->pair->mu_p[k] * c->friction[k];
    const double n[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
    const double moment[3] = {plu_dot(r + 4, n)}, spin[3] = {plu_dot(y + 4, n)};
    plu_add_scaled(r + 4, -moment[0], n);
    plu_add_scaled(y + 4, -spin[0], n);
    const double normal = fmax(-y[0], r[0] > 0.0 ? fabs(y[0]) : 0.0);
    if (r[0] == 0.0)
        return fmax(normal, plu_norm(r + 1) + plu_norm(r + 4) + fabs(moment[0]));
    *moving += plu_norm(y + 1) > 1e-3 || plu_norm(y + 4) > 1e-3;
    const double pivoting = mu_p > 0.0 ? miss_of_disk(mu_p, r[0], moment, spin) : fabs(moment[0]);
    return fmax(fmax(normal, pivoting),
                fmax(miss_of_disk(mu, r[0], r + 1, y + 1), miss_of_disk(mu_r, r[0], r + 4, y + 4)));
}

static void obeys(const field *f, double tolerance)
{
    int moving = 0;
    double worst = 0.0;
    for (int c = 0; c < CONTACTS; c++)
        worst = fmax(worst, miss_of_slot(&f->problem, f->problem.slot_of_contact[c], &moving));
    assert_true(worst <= tolerance);
    assert_true(moving > CONTACTS / 4);
}

/* What judges steps, and problems, agrees; and disagrees when friction is a tenth too large. */
static void judged(field *f, double tolerance)
{
    static const double pull[3] = {0.0, 0.0, -0.1};
    plu_contact_problem *general;
    plu_error err;
    double *p, *y;
    for (int pass = 0; pass < 2; pass++) {
        double scaled = 0.0, natural = 0.0, velocity = 0.0;
        for (int i = 0; i < f->problem.islands_count; i++) {
            plu_island *island = &f->problem.islands[i];
            island->free_square = -1.0;
            const plu_residuals r = plu_problem_residual(&f->problem, island, true, false);
            scaled = fmax(scaled, r.scaled);
            natural = fmax(natural, r.natural);
            velocity =
                fmax(velocity, plu_problem_errors(&f->problem, island, pull, false).velocity);
        }
        assert_int_equal(plu_contact_problem_of_step(&general, &f->problem, NULL, &err), PLU_OK);
        p = general->guess;
        y = calloc((size_t)general->rows * CONTACTS, sizeof *y);
        const plu_residuals g = plu_contact_residuals(general, p, y);
        const double all[] = {scaled, natural, velocity, g.scaled, g.natural};
        for (int i = 0; i < 5; i++)
            assert_true(pass == 0 ? all[i] <= tolerance : all[i] > 1e-3);
        free(y);
        plu_contact_problem_destroy(general);
        for (int slot = 0; slot < f->problem.slots; slot++)
            for (int i = 1; i < 7; i++)
                plu_block_of(&f->problem, slot)->p[i][slot % PLU_LANES] *= 1.1;
        for (int i = 0; i < f->problem.islands_count; i++)
            plu_problem_apply(&f->problem, &f->problem.islands[i]);
    }
}

static void sweep_by(field *f, const char *local, int times)
{
    const plu_sweep_way way = {.judged = true};
    for (int i = 0; i < f->problem.islands_count; i++)
        for (int k = 0; k < times; k++)
            (void)plu_sweep_island(&f->problem, &f->problem.islands[i], &way,
                                   plu_local_method_find(local)->sphere);
}

static void sweeps(void **state)
{
    (void)state;
    for (int kind = 0; kind < 6; kind += SANITIZED ? 2 : 1) {
        field *f = open_field(kind % 3 == 0, kind % 3 == 2, kind >= 3);
        sweep_by(f, "exact", 100); /* unequal pairs that slip and roll take a step in each */
        obeys(f, 1e-9);
        judged(f, 1e-9);
        close_field(f);
    }
    for (int pivots = 0; pivots < 2; pivots++) {
        field *f = open_field(false, true, pivots);
        sweep_by(f, "projection", 1);
        obeys(f, 1e-9);
        close_field(f);
    }
}

static void sweeps_in_floats(void **state)
{
    (void)state;
    const plu_sweep_way way = {.judged = true};
    plu_single single = {0};
    plu_error err;
    field *f = open_field(true, false, true);
    plu_island *island = &f->problem.islands[0];
    assert_true(plu_single_suits(&f->problem, island));
    assert_int_equal(plu_single_begin(&single, &f->problem, island, &err), PLU_OK);
    for (int i = 0; i < 3; i++)
        (void)plu_sweep_single(&single, island, &way);
    plu_problem_apply_single(&f->problem, island, &single);
    obeys(f, 2e-4);
    plu_single_free(&single);
    close_field(f);
}

/* Contact c of a network. */
static double miss_of_contact(const plu_contact_problem *g, const double *p, const double *y, int c)
{
    const double *r = p + g->rows * c, *u = y + g->rows * c,
                 mu[3] = {g->mu[c], g->mu_r[c], g->mu_p[c]};
    double worst = fmax(-u[0], r[0] > 0.0 ? fabs(u[0]) : 0.0);
    for (int i = 1; i < g->rows; i += 2)
        worst = fmax(worst, miss_of_disk(mu[i / 2], r[0], (double[3]){r[i], r[i + 1]},
                                         (double[3]){u[i], u[i + 1]}));
    return worst;
}

/* Everything that solves problems, and every local solver of `gs`. */
static void solvers(void **state)
{
    (void)state;
    const char *names[] = {"gs",     "fixed-point",    "extragradient", "newton",      "newton-fb",
                           "convex", "newton-glocker", "ipm",           "prox-newton", "admm",
                           "apgd"};
    for (int rows = 3; rows <= 7; rows += 2) {
        const int contacts =
            rows == 7 ? 12 : 24; /* with more, some stall as they do with rolling */
        const network n = {rows, 12, contacts, 0.3, 0.05, 5};
        plu_contact_problem *g = network_make(&n);
        double p[24 * 7], y[24 * 7];
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const plu_portfolio_solver *solver = plu_portfolio_find(names[i]);
            const plu_portfolio_settings settings = {.tolerance = 1e-8};
            if (!solver || (solver->refuses && solver->refuses(g, &settings)) ||
                (solver->no_pivoting && rows == 7))
                continue;
            const solving s = solve_by(names[i], g, 1e-8, p);
            assert_true(s.converged);
            (void)plu_contact_residuals(g, p, y);
            double worst = 0.0;
            for (int c = 0; c < contacts; c++)
                if (p[rows * c] > 1e-3)
                    worst = fmax(worst, miss_of_contact(g, p, y, c));
            assert_true(worst <= 1e-3);
            free(s.points);
        }
        plu_contact_problem_destroy(g);
    }
}

/* A sphere that slides on a plane, at the defaults and by a fallback for all: it slows down by mu
 * g. With one law nothing is left open in any step. */
static void slides(void **state)
{
    (void)state;
    const char *how[] = {"", "solver: { fallback = \"none\"; };",
                         "solver: { name = \"newton\"; };"};
    for (int i = 0; i < 3; i++) {
        run *r = run_open(
            "time: { step = 1e-3; end = 1.0; };\n%s\n" RUN_MATERIALS("2500", "0.1", "0", "0")
                RUN_PLANE "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; "
                          "material = \"grain\"; velocity = [1, 0, 0]; } );\n",
            how[i]);
        for (int step = 0; step < 20; step++)
            run_step(r);
        assert_int_equal(plu_stepper_totals(r->stepper)->unconverged, 0);
        assert_near(run_velocity(r, 0)[0], 1.0 - PLU_LAW_TIMES * 0.1 * 9.81 * 0.02, 1e-9);
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps),
        cmocka_unit_test(sweeps_in_floats),
        cmocka_unit_test(solvers),
        cmocka_unit_test(slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
