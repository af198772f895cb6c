/* Periodic cells: what a sphere does near the border is what it does elsewhere; on 1 and 2 threads,
 * through a restart. */
#include "memory.h"
#include "step/jams.h"
#include "step/stepper.h"
#include <math.h>
#include <omp.h>

#define GRAINS                                                                                     \
    "gravity = [0, 0, 0];\n"                                                                       \
    "materials = ( { name = \"grain\"; density = 2500; } );\n"

static const plu_contacts *contacts_of(const run *r)
{
    return r->stepper->contacts;
}

static double unwrapped(const run *r, int body, int k)
{
    const plu_space *space = &r->world->space;
    double x = run_position(r, body)[k];
    for (int i = 0; i < 3; i++)
        x += r->world->image[body][i] * space->edge[i][k];
    return x;
}

/* --- flight --- */

static void a_free_sphere_comes_back(void **state)
{
    (void)state;
    run *r =
        run_open(GRAINS "contacts = ();\n"
                        "time: { step = 1e-3; end = 1; };\n"
                        "cell: { size = [0.1, 0.2, 0.3]; origin = [-0.05, 1, 0]; };\n"
                        "bodies = ( { position = [0.01, 1.03, 0.29]; radius = 0.01; material = "
                        "\"grain\"; velocity = [0.3, -0.4, 0.9]; } );\n");
    run_to(r, 1.0);
    const double end[3] = {0.31, 0.63, 1.19}, in[3] = {0.01, 1.03, 0.29};
    const int image[3] = {3, -2, 3};
    for (int k = 0; k < 3; k++) {
        assert_near(unwrapped(r, 0, k), end[k], 1e-12);
        assert_near(run_position(r, 0)[k], in[k], 1e-12);
        assert_int_equal(r->world->image[0][k], image[k]);
    }
    assert_near(run_velocity(r, 0)[2], 0.9, 0.0);
    run_close(r);
}

/* Along gravity the cell lifts what falls out of it: the balance of energy counts that. */
static void a_fall_without_end_keeps_its_balance(void **state)
{
    (void)state;
    run *r =
        run_open("materials = ( { name = \"grain\"; density = 2500; } ); contacts = ();\n"
                 "time: { step = 1e-3; end = 1; }; cell: { size = [0.1, 0.1, 0.1]; };\n"
                 "bodies = ( { position = [0, 0, 0]; radius = 0.01; material = \"grain\"; } );");
    run_to(r, 1.0);
    assert_near(run_velocity(r, 0)[2], -9.81, 1e-12);
    assert_near(unwrapped(r, 0, 2), -4.905, 1e-12);
    assert_true(plu_stepper_totals(r->stepper)->work_cell > 0.0);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-14);
    run_close(r);
}

/* --- two spheres --- */

static run *two(const char *a, const char *b)
{
    return run_open(GRAINS
                    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; "
                    "rolling_friction = 1e-3; restitution = 0.6; } );\n"
                    "time: { step = 1e-4; end = 1; }; cell: { size = [0.1, 0.1, 0.1]; };\n"
                    "bodies = ( { position = [%s]; radius = 0.01; material = \"grain\"; velocity = "
                    "[1, 0.3, -0.2]; angular_velocity = [20, 30, 40]; },\n"
                    "{ position = [%s]; radius = 0.008; material = \"grain\"; velocity = "
                    "[-1, -0.1, 0.1]; } );\n",
                    a, b);
}

/* Across one side, two, three, and the same in the middle. */
static void a_pair_across_the_border_is_a_pair(void **state)
{
    (void)state;
    const char *place[][2] = {{"0.05, 0.05, 0.05", "0.069, 0.053, 0.052"},
                              {"0.09, 0.05, 0.05", "0.009, 0.053, 0.052"},
                              {"0.09, 0.099, 0.05", "0.009, 0.002, 0.052"},
                              {"0.09, 0.099, 0.0995", "0.009, 0.002, 0.0015"}};
    double v[2][6];
    for (size_t p = 0; p < 4; p++) {
        run *r = two(place[p][0], place[p][1]);
        run_to(r, 0.01);
        assert_true(run_velocity(r, 0)[0] < 0.5); /* they met */
        for (int body = 0; body < 2; body++)
            for (int k = 0; k < 6; k++) {
                if (p == 0)
                    v[body][k] = run_velocity(r, body)[k];
                assert_near(run_velocity(r, body)[k], v[body][k], 1e-11);
            }
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-14);
        run_close(r);
    }
}

/* --- many --- */

