/* Contact problems from files and into files: tiny problems of each format, whose W and q are
 * worked out by hand, and what comes back of a problem that was written. */
#include "draw.h"
#include "draws.h"
#include "problem_files.h"
#include <dirent.h>

/* Entry (i, j) of W, 0 where there is no block. */
static double w_of(const plu_contact_problem *p, int i, int j)
{
    const int d = p->rows, c = i / d;
    for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++)
        if (p->w.column[b] == j / d)
            return p->w.block[(size_t)b * (size_t)(d * d) + (size_t)(i % d * d + j % d)];
    return 0.0;
}

static void expect_w(const plu_contact_problem *p, const double *w, double tolerance)
{
    const int n = p->rows * p->contacts;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            assert_near(w_of(p, i, j), w[n * i + j], tolerance);
    for (int c = 0; c < p->contacts; c++) {
        assert_int_equal(p->w.column[p->w.diagonal[c]], c);
        for (int b = p->w.start[c] + 1; b < p->w.start[c + 1]; b++)
            assert_true(p->w.column[b - 1] < p->w.column[b]);
    }
}

static void expect_vector(const double *got, int count, const double *want, double tolerance)
{
    for (int k = 0; k < count; k++)
        assert_near(got[k], want[k], tolerance);
}

/* --- texts, W and q given --- */

static void test_dense_by_columns(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text("3\n1\n0\n3\n3\n3\t3\n1 2 3\n4 50 6\n7 8 90\n-1 0.5 0.25\n"
                                       "0.3\n1\n");
    const double w[9] = {1, 4, 7, 2, 50, 8, 3, 6, 90}, q[3] = {-1, 0.5, 0.25};
    expect_w(p, w, 0.0);
    expect_vector(p->q, 3, q, 0.0);
    assert_near(p->mu[0], 0.3, 0.0);
    plu_problem_facts facts;
    plu_contact_problem_facts(p, &facts);
    assert_int_equal(facts.format, PLU_SICONOS_LOCAL);
    assert_int_equal(facts.rows, 3);
    assert_int_equal(facts.contacts, 1);
    assert_int_equal(facts.freedom + facts.bodies, 0);
    assert_false(facts.symmetric || facts.spheres || facts.has_guess || facts.has_solution);
    plu_contact_problem_destroy(p);
}

/* Blocks of a row in any order; block (1, 0) is missing, so W is not symmetric. */
static void test_sparse_blocks(void **unused)
{
    (void)unused;
    plu_contact_problem *p =
        read_text("3 2 1 6 6 3 2 2  3 6  3 6  3 3  0 2 3  1 0 1\n"
                  "0\n11 12 13 14 15 16 17 18 19\n1\n1 2 3 4 5 6 7 8 9\n2\n21 22 23 24 25 26 27 28 "
                  "29\n-1 -2 -3 -4 -5 -6\n0.1 0.2");
    const double w[36] = {1, 4, 7, 11, 14, 17, 2, 5, 8, 12, 15, 18, 3, 6, 9, 13, 16, 19,
                          0, 0, 0, 21, 24, 27, 0, 0, 0, 22, 25, 28, 0, 0, 0, 23, 26, 29};
    const double q[6] = {-1, -2, -3, -4, -5, -6};
    expect_w(p, w, 0.0);
    expect_vector(p->q, 6, q, 0.0);
    assert_int_equal(p->w.start[2], 3);
    assert_near(p->mu[1], 0.2, 0.0);
    plu_contact_problem_destroy(p);
}

static const char by_columns[] =
    "3\n1\n2\n3\n3\n2\nCSparse Version 3.1.9, May 4, 2016.\n"
    "3-by-3, nzmax: 5 nnz: 4, 1-norm: 9\n    col 0 : locations 0 to 0\n"
    "      0 : 2\n    col 1 : locations 1 to 2\n      2 : 5\n"
    "      1 : 4\n    col 2 : locations 3 to 3\n      2 : 9\n"
    "-1 0 1\n0.5\n";
static const char triplets[] = "3\n1\n2\n3\n3\n1\nCSparse Version 3.1.9, May 4, 2016.\n"
                               "triplet: 3-by-3, nzmax: 9 nnz: 5\n    0 0 : 2\n    2 1 : 2\n"
                               "    1 1 : 4\n    2 1 : 3\n    2 2 : 9\n-1 0 1\n0.5\n";

/* In triplets an entry may come in several parts, which add up. */
static void test_csparse(void **unused)
{
    (void)unused;
    const double w[9] = {2, 0, 0, 0, 4, 0, 0, 5, 9};
    const char *const texts[2] = {by_columns, triplets};
    for (int k = 0; k < 2; k++) {
        plu_contact_problem *p = read_text(texts[k]);
        expect_w(p, w, 0.0);
        plu_contact_problem_destroy(p);
    }
}

