/* From a campaign file to its cases, and from JSON to numbers. */
#include "scene_files.h"

#include "near.h"
#include "pluvia/tool/campaign.h"
#include <math.h>

static plu_campaign campaign;

static plu_status read_campaign(const char *text)
{
    plu_campaign_free(&campaign);
    memset(&err, 0, sizeof err);
    write_file("campaign.cfg", text);
    return plu_campaign_read(&campaign, "campaign.cfg", &err);
}

static double value(int index, int input)
{
    return strtod(campaign.cases[index].values[input], NULL);
}

static void test_ranges(void **state)
{
    (void)state;
    assert_int_equal(
        read_campaign("scene = \"a.cfg\";\n"
                      "axes = ( { key = \"x.a\"; range = [0.1, 0.5]; count = 5; },\n"
                      "         { key = \"x.b\"; log_range = [1e-5, 1]; count = 6; } );"),
        PLU_OK);
    assert_int_equal(campaign.cases_count, 30);
    for (int i = 0; i < 30; i++) {
        assert_near(value(i, 0), 0.1 + 0.1 * (i / 6), 1e-15);
        assert_near(value(i, 1) / pow(10.0, i % 6 - 5), 1.0, 1e-5);
    }
    assert_string_equal(campaign.cases[2 * 6].values[0], "0.3");
    assert_string_equal(campaign.cases[5].name, "a=0.1,b=1");
}

static void test_keys_move_together(void **state)
{
    (void)state;
    assert_int_equal(read_campaign("scene = \"a.cfg\";\n"
                                   "axes = ( { key = [\"p\", \"q\"];\n"
                                   "           values = ([1, \"one\"], 2, [[3, 4], true]); },\n"
                                   "         { seeds = [7, 9]; } );"),
                     PLU_OK);
    static const char *const want[6][3] = {{"1", "\"one\"", "7"},   {"1", "\"one\"", "9"},
                                           {"2", "2", "7"},         {"2", "2", "9"},
                                           {"[3, 4]", "true", "7"}, {"[3, 4]", "true", "9"}};
    assert_int_equal(campaign.cases_count, 6);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++)
            assert_string_equal(campaign.cases[i].values[k], want[i][k]);
    assert_string_equal(campaign.cases[0].name, "p=1,q=one,seed=7");
    assert_string_equal(campaign.cases[5].name, "p=3_4,q=true,seed=9");
}

/* A filter leaves what a loop over all pairs leaves. */
static void test_filters(void **state)
{
    (void)state;
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    for (int op = 0; op < 6; op++) {
        char text[512];
        snprintf(text, sizeof text,
                 "scene = \"a.cfg\"; where = [\"a %s b\", \"3 > b\"];\n"
                 "axes = ( { key = \"a\"; range = [1, 4]; count = 4; },\n"
                 "         { key = \"b\"; values = [1, 2.0, 3, 4]; } );",
                 ops[op]);
        assert_int_equal(read_campaign(text), PLU_OK);
        int passed = 0;
        for (int a = 1; a <= 4; a++)
            for (int b = 1; b <= 4; b++) {
                const bool passes[] = {a<b, a <= b, a> b, a >= b, a == b, a != b};
                if (!passes[op] || b >= 3)
                    continue;
                assert_near(value(passed, 0), a, 0.0);
                assert_near(value(passed, 1), b, 0.0);
                passed++;
            }
        assert_int_equal(campaign.cases_count, passed);
    }
}

/* What a folder cannot hold does not make two cases one. */
static void test_names_are_unique(void **state)
{
    (void)state;
    assert_int_equal(
        read_campaign("scene = \"a.cfg\";\n"
                      "axes = ( { key = \"f.path\"; values = [\"a/b\", \"a:b\"]; } );"),
        PLU_OK);
    assert_string_not_equal(campaign.cases[0].name, campaign.cases[1].name);
    for (int i = 0; i < 2; i++)
        assert_null(strpbrk(campaign.cases[i].name, "/: \""));
}

