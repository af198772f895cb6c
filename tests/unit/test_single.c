/* Sweeps in single precision against those in doubles, on a lattice of spheres on a floor that is
 * large enough to be cut into tiles: equal spheres, which share their terms, and two sizes. Also
 * without tiles, as islands of fewer contacts are swept. */
#include "blocks/errors.h"
#include "draw.h"
#include "draws.h"
#include "near.h"
#include "solve/solve.h"
#include "sweep/criterion.h"
#include "sweep/island_sweep.h"
#include "sweep/sweep_lanes.h"
#include "sweep/workspace.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 20, ROWS = SIDE * SIDE * SIDE, GIVEN = SIDE * SIDE + 1, CELL = 5 };

typedef struct bed {
    plu_layout *layout;
    plu_problem problem;
    plu_pair_constants shared[2]; /* of two spheres, of a sphere and the floor */
    double v_free[ROWS + GIVEN][8], v[ROWS + GIVEN][8], radius[ROWS];
    int contacts;
    plu_contact_pair *pairs;
} bed;

typedef struct kind {     /* of bed */
    double radius, ratio; /* of the radii */
    double flight;        /* common velocity (m/s) */
    bool floor;
    bool belt;  /* half of the floor moves */
    bool whole; /* not cut into tiles */
} kind;

static const kind equal = {.radius = 0.01, .ratio = 1.0, .floor = true},
                  two_sizes = {.radius = 0.01, .ratio = 0.5, .floor = true},
                  on_belt = {.radius = 0.01, .ratio = 0.5, .floor = true, .belt = true},
                  whole = {.radius = 0.01, .ratio = 1.0, .floor = true, .whole = true},
                  whole_on_belt = {
                      .radius = 0.01, .ratio = 0.5, .floor = true, .belt = true, .whole = true};

static void make_bodies(bed *b, const kind *of, draw *d, plu_body_cell *cell)
{
    for (int i = 0; i < ROWS; i++) {
        const int at[3] = {i % SIDE / CELL, i / SIDE % SIDE / CELL, i / (SIDE * SIDE) / CELL};
        const double r = b->radius[i] = of->radius * (i % 3 == 0 ? of->ratio : 1.0);
        const double m = 4.0 / 3.0 * 3.14159265358979 * 1300.0 * r * r * r;
        cell[i] = plu_cell_at(at);
        for (int k = 0; k < 3; k++) {
            b->v_free[i][k] = of->flight + draw_uniform(d, -1e-2, 1e-2) - (k == 2 ? 1e-2 : 0.0);
            b->v_free[i][3 + k] = draw_uniform(d, -1e-2, 1e-2) / r;
        }
        b->v_free[i][6] = 1.0 / m;
        b->v_free[i][7] = 1.0 / (0.4 * m * r * r);
    }
    for (int i = ROWS + 1; i < ROWS + GIVEN; i++)
        b->v_free[i][0] = b->v[i][0] = draw_uniform(d, 1e-3, 5e-3);
}

/* Neighbors along the axes, and the floor; on a belt a given row for each contact. */
static void make_ends(bed *b, const kind *of)
{
    static const int step[3] = {1, SIDE, SIDE * SIDE};
    b->pairs = malloc(4 * ROWS * sizeof *b->pairs);
    for (int i = 0; i < ROWS; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        for (int k = 0; k < 3; k++)
            if (at[k] + 1 < SIDE)
                b->pairs[b->contacts++] = (plu_contact_pair){i, i + step[k]};
        if (at[2] == 0 && of->floor)
            b->pairs[b->contacts++] =
                (plu_contact_pair){ROWS + (of->belt && i % 2 == 0 ? 1 + i : 0), i};
    }
}

static void set_constants(const bed *b, plu_pair_constants *t, int k, plu_contact_pair e)
{
    const double ra = e.a < ROWS ? b->radius[e.a] : 0.0, rb = b->radius[e.b];
    const double ma = b->v_free[e.a][6], mb = b->v_free[e.b][6];
    const double ia = b->v_free[e.a][7], ib = b->v_free[e.b][7];
    t->arm_a[k] = ra;
    t->arm_b[k] = rb;
    t->wn[k] = ma + mb;
    t->wt[k] = ma + mb + ra * ra * ia + rb * rb * ib;
    t->wr[k] = ia + ib;
    t->wc[k] = ra * ia - rb * ib;
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
    t->inverse_wr[k] = 1.0 / t->wr[k];
    t->inverse_length[k] = 1.0 / (e.a < ROWS ? fmin(ra, rb) : rb);
    t->mu[k] = 0.3;
    t->mu_r[k] = 0.05 * rb;
}