/* In the plane: a third row by itself, as stiff as the second. */
static void test_plane(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text("2 2 0 4 4 4 4  2 3 5 7  3 6 0 0  5 0 8 9  7 0 9 11\n"
                                       "-1 1 -2 2  0.5 0");
    const double w[36] = {2, 3, 0, 5, 7, 0, 3, 6, 0, 0, 0,  0, 0, 0, 6, 0, 0, 0,
                          5, 0, 0, 8, 9, 0, 7, 0, 0, 9, 11, 0, 0, 0, 0, 0, 0, 11};
    const double q[6] = {-1, 1, 0, -2, 2, 0};
    expect_w(p, w, 0.0);
    expect_vector(p->q, 6, q, 0.0);
    assert_true(p->planar && p->symmetric);
    plu_problem_facts facts;
    plu_contact_problem_facts(p, &facts);
    assert_int_equal(facts.rows, 2);
    plu_contact_problem_destroy(p);
}

/* L = sqrt(2.5 W_NN / mean W_RR) = 2 without being told; the file says 4 in the second text. */
static const char rolling[] = "5 1 0 5 5 5 5  1.6 0 0 0 0  0 3 0 0 0.5  0 0 3 -0.5 0\n"
                              "0 0 -0.5 0.75 0  0 0.5 0 0 1.25\n-1 2 3 4 5  0.3 0.25\n";

static void test_rolling(void **unused)
{
    (void)unused;
    char longer[256];
    snprintf(longer, sizeof longer, "%slength\n4\n", rolling);
    const char *const texts[2] = {rolling, longer};
    for (int k = 0; k < 2; k++) {
        plu_contact_problem *p = read_text(texts[k]);
        const double l = k ? 4 : 2, x = 0.5 * l;
        const double w[25] = {
            1.6,          0, 0, 0, 0, 0, 3,           0, 0, x, 0, 0, 3, -x, 0, 0, 0, -x,
            0.75 * l * l, 0, 0, x, 0, 0, 1.25 * l * l};
        const double q[5] = {-1, 2, 3, 4 * l, 5 * l};
        assert_near(p->length[0], l, 1e-15);
        expect_w(p, w, 1e-14);
        expect_vector(p->q, 5, q, 1e-14);
        assert_near(p->mu_r[0], 0.25 / l, 1e-16);
        plu_contact_problem_destroy(p);
    }
}

/* --- texts with bodies --- */

/* Two spheres, m = 2 and 4, I = 0.5 and 1 (1/I = 2 and 1), arms 0.5: n = x, t = y, z. Their W is
 * that of the closed forms: W_NN = 1/2 + 1/4, W_TT = W_NN + 0.25 (2 + 1). f = M v with v = (1, 0,
 * 0) and (-1, 2, 0), no spin: q = v_b - v_a + w. */
static const char two_spheres[] =
    "3 1 2 12 12 1\nCSparse Version 3\ntriplet: 12-by-12, nzmax: 12 nnz: 12\n"
    "0 0 : 2\n1 1 : 2\n2 2 : 2\n3 3 : 0.5\n4 4 : 0.5\n5 5 : 0.5\n"
    "6 6 : 4\n7 7 : 4\n8 8 : 4\n9 9 : 1\n10 10 : 1\n11 11 : 1\n"
    "0 12 3 12 3  -1 0 0 0 0 0  1 0 0 0 0 0\n0 -1 0 0 0 -0.5  0 1 0 0 0 -0.5\n"
    "0 0 -1 0 0.5 0  0 0 1 0 0.5 0\n"
    "2 0 0 0 0 0  -4 8 0 0 0 0\n0.5 0 0\n0.3\n";

static void expect_two_spheres(const plu_contact_problem *p)
{
    const double w[9] = {0.75, 0, 0, 0, 1.5, 0, 0, 0, 1.5}, q[3] = {-1.5, 2, 0};
    expect_w(p, w, 1e-15);
    expect_vector(p->q, 3, q, 1e-15);
    assert_int_equal(p->body.bodies, 2);
    assert_int_equal(p->body.pairs[0][0], 0);
    assert_int_equal(p->body.pairs[0][1], 1);
    assert_near(p->body.v_free[1][1], 2.0, 0.0);
    assert_near(p->body.inverse_mass[0][35], 2.0, 0.0);
    assert_near(p->body.w[0], 0.5, 0.0);
    assert_int_equal(p->freedom, 12);
    assert_true(p->symmetric);
}

static void test_bodies(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text(two_spheres);
    assert_int_equal(p->format, PLU_SICONOS_GLOBAL);
    expect_two_spheres(p);
    plu_contact_problem_destroy(p);
}

/* Two bodies of four rows, which do not begin at multiples of six: found as connected components.
 * Contact 0 acts on rows 0, 1, 2 of body 0, so that its W is that corner of M^-1. */
