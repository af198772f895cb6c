/* The exact one-contact solver against the law itself and against the projection solver, which
 * knows nothing of spheres: 10^5 random contacts between spheres of different radii and with walls.
 */
#include "base/vec3.h"
#include "cone/friction_cone.h"
#include "draw.h"
#include "local/local.h"
#include "near.h"
#include <stdbool.h>

enum { OPEN, STICK, SLIDE, ROLL, BOTH, MODES };

typedef struct sample {
    plu_local contact;
    double q[7];
} sample;

static void tangent(draw *d, const double n[3], double size, double v[3])
{
    for (int i = 0; i < 3; i++)
        v[i] = size * draw_uniform(d, -1.0, 1.0);
    plu_add_scaled(v, -plu_dot(v, n), n);
}

/* Two spheres of density 1000 (or a sphere and a wall) in relative motion. */
static sample random_contact(draw *d, double spread)
{
    sample s = {0};
    plu_local *c = &s.contact;
    const double rb = 0.01, ra = draw_log(d, rb / spread, rb * spread);
    const bool wall = draw_uniform(d, 0.0, 1.0) < 0.3, equal = draw_uniform(d, 0.0, 1.0) < 0.2;
    const double a = wall ? 0.0 : equal ? rb : ra;
    const double mb = 4188.79 * rb * rb * rb, ma = 4188.79 * a * a * a;
    const double ia = wall ? 0.0 : 1.0 / (0.4 * ma * a * a), ib = 1.0 / (0.4 * mb * rb * rb);
    draw_direction(d, c->normal);
    c->wn = (wall ? 0.0 : 1.0 / ma) + 1.0 / mb;
    c->wt = c->wn + a * a * ia + rb * rb * ib;
    c->wr = ia + ib;
    c->wc = a * ia - rb * ib;
    c->length = wall ? rb : fmin(a, rb);
    c->mu = draw_log(d, 0.03, 3.0);
    c->mu_r = c->length * draw_log(d, 0.01, 3.0);
    s.q[0] = draw_uniform(d, -1.0, 0.15);
    tangent(d, c->normal, draw_log(d, 0.01, 10.0), s.q + 1);
    tangent(d, c->normal, draw_log(d, 0.01, 10.0) / c->length, s.q + 4);
    return s;
}

/* y = W p + q */
static void velocity(const sample *s, const double p[7], double y[7])
{
    const plu_local *c = &s->contact;
    double nt[3], nm[3];
    plu_cross(c->normal, p + 1, nt);
    plu_cross(c->normal, p + 4, nm);
    y[0] = s->q[0] + c->wn * p[0];
    for (int i = 0; i < 3; i++) {
        y[1 + i] = s->q[1 + i] + c->wt * p[1 + i] - c->wc * nm[i];
        y[4 + i] = s->q[4 + i] + c->wr * p[4 + i] + c->wc * nt[i];
    }
}

static int mode(const sample *s, const double p[7])
{
    const double near_limit = 1.0 - 1e-9;
    if (p[0] == 0.0)
        return OPEN;
    const bool slides = plu_norm(p + 1) >= near_limit * s->contact.mu * p[0];
    const bool rolls = plu_norm(p + 4) >= near_limit * s->contact.mu_r * p[0];
    return slides ? (rolls ? BOTH : SLIDE) : (rolls ? ROLL : STICK);
}

/* Signorini, Coulomb and rolling law one by one (AB21 (21)), not through any solver's function. */
static void obeys_the_law(const sample *s, const double p[7])
{
    const plu_local *c = &s->contact;
    double y[7];
    velocity(s, p, y);
    const double un = fabs(s->q[0]), ut = plu_norm(s->q + 1) + c->mu * un,
                 wr = plu_norm(s->q + 4) + un / c->length;
    if (p[0] == 0.0) {
        assert_true(y[0] >= 0.0);
        return;
    }
    assert_near(y[0], 0.0, 1e-14 * un);
    const double t = plu_norm(p + 1), m = plu_norm(p + 4);
    assert_true(t <= c->mu * p[0] * (1.0 + 1e-14) && m <= c->mu_r * p[0] * (1.0 + 1e-14));
    const double scale_t = ut + c->wc * c->wc / c->wr * t, scale_r = wr + fabs(c->wc) * t;
    const double slip = plu_norm(y + 1), spin = plu_norm(y + 4);
    /* r_T . u_T = -mu r_N |u_T|, the same for the moment: opposed, and at the limit, or at rest. */
    assert_near(plu_dot(p + 1, y + 1) + c->mu * p[0] * slip, 0.0, 1e-12 * c->mu * p[0] * scale_t);
    assert_near(plu_dot(p + 4, y + 4) + c->mu_r * p[0] * spin, 0.0,
                1e-12 * c->mu_r * p[0] * scale_r);
}

