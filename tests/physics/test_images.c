/* Images in periodic cells, by brute force and by definition, in cells that are upright, skewed,
 * flat or open to a side: which are listed, which pairs are found, how they are named, and that
 * contacts, what they store and candidates stay where they are when bodies come back by other
 * sides. */
#include "base/rng.h"
#include "base/vec3.h"
#include "detect/detector.h"
#include "detect/match.h"
#include "run.h"
#include "step/stepper.h"
#include <math.h>

enum { MOST = 64, KINDS = 4, PAIRS = 1 << 14 };

/* Cells: upright, skewed, open along y, and just two diameters wide along x. */
static const struct {
    double edge[3][3];
    bool periodic[3];
    int spheres;
    double least, most; /* radii */
} kinds[KINDS] = {
    {{{0.1, 0, 0}, {0, 0.09, 0}, {0, 0, 0.08}}, {true, true, true}, 60, 0.004, 0.012},
    {{{0.1, 0, 0}, {0.01, 0.09, 0}, {0.07, -0.02, 0.08}}, {true, true, true}, 60, 0.004, 0.012},
    {{{0.1, 0, 0}, {0, 0.3, 0}, {0.06, 0, 0.08}}, {true, false, true}, 50, 0.004, 0.012},
    {{{0.0801, 0, 0}, {0, 0.1, 0}, {0.0785, 0, 0.0795}}, {true, true, true}, 14, 0.0199, 0.02}};

static const double origin[3] = {-0.013, 0.4, 0.007};

static double draw(int a, int b)
{
    return plu_rng_uniform((plu_rng){11, 5}, (uint64_t)a, (uint64_t)b);
}

/* A state of spheres at random, which overlap, in this cell; all contacts are known. */
static run *cell_that(int kind, bool stores)
{
    const int count = kinds[kind].spheres;
    static char bodies[1 << 14];
    size_t used = 0;
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(
            bodies + used, sizeof bodies - used,
            "%s{ position = [0, %g, 0]; radius = %.17g; material = \"grain\"; }", i ? ", " : "",
            0.05 * i,
            kinds[kind].least + (kinds[kind].most - kinds[kind].least) * (i ? draw(i, 3) : 1.0));
    run *r =
        run_open("gravity = [0, 0, 0];\ntime: { step = 1e-4; end = 1; };\nallow_overlap = true;\n"
                 "materials = ( { name = \"grain\"; density = 2500; } );\n"
                 "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; %s } );\n"
                 "cell: { size = [1, 9, 1]; };\nbodies = ( %s );\n",
                 stores ? "restitution = 0.5; restitution_law = \"energy\";" : "", bodies);
    plu_world *w = r->world;
    const double fastest = w->space.fastest;
    plu_space_make(&w->space, origin, kinds[kind].edge, kinds[kind].periodic);
    w->space.moves = true; /* and yet it stands still */
    w->space.fastest = fastest;
    for (int i = 0; i < count; i++) {
        double *x = w->bodies.position[i];
        memcpy(x, origin, 3 * sizeof *x);
        for (int k = 0; k < 3; k++)
            plu_add_scaled(x, kinds[kind].periodic[k] ? draw(i, k) : 1.6 * draw(i, k) - 0.3,
                           w->space.edge[k]);
    }
    w->bodies.state[count / 2] = PLU_REMOVED;
    w->active--;
    w->generation++;
    return r;
}

static run *cell(int kind)
{
    return cell_that(kind, true);
}

static plu_contacts *detect(run *r)
{
    plu_contacts *list = NULL;
    run_check(r, plu_detect(r->stepper->detector, &list, &r->err));
    r->stepper->contacts = list;
    return list;
}

/* Where the image of a point by S lies. */
static void image_at(const plu_space *space, int image, const double x[3], double at[3])
{
    int s[3];
    plu_image_vector(image, s);
    memcpy(at, x, 3 * sizeof *at);
    for (int k = 0; k < 3; k++)
        plu_add_scaled(at, s[k], space->edge[k]);
}

/* An image is listed, once and in the order of vectors, where it or its opposite one may meet what
 * is in the cell. */
