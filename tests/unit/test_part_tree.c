/* The tree of parts against a look at every part. */
#include "ball_shape.h"
#include "base/rng.h"
#include "base/vec3.h"
#include "near.h"
#include "pluvia/tool/mesh.h"
#include "shape/own_shape.h"
#include "shape/part_tree.h"
#include "shape/shape.h"
#include <stdlib.h>
#include <string.h>

enum { BOUNDARIES = 300, SIDE = 70 };

static const plu_rng rng = {11, 3};

static double uniform(int item, uint32_t draw, double low, double high)
{
    return low + (high - low) * plu_rng_uniform(rng, (uint64_t)item, draw);
}

static void direction(int item, uint32_t draw, double n[3])
{
    for (uint32_t k = 0; k < 3; k++)
        n[k] = uniform(item, draw + k, -1.0, 1.0);
    const double length = plu_norm(n);
    for (int k = 0; k < 3; k++)
        n[k] = item % 4 ? n[k] / length : (double)(k == item % 3);
}

/* Two triangles with an edge in common, around the center. */
static plu_mesh *random_mesh(int i, const double center[3])
{
    static const int triangle[2][3] = {{0, 1, 2}, {1, 0, 3}};
    double corner[4][3];
    for (uint32_t c = 0; c < 4; c++)
        for (uint32_t k = 0; k < 3; k++)
            corner[c][k] = center[k] + uniform(i, 60 + 3 * c + k, -1.0, 1.0);
    plu_mesh *mesh;
    assert_int_equal(plu_mesh_make(&mesh, 4, (const double(*)[3])corner, 2, triangle, NULL),
                     PLU_OK);
    return mesh;
}

/* A ball in its place, as a shape from outside. */
static plu_own_use *use_ball(plu_boundary_spec *spec, plu_extensions *extensions)
{
    plu_own_use *use = NULL;
    strcpy(spec->type, "ball");
    spec->numbers[0] = spec->radius;
    spec->numbers_count = 1;
    assert_int_equal(plu_own_use_make(&use, extensions, spec, NULL), PLU_OK);
    use->numbers.value = memcpy(malloc(sizeof spec->radius), &spec->radius, sizeof spec->radius);
    return use;
}

static void free_parts(plu_parts *parts)
{
    for (int p = 0; p < parts->count; p++)
        if (parts->part[p].own) {
            free((void *)parts->part[p].own->numbers.value);
            free(parts->part[p].own);
        }
    free(parts->part);
}

/* The ways that pass it are those that pass the sphere of the library. */
static void test_ways_through_a_shape_from_outside(void **state)
{
    (void)state;
    plu_boundary_spec spec = {.kind = PLU_FIXED_SPHERE, .radius = 0.5, .center = {1, 2, 3}};
    plu_parts parts = {0};
    plu_extensions *extensions = NULL;
    plu_extensions_create(&extensions, NULL);
    plu_extensions_add_shape(extensions, "ball", &ball_shape, NULL, NULL);
    assert_null(plu_shape_of(spec.kind)->make(&spec, &parts));
    spec.kind = PLU_OWN_SHAPE;
    direction(1, 10, spec.axis);
    spec.angle = 1.0;
    spec.own = use_ball(&spec, extensions);
    assert_null(plu_shape_of(spec.kind)->make(&spec, &parts));
    int passed = 0;
    for (int n = 0; n < 2000; n++) {
        double a[3], b[3];
        for (uint32_t k = 0; k < 3; k++) {
            a[k] = spec.center[k] + uniform(n, 30 + k, -0.8, 0.8);
            b[k] = a[k] + uniform(n, 40 + k, -1.0, 1.0);
        }
        const bool through = plu_part_passed(&parts.part[0], a, b);
        assert_int_equal(through, plu_part_passed(&parts.part[1], a, b));
        passed += through;
    }
    assert_true(passed > 200);
    plu_extensions_destroy(extensions);
    free_parts(&parts);
}

/* Boundaries of every kind there is, all over a cube of 20 m; the numbers of all kinds are filled
 * in. */
