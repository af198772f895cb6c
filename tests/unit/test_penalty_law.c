/* The law of one contact as a function of its motion, and the step that its springs allow. */
#include "base/vec3.h"
#include "near.h"
#include "scenes.h"
#include "step/penalty_law.h"

static const double PI = 3.14159265358979323846;

static const plu_contact_law contact = {.friction = 0.5,
                                        .friction_dynamic = 0.3,
                                        .rolling_friction = 0.01,
                                        .normal_stiffness = 1e4,
                                        .tangential_stiffness = 4e3};

static const double h = 1e-3;

/* No dampers, W_NN = W_TT = 1/kg, L = 0.1 m. */
static plu_penalty_law law_of(plu_contact_law law)
{
    return plu_penalty_law_of(&law, 1.0, 1.0, 100.0, 0.1);
}

static void numbers_of_a_pair(void **state)
{
    (void)state;
    plu_contact_law law = contact;
    law.normal_damping = 0.25;
    law.tangential_damping = 0.5;
    law.rolling_damping = 1.0;
    const plu_penalty_law l = law_of(law);
    assert_near(l.cn, 2.0 * 0.25 * 100.0, 1e-12);
    assert_near(l.ct, 2.0 * 0.5 * sqrt(4e3), 1e-12);
    assert_near(l.kr, 40.0, 1e-12); /* K_T L^2 */
    assert_near(l.cr, 2.0 * sqrt(40.0 / 100.0), 1e-12);
    law.rolling_stiffness = 7.0;
    assert_near(law_of(law).kr, 7.0, 0.0);
}

static void no_adhesion(void **state)
{
    (void)state;
    plu_contact_law law = contact;
    law.normal_damping = 0.5;
    const plu_penalty_law l = law_of(law);
    plu_penalty_force f;
    plu_spring spring = {.t = {3.0, 0.0, 0.0}, .m = {0.0, 0.1, 0.0}, .slides = 1.0};
    for (double u = -2.0; u <= 2.0; u += 0.125) {
        plu_spring own = spring;
        plu_penalty_contact(&l, -1e-2, (double[7]){u}, h, &own, &f);
        assert_near(f.n, fmax(100.0 - 100.0 * u, 0.0), 1e-12);
        assert_true(f.used >= 0.0);
        assert_true(plu_norm(f.t) <= 0.5 * f.n * (1.0 + 1e-15));
        assert_true(plu_norm(f.m) <= 0.01 * f.n * (1.0 + 1e-15));
    }
    plu_penalty_contact(&l, 1e-9, (double[7]){-1.0}, h, &spring, &f);
    assert_near(f.n + plu_norm(f.t) + plu_norm(f.m) + f.elastic + f.used, 0.0, 0.0);
    assert_near(plu_norm(spring.t) + plu_norm(spring.m) + spring.slides, 0.0, 0.0);
}

/* Pushed at 0.1 m/s under F_N = 100 N: the spring gives 0.4 N a step up to 50 N, then mu_d holds,
 * and it sticks only once it moves slowly enough, back inside 30 N. */
static void friction_with_hysteresis(void **state)
{
    (void)state;
    const plu_penalty_law l = law_of(contact);
    plu_spring spring = {0};
    plu_penalty_force f;
    for (int k = 1; k <= 124; k++) {
        plu_penalty_contact(&l, -1e-2, (double[7]){0, 0.1}, h, &spring, &f);
        assert_near(f.t[0], -0.4 * k, 1e-12);
        assert_near(f.used, 0.0, 1e-15); /* all of it can come back */
        assert_near(f.elastic, 0.5 * 1e4 * 1e-4 + 0.5 * 4e3 * pow(1e-4 * k, 2), 1e-12);
    }
    for (int k = 0; k < 5; k++)
        plu_penalty_contact(&l, -1e-2, (double[7]){0, 0.1}, h, &spring, &f);
    assert_near(f.t[0], -30.0, 1e-12);
    assert_near(f.used, 30.0 * 0.1 * h, 1e-15);

    /* sticks below u^2 = (mu_s^2 - mu_d^2) F_N^2 W / K_T = 0.4 m^2/s^2 */
    plu_spring fast = spring, slow = spring;
    plu_penalty_contact(&l, -1e-2, (double[7]){0, -0.64}, h, &fast, &f);
    assert_near(fast.slides, 1.0, 0.0);
    plu_penalty_contact(&l, -1e-2, (double[7]){0, -0.62}, h, &slow, &f);
    assert_near(slow.slides, 0.0, 0.0);
    assert_near(f.t[0], -30.0 + 0.62 * 4.0, 1e-12);
}

/* The limit is a disk: pulled on in another direction, the force turns towards it. */
static void limits_are_disks(void **state)
{
    (void)state;
    const plu_penalty_law l = law_of(contact);
    plu_spring spring = {0};
    plu_penalty_force f;
    double used = 0.0;
    for (int k = 0; k < 2000; k++) {
        const double angle = k < 1000 ? 0.0 : 1.0;
        plu_penalty_contact(
            &l, -1e-2,
            (double[7]){0, 2 * cos(angle), 2 * sin(angle), 0, 3 * cos(angle), 3 * sin(angle)}, h,
            &spring, &f);
        assert_true(plu_norm(f.t) <= 50.0 && plu_norm(f.m) <= 1.0 * (1.0 + 1e-15));
        used += f.used;
    }
    assert_near(f.t[0], -30.0 * cos(1.0), 1e-9);
    assert_near(f.t[1], -30.0 * sin(1.0), 1e-9);
    assert_near(f.m[0], -1.0 * cos(1.0), 1e-9);
    assert_near(f.m[1], -1.0 * sin(1.0), 1e-9);
    /* work done on it less what the springs hold: sliding 4 m at 30 N and turning 6 rad at 1 N m,
     * less the way to the limits and the turn of the springs there */
    assert_near(used, 30.0 * 4.0 + 6.0, 0.02 * 126.0);
}

