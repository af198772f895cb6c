/* A calibration of functions that are known: what is found, how often it is right, what it costs.
 */
#include "scene_files.h"

#include "draw.h"
#include "pluvia/tool/calibration.h"

static plu_campaign campaign;
static plu_calibration calibration;
static plu_answer answer;

static plu_status begin(const char *axes, const char *targets)
{
    char text[1024];
    plu_answer_free(&answer);
    plu_calibration_free(&calibration);
    plu_campaign_free(&campaign);
    memset(&err, 0, sizeof err);
    write_file("base.cfg", right);
    snprintf(text, sizeof text, "scene = \"base.cfg\";\naxes = ( %s );\ntargets = ( %s );\n", axes,
             targets);
    write_file("calibration.cfg", text);
    const plu_status status = plu_campaign_read(&campaign, "calibration.cfg", &err);
    return status == PLU_OK ? plu_calibration_begin(&calibration, &campaign, &err) : status;
}

#define MU "{ key = \"contacts.*.friction\"; name = \"mu\"; range = [0, 1]; count = 5; }"
#define MU_R                                                                                       \
    "{ key = \"contacts.*.rolling_friction\"; name = \"mu_r\"; log_range = [1e-4, 1]; count = 5; " \
    "}"

static double input(int index, int k)
{
    return k < campaign.keys.count ? strtod(campaign.cases[index].values[k], NULL) : 0.0;
}

typedef double function(double x, double y, int target);

/* Measures of cases as functions of the first two inputs, with noise of a standard deviation. */
static void measure(function f, draw *random, double noise)
{
    for (int i = 0; i < campaign.cases_count; i++) {
        double *row = plu_calibration_measures(&calibration, i);
        for (int t = 0; t < campaign.targets_count; t++)
            if (isnan(row[t])) {
                row[t] = f(input(i, 0), input(i, 1), t);
                for (int k = 0; k < 12 && random; k++) /* about normal, variance 1 */
                    row[t] += noise * draw_uniform(random, -0.5, 0.5);
            }
    }
}

static void search(function f, int rounds, draw *random, double noise)
{
    int added = 1;
    for (int round = 0; round <= rounds && added > 0; round++) {
        measure(f, random, noise);
        assert_int_equal(plu_calibration_judge(&calibration, &err), PLU_OK);
        if (round < rounds)
            assert_int_equal(plu_calibration_refine(&calibration, &added, &err), PLU_OK);
    }
    plu_answer_free(&answer);
    assert_int_equal(plu_calibration_answer(&answer, &calibration, &err), PLU_OK);
}

/* Stopping distance of a rolling sphere, 7 R U0^2 / (10 g x), AB21 6.1. */
static double stop_distance(double x, double y, int t)
{
    (void)y, (void)t;
    return 0.2229867 / x;
}

static void test_one_parameter(void **state)
{
    (void)state;
    assert_int_equal(begin("{ key = \"contacts.*.rolling_friction\"; log_range = [0.02, 0.5]; "
                           "count = 4; }",
                           "{ measure = \"x\"; value = 2; error = 0.05; }"),
                     PLU_OK);
    search(stop_distance, 6, NULL, 0.0);
    const plu_value_span *extent = &answer.extent[0];
    assert_true(answer.reached);
    assert_near(answer.chi2, 0.0, 1e-9);
    assert_near(extent->best, stop_distance(2.0, 0, 0), 1e-4);
    assert_near(extent->low, stop_distance(2.05, 0, 0), 1e-4);
    assert_near(extent->high, stop_distance(1.95, 0, 0), 1e-4);
    assert_false(extent->open_low || extent->open_high);
    assert_int_equal(answer.valley_count, 1);
}

static double product(double mu, double mu_r, int t)
{
    (void)t;
    return mu * (5.0 + log10(mu_r)); /* 0 to 5 */
}

/* mu (5 + log10 mu_r) = 2, which no mu below 0.4 can do. */
static void test_valley(void **state)
{
    (void)state;
    assert_int_equal(begin(MU ", " MU_R, "{ measure = \"x\"; value = 2; error = 0.1; }"), PLU_OK);
    search(product, 3, NULL, 0.0);
    int found = 0, none = 0;
    for (int i = 0; i < answer.valley_count; i++) {
        const plu_valley *row = &answer.valley[i];
        const double mu = row->given[0], best = product(mu, row->span.best, 0);
        found += row->found;
        none += !row->found;
        assert_int_equal(row->found, mu >= 1.9 / 5.0);
        if (!row->found)
            continue;
        assert_near(best, fmin(2.0, product(mu, 1.0, 0)), 1e-3);
        assert_near(row->span.low, pow(10.0, 1.9 / mu - 5.0), 2e-2 * row->span.low);
        assert_int_equal(row->span.open_high, product(mu, 1.0, 0) <= 2.1);
        if (!row->span.open_high)
            assert_near(row->span.high, pow(10.0, 2.1 / mu - 5.0), 2e-2 * row->span.high);
    }
    assert_true(found > 10 && none > 5);
    assert_near(answer.extent[0].low, 0.38, 1e-3);
    assert_true(answer.extent[0].open_high && answer.extent[1].open_high);
    assert_near(answer.extent[1].low, pow(10.0, 1.9 - 5.0), 2e-5);
    /* a grid as fine everywhere has 33 x 33 points */
    assert_in_range(calibration.points_count, 26, 33 * 33 / 3);
}