static void test_components(void **unused)
{
    (void)unused;
    char text[2048] = "3 2 2 8 8 1\nCSparse Version 3\ntriplet: 8-by-8, nzmax: 28 nnz: 28\n";
    for (int body = 0; body < 2; body++)
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                if (i + j != 4 || i == j)
                    snprintf(text + strlen(text), sizeof text - strlen(text), "%d %d : %g\n",
                             4 * body + i, 4 * body + j, i == j ? 5.0 : 1.0);
    strcat(text, "0 8 6 8 6\n1 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 0\n0 0 1 0 0 0 0 0\n"
                 "0 0 0 0 1 0 0 0\n0 0 0 0 0 1 0 0\n0 0 0 0 0 0 1 0\n"
                 "1 2 3 4 5 6 7 8\n0 0 0 0 0 0\n0.1 0.2\n");
    plu_contact_problem *p = read_text(text);
    assert_int_equal(p->body.bodies, 2);
    assert_int_equal(p->body.pairs[1][0], -1);
    assert_int_equal(p->body.pairs[1][1], 1);
    assert_int_equal(p->w.start[2], 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(w_of(p, i, j), p->body.inverse_mass[0][6 * i + j], 1e-16);
    for (int i = 0; i < 4; i++) /* M M^-1 = 1 */
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 6; k++)
                sum += p->body.mass[1][6 * i + k] * p->body.inverse_mass[1][6 * k + j];
            assert_near(sum, i == j, 1e-15);
        }
    assert_near(p->body.mass[0][28] + p->body.mass[0][35], 2.0, 0.0); /* rows that it has not */
    plu_contact_problem_destroy(p);
}

/* M = 1 + ones (8 x 8) has the inverse 1 - ones / 9. H picks the rows 0, 1, 2; M^-1 9 = 1 for f. */
static void test_factorized(void **unused)
{
    (void)unused;
    char text[2048] = "3 1 0 8 8 8 8\n";
    for (int k = 0; k < 64; k++)
        strcat(text, k % 9 == 0 ? "2 " : "1 ");
    strcat(text, "\n0 8 3 8 3\n1 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 0\n0 0 1 0 0 0 0 0\n"
                 "9 9 9 9 9 9 9 9\n1 2 3\n0.5\n1\n");
    plu_contact_problem *p = read_text(text);
    const double a = 8.0 / 9.0, b = -1.0 / 9.0, w[9] = {a, b, b, b, a, b, b, b, a};
    const double q[3] = {2, 3, 4};
    expect_w(p, w, 1e-15);
    expect_vector(p->q, 3, q, 1e-14);
    assert_int_equal(p->body.bodies, 0);
    assert_int_equal(p->freedom, 8);
    plu_contact_problem_destroy(p);
}

/* M = (1 + ones) D with D = diag(1, 2, 1, ...) is not symmetric: M^-1 = D^-1 (1 - ones / 9), and f
 * = M 1. */
static void test_factorized_without_symmetry(void **unused)
{
    (void)unused;
    char text[2048] = "3 1 0 8 8 8 8\n";
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < 8; i++)
            strcat(text, (i == j) + (j == 1) == 2 ? "4 " : i == j || j == 1 ? "2 " : "1 ");
    strcat(text, "\n0 8 3 8 3\n1 0 0 0 0 0 0 0\n0 1 0 0 0 0 0 0\n0 0 1 0 0 0 0 0\n"
                 "10 11 10 10 10 10 10 10\n1 2 3\n0.5\n1\n");
    plu_contact_problem *p = read_text(text);
    const double q[3] = {2, 3, 4};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(w_of(p, i, j), (i == j ? 8.0 : -1.0) / (i == 1 ? 18.0 : 9.0), 1e-15);
    expect_vector(p->q, 3, q, 1e-14);
    assert_false(p->symmetric);
    plu_contact_problem_destroy(p);
}

/* The same of a single body: M_01 = 2 beside a diagonal of 2 and 1. */
static const char lopsided[] =
    "3 1 2 6 6 1\nCSparse Version 3\ntriplet: 6-by-6, nzmax: 7 nnz: 7\n0 0 : 2\n0 1 : 2\n"
    "1 1 : 2\n2 2 : 2\n3 3 : 1\n4 4 : 1\n5 5 : 1\n"
    "0 6 3 6 3  1 0 0 0 0 0  0 1 0 0 0 0  0 0 1 0 0 0\n2 4 0 0 0 0\n0 0 0\n0.3\n";

static void test_body_without_symmetry(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text(lopsided);
    const double w[9] = {0.5, -0.5, 0, 0, 0.5, 0, 0, 0, 0.5}, q[3] = {-1, 2, 0};
    for (int k = 0; k < 9; k++)
        assert_near(w_of(p, k / 3, k % 3), w[k], 1e-15);
    expect_vector(p->q, 3, q, 1e-15);
    assert_int_equal(p->body.bodies, 1);
    assert_false(p->symmetric);
    plu_contact_problem_destroy(p);
}

/* Two disks, m = 2 and 4, I = 0.5 and 1, rows x, y, theta; one lies on the ground and carries the
 * other, n = y, t = x; arms 0.5 and 0.25. f = M v with v = (1, 2, 0) and 0. */
