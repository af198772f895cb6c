/* A sphere on a plane: AB21 section 6.1 against the closed forms (src/theory.md, "Rolling sphere").
 */
#include "base/vec3.h"
#include "run.h"

static const double R = 0.5, g = 9.81, U0 = 2.5;

static run *sphere_on_plane(double omega0, double mu, double mu_r, double h)
{
    return run_open(
        "time: { step = %.17g; end = 10; theta = 0.5; };\nstabilization = \"none\";\n"
        "solver: { criterion = \"natural-map\"; tolerance = 1e-12; };\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"plate\"]; friction = %.17g; "
        "rolling_friction = %.17g; } );\n" RUN_PLANE
        "bodies = ( { position = [0, 0, 0.5]; velocity = [2.5, 0, 0]; "
        "angular_velocity = [0, %.17g, 0]; radius = 0.5; material = \"grain\"; } );\n",
        h, mu, mu_r, omega0);
}

/* What one run shows: where and when it stops, and when slip or spin ends on the way. */
typedef struct history {
    double stop_x, stop_t;
    double change_t; /* first step with the other mode */
    double change_u, change_w;
    double friction[2], moment[2]; /* |r_T| / N h and |m_R| / N h before and after the change */
} history;

/* `spin_ends`: the change is the end of the spin (case c), else the end of the slip (case b). */
static history observe(double omega0, double mu, double mu_r, double h, bool spin_ends)
{
    run *r = sphere_on_plane(omega0, mu, mu_r, h);
    const double weight = 4.0 / 3.0 * 3.14159265358979323846 * R * R * R * 2500.0 * g * h;
    history s = {.change_t = -1.0};
    for (int moving = 1; moving;) {
        const double before = run_velocity(r, 0)[0];
        run_step(r);
        const double u = run_velocity(r, 0)[0], w = run_velocity(r, 0)[4];
        const double t = plu_world_time(r->world);
        plu_contact_row row;
        assert_int_equal(plu_stepper_contacts(r->stepper), 1);
        plu_stepper_contact(r->stepper, 0, &row);
        const bool changed = spin_ends ? fabs(w) < 1e-9 : fabs(u - R * w) < 1e-9;
        if (changed && s.change_t < 0.0) {
            s.change_t = t;
            s.change_u = u;
            s.change_w = w;
        } else if (u > 0.05) { /* the step of the change is a mixture of both modes */
            s.friction[changed] = plu_norm(row.impulse_tangent) / weight;
            s.moment[changed] = plu_norm(row.impulse_moment) / weight;
        }
        moving = before > 0.0 && fabs(u) > 1e-12;
        s.stop_t = t;
    }
    s.stop_x = run_position(r, 0)[0];
    for (int k = 0; k < 100; k++)
        run_step(r);
    assert_near(run_position(r, 0)[0], s.stop_x, 0.0); /* stays to the last bit */
    run_close(r);
    return s;
}

/* |x(h) - exact|, relative, for three step lengths: at most `bound` at the finest, falling with h.
 */
static void converges(const char *what, const double value[3], double exact, double bound)
{
    static const double h[3] = {1e-3, 3e-4, 1e-4};
    for (int k = 0; k < 3; k++) {
        const double error = fabs(value[k] - exact) / exact;
        if (!(error <= bound * h[k] / h[2])) {
            fprintf(stderr, "%s at h = %g: %.12g instead of %.12g\n", what, h[k], value[k], exact);
            fail();
        }
    }
}

static void compare(double omega0, double mu, double mu_r, bool spin_ends, double stop_x,
                    double stop_t, double change_t, double change_u)
{
    double x[3], t[3], ct[3], cu[3];
    static const double h[3] = {1e-3, 3e-4, 1e-4};
    for (int k = 0; k < 3; k++) {
        const history s = observe(omega0, mu, mu_r, h[k], spin_ends);
        x[k] = s.stop_x;
        t[k] = s.stop_t;
        ct[k] = s.change_t;
        cu[k] = s.change_u;
    }
    converges("stopping distance", x, stop_x, 1e-5);
    converges("stopping time", t, stop_t, 1e-4);
    if (change_t > 0.0) {
        converges("time of the change", ct, change_t, 5e-4);
        converges("velocity at the change", cu, change_u, 5e-4);
    }
}

static void a_no_slip(void **state)
{
    (void)state;
    const double mu_r = 0.04;
    compare(5.0, 0.2, mu_r, false, 7.0 * R * U0 * U0 / (10.0 * g * mu_r),
            U0 / (5.0 * mu_r * g / (7.0 * R)), -1.0, 0.0);
    const history s = observe(5.0, 0.2, mu_r, 1e-4, false);
    assert_near(s.friction[1], 5.0 * mu_r / (7.0 * R), 1e-9);
    assert_near(s.moment[1], mu_r, 1e-9);
}

