/* Boundaries are where their motion says at the end of every step, and what rests on them goes with
 * them (src/theory.md, "Boundaries that move"). */
#include "memory.h"
#include "world/motion.h"
#include "world/world.h"
#include <math.h>

static const double pi = 3.14159265358979323846, g = 9.81, radius = 0.01;

#define SHARP "solver: { criterion = \"weight\"; tolerance = 1e-12; };\n"

/* The same numbers in every run. */
static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 - 0.5;
}

/* --- tables --- */

enum { MOST = 4001 };

typedef struct table {
    int count;
    double dt, value[MOST][4];
    char path[32];
} table;

/* Rows every dt of a way with some speed and noise (m, rad), written to a file. */
static table *table_make(double dt, int count, const double speed[4], double noise)
{
    table *t = calloc(1, sizeof *t);
    uint64_t seed = 7;
    t->count = count;
    t->dt = dt;
    strcpy(t->path, "/tmp/pluvia-table-XXXXXX");
    FILE *file = fdopen(mkstemp(t->path), "w");
    assert_non_null(file);
    fprintf(file, "t, x, y, z, angle\n");
    for (int i = 0; i < count; i++) {
        fprintf(file, "%.17g", i * dt);
        for (int c = 0; c < 4; c++) {
            const double rough = speed[c] != 0.0 ? noise * 2.0 * draw(&seed) : 0.0;
            t->value[i][c] = 0.3 + speed[c] * i * dt + rough;
            fprintf(file, ", %.17g", t->value[i][c]);
        }
        fprintf(file, "\n");
    }
    fclose(file);
    return t;
}

static void table_free(table *t)
{
    unlink(t->path);
    free(t);
}

static void turn_of(const plu_boundary_place *p, const double axis[3], double *angle)
{
    *angle =
        2.0 * atan2(p->rotation[1] * axis[0] + p->rotation[2] * axis[1] + p->rotation[3] * axis[2],
                    p->rotation[0]);
}

/* Everything at once, begun and ended between steps; rows of the table closer than the step, as
 * close and farther: where a row falls on the end of a step. */
static void places_are_exact(void **state)
{
    (void)state;
    const double h = 1e-3, thetas[] = {0.5, 0.7, 1.0}, starts[] = {0.0, 0.05, 0.0503, 0.04999},
                 speed[] = {0.02, -0.01, 0.02, 0.3};
    const double rows[] = {0.25, 0.5, 1.0, 3.0, 40.0};
    for (int k = 0; k < 60; k++) {
        const double theta = thetas[k % 3], start = starts[k / 3 % 4], dt = rows[k / 12] * h;
        const double stop = start + 0.30021, phase = 0.3 * k, swing_phase = 1.0 - 0.2 * k;
        table *t = table_make(dt, (int)(0.25 / dt) + 1, speed, 1e-5);
        run *r = run_open(
            "time: { step = 1e-3; end = 1; theta = %g; };\n" RUN_MATERIALS(
                "2500", "0.5", "0",
                "0") "boundaries = ( { plate: { size = [1, 1]; }; material = \"plate\"; motion: {\n"
                     "velocity = [0.1, 0.2, -0.1]; rate = 0.7; axis = [0, 1, 0]; start = %.17g; "
                     "stop = "
                     "%.17g; vibration: { amplitude = [1e-3, 0, 2e-3]; frequency = 31; phase = "
                     "%.17g; }; "
                     "rocking: { amplitude = 0.1; frequency = 7; phase = %.17g; }; table = \"%s\"; "
                     "}; } );\n"
                     "bodies = ( { position = [0, 0, 9]; radius = 0.01; material = \"grain\"; } "
                     ");\n",
            theta, start, stop, phase, swing_phase, t->path);
        for (int step = 1; step <= 400; step++) {
            run_step(r);
            const double since = fmax(fmin(step * h, stop) - start, 0.0);
            const double row = since / dt;
            const int at = row >= t->count - 1 ? t->count - 1 : (int)floor(row + 0.5);
            if (row < t->count - 1 && fabs(row - at) > 1e-9)
                continue;
            const plu_boundary_place place = plu_world_boundary(r->world, 0);
            const double along = sin(2.0 * pi * 31.0 * since + phase) - sin(phase),
                         turned = sin(2.0 * pi * 7.0 * since + swing_phase) - sin(swing_phase);
            const double velocity[] = {0.1, 0.2, -0.1}, amplitude[] = {1e-3, 0.0, 2e-3};
            const double axis[] = {0.0, 1.0, 0.0};
            double angle;
            for (int c = 0; c < 3; c++)
                assert_near(place.position[c],
                            velocity[c] * since + amplitude[c] * along + t->value[at][c] -
                                t->value[0][c],
                            1e-14);
            turn_of(&place, axis, &angle);
            assert_near(angle, 0.7 * since + 0.1 * turned + t->value[at][3] - t->value[0][3],
                        1e-13);
        }
        run_close(r);
        table_free(t);
    }
}

