/* The room in a box: what boundaries leave of it, against closed forms and counted points. */
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "states.h"

#define PI 3.14159265358979323846
#define HALF 0.70710678118654752

enum { MOST = 6 };

/* Spheres along a line from (0, 0, 0.1) to (0, 0, 0.9), all of them on the axis of the shapes. */
typedef struct room_case {
    made_state *s;
    plu_scene scene;
    plu_boundary_spec spec[MOST];
} room_case;

static void open_case(room_case *c)
{
    *c = (room_case){.s = state_open(40, 40)};
    for (int k = 0; k < 9; k++)
        state_sphere(c->s, 0.0, 0.0, 0.1 + 0.1 * k, 0.05);
    c->scene.boundaries = c->spec;
    c->s->view.scene = &c->scene;
}

static void add(room_case *c, plu_boundary_spec spec)
{
    assert_true(c->scene.boundaries_count < MOST);
    c->spec[c->scene.boundaries_count++] = spec;
}

static plu_boundary_spec tube(double x, double z, double dx, double dz, double radius, double high)
{
    return (plu_boundary_spec){.kind = PLU_CYLINDER,
                               .center = {x, 0.0, z},
                               .axis = {dx, 0.0, dz},
                               .radius = radius,
                               .height = high};
}

static plu_boundary_spec cone(double z, double low, double high, double height)
{
    return (plu_boundary_spec){.kind = PLU_CONE,
                               .center = {0.0, 0.0, z},
                               .axis = {0.0, 0.0, 1.0},
                               .radii = {low, high},
                               .height = height};
}

static plu_boundary_spec plane(double x, double z, double nx, double nz)
{
    return (plu_boundary_spec){.kind = PLU_PLANE, .center = {x, 0.0, z}, .normal = {nx, 0.0, nz}};
}

static plu_boundary_spec globe(double z, double radius)
{
    return (plu_boundary_spec){
        .kind = PLU_FIXED_SPHERE, .center = {0.0, 0.0, z}, .radius = radius, .inside = true};
}

static plu_boundary_spec box(double x, double y, double z)
{
    return (plu_boundary_spec){.kind = PLU_BOX, .box = {{-x, -y, 0.0}, {x, y, z}}, .faces = 63};
}

static const plu_region wide = {{-1.0, -1.0, -0.5}, {1.1, 0.9, 1.5}};
static const double whole = 2.1 * 1.9 * 2.0;

static double volume(const room_case *c)
{
    return plu_measure_room(&c->s->view, &wide).volume;
}

static void close_case(room_case *c)
{
    state_close(c->s);
}

static void test_upright_tubes(void **state)
{
    (void)state;
    const double area = PI * 0.09;
    room_case c;
    open_case(&c);
    add(&c, tube(0.0, 0.0, 0.0, 1.0, 0.3, 1.0)); /* open: above and below all is free */
    assert_near(volume(&c), area + 2.1 * 1.9, 1e-12);
    c.spec[0] = tube(0.0, 2.0, 0.0, -1.0, 0.3, 3.0); /* the other way round */
    assert_near(volume(&c), 2.0 * area, 1e-12);
    add(&c, plane(0.0, 0.0, 0.0, 1.0)); /* and a floor */
    assert_near(volume(&c), 1.5 * area, 1e-12);
    c.spec[0].bottom = true;
    c.spec[0].center[2] = 1.2; /* a lid; above the tube there is none */
    assert_near(volume(&c), 1.2 * area, 1e-12);
    const plu_region corner = {{0.0, 0.0, 0.1}, {1.0, 1.0, 0.2}},
                     beside = {{0.5, 0.5, 0.1}, {1.0, 1.0, 0.2}};
    assert_near(plu_measure_room(&c.s->view, &corner).volume, 0.1 * area / 4.0, 1e-12);
    assert_near(plu_measure_room(&c.s->view, &beside).volume, 0.0, 1e-12);
    close_case(&c);
}

/* A packing in a tube has the solid fraction and stress of the tube, not those of its box. */
static void test_stress_and_packing(void **state)
{
    (void)state;
    room_case c;
    open_case(&c);
    add(&c, tube(0.0, 0.0, 0.0, 1.0, 0.3, 1.0));
    state_touch(c.s, 2.0);
    const plu_region around = {{-0.3, -0.3, 0.0}, {0.3, 0.3, 1.0}};
    const plu_solid solid = plu_measure_solid(&c.s->view, &around);
    assert_near(solid.volume, PI * 0.09, 1e-12);
    assert_near(solid.solid, 9.0 * 4.0 / 3.0 * PI * 0.05 * 0.05 * 0.05, 1e-9);
    plu_stress stress;
    plu_measure_stress(&stress, &c.s->view, &around);
    assert_near(stress.tensor[2][2], 8.0 * 2.0 * 0.1 / (PI * 0.09), 1e-6);
    const plu_region empty = {{0.1, 0.1, 0.0}, {0.3, 0.3, 1.0}};
    plu_measure_stress(&stress, &c.s->view, &empty);
    assert_true(isnan(stress.tensor[2][2]) && isnan(stress.pressure));
    close_case(&c);
}

