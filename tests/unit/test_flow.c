/* The flow of a problem: a lattice of spheres that is cut into tiles, and a pair beside it. Who
 * fills what and when, what is handed on and how often; and that a block which nobody filled is
 * found out (flow.c is compiled with PLU_POISON here). */
#include "blocks/errors.h"
#include "blocks/parts.h"
#include "near.h"
#include "sweep/island_sweep.h"
#include <math.h>
#include <stdlib.h>

enum { SIDE = 20, LATTICE = SIDE * SIDE * SIDE, ROWS = LATTICE + 2, CELL = 5 };

typedef struct bed {
    plu_layout *layout;
    plu_problem problem;
    double v_free[ROWS + 1][8], v[ROWS + 1][8];
    plu_contact_pair pairs[4 * LATTICE];
    int contacts;
    unsigned char *filled, *done; /* by slot: how often */
    double *handed_on;            /* by slot: r_N */
    int forgotten;                /* a block that is not filled; -1: none */
} bed;

static const double pull[3] = {0.0, 0.0, -1e-2};

static void fill_contact(bed *b, int slot)
{
    plu_block *c = plu_block_of(&b->problem, slot);
    const int k = slot % PLU_LANES;
    const plu_contact_pair e = b->problem.pair_of_slot[slot];
    const double ma = b->v_free[e.a][6], ia = b->v_free[e.a][7];
    const int apart = e.b - e.a;
    c->normal[e.a >= ROWS || apart > SIDE ? 2 : apart == SIDE ? 1 : 0][k] = 1.0;
    c->a[k] = e.a;
    c->b[k] = e.b;
    c->p[0][k] = 1e-3;
    c->pair->arm_a[k] = e.a < ROWS ? 1.0 : 0.0;
    c->pair->arm_b[k] = 1.0;
    c->pair->wn[k] = 1.0 + ma;
    c->pair->wt[k] = 3.5 + ma + ia;
    c->pair->wr[k] = 2.5 + ia;
    c->pair->wc[k] = ia - 2.5;
    c->pair->inverse_wn[k] = 1.0 / c->pair->wn[k];
    c->pair->inverse_wt[k] = 1.0 / c->pair->wt[k];
    c->pair->inverse_wr[k] = 1.0 / c->pair->wr[k];
    c->pair->mu[k] = 0.3;
    c->pair->mu_r[k] = 0.05;
}

static void fill(void *context, int begin, int end)
{
    bed *b = context;
    assert_true(begin % PLU_LANES == 0 && end % PLU_LANES == 0);
    for (int slot = begin; slot < end; slot++) {
        b->filled[slot]++;
        assert_int_equal(b->done[slot], 0); /* its warm start may be gone */
        if (slot / PLU_LANES == b->forgotten)
            continue;
        plu_block *c = plu_block_of(&b->problem, slot);
        c->pair = &b->problem.own_constants[slot / PLU_LANES];
        plu_block_clear(c, slot % PLU_LANES, plu_still_row(&b->problem));
        plu_constants_clear(c->pair, slot % PLU_LANES);
        c->crossing = NULL;
        if (b->problem.contact_of_slot[slot] >= 0)
            fill_contact(b, slot);
    }
}

static void done(void *context, int number)
{
    bed *b = context;
    assert_in_range(number, 0, b->problem.strips_count - 1);
    const plu_strip *strip = &b->problem.strips[number];
    for (int slot = strip->begin; slot < strip->end; slot++) {
        b->done[slot]++;
        b->handed_on[slot] = plu_block_of(&b->problem, slot)->p[0][slot % PLU_LANES];
    }
}