static void test_json(void **state)
{
    (void)state;
    plu_result result;
    assert_int_equal(plu_result_parse(&result,
                                      "{\"a\": {\"b\": [1, -2.5e3, {\"c\": true}], \"d\": null},\n"
                                      " \"e\": \"x\\\"\\u0041\\n\", \"f\": {}, \"g\": []}\n",
                                      "here", &err),
                     PLU_OK);
    assert_int_equal(result.count, 5);
    assert_near(plu_result_find(&result, "a.b.0")->number, 1.0, 0.0);
    assert_near(plu_result_find(&result, "a.b.1")->number, -2500.0, 0.0);
    assert_near(plu_result_find(&result, "a.b.2.c")->number, 1.0, 0.0);
    assert_true(isnan(plu_result_find(&result, "a.d")->number));
    assert_string_equal(plu_result_find(&result, "e")->text, "x\"A\n");
    assert_null(plu_result_find(&result, "a"));
    plu_result_free(&result);
}

/* What a text of JSON stands for; NULL: it is refused. */
static void json_text(const char *json, const char *wanted)
{
    char object[100];
    plu_result result;
    snprintf(object, sizeof object, "{\"a\": \"%s\"}", json);
    const plu_status status = plu_result_parse(&result, object, "here", &err);
    assert_int_equal(status, wanted ? PLU_OK : PLU_BAD_INPUT);
    if (wanted)
        assert_string_equal(plu_result_find(&result, "a")->text, wanted);
    plu_result_free(&result);
}

/* Code points of one to four bytes (RFC 3629, section 7, and RFC 8259, section 7), as they are and
 * escaped; half a pair is none, and neither is what C cannot hold. */
static void test_unicode(void **state)
{
    (void)state;
    json_text("\\u0041\\u00e9\\u20AC\\uD834\\uDD1E", "A\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e");
    json_text("A\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e", "A\xc3\xa9\xe2\x82\xac\xf0\x9d\x84\x9e");
    json_text("\\u007f\\u0080\\u07ff\\u0800\\uffff",
              "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf");
    json_text("\\ud800\\udc00\\udbff\\udfff", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
    json_text("latin \xe9", "latin \xe9");
    const char *const refused[] = {"\\ud834", "\\ud834x", "\\ud834\\n", "\\ud834\\u0041",
                                   "\\udd1e", "\\u0000",  "\\u+041",    "\\u 41",
                                   "\\u0x41", "\\u41",    "\\x41"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        json_text(refused[i], NULL);
}

/* Every beginning of an object is refused, and so is what follows it. */
static void test_damaged_json(void **state)
{
    (void)state;
    static const char whole[] = "{\"a\": [1, {\"b\": \"t\\u0041\\n\"}], \"c\": null}";
    char part[sizeof whole + 1];
    plu_result result;
    for (size_t length = 0; length < sizeof whole - 1; length++) {
        snprintf(part, sizeof part, "%.*s", (int)length, whole);
        assert_int_equal(plu_result_parse(&result, part, "here", &err), PLU_BAD_INPUT);
        plu_result_free(&result);
    }
    snprintf(part, sizeof part, "%s}", whole);
    assert_int_equal(plu_result_parse(&result, part, "here", &err), PLU_BAD_INPUT);
    plu_result_free(&result);
    char deep[200];
    memset(deep, '[', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    memcpy(deep, "{\"a\":", 5);
    assert_int_equal(plu_result_parse(&result, deep, "here", &err), PLU_BAD_INPUT);
    plu_result_free(&result);
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),  cmocka_unit_test(test_keys_move_together),
        cmocka_unit_test(test_filters), cmocka_unit_test(test_names_are_unique),
        cmocka_unit_test(test_json),    cmocka_unit_test(test_damaged_json),
        cmocka_unit_test(test_unicode),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    plu_campaign_free(&campaign);
    return failed;
}

int main(void)
{
    return run_in_folder(run);
}
