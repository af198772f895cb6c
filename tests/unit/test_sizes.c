/* Size distributions and mixtures against closed forms of their moments and of what passes sieves.
 */
#include "base/rng.h"
#include "fill/inlet.h"
#include "near.h"
#include "scenes.h"

enum { DRAWS = 100000 };

/* Means of r, r^2 and r^3, by the middle of each Nth of the distribution. */
static void moments(const plu_sizes *sizes, double mean[4])
{
    memset(mean, 0, 4 * sizeof *mean);
    for (int k = 0; k < DRAWS; k++) {
        const double r = plu_sizes_radius(sizes, (k + 0.5) / DRAWS);
        for (int p = 1; p <= 3; p++)
            mean[p] += pow(r, p) / DRAWS;
    }
}

/* Mean of r^p of the density r^-slope from a to b. */
static double power_moment(double slope, double a, double b, double p)
{
    const double over = p - slope + 1.0, under = 1.0 - slope;
    const double above = over == 0.0 ? log(b / a) : (pow(b, over) - pow(a, over)) / over;
    return above / (under == 0.0 ? log(b / a) : (pow(b, under) - pow(a, under)) / under);
}

static double normal_below(double z)
{
    return 0.5 * erfc(-z / sqrt(2.0));
}

static void check_moments(const plu_size_spec *spec, const double want[4])
{
    plu_sizes sizes;
    double mean[4];
    plu_sizes_make(&sizes, spec);
    moments(&sizes, mean);
    for (int p = 1; p <= 3; p++)
        assert_near(mean[p] / want[p], 1.0, 1e-6); /* of the sum over middles */
    assert_near(sizes.cube / want[3], 1.0, 1e-12);
    assert_near(plu_sizes_radius(&sizes, 0.0), spec->range[0], 1e-12);
    assert_near(plu_sizes_radius(&sizes, 1.0 - 0x1p-53), spec->range[1], 1e-6);
}

/* Powers by number and by mass, with the exponents at which a logarithm takes the place of a power.
 */
static void test_powers(void **state)
{
    (void)state;
    static const double exponents[] = {0.0, 1.0, 2.5, 4.0, -2.0, 1.0 + 1e-13};
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
        for (int mass = 0; mass < 2; mass++) {
            const plu_size_spec spec = {.kind = k == 0 ? PLU_UNIFORM : PLU_POWER,
                                        .by = mass ? PLU_BY_MASS : PLU_BY_NUMBER,
                                        .exponent = exponents[k],
                                        .range = {0.5, 2.0}};
            double want[4];
            for (int p = 1; p <= 3; p++)
                want[p] = power_moment(rint(2.0 * exponents[k]) / 2.0 + 3.0 * mass, 0.5, 2.0, p);
            check_moments(&spec, want);
        }
}

/* A normal distribution cut at a and b (Johnson and Kotz, Continuous univariate distributions): its
 * moments about 0 by the recursion E r^p = m E r^(p-1) + (p - 1) s^2 E r^(p-2) + edges. */
static void test_normal(void **state)
{
    (void)state;
    const double m = 1.0, s = 0.25, a = 0.6, b = 1.7;
    const double za = (a - m) / s, zb = (b - m) / s;
    const double whole = normal_below(zb) - normal_below(za), root = sqrt(8.0 * atan(1.0));
    const double fa = exp(-0.5 * za * za) / root, fb = exp(-0.5 * zb * zb) / root;
    double want[4] = {1.0};
    for (int p = 1; p <= 3; p++)
        want[p] = m * want[p - 1] + (p > 1 ? (p - 1) * s * s * want[p - 2] : 0.0) +
                  s * (pow(a, p - 1) * fa - pow(b, p - 1) * fb) / whole;
    plu_size_spec spec = {
        .kind = PLU_NORMAL, .by = PLU_BY_NUMBER, .mean = m, .sigma = s, .range = {a, b}};
    check_moments(&spec, want);

    /* by mass: of the mass the share below r is the normal one */
    spec.by = PLU_BY_MASS;
    plu_sizes sizes;
    plu_sizes_make(&sizes, &spec);
    double mass = 0.0;
    for (int k = 0; k < DRAWS; k++) {
        const double r = plu_sizes_radius(&sizes, (k + 0.5) / DRAWS);
        const double below = (normal_below((r - m) / s) - normal_below(za)) / whole;
        const double half = 0.5 * r * r * r / (DRAWS * sizes.cube);
        assert_near(mass + half, below, 1e-7);
        mass += 2.0 * half;
    }
    assert_near(mass, 1.0, 1e-7);
}

