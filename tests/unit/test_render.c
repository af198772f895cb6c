/* Pictures: where rays meet balls and rods, the walk through the grid, colors. */
#include "draw.h"
#include "pluvia/boundary.h"
#include "pluvia/scene.h"
#include "render/camera.h"
#include "render/cells.h"
#include "render/legend.h"
#include "render/model.h"
#include "render/quantity.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void near_to(double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%.17g instead of %.17g", found, expected);
}

static plu_ray random_ray(draw *counter, double size)
{
    plu_ray ray;
    for (int k = 0; k < 3; k++) {
        ray.o[k] = draw_uniform(counter, -2.0 * size, 2.0 * size);
        ray.d[k] = draw_uniform(counter, -0.5 * size, 0.5 * size) - ray.o[k];
    }
    const double length = plu_norm(ray.d);
    for (int k = 0; k < 3; k++)
        ray.d[k] /= length;
    return ray;
}

static void ball_along_an_axis(void **state)
{
    (void)state;
    const plu_ball ball = {{5.0, 0.0, 0.0}, 2.0};
    const plu_ray through = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    near_to(plu_ray_ball(&through, &ball, 0.0), 3.0, 1e-15);
    near_to(plu_ray_ball(&through, &ball, 4.0), 7.0, 1e-15); /* from inside: the far side */
    assert_true(isinf(plu_ray_ball(&through, &ball, 8.0)));
    const plu_ray off = {{0.0, 1.2, 0.0}, {1.0, 0.0, 0.0}}; /* 1.2, 1.6, 2: a right triangle */
    near_to(plu_ray_ball(&off, &ball, 0.0), 3.4, 1e-14);
    const plu_ray beside = {{0.0, 2.0 + 1e-9, 0.0}, {1.0, 0.0, 0.0}};
    assert_true(isinf(plu_ray_ball(&beside, &ball, 0.0)));
}

static void small_ball_far_away(void **state)
{
    (void)state;
    const plu_ball ball = {{1e6, 0.0, 0.0}, 1e-3};
    const plu_ray ray = {{0.0, 0.6e-3, 0.0}, {1.0, 0.0, 0.0}};
    near_to(plu_ray_ball(&ray, &ball, 0.0), 1e6 - 0.8e-3, 1e-9);
}

static double distance_to_segment(const plu_rod *rod, const double x[3])
{
    double axis[3], from[3];
    plu_sub(rod->b, rod->a, axis);
    plu_sub(x, rod->a, from);
    const double s = plu_min(plu_max(plu_dot(from, axis) / plu_dot(axis, axis), 0.0), 1.0);
    plu_add_scaled(from, -s, axis);
    return plu_norm(from);
}

/* The point found lies on the surface, and nothing before it is inside. */
static void rods_by_their_definition(void **state)
{
    (void)state;
    draw counter = {0};
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        const plu_rod rod = {
            {draw_uniform(&counter, -1.0, 0.0), draw_uniform(&counter, -1.0, 0.0), 0.1},
            {draw_uniform(&counter, 0.0, 1.0), draw_uniform(&counter, 0.0, 1.0), 0.3},
            draw_uniform(&counter, 0.05, 0.3),
            false};
        const plu_ray ray = random_ray(&counter, 2.0);
        double x[3];
        if (distance_to_segment(&rod, ray.o) <= rod.r)
            continue;
        const double t = plu_ray_rod(&ray, &rod, 0.0), end = isinf(t) ? 12.0 : t;
        for (int s = 0; s < 50; s++) {
            memcpy(x, ray.o, sizeof x);
            plu_add_scaled(x, end * s / 50, ray.d);
            assert_true(distance_to_segment(&rod, x) > rod.r - 1e-12);
        }
        if (isinf(t))
            continue;
        memcpy(x, ray.o, sizeof x);
        plu_add_scaled(x, t, ray.d);
        near_to(distance_to_segment(&rod, x), rod.r, 1e-12);
        hits++;
    }
    assert_true(hits > 200);
}

/* How far x is outside of a cone, which is convex: of the slab between foot and tip and of the
 * mantle, measured along the radius. */
static double outside_cone(const plu_rod *cone, const double x[3])
{
    double axis[3], from[3];
    plu_sub(cone->b, cone->a, axis);
    plu_sub(x, cone->a, from);
    const double s = plu_dot(from, axis) / plu_dot(axis, axis);
    plu_add_scaled(from, -s, axis);
    return plu_max(plu_norm(from) - cone->r * (1.0 - s), -s * plu_norm(axis));
}

