/* Piles over seeds against published statistics: one pile is one draw, so means are compared. */
#include "draws.h"
#include "pluvia/tool/measure.h"
#include "run.h"

typedef struct mean {
    double sum, squares;
    int n;
} mean;

static void add(mean *m, double x)
{
    m->sum += x;
    m->squares += x * x;
    m->n++;
}

static double value(const mean *m)
{
    return m->sum / m->n;
}

static double error(const mean *m)
{
    return sqrt((m->squares / m->n - value(m) * value(m)) / (m->n - 1));
}

static void agree(const char *what, const mean *m, double want, double want_error)
{
    if (m->n < 2)
        return;
    const double tolerance = 3.0 * sqrt(error(m) * error(m) + want_error * want_error);
    print_message("%s %.4f +- %.4f (reference %.4f +- %.4f)\n", what, value(m), error(m), want,
                  want_error);
    assert_near(value(m), want, tolerance);
}

static plu_pile poured(int seed, int count, double mu, double mu_r, double rest, const char *more)
{
    run *r = run_open(
        "seed = %d;\ntime: { step = 1e-3; end = 100; theta = 1; };\n%s\n"
        "materials = ( { name = \"grain\"; density = 1300; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = %g; rolling_friction = %g; }, "
        "{ between = [\"grain\", \"plate\"]; friction = %g; rolling_friction = %g; } );\n"
        "boundaries = ( { plate: { center = [0, 0, 0]; normal = [0, 0, 1]; size = [1.2, 1.2]; }; "
        "material = \"plate\"; } );\n"
        "feeders = ( { pluviation: { count = %d; interval = 0.0638550856814101; height = 0.2; "
        "footprint: { square = 0.02; }; }; material = \"grain\"; radius = 0.01; } );\n",
        seed, more, mu, mu_r, mu, mu_r, count);
    run_to(r, count * 0.0638550856814101 + rest);
    plu_pile pile;
    const plu_view view = plu_view_world(r->world);
    plu_measure_pile(&pile, &view, 0.0);
    assert_int_equal(plu_world_waiting(r->world), 0);
    run_close(r);
    return pile;
}

/* 100 spheres, mu = 0.3, mu_r = 1e-2 m, 1.5 s of rest: mean height of the spheres and mean radius
 * of the bottom layer over seeds, with the default strategy and with plain Gauss-Seidel sweeps. */
static void hundred_spheres(int seeds, const char *more)
{
    mean height = {0}, radius = {0};
    for (int seed = 1; seed <= draws(seeds); seed++) {
        const plu_pile pile = poured(seed, 100, 0.3, 1e-2, 1.5, more);
        assert_int_equal(pile.spheres, 100);
        add(&height, pile.mean_height / 0.02);
        add(&radius, pile.mean_radius / 0.02);
    }
    agree("mean height / d", &height, 1.028, 0.008);
    agree("bottom radius / d", &radius, 2.974, 0.010);
}

static void default_strategy(void **state)
{
    (void)state;
    hundred_spheres(12, "stabilization = \"none\";");
}

static void plain_gauss_seidel(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    hundred_spheres(
        6, "stabilization = \"none\"; solver: { momentum = false; anderson_after = 0; "
           "islands = false; fallback = \"none\"; tolerance = 1e-3; max_iterations = 1000; };");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(default_strategy),
        cmocka_unit_test(plain_gauss_seidel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