static plu_parts random_parts(void)
{
    plu_parts parts = {0};
    plu_extensions *extensions = NULL;
    plu_extensions_create(&extensions, NULL);
    plu_extensions_add_shape(extensions, "ball", &ball_shape, NULL, NULL);
    for (int i = 0; i < BOUNDARIES; i++) {
        plu_boundary_spec spec = {.kind = (plu_boundary_kind)(i % PLU_BOUNDARY_KINDS),
                                  .size = {uniform(i, 3, 0.1, 3.0), uniform(i, 4, 0.1, 3.0)},
                                  .radius = uniform(i, 5, 0.1, 2.0),
                                  .radii = {uniform(i, 7, 0.0, 1.0), uniform(i, 8, 0.0, 2.0)},
                                  .height = uniform(i, 6, 0.1, 3.0),
                                  .inside = i % 10 == 5,
                                  .bottom = i % 2,
                                  .faces = 63};
        direction(i, 10, spec.normal);
        direction(i, 15, spec.axis);
        for (uint32_t k = 0; k < 3; k++) {
            spec.center[k] = uniform(i, k, -10.0, 10.0);
            spec.box[0][k] = spec.center[k];
            spec.box[1][k] = spec.center[k] + uniform(i, 20 + k, 0.1, 2.0);
        }
        parts.boundary = i;
        spec.mesh = spec.kind == PLU_MESH ? random_mesh(i, spec.center) : NULL;
        if (spec.kind == PLU_OWN_SHAPE)
            spec.own = use_ball(&spec, extensions);
        assert_null(plu_shape_of(spec.kind)->make(&spec, &parts));
        plu_mesh_free(spec.mesh);
    }
    plu_extensions_destroy(extensions);
    assert_int_equal(parts.status, PLU_OK);
    return parts;
}

/* Every third boundary has moved and turned, one in two of these about another axis than z, and
 * some were taken away; in the step before each was elsewhere. */
static void move_some(plu_parts *parts, plu_pose *pose)
{
    for (int i = 0; i < BOUNDARIES; i += 3) {
        pose[i] = (plu_pose){.turns = i % 2, .gone = i % 30 == 0};
        direction(i, 70, pose[i].axis);
        for (uint32_t k = 0; k < 3; k++) {
            pose[i].center[k] = uniform(i, 80 + k, -10.0, 10.0);
            pose[i].now.shift[k] = uniform(i, 90 + k, -5.0, 5.0);
            pose[i].before.shift[k] = pose[i].now.shift[k] + uniform(i, 100 + k, -3.0, 3.0);
        }
        pose[i].now.angle = pose[i].turns ? uniform(i, 110, -3.0, 3.0) : 0.0;
        pose[i].before.angle = pose[i].turns ? pose[i].now.angle + 0.05 : 0.0;
        plu_placing_turn(&pose[i].now, pose[i].axis);
        plu_placing_turn(&pose[i].before, pose[i].axis);
    }
    for (int p = 0; p < parts->count; p++)
        if (parts->part[p].boundary % 3 == 0)
            parts->part[p].pose = &pose[parts->part[p].boundary];
}

static plu_part_tree tree_of(const plu_parts *parts)
{
    plu_part_tree tree;
    assert_int_equal(plu_part_tree_make(&tree, parts->part, parts->count, NULL), PLU_OK);
    return tree;
}

/* Marks what a search finds; each part comes once. */
static int mark(const plu_part_tree *tree, plu_part_search search, const plu_parts *parts,
                unsigned char *found)
{
    int count = 0;
    memset(found, 0, (size_t)parts->count);
    for (int p; (p = plu_part_next(tree, &search)) >= 0; count++) {
        assert_in_range(p, 0, parts->count - 1);
        assert_int_equal(found[p], 0);
        found[p] = 1;
    }
    return count;
}