/* The mean velocity that bodies feel is the way, also where noise turns the way back. */
static void velocities_are_the_way(void **state)
{
    (void)state;
    const double rows[] = {1e-3, 4e-4, 2.5e-3}, thetas[] = {0.5, 0.8, 1.0};
    for (int k = 0; k < 9; k++) {
        const double speed[] = {0.02, 0.0, 0.0, 0.0}, theta = thetas[k / 3], dt = rows[k % 3];
        table *t = table_make(dt, (int)(1.2 / dt), speed, 1e-5);
        run *r = run_open(
            "time: { step = 1e-3; end = 2; theta = %g; };\n" RUN_MATERIALS(
                "2500", "100.0", "1.0", "0") "boundaries = ( { plate: { size = [1, 1]; }; "
                                             "material = \"plate\"; motion: { table = "
                                             "\"%s\"; }; } );\n"
                                             "bodies = ( { position = [0, 0, 0.01]; radius = "
                                             "0.01; material = \"grain\"; } );\n",
            theta, t->path);
        double way = 0.0, most = 0.0;
        for (int step = 0; step < 1100; step++) {
            run_step(r);
            const plu_pose *p = r->world->parts[0].pose;
            const double gone = p->now.shift[0] - p->before.shift[0];
            assert_near(1e-3 * p->velocity[PLU_MEAN][0], gone, 1e-15);
            way += 1e-3 * p->velocity[0][0]; /* that of the end of this step */
            most = fmax(most, fabs(way - p->now.shift[0]));
        }
        assert_true(most < (theta < 1.0 ? 5e-5 : 1e-14));
        /* the sphere neither rolls nor slides in the long run */
        assert_near(run_position(r, 0)[0], r->world->parts[0].pose->now.shift[0], 1e-4);
        run_close(r);
        table_free(t);
    }
}

/* --- what rests --- */

static double gap_of(const run *r, int sphere)
{
    double normal[3];
    return plu_part_gap(&r->world->parts[0], r->world->spheres.at[sphere], normal);
}

enum { SIDEWAYS = 2 }; /* by so many of these a column would topple */

/* Motions that a grain can follow; the starts of some are jumps of velocity. */
static const char *followed[] = {
    "vibration: { amplitude = [1e-4, 0, 1e-4]; frequency = 45; phase = 1.5707963267948966; };",
    "velocity = [0.01, 0, -0.002]; start = 0.0107; stop = 0.0803;",
    "vibration: { amplitude = [0, 0, 1e-4]; frequency = 40; phase = 1.1; };",
    "vibration: { amplitude = [0, 0, 1e-4]; frequency = 40; }; start = 0.01037;",
    "velocity = [0, 0, 0.05]; start = 0.01;",
    "velocity = [0, 0, 0.05]; start = 0.0102;",
    ("velocity = [0, 0, 0.03]; vibration: { amplitude = [0, 0, 1e-4]; frequency = 30; phase = 0.4; "
     "}; start = 0.0405;"),
    "vibration: { amplitude = [0, 0, 1e-4]; frequency = 40; phase = 3; }; stop = 0.0502;",
};

