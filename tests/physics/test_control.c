/* Velocities, forces, moments, gravity and moving boundaries from outside, and calls around steps:
 * closed forms, the balance of energy, who wakes, what is refused. */
#include "memory.h"
#include "pluvia/control.h"
#include "world/world.h"

static plu_error err;

/* A sphere of radius 0.1 m and 1 kg at the height z over a plane, without friction or with mu; `g`:
 * gravity along -z. */
static run *sphere(double z, double mu, double g)
{
    return run_open("time: { step = 1e-3; end = 10; };\ngravity = [0, 0, %.17g];\n"
                    "materials = ( { name = \"a\"; density = %.17g; } );\n"
                    "contacts = ( { between = [\"a\", \"a\"]; friction = %g; } );\n"
                    "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material "
                    "= \"a\"; } );\n"
                    "bodies = ( { position = [0, 0, %g]; material = \"a\"; radius = 0.1; } );\n",
                    -g, 1.0 / (4.0 / 3.0 * acos(-1.0) * 1e-3), mu, z);
}

static const double *velocity(const run *r)
{
    return plu_world_bodies(r->world).velocity[0];
}

static void balanced(const run *r)
{
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
}

/* In free flight: v = F t / m, omega = M t / I, x by the theta rule exactly F t^2 / 2 m. */
static void a_load_accelerates(void **state)
{
    (void)state;
    const double force[3] = {0.5, -0.25, 0.3}, moment[3] = {0.0, 1e-3, 2e-3};
    run *r = sphere(5.0, 0.0, 0.0);
    assert_int_equal(plu_stepper_set_load(r->stepper, 0, force, moment, &err), PLU_OK);
    run_to(r, 0.5);
    const double *x = plu_world_bodies(r->world).position[0];
    for (int i = 0; i < 3; i++) {
        assert_near(velocity(r)[i], 0.5 * force[i], 1e-13);
        assert_near(velocity(r)[3 + i], 0.5 * moment[i] / (0.4 * 0.01), 1e-12);
        assert_near(x[i], 0.125 * force[i] + (i == 2 ? 5.0 : 0.0), 1e-13);
    }
    balanced(r);
    assert_int_equal(plu_stepper_set_load(r->stepper, 0, NULL, NULL, &err), PLU_OK);
    run_to(r, 0.6);
    assert_near(velocity(r)[0], 0.25, 1e-13);
    balanced(r);
    run_close(r);
}

/* While no body has a load several move at a time, by the same bits: eleven that fly, turn fast,
 * slowly or not at all, land and roll, without and with a load on one far away. */
static run *eleven(bool loaded)
{
    enum { BODIES = 12 };
    static char bodies[BODIES * 200];
    const double up[3] = {0.0, 0.0, 500.0};
    size_t used = 0;
    for (int k = 0; k < BODIES; k++)
        used += (size_t)snprintf(
            bodies + used, sizeof bodies - used,
            "%s{ position = [%d, 0, %g]; velocity = [%g, 0.1, %g]; angular_velocity = [%g, 0, %g]; "
            "material = \"a\"; radius = %g; }",
            k ? ", " : "", k, 0.1 + 0.02 * (k % 5), 0.1 * k, -0.1 * (k % 3),
            k % 4 == 0 ? 0.0 : 0.3 * k, k % 4 == 3 ? 90.0 : 0.0, 0.1 + 0.001 * k);
    run *r =
        run_open("time: { step = 1e-3; end = 10; };\nmaterials = ( { name = \"a\"; density = "
                 "1000.0; } );\ncontacts = ( { between = [\"a\", \"a\"]; friction = 0.3; "
                 "rolling_friction = 1e-3; } );\nboundaries = ( { plane: { center = [0, 0, 0]; "
                 "normal = [0, 0, 1]; }; material = \"a\"; } );\nallow_overlap = true;\n"
                 "bodies = ( %s );\n",
                 bodies);
    if (loaded)
        assert_int_equal(plu_stepper_set_load(r->stepper, BODIES - 1, up, NULL, &err), PLU_OK);
    return r;
}

