/* All that a run counts goes through a state, number by number; impossible counters are refused;
 * and a stepper set to a frame has its contacts. (What follows has the same bits: test_state.c.) */
#include "assemble/cohesion.h"
#include "base/vec3.h"
#include "memory.h"
#include "mesh_file.h"
#include "pluvia/control.h"
#include "step/stepper.h"
#include <stddef.h>

static const char *const ball =
    "time: { step = 1e-3; end = 10; };\n%s" RUN_MATERIALS("2500.0", "0.3", "1e-3", "0.0") RUN_PLANE
    "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; } );\n";
static const char *const soft =
    "method = \"penalty\";\ntime: { step = 1e-5; end = 10; };\n%s" RUN_MATERIALS(
        "2500.0", "0.3", "1e-3", "0.0; friction_dynamic = 0.2; normal_stiffness = 1e4") RUN_PLANE
    "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; } );\n";

enum { WORDS = sizeof(plu_totals) / 8 };

/* Whether a state has this word of the totals: not what is counted since a stepper was made, nor,
 * without springs, what is in them. */
static bool is_kept(size_t word, bool springs)
{
    const size_t at = 8 * word;
    if (at == offsetof(plu_totals, fallback_steps) || at == offsetof(plu_totals, fallback_seconds))
        return false;
    return springs ||
           (at != offsetof(plu_totals, elastic) && at != offsetof(plu_totals, dissipated));
}

/* No two words of the totals are the same, and all of them come back. */
static void keeps_all(const char *scene, bool springs)
{
    run *one = run_open(scene, ""), *two = run_open(scene, "");
    long have[WORDS], got[WORDS];
    _Static_assert(sizeof have == sizeof(plu_totals), "words of 8 bytes");
    run_step(one);
    for (long k = 0; k < WORDS; k++)
        have[k] = 1000 + k;
    memcpy(&one->stepper->totals, have, sizeof have);
    one->stepper->strength.speed = 11.0;
    one->stepper->base_speed = 12.0;
    one->stepper->highest = 13.0;
    memory *m = memory_save(one);
    assert_int_equal(memory_set(two, m), PLU_OK);
    memcpy(got, &two->stepper->totals, sizeof got);
    for (size_t k = 0; k < WORDS; k++)
        if (is_kept(k, springs) && got[k] != have[k])
            fail_msg("the number at byte %zu of plu_totals is not kept", 8 * k);
    assert_near(two->stepper->strength.speed, 11.0, 0.0);
    assert_near(two->stepper->base_speed, 12.0, 0.0);
    assert_near(two->stepper->highest, 13.0, 0.0);
    memory_free(m);
    run_close(one);
    run_close(two);
}

static void totals_are_kept(void **unused)
{
    (void)unused;
    keeps_all(ball, false);
    keeps_all(soft, true);
}

/* Sets number `k` of an array of counters; whether the state is then refused. */
static bool refuses(memory *m, const char *name, size_t k, long value)
{
    run *fresh = run_open(ball, "");
    memory_part *part = memory_find(m, name);
    assert_non_null(part);
    long *counter = part->data, was = counter[k];
    counter[k] = value;
    const plu_status status = memory_set(fresh, m);
    counter[k] = was;
    if (status != PLU_OK &&
        (status != PLU_BAD_INPUT || !strstr(fresh->err.text, "a counter has an impossible value")))
        fail_msg("%s: status %d, \"%s\"", name, status, fresh->err.text);
    run_close(fresh);
    return status != PLU_OK;
}

/* From 0 to 2^60 - 1 a run can go on counting. */
static void impossible_counters_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        size_t count;
    } counters[] = {{"totals/steps", 1},          {"totals/unconverged", 1},
                    {"totals/natural_open", 1},   {"totals/iterations", 1},
                    {"totals/updates", 1},        {"world/steps", 1},
                    {"world/delayed", 1},         {"totals/unconverged_in_a_row", 1},
                    {"totals/creating", 2},       {"totals/cold", 1},
                    {"totals/yielding_steps", 1}, {"totals/yields", 1},
                    {"totals/jams", 1},           {"totals/beyond", PLU_LIMITS},
                    {"totals/repeated", 1},       {"totals/too_long", PLU_RULES}};
    run *r = run_open(ball, "");
    run_step(r);
    memory *m = memory_save(r);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        for (size_t k = 0; k < counters[i].count; k++) {
            const char *name = counters[i].name;
            if (!refuses(m, name, k, -1) || !refuses(m, name, k, 1L << 60))
                fail_msg("number %zu of %s may be impossible", k, name);
            if (refuses(m, name, k, (1L << 60) - 1) || refuses(m, name, k, 0))
                fail_msg("number %zu of %s may not be what is possible", k, name);
        }
    memory_free(m);
    run_close(r);
}