static void test_bodies_in_the_plane(void **unused)
{
    (void)unused;
    plu_contact_problem *p =
        read_text("2 2 2 6 6 1\nCSparse Version 3\ntriplet: 6-by-6, nzmax: 6 nnz: 6\n"
                  "0 0 : 2\n1 1 : 2\n2 2 : 0.5\n3 3 : 4\n4 4 : 4\n5 5 : 1\n"
                  "0 6 4 6 4  0 1 0 0 0 0  1 0 0.5 0 0 0  0 -1 0 0 1 0  -1 0 0.25 1 0 0.5\n"
                  "2 4 0 0 0 0  0.5 0 0 0  0.3 0.4");
    const double w[36] = {0.5,  0, 0, -0.5, 0, 0, 0, 1,     0, 0, -0.25, 0, 0, 0, 1, 0, 0, 0,
                          -0.5, 0, 0, 0.75, 0, 0, 0, -0.25, 0, 0, 1.125, 0, 0, 0, 0, 0, 0, 1.125};
    const double q[6] = {2.5, 1, 0, -2, -1, 0};
    expect_w(p, w, 1e-15);
    expect_vector(p->q, 6, q, 1e-15);
    assert_true(p->planar && p->symmetric);
    assert_int_equal(p->body.bodies, 0);
    assert_int_equal(p->freedom, 6);
    plu_contact_problem_destroy(p);
}

/* The same disks with rows normal, tangent, moment: H has a third column, the difference of spins,
 * and mu_r stands behind mu, in a text as in FCLIB. Rows by themselves are as stiff as those
 * before. */
static void expect_disks(plu_contact_problem *p, const double mu_r[2])
{
    static const double w[6][6] = {{0.5, 0, 0, -0.5, 0, 0},      {0, 1, 1, 0, -0.25, -1},
                                   {0, 1, 2, 0, 0.5, -2},        {-0.5, 0, 0, 0.75, 0, 0},
                                   {0, -0.25, 0.5, 0, 1.125, 0}, {0, -1, -2, 0, 0, 3}};
    static const int inner[3] = {0, 1, 3};
    double out[36], q[6];
    int start[3], column[4];
    assert_true(p->planar && p->symmetric && p->rows == 5);
    plu_problem_facts facts;
    plu_contact_problem_facts(p, &facts);
    assert_true(facts.rows == 3 && facts.planar && facts.rolling);
    plu_contact_problem_w(p, start, column, out);
    assert_int_equal(start[2], 4);
    for (int k = 0; k < 36; k++) {
        const int b = k / 9, i = k % 9 / 3, j = k % 3, c = b / 2;
        assert_near(out[k], w[3 * c + i][3 * (b % 2) + j], 1e-15);
        const double *block = p->w.block + 25 * (size_t)b;
        const double s = (i == 2 ? p->length[c] : 1.0) * (j == 2 ? p->length[b % 2] : 1.0);
        assert_near(block[5 * inner[i] + inner[j]], w[3 * c + i][3 * (b % 2) + j] * s, 1e-15);
    }
    for (int c = 0; c < 2; c++)
        for (int i = 2; i < 5; i += 2) {
            const double *block = p->w.block + 25 * (size_t)p->w.diagonal[c];
            assert_near(block[6 * i], block[6 * (i - 1)], 0.0);
            assert_near(p->q[5 * c + i], 0.0, 0.0);
        }
    static const double expected[6] = {2.5, 1, 0, -2, -1, 0};
    assert_int_equal(plu_contact_problem_q(p, q, NULL), PLU_OK);
    expect_vector(q, 6, expected, 1e-15);
    for (int c = 0; c < 2; c++)
        assert_near(p->mu_r[c] * p->length[c], mu_r[c], 1e-17);
}

/* A local and a global problem may begin with the same sizes: here q begins with "0 3 3", as H of a
 * global problem would. */
static void test_local_or_global(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text("3 1 0 3 3 3 3  1 0 0 0 1 0 0 0 1  0 3 3  0.5 1");
    const double q[3] = {0, 3, 3};
    assert_int_equal(p->format, PLU_SICONOS_LOCAL);
    expect_vector(p->q, 3, q, 0.0);
    plu_contact_problem_destroy(p);
    p = read_text(
        "3 1 0 3 3 3 3  2 0 0 0 2 0 0 0 2  0 3 3 3 3  1 0 0 0 1 0 0 0 1  2 4 6  1 1 1  0.5");
    const double w[9] = {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5}, sum[3] = {2, 3, 4};
    assert_int_equal(p->format, PLU_SICONOS_GLOBAL);
    expect_w(p, w, 0.0);
    expect_vector(p->q, 3, sum, 0.0);
    plu_contact_problem_destroy(p);
}

/* --- FCLIB --- */