static run *column(const char *how, const char *motion, int count, const double v[3])
{
    return run_open(
        "time: { step = 1e-3; end = 1; %s };\n" RUN_MATERIALS("2500", "0.8", "1e-3", "0") SHARP
        "boundaries = ( { plate: { size = [1, 1]; }; material = \"plate\"; motion: { %s }; "
        "} );\n"
        "bodies = ( { lattice: { counts = [1, 1, %d]; spacing = 0.02; origin = [0, 0, "
        "0.01]; }; radius = 0.01; material = \"grain\"; velocity = [%.17g, %.17g, %.17g]; "
        "} );\n",
        how, motion, count, v[0], v[1], v[2]);
}

/* One and a column of three: gaps stay, to rounding, and no energy is lost. */
static void what_rests_keeps_its_gap(void **state)
{
    (void)state;
    const char *how[] = {"theta = 0.5;", "theta = 1.0;", "theta = 0.75;"};
    for (size_t k = 0; k < sizeof followed / sizeof *followed; k++)
        for (int i = 0; i < (k < SIDEWAYS ? 3 : 6); i++) {
            const int count = i < 3 ? 1 : 3;
            run *r = column(how[i % 3], followed[k], count, (double[3]){0.0, 0.0, 0.0});
            double v[3];
            memcpy(v, r->world->motions[0].pose.velocity[0], sizeof v);
            run_close(r);
            r = column(how[i % 3], followed[k], count, v);
            for (int step = 0; step < 300; step++) {
                run_step(r);
                assert_true(fabs(gap_of(r, 0)) < 1e-13 * radius);
                for (int b = 1; b < count; b++)
                    assert_near(run_position(r, b)[2] - run_position(r, b - 1)[2], 2.0 * radius,
                                1e-12 * radius);
            }
            assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
            run_close(r);
        }
}

/* A table that shakes gently with rows as close as the step, and noise: up to half of gravity. */
static void what_rests_on_a_table_keeps_its_gap(void **state)
{
    (void)state;
    for (int k = 0; k < 6; k++) {
        const double rows[] = {1e-3, 5e-4, 3e-3}, speed[] = {0.0, 0.0, 0.02, 0.0};
        table *t = table_make(rows[k % 3], 400, speed, 3e-7);
        run *r = run_open(
            "time: { step = 1e-3; end = 1; theta = %g; };\n" RUN_MATERIALS("2500", "0.8", "0", "0")
                SHARP "boundaries = ( { plate: { size = [1, 1]; }; material = \"plate\"; motion: { "
                      "table = \"%s\"; start = 0.0204; }; } );\n"
                      "bodies = ( { lattice: { counts = [1, 1, 3]; spacing = 0.02; origin = [0, 0, "
                      "0.01]; }; radius "
                      "= 0.01; material = \"grain\"; } );\n",
            k < 3 ? 0.5 : 1.0, t->path);
        for (int step = 0; step < 150; step++) {
            run_step(r);
            assert_true(fabs(gap_of(r, 0)) < 1e-13 * radius);
            for (int b = 1; b < 3; b++)
                assert_near(run_position(r, b)[2] - run_position(r, b - 1)[2], 2.0 * radius,
                            1e-12 * radius);
        }
        run_close(r);
        table_free(t);
    }
}

/* --- what is thrown --- */

/* The mean height over the middle of the plate of a point that is thrown by A sin(w t) and stays on
 * the plate where it lands, from `from` to `to`, in tiny steps. */