/* Likewise of servos and of feeders that wait. */
static run *piston(void)
{
    return run_open("time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS(
        "2500.0", "0.3", "0.0",
        "0.0") "boundaries = ( { plane: { center = [0, 0, 1]; normal = [0, 0, -1]; }; material = "
               "\"plate\"; servo: { "
               "mass = 1; force = 1; }; } );\nfeeders = ( { pluviation: { count = 2; interval = "
               "0.5; height = 0.3; "
               "footprint: { disc = 0.01; }; }; material = \"grain\"; radius = 0.012; } );\n");
}

static void impossible_counters_of_others(void **unused)
{
    (void)unused;
    static const char *const names[] = {"world/servo-0", "world/queue_delayed"};
    static const long values[] = {-1, 1L << 60, (1L << 60) - 1, 0};
    run *r = piston();
    run_step(r);
    memory *m = memory_save(r);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++) {
            run *fresh = piston();
            long *counter = memory_find(m, names[i])->data, was = *counter;
            *counter = values[k];
            assert_int_equal(memory_set(fresh, m), k < 2 ? PLU_BAD_INPUT : PLU_OK);
            *counter = was;
            if (k < 2)
                assert_non_null(strstr(fresh->err.text, "a counter has an impossible value"));
            run_close(fresh);
        }
    memory_free(m);
    run_close(r);
}

/* A pair stores an approach, which is not positive, and a gap, which is not negative. */
static void impossible_bounces(void **unused)
{
    (void)unused;
    static const char *const bouncing = "time: { step = 1e-3; end = 10; };\n" RUN_MATERIALS(
        "2500.0", "0.3", "0.0", "0.5; restitution_law = \"energy\"") RUN_PLANE
        "bodies = ( { position = [0, 0, 0.0101]; radius = 0.01; velocity = [0, 0, -0.3]; material "
        "= "
        "\"grain\"; } );\n";
    static const double wrong[][2] = {{0.1, 0.0}, {-0.1, -1e-9}, {NAN, 0.0}, {-0.1, INFINITY}};
    run *r = run_open(bouncing);
    run_step(r);
    memory *m = memory_save(r);
    double *stored = memory_find(m, "contacts/rebound")->data;
    assert_true(stored[0] < -0.29); /* of the landing */
    for (int k = 0; k < 5; k++) {
        run *fresh = run_open(bouncing);
        assert_int_equal(memory_set(fresh, m), k == 0 ? PLU_OK : PLU_BAD_INPUT);
        if (k > 0)
            assert_non_null(strstr(fresh->err.text, "contact 0 stores an impossible bounce"));
        for (int i = 0; i < 2 && k < 4; i++)
            stored[i] = wrong[k][i];
        run_close(fresh);
    }
    memory_free(m);
    run_close(r);
}

/* Saving changes nothing; what is loaded knows nothing of a last step, and what it is made for. */
static void loading_forgets_the_step(void **unused)
{
    (void)unused;
    run *one = run_open(ball, ""), *two = run_open(ball, "");
    const double gravity[3] = {3.0, 0.0, -4.0};
    run_to(one, 0.02);
    run_check(one, plu_stepper_set_gravity(one->stepper, gravity, &one->err));
    run_step(one);
    run_step(two);
    assert_int_equal(plu_stepper_contacts(two->stepper), 1);
    memory *m = memory_save(one);
    assert_int_equal(plu_stepper_contacts(one->stepper), 1);
    assert_true(plu_stepper_boundary_load(one->stepper) > 0.0);
    assert_true(one->stepper->natural_open);
    two->stepper->natural_open = true;
    two->stepper->natural = 5.0;
    assert_int_equal(memory_set(two, m), PLU_OK);
    assert_int_equal(plu_stepper_contacts(two->stepper), 0);
    assert_near(plu_stepper_boundary_load(two->stepper), 0.0, 0.0);
    assert_int_equal(two->stepper->bearing.contacts, 0);
    assert_false(two->stepper->natural_open);
    assert_true(isnan(two->stepper->natural));
    assert_non_null(memory_find(m, "jams/count"));
    assert_null(memory_find(m, "ladder/level"));
    two->info.residual_natural = NAN;
    const plu_totals before = *plu_stepper_totals(two->stepper);
    plu_stepper_natural(two->stepper, &two->info);
    assert_true(isnan(two->info.residual_natural));
    assert_int_equal(plu_stepper_totals(two->stepper)->natural_open, before.natural_open);
    for (int k = 0; k < 3; k++) {
        assert_near(two->stepper->up[k], -gravity[k] / 5.0, 1e-15);
        assert_near(two->stepper->settings.pull[k], 1e-3 * gravity[k], 1e-18);
    }
    assert_near(two->stepper->sleep.speed, one->stepper->sleep.speed, 0.0);
    memory_free(m);
    run_close(one);
    run_close(two);
}