static void exact_obeys_the_law_in_every_mode(void **state)
{
    (void)state;
    draw d = {0};
    long met[MODES] = {0};
    for (int k = 0; k < 200000; k++) {
        const sample s = random_contact(&d, 50.0);
        double p[7] = {0};
        plu_local_exact(&s.contact, s.q, p);
        obeys_the_law(&s, p);
        met[mode(&s, p)]++;
    }
    for (int i = 0; i < MODES; i++)
        assert_true(met[i] > 1000);
}

static void exact_and_projection_agree(void **state)
{
    (void)state;
    draw d = {0};
    long met[MODES] = {0};
    double worst = 0.0;
    for (int k = 0; k < 100000; k++) {
        const sample s = random_contact(&d, 4.0);
        const double L = s.contact.length;
        double p[7] = {0}, r[7] = {0}, difference = 0.0, size = 0.0;
        plu_local_exact(&s.contact, s.q, p);
        plu_local_projection(&s.contact, s.q, r);
        for (int i = 0; i < 7; i++) {
            const double scale = i < 4 ? 1.0 : 1.0 / L;
            difference = fmax(difference, scale * fabs(p[i] - r[i]));
            size = fmax(size, scale * fabs(p[i]));
        }
        worst = fmax(worst, difference / fmax(size, 1e-300));
        assert_near(difference, 0.0, 1e-10 * size);
        met[mode(&s, p)]++;
    }
    for (int i = 0; i < MODES; i++)
        assert_true(met[i] > 1000);
    print_message("largest relative difference %.2g; open %ld, stick %ld, slide %ld, roll %ld, "
                  "both %ld\n",
                  worst, met[OPEN], met[STICK], met[SLIDE], met[ROLL], met[BOTH]);
}

/* Error of p against the exact solution, relative to that. */
static double error_of(const sample *s, const double p[7])
{
    double exact[7] = {0}, error = 0.0, size = 0.0;
    plu_local_exact(&s->contact, s->q, exact);
    for (int i = 0; i < 7; i++) {
        const double scale = i < 4 ? 1.0 : 1.0 / s->contact.length;
        error += pow(scale * (p[i] - exact[i]), 2.0);
        size += pow(scale * exact[i], 2.0);
    }
    return size > 0.0 ? sqrt(error / size) : 0.0;
}

/* With a tolerance a visit ends early, as what is around is not right either; visits in turn, each
 * from the impulse before, get to the solution all the same. */
static void projection_ends_early_and_gets_there(void **state)
{
    (void)state;
    draw d = {0};
    int early = 0, solved = 0;
    const int samples = 5000;
    for (int k = 0; k < samples; k++) {
        sample s = random_contact(&d, 4.0);
        s.contact.tolerance = 1e-2;
        double p[7] = {0};
        plu_local_projection(&s.contact, s.q, p);
        early += error_of(&s, p) > 1e-6;
        s.contact.tolerance = 1e-12;
        for (int visit = 0; visit < 200; visit++)
            plu_local_projection(&s.contact, s.q, p);
        solved += error_of(&s, p) < 1e-8;
    }
    assert_true(early > samples / 20);
    assert_int_equal(solved, samples);
}

static void no_friction_and_no_rolling_friction(void **state)
{
    (void)state;
    draw d = {0};
    for (int k = 0; k < 20000; k++) {
        sample s = random_contact(&d, 4.0);
        double p[7] = {0};
        *(k % 2 ? &s.contact.mu : &s.contact.mu_r) = 0.0;
        if (k % 5 == 0)
            s.contact.mu = s.contact.mu_r = 0.0;
        plu_local_exact(&s.contact, s.q, p);
        obeys_the_law(&s, p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_obeys_the_law_in_every_mode),
        cmocka_unit_test(exact_and_projection_agree),
        cmocka_unit_test(projection_ends_early_and_gets_there),
        cmocka_unit_test(no_friction_and_no_rolling_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