static void test_fclib_local(void **unused)
{
    (void)unused;
    static const fclib_matrix kinds[3] = {
        {3, 3, 5, 5, 5, {0, 1, 1, 2, 2}, {0, 1, 2, 1, 2}, {2, 4, 5, 6, 9}}, /* i row, p column */
        {3, 3, -1, 5, 4, {0, 1, 3, 5}, {0, 1, 2, 1, 2}, {2, 4, 5, 6, 9}},
        {3, 3, -2, 5, 4, {0, 1, 3, 5}, {0, 1, 2, 1, 2}, {2, 4, 6, 5, 9}},
    };
    const double w[9] = {2, 0, 0, 0, 4, 6, 0, 5, 9}, q[3] = {-1, 2, 3}, mu = 0.5;
    const double r[3] = {1, 0.25, 0}, g[3] = {0.5, 0, 0.125};
    for (int k = 0; k < 3; k++) {
        const hid_t file = new_file();
        put_int(file, "fclib_local/spacedim", 3);
        put_matrix(file, "fclib_local/W", &kinds[k]);
        put_reals(file, "fclib_local/vectors/q", 3, q);
        put_reals(file, "fclib_local/vectors/mu", 1, &mu);
        put_reals(file, "solution/r", 3, r);
        put_reals(file, "guesses/1/r", 3, g);
        H5Fclose(file);
        plu_contact_problem *p = read_problem("made.hdf5");
        assert_int_equal(p->format, PLU_FCLIB_LOCAL);
        expect_w(p, w, 0.0);
        expect_vector(p->q, 3, q, 0.0);
        expect_vector(p->solution, 3, r, 0.0);
        expect_vector(p->guess, 3, g, 0.0);
        assert_true(p->has_guess);
        plu_contact_problem_destroy(p);
    }
}

/* The two spheres again, in triplets, and with rows and columns exchanged, which shows in H. */
static void test_fclib_global(void **unused)
{
    (void)unused;
    fclib_matrix m = {.m = 12, .n = 12, .nz = 12, .nzmax = 12, .pointers = 12};
    fclib_matrix h = {.m = 12, .n = 3, .nz = 10, .nzmax = 12, .pointers = 12};
    const int row[10] = {0, 6, 1, 5, 7, 11, 2, 4, 8, 10},
              column[10] = {0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
    const double x[10] = {-1, 1, -1, -0.5, 1, -0.5, -1, 0.5, 1, 0.5};
    const double f[12] = {2, 0, 0, 0, 0, 0, -4, 8}, b[3] = {0.5, 0, 0}, mu = 0.3;
    for (int k = 0; k < 12; k++) {
        m.p[k] = m.i[k] = k;
        m.x[k] = (k < 6 ? 2 : 4) * (k % 6 < 3 ? 1 : 0.25);
    }
    for (int swapped = 0; swapped < 2; swapped++) {
        memcpy(swapped ? h.p : h.i, row, sizeof row);
        memcpy(swapped ? h.i : h.p, column, sizeof column);
        memcpy(h.x, x, sizeof x);
        const hid_t file = new_file();
        put_int(file, "fclib_global/spacedim", 3);
        put_matrix(file, "fclib_global/M", &m);
        put_matrix(file, "fclib_global/H", &h);
        put_reals(file, "fclib_global/vectors/f", 12, f);
        put_reals(file, "fclib_global/vectors/w", 3, b);
        put_reals(file, "fclib_global/vectors/mu", 1, &mu);
        H5Fclose(file);
        plu_contact_problem *p = read_problem("made.hdf5");
        assert_int_equal(p->format, PLU_FCLIB_GLOBAL);
        expect_two_spheres(p);
        plu_contact_problem_destroy(p);
    }
}

/* --- there and back --- */

static void same(const char *what, const void *a, const void *b, size_t size)
{
    if ((a == NULL) != (b == NULL) || (a && memcmp(a, b, size) != 0))
        fail_msg("%s changes on the way", what);
}

static void expect_same(const plu_contact_problem *a, const plu_contact_problem *b, bool bodies)
{
    const size_t c = (size_t)a->contacts, d = (size_t)a->rows, n = c * d;
    assert_int_equal(a->contacts, b->contacts);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->planar, b->planar);
    same("start", a->w.start, b->w.start, (c + 1) * sizeof(int));
    same("column", a->w.column, b->w.column, (size_t)a->w.start[c] * sizeof(int));
    same("W", a->w.block, b->w.block, (size_t)a->w.start[c] * d * d * sizeof(double));
    same("q", a->q, b->q, n * sizeof(double));
    same("mu", a->mu, b->mu, c * sizeof(double));
    same("mu_r", a->mu_r, b->mu_r, c * sizeof(double));
    same("length", a->length, b->length, c * sizeof(double));
    if (!bodies)
        return;
    const size_t k = (size_t)a->body.bodies;
    assert_int_equal(a->body.bodies, b->body.bodies);
    same("mass", a->body.mass, b->body.mass, k * sizeof *a->body.mass);
    same("v_free", a->body.v_free, b->body.v_free, k * sizeof *a->body.v_free);
    same("ends", a->body.pairs, b->body.pairs, c * sizeof *a->body.pairs);
    same("H", a->body.h, b->body.h, c * sizeof *a->body.h);
    same("w", a->body.w, b->body.w, n * sizeof(double));
}