static void share_terms(bed *b)
{
    for (int k = 0; k < PLU_LANES; k++) {
        set_constants(b, &b->shared[0], k, (plu_contact_pair){0, 1});
        set_constants(b, &b->shared[1], k, (plu_contact_pair){ROWS, 0});
    }
    b->problem.shared_constants = b->shared;
    b->problem.shared = 2;
    for (int block = 0; block < b->problem.slots / PLU_LANES; block++) {
        const int32_t *a = b->problem.blocks[block].a;
        int floors = 0;
        for (int k = 0; k < PLU_LANES; k++)
            floors += a[k] < 0 && b->problem.blocks[block].b[k] >= 0;
        if (floors == 0)
            b->problem.blocks[block].pair = &b->shared[0];
    }
}

static void make_contact(bed *b, draw *d, int contact)
{
    const int slot = b->problem.slot_of_contact[contact], k = slot % PLU_LANES;
    const plu_contact_pair e = b->pairs[contact];
    plu_block *c = plu_block_of(&b->problem, slot);
    double n[3], square = 0.0;
    for (int i = 0; i < 3; i++)
        n[i] = draw_uniform(d, -0.1, 0.1);
    const int apart = e.a < ROWS ? e.b - e.a : SIDE * SIDE;
    n[apart == 1 ? 0 : apart == SIDE ? 1 : 2] += 1.0;
    for (int i = 0; i < 3; i++)
        square += n[i] * n[i];
    for (int i = 0; i < 3; i++)
        c->normal[i][k] = n[i] / sqrt(square);
    c->a[k] = e.a;
    c->b[k] = e.b;
    c->bias[k] = draw_uniform(d, -1e-3, 0.0);
    c->friction[k] = draw_uniform(d, 0.0, 1.0) > 0.3 ? 1.0 : draw_uniform(d, 0.0, 1.0);
    c->p[0][k] = draw_uniform(d, 0.0, 1e-2) / (b->v_free[e.b][6]); /* r_T and m_R are zero */
    set_constants(b, c->pair, k, e);
}

static bed *open_bed(const kind *of)
{
    plu_error err = {0};
    draw d = {1234};
    bed *b = calloc(1, sizeof *b);
    plu_body_cell *cell = malloc(ROWS * sizeof *cell);
    make_bodies(b, of, &d, cell);
    make_ends(b, of);
    b->layout = plu_layout_create(&err);
    b->problem.v = b->v;
    b->problem.moving = ROWS;
    b->problem.given = GIVEN;
    b->problem.unit_mass = exp2(-ilogb(b->v_free[0][6]));
    b->problem.unit_length = exp2(ilogb(sqrt(b->v_free[0][6] / b->v_free[0][7])));
    b->problem.v_free = b->v_free;
    assert_int_equal(plu_layout_make(b->layout, &b->problem, b->contacts, b->pairs,
                                     of->whole ? NULL : cell, true, &err),
                     PLU_OK);
    plu_problem_clear(&b->problem);
    for (int c = 0; c < b->contacts; c++)
        make_contact(b, &d, c);
    if (of->ratio == 1.0)
        share_terms(b);
    assert_int_equal(b->problem.islands_count, 1);
    assert_true(b->problem.islands[0].tiled == !of->whole);
    assert_true(plu_single_suits(&b->problem, &b->problem.islands[0]));
    b->problem.islands[0].free_square = -1.0;
    free(cell);
    return b;
}

/* Whatever was done, given rows are as they were. */
static void close_bed(bed *b)
{
    assert_memory_equal(b->v[ROWS], b->v_free[ROWS], GIVEN * sizeof *b->v);
    plu_layout_destroy(b->layout);
    free(b->pairs);
    free(b);
}

