/* The local solvers of general 3 x 3 and 5 x 5 contacts: the printed example of Bonnefon & Daviet
 * (2011), the law itself on random blocks, closed forms, and the methods against each other. */
#include "base/vec3.h"
#include "cone/quartic.h"
#include "contacts.h"
#include "local/contact.h"
#include "local/local.h"
#include "near.h"
#include "problem/contact_problem.h"
#include "solve/solve.h"
#include <stdbool.h>
#include <string.h>

/* Section 5 of BD11. */
static const double example_w[9] = {0.01344,   -9.421e-07, 0.001486,  -9.421e-07, 0.1061,
                                    0.0001733, 0.001486,   0.0001733, 0.001442};
static const double example_q[3] = {-0.1458, -0.2484, -0.1515}, example_mu = 0.6;

static void printed_polynomials(void **state)
{
    (void)state;
    const double angle[5] = {1.349783e-1, 8.851747e-1, -6.600166e-2, -1.879711, -1.349578e-1};
    const double alpha[5] = {3.70595e-5, 7.43684e-4, -7.13689e-2, -1.62238, -7.65275};
    const double unit[2][5] = {{1e-7, 1e-7, 1e-8, 1e-6, 1e-7}, {1e-10, 1e-9, 1e-7, 1e-5, 1e-5}};
    double a[5];
    plu_quartic_of_angle(example_w, example_q, example_mu, a);
    for (int i = 0; i < 5; i++)
        assert_near(a[i], angle[i], 0.5001 * unit[0][i]);
    /* The printed P(alpha) is 1000 m_00^2 times (27). */
    plu_quartic_of_alpha(example_w, example_q, example_mu, a);
    const double factor = 1000.0 * example_w[0] * example_w[0];
    for (int i = 0; i < 5; i++)
        assert_near(factor * a[i], alpha[i], 0.5001 * unit[1][i]);
}

static void printed_solution(void **state)
{
    (void)state;
    const char *names[] = {"exact",        "projection",         "extragradient",
                           "newton",       "fischer-burmeister", "quartic-angle",
                           "quartic-alpha"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const plu_local_method *method = plu_local_method_find(names[i]);
        double p[3] = {0}, kept = 0.0;
        assert_non_null(method);
        assert_true(method->solve(3, example_w, example_q, (double[]){example_mu}, p, &kept));
        assert_near(p[0], 10.2059, 0.5e-4);
        assert_near(p[1], 1.93189, 0.5e-5);
        assert_near(p[2], 5.8108, 0.5e-4);
    }
    assert_null(plu_local_method_find("guess"));
    double found[PLU_SLIDING_CANDIDATES][3];
    assert_int_equal(plu_sliding_by_angle(example_w, example_q, example_mu, found), 1);
    assert_int_equal(plu_sliding_by_alpha(example_w, example_q, example_mu, found), 1);
}

/* Signorini, Coulomb and rolling law one by one, not through any solver's function. */
static void obeys_the_law(const plu_local_contact *c, const double *p, double tolerance)
{
    double y[PLU_ROWS_MAX], size[PLU_ROWS_MAX];
    plu_contact_velocity(c, p, y);
    for (int i = 0; i < c->rows; i++) {
        size[i] = fabs(c->q[i]);
        for (int j = 0; j < c->rows; j++)
            size[i] += fabs(c->w[i * c->rows + j] * p[j]);
    }
    assert_true(p[0] >= 0.0);
    assert_true(y[0] >= -tolerance * size[0]);
    if (p[0] > 0.0)
        assert_near(y[0], 0.0, tolerance * size[0]);
    for (int i = 1; i < c->rows; i += 2) {
        const double r = plu_plane_length(p + i), u = plu_plane_length(y + i);
        const double limit = c->mu[i / 2] * p[0], scale = size[i] + size[i + 1];
        assert_true(r <= limit * (1.0 + tolerance));
        /* r . u = -mu r_N |u|: opposed and at the limit, or at rest */
        assert_near(plu_plane_dot(p + i, y + i) + limit * u, 0.0, tolerance * limit * scale);
    }
}