static void images_are_listed(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; kind++) {
        run *r = cell(kind);
        detect(r);
        r->world->generation++;
        detect(r); /* the images of before are none of these */
        const plu_detector *d = r->stepper->detector;
        const plu_space *space = &r->world->space;
        const int all = r->world->bodies.count, active = all - 1;
        double largest = 0.0;
        int listed = 0, beside = 0;
        for (int k = 0; k < active; k++) {
            assert_int_equal(d->member[k], k < all / 2 ? k : k + 1);
            largest = fmax(largest, d->sphere[k][3]);
        }
        for (int k = 0; k < active; k++)
            for (int rank = PLU_IMAGE_CENTER + 1; rank < PLU_IMAGES; rank++) {
                const int image = plu_image_of_rank(rank);
                double at[3];
                bool near = plu_space_has_image(space, image);
                image_at(space, image, d->sphere[k], at);
                for (int i = 0; i < 3; i++) {
                    const double reach = (d->sphere[k][3] + largest) / space->height[i],
                                 f = plu_space_fraction(space, i, at);
                    if (space->periodic[i] && (f < -reach || f > 1.0 + reach))
                        near = false;
                }
                if (!near) {
                    beside++;
                    continue;
                }
                assert_in_range(listed, 0, d->images_count - 1);
                const plu_side side = d->images[listed];
                assert_true(plu_side_is(side, d->member[k]) && plu_side_image(side) == image);
                assert_int_equal(d->member[active + listed], all + listed);
                for (int i = 0; i < 3; i++)
                    assert_near(d->sphere[active + listed][i], at[i], 1e-15);
                assert_near(d->sphere[active + listed][3], d->sphere[k][3], 0.0);
                listed++;
            }
        assert_int_equal(listed, d->images_count);
        assert_true(listed > active / 2 && beside > active / 2);
        run_close(r);
    }
}

/* The distance of b from the image of a (m). */
static double apart(const run *r, plu_side a, int b, double way[3])
{
    double at[3];
    image_at(&r->world->space, plu_side_image(a), run_position(r, plu_side_sphere(a)), at);
    plu_sub(run_position(r, b), at, way);
    return plu_norm(way);
}

/* Candidates are all pairs of grown spheres and images that overlap, each once, in order. */
static void candidates_are_all(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < KINDS; kind++) {
        run *r = cell(kind);
        detect(r);
        const plu_detector *d = r->stepper->detector;
        const int all = r->world->bodies.count;
        size_t found = 0;
        int images = 0;
        static double grown[MOST];
        for (int k = 0; k < all - 1; k++)
            grown[d->member[k]] = d->sphere[k][3];
        for (int a = 0; a < all; a++)
            for (int b = a + 1; b < all; b++)
                for (int rank = 0; rank < PLU_IMAGES; rank++) {
                    const plu_side side = plu_side_of_image(a, plu_image_of_rank(rank));
                    double way[3];
                    if (r->world->bodies.state[a] != PLU_ACTIVE ||
                        r->world->bodies.state[b] != PLU_ACTIVE ||
                        !plu_space_has_image(&r->world->space, plu_side_image(side)) ||
                        apart(r, side, b, way) > grown[a] + grown[b])
                        continue;
                    assert_true(found < d->spheres.count);
                    const plu_pair pair = d->spheres.pair[found];
                    if (!plu_side_same(plu_side_of_pair(pair), side) || pair.b != b)
                        fail_msg("kind %d: pair %zu is %d, image %d, with %d, not %d, %d, %d", kind,
                                 found, plu_pair_sphere(pair), plu_pair_image(pair), pair.b, a,
                                 plu_side_image(side), b);
                    images += plu_side_image(side) != 0;
                    found++;
                }
        assert_int_equal(found, d->spheres.count);
        assert_true(images > 0 && (size_t)images < found);
        run_close(r);
    }
}

/* --- bodies that come back --- */

/* What is known of a pair: where b lies from a. */
typedef struct known {
    int a, b;
    double way[3];
} known;

/* `tag`: of a contact, in its impulse and in what it stores. */
static int note_contacts(run *r, known *pair)
{
    plu_contacts *list = r->stepper->contacts;
    assert_in_range(list->count, 1, PAIRS - 1);
    for (int k = 0; k < list->count; k++) {
        pair[k].a = plu_side_sphere(list->contact[k].a);
        pair[k].b = list->contact[k].b;
        apart(r, list->contact[k].a, pair[k].b, pair[k].way);
        list->impulse[k] = (plu_impulse){.n = k, .t = {k + 0.25}};
        if (list->rebounds)
            list->rebound[k] = (plu_rebound){-1.0 - k, 0.5 * k};
    }
    return list->count;
}

static bool follows(const run *r, const known *was, plu_side a, int b)
{
    double way[3], off[3];
    apart(r, a, b, way);
    plu_sub(way, was->way, off);
    return was->a == plu_side_sphere(a) && was->b == b && plu_norm(off) < 1e-12;
}

