/* Balls that touch others, and meshes that move: folds are gone over there, too (see
 * test_folds.c). */
#include "draws.h"
#include "mesh_file.h"
#include "pluvia/step.h"
#include "run.h"

/* So many balls in rows of three along a tube, which go around it with the speed v; facets 0: a
 * round one. It turns at `rate` (rad/s). */
static run *balls_in_tube(int count, int facets, double step, double gravity, double mu, double v,
                          double rate)
{
    char walls[256], bodies[8192];
    int used = 0;
    mesh_file m = facets > 0 ? tube(facets) : (mesh_file){.path = ""};
    snprintf(walls, sizeof walls,
             facets > 0 ? "mesh: { file = \"%s\"; };"
                        : "cylinder: { center = [0, -0.5, 0.1]; axis = [0, 1, 0]; radius = 0.1; "
                          "height = 1; bottom = false; }; # %s\n",
             m.path);
    for (int k = 0; k < count; k++) {
        const double angle = 0.233 * (k % 3 - (count > 1)) + 0.001 * (k % 7);
        const double far = 0.0899 * (facets > 0 ? cos(MESH_PI / facets) : 1.0) -
                           (count > 1 ? 6e-4 + 1e-5 * (k % 11) : 1e-3);
        used += snprintf(bodies + used, sizeof bodies - (size_t)used,
                         "%s{ position = [%.17g, %.17g, %.17g]; velocity = [%.17g, 0, %.17g]; "
                         "radius = 0.01; material = \"g\"; }",
                         k > 0 ? ", " : "", far * sin(angle), 0.0205 * (k / 3 - 4.5),
                         0.1 - far * cos(angle), v * cos(angle), v * sin(angle));
    }
    run *r = run_open(
        "time: { step = %.17g; end = 100; };\ngravity = [0, 0, %.17g];\nmaterials = ( { name = "
        "\"g\"; density = 2500; } );\ncontacts = ( { between = [\"g\", \"g\"]; friction = %g; } "
        ");\nboundaries = ( { %s material = \"g\"; motion: { rate = %g; axis = [0, 1, 0]; center = "
        "[0, 0, 0.1]; }; } );\nbodies = ( %s );\n",
        step, -gravity, mu, walls, rate, bodies);
    if (facets > 0)
        unlink(m.path);
    return r;
}

/* The kinetic energy of thirty that slide, in the mean of 0.3 s. */
static double thirty_balls(int facets, double step, double gravity)
{
    run *r = balls_in_tube(30, facets, step, gravity, 0.0, 1.5, 0.0);
    double sum = 0.0;
    int count = 0;
    for (; plu_world_time(r->world) < 0.3; count++) {
        run_step(r);
        const plu_energy now = plu_world_energy(r->world);
        sum += now.translation + now.rotation;
    }
    run_close(r);
    return sum / count;
}

/* Folds are gone over by balls that touch others, too: they kept 0.90 to 0.98 of that energy. */
static void balls_among_others_go_over_folds(void **unused)
{
    (void)unused;
    NUMBERS_ONLY();
    static const int facets[] = {48, 96, 192};
    for (int k = 0; k < 4; k++) {
        const double step = k / 2 ? 2e-3 : 1e-3, gravity = k % 2 ? 9.81 : 0.0;
        const double round = thirty_balls(0, step, gravity);
        for (int i = 0; i < 3; i++) {
            const double ratio = thirty_balls(facets[i], step, gravity) / round;
            print_message("%d facets, %g ms, gravity %g: %.4f of the energy in a round tube\n",
                          facets[i], 1e3 * step, gravity, ratio);
            assert_near(ratio, 1.0, 0.015);
        }
    }
}

/* What a drum that turns at 3 rad/s does to the balls in it in 2 s (J). */
static double work_of_drum(int balls, int facets, double mu)
{
    run *r = balls_in_tube(balls, facets, 1e-3, 9.81, mu, 0.0, 3.0);
    run_to(r, 2.0);
    const double work = plu_stepper_totals(r->stepper)->work_boundary;
    run_close(r);
    return work;
}

/* Folds of meshes that move are gone over, too, in their frame: facets do no more work than a round
 * drum does. They did 0.3 to 0.85 mJ to a single ball that does not roll, which a round drum does
 * nothing to, and to a bed of thirty 1.13 and 1.05 times that of a round one. */
static void drums_of_facets_are_round(void **unused)
{
    (void)unused;
    NUMBERS_ONLY();
    static const int facets[] = {24, 48, 96};
    const double one[] = {work_of_drum(1, 0, 0.0), work_of_drum(1, 0, 0.5)},
                 all = work_of_drum(30, 0, 0.5);
    for (int i = 0; i < 3; i++) {
        const double slides = work_of_drum(1, facets[i], 0.0) - one[0],
                     rolls = work_of_drum(1, facets[i], 0.5) - one[1];
        const double ratio = i < 2 ? work_of_drum(30, facets[i], 0.5) / all : 1.0;
        print_message("%d facets, a drum that turns: %.2g and %.2g J more, %.3f times that\n",
                      facets[i], slides, rolls, ratio);
        assert_near(slides, 0.0, 1.2e-4);
        assert_near(rolls, 0.0, 1.2e-4);
        assert_near(ratio, 1.0, 0.04);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(balls_among_others_go_over_folds),
                                       cmocka_unit_test(drums_of_facets_are_round)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
