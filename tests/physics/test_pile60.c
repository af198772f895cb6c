/* Piles from the start positions of scenes/pile/pile60.csv against piles that Siconos 4.4.0 (Debian
 * 12) made of the first 30 of them in 16 variations of the same size. One pile is one draw: after
 * the first impacts rounding decides, so means over variations are compared.
 *
 * The scheme is that of Siconos, with the forecast of half a step. The law is mu = 0.3 everywhere
 * and mu_r = 1e-2 m on the plate, but none between spheres: there the rolling friction of
 * Siconos 4.4.0 depends on which of two spheres is named first, so that its piles with it are no
 * reference. */
#include "draw.h"
#include "draws.h"
#include "pluvia/tool/measure.h"
#include "run.h"

enum { SPHERES = 30, VARIATIONS = 24 };

typedef struct start {
    double x, y, z, time;
} start;

static void read_starts(start starts[SPHERES])
{
    FILE *file = fopen(PLU_SCENES "/pile/pile60.csv", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "x,y,z,time\n"), 0);
    for (int i = 0; i < SPHERES; i++) {
        start *s = &starts[i];
        assert_int_equal(fscanf(file, "%lf,%lf,%lf,%lf\n", &s->x, &s->y, &s->z, &s->time), 4);
    }
    fclose(file);
}

/* The same with x and y moved by up to 1e-6 of a diameter, as a file. */
static void write_varied(const char *path, const start starts[SPHERES], draw *d)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "x,y,z,time\n");
    for (int i = 0; i < SPHERES; i++) {
        const double dx = draw_uniform(d, -2e-8, 2e-8), dy = draw_uniform(d, -2e-8, 2e-8);
        fprintf(file, "%.17g,%.17g,%.17g,%.17g\n", starts[i].x + dx, starts[i].y + dy, starts[i].z,
                starts[i].time);
    }
    fclose(file);
}

static plu_pile poured(const char *path)
{
    run *r = run_open(
        "time: { step = 1e-3; end = 3.5; theta = 1; forecast = 0.5; };\nstabilization = \"none\";\n"
        "materials = ( { name = \"grain\"; density = 1300; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; },\n"
        "  { between = [\"grain\", \"plate\"]; friction = 0.3; rolling_friction = 1e-2; } );\n"
        "boundaries = ( { plate: { center = [0, 0, 0]; normal = [0, 0, 1]; size = [1.2, 1.2]; }; "
        "material = \"plate\"; } );\n"
        "bodies = ( { file: { path = \"%s\"; }; material = \"grain\"; radius = 0.01; } );\n"
        "solver: { criterion = \"natural-map\"; tolerance = 1e-4; max_iterations = 1000; };\n",
        path);
    run_to(r, 3.5);
    plu_pile pile;
    const plu_view view = plu_view_world(r->world);
    plu_measure_pile(&pile, &view, 0.0);
    assert_int_equal(pile.spheres, SPHERES);
    run_close(r);
    return pile;
}

/* Mean and standard error over n values. */
typedef struct mean {
    double value, error;
} mean;

static mean mean_of(const double *x, int n)
{
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    const double value = sum / n;
    for (int i = 0; i < n; i++)
        squares += (x[i] - value) * (x[i] - value);
    return (mean){value, sqrt(squares / (n - 1) / n)};
}

static void agree(const char *what, const double *x, mean want)
{
    const mean got = mean_of(x, VARIATIONS);
    print_message("%s %.4f +- %.4f (Siconos %.4f +- %.4f)\n", what, got.value, got.error,
                  want.value, want.error);
    assert_near(got.value, want.value, 3.0 * hypot(got.error, want.error));
}

static void thirty_spheres(void **state)
{
    (void)state;
    char path[] = "/tmp/pluvia-test-XXXXXX";
    close(mkstemp(path));
    start starts[SPHERES];
    read_starts(starts);
    double bottom[VARIATIONS], radius[VARIATIONS], height[VARIATIONS], top[VARIATIONS];
    draw d = {0};
    for (int k = 0; k < draws(VARIATIONS); k++) {
        write_varied(path, starts, &d);
        const plu_pile pile = poured(path);
        bottom[k] = pile.bottom;
        radius[k] = pile.mean_radius / 0.02;
        height[k] = pile.mean_height / 0.02;
        top[k] = pile.height / 0.02;
    }
    unlink(path);
    if (SANITIZED)
        return;
    agree("spheres at the bottom", bottom, (mean){27.75, 0.28});
    agree("their mean radius / d", radius, (mean){2.194, 0.017});
    agree("mean height of centers / d", height, (mean){0.542, 0.006});
    agree("height / d", top, (mean){1.607, 0.051});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(thirty_spheres)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
