/* Spheres at rest sleep: what they feel has to be what they would have felt awake. */
#include "base/vec3.h"
#include "detect/detector.h"
#include "draws.h"
#include "memory.h"
#include "step/stepper.h"
#include "world/world.h"

enum { BED = 10 * 10 * 4 };

/* A bed in a box, and a sphere that lies on a plate above it. */
static run *bed_by(const char *forecast, const char *quiet, double tolerance)
{
    return run_open(
        "time: { step = 1e-3; end = 10; theta = 1; forecast = %s; };\nsolver: { quiet = %s; "
        "tolerance = %g; "
        "};\n" RUN_MATERIALS("1300.0", "0.3", "1e-3",
                             "0.0") "boundaries = ( { box: { lower = [0, "
                                    "0, 0]; upper = [0.22, 0.22, 0.44]; }; material = \"plate\"; "
                                    "}, { plate: { center = [0.11, "
                                    "0.11, 1]; normal = [0, 0, 1]; size = [0.1, 0.1]; }; material "
                                    "= \"plate\"; } );\n"
                                    "bodies = ( { lattice: { counts = [10, 10, 4]; spacing = "
                                    "0.022; origin = [0.011, 0.011, "
                                    "0.011]; jitter = 8e-4; }; material = \"grain\"; radius = "
                                    "0.01; },\n  { position = [0.11, "
                                    "0.11, 1.01]; radius = 0.01; material = \"grain\"; } );\n",
        forecast, quiet, tolerance);
}

static run *bed(const char *quiet, double tolerance)
{
    return bed_by("\"touch\"", quiet, tolerance);
}

static void wake(plu_world *w, int body)
{
    if (plu_awake(w, body))
        return;
    w->bodies.rest[body] = 0;
    w->wakings++;
    w->asleep--;
}

static void wake_all(plu_world *w)
{
    for (int i = 0; i < w->bodies.count; i++)
        wake(w, i);
}

/* A hand moves a body. */
static void carry(plu_world *w, int body, double z, double speed)
{
    wake(w, body);
    w->bodies.position[body][2] = z;
    w->bodies.row[body][2] = speed;
    w->generation++;
}

static double largest_speed(const run *r)
{
    double worst = 0.0;
    for (int i = 0; i < BED; i++)
        worst = plu_max(worst, plu_norm(run_velocity(r, i)));
    return worst;
}

/* The impact goes through the bed in the step in which it happens, as through a bed that was woken
 * a step before. */
static void impact_by(const char *forecast, double lead)
{
    const double tolerance = 0.1, impact = 1.0;
    run *asleep = bed_by(forecast, "true", tolerance), *awake = bed_by(forecast, "true", tolerance);
    double before = 0.0, now = 0.0;
    run_to(asleep, 7.0); /* spheres that spin in their places keep their surroundings awake */
    memory *m = memory_save(asleep);
    assert_int_equal(memory_set(awake, m), PLU_OK);
    memory_free(m);
    assert_true(asleep->world->asleep > BED * 3 / 4);
    const double still = largest_speed(asleep); /* of what is awake */
    carry(asleep->world, BED, 0.15, -impact);
    carry(awake->world, BED, 0.15, -impact);
    while (now < 0.01 * impact) {
        before = now;
        wake_all(awake->world);
        run_step(asleep);
        run_step(awake);
        now = largest_speed(asleep);
    }
    assert_true(before < still + lead * impact && asleep->world->asleep < BED / 10);
    for (int i = 0; i <= BED; i++) {
        double apart[3];
        plu_sub(run_velocity(asleep, i), run_velocity(awake, i), apart);
        assert_near(plu_norm(apart), 0.0, 0.1 * tolerance * impact);
    }
    run_close(asleep);
    run_close(awake);
}

/* Where the sphere lands (by touch) a share of the impact comes a step before the rest. */
static void an_impact_wakes(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    impact_by("0.5", 1e-4);
    impact_by("\"touch\"", 5e-3);
}