/* Layers add up to the room, for tubes and for what is summed over lines. */
static void test_layers(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        room_case c;
        plu_profile_row row[8];
        plu_error err;
        double sum = 0.0;
        open_case(&c);
        add(&c, k ? cone(-0.5, 0.5, 0.2, 2.0) : tube(0.0, 0.0, 0.0, 1.0, 0.3, 1.0));
        add(&c, plane(0.0, 0.0, 0.0, 1.0));
        assert_int_equal(plu_measure_vertical(row, 8, &c.s->view, &wide, &err), PLU_OK);
        for (int i = 0; i < 8; i++)
            sum += row[i].volume;
        assert_near(sum, volume(&c), 1e-10);
        for (int i = 0; i < 8; i++) { /* a quarter of a meter each */
            const double low = 0.5 - 0.15 * 0.25 * i, high = 0.5 - 0.15 * 0.25 * (i + 1);
            const double part = i < 2   ? 0.0
                                : k     ? PI / 12.0 * (low * low + low * high + high * high)
                                : i < 6 ? PI * 0.09 / 4.0
                                        : 2.1 * 1.9 / 4.0;
            assert_near(row[i].volume, part, k ? 5e-4 * 2.1 * 1.9 / 4.0 : 1e-12);
        }
        close_case(&c);
    }
}

/* Whether x is in a shape of test_shapes; what is not within it counts only where it has an end. */
static bool is_in(int k, const double x[3])
{
    const double r = hypot(x[0], x[1]), z = x[2];
    const double along = HALF * (x[0] + z), across = hypot(HALF * (x[0] - z), x[1]);
    switch (k) {
    case 0: /* a silo: tube, and cone below it */
        return z >= 0.6 ? r <= 0.6 || z > 1.2 : z < 0.0 || r <= 0.1 + 0.5 * z / 0.6;
    case 1: /* a drum that lies */
        return fabs(x[0]) > 0.7 || hypot(x[1], z - 0.5) <= 0.55;
    case 2: /* a tube at 45 degrees */
        return along < -0.4 || along > 1.1 || across <= 0.7;
    case 3: /* a bowl */
        return hypot(r, z - 0.5) <= 0.8;
    case 4: /* two inclined planes */
        return x[0] + z >= 0.0 && z - x[0] >= -0.1;
    case 5: /* a box turned by 45 degrees about y */
        return fabs(HALF * (x[0] - z)) <= 0.7 && fabs(x[1]) <= 0.5 && along >= 0.0 && along <= 0.9;
    default: /* a pointed cone in the bowl */
        return hypot(r, z - 0.5) <= 0.8 && (z > 1.3 || z < 0.0 || r <= z);
    }
}

static void add_shapes(room_case *c, int k)
{
    static plu_boundary_place turned = {.rotation = {0.92387953251128674, 0, 0.38268343236508977}};
    switch (k) {
    case 0:
        add(c, tube(0.0, 0.6, 0.0, 1.0, 0.6, 0.6));
        add(c, cone(0.0, 0.1, 0.6, 0.6));
        break;
    case 1:
        add(c, tube(0.7, 0.5, -1.0, 0.0, 0.55, 1.4));
        break;
    case 2:
        add(c, tube(-0.4 * HALF, -0.4 * HALF, HALF, HALF, 0.7, 1.5));
        break;
    case 4:
        add(c, plane(0.0, 0.0, HALF, HALF));
        add(c, plane(0.1, 0.0, -HALF, HALF));
        break;
    case 5:
        add(c, box(0.7, 0.5, 0.9));
        c->s->view.boundaries = 1;
        c->s->view.place = &turned;
        break;
    default:
        add(c, globe(0.5, 0.8));
        if (k == 6)
            add(c, cone(0.0, 0.0, 1.3, 1.3));
    }
}