static void lanes_move_as_one_by_one(void **state)
{
    (void)state;
    run *many = eleven(false), *single = eleven(true);
    const plu_bodies *a = &many->world->bodies, *b = &single->world->bodies;
    const size_t count = (size_t)(a->count - 1);
    for (int step = 0; step < 300; step++) {
        run_step(many);
        run_step(single);
        assert_memory_equal(a->position, b->position, count * sizeof *a->position);
        assert_memory_equal(a->row, b->row, count * sizeof *a->row);
        assert_memory_equal(a->orientation, b->orientation, count * sizeof *a->orientation);
    }
    assert_true(a->row[count][2] != b->row[count][2]);
    balanced(many);
    run_close(many);
    run_close(single);
}

/* On the ground friction holds it, or is overcome: a push through the center of 1.5 times 7/2 mu m
 * g makes it slide with a = F / m - mu g. A pull upwards takes weight off the contact. */
static void a_load_on_the_ground(void **state)
{
    (void)state;
    const double push[3] = {10.5, 0.0, 0.0}, pull[3] = {0.0, 0.0, 4.0};
    run *r = sphere(0.1, 0.2, 10.0);
    run_to(r, 0.01);
    assert_int_equal(plu_stepper_set_load(r->stepper, 0, push, NULL, &err), PLU_OK);
    run_to(r, 0.11);
    assert_near(velocity(r)[0], 0.1 * (10.5 - 2.0), 1e-6);
    assert_near(velocity(r)[4], 0.1 * 2.0 * 0.1 / (0.4 * 0.01), 1e-5);
    balanced(r);
    assert_int_equal(plu_stepper_set_load(r->stepper, 0, pull, NULL, &err), PLU_OK);
    run_step(r);
    double force[1][3];
    plu_stepper_forces(r->stepper, force);
    assert_near(force[0][2], 6.0, 1e-6);
    balanced(r);
    run_close(r);
}

/* What is at rest sleeps, and moves when it is told to; the energy counts as inserted. */
static void a_velocity_wakes(void **state)
{
    (void)state;
    const double up[3] = {0.0, 0.0, 2.0}, spin[3] = {1.0, 2.0, 3.0};
    run *r = sphere(0.1, 0.2, 10.0);
    run_to(r, 0.2);
    assert_int_equal(plu_stepper_set_velocity(r->stepper, 0, up, NULL, &err), PLU_OK);
    run_to(r, 0.3);
    assert_near(velocity(r)[2], 1.0, 1e-9);
    assert_near(plu_stepper_totals(r->stepper)->inserted, 2.0, 1e-9);
    assert_int_equal(plu_stepper_set_velocity(r->stepper, 0, NULL, spin, &err), PLU_OK);
    run_step(r);
    assert_near(velocity(r)[4], 2.0, 0.0);
    balanced(r);
    run_close(r);
}

typedef struct counts {
    long before, after;
    plu_status then;
} counts;

static plu_status before(void *user, plu_stepper *s, const plu_step_info *info, plu_error *e)
{
    counts *c = user;
    const double force[3] = {(double)++c->before, 0.0, 0.0};
    assert_null(info);
    if (c->before == 4)
        return plu_fail(e, PLU_NOT_CONVERGED, "enough");
    return plu_stepper_set_load(s, 0, force, NULL, e);
}

static plu_status after(void *user, plu_stepper *s, const plu_step_info *info, plu_error *e)
{
    (void)e;
    counts *c = user;
    assert_int_equal(plu_world_steps(plu_stepper_world(s)), ++c->after);
    assert_int_equal(info->contacts, 0);
    return PLU_OK;
}

/* Grains on a plate of the given motion, which fall onto it first. */
static run *plate(const char *motion)
{
    return run_open("time: { step = 1e-3; end = 10; };\n"
                    "materials = ( { name = \"a\"; density = 2500.0; } );\n"
                    "contacts = ( { between = [\"a\", \"a\"]; friction = 0.4; } );\n"
                    "boundaries = ( { name = \"floor\"; plate: { size = [1, 1]; }; %s\n"
                    "                 material = \"a\"; } );\n"
                    "bodies = ( { lattice: { counts = [4, 3, 2]; spacing = 0.0201;\n"
                    "             origin = [0.1, 0, 0.011]; }; material = \"a\"; radius = 0.01; } "
                    ");\n",
                    motion);
}

