/* Problem files that are wrong: one sentence with the name of the file and, in texts, the line. */
#include "draws.h"
#include "problem_files.h"
#include <limits.h>
#include <sys/stat.h>

static void expect_bad(const char *name, const char *why)
{
    plu_contact_problem *problem = NULL;
    const plu_status status = plu_contact_problem_read(&problem, name, &err);
    if (status != PLU_BAD_INPUT)
        fail_msg("%s: status %d instead of a refusal (%s)", why, status, err.text);
    assert_null(problem);
    if (strncmp(err.text, name, strlen(name)) != 0 || strchr(err.text, '\n') ||
        !strstr(err.text, why))
        fail_msg("\"%s\" does not begin with \"%s\" and say \"%s\"", err.text, name, why);
}

static void bad_text(const char *text, const char *why)
{
    write_bytes("bad.dat", text, strlen(text));
    expect_bad("bad.dat", why);
}

static void test_texts(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"", ":1: the file ends before the dimension"},
        {"\n\n4\n1\n", ":3: the dimension is 4"},
        {"three", ":1: the dimension (2, 3 or 5) is \"three\""},
        {"3\n-1\n", ":2: the number of contacts is \"-1\""},
        {"3\n0\n", ":2: the number of contacts is \"0\""},
        {"3\n2000000000\n0\n", ":2: the number of contacts is \"2000000000\""},
        {"3\n99999999999999999999\n0\n", "the number of contacts is \"99999999999999999999\""},
        {"3\n1.5\n", "the number of contacts is \"1.5\""},
        {"3\n1\n7\n3\n3\n", ":3: the storage of the matrix"},
        {"3\n1\n0\n-3\n3\n", ":4: the number of rows is \"-3\""},
        {"3\n1\n0\n3\n4\n3 4\n", ":5: the number of columns is \"4\""},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 nan\n1 2 3\n1\n",
         ":7: an entry of the matrix is \"nan\""},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1e999\n1 2 3\n1\n", "must be a finite number"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2\n", ":9: the file ends before a number of q"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2 3\n-0.5\n",
         ":9: the friction of a contact is -0.5"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 0\n1 2 3\n0.5\n", "the diagonal of W is 0 in row 2"},
        {"3\n1\n0\n3\n3\n3 3\n-1 0 0 0 1 0 0 0 1\n1 2 3\n0.5\n",
         ":3: contact 0: the diagonal of W is -1 in row 0"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2 3\n0.5\n1\n2\n",
         ":11: the file contains more"},
        /* rolling friction in the plane: mu_r behind mu */
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2 3\n0.5\n-0.001\n",
         ":10: the rolling friction of a contact is -0.001"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2 3\n0.5\n0.1\nlength\n0\n",
         "a length of 0 m is not a meaningful scale"},
        {"3\n1\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2 3\n0.5\n0.001 1 2\n",
         ":10: the flag at the end is \"0.001\""},
        {"2\n1\n0\n2\n2\n2 2\n1 0 0 1\n1 2\n0.5\n0.1\n", ":10: the flag at the end is \"0.1\""},
        {"3\n2\n0\n3\n3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2 3 4 5 6\n0.5 0.5\n", "the matrix has 3 rows"},
        {"5\n1\n0\n5\n5\n5 5\n1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1\n1 2 3 4 "
         "5\n1\n-1\n",
         ":10: the rolling friction of a contact is -1"},
        {"5\n1\n0\n5\n5\n5 5\n1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1 0 0 0 0 0 1\n1 2 3 4 5\n1\n1\n"
         "length\n0\n",
         "a length of 0 m is not a meaningful scale"},
        /* sparse blocks */
        {"3\n1\n1\n3\n3\n1\n2\n1\n3\n3\n3\n2\n1\n0 1\n0\n0\n1\n",
         ":10: the end of a block row is \"3\""},
        {"3\n1\n1\n3\n3\n9\n1\n1\n3\n3\n2\n1\n0 1\n0\n0\n1\n", "the number of column indices"},
        {"3\n1\n1\n3\n3\n1\n1\n1\n4\n3\n2\n1\n0 1\n0\n0\n1\n",
         ":9: the end of a block row is \"4\""},
        {"3\n1\n1\n3\n3\n1\n1\n1\n2\n3\n2\n1\n0 1\n0\n0\n1\n", "the blocks end at row or column 2"},
        {"3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 1\n1\n0\n1\n",
         ":14: the column of a block is \"1\""},
        {"3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n1 0\n0\n0\n1\n", "the row pointers do not increase"},
        {"3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 0\n0\n0\n1\n", "the row pointers end at 0"},
        {"3\n1\n1\n3\n3\n1\n1\n1\n3\n3\n2\n1\n0 1\n0\n5\n1\n",
         ":15: the number of the block is \"5\""},
        /* CSparse */
        {"3\n1\n2\n3\n3\n1\nC\n", "expected \"CSparse Version"},
        {"3\n1\n2\n3\n3\n1\nCSparse\ntriplet: 4-by-3, nzmax: 1 nnz: 1\n", ":8: expected \"3-by-3"},
        {"3\n1\n2\n3\n3\n1\nCSparse\ntriplet: 3-by-3, nzmax: 1 nnz: 1\n3 0 : 1\n",
         ":9: the row of an entry is \"3\""},
        {"3\n1\n2\n3\n3\n1\nCSparse\ntriplet: 3-by-3, nzmax: 2 nnz: 2\n0 0 : 1\n1 2 3\n0.5\n",
         "the matrix has 1 entries up to here, but it announces 2"},
        {"3\n1\n2\n3\n3\n2\nCSparse\n3-by-3, nzmax: 1 nnz: 1\ncol 1 : locations 0 to 0\n",
         "the number of the column is \"1\""},
        /* global */
        {"3\n1\n0\n4\n4\n4 4\n1 0 0 0 0 1 0 0 0 0 0 0 0 0 0 1\n0\n4\n3\n4 3\n1 0 0 0 0 1 0 0 0 0 1 "
         "0\n"
         "0 0 0 0\n0 0 0\n0.5\n",
         ":3: M is singular in the rows of body 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        bad_text(cases[k][0], cases[k][1]);
}

