/* Fields by coarse graining: sums over space are those of the grains, and mass and momentum are
 * conserved at every point, whatever the width. */
#include "near.h"
#include "pluvia/coarse.h"
#include <math.h>
#include <string.h>

enum { BODIES = 5 };
static const double radius = 0.01, mass = 0.02, g = 10.0, dt = 1e-3;

/* A column of spheres on a floor, each bearing those above it. */
typedef struct column {
    double position[BODIES][3], velocity[BODIES][3], r[BODIES], m[BODIES];
    unsigned char state[BODIES];
    plu_contact_row contact[BODIES];
    plu_view view;
} column;

static void make(column *c)
{
    memset(c, 0, sizeof *c);
    for (int b = 0; b < BODIES; b++) {
        c->position[b][0] = 0.05;
        c->position[b][1] = 0.05;
        c->position[b][2] = radius * (2 * b + 1);
        c->r[b] = radius;
        c->m[b] = mass;
        c->state[b] = PLU_ACTIVE;
        plu_contact_row *row = &c->contact[b];
        row->a = b > 0 ? plu_side_of_sphere(b - 1) : plu_side_of_part(0);
        row->b = b;
        row->normal[2] = 1.0;
        memcpy(row->point, (double[3]){0.05, 0.05, radius * 2 * b}, sizeof row->point);
        row->impulse_normal = (BODIES - b) * mass * g * dt;
    }
    c->view = (plu_view){.bodies = BODIES,
                         .state = c->state,
                         .position = {c->position[0], 3},
                         .velocity = {c->velocity[0], 3},
                         .radius = {c->r, 1},
                         .mass = {c->m, 1},
                         .contacts = BODIES,
                         .contact = c->contact,
                         .dt = dt};
}

static plu_coarse_grid line(double from, double spacing, int size, double width)
{
    return (plu_coarse_grid){.along = {false, false, true},
                             .size = {1, 1, size},
                             .origin = {0, 0, from},
                             .spacing = {0, 0, spacing},
                             .over = {{0, 0, 0}, {0.1, 0.1, 1}},
                             .width = width};
}

static plu_coarse fields_of(const column *c, const plu_coarse_grid *grid)
{
    plu_coarse f;
    assert_int_equal(plu_coarse_begin(&f, grid, NULL), PLU_OK);
    plu_coarse_add(&f, &c->view, NULL);
    return f;
}

static plu_coarse_node at(const column *c, double z, double width)
{
    const plu_coarse_grid grid = line(z, 1.0, 1, width);
    plu_coarse f = fields_of(c, &grid);
    const plu_coarse_node node = plu_coarse_at(&f, 0);
    plu_coarse_free(&f);
    return node;
}

static void test_the_whole_mass(void **state)
{
    (void)state;
    column c;
    make(&c);
    static const bool along[][3] = {{false, false, true}, {true, false, true}, {true, true, true}};
    for (int k = 0; k < 3; k++) {
        plu_coarse_grid grid = line(-0.05, 0.2 / 80, 81, 0.012);
        double cell = 1.0, sum = 0.0;
        for (int i = 0; i < 3; i++) {
            grid.along[i] = along[k][i];
            grid.origin[i] = -0.05;
            grid.spacing[i] = 0.2 / 80;
            grid.size[i] = 81;
            cell *= along[k][i] ? grid.spacing[i] : 0.1;
        }
        grid.over.upper[2] = 0.1;
        plu_coarse f = fields_of(&c, &grid);
        for (long n = 0; n < f.nodes; n++)
            sum += plu_coarse_at(&f, n).density * cell;
        assert_near(sum, BODIES * mass, 2e-4 * BODIES * mass);
        plu_coarse_free(&f);
    }
}

/* d sigma_zz / dz = - rho g where no wall is near: the stress bears the weight above, to the
 * rounding of the difference. */
static void test_momentum_of_rest(void **state)
{
    (void)state;
    column c;
    make(&c);
    static const double widths[] = {0.01, 0.015, 0.02};
    for (int w = 0; w < 3; w++)
        for (double z = 2.0 * widths[w] + 0.001; z < 0.1; z += 0.007) {
            const double step = 1e-7;
            const double slope = (at(&c, z + step, widths[w]).contact_stress[2][2] -
                                  at(&c, z - step, widths[w]).contact_stress[2][2]) /
                                 (2.0 * step);
            const double weight = at(&c, z, widths[w]).density * g;
            assert_near(-slope, weight, 1e-6 * weight);
        }
    assert_near(at(&c, 0.05, 0.01).fabric[2][2], 1.0, 1e-12);
    assert_near(at(&c, 0.05, 0.01).contact_stress[0][0], 0.0, 1e-12);
}