/* Normal forces on the floor and the weight of all. */
static void load(const run *r, double *floor, double *weight)
{
    *floor = *weight = 0.0;
    for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        if (plu_side_is_part(row.a))
            *floor += row.impulse_normal * row.normal[2] + row.impulse_tangent[2];
    }
    for (int i = 0; i < r->world->bodies.count; i++)
        *weight += 9.81 * r->scene.step / r->world->bodies.row[i][6];
}

/* Who sleeps costs nothing, stands still to the last bit and is carried by the floor. */
static void a_bed_at_rest_costs_nothing(void **state)
{
    (void)state;
    NUMBERS_ONLY();
    run *r = bed("true", 0.1);
    run_to(r, 5.0);
    double before[BED][3], floor, weight;
    long updates = 0;
    for (int i = 0; i < BED; i++)
        memcpy(before[i], run_position(r, i), sizeof before[i]);
    while (plu_world_time(r->world) < 6.0) {
        run_step(r);
        updates += r->info.updates;
    }
    assert_true(updates < 1000L * r->info.contacts); /* awake: 5 sweeps in each step */
    int moved = 0;
    for (int i = 0; i < BED; i++)
        moved += memcmp(before[i], run_position(r, i), sizeof before[i]) != 0;
    assert_true(moved < BED / 2);
    load(r, &floor, &weight);
    assert_near(floor, weight, 1e-4 * weight);
    assert_true(plu_stepper_imbalance(r->stepper) < 1e-13);
    run_close(r);
}

/* A sphere that lies on others is taken away: they feel that it is missing. */
static void a_missing_load_wakes(void **state)
{
    (void)state;
    run *r = run_open(
        "time: { step = 1e-3; end = 10; theta = 1; };\n" RUN_MATERIALS("1300.0", "0.0", "0.0",
                                                                       "0.0") RUN_PLANE
        "bodies = ( { lattice: { counts = [1, 1, 3]; spacing = 0.02; origin = [0, 0, 0.01]; }; "
        "radius = 0.01; material = \"grain\"; } );\n");
    run_to(r, 0.5);
    assert_int_equal(r->world->asleep, 3);
    carry(r->world, 2, 0.2, 0.0);
    run_step(r);
    run_step(r);
    double floor, weight;
    load(r, &floor, &weight);
    assert_int_equal(plu_stepper_contacts(r->stepper), 2);
    assert_near(floor, weight * 2.0 / 3.0, 1e-2 * weight);
    run_close(r);
}

/* What is counted is what bears something, asleep or awake, and what the boundaries carry is that.
 */
static void check_counts(const run *r)
{
    int bearing = 0, walls = 0;
    double floor, weight;
    for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        bearing += row.impulse_normal > 0.0;
        walls += row.impulse_normal > 0.0 && plu_side_is_part(row.a);
        assert_true(plu_stepper_touches(r->stepper, i) ==
                    (row.impulse_normal > 0.0 || row.gap <= 0.0));
    }
    assert_int_equal(r->info.contacts, bearing);
    assert_int_equal(r->info.wall_contacts, walls);
    load(r, &floor, &weight);
    assert_near(plu_stepper_boundary_load(r->stepper), floor / weight, 1e-12);
}

/* The natural map is that of the velocities of the solve, in which bodies beside those awake give
 * way, although they are put back to rest after it. */
static void check_natural(run *r)
{
    plu_problem *p = &r->stepper->problem;
    double want = 0.0;
    assert_true(isnan(r->info.residual_natural));
    plu_stepper_natural(r->stepper, &r->info);
    for (int k = 0; k < p->islands_count; k++) {
        plu_problem_apply(p, &p->islands[k]);
        want = fmax(want, plu_problem_residual(p, &p->islands[k], true, false).natural);
    }
    const double rounding = 1e-13; /* of velocities, which are summed in another order here (m/s) */
    assert_near(r->info.residual_natural, want, 1e-9 * want + rounding);
}

