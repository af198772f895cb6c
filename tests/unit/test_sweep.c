/* The sweep by lanes against the sweep one by one, and the general local solver in the sweep, on
 * random problems: equal spheres, spheres of all sizes, walls. The three must give the same
 * impulses and velocities, and the velocities must be v_free + M^-1 H p. */
#include "base/vec3.h"
#include "blocks/errors.h"
#include "blocks/problem_lanes.h"
#include "draw.h"
#include "near.h"
#include "sweep/island_sweep.h"
#include "sweep/sweep_lanes.h"
#include <stdlib.h>
#include <string.h>

enum { ROWS = 300, GIVEN = 4, CONTACTS = 700 };

typedef struct fixture {
    plu_layout *layout;
    plu_problem problem;
    plu_contact_pair pairs[CONTACTS];
    double v_free[ROWS + GIVEN][8], v[ROWS + GIVEN][8], radius[ROWS];
} fixture;

static void make_bodies(fixture *f, draw *d, double spread)
{
    for (int i = 0; i < ROWS; i++) {
        const double r = f->radius[i] = spread > 1.0 ? 0.01 * draw_log(d, 1.0, spread) : 0.01;
        const double m = 4188.79 * r * r * r;
        for (int k = 0; k < 3; k++) {
            f->v_free[i][k] = draw_uniform(d, -1.0, 1.0);
            f->v_free[i][3 + k] = draw_uniform(d, -1.0, 1.0) / r;
        }
        f->v_free[i][6] = 1.0 / m;
        f->v_free[i][7] = 1.0 / (0.4 * m * r * r);
    }
}

/* The first stands still, the others move and turn as they are told. */
static void make_given(fixture *f, draw *d)
{
    for (int i = ROWS + 1; i < ROWS + GIVEN; i++)
        for (int k = 0; k < 6; k++)
            f->v_free[i][k] = draw_uniform(d, -1.0, 1.0);
    memcpy(f->v[ROWS], f->v_free[ROWS], GIVEN * sizeof *f->v);
}

static void make_contact(fixture *f, draw *d, int contact)
{
    const int slot = f->problem.slot_of_contact[contact], k = slot % PLU_LANES;
    plu_block *c = plu_block_of(&f->problem, slot);
    const int a = f->pairs[contact].a, b = f->pairs[contact].b;
    const double ra = a < ROWS ? f->radius[a] : 0.0, rb = f->radius[b];
    const double ma = f->v_free[a][6], ia = f->v_free[a][7];
    const double mb = f->v_free[b][6], ib = f->v_free[b][7];
    double n[3];
    draw_direction(d, n);
    for (int i = 0; i < 3; i++)
        c->normal[i][k] = n[i];
    c->a[k] = a;
    c->b[k] = b;
    c->pair->arm_a[k] = ra;
    c->pair->arm_b[k] = rb;
    c->pair->wn[k] = ma + mb;
    c->pair->wt[k] = ma + mb + ra * ra * ia + rb * rb * ib;
    c->pair->wr[k] = ia + ib;
    c->pair->wc[k] = ra * ia - rb * ib;
    c->pair->inverse_wn[k] = 1.0 / c->pair->wn[k];
    c->pair->inverse_wt[k] = 1.0 / c->pair->wt[k];
    c->pair->inverse_wr[k] = 1.0 / c->pair->wr[k];
    c->pair->inverse_length[k] = 1.0 / (a < ROWS ? fmin(ra, rb) : rb);
    c->pair->mu[k] = draw_log(d, 0.01, 3.0) * (draw_uniform(d, 0.0, 1.0) > 0.1);
    c->pair->mu_r[k] = draw_log(d, 1e-2, 3.0) * rb * (draw_uniform(d, 0.0, 1.0) > 0.1);
    c->bias[k] = draw_uniform(d, -0.3, 0.0);
    c->friction[k] = draw_uniform(d, 0.0, 1.0) > 0.3 ? 1.0 : draw_uniform(d, 0.0, 1.0);
}

