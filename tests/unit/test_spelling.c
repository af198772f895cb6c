#include "near.h"
#include "pluvia/tool/paths.h"

static void names_in_two_spellings(void **state)
{
    (void)state;
    assert_true(plu_same_name("colour", "color"));
    assert_true(plu_same_name("color", "colour"));
    assert_true(plu_same_name("colour", "colour"));
    assert_true(plu_same_name("contacts.mobilised", "contacts.mobilized"));
    assert_true(plu_same_name("a-colour-b", "a-color-b"));
    assert_true(plu_same_name("", ""));
}

static void other_names(void **state)
{
    (void)state;
    assert_false(plu_same_name("colour", "colours"));
    assert_false(plu_same_name("colou", "colo"));
    assert_false(plu_same_name("color", "mobilized"));
    assert_false(plu_same_name("colo", "color"));
    assert_false(plu_same_name("color", "colo"));
    assert_false(plu_same_name("color", ""));
    assert_false(plu_same_name("centre", "center"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_in_two_spellings),
        cmocka_unit_test(other_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
