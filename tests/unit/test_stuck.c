/* Where sweeps with momentum find no end (sweep/search.h), and what follows. */
#include "near.h"
#include "sweep/search.h"

/* Tiled islands lose their momentum where the errors of many sweeps go up and down, unless they are
 * deep, and are combined then, unless they are so large that there is no room for it. */
static void momentum_that_finds_no_end(void **state)
{
    (void)state;
    const plu_solve_settings settings = {.momentum = true, .anderson_after = 100};
    plu_island tiled = {.tiled = true, .padded = true, .contacts = 500000}, *island = &tiled;
    plu_island_result result = {.iterations = 120};
    plu_search search = {.state = {.island = island, .settings = &settings},
                         .settings = &settings,
                         .result = &result,
                         .load = 9000.0,
                         .checks = {.last = 110, .missed = 2.0, .falls = true}};
    plu_search *x = &search;
    assert_false(plu_search_is_stuck(x));
    assert_true(plu_search_has_momentum(x) && !plu_search_may_combine(x));
    x->checks.falls = false;
    assert_true(plu_search_is_stuck(x));
    x->stuck = true;
    assert_true(!plu_search_has_momentum(x) && plu_search_may_combine(x));
    island->contacts = 600000;
    assert_true(!plu_search_has_momentum(x) && !plu_search_may_combine(x));
    x->load = 11000.0;
    assert_false(plu_search_is_stuck(x));
    x->load = 3000.0;
    x->checks.last = 90;
    assert_false(plu_search_is_stuck(x));
    x->checks.last = 110;
    island->tiled = false;
    assert_false(plu_search_is_stuck(x));
    assert_true(plu_search_has_momentum(x) && plu_search_may_combine(x));
    x->load = 1900.0;
    assert_true(plu_search_is_stuck(x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum_that_finds_no_end)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