/* Moments of a lognormal distribution: E r^p = exp(p c + p^2 s^2 / 2), cut: with shares of a normal
 * one; and the mass median of one given by mass (Hatch and Choate). */
static void test_lognormal(void **state)
{
    (void)state;
    const double s = 0.4, a = 0.5, b = 2.5;
    for (int mass = 0; mass < 2; mass++) {
        const plu_size_spec spec = {.kind = PLU_LOGNORMAL,
                                    .by = mass ? PLU_BY_MASS : PLU_BY_NUMBER,
                                    .median = 1.2,
                                    .sigma = s,
                                    .range = {a, b}};
        const double c = log(1.2) - (mass ? 3.0 * s * s : 0.0);
        double want[4];
        for (int p = 0; p <= 3; p++) {
            const double at = c + p * s * s;
            want[p] = exp(p * c + 0.5 * p * p * s * s) *
                      (normal_below((log(b) - at) / s) - normal_below((log(a) - at) / s));
            want[p] /= p > 0 ? want[0] : 1.0;
        }
        check_moments(&spec, want);
    }
    /* all but uncut: half of the mass is below the mass median */
    const plu_size_spec wide = {.kind = PLU_LOGNORMAL,
                                .by = PLU_BY_MASS,
                                .median = 1e-3,
                                .sigma = 0.3,
                                .range = {1e-4, 1e-2}};
    plu_sizes sizes;
    plu_sizes_make(&sizes, &wide);
    double below = 0.0;
    for (int k = 0; k < DRAWS; k++) {
        const double r = plu_sizes_radius(&sizes, (k + 0.5) / DRAWS);
        below += r < 1e-3 ? r * r * r / (DRAWS * sizes.cube) : 0.0;
    }
    assert_near(below, 0.5, 1e-3);
    assert_near(sizes.cube, 1e-9 * exp(-4.5 * 0.09), 1e-6 * sizes.cube);
}

/* Five sieves, one of them with nothing on it; openings in m. */
static const plu_size_spec curve = {
    .kind = PLU_SIEVES,
    .by = PLU_BY_MASS,
    .range = {0.5e-3, 4e-3},
    .sieves_count = 5,
    .sieves = {{1e-3, 0.0}, {2e-3, 0.2}, {3e-3, 0.2}, {5e-3, 0.7}, {8e-3, 1.0}},
    .stratified = true};

static void test_sieves(void **state)
{
    (void)state;
    plu_sizes sizes;
    plu_sizes_make(&sizes, &curve);
    double passing[5] = {0}, middle = 0.0;
    for (int k = 0; k < DRAWS; k++) {
        const double r = plu_sizes_radius(&sizes, (k + 0.5) / DRAWS);
        const double mass = r * r * r / (DRAWS * sizes.cube);
        for (int i = 0; i < 5; i++)
            passing[i] += 2.0 * r <= curve.sieves[i][0] ? mass : 0.0;
        middle += 2.0 * r <= sqrt(3e-3 * 5e-3) ? mass : 0.0;
        assert_true(2.0 * r <= 2e-3 || 2.0 * r >= 3e-3); /* none between these */
    }
    for (int i = 0; i < 5; i++)
        assert_near(passing[i], curve.sieves[i][1], 3e-4);
    assert_near(middle, 0.2 + 0.25, 3e-4); /* linear over ln d */
}

