/* Coordination, fabric, stress, forces and energy of states with known answers. */
#include "pluvia/material.h"
#include "pluvia/scene.h"
#include "states.h"

#define PI 3.14159265358979323846

static void assert_isotropic(const plu_fabric *f)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(f->tensor[i][j], i == j ? 1.0 / 3.0 : 0.0, 1e-12);
    assert_near(f->anisotropy, 0.0, 1e-12);
}

static plu_coordination coordination(const plu_view *view, const plu_region *region)
{
    plu_error err;
    plu_coordination z;
    assert_int_equal(plu_measure_coordination(&z, view, region, &err), PLU_OK);
    return z;
}

/* In a box whose walls touch, every sphere of a simple cubic lattice has six contacts. */
static void test_simple_cubic(void **state)
{
    (void)state;
    made_state *s = state_simple_cubic(5, 3.0);
    const plu_coordination z = coordination(&s->view, NULL);
    assert_int_equal(z.grains, 125);
    assert_int_equal(z.rattlers, 0);
    assert_near(z.all, 6.0, 1e-12);
    assert_near(z.mechanical, 6.0, 1e-12);
    plu_fabric fabric;
    plu_measure_fabric(&fabric, &s->view, NULL);
    assert_int_equal(fabric.contacts, 3 * 25 * 6);
    assert_isotropic(&fabric);
    /* The force of each contact on the area of a cell: a pressure, whatever the size of the box. */
    const plu_region box = {{0, 0, 0}, {5, 5, 5}}, inner = {{1, 1, 1}, {4, 4, 4}};
    for (int k = 0; k < 2; k++) {
        plu_stress stress;
        plu_measure_stress(&stress, &s->view, k ? &inner : &box);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_near(stress.tensor[i][j], i == j ? 3.0 : 0.0, 1e-11);
        assert_near(stress.pressure, 3.0, 1e-11);
        assert_near(stress.deviator, 0.0, 1e-11);
    }
    state_close(s);
}

/* Inside a face-centered lattice there are twelve. */
static void test_face_centered_cubic(void **state)
{
    (void)state;
    made_state *s = state_face_centered(4, 1.0);
    const plu_region inner = {{0.9, 0.9, 0.9}, {2.6, 2.6, 2.6}};
    const plu_coordination z = coordination(&s->view, &inner);
    assert_true(z.grains > 10);
    assert_near(z.all, 12.0, 1e-12);
    plu_fabric fabric;
    const plu_region cell = {{0.9, 0.9, 0.9}, {2.1, 2.1, 2.1}}; /* symmetric about a center */
    plu_measure_fabric(&fabric, &s->view, &cell);
    assert_isotropic(&fabric);
    state_close(s);
}

/* Two that touch only each other carry nothing; one that is not active does not count. */
static void test_rattlers(void **state)
{
    (void)state;
    made_state *s = state_simple_cubic(2, 1.0);
    assert_near(coordination(&s->view, NULL).all, 6.0, 1e-12);
    made_state *t = state_open(6, 16);
    for (int k = 0; k < 3; k++)
        state_sphere(t, k, 0, 0, 0.5); /* a chain: one inner sphere with two contacts */
    state_sphere(t, 9, 0, 0, 0.5);     /* alone */
    t->state[state_sphere(t, 12, 0, 0, 0.5)] = PLU_REMOVED;
    state_touch(t, 1.0);
    const plu_coordination z = coordination(&t->view, NULL);
    assert_int_equal(z.grains, 4);
    assert_int_equal(z.rattlers, 3); /* N_0 = 1, N_1 = 2, N_c = 2 */
    assert_near(z.all, 2.0 * 2 / 4, 1e-12);
    assert_near(z.mechanical, (2.0 * 2 - 2) / (4 - 2 - 1), 1e-12);
    state_close(s);
    state_close(t);
}

/* A contact that carries nothing is an open one, and counts for nothing else. */
static void test_open_contacts(void **state)
{
    (void)state;
    made_state *s = state_open(2, 2);
    state_sphere(s, 0, 0, 0.5, 0.5);
    state_sphere(s, 0, 0, 1.5, 0.5);
    state_contact(s, -1, 0, 0, 0, 1, 20.0);
    state_contact(s, 0, 1, 0, 0, 1, 0.0)->mode = PLU_MODE_OPEN;
    plu_contact_numbers n;
    plu_measure_contacts(&n, &s->view, NULL);
    assert_int_equal(n.all, 1);
    assert_int_equal(n.walls, 1);
    assert_int_equal(n.mode[PLU_MODE_OPEN], 1);
    assert_int_equal(n.mode[PLU_MODE_STICK], 1);
    assert_near(n.force, 20.0, 1e-12);
    assert_near(coordination(&s->view, NULL).all, 0.5, 1e-12);
    plu_fabric fabric;
    plu_measure_fabric(&fabric, &s->view, NULL);
    assert_int_equal(fabric.contacts, 1);
    assert_near(fabric.tensor[2][2], 1.0, 1e-15);
    assert_near(fabric.anisotropy, 1.0, 1e-15);
    s->view.contacts = -1; /* not known is not none */
    assert_true(isnan(coordination(&s->view, NULL).all));
    plu_stress stress;
    const plu_region box = {{-1, -1, 0}, {1, 1, 2}};
    plu_measure_stress(&stress, &s->view, &box);
    assert_true(isnan(stress.pressure));
    assert_true(isnan(plu_measure_dissipation(&s->view).sliding));
    state_close(s);
}