static plu_local_contact contact_of(const random_contact *c, int rows, double w[9], double q[3])
{
    contacts_coulomb(c, w, q);
    return (plu_local_contact){rows, rows == 5 ? c->w : w, rows == 5 ? c->q : q, {c->mu, c->mu_r}};
}

static plu_contact_problem single_of(plu_local_contact *c, plu_block_rows *blocks)
{
    blocks->block = (double *)c->w;
    return (plu_contact_problem){
        .rows = 3, .contacts = 1, .q = (double *)c->q, .mu = c->mu, .w = *blocks};
}

/* Each obeys the law, no two are alike, and the one that `exact` finds is there. */
static void all_solutions(void **state)
{
    (void)state;
    const int families[] = {0, 1, 2};
    draw d = {500};
    int several = 0, solved = 0;
    for (int k = 0; k < 6000; k++) {
        const random_contact r = contacts_draw(&d, families[k % 3]);
        double w[9], q[3], p[3] = {0}, kept = 0.0;
        plu_local_contact c = contact_of(&r, 3, w, q);
        plu_block_rows blocks = {0};
        const plu_contact_problem problem = single_of(&c, &blocks);
        plu_single_solution s[PLU_SINGLE_SOLUTIONS];
        int count, there = 0;
        assert_int_equal(plu_contact_problem_all_solutions(&problem, s, &count, NULL), PLU_OK);
        if (k % 2 && plu_contact_exact(3, w, q, (double[]){r.mu}, p, &kept)) {
            for (int i = 0; i < count; i++)
                there += plu_distance_n(3, s[i].r, p) <= 1e-6 * plu_norm_n(3, p);
            assert_int_equal(there, 1);
            solved++;
        }
        for (int i = 0; i < count; i++)
            obeys_the_law(&c, s[i].r, 1e-7);
        several += count > 1;
    }
    assert_true(solved > 2900 && several > 0);
}

/* One unit of mass, coupling 0.9, mu = 2, q = (0.1, 1): by hand it takes off, sticks at -W^-1 q, or
 * slides with R_N = q_N / (mu 0.9 - 1). */
static void three_solutions(void **state)
{
    (void)state;
    double w[9] = {1.0, 0.9, 0.0, 0.9, 1.0, 0.0, 0.0, 0.0, 1.0}, q[3] = {0.1, 1.0, 0.0};
    const double want[3][2] = {{0.0, 0.0}, {0.8 / 0.19, -0.91 / 0.19}, {0.125, -0.25}};
    plu_local_contact c = {3, w, q, {2.0, 0.0}};
    plu_block_rows blocks = {0};
    const plu_contact_problem problem = single_of(&c, &blocks);
    plu_single_solution s[PLU_SINGLE_SOLUTIONS];
    int count;
    assert_int_equal(plu_contact_problem_all_solutions(&problem, s, &count, NULL), PLU_OK);
    assert_int_equal(count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(s[i].mode, PLU_SINGLE_TAKE_OFF + i);
        for (int j = 0; j < 2; j++)
            assert_near(s[i].r[j], want[i][j], 1e-14);
    }
}

/* Singular blocks W = b b^T of one (or two) directions: none, one or infinitely many stick; what is
 * listed obeys the law. */