/* The point found lies on the surface, and nothing before it is inside; also along the axis. */
static void cones_by_their_definition(void **state)
{
    (void)state;
    draw counter = {5};
    int hits = 0;
    for (int i = 0; i < 4000; i++) {
        const plu_rod cone = {
            {draw_uniform(&counter, -1.0, 0.0), draw_uniform(&counter, -1.0, 0.0), 0.1},
            {draw_uniform(&counter, 0.0, 1.0), draw_uniform(&counter, 0.0, 1.0), 0.3},
            draw_uniform(&counter, 0.05, 0.8),
            true};
        plu_ray ray = random_ray(&counter, 2.0);
        double x[3];
        if (i % 10 == 0) {
            plu_sub(cone.b, cone.a, ray.d);
            const double length = plu_norm(ray.d);
            for (int k = 0; k < 3; k++) {
                ray.d[k] *= (i % 20 ? 1.0 : -1.0) / length;
                ray.o[k] = cone.a[k] - 5.0 * ray.d[k] + 1e-3 * k;
            }
        }
        const double t = plu_ray_rod(&ray, &cone, 0.0), end = isinf(t) ? 12.0 : t;
        if (outside_cone(&cone, ray.o) <= 0.0)
            continue;
        for (int s = 0; s < 50; s++) {
            memcpy(x, ray.o, sizeof x);
            plu_add_scaled(x, end * s / 50, ray.d);
            assert_true(outside_cone(&cone, x) > -1e-12);
        }
        if (isinf(t)) {
            assert_true(i % 10 != 0);
            continue;
        }
        memcpy(x, ray.o, sizeof x);
        plu_add_scaled(x, t, ray.d);
        near_to(outside_cone(&cone, x), 0.0, 1e-11);
        hits++;
    }
    assert_true(hits > 600);
}

static void flats_from_their_side_only(void **state)
{
    (void)state;
    plu_flat flat = {.normal = {0, 0, 1}, .u = {1, 0, 0}, .v = {0, 1, 0}, .half = {1.0, 2.0}};
    const plu_ray down = {{0.5, 1.9, 3.0}, {0.0, 0.0, -1.0}};
    near_to(plu_ray_flat(&down, &flat, 0.0), 3.0, 1e-15);
    const plu_ray up = {{0.5, 1.9, -3.0}, {0.0, 0.0, 1.0}};
    assert_true(isinf(plu_ray_flat(&up, &flat, 0.0)));
    const plu_ray beside = {{1.1, 0.0, 3.0}, {0.0, 0.0, -1.0}};
    assert_true(isinf(plu_ray_flat(&beside, &flat, 0.0)));
    flat.round = true;
    assert_true(isinf(plu_ray_flat(&down, &flat, 0.0)));
}

enum { BALLS = 400, RODS = 60, LINES = 10 /* the first rods, which cast no shadow */ };

static void make_items(plu_ball *ball, plu_rod *rod)
{
    draw counter = {7};
    for (int i = 0; i < BALLS; i++) {
        for (int k = 0; k < 3; k++)
            ball[i].c[k] = draw_uniform(&counter, -1.0, 1.0);
        ball[i].r = draw_uniform(&counter, 0.005, i % 40 ? 0.08 : 0.4);
    }
    for (int i = 0; i < RODS; i++)
        for (int k = 0; k < 3; k++) {
            rod[i].a[k] = draw_uniform(&counter, -1.0, 1.0);
            rod[i].b[k] = rod[i].a[k] + (i < LINES ? 8.0 : 1.0) * draw_uniform(&counter, -0.5, 0.5);
            rod[i].r = 0.02;
        }
}

static int first_of_all(const plu_ball *ball, const plu_rod *rod, const plu_ray *ray, double *t)
{
    int first = -1;
    for (int i = 0; i < BALLS + RODS; i++) {
        const double s =
            i < BALLS ? plu_ray_ball(ray, &ball[i], 0.0) : plu_ray_rod(ray, &rod[i - BALLS], 0.0);
        if (s < *t) {
            *t = s;
            first = i;
        }
    }
    return first;
}

static bool any_of_all(const plu_ball *ball, const plu_rod *rod, const plu_ray *ray)
{
    bool any = false;
    for (int i = 0; i < BALLS; i++)
        any |= plu_ray_ball(ray, &ball[i], 0.0) < INFINITY;
    for (int i = LINES; i < RODS; i++)
        any |= plu_ray_rod(ray, &rod[i], 0.0) < INFINITY;
    return any;
}