static void test_disks_that_roll(void **unused)
{
    (void)unused;
    static const double mu_r[2] = {0.01, 0.02};
    plu_contact_problem *p = read_text(
        "3 2 2 6 6 1\nCSparse Version 3\ntriplet: 6-by-6, nzmax: 6 nnz: 6\n"
        "0 0 : 2\n1 1 : 2\n2 2 : 0.5\n3 3 : 4\n4 4 : 4\n5 5 : 1\n"
        "0 6 6 6 6  0 1 0 0 0 0  1 0 0.5 0 0 0  0 0 1 0 0 0  0 -1 0 0 1 0  -1 0 0.25 1 0 0.5  "
        "0 0 -1 0 0 1\n"
        "2 4 0 0 0 0  0.5 0 0 0 0 0  0.3 0.4  0.01 0.02");
    expect_disks(p, mu_r);
    assert_int_equal(p->freedom, 6);
    plu_contact_problem *again;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(plu_contact_problem_write(p, "again.dat", PLU_SICONOS_LOCAL, NULL, NULL),
                         PLU_OK);
        again = read_problem("again.dat");
        expect_same(p, again, false);
        plu_contact_problem_destroy(p);
        p = again;
    }
    assert_int_equal(plu_contact_problem_write(p, "again.hdf5", PLU_FCLIB_LOCAL, NULL, &err),
                     PLU_BAD_INPUT);
    assert_non_null(strstr(err.text, "write it as Siconos text"));
    plu_contact_problem_destroy(p);
}

/* One disk in FCLIB: the length of w tells the plane from space, whose dimension may stand there.
 */
static void test_fclib_disk_that_rolls(void **unused)
{
    (void)unused;
    static const fclib_matrix m = {3, 3, 3, 3, 3, {0, 1, 2}, {0, 1, 2}, {2, 2, 0.5}};
    static const fclib_matrix h = {3, 3, 4, 4, 4, {0, 1, 1, 2}, {1, 0, 2, 2}, {1, 1, 0.5, 1}};
    static const double f[3] = {2, 4, 0}, b[3] = {0.5, 0, 0}, mu = 0.3, mu_r = 0.01;
    static const double expected[9] = {0.5, 0, 0, 0, 1, 1, 0, 1, 2};
    for (int d = 2; d <= 3; d++) {
        const hid_t file = new_file();
        put_int(file, "fclib_global_rolling/spacedim", d);
        put_matrix(file, "fclib_global_rolling/M", &m);
        put_matrix(file, "fclib_global_rolling/H", &h);
        put_reals(file, "fclib_global_rolling/vectors/f", 3, f);
        put_reals(file, "fclib_global_rolling/vectors/w", 3, b);
        put_reals(file, "fclib_global_rolling/vectors/mu", 1, &mu);
        put_reals(file, "fclib_global_rolling/vectors/mu_r", 1, &mu_r);
        H5Fclose(file);
        plu_contact_problem *p = read_problem("made.hdf5");
        int start[2], column[1];
        double w[9];
        assert_true(p->planar && p->rows == 5);
        plu_contact_problem_w(p, start, column, w);
        expect_vector(w, 9, expected, 1e-15);
        assert_near(p->mu_r[0] * p->length[0], mu_r, 1e-17);
        plu_contact_problem_destroy(p);
    }
}

static plu_contact_problem *there_and_back(const plu_contact_problem *p, plu_problem_format format)
{
    if (plu_contact_problem_write(p, "back", format, "A title", &err) != PLU_OK)
        fail_msg("%s", err.text);
    assert_int_equal(access("back.part", F_OK), -1);
    plu_contact_problem *back = read_problem("back");
    assert_int_equal(back->format, format);
    return back;
}

/* A ring of contacts, each coupled with the next two, with numbers that need all their digits. */
static plu_contact_problem *ring(draw *random, int rows, int contacts)
{
    plu_contact_problem *p = NULL;
    assert_int_equal(plu_contact_problem_create(&p, rows, contacts, 3 * contacts, 0, &err), PLU_OK);
    const size_t d = (size_t)rows;
    for (int c = 0; c < contacts; c++) {
        int columns[3] = {c, (c + 1) % contacts, (c + 2) % contacts};
        for (int k = 0; k < 3; k++) { /* by their number */
            int before = 0;
            for (int l = 0; l < 3; l++)
                before += columns[l] < columns[k];
            p->w.column[3 * c + before] = columns[k];
            if (k == 0)
                p->w.diagonal[c] = 3 * c + before;
        }
        p->w.start[c + 1] = 3 * (c + 1);
        p->mu[c] = draw_log(random, 1e-3, 10.0);
    }
    for (size_t k = 0; k < 3 * (size_t)contacts * d * d; k++)
        p->w.block[k] = draw_uniform(random, -1, 1) * draw_log(random, 1e-8, 1e8);
    for (size_t k = 0; k < d * (size_t)contacts; k++) {
        double *diagonal = p->w.block + (size_t)p->w.diagonal[k / d] * d * d + k % d * (d + 1);
        *diagonal = draw_log(random, 1.0, 10.0);
        p->q[k] = draw_uniform(random, -1, 1);
        p->guess[k] = draw_uniform(random, 0, 1);
    }
    p->w.block[1] = -0.0;
    p->w.block[2] = 5e-324;
    p->has_guess = true;
    return p;
}

