/* Exact sums: against integers, for any order, at the ends of the range of doubles. */
#include "base/exact.h"
#include "draw.h"
#include "near.h"
#include <float.h>
#include <stdlib.h>

static double sum_of(const double *x, int count)
{
    plu_exact sum = {0};
    for (int i = 0; i < count; i++)
        plu_exact_add(&sum, x[i]);
    return plu_exact_value(&sum);
}

/* To the last bit: 0 and -0 differ, and all NaN are alike. */
static void assert_same(double got, double want)
{
    if (isnan(want)) {
        assert_true(isnan(got));
        return;
    }
    if (memcmp(&got, &want, sizeof got) != 0)
        fprintf(stderr, "%a, expected %a\n", got, want);
    assert_memory_equal(&got, &want, sizeof got);
}

static void shuffle(draw *d, double *x, int count)
{
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)draw_uniform(d, 0.0, i + 1.0);
        const double swapped = x[i];
        x[i] = x[j];
        x[j] = swapped;
    }
}

static void single_terms(void **state)
{
    (void)state;
    const double x[] = {0.0,     1.0,     -1.0,          1.0 / 3.0,       -0.1,
                        DBL_MAX, DBL_MIN, -DBL_TRUE_MIN, 3.0 * 0x1p-1074, 0x1.8p-1022,
                        0x1p32,  0x1p31,  0x1p-31,       -0x1.fffffp52,   0x1.fffffffffffffp1023};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        assert_same(sum_of(&x[i], 1), x[i]);
        assert_same(sum_of((double[]){x[i], -x[i]}, 2), 0.0);
        assert_same(sum_of((double[]){x[i], x[i]}, 2), x[i] + x[i]);
    }
    for (int e = -1074; e < 1024; e++) {
        assert_same(sum_of((double[]){ldexp(1.0, e)}, 1), ldexp(1.0, e));
        assert_same(sum_of((double[]){-ldexp(1.0, e)}, 1), -ldexp(1.0, e));
        assert_same(sum_of((double[]){ldexp(1.0, e), -0x1p-1074, -ldexp(1.0, e)}, 3), -0x1p-1074);
    }
}

static void zeros(void **state)
{
    (void)state;
    assert_same(sum_of(NULL, 0), 0.0);
    assert_same(sum_of((double[]){-0.0}, 1), 0.0);
    assert_same(sum_of((double[]){-0.0, -0.0, 5.0}, 3), 5.0);
}

static void infinities(void **state)
{
    (void)state;
    const double inf = HUGE_VAL;
    assert_same(sum_of((double[]){1.0, inf, -DBL_MAX}, 3), inf);
    assert_same(sum_of((double[]){-inf, 1.0, -inf}, 3), -inf);
    assert_same(sum_of((double[]){inf, -inf, 1.0}, 3), NAN);
    assert_same(sum_of((double[]){NAN, 1.0}, 2), NAN);
    assert_same(sum_of((double[]){inf, NAN}, 2), NAN);
}

/* Beyond the largest double: infinite at the end, but not on the way. */
static void overflow(void **state)
{
    (void)state;
    const double half = 0x1p970; /* of the last bit of the largest */
    assert_same(sum_of((double[]){DBL_MAX, DBL_MAX}, 2), HUGE_VAL);
    assert_same(sum_of((double[]){-DBL_MAX, -DBL_MAX}, 2), -HUGE_VAL);
    assert_same(sum_of((double[]){DBL_MAX, DBL_MAX, -DBL_MAX}, 3), DBL_MAX);
    assert_same(sum_of((double[]){DBL_MAX, half}, 2), HUGE_VAL);
    assert_same(sum_of((double[]){DBL_MAX, half, -0x1p-1074}, 3), DBL_MAX);
    plu_exact sum = {0};
    for (int i = 0; i < 5000; i++)
        plu_exact_add(&sum, i < 3000 ? -DBL_MAX : DBL_MAX);
    for (int i = 0; i < 999; i++)
        plu_exact_add(&sum, DBL_MAX);
    assert_same(plu_exact_value(&sum), -DBL_MAX);
}

