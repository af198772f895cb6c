/* The finder of overlaps (fill/near.h) against all pairs one by one. */
#include "base/vec3.h"
#include "fill/near.h"
#include "near.h"
#include <math.h>
#include <string.h>

enum { SPHERES = 300, PLACES = 400 };

static double draw(uint64_t *seed, double low, double high)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(*seed >> 11) * 0x1p-53;
}

/* Radii over three decades: several levels of cells. */
static void fill(uint64_t *seed, double spheres[SPHERES][4])
{
    for (int i = 0; i < SPHERES; i++) {
        const double f[3] = {draw(seed, 0.0, 1.0), draw(seed, 0.0, 1.0), draw(seed, 0.0, 1.0)};
        for (int k = 0; k < 3; k++)
            spheres[i][k] = f[k];
        spheres[i][3] = 0.12 * pow(10.0, draw(seed, -3.0, 0.0));
    }
}

static plu_space space_of(const double edge[3][3], const bool periodic[3])
{
    const double origin[3] = {0.3, -0.4, -5.0};
    plu_space space = {0};
    plu_space_make(&space, origin, edge, periodic);
    return space;
}

/* To where the fractions are in the cell; along its open edges also outside. */
static void place(const plu_space *space, double at[3])
{
    double f[3];
    for (int k = 0; k < 3; k++)
        f[k] = space->periodic[k] ? at[k] : 1.5 * at[k] - 0.25 + (at[k] > 0.5 ? 2.0 : 0.0);
    memcpy(at, space->origin, 3 * sizeof *at);
    for (int k = 0; k < 3; k++)
        plu_add_scaled(at, f[k], space->edge[k]);
}

typedef struct found {
    int times[SPHERES];
    int left; /* visits until it has enough */
} found;

static bool note(void *user, int sphere)
{
    found *f = user;
    f->times[sphere]++;
    return --f->left > 0;
}

/* Some image of it is less than both radii away: neighbors of the next images, too. */
static int images_within(const plu_space *space, const double a[4], const double b[4])
{
    int count = 0;
    for (int image = 0; image < PLU_IMAGES; image++) {
        double way[3];
        if (image && (space->kind == PLU_OPEN_SPACE || !plu_space_has_image(space, image)))
            continue;
        plu_apart_from(space, image, a, b, way);
        count += plu_dot(way, way) < (a[3] + b[3]) * (a[3] + b[3]);
    }
    return count;
}

static void compare(const plu_space *space, bool open, int finest)
{
    static double spheres[SPHERES][4];
    uint64_t seed = 7;
    plu_near near;
    plu_error err = {0};
    fill(&seed, spheres);
    for (int i = 0; i < SPHERES && !open; i++)
        place(space, spheres[i]);
    assert_int_equal(
        plu_near_create(&near, space, (const double(*)[4])spheres, SPHERES, 0.12, &err), PLU_OK);
    for (int i = 0; i < SPHERES; i++)
        plu_near_add(&near, i);
    int all = 0;
    for (int k = 0; k < PLACES; k++) {
        double at[4] = {draw(&seed, 0.0, 1.0), draw(&seed, 0.0, 1.0), draw(&seed, 0.0, 1.0),
                        0.3 * pow(10.0, draw(&seed, -3.0, 0.0))};
        found f = {.left = INT32_MAX};
        if (!open)
            place(space, at);
        plu_near_visit(&near, at, finest, note, &f);
        bool any = false;
        for (int i = 0; i < SPHERES; i++) {
            const int want = images_within(space, at, spheres[i]);
            any |= want > 0;
            all += want;
            assert_int_equal(f.times[i], plu_near_level(&near, spheres[i][3]) <= finest ? want : 0);
        }
        const int some = plu_near_overlapping(&near, at);
        assert_int_equal(some >= 0, any);
        assert_true(some < 0 || images_within(space, at, spheres[some]) > 0);
    }
    assert_true(all > PLACES / 2); /* there was something to find */
    plu_near_free(&near);
}