static void test_local_there_and_back(void **unused)
{
    (void)unused;
    draw random = {0};
    plu_contact_problem *p = ring(&random, 3, 7);
    const size_t bytes = 21 * sizeof(double);
    p->solution = calloc(21, sizeof(double));
    assert_non_null(p->solution);
    for (int k = 0; k < 21; k++)
        p->solution[k] = draw_uniform(&random, -2, 2);
    plu_contact_problem *text = there_and_back(p, PLU_SICONOS_LOCAL);
    expect_same(p, text, false);
    plu_contact_problem *h5 = there_and_back(p, PLU_FCLIB_LOCAL);
    expect_same(p, h5, false);
    same("guess", p->guess, h5->guess, bytes);
    same("solution", p->solution, h5->solution, bytes);
    assert_string_equal(h5->title, "A title");
    plu_contact_problem_destroy(p);
    plu_contact_problem_destroy(text);
    plu_contact_problem_destroy(h5);
}

/* Moments are scaled by L on the way in and unscaled on the way out: what was read once stays. */
static void test_rolling_there_and_back(void **unused)
{
    (void)unused;
    draw random = {1000};
    plu_contact_problem *p = ring(&random, 5, 7);
    for (int c = 0; c < 7; c++) {
        p->mu_r[c] = draw_log(&random, 1e-6, 1.0);
        p->length[c] = draw_log(&random, 1e-2, 1.0);
    }
    plu_contact_problem *once = there_and_back(p, PLU_SICONOS_LOCAL);
    plu_contact_problem *twice = there_and_back(once, PLU_SICONOS_LOCAL);
    expect_same(once, twice, false);
    plu_contact_problem_destroy(p);
    plu_contact_problem_destroy(once);
    plu_contact_problem_destroy(twice);
}

static void test_plane_there_and_back(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text("2 2 0 4 4 4 4  2 .3 5 7  .3 .6 0 0  5 0 .8 9  7 0 9 1.1\n"
                                       "-1 .1 -2 .2  0.7 0");
    plu_contact_problem *text = there_and_back(p, PLU_SICONOS_LOCAL);
    p->has_guess = true;
    for (int k = 0; k < 4; k++)
        p->guess[k / 2 * 3 + k % 2] = 1.0 + k;
    plu_contact_problem *h5 = there_and_back(p, PLU_FCLIB_LOCAL);
    expect_same(p, text, false);
    expect_same(p, h5, false);
    same("guess", p->guess, h5->guess, 6 * sizeof(double));
    plu_contact_problem_destroy(p);
    plu_contact_problem_destroy(text);
    plu_contact_problem_destroy(h5);
}

static void test_bodies_there_and_back(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text(two_spheres);
    p->solution = calloc(3, sizeof(double));
    assert_non_null(p->solution);
    p->solution[0] = 0.1;
    p->solution[2] = -1.0 / 3.0;
    plu_contact_problem *text = there_and_back(p, PLU_SICONOS_GLOBAL);
    plu_contact_problem *h5 = there_and_back(p, PLU_FCLIB_GLOBAL);
    expect_same(p, text, true);
    expect_same(p, h5, true);
    same("solution", p->solution, h5->solution, 3 * sizeof(double));
    plu_contact_problem_destroy(p);
    plu_contact_problem_destroy(text);
    plu_contact_problem_destroy(h5);
}

static void test_body_without_symmetry_there_and_back(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text(lopsided);
    plu_contact_problem *text = there_and_back(p, PLU_SICONOS_GLOBAL);
    plu_contact_problem *h5 = there_and_back(p, PLU_FCLIB_GLOBAL);
    expect_same(p, text, true);
    expect_same(p, h5, true);
    plu_contact_problem_destroy(p);
    plu_contact_problem_destroy(text);
    plu_contact_problem_destroy(h5);
}

/* As pluvia makes them: spheres with rolling friction. The file holds impulses in its own units,
 * and u and v that follow from them. */
static plu_contact_problem *rolling_spheres(void)
{
    return read_text(
        "5 1 2 12 12 1\nCSparse Version 3\ntriplet: 12-by-12, nzmax: 12 nnz: 12\n"
        "0 0 : 2\n1 1 : 2\n2 2 : 2\n3 3 : 0.5\n4 4 : 0.5\n5 5 : 0.5\n"
        "6 6 : 4\n7 7 : 4\n8 8 : 4\n9 9 : 1\n10 10 : 1\n11 11 : 1\n"
        "0 12 5 12 5  -1 0 0 0 0 0  1 0 0 0 0 0\n0 -1 0 0 0 -0.5  0 1 0 0 0 -0.5\n"
        "0 0 -1 0 0.5 0  0 0 1 0 0.5 0\n0 0 0 0 -1 0  0 0 0 0 1 0\n0 0 0 0 0 -1  0 0 0 0 0 1\n"
        "2 0 0 0 0 0  -4 8 0 0 0 0\n0.5 0 0 0 0\n0.3\n0.01\nlength\n0.4\n");
}