static void make_ends(bed *b)
{
    static const int step[3] = {1, SIDE, SIDE * SIDE};
    for (int i = 0; i < LATTICE; i++) {
        const int at[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        for (int k = 0; k < 3; k++)
            if (at[k] + 1 < SIDE)
                b->pairs[b->contacts++] = (plu_contact_pair){i, i + step[k]};
        if (at[2] == 0)
            b->pairs[b->contacts++] = (plu_contact_pair){ROWS, i};
    }
    b->pairs[b->contacts++] = (plu_contact_pair){LATTICE, LATTICE + 1};
}

static bed *open_bed(void)
{
    plu_error err = {0};
    bed *b = calloc(1, sizeof *b);
    plu_body_cell *cell = malloc(ROWS * sizeof *cell);
    for (int i = 0; i < ROWS; i++) {
        cell[i] = plu_cell_at(
            (int[3]){i % SIDE / CELL, i / SIDE % SIDE / CELL, i / (SIDE * SIDE) / CELL});
        b->v_free[i][2] = b->v[i][2] = pull[2];
        b->v_free[i][6] = b->v[i][6] = 1.0;
        b->v_free[i][7] = b->v[i][7] = 2.5;
    }
    make_ends(b);
    b->layout = plu_layout_create(&err);
    b->problem.v = b->v;
    b->problem.v_free = b->v_free;
    b->problem.moving = ROWS;
    b->problem.given = 1;
    b->problem.unit_mass = b->problem.unit_length = 1.0;
    assert_int_equal(
        plu_layout_make(b->layout, &b->problem, b->contacts, b->pairs, cell, true, &err), PLU_OK);
    free(cell);
    assert_int_equal(b->problem.islands_count, 2);
    assert_true(b->problem.islands[0].tiled && !b->problem.islands[1].tiled);
    b->problem.flow.fill = (plu_flow_call){fill, b};
    b->problem.flow.done = (plu_flow_end_call){done, b};
    b->filled = calloc((size_t)b->problem.slots, 1);
    b->done = calloc((size_t)b->problem.slots, 1);
    b->handed_on = calloc((size_t)b->problem.slots, sizeof *b->handed_on);
    b->forgotten = -1;
    return b;
}

static void close_bed(bed *b)
{
    plu_layout_destroy(b->layout);
    free(b->filled);
    free(b->done);
    free(b->handed_on);
    free(b);
}

/* Slots of the tiled island were counted so often, all others so often. */
static void check_counts(const bed *b, const unsigned char *count, int cut, int others)
{
    const plu_island *island = &b->problem.islands[0];
    for (int slot = 0; slot < b->problem.slots; slot++) {
        const bool inside = slot >= island->slot_begin && slot < plu_padded_end(island);
        assert_int_equal(count[slot], inside ? cut : others);
    }
}

static void check_handed_on(const bed *b)
{
    for (int slot = 0; slot < b->problem.slots; slot++)
        assert_true(b->handed_on[slot] == plu_block_of(&b->problem, slot)->p[0][slot % PLU_LANES]);
}

/* One sweep, so that impulses change. */
static void sweep(bed *b)
{
    for (int k = 0; k < 2; k++) {
        const plu_sweep_way way = {.judged = true};
        (void)plu_sweep_island(&b->problem, &b->problem.islands[k], &way, plu_local_exact);
    }
}

static void apply(bed *b)
{
    for (int k = 0; k < 2; k++)
        plu_problem_apply(&b->problem, &b->problem.islands[k]);
}

/* As a whole or tile by tile, a tiled island is filled when it is taken, and once. */
static void cut_islands_are_filled_late(void **state)
{
    (void)state;
    for (int by_tiles = 0; by_tiles < 2; by_tiles++) {
        bed *b = open_bed();
        const plu_problem *p = &b->problem;
        plu_island *island = &b->problem.islands[0];
        plu_flow_begin(&b->problem, true);
        check_counts(b, b->filled, 0, 1);
        assert_true(island[0].stage == PLU_STAGE_EMPTY && island[1].stage == PLU_STAGE_FILLED);
        for (int again = 0; again < 2; again++) {
            const int end = p->group_start[island->group_end];
            for (int t = p->group_start[island->group_begin]; by_tiles && t < end; t++)
                plu_flow_fill_tile(p, island, t);
            if (by_tiles)
                plu_flow_filled(island);
            else
                plu_flow_fill_all(&b->problem);
            check_counts(b, b->filled, 1, 1);
            assert_int_equal(island->stage, PLU_STAGE_FILLED);
        }
        close_bed(b);
    }
}

/* A judge hands on what may stay; what changes after that is handed on again, and nothing twice
 * without need. */
static void impulses_are_handed_on(void **state)
{
    (void)state;
    bed *b = open_bed();
    plu_problem *p = &b->problem;
    plu_island *island = &p->islands[0];
    plu_flow_begin(p, true);
    plu_flow_fill_all(p);
    apply(b);
    sweep(b);
    (void)plu_problem_errors(p, island, pull, false);
    check_counts(b, b->done, 0, 0);
    (void)plu_problem_errors(p, island, pull, true);
    check_counts(b, b->done, 1, 0);
    sweep(b);
    assert_int_equal(island->stage, PLU_STAGE_IN_WORK);
    (void)plu_problem_residual(p, island, false, true);
    check_counts(b, b->done, 2, 0);
    plu_flow_end(p);
    check_counts(b, b->done, 2, 1);
    check_handed_on(b);
    close_bed(b);

    b = open_bed();
    p = &b->problem;
    plu_flow_begin(p, true);
    plu_flow_fill_all(p);
    apply(b);
    (void)plu_problem_errors(p, &p->islands[0], pull, true);
    sweep(b); /* and no judge after it */
    plu_flow_end(p);
    check_counts(b, b->done, 2, 1);
    check_handed_on(b);
    close_bed(b);
}

/* Where the step may be solved again all is there at once, and nothing leaves before its end. */
static void nothing_early_where_solved_again(void **state)
{
    (void)state;
    bed *b = open_bed();
    plu_problem *p = &b->problem;
    plu_flow_begin(p, false);
    check_counts(b, b->filled, 1, 1);
    b->v[7][0] = 5.0; /* rows of v may hold anything */
    apply(b);
    assert_true(fabs(b->v[7][0]) < 1.0);
    (void)plu_problem_errors(p, &p->islands[0], pull, true);
    (void)plu_problem_residual(p, &p->islands[0], true, true);
    check_counts(b, b->done, 0, 0);
    plu_flow_end(p);
    check_counts(b, b->done, 1, 1);
    check_counts(b, b->filled, 1, 1);
    close_bed(b);
}

/* What is computed from the blocks of the tiled island. */
static double computed(bed *b, bool in_floats)
{
    plu_error err = {0};
    plu_problem *p = &b->problem;
    plu_island *island = &p->islands[0];
    plu_single single = {0};
    double sum = 0.0;
    if (in_floats) {
        assert_int_equal(plu_single_begin(&single, p, island, &err), PLU_OK);
        sum = plu_single_errors(&single, island, pull).velocity;
        plu_single_free(&single);
        return sum;
    }
    plu_problem_apply(p, island);
    for (int i = 0; i < ROWS; i++)
        sum += b->v[i][0] + b->v[i][2];
    const double scaled = plu_problem_residual(p, island, false, false).scaled;
    const double velocity = plu_problem_errors(p, island, pull, false).velocity;
    assert_int_equal(isnan(scaled), isnan(sum));
    assert_int_equal(isnan(velocity), isnan(sum));
    return sum;
}

/* Planted: nobody fills the island before it is swept in doubles, or one block is left out as it is
 * taken over in floats, after a step in which all blocks held numbers. */
static void who_forgets_to_fill_is_found(void **state)
{
    (void)state;
    for (int in_floats = 0; in_floats < 2; in_floats++)
        for (int forgets = 0; forgets < 2; forgets++) {
            bed *b = open_bed();
            plu_problem_clear(&b->problem); /* numbers of a step before */
            plu_flow_begin(&b->problem, true);
            if (forgets && in_floats)
                b->forgotten = b->problem.islands[0].slot_begin / PLU_LANES + 100;
            else if (!forgets && !in_floats)
                plu_flow_fill(&b->problem, &b->problem.islands[0]);
            assert_int_equal(isnan(computed(b, in_floats)), forgets);
            close_bed(b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut_islands_are_filled_late),
        cmocka_unit_test(impulses_are_handed_on),
        cmocka_unit_test(nothing_early_where_solved_again),
        cmocka_unit_test(who_forgets_to_fill_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