static void all_spaces(void **state)
{
    (void)state;
    static const double box[3][3] = {{1, 0, 0}, {0, 1.2, 0}, {0, 0, 0.8}},
                        leaning[3][3] = {{1, 0, 0}, {0.3, 1.1, 0}, {-0.4, 0.2, 0.9}},
                        flat[3][3] = {{2.5, 0, 0}, {0.6, 1.2, 0}, {0, 0.1, 0.5}};
    static const bool everywhere[3] = {true, true, true};
    const plu_space open = {0};
    compare(&open, true, PLU_NEAR_LEVELS - 1);
    compare(&open, true, 3);
    plu_space space = space_of(box, everywhere);
    compare(&space, false, PLU_NEAR_LEVELS - 1);
    compare(&space, false, 2);
    for (int which = 1; which < 7; which++) { /* along some of the edges */
        const bool some[3] = {which & 1, which & 2, which & 4};
        space = space_of(leaning, some);
        compare(&space, false, PLU_NEAR_LEVELS - 1);
    }
    space = space_of(leaning, everywhere);
    compare(&space, false, PLU_NEAR_LEVELS - 1);
    space = space_of(flat, everywhere);
    compare(&space, false, PLU_NEAR_LEVELS - 1);
}

/* One of the largest at a side, and what overlaps it from the other side, by little. */
static void the_largest_across_a_side(void **state)
{
    (void)state;
    static const double edge[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const bool everywhere[3] = {true, true, true};
    const plu_space space = space_of(edge, everywhere);
    for (int k = 0; k < 6; k++) {
        double one[1][4] = {{0.5, 0.5, 0.5, 0.12}}, at[4] = {0.5, 0.5, 0.5, 0.1};
        plu_near near;
        plu_error err = {0};
        one[0][k / 2] = k % 2 ? 0.99 : 0.01;
        at[k / 2] = k % 2 ? 0.2 : 0.8; /* 0.21 away */
        place(&space, one[0]);
        place(&space, at);
        assert_int_equal(plu_near_create(&near, &space, (const double(*)[4])one, 1, 0.12, &err),
                         PLU_OK);
        plu_near_add(&near, 0);
        assert_int_equal(plu_near_overlapping(&near, at), 0);
        at[3] = 0.089;
        assert_int_equal(plu_near_overlapping(&near, at), -1);
        plu_near_free(&near);
    }
}

static void levels_halve_radii(void **state)
{
    (void)state;
    const double one[1][4] = {{0, 0, 0, 0.1}};
    const plu_space open = {0};
    plu_near near;
    plu_error err = {0};
    assert_int_equal(plu_near_create(&near, &open, one, 1, 0.1, &err), PLU_OK);
    assert_int_equal(plu_near_level(&near, 0.1), 0);
    assert_int_equal(plu_near_level(&near, 0.3), 0); /* larger than all */
    assert_int_equal(plu_near_level(&near, 0.0625), 0);
    assert_int_equal(plu_near_level(&near, 0.0624), 1);
    assert_int_equal(plu_near_level(&near, 0.03125), 1);
    assert_int_equal(plu_near_level(&near, 1e-30), PLU_NEAR_LEVELS - 1);
    plu_near_free(&near);
}

/* The visitor says when it has enough, whatever cells and images come after. */
static void visits_end(void **state)
{
    (void)state;
    static const double edge[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const bool everywhere[3] = {true, true, true};
    static double spheres[SPHERES][4];
    const plu_space space = space_of(edge, everywhere);
    uint64_t seed = 3;
    plu_near near;
    plu_error err = {0};
    fill(&seed, spheres);
    for (int i = 0; i < SPHERES; i++)
        place(&space, spheres[i]);
    assert_int_equal(
        plu_near_create(&near, &space, (const double(*)[4])spheres, SPHERES, 0.12, &err), PLU_OK);
    for (int i = 0; i < SPHERES; i++)
        plu_near_add(&near, i);
    double corner[4] = {0.01, 0.99, 0.01, 0.3};
    place(&space, corner);
    found f = {.left = INT32_MAX};
    plu_near_visit(&near, corner, PLU_NEAR_LEVELS - 1, note, &f);
    const int all = INT32_MAX - f.left;
    assert_true(all > 5);
    for (int most = 1; most <= all; most++) {
        f = (found){.left = most};
        plu_near_visit(&near, corner, PLU_NEAR_LEVELS - 1, note, &f);
        assert_int_equal(f.left, 0); /* no visit beyond the last */
    }
    plu_near_free(&near);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_spaces),
        cmocka_unit_test(the_largest_across_a_side),
        cmocka_unit_test(levels_halve_radii),
        cmocka_unit_test(visits_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
