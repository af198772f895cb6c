/* The same heaps with rigid contacts and with springs: the stiffer, the nearer. Which sphere goes
 * where is chance, so means over seeds are compared (longer runs: scenes/README.md). */
#include "draws.h"
#include "pluvia/tool/measure.h"
#include "run.h"

enum { SEEDS = 12 };

static const double radius = 0.01, density = 1300.0;

/* Rigid for stiffness 0, with the restitution exp(-2) of the springs' damping. */
static run *heap(int seed, double stiffness)
{
    char law[256], method[128];
    snprintf(law, sizeof law, "restitution = 0.1353;");
    snprintf(method, sizeof method, "time: { step = 1e-3; end = 9; };");
    if (stiffness > 0.0) {
        snprintf(law, sizeof law,
                 "normal_stiffness = %.17e; tangential_stiffness = %.17e; "
                 "rolling_stiffness = %.17e; normal_damping = 1.0;",
                 stiffness, stiffness, 4.0 * stiffness * radius * radius);
        snprintf(method, sizeof method, "method = \"penalty\"; time: { step = %.17g; end = 9; };",
                 1.4e-3 / sqrt(stiffness));
    }
    return run_open(
        "seed = %d; %s\n"
        "materials = ( { name = \"grain\"; density = %g; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; rolling_friction = 1e-2; "
        "%s }, { between = [\"grain\", \"plate\"]; friction = 0.3; rolling_friction = 1e-2; %s } "
        ");\n" RUN_PLANE "bodies = ( { packing: { count = 40; cylinder: { radius = 0.04; height = "
        "0.14; }; }; material = \"grain\"; radius = %g; } );\n",
        seed, method, density, law, law, radius);
}

typedef struct result {
    double height, error; /* mean height of the spheres over d, and its standard error */
    double load;          /* largest normal force at rest over m g, mean */
    double depth;         /* largest interpenetration at rest (m), mean */
} result;

static double largest_load(const run *r)
{
    double largest = 0.0;
    for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
        plu_contact_row row;
        plu_stepper_contact(r->stepper, i, &row);
        largest = fmax(largest, row.impulse_normal);
    }
    const double mass = 4.0 / 3.0 * 3.14159265358979 * radius * radius * radius * density;
    return largest / (r->scene.step * mass * 9.81);
}

static result heaps(double stiffness)
{
    const int seeds = draws(SEEDS);
    result sum = {0};
    double squares = 0.0;
    for (int seed = 1; seed <= seeds; seed++) {
        run *r = heap(seed, stiffness);
        run_to(r, 1.0);
        plu_pile pile;
        const plu_view view = plu_view_world(r->world);
        plu_measure_pile(&pile, &view, 0.0);
        assert_int_equal(pile.spheres, 40);
        const double height = pile.mean_height / (2.0 * radius);
        sum.height += height / seeds;
        squares += height * height / seeds;
        sum.load += largest_load(r) / seeds;
        sum.depth += r->info.penetration / seeds;
        run_close(r);
    }
    sum.error = sqrt((squares - sum.height * sum.height) / (seeds - 1));
    print_message("K = %g N/m: mean height %.4f +- %.4f d, load %.2f m g, depth %.3g m\n",
                  stiffness, sum.height, sum.error, sum.load, sum.depth);
    return sum;
}

static void stiffer_is_nearer(void **state)
{
    (void)state;
    const double weight = 4.0 / 3.0 * 3.14159265358979 * pow(radius, 3.0) * density * 9.81;
    const result rigid = heaps(0.0), soft = heaps(1e2), stiff = heaps(1e3);
    if (!SANITIZED) {
        assert_near(stiff.height, rigid.height, 3.0 * hypot(stiff.error, rigid.error));
        assert_true(fabs(stiff.height - rigid.height) < fabs(soft.height - rigid.height));
        assert_near(stiff.load, rigid.load, 0.25 * rigid.load);
    }
    /* springs carry what rigid contacts carry, at the depth that their stiffness says */
    assert_near(stiff.depth * 1e3, stiff.load * weight, 1e-3 * weight);
    assert_near(soft.depth * 1e2, soft.load * weight, 1e-2 * weight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stiffer_is_nearer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