/* Some 60 spheres that collide, in a cell that begins at a corner given as a share of its edges. */
static run *gas(const double share[3], double shear)
{
    const double l = 0.09;
    return run_open(GRAINS
                    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; "
                    "restitution = 0.3; } );\n"
                    "time: { step = 1e-4; end = 1; };\n"
                    "cell: { size = [0.09, 0.09, 0.09]; origin = [%.17g, %.17g, %.17g]; "
                    "shear_rate = %g; };\n"
                    "bodies = ( { lattice: { counts = [4, 4, 2]; spacing = 0.0225; origin = "
                    "[0.01, 0.01, 0.01]; jitter = 1e-3; }; radius = 0.01; material = \"grain\"; "
                    "velocity = [0.6, -0.3, 0.9]; },\n"
                    "{ lattice: { counts = [4, 4, 2]; spacing = 0.0225; origin = "
                    "[0.01, 0.01, 0.055]; jitter = 1e-3; }; radius = 0.01; material = \"grain\"; "
                    "velocity = [-0.3, 0.5, -0.8]; } );\n",
                    l * share[0], l * share[1], l * share[2], shear);
}

/* Returns how many contacts were found in all steps. */
static long collide(run *r)
{
    long contacts = 0;
    while (plu_world_time(r->world) < 0.01) {
        run_step(r);
        contacts += contacts_of(r)->count;
    }
    return contacts;
}

static void it_does_not_matter_where_the_cell_begins(void **state)
{
    (void)state;
    const double corner[4][3] = {
        {0.0, 0.0, 0.0}, {0.37, 0.11, 0.93}, {-0.61, 0.5, 0.25}, {0.05, -0.9, 0.48}};
    run *first = gas(corner[0], 0.0);
    const long contacts = collide(first);
    assert_true(contacts > 100);
    for (int c = 1; c < 4; c++) {
        run *r = gas(corner[c], 0.0);
        assert_int_equal(collide(r), contacts);
        for (int i = 0; i < 64; i++)
            for (int k = 0; k < 6; k++)
                assert_near(run_velocity(r, i)[k], run_velocity(first, i)[k],
                            k < 3 ? 1e-12 : 1e-10);
        run_close(r);
    }
    run_close(first);
}

static void any_threads_and_a_restart_give_the_same_bits(void **state)
{
    (void)state;
    const double corner[3] = {0.2, 0.3, 0.4};
    const int threads = omp_get_max_threads();
    uint64_t hash[3];
    memory *m = NULL;
    for (int way = 0; way < 6; way++) { /* 1 thread, 2 threads, from the middle on; sheared */
        run *r = gas(corner, way < 3 ? 0.0 : 20.0);
        omp_set_num_threads(way % 3 == 0 ? 1 : 2);
        if (way % 3 == 2)
            assert_int_equal(memory_set(r, m), PLU_OK);
        else
            run_to(r, 0.02);
        if (way % 3 == 1)
            m = memory_save(r);
        run_to(r, 0.05);
        hash[way % 3] = plu_world_hash(r->world);
        bool crossed = false;
        for (int i = 0; i < 64; i++)
            crossed |= r->world->image[i][0] != 0;
        assert_true(crossed);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
        run_close(r);
        if (way % 3 < 2)
            continue;
        memory_free(m);
        assert_true(hash[0] == hash[1]);
        assert_true(hash[0] == hash[2]);
    }
    omp_set_num_threads(threads);
}

/* --- lattices --- */

static run *lattice(int n)
{
    return run_open(GRAINS
                    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; } );\n"
                    "time: { step = 1e-3; end = 1; }; cell: { size = [%.17g, %.17g, %.17g]; };\n"
                    "bodies = ( { lattice: { counts = [%d, %d, %d]; spacing = 0.02; origin = "
                    "[0.013, 0.013, 0.013]; }; radius = 0.01; material = \"grain\"; } );\n",
                    0.02 * n, 0.02 * n, 0.02 * n, n, n, n);
}