static void counts_are_of_what_bears(void **state)
{
    (void)state;
    run *r = bed("true", 0.1);
    int asleep = 0;
    while (plu_world_time(r->world) < 5.0) {
        run_step(r);
        asleep = r->world->asleep > asleep ? r->world->asleep : asleep;
        if (r->world->steps % 50 == 0 || r->world->asleep > 0)
            check_counts(r);
    }
    assert_true(asleep > BED / 2 && plu_stepper_contacts(r->stepper) > r->info.contacts);
    assert_near(plu_stepper_boundary_load(r->stepper), 1.0, 1e-3);
    carry(r->world, BED, 0.15, -1.0);
    for (int k = 0; k < 200; k++) { /* flies, hits, wakes */
        run_step(r);
        check_counts(r);
        if (r->world->asleep > 0)
            check_natural(r);
    }
    assert_true(r->world->asleep < asleep);
    run_close(r);
}

/* Ten light spheres that touch in a row, the first of them pressed into a heavy one that sleeps:
 * position corrections move it away, and leave the heavy one where it is, to the last bit. */
static void who_sleeps_stays_in_place(void **state)
{
    (void)state;
    enum { ROW = 10 };
    const double r1 = 0.05, r2 = 0.01, beside = 2.0 * sqrt(r1 * r2), deep = 0.1 * r2;
    run *r = run_open(
        "time: { step = 1e-3; end = 10; theta = 1; };\n"
        "materials = ( { name = \"light\"; density = 1e3; }, { name = \"heavy\"; density = 1e7; } "
        ");\n"
        "contacts = ( { between = [\"light\", \"light\"]; friction = 0.3; rolling_friction = 1e-3; "
        "},\n"
        "  { between = [\"light\", \"heavy\"]; friction = 0.3; rolling_friction = 1e-3; },\n"
        "  { between = [\"heavy\", \"heavy\"]; friction = 0.3; rolling_friction = 1e-3; } );\n"
        "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "
        "\"heavy\"; } );\n"
        "bodies = ( { position = [0, 0, 0.05]; radius = 0.05; material = \"heavy\"; },\n"
        "  { lattice: { counts = [%d, 1, 1]; spacing = 0.02; origin = [%.17g, 0, 0.01]; }; radius "
        "= 0.01; "
        "material = \"light\"; } );\n",
        ROW, beside);
    run_to(r, 0.2);
    assert_int_equal(r->world->asleep, ROW + 1);
    for (int i = 1; i <= ROW; i++) {
        carry(r->world, i, r2, 0.0);
        r->world->bodies.position[i][0] -= deep;
    }
    double before[3];
    memcpy(before, run_position(r, 0), sizeof before);
    for (int step = 0; step < 5; step++)
        run_step(r);
    assert_false(plu_awake(r->world, 0));
    assert_int_equal(r->world->asleep, 1);
    assert_memory_equal(before, run_position(r, 0), sizeof before);
    assert_true(run_position(r, 1)[0] > beside - 0.8 * deep);
    run_close(r);
}

/* A column in a smooth shaft, asleep, whose floor begins to rise more slowly than a body at rest
 * may move: all of it rises. */
static void a_slow_floor_lifts_all(void **state)
{
    (void)state;
    enum { COLUMN = 10 };
    const double speed = 3e-6, start = 0.3, end = 4.0;
    run *r = run_open(
        "time: { step = 1e-3; end = 4; };\n" RUN_MATERIALS(
            "2500.0", "0.0", "0.0", "0.0") "boundaries = ( { plane: { }; material = \"plate\"; "
                                           "motion: { velocity = [0, 0, %.17g]; "
                                           "start = %.17g; }; }, { box: { lower = [-0.01, -0.01, "
                                           "-1]; upper = [0.01, 0.01, 1]; }; "
                                           "material = \"plate\"; } );\n"
                                           "bodies = ( { lattice: { counts = [1, 1, %d]; spacing = "
                                           "0.02; origin = [0, 0, 0.01]; }; "
                                           "radius = 0.01; material = \"grain\"; } );\n",
        speed, start, COLUMN);
    run_to(r, start - 0.01);
    assert_int_equal(r->world->asleep, COLUMN);
    double before[COLUMN];
    for (int i = 0; i < COLUMN; i++)
        before[i] = run_position(r, i)[2];
    run_to(r, end);
    assert_int_equal(r->world->asleep, 0);
    const double way = speed * (end - start);
    for (int i = 0; i < COLUMN; i++)
        assert_near(run_position(r, i)[2] - before[i], way, 0.01 * way);
    run_close(r);
}