static void b_sliding_then_rolling(void **state)
{
    (void)state;
    const double mu = 0.2, mu_r = 0.04, w0 = 2.5;
    const double du = -mu * g, dw = 5.0 * g * (mu * R - mu_r) / (2.0 * R * R);
    const double t1 = (U0 - R * w0) / (R * dw - du), u1 = U0 + du * t1;
    const double x1 = U0 * t1 + 0.5 * du * t1 * t1, a = 5.0 * mu_r * g / (7.0 * R);
    assert_near(t1, 0.254841998, 1e-9); /* the printed values */
    assert_near(u1, 2.0, 1e-12);
    assert_near(x1 + 0.5 * u1 * u1 / a, 4.141182467, 1e-9);
    compare(w0, mu, mu_r, false, x1 + 0.5 * u1 * u1 / a, t1 + u1 / a, t1, u1);
    const history s = observe(w0, mu, mu_r, 1e-4, false);
    assert_near(s.friction[0], mu, 1e-9);
    assert_near(s.moment[0], mu_r, 1e-9);
    assert_near(s.friction[1], 5.0 * mu_r / (7.0 * R), 1e-9);
    assert_near(s.moment[1], mu_r, 1e-9);
}

static void c_low_friction(void **state)
{
    (void)state;
    const double mu = 0.05, mu_r = 0.04, w0 = 5.0;
    const double dw = 5.0 * g * (mu * R - mu_r) / (2.0 * R * R), t1 = -w0 / dw;
    assert_near(t1, 3.397893306, 1e-9);
    compare(w0, mu, mu_r, true, U0 * U0 / (2.0 * mu * g), U0 / (mu * g), t1, U0 - mu * g * t1);
    const history s = observe(w0, mu, mu_r, 1e-4, true);
    assert_near(s.friction[0], mu, 1e-9);
    assert_near(s.moment[0], mu_r, 1e-9);
    assert_near(s.friction[1], mu, 1e-9);
    assert_near(s.moment[1], mu * R, 1e-9);
}

/* What friction and rolling friction take while the sphere slides and turns: force times slip,
 * moment times angle (theta = 1/2, so that the sums of the steps are exact). */
static void work_of_each(void **state)
{
    (void)state;
    const double mu = 0.2, mu_r = 0.04, w0 = 2.5, t = 0.2;
    const double weight = 4.0 / 3.0 * 3.14159265358979323846 * R * R * R * 2500.0 * g;
    const double dw = 5.0 * g * (mu * R - mu_r) / (2.0 * R * R), angle = w0 * t + 0.5 * dw * t * t;
    const double way = U0 * t - 0.5 * mu * g * t * t;
    run *r = sphere_on_plane(w0, mu, mu_r, 1e-3);
    run_to(r, t);
    const plu_totals *totals = plu_stepper_totals(r->stepper);
    assert_near(totals->work_friction, -mu * weight * (way - R * angle), 1e-9 * weight);
    assert_near(totals->work_rolling, -mu_r * weight * angle, 1e-9 * weight);
    assert_near(totals->work_impact, 0.0, 1e-9 * weight);
    run_close(r);
}

/* Without rolling friction a sliding sphere ends up rolling at (5 U0 + 2 R Omega0) / 7. */
static void no_rolling_friction(void **state)
{
    (void)state;
    for (double w0 = -6.0; w0 < 7.0; w0 += 3.0) {
        run *r = sphere_on_plane(w0, 0.3, 0.0, 1e-3);
        run_to(r, 3.0);
        const double u = (5.0 * U0 + 2.0 * R * w0) / 7.0;
        assert_near(run_velocity(r, 0)[0], u, 1e-10);
        assert_near(run_velocity(r, 0)[4], u / R, 1e-9);
        run_close(r);
    }
}

/* While it slides its velocity and its spin change at constant rates, so that position and
 * orientation tell by which mean of the old and the new ones a step moved and turned it. */
static void moves_and_turns_by_theta(void **state)
{
    (void)state;
    static const double theta[] = {0.5, 0.8, 1.0};
    const double mu = 0.3, h = 1e-3, t = 0.2, rate = 5.0 * mu * g / (2.0 * R);
    for (int k = 0; k < 3; k++) {
        run *r = run_open("time: { step = %.17g; end = 1; theta = %g; };\n" RUN_MATERIALS(
                              "2500", "0.3", "0.0", "0.0") RUN_PLANE
                          "bodies = ( { position = [0, 0, 0.5]; velocity = [2.5, 0, 0]; "
                          "radius = 0.5; material = \"grain\"; } );\n",
                          h, theta[k]);
        run_to(r, t);
        const double square = t * (t + (2.0 * theta[k] - 1.0) * h);
        const double angle = 0.5 * rate * square;
        const double *q = plu_world_bodies(r->world).orientation[0];
        assert_near(run_position(r, 0)[0], U0 * t - 0.5 * mu * g * square, 1e-12);
        assert_near(q[0], cos(0.5 * angle), 1e-12);
        assert_near(q[2], sin(0.5 * angle), 1e-12);
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_no_slip),      cmocka_unit_test(b_sliding_then_rolling),
        cmocka_unit_test(c_low_friction), cmocka_unit_test(no_rolling_friction),
        cmocka_unit_test(work_of_each),   cmocka_unit_test(moves_and_turns_by_theta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