static void singular_blocks(void **state)
{
    (void)state;
    static const struct {
        double w[9], q[3], mu;
        bool many;
        int least; /* solutions, where there are not infinitely many */
    } cases[] = {
        /* p_N - p_T1 = 1, p_T2 = 0: a piece of a line */
        {{1, -1, 0, -1, 1, 0, 0, 0, 1}, {-1, 1, 0}, 0.5, true, 0},
        {{1, -1, 0, -1, 1, 0, 0, 0, 1}, {-1, 1, 0}, 2.0, true, 0},
        /* the same with rounding in its pivots */
        {{1, -1, 0, -1, 1.0000000000000002, 0, 0, 0, 1}, {-1, 1, 0}, 0.5, true, 0},
        /* p_N + p_T1 + p_T2 = 1: a piece of a plane */
        {{1, 1, 1, 1, 1, 1, 1, 1, 1}, {-1, -1, -1}, 0.5, true, 0},
        /* not to be met by sticking: slides */
        {{1, -1, 0, -1, 1, 0, 0, 0, 1}, {-1, 1.5, 0}, 0.3, false, 1},
        {{1, 1, 1, 1, 1, 1, 1, 1, 1}, {-1, -2, 0}, 0.3, false, 1},
        /* frictionless */
        {{1, -1, 0, -1, 1, 0, 0, 0, 1}, {-1, 1, 0}, 0.0, false, 1},
        /* open */
        {{1, -1, 0, -1, 1, 0, 0, 0, 1}, {1, -1, 0}, 0.5, false, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double w[9], q[3];
        memcpy(w, cases[k].w, sizeof w);
        memcpy(q, cases[k].q, sizeof q);
        plu_local_contact c = {3, w, q, {cases[k].mu, 0.0}};
        plu_block_rows blocks = {0};
        const plu_contact_problem problem = single_of(&c, &blocks);
        plu_single_solution s[PLU_SINGLE_SOLUTIONS];
        plu_error err = {0};
        int count = 0;
        const plu_status status = plu_contact_problem_all_solutions(&problem, s, &count, &err);
        assert_int_equal(status, cases[k].many ? PLU_BAD_INPUT : PLU_OK);
        assert_int_equal(strstr(err.text, "infinitely many impulses stick") != NULL, cases[k].many);
        assert_true(cases[k].many || count >= cases[k].least);
        for (int i = 0; i < count; i++) {
            obeys_the_law(&c, s[i].r, 1e-7);
            assert_true(s[i].error <= 1e-6);
        }
    }
}

/* What is named: `word`; where there are infinitely many, one of them obeys the law, and so does
 * what is near it on the same ray. */
static void expect_continuum(const double matrix[9], const double free[3], double mu,
                             const char *word)
{
    double w[9], q[3], r[3];
    memcpy(w, matrix, sizeof w);
    memcpy(q, free, sizeof q);
    plu_local_contact c = {3, w, q, {mu, 0.0}};
    plu_block_rows blocks = {0};
    const plu_contact_problem problem = single_of(&c, &blocks);
    plu_single_solution s[PLU_SINGLE_SOLUTIONS];
    plu_error err = {0};
    int count = 0;
    const plu_status status = plu_contact_problem_all_solutions(&problem, s, &count, &err);
    assert_int_equal(status, word ? PLU_BAD_INPUT : PLU_OK);
    if (!word) {
        assert_true(count > 0);
        return;
    }
    assert_non_null(strstr(err.text, word));
    assert_int_equal(sscanf(strstr(err.text, "r = ("), "r = (%lf, %lf, %lf)", r, r + 1, r + 2), 3);
    for (int side = 0; side < 3; side++) {
        const double t = 0.9 + 0.1 * side, near[3] = {t * r[0], t * r[1], t * r[2]};
        if (side == 1 || strcmp(word, "many impulses slide") == 0)
            obeys_the_law(&c, near, 1e-7);
    }
}

/* A continuum of sliding impulses: along a ray of the cone that W takes to its own direction of
 * sliding, also where W is regular; and what is near such a case, and is none. */
static void continua(void **state)
{
    (void)state;
    const char *const slide = "many impulses slide", *const stick = "many impulses stick";
    expect_continuum((double[]){1, 1, 0, 1, 2, 0, 0, 0, 1}, (double[]){0, 1, 0}, 1, slide);
    expect_continuum((double[]){1, .6, .8, .6, 2, 0, .8, 0, 2}, (double[]){0, .6, .8}, 1, slide);
    expect_continuum((double[]){1, 2, 0, 2, 4, 0, 0, 0, 1}, (double[]){0, 3, 0}, 0.5, slide);
    expect_continuum((double[]){0, 0, 0, 0, 1, 1, 0, 1, 1}, (double[]){0, 1, -1}, 0.5, slide);
    expect_continuum((double[]){0, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){0, .1, 0}, 0.5, stick);
    expect_continuum((double[]){1, 2, 0, 2, 4, 0, 0, 0, 1}, (double[]){0, 0, 0}, 2, stick);
    expect_continuum((double[]){1, 2, 0, 2, 4, 0, 0, 0, 1}, (double[]){0, 0, 0}, 0.5, slide);
    expect_continuum((double[]){1, 1, 0, 1, 1, 0, 0, 0, 1}, (double[]){0, 0, 0}, 0.9, NULL);
    expect_continuum((double[]){1, 1, 0, 1, 2, 0, 0, 0, 1}, (double[]){0, 1, 0}, 0.9, NULL);
    expect_continuum((double[]){1, 1, 0, 1, 2, 0, 0, 0, 1}, (double[]){.1, 1, 0}, 1, NULL);
    expect_continuum((double[]){1, 1, 0, 1, 2, 0, 0, 0, 1}, (double[]){0, -1, 0}, 1, NULL);
    expect_continuum((double[]){1, 1, 0, 1, 2, .5, 0, .5, 1}, (double[]){0, 1, 0}, 1, NULL);
    expect_continuum((double[]){1, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){0, 0, 0}, 0.5, NULL);
}

/* The guaranteed methods: not one failure in three families of blocks. */
static void exact_obeys_the_law(void **state)
{
    (void)state;
    const int count[CONTACTS_FAMILIES] = {30000, 20000, 4000};
    draw d = {0};
    for (int family = 0; family < CONTACTS_FAMILIES; family++)
        for (int k = 0; k < count[family]; k++) {
            const random_contact c = contacts_draw(&d, family);
            for (int rows = 3; rows <= 5; rows += 2) {
                double w[9], q[3], p[5] = {0}, kept = 0.0;
                const plu_local_contact contact = contact_of(&c, rows, w, q);
                assert_true(plu_contact_exact(rows, contact.w, contact.q, (double[]){c.mu, c.mu_r},
                                              p, &kept));
                obeys_the_law(&contact, p, 1e-10);
            }
        }
}

static void nested_alone(void **state)
{
    (void)state;
    draw d = {7000000};
    for (int family = 0; family < CONTACTS_FAMILIES; family++)
        for (int k = 0; k < 400; k++) {
            const random_contact c = contacts_draw(&d, family);
            const plu_local_contact contact = {5, c.w, c.q, {c.mu, c.mu_r}};
            double p[5] = {0};
            assert_true(plu_contact_nested_run(&contact, p) < PLU_CONTACT_SOLVED);
            obeys_the_law(&contact, p, 1e-10);
        }
}

/* What a method calls solved obeys the law, and on rigid bodies with usual friction each solves all
 * but a few; which ones may fail is part of what they are. */
static void each_method(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int misses; /* of 1000 in the plain family that are forgiven */
    } methods[] = {{"projection", 5},          {"extragradient", 5}, {"newton", 5},
                   {"fischer-burmeister", 15}, {"quartic-angle", 0}, {"quartic-alpha", 0}};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        const plu_local_method *method = plu_local_method_find(methods[m].name);
        for (int rows = 3; rows <= (method->rows == 3 ? 3 : 5); rows += 2) {
            draw d = {100000};
            int missed = 0;
            for (int k = 0; k < 3000; k++) {
                const random_contact c = contacts_draw(&d, k % 3 ? CONTACTS_WIDE : CONTACTS_RIGID);
                double w[9], q[3], p[5] = {0}, kept = 0.0;
                const plu_local_contact contact = contact_of(&c, rows, w, q);
                const bool solved =
                    method->solve(rows, contact.w, contact.q, (double[]){c.mu, c.mu_r}, p, &kept);
                if (solved)
                    obeys_the_law(&contact, p, 1e-8);
                else
                    missed += k % 3 == 0;
                for (int i = 0; i < rows; i++)
                    assert_true(isfinite(p[i]));
            }
            assert_true(missed <= methods[m].misses);
        }
    }
}