/* A boundary that a call moves from some step on goes as far as by a motion of the scene that
 * starts then; from a state that was saved meanwhile bit for bit. Then it stops, as that does. */
static void a_boundary_is_driven(void **state)
{
    (void)state;
    static const plu_drive drive = {{0.05, 0.0, 0.02}, 1.5, {0.0, 0.1, 0.0}}, still = {.rate = 0.0};
    run *a = plate("motion: { velocity = [0.05, 0, 0.02]; rate = 1.5; belt = [0, 0.1, 0];\n"
                   "          start = 0.4; stop = 0.6; };");
    run *b = plate("motion: {};"), *c = plate("motion: {};");
    assert_int_equal(plu_scene_boundary(&b->scene, "floor"), 0);
    assert_int_equal(plu_scene_boundary(&b->scene, "roof"), -1);
    run_to(a, 0.8);
    run_to(b, 0.399); /* velocities are those of the end of the step */
    assert_int_equal(plu_world_bodies(b->world).count, 24);
    assert_int_equal(plu_stepper_drive_boundary(b->stepper, 0, &drive, &err), PLU_OK);
    run_to(b, 0.5);
    assert_true(velocity(b)[2] > 0.019);
    memory *saved = memory_save(b);
    run_check(c, memory_set(c, saved));
    run_to(c, 0.599);
    assert_int_equal(plu_stepper_drive_boundary(c->stepper, 0, &still, &err), PLU_OK);
    run_to(c, 0.8);
    run_to(b, 0.599);
    assert_int_equal(plu_stepper_drive_boundary(b->stepper, 0, &still, &err), PLU_OK);
    run_to(b, 0.8);
    assert_true(plu_world_hash(b->world) == plu_world_hash(c->world));
    for (int k = 0; k < 3; k++) { /* half a step earlier, by 0.3 m/s at most */
        assert_near(plu_world_boundary(c->world, 0).position[k],
                    plu_world_boundary(a->world, 0).position[k], 1e-15);
        assert_near(run_position(c, 0)[k], run_position(a, 0)[k], 0.3 * 1e-3);
    }
    const double work = plu_stepper_totals(a->stepper)->work_boundary;
    assert_true(work > 1e-4);
    assert_near(plu_stepper_totals(c->stepper)->work_boundary, work, 0.01 * work);
    balanced(c);
    memory_free(saved);
    run_close(a), run_close(b), run_close(c);
}

/* Where a boundary is that has a motion, is driven for a tenth of a second, and goes on with its
 * motion from there: steps in which its velocity changes go by the mean of both. */
static void a_motion_goes_on_after_a_drive(void **state)
{
    (void)state;
    static const plu_drive drive = {{0.0, 0.5, 0.0}, 3.0, {0}};
    static const double first = 1e-3 * 0.5, steps = 1e-3 * 99; /* with half, and with all of it */
    run *r = plate("motion: { velocity = [0.2, 0, 0]; rate = 1; center = [0.1, 0, 0]; };"),
        *copy = plate("motion: { velocity = [0.2, 0, 0]; rate = 1; center = [0.1, 0, 0]; };");
    run_to(r, 0.1);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, &drive, &err), PLU_OK);
    run_to(r, 0.2);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, NULL, &err), PLU_OK);
    memory *m = memory_save(r);
    run_check(copy, memory_set(copy, m));
    memory_free(m);
    for (int k = 0; k < 2; k++) {
        run_to(k ? copy : r, 0.3);
        const plu_boundary_place place = plu_world_boundary(k ? copy->world : r->world, 0);
        const double angle = 0.1 + 3.0 * steps + 2.0 * (3.0 + 1.0) * first + 1.0 * steps;
        assert_near(place.position[0], 0.1 + 0.02 + 2.0 * 0.2 * first + 0.2 * steps, 1e-14);
        assert_near(place.position[1], 0.5 * steps + 2.0 * 0.5 * first, 1e-14);
        assert_near(2.0 * atan2(place.rotation[3], place.rotation[0]), angle, 1e-13);
    }
    assert_true(plu_world_hash(r->world) == plu_world_hash(copy->world));
    balanced(r);
    run_close(r), run_close(copy);
}