/* Largest difference of velocities, over the largest. */
static double apart(const bed *x, const bed *y, double scale)
{
    double difference = 0.0, largest = 0.0;
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 6; k++) {
            const double arm = k < 3 ? 1.0 : x->radius[i];
            difference = fmax(difference, arm * fabs(x->v[i][k] - scale * y->v[i][k]));
            largest = fmax(largest, arm * fabs(x->v[i][k]));
        }
    return difference / largest;
}

static plu_sweep_way way_of(int sweep)
{
    return (plu_sweep_way){
        .keep = true, .judged = true, .moves = sweep > 0, .beta = sweep < 2 ? 0.0 : 0.3};
}

/* The first sweeps, with momentum from the third on. */
static plu_sweep_sums sweep_doubles(bed *b, int sweeps)
{
    plu_island *island = &b->problem.islands[0];
    plu_sweep_sums sum = {0};
    plu_problem_apply(&b->problem, island);
    for (int i = 0; i < sweeps; i++) {
        const plu_sweep_way way = way_of(i);
        if (i > 0)
            plu_momentum(&b->problem, island, way.beta);
        sum = plu_sweep_island(&b->problem, island, &way, plu_local_exact);
    }
    plu_problem_apply(&b->problem, island);
    return sum;
}

static plu_sweep_sums sweep_floats(bed *b, int sweeps)
{
    plu_error err = {0};
    plu_single single = {0};
    plu_island *island = &b->problem.islands[0];
    plu_sweep_sums sum = {0};
    assert_int_equal(plu_single_begin(&single, &b->problem, island, &err), PLU_OK);
    for (int i = 0; i < sweeps; i++) {
        const plu_sweep_way way = way_of(i);
        sum = plu_sweep_single(&single, island, &way);
    }
    plu_problem_apply_single(&b->problem, island, &single);
    plu_single_free(&single);
    return sum;
}

static void sweeps_agree(void **state)
{
    (void)state;
    const kind *kinds[] = {&equal, &two_sizes, &whole, &whole_on_belt};
    for (int k = 0; k < 4; k++)
        for (int sweeps = SANITIZED ? 4 : 0; sweeps < 5; sweeps++) {
            bed *doubles = open_bed(kinds[k]), *floats = open_bed(kinds[k]);
            const plu_sweep_sums d = sweep_doubles(doubles, sweeps),
                                 f = sweep_floats(floats, sweeps);
            assert_true(apart(doubles, floats, 1.0) < 2e-5);
            if (sweeps > 0) {
                assert_near(f.change / d.change, 1.0, 1e-3);
                assert_near(f.size / d.size, 1.0, 1e-5);
                assert_true(f.rounding > 0.0 && f.rounding < 1e-8 * f.size);
            }
            if (sweeps > 2)
                assert_near(f.momentum / d.momentum, 1.0, 1e-2);
            close_bed(doubles);
            close_bed(floats);
        }
}

/* Errors as velocities seen by the floats, in SI units, and after their impulses came back. */
static void errors_agree(void **state)
{
    (void)state;
    static const double pull[3] = {0.0, 0.0, -1e-2};
    const kind *kinds[] = {&equal, &two_sizes, &whole, &whole_on_belt};
    for (int k = 0; k < 4; k++) {
        plu_error err = {0};
        plu_single single = {0};
        bed *b = open_bed(kinds[k]);
        plu_island *island = &b->problem.islands[0];
        const plu_sweep_way way = way_of(0);
        assert_int_equal(plu_single_begin(&single, &b->problem, island, &err), PLU_OK);
        (void)plu_sweep_single(&single, island, &way);
        const plu_errors f = plu_single_errors(&single, island, pull);
        plu_problem_apply_single(&b->problem, island, &single);
        const plu_errors d = plu_problem_errors(&b->problem, island, pull, false);
        assert_int_equal(f.contacts, d.contacts);
        const double floats[] = {f.velocity, f.worst, f.heavy, f.closing, f.sinking, f.change,
                                 f.speed,    f.drift, f.raw,   f.bounce,  f.pressed, f.scaled};
        const double doubles[] = {d.velocity, d.worst, d.heavy, d.closing, d.sinking, d.change,
                                  d.speed,    d.drift, d.raw,   d.bounce,  d.pressed, d.scaled};
        for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
            assert_true(doubles[i] > 0.0);
            assert_near(floats[i] / doubles[i], 1.0, 1e-4);
        }
        plu_single_free(&single);
        close_bed(b);
    }
}