/* Where there is one sliding solution all methods find that one; both polynomials find the same
 * number, and the smallest positive root of P(alpha) is not always one of them. */
static void enumerations_agree(void **state)
{
    (void)state;
    draw d = {5000000};
    int wrong_root = 0;
    for (int k = 0; k < 20000; k++) {
        const random_contact c = contacts_draw(&d, k % 2 ? CONTACTS_GRAM : CONTACTS_WIDE);
        double w[9], q[3], p[3] = {0}, kept = 0.0, a[5], x[PLU_QUARTIC_ROOTS];
        double by_angle[PLU_SLIDING_CANDIDATES][3], by_alpha[PLU_SLIDING_CANDIDATES][3];
        const plu_local_contact contact = contact_of(&c, 3, w, q);
        if (plu_contact_is_simple(&contact, p))
            continue;
        const int count = plu_sliding_by_alpha(w, q, c.mu, by_alpha);
        assert_true(count > 0);
        assert_int_equal(plu_sliding_by_angle(w, q, c.mu, by_angle), count);
        assert_true(plu_contact_exact(3, w, q, (double[]){c.mu}, p, &kept));
        for (int i = 0; count == 1 && i < 3; i++) {
            assert_near(by_angle[0][i], p[i], 1e-9 * plu_norm(p));
            assert_near(by_alpha[0][i], p[i], 1e-9 * plu_norm(p));
        }
        plu_quartic_of_alpha(w, q, c.mu, a);
        const int roots = plu_quartic_roots(a, x);
        double smallest = HUGE_VAL;
        for (int i = 0; i < roots; i++)
            smallest = x[i] > 0.0 ? fmin(smallest, x[i]) : smallest;
        const plu_coulomb b = plu_coulomb_of(w, c.mu);
        double v[2], t[2];
        plu_plane_turn(&b.a, q + 1, v);
        v[0] -= q[0] / w[0] * b.column[0];
        v[1] -= q[0] / w[0] * b.column[1];
        plu_plane_solve(&b.a, smallest, v, t);
        wrong_root += -q[0] < plu_plane_dot(b.row, t); /* R_N < 0 */
    }
    assert_true(wrong_root > 100);
}

