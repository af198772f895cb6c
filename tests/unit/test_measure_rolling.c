/* Rolling spheres of AB21 section 6.1, sampled from the closed forms (src/theory.md, "Rolling
 * sphere"): what is measured must be what was put in, between samples too. */
#include "near.h"
#include "pluvia/tool/measure.h"
#include <stdlib.h>

static const double R = 0.5, g = 9.81;
static const double up[3] = {0.0, 0.0, 1.0};

/* Constant accelerations of U and R Omega until `end`. */
typedef struct phase {
    double end, center, turn, friction, moment;
} phase;

typedef struct history {
    double speed, turn; /* U and R Omega at the start */
    phase phases[3];
    int phases_count;
} history;

static plu_roll_sample sample_at(const history *h, double time)
{
    double x = 0.0, u = h->speed, w = h->turn, from = 0.0;
    int k = 0;
    for (; k < h->phases_count; k++) {
        const phase *p = &h->phases[k];
        const double t = fmin(time, p->end) - from;
        x += u * t + 0.5 * p->center * t * t;
        u += p->center * t;
        w += p->turn * t;
        if (time <= p->end)
            break;
        from = p->end;
    }
    const phase *p = &h->phases[k < h->phases_count ? k : 0];
    const bool rests = k == h->phases_count;
    return (plu_roll_sample){.time = time,
                             .position = {7.0 + x, 1.0, R},
                             .velocity = {rests ? 0.0 : u, 0.0, 0.0},
                             .spin = {0.0, rests ? 0.0 : w / R, 0.0},
                             .normal = 3.0,
                             .friction = rests ? 0.0 : 3.0 * p->friction,
                             .moment = rests ? 0.0 : 3.0 * p->moment};
}

static plu_rolling measured(const history *h, double interval, double end)
{
    const long count = lround(end / interval) + 1;
    plu_roll_sample *sample = malloc((size_t)count * sizeof *sample);
    for (long k = 0; k < count; k++)
        sample[k] = sample_at(h, (double)k * interval);
    plu_rolling r;
    plu_measure_rolling(&r, sample, count, up, R);
    free(sample);
    return r;
}

static void assert_phase(const plu_roll_phase *p, int mode, double from, double to, double friction,
                         double moment)
{
    assert_int_equal(p->mode, mode);
    assert_near(p->from, from, 1e-8);
    assert_near(p->to, to, 1e-8);
    assert_near(p->friction, friction, 1e-9);
    assert_near(p->moment, moment, 1e-9);
}

static void test_rolls(void **state)
{
    (void)state;
    const double mu_r = 0.04, a = -5.0 / 7.0 * mu_r * g / R, stop = -2.5 / a;
    const history h = {2.5, 2.5, {{stop, a, a, 5.0 * mu_r / (7.0 * R), mu_r}}, 1};
    const plu_rolling r = measured(&h, 0.037, 6.0 * 0.999);
    assert_int_equal(r.phases_count, 2);
    assert_phase(&r.phases[0], PLU_ROLL_TURNS, 0.0, 4.459734964, 5.0 * mu_r / (7.0 * R), mu_r);
    assert_int_equal(r.phases[1].mode, PLU_ROLL_REST);
    assert_near(r.stop_time, 4.459734964, 1e-8);
    assert_near(r.stop_distance, 5.574668705, 1e-8);
}

static void test_slides_then_rolls(void **state)
{
    (void)state;
    const double mu = 0.2, mu_r = 0.04, a = -5.0 / 7.0 * mu_r * g / R;
    const double turn = 5.0 * g * (mu * R - mu_r) / (2.0 * R * R) * R;
    const double change = (2.5 - 1.25) / (turn + mu * g), speed = 2.5 - mu * g * change;
    const history h = {2.5,
                       1.25,
                       {{change, -mu * g, turn, mu, mu_r},
                        {change - speed / a, a, a, 5.0 * mu_r / (7.0 * R), mu_r}},
                       2};
    const plu_rolling r = measured(&h, 0.01, 6.0);
    assert_int_equal(r.phases_count, 3);
    assert_phase(&r.phases[0], PLU_ROLL_SLIDES | PLU_ROLL_TURNS, 0.0, 0.254841998, mu, mu_r);
    assert_phase(&r.phases[1], PLU_ROLL_TURNS, 0.254841998, 3.822629969, 5.0 * mu_r / (7.0 * R),
                 mu_r);
    assert_near(r.stop_distance, 4.141182467, 1e-8);
}

/* Rolls freely at the start, slips at once, stops turning and slides to its end. */
static void test_stops_turning(void **state)
{
    (void)state;
    const double mu = 0.05, mu_r = 0.04, turn = 5.0 * g * (mu * R - mu_r) / (2.0 * R * R) * R;
    const history h = {
        2.5,
        2.5,
        {{-2.5 / turn, -mu * g, turn, mu, mu_r}, {2.5 / (mu * g), -mu * g, 0.0, mu, mu * R}},
        2};
    const plu_rolling r = measured(&h, 0.01, 6.0);
    assert_int_equal(r.phases_count, 3);
    assert_phase(&r.phases[0], PLU_ROLL_SLIDES | PLU_ROLL_TURNS, 0.0, 3.397893306, mu, mu_r);
    assert_phase(&r.phases[1], PLU_ROLL_SLIDES, 3.397893306, 5.096839959, mu, mu * R);
    assert_near(r.stop_time, 5.096839959, 1e-8);
    assert_near(r.stop_distance, 6.371049949, 1e-8);
}

static void test_still_moving(void **state)
{
    (void)state;
    const history h = {2.5, 2.5, {{100.0, -0.01, -0.01, 0.0, 0.0}}, 1};
    const plu_rolling r = measured(&h, 0.1, 5.0);
    assert_int_equal(r.phases_count, 1);
    assert_true(isnan(r.stop_time) && isnan(r.stop_distance));
    plu_rolling none;
    plu_measure_rolling(&none, NULL, 0, up, R);
    assert_int_equal(none.phases_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rolls),
        cmocka_unit_test(test_slides_then_rolls),
        cmocka_unit_test(test_stops_turning),
        cmocka_unit_test(test_still_moving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