/* The permutation of a count is one, and another seed or stream has another. */
static void test_permutations(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 3, 5, 16, 17, 1000, 4097};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        unsigned char seen[4097] = {0};
        uint64_t moved = 0, other = 0;
        for (uint64_t k = 0; k < counts[c]; k++) {
            const uint64_t at = plu_rng_permuted((plu_rng){7, 3}, k, counts[c]);
            assert_true(at < counts[c] && !seen[at]);
            seen[at] = 1;
            moved += at != k;
            other += at != plu_rng_permuted((plu_rng){8, 3}, k, counts[c]);
        }
        assert_true(counts[c] < 1000 || (moved > counts[c] - 20 && other > counts[c] - 20));
    }
}

/* Mass that passes the middle sieve, of 1000 spheres each with seeds 1 to 40: its standard
 * deviation, and the largest deviation of the share of a part by number. */
static double scatter(bool stratified)
{
    enum { SEEDS = 40, COUNT = 1000 };
    double sum = 0.0;
    for (int seed = 1; seed <= SEEDS; seed++) {
        small_scene small;
        small_scene_init(&small);
        small.scene.seed = (uint64_t)seed;
        plu_body_spec *bodies = small_scene_bodies(&small, PLU_PACKING, 0.0);
        bodies->sizes = curve;
        bodies->sizes.stratified = stratified;
        plu_grading grading;
        plu_error err = {0};
        assert_int_equal(plu_grading_make(&grading, &small.scene, 0, &err), PLU_OK);
        grading.count = COUNT;
        double all = 0.0, passes = 0.0;
        for (uint64_t k = 0; k < COUNT; k++) {
            double r, again;
            int material;
            plu_grading_draw(&grading, k, &r, &material);
            plu_grading_draw(&grading, k, &again, &material);
            assert_true(r == again && material == SMALL_GRAIN);
            all += r * r * r;
            passes += 2.0 * r <= 4e-3 ? r * r * r : 0.0;
        }
        const double off = passes / all - (0.2 + 0.5 * log(4.0 / 3.0) / log(5.0 / 3.0));
        sum += off * off / SEEDS;
        plu_grading_free(&grading);
    }
    return sqrt(sum);
}

static void test_stratified_draws_scatter_less(void **state)
{
    (void)state;
    const double plain = scatter(false), stratified = scatter(true);
    assert_true(plain > 0.015 && stratified < 0.1 * plain);
}

/* Three to one by mass of two materials; by number that follows from their mean masses. */
static void test_mixtures(void **state)
{
    enum { COUNT = 3000 };
    (void)state;
    small_scene small;
    small_scene_init(&small);
    small.materials[SMALL_PLATE].density = 500.0;
    plu_mixture_part parts[2] = {{.material = SMALL_GRAIN, .share = 3.0, .sizes = curve},
                                 {.material = SMALL_PLATE, .share = 1.0, .radius = {1e-3, 3e-3}}};
    plu_body_spec *bodies = small_scene_bodies(&small, PLU_PACKING, 0.0);
    bodies->mixture = parts;
    bodies->mixture_count = 2;
    for (int number = 0; number < 2; number++) {
        bodies->mixture_by = number ? PLU_BY_NUMBER : PLU_BY_MASS;
        plu_grading grading;
        plu_error err = {0};
        assert_int_equal(plu_grading_make(&grading, &small.scene, 0, &err), PLU_OK);
        grading.count = COUNT;
        double mass[2] = {0}, count[2] = {0}, volume = 0.0;
        for (uint64_t k = 0; k < COUNT; k++) {
            double r;
            int material;
            plu_grading_draw(&grading, k, &r, &material);
            const double v = 16.0 / 3.0 * atan(1.0) * r * r * r;
            mass[material] += v * small.materials[material].density;
            volume += v;
            count[material]++;
        }
        assert_near(number ? count[0] / COUNT : mass[0] / (mass[0] + mass[1]), 0.75, 2e-3);
        assert_near((mass[0] + mass[1]) / (COUNT * grading.mass), 1.0, 5e-3);
        assert_near(volume / (COUNT * grading.volume), 1.0, 5e-3);
        plu_grading_free(&grading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers),       cmocka_unit_test(test_normal),
        cmocka_unit_test(test_lognormal),    cmocka_unit_test(test_sieves),
        cmocka_unit_test(test_permutations), cmocka_unit_test(test_stratified_draws_scatter_less),
        cmocka_unit_test(test_mixtures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
