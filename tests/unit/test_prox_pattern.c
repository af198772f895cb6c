/* Which contacts the factors of the proximal Newton method have room for. */
#include "general/prox_system.h"
#include "near.h"
#include <stdlib.h>

enum { MANY = 3000, FEW = 50 };

static void close_contacts(plu_prox_slope *slope, int begin, int end, double normal)
{
    for (int c = begin; c < end; c++)
        slope[c].normal = normal;
}

static int count(const plu_prox_pattern *p)
{
    int within = 0;
    for (int c = 0; c < p->contacts; c++)
        within += p->within[c];
    return within;
}

static void test_many(void **state)
{
    (void)state;
    plu_error err;
    plu_prox_pattern p;
    plu_prox_slope *slope = calloc(MANY, sizeof *slope);
    assert_non_null(slope);
    assert_int_equal(plu_prox_pattern_start(&p, MANY, &err), PLU_OK);
    assert_true(p.follows);
    assert_int_equal(count(&p), 0);
    assert_false(plu_prox_pattern_follow(&p, slope)); /* all are open */
    close_contacts(slope, 100, 1100, 1.0);
    assert_true(plu_prox_pattern_follow(&p, slope));
    assert_int_equal(count(&p), 1000);
    assert_true(p.within[100] && p.within[1099] && !p.within[99] && !p.within[1100]);
    assert_false(plu_prox_pattern_follow(&p, slope));
    close_contacts(slope, 100, 120, 0.0); /* a few that have opened do no harm */
    for (int k = 0; k < 100; k++)
        assert_false(plu_prox_pattern_follow(&p, slope));
    slope[5].normal = 1.0; /* one is lacking: the pattern is made anew, without those */
    assert_true(plu_prox_pattern_follow(&p, slope));
    assert_int_equal(count(&p), 981);
    slope[5].normal = 0.0; /* it opens and closes without a new pattern */
    assert_false(plu_prox_pattern_follow(&p, slope));
    slope[5].normal = 1.0;
    assert_false(plu_prox_pattern_follow(&p, slope));
    close_contacts(slope, 120, 600, 0.0); /* many that have been open for a while do */
    int changes = 0;
    for (int k = 0; k < 100; k++)
        changes += plu_prox_pattern_follow(&p, slope);
    assert_int_equal(changes, 1);
    assert_int_equal(count(&p), 501);
    plu_prox_pattern_free(&p);
    free(slope);
}

static void test_few(void **state)
{
    (void)state;
    plu_error err;
    plu_prox_pattern p;
    plu_prox_slope slope[FEW] = {0};
    assert_int_equal(plu_prox_pattern_start(&p, FEW, &err), PLU_OK);
    assert_int_equal(count(&p), FEW);
    for (int k = 0; k < 100; k++)
        assert_false(plu_prox_pattern_follow(&p, slope));
    plu_prox_pattern_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