static void the_walk_finds_what_looking_at_all_finds(void **state)
{
    (void)state;
    static plu_ball ball[BALLS];
    static plu_rod rod[RODS];
    plu_cells cells;
    draw counter = {99};
    int hits = 0, misses = 0;
    make_items(ball, rod);
    assert_int_equal(plu_cells_build(&cells, ball, BALLS, rod, RODS, LINES, NULL, 0, NULL), PLU_OK);
    for (int i = 0; i < 20000; i++) {
        plu_ray ray = random_ray(&counter, i % 3 ? 2.0 : 0.5); /* from outside and from within */
        if (i % 10 == 0)                                       /* along an axis */
            for (int k = 0; k < 3; k++)
                ray.d[k] = k == i / 10 % 3 ? (ray.d[k] < 0.0 ? -1.0 : 1.0) : 0.0;
        double t = INFINITY, expected = INFINITY;
        const int first = first_of_all(ball, rod, &ray, &expected);
        assert_int_equal(plu_cells_first(&cells, &ray, 0.0, &t), first);
        assert_true(t == expected);
        assert_int_equal(plu_cells_any(&cells, &ray, 0.0), any_of_all(ball, rod, &ray));
        *(first >= 0 ? &hits : &misses) += 1;
    }
    assert_true(hits > 1000 && misses > 1000);
    plu_cells_free(&cells);
}

static void an_empty_grid(void **state)
{
    (void)state;
    plu_cells cells;
    double t = INFINITY;
    const plu_ray ray = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    assert_int_equal(plu_cells_build(&cells, NULL, 0, NULL, 0, 0, NULL, 0, NULL), PLU_OK);
    assert_int_equal(plu_cells_first(&cells, &ray, 0.0, &t), -1);
    assert_false(plu_cells_any(&cells, &ray, 0.0));
    plu_cells_free(&cells);
}

/* A ball just above a point of a plate hides all of its sky but (to first order) nothing where the
 * plate looks away. */
static void balls_hide_the_sky(void **state)
{
    (void)state;
    plu_cells cells;
    const plu_ball ball = {{0.0, 0.0, 1.0}, 1.0};
    const double foot[3] = {0.0, 0.0, 1e-9}, far[3] = {3.9, 0.0, 0.0};
    const double up[3] = {0.0, 0.0, 1.0}, down[3] = {0.0, 0.0, -1.0};
    assert_int_equal(plu_cells_build(&cells, &ball, 1, NULL, 0, 0, NULL, 0, NULL), PLU_OK);
    assert_true(plu_cells_open(&cells, foot, up, 4.0) < 0.01);
    near_to(plu_cells_open(&cells, foot, down, 4.0), 1.0, 0.0);
    const double open = plu_cells_open(&cells, far, up, 4.0);
    assert_true(open > 0.98 && open <= 1.0);
    plu_cells_free(&cells);
}