static fixture *open_fixture(double spread)
{
    plu_error err = {0};
    draw d = {(uint64_t)(1e6 * spread)};
    fixture *f = calloc(1, sizeof *f);
    make_bodies(f, &d, spread);
    make_given(f, &d);
    for (int c = 0; c < CONTACTS; c++) {
        const int b = (int)draw_uniform(&d, 0.0, ROWS), a = (int)draw_uniform(&d, 0.0, ROWS);
        const bool given = a == b || draw_uniform(&d, 0.0, 1.0) < 0.15;
        f->pairs[c] = (plu_contact_pair){given ? ROWS + a % GIVEN : a, b};
    }
    f->layout = plu_layout_create(&err);
    f->problem.v = f->v;
    f->problem.moving = ROWS;
    f->problem.given = GIVEN;
    f->problem.v_free = f->v_free;
    assert_int_equal(plu_layout_make(f->layout, &f->problem, CONTACTS, f->pairs, NULL, false, &err),
                     PLU_OK);
    plu_problem_clear(&f->problem);
    for (int c = 0; c < CONTACTS; c++)
        make_contact(f, &d, c);
    return f;
}

/* Whatever was done, given rows are as they were. */
static void close_fixture(fixture *f)
{
    assert_memory_equal(f->v[ROWS], f->v_free[ROWS], GIVEN * sizeof *f->v);
    plu_layout_destroy(f->layout);
    free(f);
}

typedef struct result {
    double p[CONTACTS][7], v[ROWS][8];
    plu_sweep_sums sweep;
} result;

static void copy_result(const fixture *f, plu_sweep_sums sweep, result *r)
{
    for (int c = 0; c < CONTACTS; c++) {
        const int slot = f->problem.slot_of_contact[c];
        for (int i = 0; i < 7; i++)
            r->p[c][i] = plu_block_of(&f->problem, slot)->p[i][slot % PLU_LANES];
    }
    memcpy(r->v, f->v, sizeof r->v);
    r->sweep = sweep;
}

typedef plu_sweep_sums sweeper(fixture *f, double beta);

static plu_sweep_sums one_by_one(fixture *f, double beta)
{
    f->problem.islands[0].padded = false; /* same slots, same order */
    const plu_sweep_way way = {.keep = true, .judged = true, .beta = beta};
    return plu_sweep_island(&f->problem, &f->problem.islands[0], &way, plu_local_exact);
}

static plu_sweep_sums by_projection(fixture *f, double beta)
{
    const plu_sweep_way way = {.keep = true, .judged = true, .beta = beta};
    return plu_sweep_island(&f->problem, &f->problem.islands[0], &way, plu_local_projection);
}

/* Another function than the one that sweeps know: they solve each contact by it, to the end. */
static void solved(const plu_local *contact, const double q[7], double p[7])
{
    plu_local_exact(contact, q, p);
}

static plu_sweep_sums by_exact(fixture *f, double beta)
{
    const plu_sweep_way way = {.keep = true, .judged = true, .beta = beta};
    return plu_sweep_island(&f->problem, &f->problem.islands[0], &way, solved);
}

static plu_sweep_sums by_way(fixture *f, const plu_sweep_way *way,
                             plu_sweep_blocks_function *blocks)
{
    plu_sweep_sums sum = {0};
    const plu_tile *tile = &f->problem.tiles[0];
    for (int c = tile->color_begin; c < tile->color_end; c++) {
        const int begin = f->problem.color_start[c], count = f->problem.color_count[c];
        const plu_sweep_sums part = blocks(&f->problem, begin, begin + (count + 7) / 8 * 8, way);
        sum.change += part.change;
        sum.size += part.size;
        sum.momentum += part.momentum;
    }
    return sum;
}

static plu_sweep_sums by_blocks(fixture *f, double beta, plu_sweep_blocks_function *blocks)
{
    const plu_sweep_way way = {.keep = true, .judged = true, .beta = beta};
    return by_way(f, &way, blocks);
}

static plu_sweep_sums by_plain_lanes(fixture *f, double beta)
{
    return by_blocks(f, beta, plu_sweep_blocks_plain);
}

#if defined(PLU_X86_64)
static plu_sweep_sums by_avx2_lanes(fixture *f, double beta)
{
    return by_blocks(f, beta, plu_sweep_blocks_avx2);
}

static plu_sweep_sums by_avx512_lanes(fixture *f, double beta)
{
    return by_blocks(f, beta, plu_sweep_blocks_avx512);
}
#endif