/* A column of six on a plate: contact k carries all above it. Over the layer of sphere k the
 * vertical stress is the weight above the middle of the sphere over the area, elsewhere nothing. */
static void test_stress_of_a_stack(void **state)
{
    (void)state;
    enum { N = 6 };
    const double area = 2.0 * 3.0, weight = 10.0;
    made_state *s = state_open(N, N);
    for (int k = 0; k < N; k++) {
        state_sphere(s, 0, 0, k + 0.5, 0.5);
        state_contact(s, k - 1, k, 0, 0, 1, weight * (N - k));
    }
    plu_stress stress;
    for (int k = 0; k < N; k++) {
        const plu_region layer = {{-1, -1.5, k}, {1, 1.5, k + 1}};
        plu_measure_stress(&stress, &s->view, &layer);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_near(stress.tensor[i][j],
                            i == 2 && j == 2 ? weight * (N - k - 0.5) / area : 0.0, 1e-12);
    }
    /* One component: p = s/3, q = s. */
    assert_near(stress.deviator, 3.0 * stress.pressure, 1e-12);
    state_close(s);
}

/* Shear: a tangential force f along x on a cube of one sphere between two plates gives f / area. */
static void test_shear_stress(void **state)
{
    (void)state;
    made_state *s = state_open(1, 2);
    state_sphere(s, 0.5, 0.5, 0.5, 0.5);
    state_contact(s, -1, 0, 0, 0, 1, 5.0)->impulse_tangent[0] = -2.0 * s->view.dt;
    state_contact(s, -2, 0, 0, 0, -1, 5.0)->impulse_tangent[0] = 2.0 * s->view.dt;
    const plu_region box = {{0, 0, 0}, {1, 1, 1}};
    plu_stress stress;
    plu_measure_stress(&stress, &s->view, &box);
    assert_near(stress.tensor[2][2], 5.0, 1e-12);
    assert_near(stress.tensor[0][2], -2.0, 1e-12);
    assert_near(stress.pressure, 5.0 / 3.0, 1e-12);
    plu_contact_numbers n;
    plu_measure_contacts(&n, &s->view, NULL);
    assert_near(n.mobilized, 0.4, 1e-12);
    state_close(s);
}

/* Forces drawn from exp(-f) at equal steps of probability: mean 1, deviation 1, tail beta 1. */
static void test_force_distribution(void **state)
{
    (void)state;
    enum { N = 20000 };
    made_state *s = state_open(2, N);
    state_sphere(s, 0, 0, 0, 0.5);
    state_sphere(s, 0, 0, 1, 0.5);
    for (int k = 0; k < N; k++)
        state_contact(s, 0, 1, 0, 0, 1, -7.0 * log((k + 0.5) / N));
    plu_contact_numbers n;
    plu_measure_contacts(&n, &s->view, NULL);
    assert_near(n.force, 7.0, 1e-3 * 7.0);
    assert_near(n.force_largest, 7.0 * log(2.0 * N), 1e-9);
    assert_near(n.force_spread, 1.0, 2e-3);
    assert_near(n.tail, 1.0, 2e-3);
    double sum = 0.0;
    for (int k = 0; k < PLU_FORCE_BINS; k++)
        sum += 0.25 * n.density[k];
    assert_near(sum, 1.0, 1e-12);
    for (int k = 0; k < 8; k++) /* mean density of a bin */
        assert_near(n.density[k], 4.0 * (exp(-0.25 * k) - exp(-0.25 * (k + 1))), 2e-3);
    state_close(s);
}

static void test_overlap(void **state)
{
    (void)state;
    made_state *s = state_open(3, 3);
    state_sphere(s, 0, 0, 0, 0.5);
    state_sphere(s, 0, 0, 0.7, 0.25);
    state_contact(s, 0, 1, 0, 0, 1, 1.0)->gap = -0.05;
    state_contact(s, -1, 0, 0, 0, 1, 1.0)->gap = -0.06;
    state_contact(s, -2, 0, 0, 0, 1, 1.0)->gap = 0.01;
    plu_contact_numbers n;
    plu_measure_contacts(&n, &s->view, NULL);
    assert_near(n.overlap, 0.055, 1e-15);
    assert_near(n.overlap_largest, 0.06, 1e-15);
    assert_near(n.overlap_ratio, 0.05 / 0.5, 1e-15); /* the pair with the smaller diameter */
    state_close(s);
}

