/* Sums and sweeps of a tiled island do not depend on how bodies and contacts are numbered,
 * as long as those of a cell and of a tile keep their order: to the last bit. */
#include "base/vec3.h"
#include "blocks/errors.h"
#include "blocks/parts.h"
#include "draw.h"
#include "near.h"
#include "sweep/island_sweep.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 20, CELL = 5, ROWS = SIDE * SIDE * SIDE, MOST = 4 * ROWS, OTHERS = 30 };

/* A contact as it is, whatever its number. */
typedef struct pair {
    int a, b; /* places in the bed; a = ROWS: the floor */
    double normal[3], bias, friction, p;
    int rank;   /* of its tile */
    int number; /* in the order in which they are made */
} pair;

/* Neighbors in a cube of spheres, numbered in some order. */
typedef struct bed {
    plu_layout *layout;
    plu_problem problem;
    int row[ROWS + 1]; /* of the problem, by place */
    int contacts;
    plu_island *island;
    double v_free[ROWS + OTHERS + 1][8], v[ROWS + OTHERS + 1][8];
    plu_body_cell cell[ROWS + OTHERS];
    plu_contact_pair pairs[MOST + OTHERS];
    pair touching[MOST];
} bed;

/* What a numbering is made from. */
typedef struct numbering {
    int seed;   /* of the order of cells and tiles; 0: as they lie */
    int others; /* bodies of other islands, which come before */
} numbering;

static void coordinates(int place, int at[3])
{
    at[0] = place % SIDE;
    at[1] = place / SIDE % SIDE;
    at[2] = place / (SIDE * SIDE);
}

/* Of the cell of a place, or of the tile of two: a draw that depends on it alone. */
static int rank_of(const numbering *n, int a, int b)
{
    int x[3], y[3], key = 0;
    coordinates(a, x);
    coordinates(b, y);
    for (int k = 0; k < 3; k++)
        key = key * 8 + (x[k] < y[k] ? x[k] : y[k]) / CELL;
    draw d = {(uint64_t)(1000 * n->seed + key)};
    return n->seed ? (int)draw_uniform(&d, 0.0, 1e6) : 0;
}

static int by_rank(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    return x->rank != y->rank ? x->rank - y->rank : x->number - y->number;
}

/* The same contacts for every numbering. */
static void make_pairs(bed *b, const numbering *n)
{
    static const int step[3] = {1, SIDE, SIDE * SIDE};
    draw d = {5};
    for (int i = 0; i < ROWS; i++) {
        int at[3];
        coordinates(i, at);
        for (int k = 0; k < 3; k++) {
            pair p = {.a = at[k] > 0 ? i - step[k] : ROWS, .b = i, .number = 3 * i + k};
            for (int j = 0; j < 3; j++)
                p.normal[j] = draw_uniform(&d, -0.1, 0.1) + (j == k);
            const double length = plu_norm(p.normal);
            for (int j = 0; j < 3; j++)
                p.normal[j] /= length;
            p.bias = draw_uniform(&d, -1e-3, 0.0);
            p.friction = draw_uniform(&d, 0.5, 1.0);
            p.p = draw_uniform(&d, 0.0, 1e-4);
            p.rank = rank_of(n, p.a < ROWS ? p.a : i, i);
            if (at[k] > 0 || k == 2)
                b->touching[b->contacts++] = p;
        }
    }
    qsort(b->touching, (size_t)b->contacts, sizeof *b->touching, by_rank);
}

static void make_rows(bed *b, const numbering *n)
{
    static pair order[ROWS];
    draw d = {6};
    for (int i = 0; i < ROWS; i++)
        order[i] = (pair){.b = i, .rank = rank_of(n, i, i), .number = i};
    qsort(order, ROWS, sizeof *order, by_rank);
    for (int i = 0; i < ROWS; i++)
        b->row[order[i].b] = n->others + i;
    b->row[ROWS] = n->others + ROWS;
    for (int i = 0; i < ROWS; i++) {
        int at[3];
        coordinates(i, at);
        double *row = b->v_free[b->row[i]];
        const double r = draw_uniform(&d, 0.008, 0.01), m = 4e3 * r * r * r;
        for (int k = 0; k < 3; k++) {
            row[k] = draw_uniform(&d, -1e-2, 1e-2) - (k == 2 ? 1e-2 : 0.0);
            row[3 + k] = draw_uniform(&d, -1.0, 1.0);
            at[k] /= CELL;
        }
        row[6] = 1.0 / m;
        row[7] = 1.0 / (0.4 * m * r * r);
        b->cell[b->row[i]] = plu_cell_at(at);
    }
    for (int i = 0; i < n->others; i++) {
        b->v_free[i][6] = 1e3;
        b->v_free[i][7] = 1e8;
    }
}

static void set_constants(plu_pair_constants *t, int k, const double *a, const double *b)
{
    const double ra = a[7] > 0.0 ? sqrt(2.5 * a[6] / a[7]) : 0.0, rb = sqrt(2.5 * b[6] / b[7]);
    t->arm_a[k] = ra;
    t->arm_b[k] = rb;
    t->wn[k] = a[6] + b[6];
    t->wt[k] = t->wn[k] + ra * ra * a[7] + rb * rb * b[7];
    t->wr[k] = a[7] + b[7];
    t->wc[k] = ra * a[7] - rb * b[7];
    t->inverse_wn[k] = 1.0 / t->wn[k];
    t->inverse_wt[k] = 1.0 / t->wt[k];
    t->inverse_wr[k] = 1.0 / t->wr[k];
    t->inverse_length[k] = 1.0 / rb;
    t->mu[k] = 0.3;
    t->mu_r[k] = 0.05 * rb;
}