/* Four sweeps from zero with a constant momentum. */
static void run_sweeps(double spread, sweeper *sweep, result *r)
{
    fixture *f = open_fixture(spread);
    plu_island *island = &f->problem.islands[0];
    plu_problem_apply(&f->problem, island);
    plu_sweep_sums s = {0};
    for (int k = 0; k < 4; k++) {
        const double beta = k < 2 ? 0.0 : 0.4;
        plu_momentum(&f->problem, island, beta);
        s = sweep(f, beta);
    }
    copy_result(f, s, r);
    plu_problem_apply(&f->problem, island); /* v from p alone */
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 6; k++)
            assert_near(r->v[i][k], f->v[i][k], 1e-11 * (k < 3 ? 1.0 : 1.0 / f->radius[i]));
    close_fixture(f);
}

static void compare(double spread, sweeper *like, sweeper *sweep, double tolerance)
{
    static result want, got;
    run_sweeps(spread, like, &want);
    run_sweeps(spread, sweep, &got);
    for (int c = 0; c < CONTACTS; c++) {
        double size = 0.0;
        for (int i = 0; i < 4; i++)
            size = fmax(size, fabs(want.p[c][i]));
        for (int i = 0; i < 4; i++)
            assert_near(got.p[c][i], want.p[c][i], tolerance * (size + 1e-3));
    }
    assert_near(got.sweep.change / want.sweep.change, 1.0, 10.0 * tolerance);
    assert_near(got.sweep.size / want.sweep.size, 1.0, 10.0 * tolerance);
    assert_near((got.sweep.momentum - want.sweep.momentum) / want.sweep.size, 0.0, 1e3 * tolerance);
}

static void lanes_agree(void **state)
{
    (void)state;
    static const double spread[] = {1.0, 1.5, 5.0};
    for (int k = 0; k < 3; k++) {
        compare(spread[k], one_by_one, by_plain_lanes, 1e-9);
#if defined(PLU_X86_64)
        if (plu_cpu_has_avx2())
            compare(spread[k], one_by_one, by_avx2_lanes, 1e-9);
        if (plu_cpu_has_avx512())
            compare(spread[k], one_by_one, by_avx512_lanes, 1e-9);
#endif
    }
}

/* Contacts that slide and spin while they hardly touch: the disks of their impulses are points. */
static void next_to_nothing(void **state)
{
    (void)state;
    sweeper *const sweeps[] = {one_by_one, by_plain_lanes};
    for (int way = 0; way < 2; way++)
        for (int tens = -240; tens >= -324; tens -= 2) {
            fixture *f = open_fixture(1.5);
            for (int i = 0; i < ROWS; i++)
                for (int k = 0; k < 3; k++)
                    f->v[i][k] = f->v_free[i][k] = 0.0;
            for (int c = 0; c < CONTACTS; c++) {
                const int slot = f->problem.slot_of_contact[c];
                plu_block_of(&f->problem, slot)->bias[slot % PLU_LANES] = -pow(10.0, tens);
            }
            plu_problem_apply(&f->problem, &f->problem.islands[0]);
            for (int k = 0; k < 3; k++)
                sweeps[way](f, 0.0);
            for (int i = 0; i < ROWS; i++)
                for (int k = 0; k < 6; k++)
                    assert_true(isfinite(f->v[i][k]));
            close_fixture(f);
        }
}

/* Without sums the same impulses come out and are kept. */
static void sums_only_watch(void **state)
{
    (void)state;
    static plu_block_before kept[2][CONTACTS];
    static result got[2];
    for (int keep = 0; keep < 2; keep++) {
        for (int judged = 0; judged < 2; judged++) {
            fixture *f = open_fixture(1.5);
            const plu_sweep_way way = {.keep = keep, .judged = judged};
            plu_problem_apply(&f->problem, &f->problem.islands[0]);
            by_plain_lanes(f, 0.0);
            by_way(f, &way, plu_sweep_blocks_plain);
            copy_result(f, (plu_sweep_sums){0}, &got[judged]);
            memcpy(kept[judged], f->problem.before,
                   (size_t)f->problem.slots / PLU_LANES * sizeof *kept[0]);
            close_fixture(f);
        }
        assert_memory_equal(&got[0], &got[1], sizeof got[0]);
        assert_memory_equal(kept[0], kept[1], sizeof kept[0]);
    }
}