/* AB21 (43): mu r_N |u_T| + mu_r r_N |omega_R|. */
static void test_energy_and_dissipation(void **state)
{
    (void)state;
    made_state *s = state_open(1, 1);
    state_sphere(s, 0, 0, 0.5, 0.5);
    double spin[3] = {0.0, 4.0, 0.0};
    const double inertia = 0.1;
    s->row[0][4] = 3.0;
    s->view.spin = (plu_rows){spin, 3};
    s->view.inertia = (plu_rows){&inertia, 1};
    const plu_energy e = plu_measure_energy(&s->view);
    assert_near(e.translation, 4.5, 1e-15);
    assert_near(e.rotation, 0.8, 1e-15);
    assert_near(e.potential, 5.0, 1e-15);
    plu_contact_row *c = state_contact(s, -1, 0, 0, 0, 1, 10.0);
    c->velocity[0] = 3.0 - 0.5 * 4.0;
    c->impulse_tangent[0] = -0.3 * 10.0 * s->view.dt;
    c->impulse_moment[1] = -0.02 * 10.0 * s->view.dt;
    const plu_dissipation d = plu_measure_dissipation(&s->view);
    assert_near(d.sliding, 0.3 * 10.0 * 1.0, 1e-12);
    assert_near(d.rolling, 0.02 * 10.0 * 4.0, 1e-12);
    s->view.spin.at = NULL;
    assert_true(isnan(plu_measure_dissipation(&s->view).rolling));
    assert_true(isnan(plu_measure_energy(&s->view).rotation));
    state_close(s);
}

/* Friction along the slip takes all it can; turned by an angle a it takes cos a of it. A contact
 * that opens with mu |u_T| obeys the associated law: maximum dissipation, but a bipotential of one.
 * What lands or bounces is left out. */
static void test_errors_of_the_law(void **state)
{
    (void)state;
    plu_contact_law laws[2] = {{.friction = 0.3, .rolling_friction = 0.02},
                               {.friction = 0.3, .restitution = 0.5}};
    const plu_scene scene = {.laws = laws, .laws_count = 2};
    made_state *s = state_open(1, 3);
    state_sphere(s, 0, 0, 0.5, 0.5);
    plu_contact_row *c = state_contact(s, -1, 0, 0, 0, 1, 10.0);
    state_contact(s, -2, 0, 1, 0, 0, 10.0)->gap = 0.01;
    state_contact(s, -3, 0, 0, 1, 0, 10.0)->law = 1;
    const double spin[3] = {0.0, 4.0, 0.0};
    s->view.spin = (plu_rows){spin, 3};
    const double r = 10.0 * s->view.dt, angle = 0.4;
    plu_law_errors e;
    for (int turned = 0; turned < 2; turned++) {
        const double a = turned ? angle : 0.0;
        c->velocity[0] = 2.0;
        c->velocity[2] = 0.0;
        c->impulse_tangent[0] = -0.3 * r * cos(a);
        c->impulse_tangent[1] = 0.3 * r * sin(a);
        c->impulse_moment[1] = -0.02 * r;
        plu_measure_law(&e, &s->view, &scene, NULL);
        assert_int_equal(e.contacts, 1);
        assert_int_equal(e.left_out, 2);
        assert_near(e.possible, r * (0.3 * 2.0 + 0.02 * 4.0), 1e-15);
        assert_near(e.missed, r * 0.3 * 2.0 * (1.0 - cos(a)) / e.possible, 1e-12);
        assert_near(e.bipotential, e.missed, 1e-12);
    }
    c->impulse_tangent[0] = -0.3 * r;
    c->impulse_tangent[1] = 0.0;
    c->velocity[2] = 0.3 * 2.0 + 0.02 * 4.0;
    plu_measure_law(&e, &s->view, &scene, NULL);
    assert_near(e.missed, 0.0, 1e-12);
    assert_near(e.bipotential, 1.0, 1e-12);
    s->view.spin.at = NULL; /* rolling friction, but nobody knows how the sphere turns */
    plu_measure_law(&e, &s->view, &scene, NULL);
    assert_true(isnan(e.missed) && isnan(e.possible));
    state_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simple_cubic),       cmocka_unit_test(test_face_centered_cubic),
        cmocka_unit_test(test_rattlers),           cmocka_unit_test(test_open_contacts),
        cmocka_unit_test(test_stress_of_a_stack),  cmocka_unit_test(test_shear_stress),
        cmocka_unit_test(test_force_distribution), cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_errors_of_the_law),  cmocka_unit_test(test_energy_and_dissipation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