static void test_nothing_near_is_missed(void **state)
{
    (void)state;
    static plu_pose pose[BOUNDARIES];
    plu_parts parts = random_parts();
    move_some(&parts, pose);
    plu_part_tree tree = tree_of(&parts);
    unsigned char *found = malloc((size_t)parts.count);
    int hits = 0, passed = 0;
    for (int n = 0; n < 2000; n++) {
        double sphere[4], to[3], normal[3];
        for (uint32_t k = 0; k < 3; k++) {
            sphere[k] = uniform(n, 30 + k, -12.0, 12.0);
            to[k] = sphere[k] + uniform(n, 40 + k, -1.0, 1.0);
        }
        sphere[3] = uniform(n, 50, 0.01, 0.5);
        const double margin = n % 3 ? 0.1 * sphere[3] : 0.0;
        mark(&tree, plu_parts_near(sphere, sphere[3] + margin), &parts, found);
        for (int p = 0; p < parts.count; p++)
            if (plu_part_gap(&parts.part[p], sphere, normal) <= margin) {
                assert_true(found[p]);
                hits++;
            }
        mark(&tree, plu_parts_on_way(sphere, to), &parts, found);
        for (int p = 0; p < parts.count; p++)
            if (plu_part_passed(&parts.part[p], sphere, to) ||
                plu_part_passed_in_step(&parts.part[p], sphere, to)) {
                assert_true(found[p]);
                passed++;
            }
    }
    assert_true(hits > 1000 && passed > 100);
    free(found);
    plu_part_tree_free(&tree);
    free_parts(&parts);
}

/* A sphere that lies on a part with a whole margin of none: the box must not lose it to rounding.
 */
static void test_touching_is_near(void **state)
{
    (void)state;
    for (int n = 0; n < 500; n++) {
        plu_parts parts = {0};
        plu_boundary_spec spec = {.kind = PLU_PLATE, .size = {1.0, 1.0}, .normal = {0, 0, 1}};
        for (uint32_t k = 0; k < 3; k++)
            spec.center[k] = uniform(n, k, -1e3, 1e3);
        assert_null(plu_shape_of(spec.kind)->make(&spec, &parts));
        plu_part_tree tree = tree_of(&parts);
        const double r = uniform(n, 4, 1e-3, 1e-2);
        const double sphere[4] = {spec.center[0], spec.center[1], spec.center[2] + r, r};
        plu_part_search search = plu_parts_near(sphere, r);
        assert_int_equal(plu_part_next(&tree, &search), 0);
        plu_part_tree_free(&tree);
        free_parts(&parts);
    }
}

/* What a search costs: boxes that it looks at. */
static int looks(const plu_part_tree *tree, plu_part_search search)
{
    int count = 0;
    while (search.at < tree->count) {
        const plu_part_node *node = &tree->node[search.at];
        bool met = true;
        for (int k = 0; k < 3; k++)
            met = met && search.box.low[k] <= node->high[k] && search.box.high[k] >= node->low[k];
        search.at = met ? search.at + 1 : node->skip;
        count++;
    }
    return count;
}

static void test_a_floor_of_plates(void **state)
{
    (void)state;
    plu_parts parts = {0};
    for (int i = 0; i < SIDE * SIDE; i++) {
        const plu_boundary_spec spec = {
            .kind = PLU_PLATE,
            .center = {i % SIDE + 0.5, i / SIDE + 0.5, 0.0}, // NOLINT(bugprone-integer-division)
            .normal = {0, 0, 1},
            .size = {1.0, 1.0}};
        assert_null(plu_shape_of(spec.kind)->make(&spec, &parts));
    }
    plu_part_tree tree = tree_of(&parts);
    unsigned char *found = malloc((size_t)parts.count);
    for (int n = 0; n < 500; n++) {
        double x[3] = {uniform(n, 0, 1.0, SIDE - 1.0), uniform(n, 1, 1.0, SIDE - 1.0), 0.2};
        assert_in_range(mark(&tree, plu_parts_near(x, 0.3), &parts, found), 1, 4);
        assert_true(looks(&tree, plu_parts_near(x, 0.3)) < 150);
        x[2] = 0.31;
        assert_int_equal(looks(&tree, plu_parts_near(x, 0.3)), 1);
    }
    free(found);
    plu_part_tree_free(&tree);
    free(parts.part);
}

/* A mesh of 10^5 triangles that moves: a search in it looks at as few boxes as in one that stands
 * still, wherever it is; none where it was taken away. */