/* All is scaled by powers of two, so that the bits do not depend on how large spheres are. */
static void any_size(void **state)
{
    (void)state;
    static const double shrinks[] = {0x1p-20, 0x1p-40, 0x1p10};
    bed *large = open_bed(&two_sizes);
    (void)sweep_floats(large, 3);
    for (size_t i = 0; i < sizeof shrinks / sizeof *shrinks; i++) {
        kind small = two_sizes;
        small.radius *= shrinks[i];
        bed *b = open_bed(&small);
        (void)sweep_floats(b, 3);
        double worst = 0.0;
        for (int row = 0; row < ROWS; row++)
            for (int k = 0; k < 3; k++)
                worst = fmax(worst, fabs(b->v[row][k] - large->v[row][k]));
        assert_near(worst, 0.0, 0.0);
        close_bed(b);
    }
    close_bed(large);
}

/* What slides or rolls does so to the last bit of a double: modes of contacts depend on it. */
static void limits_are_exact(void **state)
{
    (void)state;
    bed *b = open_bed(&two_sizes);
    (void)sweep_floats(b, 4);
    int slide = 0, roll = 0;
    for (int slot = 0; slot < b->problem.slots; slot++) {
        const plu_block *c = plu_block_of(&b->problem, slot);
        const int k = slot % PLU_LANES;
        const double t =
            sqrt(c->p[1][k] * c->p[1][k] + c->p[2][k] * c->p[2][k] + c->p[3][k] * c->p[3][k]);
        const double m =
            sqrt(c->p[4][k] * c->p[4][k] + c->p[5][k] * c->p[5][k] + c->p[6][k] * c->p[6][k]);
        const double t_most = c->pair->mu[k] * c->p[0][k], m_most = c->pair->mu_r[k] * c->p[0][k];
        assert_true(t <= t_most * (1.0 + 1e-15) && m <= m_most * (1.0 + 1e-15));
        assert_true(t <= t_most * (1.0 - 1e-7) || t >= t_most * (1.0 - 1e-15));
        assert_true(m <= m_most * (1.0 - 1e-7) || m >= m_most * (1.0 - 1e-15));
        slide += t_most > 0.0 && t >= t_most * (1.0 - 1e-15);
        roll += m_most > 0.0 && m >= m_most * (1.0 - 1e-15);
    }
    assert_true(slide > 1000 && roll > 1000);
    close_bed(b);
}

static plu_island_result solve_with(bed *b, const plu_solve_settings *settings)
{
    plu_error err = {0};
    plu_workspace *w = plu_workspace_create(&err);
    assert_int_equal(plu_solve_gs(&b->problem, settings, w, &err), PLU_OK);
    const plu_island_result result = w->results[0];
    plu_workspace_destroy(w);
    return result;
}

static plu_solve_settings settings_of(bool single, double tolerance)
{
    return (plu_solve_settings){.tolerance = tolerance,
                                .min_iterations = 5,
                                .max_iterations = 1000,
                                .momentum = true,
                                .anderson_after = 0,
                                .single = single,
                                .local = plu_local_method_find("exact")};
}

static plu_island_result solve(bed *b, bool single, double tolerance)
{
    const plu_solve_settings settings = settings_of(single, tolerance);
    return solve_with(b, &settings);
}

/* By errors as velocities, which floats glance at. */
static plu_solve_settings velocities_of(double tolerance)
{
    plu_solve_settings settings = settings_of(true, tolerance);
    settings.velocity = true;
    settings.step = 1e-3;
    settings.pull[2] = -1e-2;
    settings.max_iterations = 200;
    return settings;
}

static plu_island_result solve_velocities(bed *b, double tolerance)
{
    const plu_solve_settings settings = velocities_of(tolerance);
    return solve_with(b, &settings);
}

/* What is settled by half of what is allowed takes one call of the sweeps, and nothing else does.
 */
static void settled_beds_are_left_alone(void **state)
{
    (void)state;
    bed *b = open_bed(&two_sizes);
    assert_true(solve_velocities(b, 0.02).iterations > 5);
    const plu_island_result well = solve_velocities(b, 0.3), barely = solve_velocities(b, 0.16);
    assert_true(barely.converged && barely.missed > 0.5 && barely.iterations > 5);
    assert_true(well.converged && well.missed <= 0.5);
    assert_int_equal(well.iterations, PLU_TILE_SWEEPS);
    close_bed(b);
}