static void known_roots(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < 2000; k++) {
        double r[4], a[5] = {1.0}, found[PLU_QUARTIC_ROOTS];
        for (int i = 0; i < 4; i++) {
            r[i] = draw_log(&d, 1e-3, 1e3) * (draw_uniform(&d, -1.0, 1.0) < 0.0 ? -1.0 : 1.0);
            for (int j = i + 1; j > 0; j--)
                a[j] = a[j - 1] - r[i] * a[j];
            a[0] *= -r[i];
        }
        const int count = plu_quartic_roots(a, found);
        assert_int_equal(count, 4);
        for (int i = 0; i < 4; i++) {
            double nearest = HUGE_VAL;
            for (int j = 0; j < count; j++)
                nearest = fmin(nearest, fabs(found[j] / r[i] - 1.0));
            assert_true(nearest < 1e-6);
        }
    }
    double x[PLU_QUARTIC_ROOTS];
    assert_int_equal(plu_quartic_roots((double[5]){1.0, 0.0, 0.0, 0.0, 1.0}, x), 0);
    /* x (x^2 + 1): 0 and, the fourth power being absent, infinity */
    assert_int_equal(plu_quartic_roots((double[5]){0.0, 1.0, 0.0, 1.0, 0.0}, x), 2);
    assert_near(x[0], 0.0, 1e-15);
    assert_true(x[1] == HUGE_VAL);
    /* at 1 and -1 the outer and the inner roots meet: each is found once */
    static const double at_border[][5] = {{6, -1, -7, 1, 1}, {-6, 5, 5, -5, 1}, {6, -5, -5, 5, -1}};
    static const double roots[][4] = {{1, -1, 2, -3}, {1, -1, 2, 3}, {1, -1, 2, 3}};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(plu_quartic_roots(at_border[k], x), 4);
        for (int i = 0; i < 4; i++) {
            double nearest = HUGE_VAL;
            for (int j = 0; j < 4; j++)
                nearest = fmin(nearest, fabs(x[j] - roots[k][i]));
            assert_near(nearest, 0.0, 1e-12);
        }
    }
}

