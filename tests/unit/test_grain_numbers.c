/* Numbers of single grains against closed forms, and their sums against those of all grains. */
#include "near.h"
#include "pluvia/grains.h"
#include "pluvia/tool/measure.h"
#include <math.h>
#include <string.h>

enum { BODIES = 14, CONTACTS = 60 };
static const double pi = 3.14159265358979323846, dt = 1e-3;

static double position[BODIES][3], radius[BODIES], mass[BODIES], spin[BODIES][3];
static unsigned char state[BODIES], fixed[BODIES];
static plu_contact_row contact[CONTACTS];
static plu_grain grain[BODIES];

/* `contacts` of `bodies` spheres that rest. */
static plu_view view_of(int bodies, int contacts)
{
    memset(grain, 0, sizeof grain);
    return (plu_view){.bodies = bodies,
                      .state = state,
                      .position = {position[0], 3},
                      .radius = {radius, 1},
                      .mass = {mass, 1},
                      .spin = {spin[0], 3},
                      .fixed = fixed,
                      .fixed_mark = 1,
                      .contacts = contacts,
                      .contact = contact,
                      .dt = dt};
}

static void reset(void)
{
    memset(contact, 0, sizeof contact);
    memset(fixed, 0, sizeof fixed);
    memset(spin, 0, sizeof spin);
    for (int b = 0; b < BODIES; b++) {
        state[b] = PLU_ACTIVE;
        radius[b] = 0.01;
        mass[b] = 0.02;
        memset(position[b], 0, sizeof position[b]);
    }
}

static double volume_of(int body)
{
    return 4.0 / 3.0 * pi * radius[body] * radius[body] * radius[body];
}

/* A grain between two plates that press it with F along z bears sigma_zz = F 2 r / V. */
static void test_between_plates(void **unused)
{
    (void)unused;
    static const double load = 7.0;
    reset();
    radius[0] = 0.03;
    for (int k = 0; k < 2; k++) {
        contact[k].a = plu_side_of_part(k);
        contact[k].normal[2] = k ? -1.0 : 1.0;
        contact[k].impulse_normal = load * dt;
    }
    const plu_view view = view_of(1, 2);
    plu_grains_add(grain, &view, false);
    for (int i = 0; i < 3; i++) {
        assert_near(grain[0].force[i], 0.0, 1e-15);
        assert_near(grain[0].torque[i], 0.0, 1e-15);
        for (int j = 0; j < 3; j++) {
            const double want = i == 2 && j == 2 ? load * 2.0 * radius[0] / volume_of(0) : 0.0;
            assert_near(grain[0].stress[i][j], want, 1e-12 * load / volume_of(0));
        }
    }
    assert_near(plu_grain_pressure(&grain[0]), load * 2.0 * radius[0] / volume_of(0) / 3.0, 1e-9);
    assert_int_equal(grain[0].coordination, 2);
    assert_near(grain[0].dissipation, 0.0, 0.0);
}

/* A grain of a face-centered cubic lattice has 12 neighbors; if all press it with f, its stress is
 * isotropic, f r sum n n / V = 4 f r / V, as is half of that of a neighbor's one contact. */