static void test_shapes(void **state)
{
    (void)state;
    enum { N = 500000 };
    static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    for (int k = 0; k < 7; k++) {
        room_case c;
        double in = 0.0;
        open_case(&c);
        add_shapes(&c, k);
        for (int i = 0; i < N; i++) { /* points that lie evenly, on no grid */
            double x[3];
            for (int a = 0; a < 3; a++)
                x[a] =
                    wide.lower[a] + (wide.upper[a] - wide.lower[a]) * fmod(0.5 + step[a] * i, 1.0);
            in += is_in(k, x);
        }
        const plu_room room = plu_measure_room(&c.s->view, &wide);
        assert_near(room.volume / whole, in / N, 3e-4);
        assert_int_equal(room.left_out, 0);
        close_case(&c);
    }
}

/* Closed forms: what is summed over lines is right to 2e-4 of the box, wherever a tube stands. */
static void test_errors(void **state)
{
    (void)state;
    for (int k = 0; k < 40; k++) {
        room_case c;
        open_case(&c);
        const double r = 0.25 + 0.009 * k;
        add(&c, globe(0.5, 0.5 + 0.002 * k));
        assert_near(volume(&c), 4.0 / 3.0 * PI * pow(0.5 + 0.002 * k, 3.0), 2e-4 * whole);
        c.spec[0] = tube(0.001 * k, -1.0, 0.0, 1.0, r, 3.0);
        add(&c, plane(0.0, 0.0, 0.6, 0.8));
        assert_near(volume(&c), PI * r * r * (1.5 + 0.75 * 0.001 * k), 2e-4 * whole);
        close_case(&c);
    }
}

/* Boundaries that do not enclose the spheres change nothing. */
static void test_what_does_not_enclose(void **state)
{
    (void)state;
    room_case c;
    open_case(&c);
    const plu_region around = plu_measure_bounds(&c.s->view, NAN);
    const double plain = plu_measure_room(&c.s->view, &around).volume;
    add(&c, tube(0.0, 0.0, 0.0, 1.0, 0.3, 1.0));
    add(&c, box(0.05, 0.05, 1.0));
    add(&c, plane(0.0, 0.051, 0.0, 1.0)); /* the lowest presses into it */
    assert_true(plu_measure_room(&c.s->view, &around).volume == plain); /* to the bit */
    c.scene.boundaries_count = 1;
    assert_near(volume(&c), PI * 0.09 + 2.1 * 1.9, 1e-12);
    const int stray = state_sphere(c.s, 0.5, 0.0, 0.5, 0.05);
    plu_room room = plu_measure_room(&c.s->view, &wide);
    assert_near(room.volume, whole, 1e-12); /* a tube in a bed */
    assert_int_equal(room.left_out, 1);
    const plu_region near = {{-0.4, -0.4, 0.0}, {0.4, 0.4, 1.0}}; /* without the stray */
    assert_near(plu_measure_room(&c.s->view, &near).volume, PI * 0.09, 1e-12);
    c.s->state[stray] = PLU_REMOVED;
    assert_near(volume(&c), PI * 0.09 + 2.1 * 1.9, 1e-12);
    const plu_boundary_place gone = {.rotation = {1.0}, .gone = true};
    c.s->view.boundaries = 1;
    c.s->view.place = &gone;
    assert_near(volume(&c), whole, 1e-12);
    c.s->view.boundaries = 0;
    c.spec[0] = tube(0.5, 0.0, 0.0, 1.0, 0.3, 1.0); /* a post beside the spheres */
    assert_near(volume(&c), whole, 1e-12);
    c.spec[0] = (plu_boundary_spec){
        .kind = PLU_PLATE, .center = {0, 0, -0.1}, .normal = {0, 0, 1}, .size = {0.4, 0.4}};
    room = plu_measure_room(&c.s->view, &wide);
    assert_near(room.volume, whole, 1e-12);
    assert_int_equal(room.left_out, 0);
    c.spec[0] = cone(0.05, 0.2, 0.6, 1e-6); /* a ring */
    assert_int_equal(plu_measure_room(&c.s->view, &wide).left_out, 0);
    c.spec[0] = plane(0.0, 0.5, 0.6, 0.8); /* spheres have passed it */
    room = plu_measure_room(&c.s->view, &wide);
    assert_near(room.volume, whole, 1e-12);
    assert_int_equal(room.left_out, 1);
    c.spec[0] = (plu_boundary_spec){
        .kind = PLU_PLATE, .center = {0, 0, -0.1}, .normal = {0, 0, 1}, .size = {0.4, 0.4}};
    c.spec[0].normal[0] = 0.6; /* a chute */
    c.spec[0].normal[2] = 0.8;
    room = plu_measure_room(&c.s->view, &wide);
    assert_near(room.volume, whole, 1e-12);
    assert_int_equal(room.left_out, 1);
    close_case(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_upright_tubes), cmocka_unit_test(test_stress_and_packing),
        cmocka_unit_test(test_layers),        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_errors),        cmocka_unit_test(test_what_does_not_enclose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