static double luminance(const float rgb[3])
{
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

static void the_map_rises_from_dark_violet_to_light_yellow(void **state)
{
    (void)state;
    float low[3], high[3], rgb[3], beyond[3];
    plu_color_map(0.0, low);
    plu_color_map(1.0, high);
    assert_true(low[2] > low[0] && low[0] > low[1] && luminance(low) < 0.05);
    assert_true(high[0] > high[2] && high[1] > high[2] && luminance(high) > 0.6);
    plu_color_map(-3.0, beyond);
    assert_memory_equal(beyond, low, sizeof low);
    plu_color_map(7.0, beyond);
    assert_memory_equal(beyond, high, sizeof high);
    double before = luminance(low);
    for (int i = 1; i <= 100; i++) {
        plu_color_map(i / 100.0, rgb);
        for (int k = 0; k < 3; k++)
            assert_true(rgb[k] > 0.0f && rgb[k] < 1.0f); /* nothing was cut off */
        assert_true(luminance(rgb) > before);
        before = luminance(rgb);
    }
}

static void codes_come_back(void **state)
{
    (void)state;
    for (int code = 0; code < 256; code++)
        assert_int_equal(plu_color_encode(plu_color_decode((unsigned char)code)), code);
}

/* How far from the middle of the picture a ball reaches at most, over half its width or height. */
static double reach_of(const plu_camera *camera, const double c[3], double r, double width,
                       double height)
{
    double to[3], most = 0.0;
    plu_sub(c, camera->eye, to);
    const double depth = -plu_dot(to, camera->back);
    for (int k = 0; k < 2; k++) { /* the tangent plane through the eye */
        const double aside = fabs(plu_dot(to, k == 0 ? camera->right : camera->up));
        const double angle = atan2(aside, depth) + asin(r / hypot(aside, depth));
        most = plu_max(most, tan(angle) / camera->pixel / (0.5 * (k == 0 ? width : height)));
    }
    return most;
}

/* All balls are inside the picture, up to 6 % of it: the camera is as near as it can be. */
static void the_camera_shows_all_balls(void **state)
{
    (void)state;
    draw counter = {3};
    plu_render_options options = plu_render_defaults();
    for (double azimuth = -180.0; azimuth < 180.0; azimuth += 35.0) {
        plu_camera camera;
        plu_fit fit;
        double ball[30][3], radius[30], touched = 0.0;
        options.azimuth = azimuth;
        plu_camera_turn(&camera, &fit, &options, 100.0, 40.0);
        for (int i = 0; i < 30; i++) {
            for (int k = 0; k < 3; k++)
                ball[i][k] = draw_uniform(&counter, -1.0, 1.0 + k);
            radius[i] = draw_uniform(&counter, 0.0, 0.3);
            plu_fit_ball(&fit, &camera, ball[i], radius[i]);
        }
        plu_camera_aim(&camera, &fit, &options);
        for (int i = 0; i < 30; i++)
            touched = plu_max(touched, reach_of(&camera, ball[i], radius[i], 1100.0, 860.0));
        near_to(touched, 0.94, 1e-9);
    }
}

static plu_flat front_plate(double x)
{
    return (plu_flat){.center = {x, 0.0, 0.0},
                      .normal = {1.0, 0.0, 0.0},
                      .u = {0.0, 1.0, 0.0},
                      .v = {0.0, 0.0, 1.0},
                      .half = {2.0, 2.0}};
}

/* Of a plate before the balls and one behind them the first is an outline of four rods; so it
 * is with squares of two triangles, whose diagonals are not drawn. */
static void walls_in_front_are_outlines(void **state)
{
    (void)state;
    static const double eye[3] = {10.0, 0.0, 0.0};
    plu_ball balls[3] = {{{0.0, 0.5, 0.0}, 0.1}, {{0.0, -0.5, 0.0}, 0.1}, {{0.0, 0.0, 0.5}, 0.1}};
    plu_model model = {.balls = 3, .ball = balls};
    plu_error err;
    model.flat = malloc(2 * sizeof *model.flat);
    model.flat[0] = front_plate(1.0);
    model.flat[1] = front_plate(-1.0);
    model.flats = 2;
    model.facet = malloc(4 * sizeof *model.facet);
    for (int i = 0; i < 4; i++) { /* a square before the balls, one behind them */
        const double x = i < 2 ? 0.7 : -0.7, s = i % 2 ? -1.0 : 1.0;
        model.facet[i] = (plu_facet){
            .corner = {x, s, s}, .edge = {{0.0, -2.0 * s, 0.0}, {0.0, 0.0, -2.0 * s}}, .wall = 4};
    }
    model.facets = 4;
    assert_int_equal(plu_front_open(&model, eye, 0.01, &err), PLU_OK);
    assert_int_equal(model.flats, 1);
    near_to(model.flat[0].center[0], -1.0, 0.0);
    assert_int_equal(model.facets, 2);
    near_to(model.facet[0].corner[0], -0.7, 0.0);
    assert_int_equal(model.rods, 4 + 4);
    for (int k = 0; k < model.rods; k++) {
        near_to(model.rod[k].a[0], k < 4 ? 1.0 : 0.7, 1e-4);
        assert_true(model.rod[k].a[1] == model.rod[k].b[1] ||
                    model.rod[k].a[2] == model.rod[k].b[2]); /* no diagonal */
    }
    model.ball = NULL;
    plu_model_free(&model);
}

static void ticks_are_round(void **state)
{
    (void)state;
    near_to(plu_legend_step(1.0, 5, false), 0.2, 1e-15);
    near_to(plu_legend_step(0.0123, 5, false), 0.002, 1e-15);
    near_to(plu_legend_step(3.0, 5, true), 1.0, 1e-15);
    near_to(plu_legend_step(470.0, 5, false), 100.0, 1e-12);
}

static plu_model model_of(plu_boundary_spec *boundary)
{
    const plu_scene scene = {.boundaries_count = 1, .boundaries = boundary};
    plu_model model = {0};
    assert_int_equal(plu_model_walls(&model, &scene, NULL, 1e-3, NULL, NULL, NULL), PLU_OK);
    return model;
}

/* A plate that has gone up by 2 m and turned by a right angle about y, and one that is gone. */
static void boundaries_are_drawn_where_they_are(void **state)
{
    (void)state;
    plu_boundary_spec both[2] = {{.kind = PLU_DISC,
                                  .center = {1.0, 0.0, 0.0},
                                  .normal = {0.0, 0.0, 1.0},
                                  .radius = 0.5,
                                  .motion.center = {0.0, 0.0, 0.0}},
                                 {.kind = PLU_DISC, .normal = {0.0, 0.0, 1.0}, .radius = 0.5}};
    const plu_boundary_place place[2] = {{{0.0, 0.0, 2.0}, {sqrt(0.5), 0.0, sqrt(0.5), 0.0}, false},
                                         {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}, true}};
    const plu_scene scene = {.boundaries_count = 2, .boundaries = both};
    const plu_frame_data frame = {.boundaries = 2, .place = place};
    plu_model model = {0};
    for (int k = 0; k < 2; k++) { /* also where it was drawn before */
        assert_int_equal(plu_model_walls(&model, &scene, NULL, 1e-3, &frame, NULL, NULL), PLU_OK);
        assert_int_equal(model.flats, 2); /* seen from both sides */
        near_to(model.flat[0].center[0], 0.0, 1e-15);
        near_to(model.flat[0].center[2], 1.0, 1e-15);
        near_to(model.flat[0].normal[0], 1.0, 1e-15);
    }
    plu_model_free(&model);
}

