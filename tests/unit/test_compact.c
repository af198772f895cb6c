/* What is picked, in its order, for any number of threads. */
#include "base/reorder.h"
#include "draw.h"
#include "near.h"
#include <omp.h>
#include <stdlib.h>

typedef struct numbered {
    size_t from;
    double value;
} numbered;

/* Picks what is above a half. */
static size_t large(const void *row, size_t begin, size_t end, void *out)
{
    const double *value = row;
    numbered *picked = out;
    size_t count = 0;
    for (size_t k = begin; k < end; k++)
        if (value[k] > 0.5)
            picked[count++] = (numbered){k, value[k]};
    return count;
}

/* With a half in the middle of which nothing is picked, so that chunks are empty. */
static double *random_row(size_t count)
{
    draw d = {count};
    double *value = malloc(count * sizeof *value + 1);
    for (size_t k = 0; k < count; k++)
        value[k] = k > count / 4 && k < count - count / 4 ? 0.0 : draw_uniform(&d, 0.0, 1.0);
    return value;
}

static void check(const double *value, size_t count, const numbered *picked, size_t number)
{
    size_t next = 0;
    for (size_t k = 0; k < count; k++) {
        if (!(value[k] > 0.5))
            continue;
        assert_true(next < number && picked[next].from == k);
        assert_true(picked[next++].value == value[k]);
    }
    assert_int_equal(next, number);
}

static void picks(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 100, 4096, 4097, 50000};
    const int before = omp_get_max_threads();
    plu_compaction scratch = {0};
    plu_error err;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const size_t count = sizes[i];
        double *value = random_row(count);
        numbered *out = malloc(count * sizeof *out + 1);
        for (int threads = 1; threads <= 5; threads++) {
            size_t number = count + 1;
            omp_set_num_threads(threads);
            assert_int_equal(
                plu_compact(&scratch, count, sizeof *out, large, value, out, &number, &err),
                PLU_OK);
            check(value, count, out, number);
        }
        free(value);
        free(out);
    }
    omp_set_num_threads(before);
    plu_compaction_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(picks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