static void test_rolling_bodies_there_and_back(void **unused)
{
    (void)unused;
    plu_contact_problem *p = rolling_spheres();
    p->solution = calloc(5, sizeof(double));
    assert_non_null(p->solution);
    p->solution[0] = 1.0;
    p->solution[3] = 0.5; /* m_R / L: 0.2 N m s in the file */
    plu_contact_problem *back = there_and_back(p, PLU_FCLIB_GLOBAL_ROLLING);
    same("solution", p->solution, back->solution, 5 * sizeof(double));
    same("length", p->length, back->length, sizeof(double));
    same("friction", p->mu, back->mu, sizeof(double));
    same("rolling friction", p->mu_r, back->mu_r, sizeof(double));
    same("H", p->body.h, back->body.h, sizeof *p->body.h);
    const hid_t file = H5Fopen("back", H5F_ACC_RDONLY, H5P_DEFAULT);
    double u[5], r[5], v[12];
    const char *const names[3] = {"solution/r", "solution/u", "solution/v"};
    double *const to[3] = {r, u, v};
    for (int k = 0; k < 3; k++) {
        const hid_t set = H5Dopen2(file, names[k], H5P_DEFAULT);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, to[k]) >= 0);
        H5Dclose(set);
    }
    H5Fclose(file);
    /* spin of a about y: -2 * 0.2, of b: 0.2; W_RR = 3, W_TR as of the two arms of 0.5 */
    const double want_r[5] = {1, 0, 0, 0.2, 0}, want_u[5] = {-0.75, 2, -0.1, 0.6, 0};
    const double want_v[12] = {0.5, 0, 0, 0, -0.4, 0, -0.75, 2, 0, 0, 0.2, 0};
    expect_vector(r, 5, want_r, 1e-16);
    expect_vector(u, 5, want_u, 1e-15);
    expect_vector(v, 12, want_v, 1e-15);
    plu_contact_problem_destroy(p);
    plu_contact_problem_destroy(back);
}

static void expect_refused(const plu_contact_problem *p, plu_problem_format format, const char *why)
{
    assert_int_equal(plu_contact_problem_write(p, "none", format, NULL, &err), PLU_BAD_INPUT);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    assert_int_equal(access("none", F_OK), -1);
    assert_int_equal(access("none.part", F_OK), -1);
}

static void test_forms_that_are_not(void **unused)
{
    (void)unused;
    plu_contact_problem *p = read_text(rolling);
    expect_refused(p, PLU_FCLIB_LOCAL, "Siconos text");
    expect_refused(p, PLU_FCLIB_GLOBAL, "Siconos text");
    expect_refused(p, PLU_FCLIB_GLOBAL_ROLLING, "Siconos text");
    expect_refused(p, PLU_SICONOS_GLOBAL, "has no bodies");
    plu_contact_problem_destroy(p);
    p = read_text(two_spheres);
    expect_refused(p, PLU_FCLIB_GLOBAL_ROLLING, "FCLIB, global");
    assert_int_equal(plu_contact_problem_write(p, "no/where", PLU_FCLIB_LOCAL, NULL, &err), PLU_IO);
    assert_int_equal(plu_contact_problem_write(p, "no/where", PLU_SICONOS_LOCAL, NULL, &err),
                     PLU_IO);
    assert_int_equal(strncmp(err.text, "cannot write no/where", 21), 0);
    plu_contact_problem_destroy(p);
    p = rolling_spheres();
    expect_refused(p, PLU_FCLIB_GLOBAL, "rolling friction");
    plu_contact_problem_destroy(p);
}

/* Problems of other programs, where there are some. With sanitizers solvers/solved.py reads
 * them. */
static void test_others(void **unused)
{
    (void)unused;
    NUMBERS_ONLY();
    const char *folder = getenv("PLUVIA_PROBLEMS");
    DIR *list = folder ? opendir(folder) : NULL;
    if (!list)
        skip();
    int read = 0;
    for (const struct dirent *entry; (entry = readdir(list));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || (strcmp(dot, ".dat") != 0 && strcmp(dot, ".hdf5") != 0))
            continue;
        char path[512];
        snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        plu_contact_problem_destroy(read_problem(path));
        read++;
    }
    closedir(list);
    assert_true(read > 0);
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dense_by_columns),
        cmocka_unit_test(test_sparse_blocks),
        cmocka_unit_test(test_csparse),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_rolling),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_bodies_in_the_plane),
        cmocka_unit_test(test_disks_that_roll),
        cmocka_unit_test(test_fclib_disk_that_rolls),
        cmocka_unit_test(test_components),
        cmocka_unit_test(test_factorized),
        cmocka_unit_test(test_factorized_without_symmetry),
        cmocka_unit_test(test_body_without_symmetry),
        cmocka_unit_test(test_body_without_symmetry_there_and_back),
        cmocka_unit_test(test_local_or_global),
        cmocka_unit_test(test_fclib_local),
        cmocka_unit_test(test_fclib_global),
        cmocka_unit_test(test_local_there_and_back),
        cmocka_unit_test(test_rolling_there_and_back),
        cmocka_unit_test(test_plane_there_and_back),
        cmocka_unit_test(test_bodies_there_and_back),
        cmocka_unit_test(test_rolling_bodies_there_and_back),
        cmocka_unit_test(test_forms_that_are_not),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return run_in_folder(run);
}