/* A run that chooses its steps saves where it is on its ladder. */
static void steps_that_are_chosen_go_on(void **unused)
{
    (void)unused;
    static const char *const scene =
        "time: { step = \"auto\"; end = 1; };\n" RUN_MATERIALS("2500.0", "0.3", "1e-3", "0.0")
            RUN_PLANE
        "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; velocity = "
        "[3, 0, 0]; }, { position = [0.05, 0, 0.01]; radius = 0.01; material = \"grain\"; } );\n";
    run *one = run_open("%s", scene), *two = run_open("%s", scene);
    for (int k = 0; k < 3; k++)
        run_step(one);
    one->stepper->ladder.calm = 3;
    memory *m = memory_save(one);
    assert_non_null(memory_find(m, "ladder/calm"));
    assert_int_equal(memory_set(two, m), PLU_OK);
    assert_int_equal(two->stepper->ladder.calm, 3);
    for (int k = 0; k < 20; k++) {
        run_step(one);
        run_step(two);
        assert_int_equal(plu_world_hash(one->world), plu_world_hash(two->world));
    }
    memory_free(m);
    run_close(one);
    run_close(two);
}

/* A ring of three that stick to each other across a cell and to the floor, and rub on it. */
static run *ring(void)
{
    return run_open(
        "time: { step = 1e-3; end = 1; };\ncell: { size = [0.06, 0.1, 0.1]; periodic = [\"x\"]; "
        "};\nmaterials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; rolling_friction = 2e-4; "
        "cohesion = 0.11; }, { between = [\"grain\", \"plate\"]; friction = 0.3; rolling_friction "
        "= 1e-4; cohesion = 0.07; } );\n" RUN_PLANE
        "bodies = ( { position = [0.005, 0.05, 0.01]; radius = 0.01; material = \"grain\"; "
        "velocity = [0.02, 0.3, 0]; angular_velocity = [7, 3, 1]; },"
        "{ position = [0.025, 0.05, 0.01]; radius = 0.01; material = \"grain\"; velocity = [0, "
        "-0.2, 0]; angular_velocity = [-3, 8, 1]; },"
        "{ position = [0.045, 0.05, 0.01]; radius = 0.01; material = \"grain\"; velocity = [0, "
        "0.05, 0]; angular_velocity = [2, -3, -5]; } );\n");
}

enum { MOST = 16 };

typedef struct frame {
    double position[3][3], velocity[3][3], spin[3][3], orientation[3][4];
    unsigned char state[3];
    plu_contact_row contact[MOST];
    plu_moment moment;
} frame;

/* What a trajectory has of a run of three bodies. */
static frame *frame_of(const run *r)
{
    frame *f = calloc(1, sizeof *f);
    const plu_bodies_view view = plu_world_bodies(r->world);
    for (int b = 0; b < 3; b++) {
        memcpy(f->position[b], view.position[b], sizeof f->position[b]);
        memcpy(f->velocity[b], view.velocity[b], sizeof f->velocity[b]);
        memcpy(f->spin[b], view.velocity[b] + 3, sizeof f->spin[b]);
        memcpy(f->orientation[b], view.orientation[b], sizeof f->orientation[b]);
        f->state[b] = view.state[b];
    }
    const int count = plu_stepper_contacts(r->stepper);
    assert_in_range(count, 0, MOST);
    for (int k = 0; k < count; k++)
        plu_stepper_contact(r->stepper, k, &f->contact[k]);
    f->moment = (plu_moment){plu_world_time(r->world),
                             plu_world_steps(r->world),
                             3,
                             (const double(*)[3])f->position,
                             (const double(*)[3])f->velocity,
                             (const double(*)[3])f->spin,
                             (const double(*)[4])f->orientation,
                             f->state,
                             count,
                             f->contact};
    return f;
}

