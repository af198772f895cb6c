/* Solid fractions: spheres cut by boxes, lattices, heaps, against closed forms and counted points.
 */
#include "states.h"

#define PI 3.14159265358979323846

static double solid_in(const plu_view *view, plu_region box)
{
    return plu_measure_solid(view, &box).solid;
}

static double fraction(plu_solid s)
{
    return s.solid / s.volume;
}

static made_state *one_sphere(double r)
{
    made_state *s = state_open(1, 0);
    state_sphere(s, 0, 0, 0, r);
    return s;
}

/* A cap of height h has the volume pi h^2 (3 r - h) / 3; a corner in the middle cuts an eighth. */
static void test_caps_and_corners(void **state)
{
    (void)state;
    made_state *s = one_sphere(1.0);
    assert_near(solid_in(&s->view, (plu_region){{-2, -2, -2}, {2, 2, 2}}), 4.0 / 3.0 * PI, 1e-12);
    assert_near(solid_in(&s->view, (plu_region){{1, -2, -2}, {2, 2, 2}}), 0.0, 1e-12);
    for (int axis = 0; axis < 3; axis++)
        for (int k = 1; k < 20; k++) {
            const double h = 0.1 * k + 0.013;
            plu_region below = {{-2, -2, -2}, {2, 2, 2}};
            below.upper[axis] = -1.0 + h;
            assert_near(solid_in(&s->view, below), PI * h * h * (3.0 - h) / 3.0, 1e-6);
        }
    for (int k = 0; k < 8; k++) {
        plu_region part = {{0, 0, 0}, {3, 3, 3}};
        for (int i = 0; i < 3; i++)
            if (k >> i & 1) {
                part.lower[i] = -3.0;
                part.upper[i] = 0.0;
            }
        assert_near(solid_in(&s->view, part), PI / 6.0, 1e-8);
    }
    state_close(s);
}

/* A box within the sphere is full; one whose corners stand out is counted by points. */
static void test_boxes_against_points(void **state)
{
    (void)state;
    enum { N = 160 };
    made_state *s = one_sphere(1.0);
    assert_near(solid_in(&s->view, (plu_region){{-.5, -.2, -.4}, {.3, .5, .6}}), 0.56, 1e-9);
    static const plu_region boxes[] = {{{-.7, -.6, -.8}, {.75, .7, .65}},
                                       {{.3, .35, .2}, {.9, .8, 1.4}},
                                       {{-1.2, -.1, .55}, {.2, .15, .8}},
                                       {{-.9, .4, -.9}, {-.1, .5, .9}}};
    for (size_t b = 0; b < sizeof boxes / sizeof *boxes; b++) {
        const plu_region *box = &boxes[b];
        double edge[3], in = 0.0;
        for (int i = 0; i < 3; i++)
            edge[i] = box->upper[i] - box->lower[i];
        for (int k = 0; k < N * N * N; k++) {
            const double x = box->lower[0] + edge[0] * (k % N + 0.5) / N;
            const double y = box->lower[1] + edge[1] * (k / N % N + 0.5) / N;
            const double z = box->lower[2] + edge[2] * ((double)(k / (N * N)) + 0.5) / N;
            in += x * x + y * y + z * z <= 1.0;
        }
        const plu_solid solid = plu_measure_solid(&s->view, box);
        assert_near(solid.volume, edge[0] * edge[1] * edge[2], 1e-15);
        assert_near(fraction(solid), in / ((double)N * N * N), 3e-4);
    }
    state_close(s);
}

/* Cuts anywhere leave nothing out and count nothing twice. */
static void test_parts_make_the_whole(void **state)
{
    (void)state;
    made_state *s = one_sphere(0.5);
    for (int k = 0; k < 200; k++) {
        double sum = 0.0;
        const double cut[3] = {0.55 * sin(1.0 + 3.7 * k), 0.55 * sin(2.0 + 5.3 * k),
                               0.55 * sin(3.0 + 7.1 * k)};
        for (int part = 0; part < 8; part++) {
            plu_region box;
            for (int i = 0; i < 3; i++) {
                box.lower[i] = part >> i & 1 ? cut[i] : -1.0;
                box.upper[i] = part >> i & 1 ? 1.0 : cut[i];
            }
            sum += solid_in(&s->view, box);
        }
        assert_near(sum, PI / 6.0, 1e-9);
    }
    state_close(s);
}

/* A cell of a lattice holds the same wherever it begins; a sphere in the box around it pi / 6. */
static void test_lattices_and_lone_spheres(void **state)
{
    (void)state;
    made_state *cubic = state_simple_cubic(3, 1.0), *fcc = state_face_centered(4, 1.0);
    for (int k = 0; k < 20; k++) {
        const double a = 0.5 + 0.5 * sin(k), b = 0.5 + 0.5 * sin(3.0 * k), c = 0.5 + 0.5 * cos(k);
        const plu_region cell = {{1 + a, 1 + b, 1 + c}, {2 + a, 2 + b, 2 + c}};
        assert_near(fraction(plu_measure_solid(&fcc->view, &cell)), PI / sqrt(18.0), 1e-8);
        const plu_region one = {{a, b, c}, {1 + a, 1 + b, 1 + c}};
        assert_near(fraction(plu_measure_solid(&cubic->view, &one)), PI / 6.0, 1e-8);
    }
    state_close(cubic);
    state_close(fcc);
    made_state *s = one_sphere(0.3);
    const plu_region around = plu_measure_bounds(&s->view, NAN);
    assert_near(fraction(plu_measure_solid(&s->view, &around)), PI / 6.0, 1e-12);
    state_close(s);
}

