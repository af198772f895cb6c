/* Columns of /contacts: what is put comes back, all of it, and nothing else is written. Each row
 * has to carry something, so that none that was added by half goes unnoticed. */
#include "base/vec3.h"
#include "io/trajectory/contact_columns.h"
#include "near.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 3 }; /* components */

/* A contact of which no two numbers are the same; `kind` changes all of them. */
static plu_contact_row made_up(int kind)
{
    plu_contact_row row;
    memset(&row, 0, sizeof row);
    const double x = 0.5 + kind, normal[3] = {0.48 + 0.12 * kind, 0.6 - 0.6 * kind, 0.64};
    const double length = plu_norm(normal);
    double t1[3], t2[3];
    row.a = kind ? plu_side_of_part(5) : plu_side_of_sphere(11);
    row.b = 12 + kind;
    row.gap = -0.03125 * x;
    row.impulse_normal = 7.0 * x;
    row.law = 2 + kind;
    row.mode = (unsigned char)(3 + kind);
    for (int k = 0; k < 3; k++)
        row.normal[k] = normal[k] / length;
    plu_frame(row.normal, t1, t2);
    for (int k = 0; k < 3; k++) {
        row.point[k] = x * (k + 20.0);
        row.impulse_tangent[k] = x * (1.5 * t1[k] - 2.5 * t2[k]);
        row.impulse_moment[k] = x * (0.75 * row.normal[k] - 1.25 * t1[k] + 3.25 * t2[k]);
        row.velocity[k] = x * (-4.5 * row.normal[k] + 5.5 * t1[k] + 6.5 * t2[k]);
    }
    return row;
}

/* What a file has of a row. */
static void put_all(const plu_contact_row *row, double x[PLU_CONTACT_COLUMNS][MOST])
{
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++)
        plu_contact_columns[k].put(row, x[k]);
}

static plu_contact_row take_all(double x[PLU_CONTACT_COLUMNS][MOST])
{
    plu_contact_row row;
    memset(&row, 0, sizeof row);
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++)
        plu_contact_columns[k].take(x[k], x[PLU_COLUMN_TANGENT], &row);
    return row;
}

static double difference(const double *x, const double *y)
{
    double way[3];
    plu_sub(x, y, way);
    return plu_norm(way);
}

static bool same(const plu_contact_row *x, const plu_contact_row *y)
{
    const double most = 1e-12;
    return plu_side_same(x->a, y->a) && x->b == y->b && x->law == y->law && x->mode == y->mode &&
           fabs(x->gap - y->gap) < most && fabs(x->impulse_normal - y->impulse_normal) < most &&
           difference(x->point, y->point) < most && difference(x->normal, y->normal) < most &&
           difference(x->impulse_tangent, y->impulse_tangent) < most &&
           difference(x->impulse_moment, y->impulse_moment) < most &&
           difference(x->velocity, y->velocity) < most && difference(x->spin, y->spin) < most;
}

static void all_comes_back(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        double x[PLU_CONTACT_COLUMNS][MOST];
        const plu_contact_row row = made_up(kind);
        put_all(&row, x);
        const plu_contact_row got = take_all(x);
        assert_true(same(&got, &row));
    }
}

/* A column writes as many numbers as it says, and what it writes depends on the contact. */
static void widths(void **unused)
{
    (void)unused;
    const plu_contact_row rows[2] = {made_up(0), made_up(1)};
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++) {
        const plu_contact_column_facts *column = &plu_contact_columns[k];
        double x[2][MOST + 1];
        bool differs = false;
        assert_in_range(column->components, 1, MOST);
        for (int i = 0; i < 2; i++) {
            for (int c = 0; c <= MOST; c++)
                x[i][c] = NAN;
            column->put(&rows[i], x[i]);
        }
        for (int c = 0; c <= MOST; c++) {
            assert_int_equal(isfinite(x[0][c]), c < column->components);
            differs |= isfinite(x[0][c]) && x[0][c] != x[1][c];
        }
        if (!differs)
            fail_msg("%s has the same numbers for all contacts", column->name);
    }
}

/* Each number of a file is read: another one gives another contact. */
static void each_number_counts(void **unused)
{
    (void)unused;
    double x[PLU_CONTACT_COLUMNS][MOST];
    const plu_contact_row row = made_up(0);
    put_all(&row, x);
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++)
        for (int c = 0; c < plu_contact_columns[k].components; c++) {
            const double was = x[k][c];
            x[k][c] += 1.0;
            const plu_contact_row got = take_all(x);
            if (same(&got, &row))
                fail_msg("number %d of %s is not read", c, plu_contact_columns[k].name);
            x[k][c] = was;
        }
}

/* Names differ, and the page of the layout has them all, with their widths. */
static void the_page_has_them(void **unused)
{
    (void)unused;
    static char page[1 << 18];
    FILE *in = fopen(PAGE, "r");
    assert_non_null(in);
    const size_t size = fread(page, 1, sizeof page - 1, in);
    fclose(in);
    page[size] = '\0';
    const char *table = strstr(page, "\n## Contacts: ");
    assert_non_null(table);
    char *end = strstr(table + 1, "\n## ");
    assert_non_null(end);
    *end = '\0';
    for (int k = 0; k < PLU_CONTACT_COLUMNS; k++) {
        const plu_contact_column_facts *column = &plu_contact_columns[k];
        char name[64], width[16];
        snprintf(name, sizeof name, "`%s`", column->name);
        snprintf(width, sizeof width, "(C, %d ", column->components);
        const char *row = strstr(table, name);
        while (row && row > table && *(row - 1) != '\n')
            row--;
        if (!row || *row != '-')
            fail_msg("output/README.md has no row of %s", column->name);
        const char *type = strstr(row, "(C");
        assert_int_equal(column->components > 1, strncmp(type, width, strlen(width)) == 0);
        for (int other = 0; other < k; other++)
            assert_string_not_equal(plu_contact_columns[other].name, column->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_comes_back),
        cmocka_unit_test(widths),
        cmocka_unit_test(each_number_counts),
        cmocka_unit_test(the_page_has_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