/* d rho / dt = - d (rho u) / dz, and u is a mean by mass. */
static void test_mass_is_conserved(void **state)
{
    (void)state;
    for (double z = 0.0; z < 0.12; z += 0.011) {
        column c, before, after;
        const double h = 1e-6, width = 0.011;
        make(&c);
        make(&before);
        make(&after);
        for (int b = 0; b < BODIES; b++) {
            c.velocity[b][2] = 0.3 + 0.2 * b;
            before.position[b][2] -= h * c.velocity[b][2];
            after.position[b][2] += h * c.velocity[b][2];
        }
        const double rate =
            (at(&after, z, width).density - at(&before, z, width).density) / (2 * h);
        double flux[2];
        for (int k = 0; k < 2; k++) {
            const plu_coarse_node n = at(&c, z + (k ? 1e-7 : -1e-7), width);
            flux[k] = n.density > 0.0 ? n.density * n.velocity[2] : 0.0;
        }
        assert_near(rate, -(flux[1] - flux[0]) / 2e-7, 2e-5 * mass / (1e-2 * width * width));
    }
}

/* Two grains at one place with velocities +-v: u = 0, T = v^2 / 3, pressure rho v^2 on the axis. */
static void test_temperature(void **state)
{
    (void)state;
    column c;
    make(&c);
    c.view.bodies = 2;
    c.view.contacts = -1;
    memcpy(c.position[1], c.position[0], sizeof c.position[1]);
    c.velocity[0][0] = 0.6;
    c.velocity[1][0] = -0.6;
    const plu_coarse_node n = at(&c, 0.012, 0.01);
    assert_near(n.velocity[0], 0.0, 1e-15);
    assert_near(n.temperature, 0.12, 1e-14);
    assert_near(n.kinetic_stress[0][0], n.density * 0.36, 1e-10);
    assert_near(n.kinetic_stress[2][2], 0.0, 1e-12);
    assert_true(isnan(n.contact_stress[2][2]) && isnan(n.fabric[0][0]));
}

/* What is not of the fields leaves their contacts half: both halves are the whole. */
static void test_parts_add_up(void **state)
{
    (void)state;
    column c;
    make(&c);
    const plu_coarse_grid grid = line(0.04, 1.0, 1, 0.015);
    bool counts[BODIES] = {true, false, true, true, false};
    plu_coarse_node part[2];
    for (int k = 0; k < 2; k++) {
        plu_coarse f;
        assert_int_equal(plu_coarse_begin(&f, &grid, NULL), PLU_OK);
        plu_coarse_add(&f, &c.view, counts);
        part[k] = plu_coarse_at(&f, 0);
        plu_coarse_free(&f);
        for (int b = 0; b < BODIES; b++)
            counts[b] = !counts[b];
    }
    const plu_coarse_node all = at(&c, 0.04, 0.015);
    assert_near(part[0].density + part[1].density, all.density, 1e-12 * all.density);
    assert_near(part[0].contact_stress[2][2] + part[1].contact_stress[2][2],
                all.contact_stress[2][2], 1e-12 * all.contact_stress[2][2]);
    assert_near(part[0].contacts + part[1].contacts, all.contacts, 1e-12 * all.contacts);
    assert_true(part[0].density > 0.0 && part[1].density > 0.0);
}

static void test_empty_grids(void **state)
{
    (void)state;
    plu_coarse f;
    plu_coarse_grid grid = line(0.0, 0.01, 0, 0.01);
    assert_int_equal(plu_coarse_begin(&f, &grid, NULL), PLU_USAGE);
    plu_coarse_free(&f);
    grid = line(0.0, 0.01, 5, 0.0);
    assert_int_equal(plu_coarse_begin(&f, &grid, NULL), PLU_USAGE);
    plu_coarse_free(&f);
    grid.along[2] = false;
    grid.width = 0.01;
    assert_int_equal(plu_coarse_begin(&f, &grid, NULL), PLU_USAGE);
    plu_coarse_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_whole_mass),    cmocka_unit_test(test_momentum_of_rest),
        cmocka_unit_test(test_mass_is_conserved), cmocka_unit_test(test_temperature),
        cmocka_unit_test(test_parts_add_up),      cmocka_unit_test(test_empty_grids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