/* Errors that are at most half of what is allowed are taken from the floats; the impulses that come
 * back have them. */
static void sure_floats_are_right(void **state)
{
    (void)state;
    const double solved = 0.02, tolerance = 0.3;
    bed *b = open_bed(&two_sizes);
    const plu_solve_settings settings = velocities_of(tolerance);
    (void)solve_velocities(b, solved);
    const plu_island_result floats = solve_with(b, &settings);
    const plu_errors e =
        plu_problem_errors(&b->problem, &b->problem.islands[0], settings.pull, false);
    const double missed = plu_velocity_missed(&e, &settings);
    assert_true(floats.converged && missed <= 1.0);
    assert_true(floats.velocity != e.velocity); /* not those of the doubles */
    assert_near(floats.missed / missed, 1.0, 1e-2);
    assert_near(floats.velocity / e.velocity, 1.0, 1e-2);
    assert_near(floats.residuals.scaled / e.scaled, 1.0, 1e-2);
    assert_true(floats.missed <= 0.5);
    close_bed(b);
}

/* Where floats show nearly as much as is allowed, too, as long as rounding hides little: no check
 * in doubles is needed. Deeper beds: unit/deep. */
static void light_floats_need_no_check(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    bool near = false;
    for (double tolerance = 0.16; !near && tolerance > 0.1; tolerance *= 0.98) {
        bed *b = open_bed(&two_sizes);
        const plu_solve_settings settings = velocities_of(tolerance);
        (void)solve_velocities(b, 0.02);
        const plu_island_result r = solve_with(b, &settings);
        const plu_errors e =
            plu_problem_errors(&b->problem, &b->problem.islands[0], settings.pull, false);
        near = r.missed > 0.95;
        assert_true(r.converged);
        if (near) {
            assert_int_equal(r.checks, 0);
            assert_near(r.missed, plu_velocity_missed(&e, &settings), 1e-3);
            assert_near(r.velocity, e.velocity, 1e-3 * e.velocity);
        }
        close_bed(b);
    }
    assert_true(near);
}

/* Largest difference of velocities in floats and those that their impulses give. */
static double drift_of(bed *b, const plu_single *s)
{
    double most = 0.0;
    plu_problem_apply_single(&b->problem, &b->problem.islands[0], s);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(b->v[i][k] - (double)s->v[i][k]));
    return most;
}

static void renews_velocities(const kind *of)
{
    plu_error err = {0};
    plu_single s = {0};
    bed *b = open_bed(of);
    plu_island *island = &b->problem.islands[0];
    assert_int_equal(plu_single_begin(&s, &b->problem, island, &err), PLU_OK);
    for (int i = 0; i < 200; i++) {
        const plu_sweep_way way = {
            .keep = true, .judged = true, .moves = i > 0, .beta = i < 2 ? 0.0 : 0.9};
        (void)plu_sweep_single(&s, island, &way);
    }
    const double drift = drift_of(b, &s), step = (double)(s.v[0][2] - s.v_before[0][2]);
    plu_problem_apply_single(&b->problem, island, &s);
    plu_single_renew(&s, island);
    assert_true(drift_of(b, &s) < 0.2 * drift);
    assert_near((double)(s.v[0][2] - s.v_before[0][2]), step, 1e-7); /* momentum as before */
    plu_single_free(&s);
    close_bed(b);
}

static void velocities_are_renewed(void **state)
{
    (void)state;
    renews_velocities(&two_sizes);
    renews_velocities(&whole_on_belt);
}

/* Where sweeps go on for long, what they leave in floats is nearly as good as in doubles, which
 * miss this tolerance by 96 times; where momentum amplified rounding it was up to 341 times. */
static void rounding_does_not_add_up(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    bed *b = open_bed(&two_sizes);
    plu_solve_settings settings = velocities_of(1e-4);
    settings.max_iterations = 1000;
    assert_true(solve_with(b, &settings).missed < 200.0);
    close_bed(b);
}

