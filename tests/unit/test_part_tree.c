/* The tree of parts against a look at every part. */
#include "base/rng.h"
#include "base/vec3.h"
#include "near.h"
#include "shape/tree.h"
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

/* Boundaries of every kind there is, all over a cube of 20 m; the numbers of all kinds are filled
 * in. */
static plu_parts random_parts(void)
{
    plu_parts parts = {0};
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
        assert_null(plu_shape_of(spec.kind)->make(&spec, &parts));
        plu_mesh_free(spec.mesh);
    }
    assert_int_equal(parts.status, PLU_OK);
    return parts;
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
    plu_parts parts = random_parts();
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
            if (plu_part_passed(&parts.part[p], sphere, to)) {
                assert_true(found[p]);
                passed++;
            }
    }
    assert_true(hits > 1000 && passed > 100);
    free(found);
    plu_part_tree_free(&tree);
    free(parts.part);
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
        free(parts.part);
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
            met = met && search.low[k] <= node->high[k] && search.high[k] >= node->low[k];
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
        cmocka_unit_test(test_touching_is_near),
        cmocka_unit_test(test_a_floor_of_plates),
        cmocka_unit_test(test_parts_at_one_place_and_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