/* The edges of a cell that a stress moves join all bodies: who does not know them says so. */
static void solvers_that_cannot_move_a_cell(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"name = \"newton\"", "solver.name"},
                                           {"local = \"extragradient\"", "solver.local"}};
    for (int k = 0; k < 2; k++)
        for (int stress = 0; stress < 2; stress++) {
            run *r = lattice(2);
            char path[] = "/tmp/pluvia-cell-XXXXXX";
            FILE *file = fdopen(mkstemp(path), "w");
            assert_non_null(file);
            fprintf(file,
                    "time: { step = 1e-3; end = 1; }; solver: { %s; };\n"
                    "gravity = [0, 0, 0]; cell: { size = [1, 1, 1]; %s }; contacts = ( { between = "
                    "[\"g\", \"g\"]; "
                    "friction = 0.5; } );\nmaterials = ( { name = \"g\"; density = 1.0; } );\n"
                    "bodies = ( { position = [0, 0, 0]; radius = 0.1; material = \"g\"; } );\n",
                    words[k][0], stress ? "stress = [1, 1, 1];" : "");
            fclose(file);
            plu_scene scene;
            plu_world *world;
            plu_stepper *stepper = NULL;
            run_check(r, plu_scene_read(&scene, path, NULL, 0, &r->err));
            run_check(r, plu_world_create(&world, &scene, &r->err));
            const plu_status status = plu_stepper_create(&stepper, world, &scene, NULL, &r->err);
            assert_int_equal(status, stress ? PLU_BAD_INPUT : PLU_OK);
            assert_true(!stress || (strstr(r->err.text, words[k][1]) &&
                                    strstr(r->err.text, "does not support cell.stress")));
            unlink(path);
            plu_stepper_destroy(stepper);
            plu_world_destroy(world);
            plu_scene_free(&scene);
            run_close(r);
        }
}

/* Fixed spheres are refused in a cell that moves, and only there; entries know how many they made.
 */
static void fixed_spheres_need_a_cell_at_rest(void **state)
{
    (void)state;
    static const char *const moves[] = {"", "shear_rate = 1.0;", "strain_rate = [0, 0, 0.1];",
                                        "stress = [1, 1, 1];"};
    for (int k = 0; k < 4; k++)
        for (int fixed = 0; fixed < 2; fixed++) {
            char path[] = "/tmp/pluvia-cell-XXXXXX";
            FILE *file = fdopen(mkstemp(path), "w");
            assert_non_null(file);
            fprintf(file,
                    "time: { step = 1e-3; end = 1; }; gravity = [0, 0, 0];\n"
                    "cell: { size = [1, 1, 1]; %s }; contacts = ( { between = [\"g\", \"g\"]; "
                    "friction = 0.5; } );\nmaterials = ( { name = \"g\"; density = 1.0; } );\n"
                    "bodies = ( { position = [0, 0, 0]; radius = 0.1; material = \"g\"; }, { "
                    "lattice: { counts = [1, 1, 3]; spacing = 0.2; origin = [0.5, 0.5, 0.2]; }; "
                    "radius = 0.1; material = \"g\"; fixed = %s; } );\n",
                    moves[k], fixed ? "true" : "false");
            fclose(file);
            plu_scene scene;
            plu_world *world = NULL;
            plu_error err = {0};
            assert_int_equal(plu_scene_read(&scene, path, NULL, 0, &err), PLU_OK);
            const bool refused = k > 0 && fixed;
            const plu_status status = plu_world_create(&world, &scene, &err);
            assert_int_equal(status, refused ? PLU_BAD_INPUT : PLU_OK);
            if (refused) {
                assert_non_null(strstr(err.text, "need a cell at rest"));
            } else {
                assert_int_equal(plu_world_made(world, 0), 1);
                assert_int_equal(plu_world_made(world, 1), 3);
                plu_world_destroy(world);
            }
            unlink(path);
            plu_scene_free(&scene);
        }
}

/* What tells a lock: seven steps in a row that failed, in which single contacts yielded or which
 * did not converge, in a cell that is dense and whose volume is prescribed. */
static void seven_failures_are_a_lock(void **state)
{
    (void)state;
    static const char *const rate[] = {"strain_rate = [0, 0, -1e-9];", "",
                                       "strain_rate = [0, -1e-9, 0]; stress = [0, 0, 1];"};
    for (int k = 0; k < 3; k++)
        for (int yields = 0; yields < 2; yields++)
            for (int dense = 0; dense < 2; dense++) {
                run *r = run_open(
                    "time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
                        "2500.0", "0", "0",
                        "0") "cell: { size = [0.04, 0.04, %g]; %s };\n"
                             "bodies = ( { lattice: { counts = [2, 2, 2]; spacing = 0.02; origin = "
                             "[0.01, "
                             "0.01, 0.01]; }; radius = 0.01; material = \"grain\"; } );\n",
                    dense ? 0.04 : 0.05, rate[k]);
                run_step(r);
                for (int step = 1; step <= 8; step++) {
                    const plu_step_info info = {.converged = yields, .yielding = yields};
                    plu_locked_look(r->stepper, &info);
                    const bool locked = k == 0 && dense && step >= 7;
                    assert_int_equal(r->stepper->totals.locked > 0.0, locked);
                }
                run_close(r);
            }
}

