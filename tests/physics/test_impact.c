/* Impacts of one sphere on a plane and of two spheres, after Chung & Ooi (Granular Matter 13,
 * 2011), against what rigid-body mechanics says: v_n' = -e v_n, and the tangential impulse either
 * stops the slip at the contact or is mu times the normal one. */
#include "base/vec3.h"
#include "run.h"

typedef struct sphere {
    double x[3], v[3], w[3], r;
} sphere;

static void after_impact(run *r, int body, sphere *s)
{
    const double *row = run_velocity(r, body);
    memcpy(s->v, row, sizeof s->v);
    memcpy(s->w, row + 3, sizeof s->w);
}

#define BODY                                                                                       \
    "{ position = [%.17g, %.17g, %.17g]; velocity = [%.17g, %.17g, %.17g]; "                       \
    "angular_velocity = [%.17g, %.17g, %.17g]; radius = %.17g; material = \"grain\"; }"
#define BODY_NUMBERS(s)                                                                            \
    (s)->x[0], (s)->x[1], (s)->x[2], (s)->v[0], (s)->v[1], (s)->v[2], (s)->w[0], (s)->w[1],        \
        (s)->w[2], (s)->r

/* Sphere on the plane z = 0: plane impact in the x-z plane with slip u_T at the contact. */
static void against_plane(double vx, double vz, double wy, double mu, double e)
{
    sphere s = {{0, 0, 0.1}, {vx, 0, vz}, {0, wy, 0}, 0.1};
    run *r =
        run_open("time: { step = 1e-3; end = 1; theta = 0.5; };\ngravity = [0, 0, 0];\n"
                 "stabilization = \"none\";\nmaterials = ( { name = \"grain\"; density = 1000; "
                 "}, { name = \"plate\"; } );\ncontacts = ( { between = [\"grain\", "
                 "\"plate\"]; friction = %.17g; restitution = %.17g; } );\n" RUN_PLANE
                 "bodies = ( " BODY " );\n",
                 mu, e, BODY_NUMBERS(&s));
    run_step(r);
    after_impact(r, 0, &s);
    const double slip = vx - wy * 0.1;          /* u_T = v_x - R omega_y */
    const double normal = -(1.0 + e) * vz;      /* impulse per mass */
    const double stop = fabs(slip) * 2.0 / 7.0; /* impulse per mass that ends the slip */
    const double t = -copysign(fmin(mu * normal, stop), slip);
    assert_near(s.v[2], -e * vz, 1e-13);
    assert_near(s.v[0], vx + t, 1e-12);
    assert_near(s.w[1], wy - 2.5 * t / 0.1, 1e-11);
    run_close(r);
}

static void sphere_on_plane(void **state)
{
    (void)state;
    for (double e = 0.0; e <= 1.0; e += 0.25)
        for (int angle = 0; angle <= 85; angle += 5) { /* test 4: constant speed, all angles */
            const double a = angle * 3.14159265358979 / 180.0;
            against_plane(3.9 * sin(a), -3.9 * cos(a), 0.0, 0.092, e);
        }
    for (double wy = -40.0; wy <= 40.0; wy += 8.0) /* test 6: constant normal velocity, spins */
        against_plane(1.0, -0.2, wy, 0.4, 0.5);
    /* The border of slip and stick: tan(angle) = 7/2 mu (1 + e). */
    against_plane(3.5 * 0.3 * 1.5 * 0.999, -1.0, 0.0, 0.3, 0.5);
    against_plane(3.5 * 0.3 * 1.5 * 1.001, -1.0, 0.0, 0.3, 0.5);
}