/* What contacts bear at most grows with the speed of a drive, and stays: 100 times what gives a
 * body that speed in a step (a plate of 1 m has its corners at 0.71 m). */
static void a_drive_counts(void **state)
{
    (void)state;
    static const plu_drive fast = {{3.0, 0.0, 4.0}, 0.0, {0, 12, 5}}, turns = {.rate = -40.0},
                           slow = {{0.1, 0, 0}, 0.0, {0}};
    const double mass = 4.0 / 3.0 * acos(-1.0) * 1e-6 * 2500.0;
    run *r = plate("motion: {};");
    assert_near(plu_stepper_strength(r->stepper), 1e4 * mass * 9.81, 1e-9);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, &slow, &err), PLU_OK);
    assert_near(plu_stepper_strength(r->stepper), 1e4 * mass * 9.81, 1e-9);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, &fast, &err), PLU_OK);
    assert_near(plu_stepper_strength(r->stepper), 1e5 * mass * (5.0 + 13.0), 1e-6);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, &turns, &err), PLU_OK);
    assert_near(plu_stepper_strength(r->stepper), 1e5 * mass * 40.0 * sqrt(0.5), 1e-6);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, NULL, &err), PLU_OK);
    assert_near(plu_stepper_strength(r->stepper), 1e5 * mass * 40.0 * sqrt(0.5), 1e-6);
    run_close(r);
}

/* What sleeps on a boundary wakes when it moves, and rides along. */
static void a_boundary_wakes(void **state)
{
    (void)state;
    static const plu_drive lift = {{0.0, 0.0, 0.1}, 0.0, {0}};
    run *r = plate("motion: {};");
    run_to(r, 2.0);
    const double before = run_position(r, 0)[2];
    assert_true(velocity(r)[2] == 0.0); /* asleep */
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, &lift, &err), PLU_OK);
    run_to(r, 2.5);
    assert_near(velocity(r)[2], 0.1, 1e-6);
    assert_near(run_position(r, 0)[2] - before, 0.05 - 0.5e-4, 1e-6); /* half of the first step */
    balanced(r);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, NULL, &err), PLU_OK);
    run_step(r);
    run_step(r);
    assert_near(plu_world_boundary(r->world, 0).position[2], 0.05, 1e-12);
    run_close(r);
}

/* Gravity that turns: free fall by both in turn, and the energy of the change is counted. */
static void gravity_is_set(void **state)
{
    (void)state;
    static const double other[3] = {3.0, -1.0, 2.0};
    double now[3];
    run *r = sphere(5.0, 0.0, 10.0);
    run_to(r, 0.2);
    assert_int_equal(plu_stepper_set_gravity(r->stepper, other, &err), PLU_OK);
    plu_stepper_gravity(r->stepper, now);
    assert_memory_equal(now, other, sizeof now);
    run_to(r, 0.5);
    for (int i = 0; i < 3; i++)
        assert_near(velocity(r)[i], 0.3 * other[i] - (i == 2 ? 2.0 : 0.0), 1e-12);
    assert_near(run_position(r, 0)[2], 5.0 - 0.2 - 0.6 + 0.09, 1e-12);
    balanced(r);
    run_close(r);
}

/* Grains asleep fall off a floor that becomes a ceiling, slide on one that becomes steep, and a run
 * that goes on from a state has the gravity of it. */