/* Slip along an axis of the tangent plane, where t = tan(theta/2) is 0, 1, -1 or infinite. */
static void slip_along_the_axes(void **state)
{
    (void)state;
    const double w[9] = {2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0};
    for (int k = 0; k < 4; k++) {
        const double direction[2] = {(k == 0) - (k == 2), (k == 1) - (k == 3)};
        const double q[3] = {-1.0, -5.0 * direction[0], -5.0 * direction[1]};
        for (int m = 0; m < 2; m++) {
            double p[3] = {0}, kept = 0.0;
            assert_true((m ? plu_contact_quartic_alpha
                           : plu_contact_quartic_angle)(3, w, q, (double[]){0.4}, p, &kept));
            assert_near(p[0], 0.5, 1e-15);
            assert_near(p[1], 0.2 * direction[0], 1e-15);
            assert_near(p[2], 0.2 * direction[1], 1e-15);
        }
    }
}

/* Real blocks are not always symmetric, nor of full rank. */
static void unsymmetric_and_singular_blocks(void **state)
{
    (void)state;
    draw d = {900000};
    for (int k = 0; k < 10000; k++) {
        random_contact c = contacts_draw(&d, CONTACTS_RIGID);
        for (int i = 0; i < 25; i++)
            c.w[i] += i % 6 ? draw_uniform(&d, -0.02, 0.02) * c.w[0] : 0.0;
        for (int rows = 3; rows <= 5; rows += 2) {
            double w[9], q[3], p[5] = {0}, kept = 0.0;
            const plu_local_contact contact = contact_of(&c, rows, w, q);
            if (plu_contact_exact(rows, contact.w, contact.q, (double[]){c.mu, c.mu_r}, p, &kept))
                obeys_the_law(&contact, p, 1e-9);
            else
                assert_true(rows == 5);
        }
    }
    const double flat[9] = {1.0, 0.5, 0.0, 0.5, 0.25, 0.0, 0.0, 0.0, 1.0}, q[3] = {-1.0, 0.5, 0.3};
    double p[3] = {0}, kept = 0.0;
    assert_true(plu_contact_exact(3, flat, q, (double[]){0.3}, p, &kept));
    obeys_the_law(&(plu_local_contact){3, flat, q, {0.3, 0.0}}, p, 1e-12);
}

/* A block of rank one, w = h h^T: with v = q_T - q_N / h_N h_T it slides by alpha = (|v| - mu v.h_T
 * / h_N) h_N^2 / (-mu q_N) if that is positive, and is unsolvable if not. None may be missed, nor
 * any rounding error of 1e15 taken for a solution. */
static void blocks_of_rank_one(void **state)
{
    (void)state;
    const char *names[] = {"exact", "quartic-angle", "quartic-alpha"};
    draw d = {0};
    int solvable = 0, proven = 0;
    for (int k = 0; k < 30000; k++) {
        const double size = draw_log(&d, 1e-3, 1e3), mu = draw_log(&d, 0.01, 10.0);
        double h[3], w[9], q[3];
        for (int i = 0; i < 3; i++) {
            h[i] = size * draw_uniform(&d, -1.0, 1.0);
            q[i] = i ? draw_uniform(&d, -1.0, 1.0) : -draw_uniform(&d, 0.0, 1.0);
        }
        for (int i = 0; i < 9; i++)
            w[i] = h[i / 3] * h[i % 3];
        const double v[2] = {q[1] - q[0] / h[0] * h[1], q[2] - q[0] / h[0] * h[2]};
        const double cosine = (v[0] * h[1] + v[1] * h[2]) / h[0] / plu_plane_length(v);
        const double alpha = 1.0 - mu * cosine; /* in parts of |v| h_N^2 / (-mu q_N) */
        solvable += alpha > 0.0;
        for (int m = 0; m < 3; m++) {
            double p[3] = {0}, kept = 0.0;
            const bool solved =
                plu_local_method_find(names[m])->solve(3, w, q, (double[]){mu}, p, &kept);
            if (fabs(alpha) > 1e-8 * (1.0 + fabs(mu * cosine)))
                assert_int_equal(solved, alpha > 0.0);
            if (solved)
                obeys_the_law(&(plu_local_contact){3, w, q, {mu, 0.0}}, p, 1e-8);
        }
        if (plu_coulomb_unsolvable(w, q, mu)) {
            assert_true(alpha < 0.0);
            proven++;
        }
    }
    assert_true(solvable > 15000 && proven > 0.95 * (30000 - solvable));
}