static void test_fcc(void **unused)
{
    (void)unused;
    static const double f = 0.3;
    int count = 0;
    reset();
    for (int axis = 0; axis < 3; axis++)
        for (int s = 0; s < 4; s++) {
            plu_contact_row *c = &contact[count];
            c->normal[(axis + 1) % 3] = (s & 1 ? 1.0 : -1.0) / sqrt(2.0);
            c->normal[(axis + 2) % 3] = (s & 2 ? 1.0 : -1.0) / sqrt(2.0);
            /* the grain in the middle is a or b */
            c->a = plu_side_of_sphere(count % 2 ? 0 : count + 1);
            c->b = count % 2 ? count + 1 : 0;
            c->impulse_normal = f * dt;
            count++;
        }
    contact[count].a = plu_side_of_sphere(0); /* near, but without load */
    contact[count].b = count + 1;
    contact[count++].normal[0] = 1.0;
    const plu_view view = view_of(BODIES, count);
    plu_grains_add(grain, &view, false);
    assert_int_equal(grain[0].coordination, 12);
    assert_int_equal(grain[1].coordination, 1);
    assert_int_equal(grain[13].coordination, 0);
    const double want = 4.0 * f * radius[0] / volume_of(0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(grain[0].stress[i][j], i == j ? want : 0.0, 1e-13 * want);
    assert_near(plu_grain_pressure(&grain[1]), f * radius[0] / volume_of(0) / 3.0, 1e-13 * want);
}

/* A friction force t at the foot of a sphere turns it by -r n x t, a moment of rolling friction by
 * itself; what both dissipate is minus their power. */
static void test_torque(void **unused)
{
    (void)unused;
    reset();
    contact[0].a = plu_side_of_part(0);
    contact[0].normal[2] = 1.0;
    contact[0].impulse_normal = 2.0 * dt;
    contact[0].impulse_tangent[0] = -0.5 * dt;
    contact[0].impulse_moment[1] = -0.004 * dt;
    contact[0].velocity[0] = 0.1;
    contact[0].spin[1] = 3.0; /* of which a file knows nothing */
    spin[0][1] = 2.0;
    plu_view view = view_of(1, 1);
    plu_grains_add(grain, &view, false);
    assert_near(grain[0].torque[1], radius[0] * 0.5 - 0.004, 1e-15);
    assert_near(grain[0].torque[0], 0.0, 1e-15);
    assert_near(grain[0].force[0], -0.5, 1e-15);
    assert_near(grain[0].dissipation, 0.5 * 0.1 + 0.004 * 2.0, 1e-15);
    /* sigma_xz: force along x, arm along z */
    assert_near(grain[0].stress[0][2], -0.5 * radius[0] / volume_of(0), 1e-9);
    assert_near(grain[0].stress[2][0], 0.0, 1e-9);
    view = view_of(1, 1);
    plu_grains_add(grain, &view, true);
    assert_near(grain[0].dissipation, 0.5 * 0.1 + 0.004 * 3.0, 1e-15);
    view = view_of(1, 1);
    view.spin.at = NULL;
    plu_grains_add(grain, &view, false);
    assert_true(isnan(grain[0].dissipation));
    view = view_of(1, -1); /* no contacts in the file */
    plu_grains_add(grain, &view, false);
    assert_int_equal(grain[0].coordination, 0);
}

static double random_number(unsigned *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return (*seed >> 8) / (double)(1U << 24) - 0.5;
}

/* Any contacts, of grains with each other, with boundaries, images, fixed bodies and ones that are
 * gone. */
static void make_any(void)
{
    unsigned seed = 7;
    reset();
    state[3] = PLU_REMOVED;
    fixed[5] = 1;
    for (int b = 0; b < BODIES; b++) {
        radius[b] = 0.01 + 0.002 * b;
        for (int i = 0; i < 3; i++)
            spin[b][i] = random_number(&seed);
    }
    for (int k = 0; k < CONTACTS; k++) {
        plu_contact_row *c = &contact[k];
        double length = 0.0;
        c->b = k % BODIES;
        const int other = (c->b + 1 + k / BODIES) % BODIES;
        c->a = k % 3 == 0 && !fixed[c->b] ? plu_side_of_part(k)
               : k % 3 == 1               ? plu_side_of_sphere(other)
                                          : plu_side_of_image(other, 5);
        for (int i = 0; i < 3; i++) {
            c->normal[i] = random_number(&seed);
            length += c->normal[i] * c->normal[i];
            c->impulse_tangent[i] = 1e-3 * random_number(&seed);
            c->impulse_moment[i] = 1e-5 * random_number(&seed);
            c->velocity[i] = random_number(&seed);
        }
        for (int i = 0; i < 3; i++)
            c->normal[i] /= sqrt(length);
        c->impulse_normal = 1e-3 * random_number(&seed); /* some of them pull */
    }
}

/* The sum of V sigma over the grains is the stress times the volume that it is over, their
 * dissipation that of all contacts, and their contacts the mean coordination. */
static void test_sums(void **unused)
{
    (void)unused;
    make_any();
    plu_view view = view_of(BODIES, CONTACTS);
    view.cell = (plu_cell_box){.given = true,
                               .periodic = {true, true, true},
                               .edge = {{0.2, 0, 0}, {0, 0.3, 0}, {0, 0, 0.4}}};
    plu_grains_add(grain, &view, false);
    plu_stress stress;
    plu_measure_stress(&stress, &view, NULL);
    double room = 0.2 * 0.3 * 0.4; /* without what is fixed */
    for (int b = 0; b < BODIES; b++)
        room -= fixed[b] ? volume_of(b) : 0.0;
    double largest = 0.0, dissipated = 0.0;
    int grains = 0, contacts = 0;
    for (int i = 0; i < 9; i++)
        largest = fmax(largest, fabs(stress.tensor[i / 3][i % 3]));
    for (int i = 0; i < 9; i++) {
        double sum = 0.0;
        for (int b = 0; b < BODIES; b++)
            sum += fixed[b] ? 0.0 : volume_of(b) * grain[b].stress[i / 3][i % 3];
        assert_near(sum / room, stress.tensor[i / 3][i % 3], 1e-14 * largest);
    }
    for (int b = 0; b < BODIES; b++) {
        if (state[b] != PLU_ACTIVE || fixed[b])
            continue;
        grains++;
        contacts += grain[b].coordination;
    }
    plu_coordination coordination;
    assert_int_equal(plu_measure_coordination(&coordination, &view, NULL, NULL), PLU_OK);
    assert_near(coordination.all, (double)contacts / grains, 1e-14);
    state[3] = PLU_ACTIVE;
    view = view_of(BODIES, CONTACTS);
    plu_grains_add(grain, &view, false);
    const plu_dissipation power = plu_measure_dissipation(&view);
    for (int b = 0; b < BODIES; b++)
        dissipated += grain[b].dissipation;
    assert_near(dissipated, power.sliding + power.rolling + power.pivoting,
                1e-13 * fabs(power.sliding) + 1e-13);
    assert_near(grain[5].dissipation, 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between_plates),
        cmocka_unit_test(test_fcc),
        cmocka_unit_test(test_torque),
        cmocka_unit_test(test_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