/* The ends of all lines of a cone along x lie on its surface, those of its rings on its circles. */
static void a_cone_is_drawn_where_it_is(void **state)
{
    (void)state;
    plu_boundary_spec cone = {.kind = PLU_CONE,
                              .center = {1.0, 2.0, 3.0},
                              .axis = {1.0, 0.0, 0.0},
                              .radii = {0.5, 1.5},
                              .height = 2.0,
                              .bottom = true};
    plu_model model = model_of(&cone);
    assert_int_equal(model.rods, 2 * 64 + 4);
    assert_int_equal(model.lines, model.rods);
    assert_int_equal(model.flats, 1);
    for (int k = 0; k < model.rods; k++)
        for (int end = 0; end < 2; end++) {
            const double *x = end ? model.rod[k].b : model.rod[k].a;
            near_to(hypot(x[1] - 2.0, x[2] - 3.0), 0.5 + 0.5 * (x[0] - 1.0), 1e-14);
            assert_true(fabs(x[0] - 1.0) < 1e-14 || fabs(x[0] - 3.0) < 1e-14);
        }
    plu_model_free(&model);
}

/* A solid sphere is a body of stone that throws a shadow, a bowl is three rings. */
static void spheres_are_drawn_where_they_are(void **state)
{
    (void)state;
    plu_boundary_spec sphere = {.kind = PLU_FIXED_SPHERE, .center = {1.0, 2.0, 3.0}, .radius = 0.5};
    plu_model model = model_of(&sphere);
    assert_int_equal(model.rods, 1);
    assert_int_equal(model.lines, 0);
    assert_int_equal(model.outlines, 1);
    const plu_ray ray = {{1.0, 2.0, 9.0}, {0.0, 0.0, -1.0}};
    near_to(plu_ray_rod(&ray, &model.rod[0], 0.0), 5.5, 1e-14);
    plu_model_free(&model);
    sphere.inside = true;
    model = model_of(&sphere);
    assert_int_equal(model.lines, 3 * 64);
    for (int k = 0; k < model.rods; k++) {
        double from[3];
        plu_sub(model.rod[k].a, sphere.center, from);
        near_to(plu_norm(from), 0.5, 1e-14);
    }
    plu_model_free(&model);
}