static void springs_turn(void **state)
{
    (void)state;
    plu_spring spring = {.t = {3.0, 4.0, 0.0}, .m = {0.0, -2.0, 0.0}};
    const double tilted[3] = {0.6, 0.0, 0.8};
    plu_spring_turn(&spring, tilted);
    assert_near(plu_norm(spring.t), 5.0, 1e-14);
    assert_near(plu_dot(spring.t, tilted), 0.0, 1e-14);
    assert_near(spring.m[1], -2.0, 0.0);
    plu_spring along = {.t = {0.6, 0.0, 0.8}};
    plu_spring_turn(&along, tilted);
    assert_near(plu_norm(along.t), 0.0, 1e-15);
}

/* Semi-implicit Euler on x'' = -s (W K x + W C x'), s = (10/pi)^2: at the border just stable. */
static double growth(double ratio, double factor)
{
    const double k = 3e5, w = 0.2, s = 100.0 / (PI * PI), c = 2.0 * ratio * sqrt(k / w);
    const double step = factor * plu_penalty_step(k, c, w);
    double x = 1.0, v = 0.0;
    for (int i = 0; i < 400; i++) {
        v -= step * s * w * (k * x + c * v);
        x += step * v;
    }
    return fabs(x);
}

/* A way of twice what stretches the spring to its limit L, in one step: the second half slips
 * under the mean force L / 2, the spring keeps L^2 / 2 K. */
static void energy_of_a_slip(void **state)
{
    (void)state;
    const plu_penalty_law law = {.kn = 1e4, .kt = 1e3, .kr = 1.0, .mu_s = 0.5, .mu_d = 0.5};
    const double limit = 5.0, y[7] = {0.0, 2.0 * limit / (1e3 * h)};
    plu_spring spring = {0};
    plu_penalty_force f;
    plu_penalty_contact(&law, -1e-3, y, h, &spring, &f);
    assert_near(f.n, 10.0, 1e-12);
    assert_near(f.t[0], -limit, 1e-12);
    assert_near(f.used, 0.5 * limit * limit / 1e3, 1e-15);
    assert_near(f.elastic, 0.5 * 1e4 * 1e-6 + 0.5 * limit * limit / 1e3, 1e-15);
}

static void longest_step(void **state)
{
    (void)state;
    assert_near(plu_penalty_step(1e4, 0.0, 0.25), 0.1 * 2.0 * PI / 50.0, 1e-15);
    for (double ratio = 0.0; ratio <= 1.0; ratio += 0.125) {
        assert_true(growth(ratio, 0.98) < 10.0);
        assert_true(growth(ratio, 1.02) > 1e3);
    }
}

static plu_status check_with(double step, double friction, plu_error *err)
{
    small_scene small;
    plu_world *world;
    small_scene_init(&small);
    small.scene.method = PLU_PENALTY;
    small.scene.step = step;
    small.scene.step_where = (plu_where){0, 7};
    small_scene_plate(&small, 1.0);
    small_scene_sphere(&small, 0.0, 0.0, 0.1, 0.02);
    small_scene_sphere(&small, 0.0, 0.0, 0.2, 0.01);
    for (int l = 0; l < 2; l++) {
        small.laws[l] = contact;
        small.laws[l].material[0] = SMALL_GRAIN;
        small.laws[l].material[1] = l ? SMALL_PLATE : SMALL_GRAIN;
        small.laws[l].friction = small.laws[l].friction_dynamic = friction;
        small.laws[l].rolling_friction = small.laws[l].tangential_damping = 0.0;
    }
    small.laws[0].normal_stiffness = small.laws[0].tangential_stiffness = 4e4;
    assert_int_equal(plu_world_create(&world, &small.scene, err), PLU_OK);
    const plu_status status = plu_penalty_check_step(world, err);
    plu_world_destroy(world);
    return status;
}

/* The smaller sphere, m = 4/3 pi r^3 2500 = 10.472 g: 0.1 periods on the plate 0.643 ms, against
 * another like it with four times the stiffness 0.227 ms. */
static void too_long_a_step(void **state)
{
    (void)state;
    plu_error err = {0};
    const double mass = 4.0 / 3.0 * PI * 1e-6 * 2500.0, longest = 0.2 * PI * sqrt(0.5 * mass / 4e4);
    assert_int_equal(check_with(longest * (1.0 - 1e-12), 0.0, &err), PLU_OK);
    assert_int_equal(check_with(longest * (1.0 + 1e-12), 0.0, &err), PLU_BAD_INPUT);
    assert_non_null(strstr(err.text, "scene.cfg:7: time.step = 0.000227"));
    assert_non_null(strstr(err.text, "contacts[0]: take at most 0.00022 s"));
    /* with friction the springs along the contact, whose 1/m is 7/2 times as large */
    const double along = longest * sqrt(2.0 / 7.0);
    assert_int_equal(check_with(along * (1.0 - 1e-12), 0.3, &err), PLU_OK);
    assert_int_equal(check_with(along * (1.0 + 1e-12), 0.3, &err), PLU_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_a_pair),
        cmocka_unit_test(no_adhesion),
        cmocka_unit_test(friction_with_hysteresis),
        cmocka_unit_test(limits_are_disks),
        cmocka_unit_test(springs_turn),
        cmocka_unit_test(energy_of_a_slip),
        cmocka_unit_test(longest_step),
        cmocka_unit_test(too_long_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