/* A second visit does what another sweep does, but for the impulses before. */
static void second_visit(void **state)
{
    (void)state;
    static plu_block_before kept[CONTACTS];
    static result want, got;
    for (int again = 0; again < 2; again++) {
        fixture *f = open_fixture(1.5);
        plu_problem *p = &f->problem;
        plu_problem_apply(p, &p->islands[0]);
        plu_sweep_sums sum = by_plain_lanes(f, 0.0);
        memcpy(kept, p->before, (size_t)p->slots / PLU_LANES * sizeof *kept);
        if (!again) {
            by_plain_lanes(f, 0.0);
            copy_result(f, sum, &want);
        } else {
            plu_coming coming = plu_coming_tile(p, 0, 1);
            for (int c = 0; c < p->tiles[0].color_end; c++)
                plu_sweep_again_plain(
                    p, p->color_start[c],
                    p->color_start[c] + plu_round_up_to(p->color_count[c], PLU_WIDE), &coming);
            assert_true(coming.slot >= coming.end);
            copy_result(f, sum, &got);
            assert_memory_equal(kept, p->before, (size_t)p->slots / PLU_LANES * sizeof *kept);
        }
        close_fixture(f);
    }
    assert_memory_equal(&want, &got, sizeof want);
}

static void local_solvers_agree(void **state)
{
    (void)state;
    compare(1.0, one_by_one, by_projection, 1e-8);
    compare(2.0, by_exact, by_projection, 1e-8);
}

/* Tangential impulses stay in the tangent plane however many sweeps there are: the coupling of
 * sliding and rolling once multiplied rounding errors along the normal. */
static void impulses_stay_tangential(void **state)
{
    (void)state;
    static sweeper *const sweeps[] = {one_by_one, by_plain_lanes};
    for (int which = 0; which < 2; which++) {
        fixture *f = open_fixture(1.5);
        plu_problem_apply(&f->problem, &f->problem.islands[0]);
        for (int k = 0; k < 500; k++) {
            plu_momentum(&f->problem, &f->problem.islands[0], 0.0);
            sweeps[which](f, 0.0);
        }
        for (int slot = 0; slot < f->problem.slots; slot++) {
            const plu_block *c = plu_block_of(&f->problem, slot);
            const int k = slot % PLU_LANES;
            double t = 0.0, m = 0.0;
            for (int i = 0; i < 3; i++) {
                t += c->normal[i][k] * c->p[1 + i][k];
                m += c->normal[i][k] * c->p[4 + i][k];
            }
            assert_near(t, 0.0, 1e-14);
            assert_near(m * c->pair->inverse_length[k], 0.0, 1e-14);
        }
        close_fixture(f);
    }
}

/* The residual by lanes and one by one, at a state that is not a solution. */
static void residuals_agree(void **state)
{
    (void)state;
    static const double spread[] = {1.0, 3.0};
    for (int k = 0; k < 2; k++) {
        fixture *f = open_fixture(spread[k]);
        plu_island *island = &f->problem.islands[0];
        plu_problem_apply(&f->problem, island);
        plu_momentum(&f->problem, island, 0.0);
        by_plain_lanes(f, 0.0);
        island->padded = true;
        island->free_square = -1.0;
        const plu_residuals lanes = plu_problem_residual(&f->problem, island, true, false);
        island->padded = false;
        island->free_square = -1.0;
        const plu_residuals scalar = plu_problem_residual(&f->problem, island, true, false);
        const plu_residuals again =
            plu_problem_residual(&f->problem, island, true, false); /* |q| known */
        assert_near(again.natural, scalar.natural, 0.0);
        assert_true(scalar.scaled > 1e-3 && scalar.natural > 1e-6);
        assert_near(lanes.scaled / scalar.scaled, 1.0, 1e-12);
        assert_near(lanes.natural / scalar.natural, 1.0, 1e-12);
        close_fixture(f);
    }
}

/* A large island, whose bodies and colors threads share, gets the velocities of a small one. */
static void large_islands_agree(void **state)
{
    (void)state;
    static double want[ROWS][8];
    fixture *f = open_fixture(3.0);
    plu_island *island = &f->problem.islands[0];
    plu_problem_apply(&f->problem, island);
    by_plain_lanes(f, 0.0);
    plu_problem_apply(&f->problem, island);
    memcpy(want, f->v, sizeof want);
    island->large = true;
    plu_problem_apply(&f->problem, island);
    assert_memory_equal(want, f->v, sizeof want);
    close_fixture(f);
}

static void near_by(double a, double b)
{
    assert_true(b > 0.0);
    assert_near(a / b, 1.0, 1e-12);
}

/* Errors as velocities by lanes and one by one, at a state that is not a solution; the scaled
 * residual among them is that of the residual. */