/* A boundary that moved slowly keeps nobody awake once it is gone. */
static void a_slow_boundary_goes(void **state)
{
    (void)state;
    run *r = run_open("time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS(
        "2500.0", "0.3", "0.0",
        "0.0") "boundaries = ( { plane: { }; material = \"plate\"; }, { plate: { center = [0, 0, "
               "1]; size = [1, 1]; }; "
               "material = \"plate\"; motion: { velocity = [0, 0, 3e-6]; }; until = 0.3; } );\n"
               "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; } );\n");
    run_to(r, 0.29);
    assert_int_equal(r->world->asleep, 0);
    run_to(r, 0.4);
    assert_int_equal(r->world->asleep, 1);
    run_close(r);
}

/* While most bodies sleep only candidates of those awake are looked at: the first contact of all
 * ends there, and comes again. */
static void the_first_contact_ends(void **state)
{
    (void)state;
    run *r = run_open("time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
        "2500.0", "0.3", "0.0", "0.0") "bodies = ( { position = [0, 0, 0]; radius = 0.01; material "
                                       "= \"grain\"; }, { position = "
                                       "[0.02, 0, 0]; radius = 0.01; material = \"grain\"; }, { "
                                       "position = [0, 0, -1]; radius = "
                                       "0.01; material = \"grain\"; velocity = [0, 0, -1]; }, { "
                                       "lattice: { counts = [8, 1, 1]; "
                                       "spacing = 0.05; origin = [0, 0, 1]; }; radius = 0.01; "
                                       "material = \"grain\"; } );\n");
    static const double speeds[] = {0.0, 0.9, -0.9}; /* the first bodies part, and meet */
    for (int i = 3; i < 11; i++)
        r->world->bodies.rest[i] = PLU_ASLEEP;
    r->world->asleep = 8;
    for (int k = 0; k < 3; k++) {
        const bool watched = r->stepper->detector->watching;
        r->world->bodies.row[0][1] = 1.0; /* as fast as ever, so that skins are as they were */
        r->world->bodies.row[1][0] = speeds[k];
        r->world->bodies.row[1][1] = sqrt(1.0 - speeds[k] * speeds[k]);
        run_step(r);
        assert_true(r->stepper->detector->watching && watched == (k > 0));
        assert_int_equal(plu_stepper_contacts(r->stepper), speeds[k] > 0.0 ? 0 : 1);
    }
    assert_int_equal(r->world->asleep, 8);
    run_close(r);
}

/* Without gravity, or where the scene does not want it, nobody is put to sleep while moving. */
static void no_sleep(void **state)
{
    (void)state;
    run *r = bed("false", 1e-2);
    run_to(r, SANITIZED ? 0.2 : 1.0);
    assert_int_equal(r->world->asleep, 0);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_impact_wakes),           cmocka_unit_test(a_bed_at_rest_costs_nothing),
        cmocka_unit_test(a_missing_load_wakes),      cmocka_unit_test(counts_are_of_what_bears),
        cmocka_unit_test(who_sleeps_stays_in_place), cmocka_unit_test(a_slow_floor_lifts_all),
        cmocka_unit_test(a_slow_boundary_goes),      cmocka_unit_test(no_sleep),
        cmocka_unit_test(the_first_contact_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