/* A global text of `contacts` contacts in space, M a matrix of ones in the first `full` rows and of
 * ones on the diagonal in the others; each contact acts on row 0, and the first on rows 6 and 12.
 */
static void write_global(int contacts, int freedom, int full)
{
    FILE *file = fopen("bad.dat", "w");
    assert_non_null(file);
    const int entries = full * full + freedom - full, n = 3 * contacts;
    fprintf(file, "3 %d\n2 %d %d 1\nCSparse\ntriplet: %d-by-%d, nzmax: %d nnz: %d\n", contacts,
            freedom, freedom, freedom, freedom, entries, entries);
    for (int i = 0; i < freedom; i++)
        for (int j = i < full ? 0 : i; j < (i < full ? full : i + 1); j++)
            fprintf(file, "%d %d : 1\n", i, j);
    const int more = freedom > 12 ? 2 : 0;
    fprintf(file, "2 %d %d 1\nCSparse\ntriplet: %d-by-%d, nzmax: %d nnz: %d\n", freedom, n, freedom,
            n, contacts + more, contacts + more);
    for (int c = 0; c < contacts; c++)
        fprintf(file, "0 %d : 1\n", 3 * c);
    fputs(more ? "6 0 : 1\n12 0 : 1\n" : "", file);
    for (int k = 0; k < freedom + n + contacts; k++)
        fputs("1\n", file);
    fclose(file);
}

/* Little in the file, much in memory or long in the making. */
static void test_global_texts(void **unused)
{
    (void)unused;
    write_global(1, 18, 9);
    expect_bad("bad.dat", ":2: M, 18 x 18, is singular");
    write_global(6000, 6, 0);
    expect_bad("bad.dat", "W would take at least 2.59 GB, too much for a file of");
    if (SANITIZED) /* with strict_string_checks each number asks how long the rest of the text is */
        return;
    write_global(12000, 30000, 0);
    expect_bad("bad.dat", "W is too large to form otherwise (36000 rows");
}

/* Every text that ends too early, at whatever byte (the last number may lose digits). */
static void test_texts_cut_short(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "2 1 1 2 2 1 1 1 2 2 2 1 0 1 0 0 1 0 0 1 -1 0 9\n",
        "2 1 2 2 2 2\nCSparse\n2-by-2, nzmax: 2 nnz: 2\ncol 0 : locations 0 to 0\n0 : 1\n"
        "col 1 : locations 1 to 1\n1 : 2\n-1 0 9\n",
        "3 1 0 6 6 6 6 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1\n"
        "0 6 3 6 3 1 0 0 0 0 0 0 1 0 0 0 0 0 0 1 0 0 0 1 2 3 4 5 6 1 2 3 9\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const size_t size = strlen(texts[k]);
        write_bytes("text.dat", texts[k], size);
        plu_contact_problem_destroy(read_problem("text.dat"));
        for (size_t n = 0; n + 2 < size; n++) {
            write_bytes("bad.dat", texts[k], n);
            expect_bad("bad.dat", "bad.dat:");
        }
    }
}