static void errors_agree(void **state)
{
    (void)state;
    static const double spread[] = {1.0, 3.0},
                        pull[3][3] = {{0.0}, {0.0, 0.006, -0.008}, {3.0, 0.0, 0.0}};
    for (int k = 0; k < 6; k++) {
        fixture *f = open_fixture(spread[k % 2]);
        plu_island *island = &f->problem.islands[0];
        plu_problem_apply(&f->problem, island);
        plu_momentum(&f->problem, island, 0.0);
        by_plain_lanes(f, 0.0);
        island->padded = true;
        const plu_errors lanes = plu_problem_errors(&f->problem, island, pull[k / 2], false);
        island->padded = false;
        const plu_errors scalar = plu_problem_errors(&f->problem, island, pull[k / 2], false);
        near_by(lanes.velocity, scalar.velocity);
        near_by(lanes.heavy, scalar.heavy);
        near_by(lanes.worst, scalar.worst);
        near_by(lanes.sinking, scalar.sinking);
        near_by(lanes.scaled, scalar.scaled);
        near_by(lanes.change, scalar.change);
        near_by(lanes.speed, scalar.speed);
        near_by(lanes.drift, scalar.drift);
        near_by(lanes.raw, scalar.raw);
        near_by(lanes.closing, scalar.closing);
        assert_true(lanes.bounce == scalar.bounce && scalar.bounce > 0.2);
        assert_true(scalar.worst > scalar.velocity && scalar.raw >= scalar.speed);
        near_by(scalar.scaled, plu_problem_residual(&f->problem, island, false, false).scaled);
        island->large = true; /* in chunks and parts, by all threads */
        const plu_errors parts = plu_problem_errors(&f->problem, island, pull[k / 2], false);
        const double of_parts[] = {parts.velocity, parts.worst,  parts.heavy,  parts.sinking,
                                   parts.scaled,   parts.change, parts.speed,  parts.drift,
                                   parts.raw,      parts.bounce, parts.closing};
        const double of_all[] = {scalar.velocity, scalar.worst,  scalar.heavy,  scalar.sinking,
                                 scalar.scaled,   scalar.change, scalar.speed,  scalar.drift,
                                 scalar.raw,      scalar.bounce, scalar.closing};
        for (int i = 0; i < 11; i++)
            near_by(of_parts[i], of_all[i]);
        close_fixture(f);
    }
}

/* All instruction sets give the same sums, to the last bit. */
static void errors_of_all_instruction_sets(void **state)
{
    (void)state;
    plu_error_blocks_function *const sets[] = {
        plu_error_blocks_plain,
#if defined(PLU_X86_64)
        plu_cpu_has_avx2() ? plu_error_blocks_avx2 : plu_error_blocks_plain,
        plu_cpu_has_avx512() ? plu_error_blocks_avx512 : plu_error_blocks_plain,
#endif
    };
    fixture *f = open_fixture(3.0);
    plu_problem_apply(&f->problem, &f->problem.islands[0]);
    (void)plu_problem_errors(&f->problem, &f->problem.islands[0], (double[]){0.0, 0.0, -0.01},
                             false);
    const plu_error_sums first = sets[0](&f->problem, 0, f->problem.slots, 1e-4, (plu_bound){0});
    assert_true(first.square > 0.0);
    for (size_t k = 1; k < sizeof sets / sizeof *sets; k++) {
        const plu_error_sums other =
            sets[k](&f->problem, 0, f->problem.slots, 1e-4, (plu_bound){0});
        assert_memory_equal(&first, &other, sizeof first);
    }
    close_fixture(f);
}

/* A processor with AVX2 runs the plain kernels in no build that has others: with sanitizers they
 * take 40 times as long, and tests ran into their limits of time. */
static void vectors_are_used(void **state)
{
    (void)state;
#if defined(PLU_X86_64)
    if (!plu_cpu_has_avx2())
        skip();
    assert_true(PLU_ISA_BEST(plu_error_blocks) != plu_error_blocks_plain);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_used),
        cmocka_unit_test(lanes_agree),
        cmocka_unit_test(next_to_nothing),
        cmocka_unit_test(sums_only_watch),
        cmocka_unit_test(second_visit),
        cmocka_unit_test(local_solvers_agree),
        cmocka_unit_test(impulses_stay_tangential),
        cmocka_unit_test(residuals_agree),
        cmocka_unit_test(large_islands_agree),
        cmocka_unit_test(errors_agree),
        cmocka_unit_test(errors_of_all_instruction_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