/* Each sphere of a simple cubic lattice touches six: in the smallest cell each of three twice. */
static void lattices_have_all_their_contacts(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++) {
        run *r = lattice(n);
        run_to(r, 0.05);
        const plu_contacts *list = contacts_of(r);
        int touching = 0;
        for (int k = 0; k < list->count; k++)
            touching += list->contact[k].gap < 1e-12;
        assert_int_equal(touching, 3 * n * n * n);
        run_close(r);
    }
}

/* A floor that goes through the cell carries what stands on its border. */
static void a_floor_goes_on(void **state)
{
    (void)state;
    run *r =
        run_open("time: { step = 1e-3; end = 1; };\n"
                 "materials = ( { name = \"grain\"; density = 2500; } );\n"
                 "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; } );\n"
                 "cell: { size = [0.06, 0.06, 0.1]; periodic = [\"x\", \"y\"]; };\n"
                 "boundaries = ( { plane: {}; material = \"grain\"; } );\n"
                 "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; },"
                 "{ position = [0.0595, 0.0004, 0.031]; radius = 0.01; material = \"grain\"; }"
                 ");\n");
    run_to(r, 0.3); /* it rolls off and comes to lie across the border */
    assert_near(run_position(r, 1)[2], 0.01, 2e-5);
    assert_near(run_position(r, 0)[2], 0.01, 2e-5);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
    run_close(r);
}

/* --- shear --- */

/* v = L x, from the start on. */
static void flight_in_a_shear_comes_back(void **state)
{
    (void)state;
    const double h = 1e-3, rate = 5.0, l = 0.05;
    run *r =
        run_open(GRAINS "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; } );\n"
                        "time: { step = 1e-3; end = 1; };\n"
                        "cell: { size = [0.05, 0.05, 0.05]; shear_rate = 5; };\n"
                        "bodies = ( { position = [0.01, 0.02, 0.03]; radius = 0.01; material = "
                        "\"grain\"; }, { position = [0.04, 0.045, 0.01]; radius = 0.01; material = "
                        "\"grain\"; velocity = [0, 0, 0.3]; } );");
    assert_near(run_velocity(r, 0)[0], rate * 0.03, 1e-15);
    assert_near(run_velocity(r, 1)[2], 0.3, 0.0);
    for (int step = 1; step <= 1000; step++) {
        run_step(r);
        const double t = step * h;
        const int *image = r->world->image[1];
        assert_near(run_velocity(r, 0)[0], rate * run_position(r, 0)[2], 1e-12);
        assert_near(unwrapped(r, 0, 0), 0.01 + rate * 0.03 * t, 1e-12);
        assert_near(unwrapped(r, 1, 0), 0.04 + rate * 0.01 * t, 1e-12);
        assert_near(run_velocity(r, 1)[0], rate * (0.01 - image[2] * l), 1e-12);
        assert_true(fabs(r->world->space.edge[2][0]) <= 0.5 * l * (1.0 + 1e-9));
    }
    assert_int_equal(r->world->image[1][2], 6);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
    run_close(r);
}

/* Two spheres across the upper side, when the cell has been sheared by more than a half, and the
 * same where the first one is its own image. */
static void a_pair_across_a_shear_is_a_pair(void **state)
{
    (void)state;
    const double rate = 5.0, l = 0.05, z[2] = {0.012, 0.038}, x[2] = {0.006, 0.02};
    const char *law = "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; "
                      "rolling_friction = 1e-3; restitution = 0.6; } );\n"
                      "time: { step = 1e-4; end = 1; };\n";
    const char *body = "{ position = [%.17g, %.17g, %.17g]; radius = 0.01; material = \"grain\"; "
                       "velocity = [%.17g, %g, %g]; }";
    char format[2048];
    snprintf(format, sizeof format,
             GRAINS "%s cell: { size = [0.05, 0.05, 0.05]; shear_rate = 5; }; bodies = ( %s, %s );",
             law, body, body);
    run *r =
        run_open(format, x[0], 0.02, z[0], 0.0, 0.01, -0.02, x[1], 0.024, z[1], 0.0, 0.0, 0.02);
    snprintf(format, sizeof format, GRAINS "%s bodies = ( %s, %s );", law, body, body);
    const double high = z[0] + l;
    run *open = run_open(format, x[0], 0.02, high, rate * high, 0.01, -0.02, x[1], 0.024, z[1],
                         rate * z[1], 0.0, 0.02);
    run_to(r, 0.3);
    run_to(open, 0.3);
    assert_true(run_velocity(open, 1)[2] < 0.01); /* they met */
    const int *image = r->world->image[0], *other = r->world->image[1];
    const double faster = rate * l * (1.0 + image[2]);
    for (int k = 0; k < 6; k++) {
        assert_near(run_velocity(r, 0)[k] + (k == 0 ? faster : 0.0), run_velocity(open, 0)[k],
                    k < 3 ? 1e-11 : 1e-9);
        assert_near(run_velocity(r, 1)[k] + (k == 0 ? rate * l * other[2] : 0.0),
                    run_velocity(open, 1)[k], k < 3 ? 1e-11 : 1e-9);
    }
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 2e-13);
    run_close(r);
    run_close(open);
}