/* Impulses of a state that was set from a frame are those of the run. */
static void same_impulses(run *one, run *two, const char *what)
{
    memory *m = memory_save(one), *n = memory_save(two);
    const memory_part *body = memory_find(m, "contacts/body"),
                      *p = memory_find(m, "contacts/impulse");
    assert_memory_equal(body->data, memory_find(n, "contacts/body")->data, body->bytes);
    const double *want = p->data, *got = memory_find(n, "contacts/impulse")->data;
    bool bears[7] = {false};
    for (size_t k = 0; k < p->bytes / sizeof *want; k++) {
        assert_near(got[k], want[k], 1e-18);
        bears[k % 7] |= fabs(want[k]) > 1e-9;
    }
    for (int k = 0; k < 7; k++)
        if (!bears[k])
            fail_msg("%s: number %d of all impulses is zero", what, k);
    memory_free(m);
    memory_free(n);
}

/* Of a sphere in a fold attraction is shared out by the normals. */
static run *roof(const char *mesh)
{
    return run_open(
        "time: { step = 1e-3; end = 1; };\nallow_overlap = true;\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; }, { between = "
        "[\"grain\", \"plate\"]; friction = 0.6; rolling_friction = 1e-4; cohesion = 0.2; } );\n"
        "boundaries = ( { mesh: { file = \"%s\"; }; material = \"plate\"; } );\n"
        "bodies = ( { position = [1e-6, 0.1, %.17g]; radius = 0.01; material = \"grain\"; velocity "
        "= [0.01, 0.1, "
        "0]; angular_velocity = [1, 2, 3]; }, { position = [0, 0.4, -0.5]; radius = 0.01; material "
        "= "
        "\"grain\"; }, { position = [0, 0.7, -0.5]; radius = 0.01; material = \"grain\"; } );\n",
        mesh, -0.01 / cos(0.5));
}

static void a_frame_below_a_roof(void **unused)
{
    (void)unused;
    mesh_file m = begin_mesh();
    fprintf(m.file, "v 0 -1 0\nv 0 1 0\nv 1 -1 %.17g\nv 1 1 %.17g\nv -1 1 %.17g\nv -1 -1 %.17g\n",
            -tan(0.5), -tan(0.5), -tan(0.5), -tan(0.5));
    fprintf(m.file, "f 1 3 4\nf 1 4 2\nf 2 5 6\nf 2 6 1\n");
    fclose(m.file);
    run *one = roof(m.path), *two = roof(m.path);
    run_to(one, 0.004);
    frame *f = frame_of(one);
    assert_int_equal(f->moment.contacts, 2);
    const plu_contacts *list = one->stepper->contacts;
    const double first = plu_attraction(one->world, list, 0),
                 second = plu_attraction(one->world, list, 1);
    assert_true(first > 0.0 && second > 0.0 && first < 0.9 * 0.2e-3 &&
                first + second > 1.05 * 0.2e-3);
    run_check(two, plu_stepper_set(two->stepper, &f->moment, &two->err));
    same_impulses(one, two, "below a roof");
    free(f);
    run_close(one);
    run_close(two);
    unlink(m.path);
}