/* To the nearest, to even where two are as near, whatever is far behind. */
static void rounding(void **state)
{
    (void)state;
    const double half = 0x1p-53, least = 0x1p-1074;
    assert_same(sum_of((double[]){1.0, half}, 2), 1.0);
    assert_same(sum_of((double[]){1.0 + 2.0 * half, half}, 2), 1.0 + 4.0 * half);
    assert_same(sum_of((double[]){1.0, half, least}, 3), 1.0 + 2.0 * half);
    assert_same(sum_of((double[]){-1.0, -half, -least}, 3), -1.0 - 2.0 * half);
    assert_same(sum_of((double[]){1.0 + 2.0 * half, half, -least}, 3), 1.0 + 2.0 * half);
    assert_same(sum_of((double[]){0x1p-1021, least}, 2), 0x1p-1021);
    assert_same(sum_of((double[]){0x1p-1021, 2.0 * least, least}, 3), 0x1p-1021 + 4.0 * least);
    assert_same(sum_of((double[]){2.0 - 2.0 * half, half}, 2), 2.0);
}

enum { MANY = 20000 };

/* Integers times a power of two, whose sum is an integer of 63 bits: rounded as a conversion is. */
static void integers(void **state)
{
    (void)state;
    draw d = {1};
    double *x = malloc(MANY * sizeof *x);
    for (int round = 0; round < 40; round++) {
        const int unit = (int)draw_uniform(&d, -1074.0, 960.0);
        const int count = 1 + (int)draw_uniform(&d, 0.0, MANY);
        int64_t whole = 0;
        for (int i = 0; i < count; i++) {
            const int64_t n = (int64_t)draw_uniform(&d, -0x1p48, round % 2 ? 0x1p48 : 1.0);
            whole += n;
            x[i] = ldexp((double)n, unit);
        }
        const long double exact = ldexpl((long double)whole, unit);
        for (int again = 0; again < 3; again++) {
            assert_same(sum_of(x, count), (double)exact);
            shuffle(&d, x, count);
        }
    }
    free(x);
}

/* Of all sizes: what cancels leaves nothing, in any order and however the terms are shared out. */
static void orders(void **state)
{
    (void)state;
    draw d = {2};
    double *x = malloc(MANY * sizeof *x);
    for (int i = 0; i < MANY; i += 2) {
        x[i] = draw_log(&d, 1e-300, 1e300);
        x[i + 1] = -x[i];
    }
    shuffle(&d, x, MANY);
    assert_same(sum_of(x, MANY), 0.0);
    x[0] = draw_uniform(&d, -1.0, 1.0);
    const double left = sum_of(x, MANY);
    for (int round = 0; round < 20; round++) {
        plu_exact part[5] = {0}, sum = {0};
        shuffle(&d, x, MANY);
        for (int i = 0; i < MANY; i++)
            plu_exact_add(&part[(int)draw_uniform(&d, 0.0, 5.0)], x[i]);
        for (int k = 0; k < 5; k++)
            plu_exact_join(&sum, &part[(k + round) % 5]);
        assert_same(plu_exact_value(&sum), left);
        assert_same(sum_of(x, MANY), left);
    }
    free(x);
}

/* Sums that are joined over and over, as partial sums of threads are. */
static void joins(void **state)
{
    (void)state;
    plu_exact sum = {0}, part = {0};
    for (int i = 0; i < 1024; i++)
        plu_exact_add(&part, -0x1.fffffffffffffp31);
    for (int i = 0; i < 5000; i++)
        plu_exact_join(&sum, &part);
    assert_same(plu_exact_value(&sum), -0x1.fffffffffffffp31 * 1024 * 5000);
    plu_exact other = {0};
    plu_exact_add(&other, NAN);
    plu_exact_join(&sum, &other);
    assert_same(plu_exact_value(&sum), NAN);
}

static void columns(void **state)
{
    (void)state;
    struct {
        double a, b, c;
    } rows[] = {{1e300, 1.0, 7.0}, {1.0, 0x1p-60, 7.0}, {-1e300, -1.0, 7.0}};
    double total[2];
    plu_exact_columns(rows, 3, sizeof *rows, 2, total);
    assert_same(total[0], 1.0);
    assert_same(total[1], 0x1p-60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_terms), cmocka_unit_test(zeros),    cmocka_unit_test(infinities),
        cmocka_unit_test(overflow),     cmocka_unit_test(rounding), cmocka_unit_test(integers),
        cmocka_unit_test(orders),       cmocka_unit_test(joins),    cmocka_unit_test(columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