static double constant_in_mu(double mu, double mu_r, int t)
{
    (void)mu, (void)t;
    return log10(mu_r);
}

/* What changes nothing costs nothing. */
static void test_idle_parameter(void **state)
{
    (void)state;
    assert_int_equal(begin(MU ", " MU_R, "{ measure = \"x\"; value = -1.7; error = 0.01; }"),
                     PLU_OK);
    search(constant_in_mu, 3, NULL, 0.0);
    assert_true(answer.extent[0].open_low && answer.extent[0].open_high);
    assert_near(answer.extent[1].low, pow(10.0, -1.71), 1e-4);
    assert_near(answer.extent[1].high, pow(10.0, -1.69), 1e-4);
    assert_int_equal(calibration.points_count, 25 + 3 * 5);
}

static double crossing(double mu, double mu_r, int t)
{
    return t == 0 ? product(mu, mu_r, 0) : mu - 0.2 * log10(mu_r);
}

/* Two numbers for two parameters: one place. */
static void test_two_targets(void **state)
{
    (void)state;
    char targets[256];
    snprintf(targets, sizeof targets,
             "{ measure = \"x\"; value = %.9g; error = 0.02; },"
             "{ measure = \"y\"; value = %.9g; error = 0.01; }",
             crossing(0.63, 0.02, 0), crossing(0.63, 0.02, 1));
    assert_int_equal(begin(MU ", " MU_R, targets), PLU_OK);
    search(crossing, 5, NULL, 0.0);
    assert_true(answer.reached);
    assert_near(answer.extent[0].best, 0.63, 5e-3);
    assert_near(answer.extent[1].best / 0.02, 1.0, 2e-2);
    assert_true(answer.extent[0].low < 0.63 && answer.extent[0].high > 0.63);
    assert_true(answer.extent[1].low < 0.02 && answer.extent[1].high > 0.02);
    assert_true(answer.extent[0].high - answer.extent[0].low < 0.04);
}

/* A plane in three parameters: every row of the valley lies on it. */
static double plane(double mu, double mu_r, int t)
{
    (void)t;
    return mu + log10(mu_r);
}

static void test_three_parameters(void **state)
{
    (void)state;
    assert_int_equal(begin(MU ", " MU_R ", { key = \"bodies.0.radius\"; range = [0.01, 0.02]; "
                              "count = 2; }",
                           "{ measure = \"x\"; value = -1; error = 0.1; }"),
                     PLU_OK);
    search(plane, 2, NULL, 0.0);
    assert_true(answer.extent[2].open_low && answer.extent[2].open_high);
    for (int i = 0; i < answer.valley_count; i++) {
        const plu_valley *row = &answer.valley[i];
        const double z = fabs(plane(row->given[0], row->given[1], 0) + 1.0) / 0.1;
        assert_int_equal(row->found, z <= 1.0 + 1e-6);
        if (row->found)
            assert_true(row->span.open_low && row->span.open_high);
        assert_near(row->span.chi2, z * z, 1e-3 * (1.0 + z * z));
    }
    assert_true(answer.valley_count > 100);
}

static void test_not_reached(void **state)
{
    (void)state;
    assert_int_equal(begin(MU ", " MU_R, "{ measure = \"x\"; value = 6; error = 0.1; }"), PLU_OK);
    search(product, 2, NULL, 0.0);
    assert_false(answer.reached);
    assert_near(answer.chi2, 100.0, 1e-9); /* (6 - 5)^2 / 0.1^2 */
    assert_near(calibration.points[answer.nearest].x[0], 1.0, 0.0);
    assert_near(calibration.points[answer.nearest].x[1], 1.0, 0.0);
}

static double line(double mu, double mu_r, int t)
{
    (void)mu_r, (void)t;
    return 10.0 * mu;
}

/* Truth lies in chi2 <= least + 1 as often as a normal number lies within one standard deviation:
 * of 400 calibrations with errors of the target and scatter between seeds, in 0.683 +- 0.023. */
static void test_how_often_right(void **state)
{
    (void)state;
    enum { RUNS = 400 };
    draw random = {0};
    int inside = 0;
    for (int run = 0; run < RUNS; run++) {
        char targets[128];
        double value = 5.0;
        for (int k = 0; k < 12; k++)
            value += 0.5 * draw_uniform(&random, -0.5, 0.5);
        snprintf(targets, sizeof targets, "{ measure = \"x\"; value = %.9g; error = 0.5; }", value);
        assert_int_equal(begin(MU ", { seeds = 4; }", targets), PLU_OK);
        search(line, 2, &random, 0.8);
        inside += answer.extent[0].low <= 0.5 && answer.extent[0].high >= 0.5;
    }
    assert_near((double)inside / RUNS, 0.683, 3 * 0.023);
}