static void momenta(const sphere s[2], double p[3], double l[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = l[k] = 0.0;
    for (int i = 0; i < 2; i++) {
        const double m = 4.0 / 3.0 * 3.14159265358979 * 1000.0 * pow(s[i].r, 3.0);
        double xv[3];
        plu_cross(s[i].x, s[i].v, xv);
        plu_add_scaled(p, m, s[i].v);
        plu_add_scaled(l, m, xv);
        plu_add_scaled(l, 0.4 * m * s[i].r * s[i].r, s[i].w);
    }
}

/* Velocity of the second sphere's surface against the first one's at the contact. */
static void relative(const sphere s[2], const double n[3], double u[3])
{
    double arm[3], turn[3];
    for (int k = 0; k < 3; k++) {
        u[k] = s[1].v[k] - s[0].v[k];
        arm[k] = s[0].r * s[0].w[k] + s[1].r * s[1].w[k];
    }
    plu_cross(arm, n, turn);
    plu_add_scaled(u, -1.0, turn);
}

static void two_spheres(sphere before[2], double mu, double mu_r, double e, bool *stuck)
{
    sphere after[2] = {before[0], before[1]};
    run *r =
        run_open("time: { step = 1e-6; end = 1; theta = 0.5; };\ngravity = [0, 0, 0];\n"
                 "stabilization = \"none\";\nsolver: { tolerance = 1e-12; };\n"
                 "materials = ( { name = \"grain\"; density = 1000; } );\ncontacts = ( { between "
                 "= [\"grain\", \"grain\"]; friction = %.17g; rolling_friction = %.17g; "
                 "restitution = %.17g; } );\nbodies = ( " BODY ", " BODY " );\n",
                 mu, mu_r, e, BODY_NUMBERS(&before[0]), BODY_NUMBERS(&before[1]));
    run_step(r);
    assert_int_equal(r->info.contacts, 1);
    after_impact(r, 0, &after[0]);
    after_impact(r, 1, &after[1]);
    double n[3], p0[3], p1[3], l0[3], l1[3], u0[3], u1[3];
    plu_sub(before[1].x, before[0].x, n);
    const double distance = plu_norm(n);
    for (int k = 0; k < 3; k++)
        n[k] /= distance;
    momenta(before, p0, l0);
    momenta(after, p1, l1);
    const double scale_p = plu_norm(p0) + 1e-3, scale_l = plu_norm(l0) + 1e-3;
    for (int k = 0; k < 3; k++) {
        assert_near(p1[k], p0[k], 1e-12 * scale_p);
        assert_near(l1[k], l0[k], 1e-12 * scale_l);
    }
    relative(before, n, u0);
    relative(after, n, u1);
    assert_near(plu_dot(u1, n), -e * plu_dot(u0, n), 1e-12);
    plu_add_scaled(u1, -plu_dot(u1, n), n);
    plu_contact_row row;
    plu_stepper_contact(r->stepper, 0, &row);
    const double t = plu_norm(row.impulse_tangent), slip = plu_norm(u1);
    *stuck = slip <= 1e-12;
    if (!*stuck) { /* Coulomb: at the limit and against the slip */
        assert_near(t, mu * row.impulse_normal, 1e-12 * row.impulse_normal);
        assert_near(plu_dot(row.impulse_tangent, u1), -t * slip, 1e-11 * t * slip + 1e-18);
    } else {
        assert_true(t <= mu * row.impulse_normal * (1.0 + 1e-12));
    }
    run_close(r);
}

static void pairs(void **state)
{
    (void)state;
    bool stuck, any_stuck = false, any_slip = false;
    for (int k = 0; k < 40; k++) {
        const double spin = 3.0 * (k % 8), shear = 0.15 * (k / 8);
        sphere equal[2] = {{{0, 0, 0}, {0.5, shear, 0}, {0, 0, spin}, 0.02},
                           {{0.04, 0, 0}, {-0.5, 0, 0.1}, {0, 0, -spin}, 0.02}}; /* tests 1, 2, 7 */
        two_spheres(equal, 0.25, 1e-3, 0.6, &stuck);
        any_stuck |= stuck;
        any_slip |= !stuck;
        sphere unequal[2] = {{{0.1, 0.2, -0.1}, {0.5, shear, 0.2}, {spin, -1, 2}, 0.05},
                             {{0.1, 0.2, -0.035}, {0, 0, -1}, {1, spin, -3}, 0.015}}; /* test 8 */
        two_spheres(unequal, k % 2 ? 0.4 : 0.04, 2e-3, 0.3, &stuck);
        any_stuck |= stuck;
        any_slip |= !stuck;
    }
    assert_true(any_stuck && any_slip);
}

/* What parts already, slower than gravity brings it back within the step, comes to rest: e times a
 * speed that does not approach is no speed to return with. */
static void parting_is_no_impact(void **state)
{
    (void)state;
    run *r =
        run_open("time: { step = 1e-3; end = 1; forecast = 0.5; };\nallow_overlap = true;\n"
                 "stabilization = \"none\";\n" RUN_MATERIALS("1000", "0.0", "0.0", "0.5") RUN_PLANE
                 "bodies = ( { position = [0, 0, 0.0999]; velocity = [0, 0, 1e-3]; radius = "
                 "0.1; material = \"grain\"; } );\n");
    run_step(r);
    assert_near(run_velocity(r, 0)[2], 0.0, 1e-15);
    run_close(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sphere_on_plane), cmocka_unit_test(pairs),
                                       cmocka_unit_test(parting_is_no_impact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
