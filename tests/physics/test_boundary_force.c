/* What bodies do to boundaries: forces and moments about pivots that move, and the work of
 * boundaries, by their definitions contact by contact, by balances of momentum and in closed forms;
 * with attraction, friction, rolling and pivoting resistance, and gaps that close. */
#include "base/vec3.h"
#include "memory.h"
#include "pluvia/control.h"
#include "shape/shape.h"
#include "step/stepper.h"
#include "world/world.h"
#include <math.h>

static const double PI = 3.14159265358979323846, h = 1e-3, g = 9.81;

static double mass_of(double radius)
{
    return 4.0 / 3.0 * PI * radius * radius * radius * 2500.0;
}

#define LAWS                                                                                       \
    "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"              \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; }, { between = [\"grain\", " \
    "\"plate\"]; friction = 0.4; rolling_friction = 3e-4; pivoting_friction = 2e-4; cohesion = "   \
    "0.2; } );\n"

enum { TRAY, FLOOR, LID, BOUNDARIES, BODIES = 5, MOST = 32 };

/* Spheres in the corner and on the bottom of a tray that shakes and moves away, one on a floor that
 * does neither, and one that hangs from a lid. */
static run *open_all(double gravity)
{
    return run_open(
        "gravity = [0, 0, %g];\ntime: { step = 1e-3; end = 1; };\n" LAWS
        "boundaries = ( { box: { lower = [-0.05, -0.05, 0]; upper = [0.05, 0.05, 0.1]; faces = "
        "[\"x-\", \"x+\", \"y-\", \"y+\", \"z-\"]; }; material = \"plate\"; motion: { center = "
        "[0.02, 0.03, 0.04]; }; },\n"
        "{ plate: { center = [1, 2, -0.2]; normal = [0, 0, 1]; size = [1, 1]; }; material = "
        "\"plate\"; },\n"
        "{ plane: { center = [0, 0, 0.3]; normal = [0, 0, -1]; }; material = \"plate\"; motion: { "
        "center = [0.3, 0.2, 0.5]; }; } );\n"
        "bodies = ( { position = [-0.04, -0.04, 0.01]; radius = 0.01; material = \"grain\"; },\n"
        "{ position = [0.01, 0.02, 0.0125]; radius = 0.012; material = \"grain\"; velocity = [0.6, "
        "-0.4, -0.3]; angular_velocity = [3, 50, 20]; },\n"
        "{ position = [0.03, -0.02, 0.015]; radius = 0.015; material = \"grain\"; velocity = "
        "[-0.2, "
        "0.1, 0]; angular_velocity = [10, 5, -30]; },\n"
        "{ position = [1.2, 2.1, -0.19]; radius = 0.01; material = \"grain\"; velocity = [0.3, "
        "0.2, 0]; angular_velocity = [3, -5, 8]; },\n"
        "{ position = [0.1, 0.1, 0.29]; radius = 0.01; material = \"grain\"; velocity = [0.3, 0, "
        "0.1]; } );\n",
        -gravity);
}

/* What a step begins with. */
typedef struct before {
    double position[BODIES][3], velocity[BODIES][6];
    double surface[BOUNDARIES][3]; /* the velocity of each boundary, none of which turns, */
    double pivot[BOUNDARIES][3];   /* and what its moment is about */
    double boundary, cohesion;     /* work up to now */
} before;

static const plu_pose *pose_of(const run *r, int boundary)
{
    for (int p = 0; p < r->world->parts_count; p++)
        if (r->world->parts[p].boundary == boundary)
            return r->world->parts[p].pose;
    return NULL;
}

static void surface_of(const run *r, int boundary, double velocity[3])
{
    const plu_pose *pose = pose_of(r, boundary);
    for (int k = 0; k < 3; k++)
        velocity[k] = pose ? pose->velocity[0][k] : 0.0;
}

static before note(const run *r)
{
    static const double center[3] = {1.0, 2.0, -0.2};
    before b;
    for (int i = 0; i < BODIES; i++) {
        memcpy(b.position[i], run_position(r, i), sizeof b.position[i]);
        memcpy(b.velocity[i], run_velocity(r, i), sizeof b.velocity[i]);
    }
    for (int i = 0; i < BOUNDARIES; i++) {
        surface_of(r, i, b.surface[i]);
        const plu_boundary_place place = plu_world_boundary(r->world, i);
        for (int k = 0; k < 3; k++)
            b.pivot[i][k] = i == FLOOR ? center[k] : place.position[k];
    }
    b.boundary = plu_stepper_totals(r->stepper)->work_boundary;
    b.cohesion = plu_stepper_totals(r->stepper)->work_cohesion;
    return b;
}

/* What contacts of the step that ended have done to the boundaries. */
typedef struct done {
    double force[BOUNDARIES][3], moment[BOUNDARIES][3];
    double work, attracted;
} done;

static done of_contacts(const run *r, const before *b)
{
    done d = {0};
    for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        if (plu_side_is_sphere(row.a))
            continue;
        const int boundary = r->world->parts[plu_side_part(row.a)].boundary;
        const double reach = r->world->spheres.at[row.b][3] + row.gap,
                     pull = r->stepper->contacts->impulse[i].n - row.impulse_normal;
        double f[3], arm[3], turning[3], now[3], fresh[3];
        surface_of(r, boundary, now);
        memcpy(fresh, run_velocity(r, row.b), sizeof fresh);
        for (int k = 0; k < 3; k++) {
            f[k] = row.impulse_normal * row.normal[k] + row.impulse_tangent[k]; /* on the sphere */
            arm[k] = b->position[row.b][k] - reach * row.normal[k] - b->pivot[boundary][k];
            d.force[boundary][k] -= f[k] / h;
            d.work += 0.5 * f[k] * (b->surface[boundary][k] + now[k]);
            d.attracted -= 0.5 * pull * row.normal[k] *
                           (b->velocity[row.b][k] + fresh[k] - b->surface[boundary][k] - now[k]);
        }
        plu_cross(arm, f, turning);
        for (int k = 0; k < 3; k++)
            d.moment[boundary][k] -= (turning[k] + row.impulse_moment[k]) / h;
    }
    return d;
}

/* By calls, since what rests on a boundary whose motion is prescribed is carried as well. */
static void drive(run *r, int boundary, double x, double y, double z)
{
    const plu_drive d = {{x, y, z}, 0.0, {0.0, 0.0, 0.0}};
    run_check(r, plu_stepper_drive_boundary(r->stepper, boundary, &d, &r->err));
}

/* With gravity by boundaries of constant velocities, for what others carry when they change gets
 * energy by that, too. */
static void steps(double gravity)
{
    run *r = open_all(gravity);
    const double weight = mass_of(0.01) * g;
    bool hung = false, gaped = false;
    for (int step = 0; step < 80; step++) {
        const before b = note(r);
        const double varies = gravity == 0.0 ? 0.02 : 0.0;
        drive(r, TRAY, 0.1 + varies * sin(0.2 * step), 0.05, 0.02 - varies * cos(step));
        drive(r, LID, 0.02, 0.0, 0.1 + varies * sin(3.0 * step));
        run_step(r);
        const done want = of_contacts(r, &b);
        double sum[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < BOUNDARIES; i++) {
            double force[3] = {7.0, 7.0, 7.0}, moment[3] = {7.0, 7.0, 7.0};
            plu_stepper_boundary_force(r->stepper, i, force, moment);
            for (int k = 0; k < 3; k++) {
                assert_near(force[k], want.force[i][k], 1e-12 * weight);
                assert_near(moment[k], want.moment[i][k], 1e-11 * weight);
                sum[k] += force[k];
            }
            hung |= i == LID && fabs(force[2] + weight) < 1e-6 * weight;
        }
        for (int k = 0; k < 3; k++) { /* momentum, spheres being free of each other */
            double given = 0.0;
            for (int i = 0; i < BODIES; i++)
                given += (run_velocity(r, i)[k] - b.velocity[i][k] + (k == 2 ? h * gravity : 0.0)) /
                         r->world->bodies.row[i][6];
            assert_near(sum[k], -given / h, 1e-9 * weight);
        }
        for (int i = 0; i < plu_stepper_contacts(r->stepper); i++)
            gaped |= r->stepper->contacts->contact[i].gap > 1e-5 &&
                     r->stepper->contacts->impulse[i].n > 0.0;
        const plu_totals *t = plu_stepper_totals(r->stepper);
        if (step > 0 || gravity == 0.0)
            assert_near(t->work_boundary - b.boundary, want.work, 1e-12 * weight);
        assert_near(t->work_cohesion - b.cohesion, want.attracted, 1e-12 * weight);
    }
    assert_true((hung || gravity == 0.0) && gaped);
    assert_near(plu_stepper_imbalance(r->stepper), 0.0, 1e-12);
    /* a state has no last step */
    double force[3], moment[3];
    memory *m = memory_save(r);
    assert_true(r->stepper->walls > 0);
    assert_int_equal(memory_set(r, m), PLU_OK);
    plu_stepper_boundary_force(r->stepper, TRAY, force, moment);
    for (int k = 0; k < 3; k++)
        assert_true(force[k] == 0.0 && moment[k] == 0.0);
    memory_free(m);
    run_close(r);
}

static void forces_moments_and_work(void **unused)
{
    (void)unused;
    steps(g);
    steps(0.0);
}

/* A lid that goes up steadily with a sphere that sticks to it: it does m g v, and attraction
 * nothing, though it pulls. */
static void a_lid_lifts(void **unused)
{
    (void)unused;
    const double weight = mass_of(0.01) * g;
    run *r = run_open(
        "time: { step = 1e-3; end = 1; };\n" LAWS
        "boundaries = ( { plane: { center = [0, 0, 0.3]; normal = [0, 0, -1]; }; material = "
        "\"plate\"; motion: { velocity = [2, 1, 0.1]; }; } );\n"
        "bodies = ( { position = [0.1, 0.2, 0.29]; radius = 0.01; material = \"grain\"; velocity = "
        "[2, 1, 0.1]; } );\n");
    run_step(r); /* the start of the motion */
    for (int step = 1; step < 50; step++) {
        const double work = plu_stepper_totals(r->stepper)->work_boundary;
        double force[3], moment[3];
        run_step(r);
        plu_stepper_boundary_force(r->stepper, 0, force, moment);
        assert_near(force[2], -weight, 1e-9 * weight);
        assert_near(moment[0], -0.2 * weight,
                    1e-9 * weight); /* about its center, which goes along */
        assert_near(moment[1], 0.1 * weight, 1e-9 * weight);
        assert_near(plu_stepper_totals(r->stepper)->work_boundary - work, weight * 0.1 * h,
                    1e-9 * weight * 0.1 * h);
        assert_near(plu_stepper_totals(r->stepper)->work_cohesion, 0.0, 1e-9 * weight * 0.1 * h);
    }
    run_close(r);
}

/* A floor that turns under a sphere drags it with mu_p m g: power mu_p m g Omega. About x, under
 * the sphere, with mu_r; the axis goes through the contact, so that it does not move. */
static void a_floor_turns(void **unused)
{
    (void)unused;
    const double weight = mass_of(0.01) * g, resistance = 1e-4, rate = 5.0;
    run *r = run_open(
        "time: { step = 1e-3; end = 1; };\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; }, { between = "
        "[\"grain\", \"plate\"]; friction = 0.4; pivoting_friction = 1e-4; } );\n"
        "boundaries = ( { plane: {}; material = \"plate\"; motion: { rate = 5; center = [0.3, 0.2, "
        "0.1]; }; } );\n"
        "bodies = ( { position = [0.3, 0.2, 0.01]; radius = 0.01; material = \"grain\"; } );\n");
    run_step(r);
    for (int step = 1; step < 40; step++) {
        const double work = plu_stepper_totals(r->stepper)->work_boundary;
        double force[3], moment[3];
        run_step(r);
        plu_stepper_boundary_force(r->stepper, 0, force, moment);
        assert_near(force[2], -weight, 1e-9 * weight);
        assert_near(moment[0], 0.0, 1e-9 * weight);
        assert_near(moment[2], -resistance * weight, 1e-7 * resistance * weight);
        assert_near(plu_stepper_totals(r->stepper)->work_boundary - work,
                    resistance * weight * rate * h, 1e-7 * resistance * weight * rate * h);
    }
    assert_near(run_velocity(r, 0)[5], resistance * weight / (0.4 * mass_of(0.01) * 1e-4) * 0.04,
                1e-3);
    run_close(r);
}

/* Boundaries that stand still are asked for moments about their own centers. */
static void own_centers(void **unused)
{
    (void)unused;
    static const struct {
        const char *shape;
        double center[3];
    } shapes[] = {{"plate: { center = [1, 2, 0]; normal = [0, 0, 1]; size = [1, 1]; }", {1, 2, 0}},
                  {"disc: { center = [1, 2, 0]; normal = [0, 0, 1]; radius = 1; }", {1, 2, 0}},
                  {"box: { lower = [0, 1, 0]; upper = [1.6, 2.6, 2]; }", {0.8, 1.8, 1}}};
    const double weight = mass_of(0.01) * g;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        run *r = run_open("time: { step = 1e-3; end = 1; };\n" LAWS
                          "boundaries = ( { %s; material = \"plate\"; } );\nbodies = ( { position "
                          "= [1.2, 2.1, 0.01]; radius = 0.01; material = \"grain\"; } );\n",
                          shapes[k].shape);
        double force[3], moment[3];
        run_step(r);
        plu_pose moved = {.moves = true, .before.shift = {9.0, 9.0, 9.0}};
        plu_part *parts = r->world->parts,
                 *more = malloc(((size_t)r->world->parts_count + 1) * sizeof *more);
        assert_non_null(more);
        memcpy(more, parts, (size_t)r->world->parts_count * sizeof *more);
        more[r->world->parts_count] =
            (plu_part){.boundary = 0, .pose = &moved}; /* is none of them */
        r->world->parts = more;
        plu_stepper_boundary_force(r->stepper, 0, force, moment);
        r->world->parts = parts;
        free(more);
        assert_near(force[2], -weight, 1e-9 * weight);
        assert_near(moment[0], -(2.1 - shapes[k].center[1]) * weight, 1e-9 * weight);
        assert_near(moment[1], (1.2 - shapes[k].center[0]) * weight, 1e-9 * weight);
        assert_near(plu_stepper_totals(r->stepper)->work_boundary, 0.0, 0.0);
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_moments_and_work),
        cmocka_unit_test(a_lid_lifts),
        cmocka_unit_test(a_floor_turns),
        cmocka_unit_test(own_centers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