static void solutions_agree(void **state)
{
    (void)state;
    const kind *kinds[] = {&on_belt, &whole_on_belt, &equal, &two_sizes, &whole};
    for (int k = 0; k < draws(5); k++) {
        bed *exact = open_bed(kinds[k]), *b = open_bed(kinds[k]), *doubles = open_bed(kinds[k]);
        assert_true(solve(exact, false, 2e-4).converged);
        const plu_island_result r = solve(b, true, 1e-3), d = solve(doubles, false, 1e-3);
        assert_true(r.converged && r.residuals.scaled <= 1e-3);
        assert_true(plu_problem_residual(&b->problem, &b->problem.islands[0], true, false).scaled <=
                    1e-3);
        assert_true(abs(r.iterations - d.iterations) <= 2);
        const double off = apart(exact, b, 1.0), off_doubles = apart(exact, doubles, 1.0);
        assert_true(off < 2.0 * off_doubles && off > 0.0);
        close_bed(exact);
        close_bed(b);
        close_bed(doubles);
    }
}

/* Bodies that fly together: their relative velocities drown in what floats leave of 1000 m/s. */
static void blurred_is_left_to_doubles(void **state)
{
    (void)state;
    kind flight = equal;
    flight.flight = 1e4;
    flight.floor = false;
    bed *b = open_bed(&flight);
    const plu_island_result r = solve(b, true, 1e-3);
    assert_true(r.converged && r.residuals.scaled <= 1e-3);
    close_bed(b);
    b = open_bed(&flight);
    assert_true(solve_velocities(b, 0.1).converged);
    close_bed(b);
}

/* Sweeps and rows of all tiles by one set of kernels. */
static void sweep_by(bed *b, plu_sweep_single_function *first,
                     plu_sweep_single_again_function *again, plu_single *s)
{
    plu_error err = {0};
    const plu_problem *p = &b->problem;
    const plu_sweep_way ways[] = {
        {.keep = true, .judged = true}, {.keep = true, .judged = true, .beta = 0.4}, {0}};
    assert_int_equal(plu_single_begin(s, p, &p->islands[0], &err), PLU_OK);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        for (int tile = 0; tile < p->group_start[p->islands[0].group_end]; tile++)
            for (int c = p->tiles[tile].color_begin; c < p->tiles[tile].color_end; c++) {
                plu_coming none = {0, 0};
                (void)first(s, p->color_start[c], plu_single_end_of(p, c), &ways[i]);
                again(s, p->color_start[c], plu_single_end_of(p, c), &none);
            }
}

static void instruction_sets_agree(void **state)
{
    (void)state;
    const kind *kinds[] = {&equal, &two_sizes};
    for (int k = 0; k < 2; k++) {
        bed *b = open_bed(kinds[k]);
        plu_single plain = {0}, wide = {0};
        sweep_by(b, plu_sweep_blocks_single_plain, plu_sweep_again_single_plain, &plain);
#if defined(PLU_X86_64)
        if (plu_cpu_has_avx2()) {
            sweep_by(b, plu_sweep_blocks_single_avx2, plu_sweep_again_single_avx2, &wide);
            assert_memory_equal(plain.v, wide.v, ROWS * sizeof *wide.v);
        }
        if (plu_cpu_has_avx512()) {
            sweep_by(b, plu_sweep_blocks_single_avx512, plu_sweep_again_single_avx512, &wide);
            assert_memory_equal(plain.v, wide.v, ROWS * sizeof *wide.v);
        }
#endif
        plu_single_free(&plain);
        plu_single_free(&wide);
        close_bed(b);
    }
}

/* Sweeps, errors and velocities computed anew; `alone`: as in an island of a single thread, with
 * another row of zeros. */
static plu_errors errors_after(bed *b, bool alone, plu_sweep_sums *sum)
{
    static const double pull[3] = {0.0, 0.0, -1e-2};
    plu_error err = {0};
    plu_single s = {0}, copy;
    plu_island *island = &b->problem.islands[0];
    island->large = !alone;
    if (alone) {
        assert_int_equal(plu_single_prepare(&s, &b->problem, 2, &err), PLU_OK);
        copy = s;
        plu_single_begin_alone(&copy, island, 1);
        assert_true(copy.tangential);
        copy.tangential = false; /* the one difference: given_back_tangential */
    } else {
        assert_int_equal(plu_single_begin(&s, &b->problem, island, &err), PLU_OK);
        copy = s;
    }
    for (int i = 0; i < 5; i++) {
        const plu_sweep_way way = way_of(i);
        *sum = plu_sweep_single(&copy, island, &way);
        if (i == 3) {
            plu_problem_apply_single(&b->problem, island, &copy);
            plu_single_renew(&copy, island);
        }
    }
    const plu_errors errors = plu_single_errors(&copy, island, pull);
    plu_problem_apply_single(&b->problem, island, &copy);
    plu_single_free(&s);
    return errors;
}