/* Scatter of 2 against an error of 0.5: seeds are added near the valley, new ones, elsewhere none.
 */
static void test_seeds(void **state)
{
    (void)state;
    draw random = {0};
    assert_int_equal(
        begin(MU ", { seeds = [7, 3]; }", "{ measure = \"x\"; value = 5; error = 0.5; }"), PLU_OK);
    search(line, 3, &random, 2.0);
    const int middle = 2;
    assert_near(calibration.points[middle].x[0], 0.5, 0.0);
    assert_in_range(calibration.points[middle].seeds, 8, 16);
    assert_int_equal(calibration.points[0].seeds, 2);
    assert_true(calibration.points[middle].error[0] < 1.2);
    for (int i = 0; i < campaign.cases_count; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(campaign.cases[i].name, campaign.cases[j].name);
}

static double holed(double mu, double mu_r, int t)
{
    return mu == 0.25 || mu == 0.5 ? NAN : product(mu, mu_r, t);
}

static double nothing(double mu, double mu_r, int t)
{
    (void)mu, (void)mu_r, (void)t;
    return NAN;
}

/* Points without numbers leave a hole in the map, and nothing of what is beyond is made up. */
static void test_missing_numbers(void **state)
{
    (void)state;
    assert_int_equal(begin(MU ", " MU_R, "{ measure = \"x\"; value = 2; error = 0.1; }"), PLU_OK);
    search(holed, 2, NULL, 0.0);
    assert_true(answer.reached);
    assert_near(answer.extent[0].low, 0.75, 1e-9);
    assert_true(answer.extent[0].open_high);
    for (int i = 0; i < answer.valley_count; i++)
        assert_true(answer.valley[i].given[0] >= 0.75);

    assert_int_equal(begin(MU ", " MU_R, "{ measure = \"x\"; value = 2; error = 0.1; }"), PLU_OK);
    measure(nothing, NULL, 0.0);
    assert_int_equal(plu_calibration_judge(&calibration, &err), PLU_OK);
    assert_int_equal(plu_calibration_answer(&answer, &calibration, &err), PLU_BAD_INPUT);
    expect("calibration.cfg: no cell of the grid has values");
}

static void refuse(const char *axes, const char *targets, const char *message)
{
    assert_int_equal(begin(axes, targets), PLU_BAD_INPUT);
    expect(message);
}

static void test_refused(void **state)
{
    (void)state;
    const char *fine = "{ measure = \"x\"; value = 2; error = 0.1; }";
    refuse(MU, "", "calibration.cfg:3: there must be 1 to 16 targets");
    refuse(MU, "{ measure = \"x\"; value = 2; }", "calibration.cfg:3: error is missing");
    refuse(MU, "{ measure = \"x\"; value = 2; error = 0; }", "calibration.cfg:3: error must be");
    refuse(MU, "{ measure = \"x\"; valu = 2; error = 1; }", "did you mean \"value\"?");
    refuse(MU, "{ measure = 3; value = 2; error = 1; }", "measure must be text, a name as in");
    refuse(MU,
           "{ measure = \"x\"; value = 2; error = 1; }, { measure = \"x\"; value = 1; error = 1; }",
           "x is given twice as a target");
    refuse("{ key = \"contacts.*.friction\"; values = [1, 2]; }", fine,
           "calibration.cfg:2: with targets, an axis must have a range or a log_range");
    refuse("{ seeds = 3; }", fine, "calibration.cfg:3: targets need an axis with a range");
    refuse("{ seeds = 3; }, " MU, fine, "the axis of seeds must be the last one");
    refuse("{ key = \"contacts.*.friction\"; range = [1, 0]; count = 3; }", fine, "must increase");
    refuse("{ key = \"feeders.0.pluviation.count\"; range = [1, 3]; count = 3; }", fine,
           "must take any number of the range");
    refuse(MU, "{ measure = \"x\"; value = 2; error = 1; } ); where = ( \"mu < 1\"",
           "calibration.cfg:3: where cannot be combined with targets");
    plu_campaign plain;
    write_file("plain.cfg", "scene = \"base.cfg\";");
    assert_int_equal(plu_campaign_read(&plain, "plain.cfg", &err), PLU_OK);
    assert_int_equal(plu_calibration_begin(&calibration, &plain, &err), PLU_BAD_INPUT);
    expect("plain.cfg: targets is missing");
    plu_campaign_free(&plain);
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_parameter),    cmocka_unit_test(test_valley),
        cmocka_unit_test(test_idle_parameter),   cmocka_unit_test(test_two_targets),
        cmocka_unit_test(test_three_parameters), cmocka_unit_test(test_not_reached),
        cmocka_unit_test(test_how_often_right),  cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_missing_numbers),  cmocka_unit_test(test_refused),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    plu_answer_free(&answer);
    plu_calibration_free(&calibration);
    plu_campaign_free(&campaign);
    return failed;
}

int main(void)
{
    return run_in_folder(run);
}