/* Moves all by `by` and back into the cell; *lost: images that have no number then. */
static void move_all(run *r, const double by[3])
{
    plu_world *w = r->world;
    plu_detector *d = r->stepper->detector;
    memset(w->wrapped, 0, (size_t)w->bodies.count * sizeof *w->wrapped);
    w->wraps = 0;
    for (int i = 0; i < w->bodies.count; i++) {
        plu_add_scaled(w->bodies.position[i], 1.0, by);
        plu_add_scaled(d->origin[i], 1.0, by);
        w->wraps += plu_space_wrap(&w->space, w->bodies.position[i], w->wrapped[i]);
    }
}

/* All contacts are where they were, with what is theirs, in order; returns how many have no number.
 */
static int contacts_follow(const run *r, const known *pair, int count)
{
    const plu_contacts *list = r->stepper->contacts;
    int lost = 0;
    assert_int_equal(list->count, count);
    static bool seen[PAIRS];
    memset(seen, 0, sizeof seen);
    for (int k = 0; k < count; k++) {
        const int tag = (int)list->impulse[k].n;
        assert_in_range(tag, 0, count - 1);
        assert_false(seen[tag]);
        seen[tag] = true;
        assert_near(list->impulse[k].t[0], tag + 0.25, 0.0);
        if (list->rebounds) {
            assert_near(list->rebound[k].approach, -1.0 - tag, 0.0);
            assert_near(list->rebound[k].gap, 0.5 * tag, 0.0);
        }
        assert_true(list->key[k] == plu_contact_key(r->world, &list->contact[k]));
        assert_true(k == 0 || list->key[k - 1] <= list->key[k]);
        lost += !follows(r, &pair[tag], list->contact[k].a, list->contact[k].b);
    }
    return lost;
}

/* By a way, in a cell that does not flip. */
static void wrapped(void **unused)
{
    (void)unused;
    static known pair[PAIRS], candidate[PAIRS];
    static double skin[MOST][3];
    static const double ways[][3] = {{0.013, 0.0, 0.0},   {0.0, -0.02, 0.011},
                                     {-0.03, 0.01, 0.05}, {0.001, 0.001, 0.001},
                                     {0.5, -0.7, 0.3},    {0.0, 0.0, 0.0}};
    for (int kind = 0; kind < KINDS; kind++)
        for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
            run *r = cell(kind);
            plu_world *w = r->world;
            plu_detector *d = r->stepper->detector;
            detect(r);
            const int count = note_contacts(r, pair);
            assert_true(d->spheres.count < PAIRS);
            for (size_t k = 0; k < d->spheres.count; k++) {
                candidate[k] =
                    (known){.a = plu_pair_sphere(d->spheres.pair[k]), .b = d->spheres.pair[k].b};
                apart(r, plu_side_of_pair(d->spheres.pair[k]), candidate[k].b, candidate[k].way);
            }
            for (int i = 0; i < w->bodies.count; i++)
                plu_sub(d->origin[i], w->bodies.position[i], skin[i]);
            move_all(r, ways[way]);
            w->flip = 0;
            plu_detector_follow(d);
            assert_int_equal(contacts_follow(r, pair, count), 0);
            int lost = 0;
            for (size_t k = 0; k < d->spheres.count; k++)
                lost += !follows(r, &candidate[k], plu_side_of_pair(d->spheres.pair[k]),
                                 d->spheres.pair[k].b);
            assert_true(d->built ==
                        (lost == 0)); /* candidates may be farther away than images have numbers */
            assert_true(lost == 0 || kind == 3 || way == 4);
            for (int i = 0; i < w->bodies.count; i++)
                for (int k = 0; k < 3 && w->bodies.state[i] == PLU_ACTIVE; k++)
                    assert_near(d->origin[i][k] - w->bodies.position[i][k], skin[i][k], 1e-13);
            run_close(r);
        }
}

/* A list of candidates that holds no more is left alone, and one of nothing that has moved. */
static void left_alone(void **unused)
{
    (void)unused;
    static known pair[PAIRS];
    static plu_pair before[PAIRS];
    const double by[3] = {0.03, 0.0, 0.0};
    for (int how = 0; how < 3; how++) {
        run *r = cell(0);
        plu_detector *d = r->stepper->detector;
        detect(r);
        const int count = note_contacts(r, pair);
        memcpy(before, d->spheres.pair, d->spheres.count * sizeof *before);
        move_all(r, by);
        const double kept = d->origin[3][0];
        if (how == 0)
            r->world->generation++;
        if (how == 1)
            d->built = false;
        if (how == 2) /* as if nobody had come back */
            r->world->wraps = 0;
        plu_detector_follow(d);
        assert_memory_equal(before, d->spheres.pair, d->spheres.count * sizeof *before);
        assert_near(d->origin[3][0], kept, 0.0);
        assert_true(d->built == (how != 1));
        assert_true((contacts_follow(r, pair, count) > 0) == (how == 2));
        run_close(r);
    }
}