/* The surface of a drum: its corners on the two circles, its area that of the mantle. */
static void a_mantle_is_a_surface_where_walls_are_clear(void **state)
{
    (void)state;
    plu_boundary_spec drum = {.kind = PLU_CYLINDER,
                              .center = {1.0, 2.0, 3.0},
                              .axis = {0.0, 1.0, 0.0},
                              .radius = 0.5,
                              .height = 2.0};
    const plu_scene scene = {.boundaries_count = 1, .boundaries = &drum};
    plu_model model = {.mantles = true, .clear = 0.7};
    assert_int_equal(plu_model_walls(&model, &scene, NULL, 1e-3, NULL, NULL, NULL), PLU_OK);
    double area = 0.0;
    for (int i = 0; i < model.facets; i++) {
        const plu_facet *facet = &model.facet[i];
        double across[3];
        plu_cross(facet->edge[0], facet->edge[1], across);
        area += 0.5 * plu_norm(across);
        assert_true(facet->clear);
        for (int k = 0; k < 3; k++) {
            double x[3];
            memcpy(x, facet->corner, sizeof x);
            if (k > 0)
                plu_add_scaled(x, 1.0, facet->edge[k - 1]);
            near_to(hypot(x[0] - 1.0, x[2] - 3.0), 0.5, 1e-12);
            assert_true(fabs(x[1] - 2.0) < 1e-12 || fabs(x[1] - 4.0) < 1e-12);
        }
    }
    near_to(area, 2.0 * acos(-1.0) * 0.5 * 2.0, 2e-3); /* that of the polygon is smaller */
    plu_model_free(&model);
}

static double value_of(const char *name, const plu_frame_data *frame)
{
    double value[2];
    const plu_coloring *quantity = plu_coloring_find(name);
    assert_non_null(quantity);
    assert_true(plu_quantity_values(quantity, frame, value));
    return value[1];
}

/* Of the second of two bodies, whose stress is not symmetric. */
static void numbers_of_grains(void **state)
{
    (void)state;
    const double velocity[2][3] = {{9.0, 9.0, 9.0}, {3.0, 0.0, -4.0}};
    const double force[2][3] = {{9.0, 9.0, 9.0}, {2.0, 3.0, 6.0}};
    const double stress[2][9] = {{9.0}, {6.0, 1.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, -3.0}};
    const double dissipation[2] = {9.0, 0.25}, mass[2] = {9.0, 0.5};
    const int coordination[2] = {9, 5};
    plu_frame_data frame = {.bodies = 2,
                            .velocity = velocity,
                            .force = force,
                            .stress = stress,
                            .dissipation = dissipation,
                            .coordination = coordination,
                            .mass = mass,
                            .contacts = -1};
    near_to(value_of("speed", &frame), 5.0, 0.0);
    near_to(value_of("velocity.z", &frame), -4.0, 0.0);
    near_to(value_of("net_force", &frame), 7.0, 0.0);
    near_to(value_of("force.y", &frame), 3.0, 0.0);
    near_to(value_of("pressure", &frame), 1.0, 0.0);
    near_to(value_of("stress", &frame), 1.0, 0.0);
    near_to(value_of("stress.yx", &frame), 3.0, 0.0);
    /* s: 5, -1, -4 and 2 beside the diagonal, twice */
    near_to(value_of("deviator", &frame), sqrt(1.5 * (25.0 + 1.0 + 16.0 + 8.0)), 1e-14);
    near_to(value_of("dissipation", &frame), 0.25, 0.0);
    near_to(value_of("coordination", &frame), 5.0, 0.0);
    near_to(value_of("mass", &frame), 0.5, 0.0);
    assert_null(plu_coloring_find("velocity.w"));
    double value[2];
    frame.stress = NULL;
    assert_false(plu_quantity_values(plu_coloring_find("stress.xx"), &frame, value));
    assert_false(plu_quantity_values(plu_coloring_find("deviator"), &frame, value));
    assert_false(plu_quantity_values(plu_coloring_find("force"), &frame, value)); /* no contacts */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ball_along_an_axis),
        cmocka_unit_test(small_ball_far_away),
        cmocka_unit_test(rods_by_their_definition),
        cmocka_unit_test(cones_by_their_definition),
        cmocka_unit_test(flats_from_their_side_only),
        cmocka_unit_test(the_walk_finds_what_looking_at_all_finds),
        cmocka_unit_test(an_empty_grid),
        cmocka_unit_test(balls_hide_the_sky),
        cmocka_unit_test(the_map_rises_from_dark_violet_to_light_yellow),
        cmocka_unit_test(codes_come_back),
        cmocka_unit_test(the_camera_shows_all_balls),
        cmocka_unit_test(walls_in_front_are_outlines),
        cmocka_unit_test(ticks_are_round),
        cmocka_unit_test(a_cone_is_drawn_where_it_is),
        cmocka_unit_test(boundaries_are_drawn_where_they_are),
        cmocka_unit_test(spheres_are_drawn_where_they_are),
        cmocka_unit_test(a_mantle_is_a_surface_where_walls_are_clear),
        cmocka_unit_test(numbers_of_grains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