static void test_places(void **unused)
{
    (void)unused;
    plu_contact_problem *problem = NULL;
    assert_int_equal(plu_contact_problem_read(&problem, "nowhere", &err), PLU_IO);
    assert_non_null(strstr(err.text, "cannot open nowhere"));
    assert_int_equal(mkdir("folder", 0700), 0);
    expect_bad("folder", "a folder, not a contact problem");
    rmdir("folder");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    expect_bad("pipe", "not a regular file");
}

/* --- FCLIB --- */

/* A local problem of one contact; each field is what a case changes. */
typedef struct local {
    int spacedim, q_count, mu_count, r_count;
    fclib_matrix w;
    double q[4], mu[2];
    bool bilateral, no_w;
} local;

static const local right = {
    .spacedim = 3,
    .q_count = 3,
    .mu_count = 1,
    .r_count = 3,
    .w = {3, 3, -1, 3, 4, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}},
    .q = {-1, 0, 0},
    .mu = {0.5},
};

static void write_local(const local *l)
{
    static const double zeros[4] = {0};
    const hid_t file = new_file();
    put_int(file, "fclib_local/spacedim", l->spacedim);
    if (!l->no_w)
        put_matrix(file, "fclib_local/W", &l->w);
    if (l->bilateral)
        put_matrix(file, "fclib_local/V", &l->w);
    put_reals(file, "fclib_local/vectors/q", (hsize_t)l->q_count, l->q);
    put_reals(file, "fclib_local/vectors/mu", (hsize_t)l->mu_count, l->mu);
    put_reals(file, "solution/r", (hsize_t)l->r_count, zeros);
    H5Fclose(file);
}

static void bad_local(const local *l, const char *why)
{
    write_local(l);
    expect_bad("made.hdf5", why);
}

static void test_fclib_lengths(void **unused)
{
    (void)unused;
    write_local(&right);
    plu_contact_problem_destroy(read_problem("made.hdf5"));
    local l = right;
    l.spacedim = 4;
    bad_local(&l, "fclib_local/spacedim is 4; it must be 2 or 3");
    l = right;
    l.q_count = 4;
    bad_local(&l, "fclib_local/vectors/q has 4 numbers; it must have 3");
    l = right;
    l.mu_count = 2;
    bad_local(&l, "fclib_local/vectors/q has 3 numbers; it must have 6");
    l = right;
    l.mu_count = 0;
    bad_local(&l, "it has no contacts");
    l = right;
    l.r_count = 2;
    bad_local(&l, "solution/r has 2 numbers; it must have 3");
    l = right;
    l.bilateral = true;
    bad_local(&l, "bilateral constraints (fclib_local/V)");
    l = right;
    l.no_w = true;
    bad_local(&l, "the data set fclib_local/W/m");
}

static void test_fclib_matrices(void **unused)
{
    (void)unused;
    static const struct {
        fclib_matrix w;
        const char *why;
    } cases[] = {
        {{4, 3, -1, 3, 4, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}}, "W is 4 x 3; it must be 3 x 3"},
        {{3, -3, -1, 3, 4, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}}, "W is 3 x -3"},
        {{3, 3, -3, 3, 4, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}},
         "nz = -3 and nzmax = 3 are not possible"},
        {{3, 3, 4, 3, 4, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}},
         "nz = 4 and nzmax = 3 are not possible"},
        {{3, 3, -1, 3, 3, {0, 1, 2}, {0, 1, 2}, {1, 1, 1}}, "W/p has 3 numbers; it must have 4"},
        {{3, 3, -2, 3, 5, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}}, "W/p has 5 numbers; it must have 4"},
        {{3, 3, -1, 3, 4, {0, 1, 2, 4}, {0, 1, 2}, {1, 1, 1}}, "W/p ends at 4"},
        {{3, 3, -1, 3, 4, {0, 1, 2, INT_MIN}, {0, 1, 2}, {1, 1, 1}}, "W/p ends at -2147483648"},
        {{3, 3, -1, 3, 4, {0, 2, 1, 3}, {0, 1, 2}, {1, 1, 1}}, "W/p does not increase"},
        {{3, 3, -1, 3, 4, {1, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}}, "W/p does not increase from 0"},
        {{3, 3, -1, 3, 4, {0, 1, 2, 3}, {0, 1, 3}, {1, 1, 1}}, "W/i contains an index outside"},
        {{3, 3, -2, 3, 4, {0, 1, 2, 3}, {0, -1, 2}, {1, 1, 1}}, "W/i contains an index outside"},
        {{3, 3, 3, 3, 3, {0, 1, 3}, {0, 1, 2}, {1, 1, 1}},
         "contains an index outside of the matrix"},
        {{3, 3, -1, 3, 4, {0, 1, 2, 3}, {0, 1, 2}, {1, NAN, 1}}, "W/x: number 1 is not finite"},
        {{3, 3, -1, 3, 4, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, -1}}, "the diagonal of W is -1 in row 2"},
        {{3, 3, -1, 2, 4, {0, 1, 2, 2}, {0, 1}, {1, 1}}, "the diagonal of W is 0 in row 2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        local l = right;
        l.w = cases[k].w;
        bad_local(&l, cases[k].why);
    }
    local l = right;
    l.mu[0] = -0.5;
    bad_local(&l, "friction -0.5");
    l.mu[0] = INFINITY;
    bad_local(&l, "vectors/mu: number 0 is not finite");
}