static void one_thread_does_the_same(void **state)
{
    (void)state;
    const kind *kinds[] = {&whole, &whole_on_belt};
    for (int k = 0; k < 2; k++) {
        plu_sweep_sums shared, own;
        bed *team = open_bed(kinds[k]), *alone = open_bed(kinds[k]);
        const plu_errors x = errors_after(team, false, &shared),
                         y = errors_after(alone, true, &own);
        assert_near(apart(team, alone, 1.0), 0.0, 0.0);
        assert_near(own.change / shared.change, 1.0, 1e-6);
        assert_near(own.momentum / shared.momentum, 1.0, 1e-6);
        assert_near(y.velocity / x.velocity, 1.0, 1e-6);
        assert_near(y.sinking / x.sinking, 1.0, 1e-6);
        close_bed(team);
        close_bed(alone);
    }
}

/* The largest part along the normal of r_T and m_R, over r_N. */
static double normal_part(const bed *b)
{
    double most = 0.0;
    for (int slot = 0; slot < b->problem.slots; slot++) {
        const plu_block *c = plu_block_of(&b->problem, slot);
        const int k = slot % PLU_LANES;
        double t = 0.0, m = 0.0;
        for (int i = 0; i < 3; i++) {
            t += c->normal[i][k] * c->p[1 + i][k];
            m += c->normal[i][k] * c->p[4 + i][k] * c->pair->inverse_length[k];
        }
        if (c->p[0][k] > 0.0)
            most = fmax(most, fmax(fabs(t), fabs(m)) / c->p[0][k]);
    }
    return most;
}

/* What rounding in floats adds along the normal does work that belongs to nobody. */
static void given_back_tangential(void **state)
{
    (void)state;
    double part[2];
    for (int k = 0; k < 2; k++) {
        plu_error err = {0};
        plu_single s = {0};
        bed *b = open_bed(&whole);
        plu_island *island = &b->problem.islands[0];
        island->large = false;
        assert_int_equal(plu_single_prepare(&s, &b->problem, 1, &err), PLU_OK);
        plu_single_begin_alone(&s, island, 0);
        s.tangential = k == 0;
        for (int i = 0; i < 5; i++) {
            const plu_sweep_way way = way_of(i);
            (void)plu_sweep_single(&s, island, &way);
        }
        plu_problem_apply_single(&b->problem, island, &s);
        part[k] = normal_part(b);
        plu_single_free(&s);
        close_bed(b);
    }
    assert_true(part[0] < 1e-15 && part[1] > 1e-9);
}

static void threads_agree_on(const kind *of)
{
    const int before = omp_get_max_threads();
    bed *one = open_bed(of), *three = open_bed(of);
    omp_set_num_threads(1);
    (void)solve(one, true, 1e-3);
    omp_set_num_threads(3);
    (void)solve(three, true, 1e-3);
    omp_set_num_threads(before);
    assert_near(apart(one, three, 1.0), 0.0, 0.0);
    close_bed(one);
    close_bed(three);
}

static void threads_agree(void **state)
{
    (void)state;
    threads_agree_on(&two_sizes);
    threads_agree_on(&whole_on_belt);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_agree),
        cmocka_unit_test(errors_agree),
        cmocka_unit_test(any_size),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(velocities_are_renewed),
        cmocka_unit_test(rounding_does_not_add_up),
        cmocka_unit_test(solutions_agree),
        cmocka_unit_test(settled_beds_are_left_alone),
        cmocka_unit_test(sure_floats_are_right),
        cmocka_unit_test(light_floats_need_no_check),
        cmocka_unit_test(blurred_is_left_to_doubles),
        cmocka_unit_test(one_thread_does_the_same),
        cmocka_unit_test(given_back_tangential),
        cmocka_unit_test(threads_agree),
        cmocka_unit_test(instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