/* Cells whose third edge is set back, by one or two of the first. */
static void flipped(void **unused)
{
    (void)unused;
    static known pair[PAIRS];
    int sorted = 0;
    for (int kind = 1; kind < KINDS; kind++)
        for (int times = 1; times <= 2; times++) {
            run *r = cell_that(kind, times == 2);
            plu_world *w = r->world;
            plu_detector *d = r->stepper->detector;
            for (int k = 0; k < 3; k++) /* the lattice of the cell stays what it is */
                w->space.edge[2][k] += (times - 1) * w->space.edge[0][k];
            plu_space_renew(&w->space);
            for (int i = 0; i < w->bodies.count; i++) {
                int s[3];
                plu_space_wrap(&w->space, w->bodies.position[i], s);
            }
            if (kind == 3) { /* two that touch each other on both sides, along a vector that changes
                                its name */
                const double *x = w->bodies.position[0], place[3] = {0.06, 0.05, 0.01};
                for (int k = 0; k < 3; k++)
                    w->bodies.position[0][k] = origin[k] + place[k];
                for (int k = 0; k < 3; k++)
                    w->bodies.position[1][k] =
                        x[k] + 0.5 * (kinds[3].edge[2][k] - kinds[3].edge[0][k]);
            }
            w->generation++;
            detect(r);
            const int count = note_contacts(r, pair);
            const double nothing[3] = {0.0, 0.0, 0.0};
            w->flip = plu_space_flip(&w->space, 2, 0);
            assert_int_equal(w->flip, times);
            move_all(r, nothing);
            plu_detector_follow(d);
            assert_int_equal(contacts_follow(r, pair, count), 0);
            assert_false(d->built);
            for (int k = 0; k < count; k++)
                sorted += (int)r->stepper->contacts->impulse[k].n != k;
            run_close(r);
        }
    assert_true(sorted > 0);
}

/* An image without a number leaves a contact and its key as they are. */
static void too_far(void **unused)
{
    (void)unused;
    run *r = cell(0);
    plu_detector *d = r->stepper->detector;
    plu_contacts *list = detect(r);
    int at = 0;
    while (plu_side_image(list->contact[at].a) == 0)
        at++;
    const plu_contact was = list->contact[at];
    const uint64_t key = list->key[at];
    int s[3], *wrapped_a = r->world->wrapped[plu_side_sphere(was.a)];
    plu_image_vector(plu_side_image(was.a), s);
    memset(r->world->wrapped, 0, (size_t)r->world->bodies.count * sizeof *r->world->wrapped);
    memcpy(wrapped_a, s, sizeof s); /* once more by as much */
    r->world->wraps = 1;
    plu_detector_follow(d);
    for (int k = 0; k < list->count; k++)
        if (list->key[k] == key) {
            assert_true(plu_side_same(list->contact[k].a, was.a) && list->contact[k].b == was.b);
            assert_false(d->built);
            run_close(r);
            return;
        }
    fail_msg("the contact is gone");
}

/* How far images have moved since they were listed: only those that there are, only where it moves.
 */
static void how_far(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        run *r = cell(kind);
        plu_world *w = r->world;
        plu_detector *d = r->stepper->detector;
        detect(r);
        w->space.later[0][0] = 5.0; /* is none of it */
        assert_near(plu_cell_moved(d), 0.0, 0.0);
        static const double moved[3][3] = {{1e-3, 0, 0}, {2e-2, 5e-2, 0}, {3e-3, 0, -4e-3}};
        for (int k = 0; k < 3; k++)
            plu_add_scaled(w->space.edge[k], 1.0, moved[k]);
        plu_space_renew(&w->space);
        w->space.later[0][0] = 5.0;
        double most = 0.0;
        for (int s = 0; s < 27; s++) {
            double way[3] = {0.0, 0.0, 0.0};
            const int by[3] = {s / 9 - 1, s / 3 % 3 - 1, s % 3 - 1};
            for (int k = 0; k < 3; k++)
                plu_add_scaled(way, kinds[kind].periodic[k] ? by[k] : 0, moved[k]);
            most = fmax(most, plu_norm(way));
        }
        assert_near(plu_cell_moved(d), most, 1e-15);
        w->space.moves = false;
        assert_near(plu_cell_moved(d), 0.0, 0.0);
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_are_listed), cmocka_unit_test(candidates_are_all),
        cmocka_unit_test(wrapped),           cmocka_unit_test(left_alone),
        cmocka_unit_test(flipped),           cmocka_unit_test(too_far),
        cmocka_unit_test(how_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
