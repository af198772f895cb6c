/* The stress in a periodic cell: by its definition, 1/V (sum f l n + sum m c c) with c the velocity
 * relative to the cell and to the mean, contact by contact and body by body, and in closed forms.
 */
#include "assemble/cohesion.h"
#include "base/vec3.h"
#include "run.h"
#include "step/stepper.h"
#include <math.h>

static const double PI = 3.14159265358979323846, h = 1e-3;

static double mass_of(double radius)
{
    return 4.0 / 3.0 * PI * radius * radius * radius * 2500.0;
}

#define LAWS                                                                                       \
    "time: { step = 1e-3; end = 1; };\n"                                                           \
    "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"              \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; rolling_friction = 2e-4; "   \
    "cohesion = 0.11; }, { between = [\"grain\", \"plate\"]; friction = 0.3; } );\n"

/* `moving`: of bodies alone. */
static void define(const run *r, const double rate[3][3], bool moving, double stress[3][3])
{
    const plu_space *space = &r->world->space;
    const double(*row)[8] = plu_world_bodies(r->world).velocity;
    const unsigned char *state = plu_world_bodies(r->world).state;
    const int count = plu_world_bodies(r->world).count;
    double sum[3][3] = {{0.0}}, mean[3] = {0.0}, mass = 0.0, c[3];
    for (int turn = 0; turn < 2; turn++)
        for (int b = 0; b < count; b++) {
            if (state[b] != PLU_ACTIVE)
                continue;
            for (int k = 0; k < 3; k++) {
                c[k] = row[b][k];
                for (int j = 0; j < 3; j++) /* the cell's corner stands still */
                    c[k] -= rate[k][j] * (run_position(r, b)[j] - space->origin[j]);
            }
            for (int k = 0; k < 3 && turn == 0; k++)
                mean[k] += c[k] / row[b][6];
            mass += turn == 0 ? 1.0 / row[b][6] : 0.0;
            for (int i = 0; i < 3 && turn == 1; i++)
                for (int j = 0; j < 3; j++)
                    sum[i][j] += (c[i] - mean[i] / mass) * (c[j] - mean[j] / mass) / row[b][6];
        }
    for (int i = 0; i < plu_stepper_contacts(r->stepper) && !moving; i++) {
        plu_contact_row p;
        plu_stepper_contact(r->stepper, i, &p);
        if (plu_side_is_part(p.a))
            continue;
        const double length =
            r->world->spheres.at[plu_side_sphere(p.a)][3] + r->world->spheres.at[p.b][3] + p.gap;
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++)
                sum[k][j] += (p.impulse_normal * p.normal[k] + p.impulse_tangent[k]) / h * length *
                             p.normal[j];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            stress[i][j] = 0.5 * (sum[i][j] + sum[j][i]) / plu_space_volume(space);
}

/* Whether it is so; returns the largest component. */
static double is_defined(const run *r, const double rate[3][3], bool moving)
{
    double want[3][3], got[3][3], most = 0.0;
    define(r, rate, moving, want);
    plu_stepper_cell_stress(r->stepper, got);
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(want[i / 3][i % 3]));
    for (int i = 0; i < 9; i++)
        assert_near(got[i / 3][i % 3], want[i / 3][i % 3], 1e-11 * most + 1e-300);
    return most;
}

#define CLUSTER                                                                                    \
    "bodies = ( { position = [0.005, 0.05, 0.03]; radius = 0.01; material = \"grain\"; velocity "  \
    "= [0.002, 0.03, 0]; angular_velocity = [7, 3, 1]; },\n"                                       \
    "{ position = [0.023, 0.05, 0.03]; radius = 0.008; material = \"grain\"; velocity = [0, "      \
    "-0.02, 0.01]; angular_velocity = [-3, 8, 1]; },\n"                                            \
    "{ position = [0.041, 0.05, 0.03]; radius = 0.01; material = \"grain\"; velocity = [0, "       \
    "0.005, 0.01]; angular_velocity = [2, -3, -5]; },\n"                                           \
    "{ position = [0.023, 0.01, 0.01]; radius = 0.009; material = \"grain\"; velocity = [0.5, "    \
    "-0.2, 0.3]; } );\n"

static run *sheared_cluster(void)
{
    return run_open("gravity = [0, 0, 0];\n" LAWS "cell: { size = [0.056, 0.08, 0.06]; origin = "
                    "[-0.001, 0.002, -0.003]; shear_rate = 0.5; };\n" CLUSTER);
}

/* Spheres that stick to each other and rub, across a side of the cell too, and one that flies. */
static void in_a_cell_that_is_sheared(void **unused)
{
    (void)unused;
    run *r = sheared_cluster();
    const double sheared[3][3] = {{0.0, 0.0, 0.5}, {0.0}, {0.0}};
    is_defined(r, sheared, true);
    int most = 0, pulled = 0, images = 0;
    for (int step = 0; step < 40; step++) {
        run_step(r);
        assert_true(is_defined(r, sheared, false) > 0.0);
        const plu_contacts *list = r->stepper->contacts;
        most = list->count > most ? list->count : most;
        for (int k = 0; k < list->count; k++) {
            plu_contact_row row;
            plu_stepper_contact(r->stepper, k, &row);
            pulled += row.impulse_normal < 0.0;
            images += plu_side_image(row.a) != 0;
        }
    }
    assert_true(most >= 3 && pulled > 10 && images > 10);
    run_close(r);
    r = sheared_cluster(); /* one that bears what attracts, and rubs */
    run_step(r);
    plu_impulse *p = &r->stepper->contacts->impulse[0];
    *p = (plu_impulse){.n = plu_attraction(r->world, r->stepper->contacts, 0)};
    const double along[3] = {1e-5, 2e-5, -1e-5};
    plu_tangential(along, r->stepper->contacts->contact[0].normal, p->t);
    assert_true(p->n > 0.0 && plu_norm(p->t) > 0.0);
    is_defined(r, sheared, false);
    run_close(r);
}

/* Contacts with walls are none of it, and bodies that wait none. */
static void between_walls(void **unused)
{
    (void)unused;
    run *r =
        run_open(LAWS "cell: { size = [0.0545, 0.08, 0.5]; periodic = [\"x\", \"y\"]; };\n"
                      "boundaries = ( { plane: { center = [0, 0, 0.02]; normal = [0, 0, 1]; "
                      "}; material = \"plate\"; } );\n"
                      "feeders = ( { pluviation: { count = 2; interval = 0.5; height = 0.3; "
                      "footprint: { disc = 0.01; }; }; material = \"grain\"; radius = 0.012; } );\n"
                      "bodies = ( { position = [0.005, 0.05, 0.03]; radius = 0.01; material = "
                      "\"grain\"; velocity = [0.02, 0.3, 0]; }, { position = [0.025, 0.05, "
                      "0.03]; radius = 0.01; material = \"grain\"; velocity = [0, -0.2, 0]; "
                      "} );\n");
    const double still[3][3] = {{0.0}};
    for (int step = 0; step < 5; step++) {
        run_step(r);
        assert_true(is_defined(r, still, false) > 0.0);
        assert_true(r->stepper->walls > 0 && plu_world_waiting(r->world) == 1);
    }
    run_close(r);
}

/* Of spheres that fly apart with +-u: m 2 u u / V, with any velocity of both, and before the first
 * step. */
static void of_a_gas(void **unused)
{
    (void)unused;
    run *r = run_open("gravity = [0, 0, 0];\n" LAWS
                      "cell: { size = [0.1, 0.2, 0.3]; };\nbodies = ( { position = [0.02, 0.02, "
                      "0.02]; radius = 0.01; material = \"grain\"; velocity = [2.3, 0.4, -0.5]; }, "
                      "{ position = [0.06, 0.12, 0.22]; radius = 0.01; material = \"grain\"; "
                      "velocity = [1.7, 0.6, 0.1]; } );\n");
    r->world->space.rate[1][2][0] = 7.0; /* it stands still */
    const double u[3] = {0.3, -0.1, -0.3}, mass = mass_of(0.01), volume = 0.006;
    for (int step = 0; step < 3; step++) {
        double stress[3][3];
        plu_stepper_cell_stress(r->stepper, stress);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_near(stress[i][j], 2.0 * mass * u[i] * u[j] / volume, 1e-14);
        run_step(r);
    }
    run_close(r);
}

/* A row around the cell that is held together by attraction alone bears nothing; pressed together
 * by two that are shot at each other it bears their forces. */
static void of_a_sticky_row(void **unused)
{
    (void)unused;
    run *r = run_open("gravity = [0, 0, 0];\n" LAWS
                      "cell: { size = [0.08, 0.1, 0.1]; };\nbodies = ( { lattice: { counts = [3, "
                      "1, 1]; spacing = 0.02; origin = [0.005, 0.05, 0.05]; }; radius = 0.01; "
                      "material = \"grain\"; } );\n");
    double stress[3][3];
    run_step(r);
    assert_int_equal(plu_stepper_contacts(r->stepper), 2);
    assert_near(r->stepper->contacts->impulse[1].n, 0.11 * h, 1e-12);
    plu_stepper_cell_stress(r->stepper, stress);
    for (int i = 0; i < 9; i++)
        assert_near(stress[i / 3][i % 3], 0.0, 1e-9 * 0.11 * 0.02 / 6e-4);
    run_close(r);
}

/* As many as fill their arrays, for the sanitizer. */
static void of_many(void **unused)
{
    (void)unused;
    run *r = run_open(
        "gravity = [0, 0, 0];\n" LAWS
        "cell: { size = [0.1, 0.1, 0.1]; };\nbodies = ( { lattice: { counts = [4, 4, 4]; spacing = "
        "0.025; origin = [0.01, 0.01, 0.01]; }; radius = 0.01; material = \"grain\"; } );\n");
    const double still[3][3] = {{0.0}};
    for (int i = 0; i < 64; i++)
        r->world->bodies.row[i][i % 3] = 0.01 * i;
    assert_true(is_defined(r, still, false) > 0.0);
    run_close(r);
}

/* Without bodies there is none. */
static void of_nothing(void **unused)
{
    (void)unused;
    run *r = run_open(LAWS "cell: { size = [0.1, 0.1, 0.5]; periodic = [\"x\", \"y\"]; };\n"
                           "feeders = ( { pluviation: { count = 2; interval = 0.5; height = 0.3; "
                           "footprint: { disc = 0.01; }; }; "
                           "material = \"grain\"; radius = 0.012; } );\n");
    double stress[3][3];
    plu_stepper_cell_stress(r->stepper, stress);
    for (int i = 0; i < 9; i++)
        assert_near(stress[i / 3][i % 3], 0.0, 0.0);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_cell_that_is_sheared),
        cmocka_unit_test(between_walls),
        cmocka_unit_test(of_a_gas),
        cmocka_unit_test(of_a_sticky_row),
        cmocka_unit_test(of_many),
        cmocka_unit_test(of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