static plu_solid core_of(const plu_view *view, double depth)
{
    plu_error err;
    plu_solid core;
    assert_int_equal(plu_measure_core(&core, view, 0.0, depth, &err), PLU_OK);
    return core;
}

/* Spheres of a face-centered lattice, edge 1, that lie in a cone of the given height and radius, or
 * in a cylinder of that size; turned, so that no layer is parallel to the base. */
static made_state *turned_lattice(double height, double radius, bool cone)
{
    enum { REACH = 22 };
    static const double place[4][3] = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    static const double turn[3][3] = {/* a rotation by 1 rad about (1, 2, 3) */
                                      {0.573137855, -0.609006642, 0.548291810},
                                      {0.740348759, 0.671644504, -0.027879283},
                                      {-0.351278512, 0.421905878, 0.835822252}};
    const double r = sqrt(0.125);
    made_state *s = state_open(60000, 0);
    for (int k = 0; k < 4 * REACH * REACH * REACH * 8; k++) {
        const int cell = k / 4, side = 2 * REACH;
        const double at[3] = {cell % side - REACH + place[k % 4][0],
                              cell / side % side - REACH + place[k % 4][1],
                              (double)(cell / (side * side)) - REACH + place[k % 4][2]};
        double x[3];
        for (int i = 0; i < 3; i++)
            x[i] = turn[i][0] * at[0] + turn[i][1] * at[1] + turn[i][2] * at[2];
        const double most = cone ? radius * (1.0 - x[2] / height) : radius;
        if (x[2] >= r && x[2] <= height && hypot(x[0], x[1]) <= most)
            state_sphere(s, x[0], x[1], x[2], r);
    }
    return s;
}

/* Right to 1 % for a heap and a bed of known density; strays change nothing. */
static void test_core_of_heap_and_bed(void **state)
{
    (void)state;
    const double d = sqrt(0.5);
    for (int cone = 0; cone < 2; cone++) {
        made_state *s = turned_lattice(cone ? 9.0 : 7.0, cone ? 18.0 : 9.0, cone);
        const plu_solid core = core_of(&s->view, d);
        assert_true(core.volume > (cone ? 1000.0 : 900.0));
        assert_near(fraction(core), PI / sqrt(18.0), 0.01 * PI / sqrt(18.0));
        state_sphere(s, 25.0, 20.0, 0.5 * d, 0.5 * d);
        const plu_solid again = core_of(&s->view, d);
        assert_near(again.volume, core.volume, 0.02 * core.volume);
        assert_near(fraction(again), PI / sqrt(18.0), 0.01 * PI / sqrt(18.0));
        state_close(s);
    }
}

/* A bed in a lying tube of radius R about y: its core is what is a diameter within the shell, the
 * ends and the level, and as dense as the lattice. */
static void test_core_of_a_drum(void **state)
{
    (void)state;
    const double d = sqrt(0.5), drum = 11.0;
    made_state *all = turned_lattice(14.0, 16.0, false), *s = state_open(60000, 0);
    for (int b = 0; b < all->view.bodies; b++) {
        const double *x = plu_view_position(&all->view, b), r = 0.5 * d;
        if (hypot(x[0], x[2] - drum) < drum - r && x[2] < 12.0 && fabs(x[1]) < 8.0)
            state_sphere(s, x[0], x[1], x[2], r);
    }
    const plu_solid core = core_of(&s->view, d);
    const double rest = drum - d, low = 12.0 - d - drum; /* half the disc and a slice above it */
    const double area = 0.5 * PI * rest * rest + low * rest;
    assert_true(core.volume > 0.75 * area * 15.0 && core.volume < area * 16.0);
    assert_near(fraction(core), PI / sqrt(18.0), 0.01 * PI / sqrt(18.0));
    state_close(all);
    state_close(s);
}

static void test_no_core(void **state)
{
    (void)state;
    made_state *s = state_open(3, 0);
    assert_near(core_of(&s->view, 1.0).volume, 0.0, 0.0); /* nobody there */
    state_sphere(s, 0, 0, 0.5, 0.5);
    state_sphere(s, 1, 0, 0.5, 0.5);
    state_sphere(s, 9, 0, 0.5, 0.5);
    const plu_solid core = core_of(&s->view, 1.0);
    assert_near(core.volume, 0.0, 0.0);
    assert_near(core.solid, 0.0, 0.0);
    state_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caps_and_corners),
        cmocka_unit_test(test_boxes_against_points),
        cmocka_unit_test(test_parts_make_the_whole),
        cmocka_unit_test(test_lattices_and_lone_spheres),
        cmocka_unit_test(test_core_of_heap_and_bed),
        cmocka_unit_test(test_core_of_a_drum),
        cmocka_unit_test(test_no_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