/* A vector of a billion numbers that was never written, in a file of a few kB; one that lies in
 * another file; a link that leads elsewhere; other types. */
static void test_fclib_tricks(void **unused)
{
    (void)unused;
    static const char *const whys[] = {"more than the file contains", "more than the file contains",
                                       "is missing or cannot be read",
                                       "is not a vector of numbers"};
    for (int k = 0; k < 4; k++) {
        write_local(&right);
        const hid_t file = H5Fopen("made.hdf5", H5F_ACC_RDWR, H5P_DEFAULT);
        const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t huge = k == 0 ? 1000000000 : 1;
        const hid_t space = H5Screate_simple(1, &huge, NULL);
        assert_true(H5Ldelete(file, "fclib_local/vectors/mu", H5P_DEFAULT) >= 0);
        if (k == 1)
            H5Pset_external(how, "elsewhere", 0, 8);
        if (k == 2)
            H5Lcreate_external("elsewhere", "/mu", file, "fclib_local/vectors/mu", H5P_DEFAULT,
                               H5P_DEFAULT);
        else
            H5Dclose(H5Dcreate2(file, "fclib_local/vectors/mu",
                                k == 3 ? H5T_C_S1 : H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how,
                                H5P_DEFAULT));
        H5Sclose(space);
        H5Pclose(how);
        H5Fclose(file);
        expect_bad("made.hdf5", whys[k]);
    }
}

/* That takes a third row. */
static void test_fclib_rolling_in_the_plane(void **unused)
{
    (void)unused;
    static const double mu_r[] = {0.001}, q[] = {1, 2};
    static const fclib_matrix w = {2, 2, -1, 2, 3, {0, 1, 2}, {0, 1}, {1, 1}};
    const hid_t file = new_file();
    put_int(file, "fclib_local/spacedim", 2);
    put_matrix(file, "fclib_local/W", &w);
    put_reals(file, "fclib_local/vectors/q", 2, q);
    put_reals(file, "fclib_local/vectors/mu", 1, mu_r);
    put_reals(file, "fclib_local/vectors/mu_r", 1, mu_r);
    H5Fclose(file);
    expect_bad("made.hdf5", "it has rolling friction (fclib_local/vectors/mu_r) and 2 rows");
}

static void test_fclib_files(void **unused)
{
    (void)unused;
    H5Fclose(new_file());
    expect_bad("made.hdf5", "not a contact problem of FCLIB");
    write_local(&right);
    FILE *file = fopen("made.hdf5", "rb");
    assert_non_null(file);
    static char bytes[65536];
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_in_range(size, 1000, sizeof bytes - 1);
    for (size_t n = 8; n < size; n += 97) {
        write_bytes("made.hdf5", bytes, n);
        expect_bad("made.hdf5", "made.hdf5: ");
    }
}

/* A number type of no bytes: each 4 or 8 in the file in turn becomes 0. */
static void test_fclib_sizes(void **unused)
{
    (void)unused;
    static char bytes[65536];
    write_local(&right);
    FILE *file = fopen("made.hdf5", "rb");
    assert_non_null(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    int refused = 0;
    for (size_t n = 0; n < size; n++) {
        const char byte = bytes[n];
        if (byte != 4 && byte != 8)
            continue;
        bytes[n] = 0;
        write_bytes("made.hdf5", bytes, size);
        bytes[n] = byte;
        plu_contact_problem *problem = NULL;
        if (plu_contact_problem_read(&problem, "made.hdf5", &err) != PLU_OK) {
            assert_null(problem);
            assert_non_null(strstr(err.text, "made.hdf5"));
            refused++;
        }
        plu_contact_problem_destroy(problem);
    }
    assert_true(refused >= 11); /* the types of the eleven data sets */
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),           cmocka_unit_test(test_global_texts),
        cmocka_unit_test(test_texts_cut_short), cmocka_unit_test(test_places),
        cmocka_unit_test(test_fclib_lengths),   cmocka_unit_test(test_fclib_matrices),
        cmocka_unit_test(test_fclib_tricks),    cmocka_unit_test(test_fclib_rolling_in_the_plane),
        cmocka_unit_test(test_fclib_files),     cmocka_unit_test(test_fclib_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return run_in_folder(run);
}