static void gravity_wakes(void **state)
{
    (void)state;
    static const double up[3] = {0.0, 0.0, 9.81}, steep[3] = {7.0, 0.0, -7.0};
    run *r = plate(""), *c = plate("");
    run_to(r, 2.0);
    assert_true(velocity(r)[2] == 0.0);
    assert_int_equal(plu_stepper_set_gravity(r->stepper, steep, &err), PLU_OK);
    run_to(r, 2.1);
    assert_true(velocity(r)[0] > 0.1);
    balanced(r);
    memory *saved = memory_save(r);
    run_check(c, memory_set(c, saved));
    run_to(r, 2.2);
    run_to(c, 2.2);
    assert_true(plu_world_hash(r->world) == plu_world_hash(c->world));
    assert_near(plu_stepper_boundary_load(c->stepper), plu_stepper_boundary_load(r->stepper), 0.0);
    assert_int_equal(plu_stepper_set_gravity(r->stepper, up, &err), PLU_OK);
    run_to(r, 2.6);
    for (int i = 0; i < 24; i++)
        assert_true(velocity(r)[8 * i + 2] > 3.0);
    balanced(r);
    memory_free(saved);
    run_close(r), run_close(c);
}

/* Forces of 1, 2, 3 N for a step each; the fourth step is not made. */
static void calls_around_steps(void **state)
{
    (void)state;
    counts c = {0};
    run *r = sphere(5.0, 0.0, 0.0);
    plu_stepper_set_calls(r->stepper, before, after, &c);
    for (int k = 0; k < 3; k++)
        run_step(r);
    assert_int_equal(plu_step(r->stepper, &r->info, &r->err), PLU_NOT_CONVERGED);
    assert_string_equal(r->err.text, "enough");
    assert_int_equal(c.after, 3);
    assert_int_equal(plu_world_steps(r->world), 3);
    assert_near(velocity(r)[0], 6e-3, 1e-15);
    run_close(r);
}

static void what_makes_no_sense(void **state)
{
    (void)state;
    const double nan[3] = {NAN, 0.0, 0.0}, fine[3] = {0};
    run *r = sphere(5.0, 0.0, 0.0);
    assert_int_equal(plu_stepper_set_load(r->stepper, 1, fine, NULL, &err), PLU_USAGE);
    assert_string_equal(err.text, "body 1 does not exist: bodies are numbered 0 to 0");
    assert_int_equal(plu_stepper_set_load(r->stepper, -1, fine, NULL, &err), PLU_USAGE);
    assert_int_equal(plu_stepper_set_load(r->stepper, 0, NULL, nan, &err), PLU_USAGE);
    assert_int_equal(plu_stepper_set_velocity(r->stepper, 0, nan, NULL, &err), PLU_USAGE);
    assert_int_equal(plu_stepper_set_velocity(r->stepper, 7, fine, NULL, &err), PLU_USAGE);
    const plu_drive drive = {.rate = NAN};
    assert_int_equal(plu_stepper_set_gravity(r->stepper, nan, &err), PLU_USAGE);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 1, NULL, &err), PLU_USAGE);
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, NULL, &err), PLU_USAGE);
    assert_non_null(strstr(err.text, "\"plane-1\" cannot be moved by calls: give it a motion"));
    run_step(r);
    run_close(r);
    r = plate("motion: {};");
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, &drive, &err), PLU_USAGE);
    run_close(r);
    r = plate("servo: { axis = [0, 0, 1]; force = 1; mass = 1; };");
    assert_int_equal(plu_stepper_drive_boundary(r->stepper, 0, NULL, &err), PLU_USAGE);
    assert_non_null(strstr(err.text, "by its servo"));
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_load_accelerates),
                                       cmocka_unit_test(a_load_on_the_ground),
                                       cmocka_unit_test(lanes_move_as_one_by_one),
                                       cmocka_unit_test(a_velocity_wakes),
                                       cmocka_unit_test(calls_around_steps),
                                       cmocka_unit_test(a_boundary_is_driven),
                                       cmocka_unit_test(a_motion_goes_on_after_a_drive),
                                       cmocka_unit_test(a_drive_counts),
                                       cmocka_unit_test(a_boundary_wakes),
                                       cmocka_unit_test(gravity_is_set),
                                       cmocka_unit_test(gravity_wakes),
                                       cmocka_unit_test(what_makes_no_sense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