/* Of rank two: who says solved is right, `exact` solves what any other does, and what is proven to
 * be unsolvable is solved by none. */
static void blocks_of_rank_two(void **state)
{
    (void)state;
    const char *names[] = {"exact", "quartic-angle", "quartic-alpha", "newton"};
    draw d = {0};
    int unsolved = 0, proven = 0;
    for (int k = 0; k < 30000; k++) {
        const double size = draw_log(&d, 1e-3, 1e3), mu = draw_log(&d, 0.01, 10.0);
        double g[2][3], w[9], q[3];
        for (int i = 0; i < 3; i++) {
            g[0][i] = size * draw_uniform(&d, -1.0, 1.0);
            g[1][i] = size * draw_uniform(&d, -1.0, 1.0);
            q[i] = i ? draw_uniform(&d, -1.0, 1.0) : -draw_uniform(&d, 0.0, 1.0);
        }
        for (int i = 0; i < 9; i++)
            w[i] = g[0][i / 3] * g[0][i % 3] + g[1][i / 3] * g[1][i % 3];
        const bool none = plu_coulomb_unsolvable(w, q, mu);
        bool solved[4];
        for (int m = 0; m < 4; m++) {
            double p[3] = {0}, kept = 0.0;
            solved[m] = plu_local_method_find(names[m])->solve(3, w, q, (double[]){mu}, p, &kept);
            if (solved[m])
                obeys_the_law(&(plu_local_contact){3, w, q, {mu, 0.0}}, p, 1e-8);
            assert_false(solved[m] && (none || !solved[0]));
        }
        unsolved += !solved[0];
        proven += none;
    }
    assert_true(unsolved > 4000 && proven > 0.9 * unsolved);
}

/* Without friction or without rolling friction five rows are three, or one. */
static void vanishing_disks(void **state)
{
    (void)state;
    const char *names[] = {"exact", "projection", "extragradient", "newton", "fischer-burmeister"};
    draw d = {123456};
    for (int k = 0; k < 500; k++) {
        random_contact c = contacts_draw(&d, CONTACTS_RIGID);
        c.mu = k % 3 == 0 ? c.mu : 0.0;
        c.mu_r = k % 3 == 1 ? c.mu_r : 0.0;
        const plu_local_contact contact = {5, c.w, c.q, {c.mu, c.mu_r}};
        for (int m = 0; m < 5; m++) {
            double p[5] = {0}, kept = 0.0;
            if (plu_local_method_find(names[m])->solve(5, c.w, c.q, (double[]){c.mu, c.mu_r}, p,
                                                       &kept))
                obeys_the_law(&contact, p, 1e-8);
            else
                assert_true(m > 0);
        }
    }
}