static void test_a_mesh_that_moves(void **state)
{
    (void)state;
    enum { LINES = 224 };
    static double corner[(LINES + 1) * (LINES + 1)][3];
    static int triangle[2 * LINES * LINES][3];
    int count = 0;
    for (int i = 0; i <= LINES; i++)
        for (int j = 0; j <= LINES; j++) {
            const int at = i * (LINES + 1) + j;
            corner[at][0] = i;
            corner[at][1] = j;
            if (i == LINES || j == LINES)
                continue;
            const int four[4] = {at, at + LINES + 1, at + LINES + 2, at + 1};
            for (int k = 0; k < 2; k++, count++) {
                triangle[count][0] = four[0];
                triangle[count][1] = four[k + 1];
                triangle[count][2] = four[k + 2];
            }
        }
    plu_boundary_spec spec = {.kind = PLU_MESH};
    assert_int_equal(plu_mesh_make(&spec.mesh, (LINES + 1) * (LINES + 1),
                                   (const double(*)[3])corner, count, (const int(*)[3])triangle,
                                   NULL),
                     PLU_OK);
    plu_parts parts = {0};
    assert_null(plu_shape_of(PLU_MESH)->make(&spec, &parts));
    assert_int_equal(parts.count, 100352);
    plu_pose pose = {
        .axis = {0.6, 0.0, 0.8}, .turns = true, .now = {.shift = {100, -50, 7}, .angle = 2}};
    plu_placing_turn(&pose.now, pose.axis);
    for (int p = 0; p < parts.count; p++)
        parts.part[p].pose = &pose;
    plu_part_tree tree = tree_of(&parts);
    for (int n = 0; n < 300; n++) {
        double x[4] = {uniform(n, 0, 1.0, LINES - 1.0), uniform(n, 1, 1.0, LINES - 1.0), 0.2, 0.0},
               out[4] = {0.0}, normal[3];
        plu_pose_outward(&pose, &pose.now, x, out);
        plu_add_scaled(out, 1.0, pose.now.shift);
        plu_part_search search = plu_parts_near(out, 0.3);
        int found = 0, near = 0;
        for (int p; (p = plu_part_next(&tree, &search)) >= 0; found++)
            near += plu_part_gap(&parts.part[p], out, normal) <= 0.3;
        assert_in_range(found, 1, 8);
        assert_in_range(near, 1, found);
        search = plu_parts_near(out, 0.3);
        search.at = 1;
        plu_part_search_turn(&search, &tree.node[0]);
        search.box = search.inside;
        search.at = 1;
        assert_true(looks(&tree, search) < 150);
    }
    pose.gone = true;
    plu_part_search search = plu_parts_near((const double[3]){100, -50, 7}, 500.0);
    assert_int_equal(plu_part_next(&tree, &search), -1);
    plu_part_tree_free(&tree);
    free(parts.part);
    plu_mesh_free(spec.mesh);
}

static void test_parts_at_one_place_and_none(void **state)
{
    (void)state;
    plu_parts parts = {0};
    plu_part_tree tree = tree_of(&parts);
    const double x[3] = {0, 0, 0};
    plu_part_search search = plu_parts_near(x, 1.0);
    assert_int_equal(plu_part_next(&tree, &search), -1);
    plu_part_tree_free(&tree);
    for (int i = 0; i < 100; i++) {
        const plu_boundary_spec spec = {.kind = PLU_DISC, .normal = {0, 0, 1}, .radius = 1.0};
        assert_null(plu_shape_of(spec.kind)->make(&spec, &parts));
    }
    tree = tree_of(&parts);
    unsigned char found[100];
    assert_int_equal(mark(&tree, plu_parts_near(x, 0.1), &parts, found), 100);
    plu_part_tree_free(&tree);
    free(parts.part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_near_is_missed),
        cmocka_unit_test(test_ways_through_a_shape_from_outside),
        cmocka_unit_test(test_touching_is_near),
        cmocka_unit_test(test_a_floor_of_plates),
        cmocka_unit_test(test_a_mesh_that_moves),
        cmocka_unit_test(test_parts_at_one_place_and_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