/* --- stress, strain --- */

/* Two spheres that meet head on, across the border, and stay together: for a step there is
 * sigma_xx = impulse times way over h V, before it that of their motion. */
static void a_collision_is_a_stress(void **state)
{
    (void)state;
    const double h = 1e-4, speed = 1.0, volume = 0.06 * 0.05 * 0.04,
                 mass = 4.0 / 3.0 * PLU_PI * 1e-6 * 2500.0;
    run *r = run_open(
        GRAINS "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; } );\n"
               "time: { step = 1e-4; end = 1; }; cell: { size = [0.06, 0.05, 0.04]; };\n"
               "bodies = ( { position = [0.048, 0.02, 0.02]; radius = 0.01; material = "
               "\"grain\"; velocity = [1, 3, 0]; }, { position = [0.013, 0.02, 0.02]; radius "
               "= 0.01; material = \"grain\"; velocity = [-1, 3, 0]; } );");
    double stress[3][3], most = 0.0;
    run_step(r);
    plu_stepper_cell_stress(r->stepper, stress);
    assert_near(stress[0][0], 2.0 * mass * speed * speed / volume, 1e-9);
    assert_near(stress[1][1], 0.0, 1e-9); /* what drifts together presses on nothing */
    while (plu_world_time(r->world) < 0.01) {
        run_step(r);
        plu_stepper_cell_stress(r->stepper, stress);
        most = fmax(most, stress[0][0]);
    }
    assert_near(most, mass * speed * 0.02 / (h * volume), 2e-2 * most);
    assert_near(stress[0][0], 0.0, 1e-9);
    assert_near(plu_cell_fraction(r->world), 2.0 * mass / 2500.0 / volume, 1e-12);
    run_close(r);
}

/* What moves with a cell that is strained stays where it is in it. */
static void a_cell_that_is_strained_takes_bodies_along(void **state)
{
    (void)state;
    run *r =
        run_open(GRAINS "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; } );\n"
                        "time: { step = 1e-3; end = 1; };\n"
                        "cell: { size = [0.05, 0.06, 0.07]; strain_rate = [-0.5, 0.2, 0.4]; "
                        "shear_rate = 1; };\n"
                        "bodies = ( { position = [0.01, 0.02, 0.03]; radius = 0.01; material = "
                        "\"grain\"; } );");
    const double fraction[3] = {0.2, 0.02 / 0.06, 0.03 / 0.07};
    run_to(r, 0.15);
    const plu_space *space = &r->world->space;
    for (int k = 0; k < 3; k++)
        assert_near(plu_space_fraction(space, k, run_position(r, 0)) - fraction[k] +
                        r->world->image[0][k],
                    0.0, 1e-12);
    assert_near(space->edge[0][0], 0.05 * exp(-0.5 * 0.15), 2e-5);
    assert_near(space->edge[2][2], 0.07 * exp(0.4 * 0.15), 2e-5);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-13);
    assert_true(plu_stepper_totals(r->stepper)->work_cell > 0.0);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_free_sphere_comes_back),
        cmocka_unit_test(a_fall_without_end_keeps_its_balance),
        cmocka_unit_test(a_pair_across_the_border_is_a_pair),
        cmocka_unit_test(it_does_not_matter_where_the_cell_begins),
        cmocka_unit_test(any_threads_and_a_restart_give_the_same_bits),
        cmocka_unit_test(lattices_have_all_their_contacts),
        cmocka_unit_test(solvers_that_cannot_move_a_cell),
        cmocka_unit_test(fixed_spheres_need_a_cell_at_rest),
        cmocka_unit_test(seven_failures_are_a_lock),
        cmocka_unit_test(a_floor_goes_on),
        cmocka_unit_test(flight_in_a_shear_comes_back),
        cmocka_unit_test(a_pair_across_a_shear_is_a_pair),
        cmocka_unit_test(a_collision_is_a_stress),
        cmocka_unit_test(a_cell_that_is_strained_takes_bodies_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