static double thrown(double amplitude, double beat, double from, double to)
{
    const double dt = 2e-4 / beat;
    double z = 0.0, v = amplitude * beat, sum = 0.0, count = 0.0;
    for (double t = 0.0; t < to; t += dt) {
        const double place = amplitude * sin(beat * t), speed = amplitude * beat * cos(beat * t);
        z += dt * (v - 0.5 * dt * g);
        v -= dt * g;
        if (z <= place) {
            z = place;
            v = speed;
        }
        if (t >= from) {
            sum += z;
            count += 1.0;
        }
    }
    return sum / count;
}

/* At 2.5 g and others, from 60 to 16 steps a period, on a plane and a plate of two motions. */
static void a_thrown_grain(void **state)
{
    (void)state;
    const double share[] = {0.0163, 0.031, 0.045, 0.06}, strength[] = {2.5, 1.6, 3.0};
    for (int k = 0; k < 12; k++) {
        const double step = 1e-3 * (k % 2 ? 1.0 : 0.3), frequency = share[k % 4] / step;
        const double beat = 2.0 * pi * frequency, amplitude = strength[k / 4] * g / (beat * beat);
        const double from = 4.0 / frequency, to = 34.0 / frequency;
        run *r = run_open(
            "time: { step = %.17g; end = 100; };\n" RUN_MATERIALS("2500", "0.3", "0", "0") SHARP
            "boundaries = ( { %s; material = \"plate\"; motion: { vibration: { amplitude "
            "= [0, 0, %.17g]; frequency = %.17g; }; }; } );\n"
            "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = \"grain\"; "
            "velocity = [0, 0, %.17g]; } );\n",
            step, k % 3 ? "plane: {}" : "plate: { size = [1, 1]; }", amplitude, frequency,
            amplitude * beat);
        double sum = 0.0, count = 0.0;
        while (plu_world_time(r->world) < to) {
            run_step(r);
            assert_true(gap_of(r, 0) > -1e-13 * radius);
            if (plu_world_time(r->world) >= from) {
                sum += run_position(r, 0)[2] - radius;
                count += 1.0;
            }
        }
        const double want = thrown(amplitude, beat, from, to);
        assert_near(sum / count, want, 0.03 * want);
        assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-11);
        run_close(r);
    }
}

/* --- restarts --- */

/* The pose is a function of the time: it is found again, to the bit. */
static void places_are_found_again(void **state)
{
    (void)state;
    const double speed[] = {0.02, 0.01, 0.0, 0.2};
    table *t = table_make(1.3e-3, 300, speed, 1e-5);
    for (int k = 0; k < 2; k++) {
        run *r = run_open("time: { step = 7e-4; end = 1; theta = %g; };\n" RUN_MATERIALS(
                              "2500", "0.5", "0", "0") "boundaries = ( { plate: { size = [1, 1]; "
                                                       "}; material = \"plate\"; until = 0.15; "
                                                       "motion: { velocity = [0.1, 0, 0]; table = "
                                                       "\"%s\"; start = 0.01; rocking: { amplitude "
                                                       "= 0.1; frequency = 7; }; }; } );\n"
                                                       "bodies = ( { position = [0, 0, 9]; radius "
                                                       "= 0.01; material = \"grain\"; } );\n",
                          k ? 0.8 : 0.5, t->path);
        for (long steps = 1; steps < 250; steps++) {
            run_step(r);
            const plu_pose was = *r->world->parts[0].pose;
            plu_motions_seek(r->world, steps);
            const plu_pose *now = r->world->parts[0].pose;
            assert_memory_equal(&was.now, &now->now, sizeof was.now);
            assert_memory_equal(was.velocity, now->velocity, sizeof was.velocity);
            assert_memory_equal(was.spin, now->spin, sizeof was.spin);
            assert_true(was.gone == now->gone);
        }
        run_close(r);
    }
    table_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_exact),
        cmocka_unit_test(velocities_are_the_way),
        cmocka_unit_test(what_rests_keeps_its_gap),
        cmocka_unit_test(what_rests_on_a_table_keeps_its_gap),
        cmocka_unit_test(a_thrown_grain),
        cmocka_unit_test(places_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