static void make_contact(bed *b, const pair *p, int contact)
{
    const int slot = b->problem.slot_of_contact[contact], k = slot % PLU_LANES;
    plu_block *c = plu_block_of(&b->problem, slot);
    for (int i = 0; i < 3; i++)
        c->normal[i][k] = p->normal[i];
    c->a[k] = b->row[p->a];
    c->b[k] = b->row[p->b];
    c->bias[k] = p->bias;
    c->friction[k] = p->friction;
    c->p[0][k] = p->p;
    set_constants(c->pair, k, b->v_free[c->a[k]], b->v_free[c->b[k]]);
}

static bed *open_bed(const numbering *n)
{
    plu_error err = {0};
    bed *b = calloc(1, sizeof *b);
    make_pairs(b, n);
    make_rows(b, n);
    for (int i = 0; i < n->others; i++)
        b->pairs[i] = (plu_contact_pair){i % 2 ? i - 1 : b->row[ROWS], i};
    for (int i = 0; i < b->contacts; i++)
        b->pairs[n->others + i] =
            (plu_contact_pair){b->row[b->touching[i].a], b->row[b->touching[i].b]};
    b->layout = plu_layout_create(&err);
    b->problem = (plu_problem){.moving = n->others + ROWS,
                               .given = 1,
                               .v = b->v,
                               .v_free = b->v_free,
                               .unit_mass = 0x1p-9,
                               .unit_length = 0x1p-8};
    assert_int_equal(plu_layout_make(b->layout, &b->problem, n->others + b->contacts, b->pairs,
                                     b->cell, true, &err),
                     PLU_OK);
    plu_problem_clear(&b->problem);
    for (int i = 0; i < b->contacts; i++)
        make_contact(b, &b->touching[i], n->others + i);
    for (int k = 0; k < b->problem.islands_count; k++)
        b->island = b->problem.islands[k].tiled ? &b->problem.islands[k] : b->island;
    assert_int_equal(b->island->contacts, b->contacts);
    assert_true(b->problem.islands_count == 1 + n->others / 2);
    b->island->free_square = -1.0;
    return b;
}

static void close_bed(bed *b)
{
    plu_layout_destroy(b->layout);
    free(b);
}

/* Numbers of plu_errors but for the first, which is followed by a gap. */
enum { ERRORS = (sizeof(plu_errors) - offsetof(plu_errors, velocity)) / sizeof(double) };

/* All numbers that are compared. */
typedef struct findings {
    double v[ROWS][6];
    plu_sweep_sums sweeps[4], single[4];
    plu_residuals residuals;
    double errors[ERRORS], single_errors[ERRORS];
    double mass, single_mass;
} findings;

static void judge(bed *b, findings *f)
{
    static const double pull[3] = {0.0, 0.0, -1e-2};
    plu_problem *p = &b->problem;
    f->residuals = plu_problem_residual(p, b->island, true, false);
    const plu_errors errors = plu_problem_errors(p, b->island, pull, false);
    memcpy(f->errors, &errors.velocity, sizeof f->errors);
    f->mass = plu_problem_mass(p, b->island);
    plu_single single = {0};
    plu_error err;
    assert_true(plu_single_suits(p, b->island));
    assert_int_equal(plu_single_begin(&single, p, b->island, &err), PLU_OK);
    f->single_mass = single.island_mass;
    for (int i = 0; i < 4; i++) {
        const plu_sweep_way way = {
            .keep = true, .judged = true, .moves = i > 0, .beta = i < 2 ? 0.0 : 0.3};
        f->single[i] = plu_sweep_single(&single, b->island, &way);
    }
    const plu_errors single_errors = plu_single_errors(&single, b->island, pull);
    memcpy(f->single_errors, &single_errors.velocity, sizeof f->single_errors);
    plu_single_free(&single);
}

static findings *find(const numbering *n)
{
    findings *f = calloc(1, sizeof *f);
    bed *b = open_bed(n);
    plu_problem_apply(&b->problem, b->island);
    for (int i = 0; i < 4; i++) {
        const plu_sweep_way way = {.keep = true, .judged = true, .beta = i < 2 ? 0.0 : 0.3};
        if (i > 0)
            plu_momentum(&b->problem, b->island, way.beta);
        f->sweeps[i] = plu_sweep_island(&b->problem, b->island, &way, plu_local_exact);
    }
    plu_problem_apply(&b->problem, b->island);
    judge(b, f);
    for (int i = 0; i < ROWS; i++)
        memcpy(f->v[i], b->v[b->row[i]], sizeof f->v[i]);
    close_bed(b);
    return f;
}

static void any_numbers(void **state)
{
    (void)state;
    static const numbering as_it_lies = {0, 0};
    findings *want = find(&as_it_lies);
    assert_true(want->residuals.scaled > 1e-6 && want->errors[0] > 1e-6);
    assert_true(want->sweeps[3].momentum != 0.0 && want->single[3].momentum != 0.0);
    const int threads = omp_get_max_threads();
    for (int seed = 0; seed < 4; seed++) {
        omp_set_num_threads(1 + seed % 3);
        findings *got = find(&(numbering){seed, seed % 2 ? 0 : OTHERS});
        assert_memory_equal(got, want, sizeof *got);
        free(got);
    }
    omp_set_num_threads(threads);
    free(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
