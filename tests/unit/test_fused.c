/* Multiply-adds in floats against those of the C library, which round once. */
#include "base/fused.h"
#include "draw.h"
#include "near.h"

static void check(float a, float b, float c)
{
    const float got = plu_fused(a, b, c), want = fmaf(a, b, c);
    if (memcmp(&got, &want, sizeof got) != 0)
        print_error("%a * %a + %a: %a, not %a\n", (double)a, (double)b, (double)c, (double)got,
                    (double)want);
    assert_memory_equal(&got, &want, sizeof got);
}

static float number(draw *d, int low, int high)
{
    const int exponent = (int)floor(draw_uniform(d, low, high + 1.0));
    return (float)ldexp(draw_uniform(d, -2.0, 2.0), exponent);
}

/* Also sums that cancel, and those of which one part is far below the other. */
static void anything(void **state)
{
    (void)state;
    draw d = {1};
    for (int k = 0; k < 1000000; k++) {
        const float a = number(&d, -20, 20), b = number(&d, -20, 20);
        check(a, b, number(&d, -60, 60));
        check(a, b, (float)(-(double)a * (double)b * (1.0 + draw_uniform(&d, -1e-6, 1e-6))));
    }
}

/* a b lies half way between two floats, but for a c far below: rounding to a double first and then
 * to a float would lose it. And the other way round. */
static void ties(void **state)
{
    (void)state;
    draw d = {2};
    for (int k = 0; k < 1000000; k++) {
        const float half = (float)floor(draw_uniform(&d, 8388608.0, 16777216.0)) / 8388608.0f;
        const float a = 4097.0f / 4096.0f,
                    b = (float)floor(draw_uniform(&d, 4096.0, 8192.0)) / 4096.0f;
        const float tiny = number(&d, -90, -20);
        check(a, b, tiny);
        check(half, 1.0f + 0x1p-23f, tiny);
        check(tiny, 1.0f, half);
        check(0x1p-24f, 1.0f, half);
        check(0x1.000002p-24f, 1.0f - 0x1p-24f, half);
    }
}

/* Below the normal floats, zeros and what is no number. */
static void ends(void **state)
{
    (void)state;
    draw d = {3};
    for (int k = 0; k < 1000000; k++)
        check(number(&d, -80, -60), number(&d, -80, -60), number(&d, -149, -120));
    static const float special[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, 3e38f, 1e-45f};
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 8; k++)
                if (!isnan(fmaf(special[i], special[j], special[k])))
                    check(special[i], special[j], special[k]);
    assert_true(isnan(plu_fused(NAN, 1.0f, 1.0f)) && isnan(plu_fused(INFINITY, 0.0f, 1.0f)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(anything), cmocka_unit_test(ties),
                                       cmocka_unit_test(ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