static void a_frame_has_its_contacts(void **unused)
{
    (void)unused;
    run *one = ring(), *two = ring();
    run_to(one, 0.005);
    frame *f = frame_of(one);
    assert_int_equal(f->moment.contacts, 6);
    run_step(two);
    run_check(two, plu_stepper_set(two->stepper, &f->moment, &two->err));
    assert_int_equal(plu_stepper_contacts(two->stepper), 0);
    assert_int_equal(plu_world_hash(two->world), plu_world_hash(one->world));
    same_impulses(one, two, "a ring");
    for (int k = 0; k < 20; k++) {
        run_step(one);
        run_step(two);
    }
    for (int b = 0; b < 3; b++)
        for (int k = 0; k < 3; k++) {
            assert_near(run_position(two, b)[k], run_position(one, b)[k], 1e-12);
            assert_near(run_velocity(two, b)[3 + k], run_velocity(one, b)[3 + k], 1e-8);
        }
    run_close(two);
    two = ring(); /* without contacts, and with none */
    f->moment.contacts = -1;
    run_check(two, plu_stepper_set(two->stepper, &f->moment, &two->err));
    f->moment.contacts = 0;
    run_step(two);
    run_check(two, plu_stepper_set(two->stepper, &f->moment, &two->err));
    memory *none = memory_save(two);
    assert_int_equal(*(const int *)memory_find(none, "contacts/count")->data, 0);
    memory_free(none);
    free(f);
    run_close(one);
    run_close(two);
}

/* `change`: of the frame of three that rest; NULL: the scene is another one. */
static void refuses_frame(run *r, frame *f, const char *why)
{
    const plu_status status = plu_stepper_set(r->stepper, &f->moment, &r->err);
    if (status != PLU_BAD_INPUT || !strstr(r->err.text, why))
        fail_msg("status %d: \"%s\" does not say \"%s\"", status, r->err.text, why);
    run_close(r);
}

static void frames_that_do_not_do(void **unused)
{
    (void)unused;
    static const char *const three =
        "bodies = ( { lattice: { counts = [3, 1, 1]; spacing = 0.03; origin = [0.01, 0.05, 0.05]; "
        "}; radius = 0.01; material = \"grain\"; } );\n";
    run *one = ring();
    run_step(one);
    frame *f = frame_of(one);
    refuses_frame(
        run_open(
            "method = \"penalty\";\ntime: { step = 1e-5; end = 1; };\n" RUN_MATERIALS(
                "2500.0", "0.3", "0.0", "0.0; friction_dynamic = 0.2; normal_stiffness = 1e4") "%s",
            three),
        f, "method = \"penalty\" continues from a checkpoint only");
    refuses_frame(run_open("time: { step = \"auto\"; end = 1; };\n" RUN_MATERIALS(
                               "2500.0", "0.3", "0.0", "0.0") "%s",
                           three),
                  f, "chooses its steps continues from a checkpoint only");
    refuses_frame(run_open("time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS(
                               "2500.0", "0.3", "0.0",
                               "0.0") "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, "
                                      "0, 1]; }; material = \"plate\"; servo: { mass = 1; force = "
                                      "1; axis = [0, 0, 1]; }; } );\n%s",
                           three),
                  f, "a servo continues from a checkpoint only");
    refuses_frame(run_open("time: { step = 1e-3; end = 1; };\n" RUN_MATERIALS(
                               "2500.0", "0.3", "0.0", "0.0") "cell: { size = [0.1, 0.1, 0.1]; "
                                                              "shear_rate = 1; };\n%s",
                           three),
                  f, "a moving cell continues from a checkpoint only");
    f->moment.bodies = 2;
    refuses_frame(ring(), f, "the scene has 3 bodies, but the frame has 2");
    f->moment.bodies = 3;
    f->moment.velocity = NULL;
    refuses_frame(ring(), f, "velocities and angular velocities are needed");
    f->moment.velocity = (const double(*)[3])f->velocity;
    f->moment.angular_velocity = NULL;
    refuses_frame(ring(), f, "velocities and angular velocities are needed");
    f->moment.angular_velocity = (const double(*)[3])f->spin;
    f->state[1] = 7;
    refuses_frame(ring(), f, "a body has an unknown state");
    f->state[1] = PLU_ACTIVE;
    const plu_contact_row kept = f->contact[1];
    f->contact[1] = f->contact[0];
    refuses_frame(ring(), f, "contact 1");
    f->contact[1] = kept;
    free(f);
    run_close(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_kept),
        cmocka_unit_test(impossible_counters_are_refused),
        cmocka_unit_test(impossible_counters_of_others),
        cmocka_unit_test(impossible_bounces),
        cmocka_unit_test(loading_forgets_the_step),
        cmocka_unit_test(steps_that_are_chosen_go_on),
        cmocka_unit_test(a_frame_has_its_contacts),
        cmocka_unit_test(a_frame_below_a_roof),
        cmocka_unit_test(frames_that_do_not_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
