/* Tiles of a large group of contacts in a run: which bodies a scene has. */
#include "draws.h"
#include "run.h"
#include "step/stepper.h"

/* 21,952 grains that touch and fall, and a sphere of 20 times their radius upon them if that is
 * above 0. */
static run *bed(double boulder, const char *settings)
{
    char text[300] = "";
    if (boulder > 0.0)
        snprintf(text, sizeof text,
                 ", { lattice: { counts = [1, 1, 1]; spacing = 1.0; origin = [0.28, 0.28, %g]; }; "
                 "radius = %g; material = \"grain\"; }",
                 0.5569 + boulder, boulder);
    return run_open("seed = 7;\nallow_overlap = true;\ntime: { step = 1e-3; end = 1; };\n%s\n"
                    "materials = ( { name = \"grain\"; density = 1500; } );\n"
                    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; } );\n"
                    "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.559, 0.559, 2.0]; }; "
                    "material = \"grain\"; } );\n"
                    "bodies = ( { lattice: { counts = [28, 28, 28]; spacing = 0.0199; origin = "
                    "[0.0101, 0.0101, 0.0099]; }; radius = 0.01; material = \"grain\"; }%s );\n",
                    settings, text);
}

/* Tiles of the largest island. */
static int tiles_of(run *r)
{
    run_step(r);
    const plu_problem *p = &r->stepper->problem;
    assert_true(p->islands_count > 0 && p->islands[0].tiled);
    assert_true(r->info.colors >= 6 && r->info.colors <= PLU_COLORS); /* a grain has six contacts */
    return p->group_start[p->islands[0].group_end] - p->group_start[p->islands[0].group_begin];
}

static int tiles_with(double boulder, const char *settings)
{
    run *r = bed(boulder, settings);
    const int tiles = tiles_of(r);
    run_close(r);
    return tiles;
}

/* Its reach does not set the cells of the grains: there are as many tiles as without it, and those
 * of its contacts. */
static void a_large_sphere(void **state)
{
    (void)state;
    const int alone = tiles_with(0.0, ""), with = tiles_with(0.2, "");
    assert_true(alone >= 50);
    assert_true(with >= alone);
}

static void cell_bodies(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    const int usual = tiles_with(0.0, ""),
              few = tiles_with(0.0, "solver: { cell_bodies = 20000; };"),
              many = tiles_with(0.0, "solver: { cell_bodies = 100; };");
    assert_true(few < usual / 2);
    assert_true(many > 3 * usual);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_large_sphere),
                                       cmocka_unit_test(cell_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