/* The block of two spheres has closed forms: another program for the same law. */
static void spheres(void **state)
{
    (void)state;
    draw d = {1};
    for (int k = 0; k < 20000; k++) {
        plu_local s = {.normal = {1.0, 0.0, 0.0}, .wn = 1.0, .length = 1.0};
        s.wt = draw_uniform(&d, 1.0, 4.0);
        s.wr = draw_uniform(&d, 1.0, 4.0);
        s.wc = draw_uniform(&d, -0.9, 0.9) * sqrt(s.wt * s.wr);
        s.mu = draw_log(&d, 0.05, 2.0);
        s.mu_r = draw_log(&d, 0.05, 2.0);
        const double w[25] = {s.wn,  0, 0, 0, 0,     0,    s.wt, 0, 0,    s.wc, 0, 0,   s.wt,
                              -s.wc, 0, 0, 0, -s.wc, s.wr, 0,    0, s.wc, 0,    0, s.wr};
        double q7[7] = {draw_uniform(&d, -1.0, 0.1)}, p7[7] = {0}, q[5] = {q7[0]}, p[5] = {0};
        for (int i = 1; i < 5; i++)
            q7[i < 3 ? i + 1 : i + 2] = q[i] = draw_uniform(&d, -2.0, 2.0);
        double kept = 0.0;
        plu_local_exact(&s, q7, p7);
        assert_true(plu_contact_exact(5, w, q, (double[]){s.mu, s.mu_r}, p, &kept));
        for (int i = 0; i < 5; i++)
            assert_near(p[i], p7[i < 1 ? 0 : i < 3 ? i + 1 : i + 2], 1e-10);
    }
}

/* General blocks of six rows, all coupled, and the idle one. */
static void pivoting_contact(draw *d, double w[49], double q[7], double mu[3])
{
    enum { COLUMNS = 9 };
    double a[6][COLUMNS];
    memset(w, 0, 49 * sizeof *w);
    for (int i = 0; i < 6; i++) {
        q[i] = draw_uniform(d, -1.0, 1.0) * draw_log(d, 0.1, 10.0);
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = draw_uniform(d, -1.0, 1.0);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            for (int k = 0; k < COLUMNS; k++)
                w[7 * i + j] += a[i][k] * a[j][k];
    w[48] = w[40];
    q[6] = 0.0;
    for (int i = 0; i < 3; i++)
        mu[i] = draw_log(d, 0.02, 5.0);
}

static void pivoting(void **state)
{
    (void)state;
    static const char *const names[] = {"exact", "newton", "projection", "extragradient"};
    enum { METHODS = sizeof names / sizeof *names, BLOCKS = 1000 };
    draw d = {617};
    int solved[METHODS] = {0}, nested = 0, touching = 0;
    for (int k = 0; k < BLOCKS; k++) {
        double w[49], q[7], mu[3], p[7] = {0};
        pivoting_contact(&d, w, q, mu);
        const plu_local_contact c = plu_contact_make(7, w, q, mu);
        for (int m = 0; m < METHODS; m++) {
            double kept = 0.0;
            memset(p, 0, sizeof p);
            if (!plu_local_method_find(names[m])->solve(7, w, q, mu, p, &kept))
                continue;
            solved[m]++;
            assert_true(p[6] == 0.0);
            obeys_the_law(&c, p, 1e-7);
        }
        touching += q[0] < 0.0;
        nested += plu_contact_nested_run(&c, p) <= 1e-9;
    }
    assert_true(touching > BLOCKS / 3);
    assert_int_equal(solved[0], BLOCKS);
    assert_int_equal(nested, BLOCKS);
    for (int m = 1; m < METHODS; m++)
        assert_true(solved[m] > BLOCKS * 8 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printed_polynomials),
        cmocka_unit_test(printed_solution),
        cmocka_unit_test(all_solutions),
        cmocka_unit_test(singular_blocks),
        cmocka_unit_test(continua),
        cmocka_unit_test(three_solutions),
        cmocka_unit_test(exact_obeys_the_law),
        cmocka_unit_test(nested_alone),
        cmocka_unit_test(each_method),
        cmocka_unit_test(enumerations_agree),
        cmocka_unit_test(known_roots),
        cmocka_unit_test(slip_along_the_axes),
        cmocka_unit_test(unsymmetric_and_singular_blocks),
        cmocka_unit_test(blocks_of_rank_one),
        cmocka_unit_test(blocks_of_rank_two),
        cmocka_unit_test(vanishing_disks),
        cmocka_unit_test(spheres),
        cmocka_unit_test(pivoting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
