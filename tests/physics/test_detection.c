/* The contacts of every step against brute force over all pairs and walls, while a polydisperse
 * cloud (1:50) falls into a box: the candidate list is kept over steps, so that a wrong margin
 * shows. */
#include "base/memory.h"
#include "base/vec3.h"
#include "detect/detector.h"
#include "draws.h"
#include "pluvia/control.h"
#include "run.h"
#include "step/stepper.h"

typedef struct pair {
    int a, b;
    double gap;
} pair;

/* The rule of the header of detect.h, and that of landings (src/theory.md, "Touch"): a pair that
 * approaches with u is a contact when its gap, less `ahead` u, is at most its width. */
typedef struct rule {
    double ahead;           /* s */
    double radius, fastest; /* share of the smaller radius, but at most 2 `fastest` (m) */
    double speed, fall;     /* s times the speeds of both, m */
} rule;

static double width_of(const rule *r, double radius, double speeds)
{
    return fmax(1e-9 * radius, fmin(r->radius * radius, 2.0 * r->fastest)) + r->speed * speeds +
           r->fall;
}

static double fastest_of(int n, double (*v)[8])
{
    double most = 0.0;
    for (int i = 0; i < n; i++)
        most = fmax(most, plu_norm(v[i]));
    return most;
}

/* `look_ahead` < 0: landings. */
static rule rule_of(const run *r, double look_ahead, int n, double (*x)[4], double (*v)[8])
{
    const double h = r->scene.step;
    double least = HUGE_VAL, most = 0.0;
    if (look_ahead >= 0.0)
        return (rule){look_ahead, 0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < n; i++) {
        least = fmin(least, x[i][3]);
        most = fmax(most, x[i][3]);
    }
    const double q = fmin(most / least, 4.0);
    return (rule){h, 0.03 * q, h * fastest_of(n, v), 0.25 * q * h,
                  plu_norm(r->scene.gravity) * h * h};
}

/* With the positions and velocities before the step: pairs, then walls. */
static int brute_force(const plu_world *w, const rule *r, int n, double (*x)[4], double (*v)[8],
                       pair *found)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            double d[3], u[3];
            plu_sub(x[j], x[i], d);
            plu_sub(v[j], v[i], u);
            const double length = plu_norm(d), gap = length - x[i][3] - x[j][3];
            const double width =
                width_of(r, fmin(x[i][3], x[j][3]), plu_norm(v[i]) + plu_norm(v[j]));
            if (gap + r->ahead * plu_dot(d, u) / length <= width)
                found[count++] = (pair){i, j, gap};
        }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < w->parts_count; k++) {
            double normal[3];
            const double gap = plu_part_gap(&w->parts[k], x[i], normal);
            if (gap + r->ahead * plu_dot(normal, v[i]) <= width_of(r, x[i][3], plu_norm(v[i])))
                found[count++] = (pair){-1 - k, i, gap};
        }
    return count;
}

/* Whether each contact knows where it stood in the previous contact list. */
static void check_previous(const run *r, const pair *before, int count)
{
    const plu_contacts *list = r->stepper->contacts;
    for (int i = 0, at = 0; i < list->count; i++) {
        const plu_contact *c = &list->contact[i];
        int found = -1;
        for (int k = at; k < count && found < 0; k++)
            if (before[k].a == plu_side_to_file(c->a) && before[k].b == c->b)
                found = k;
        assert_int_equal(list->previous[i], found);
        at = found >= 0 ? found + 1 : at;
    }
}

/* Makes steps and compares; returns the number of contacts of all of them. *renewed: the steps
 * whose list was an older one in which some bodies had got new margins. */
static long compare(run *r, int steps, double look_ahead, int *renewed)
{
    const plu_bodies_view bodies = plu_world_bodies(r->world);
    const int n = bodies.count;
    double(*x)[4] = malloc((size_t)n * sizeof *x), (*v)[8] = malloc((size_t)n * sizeof *v);
    pair *want = malloc((size_t)n * (size_t)(n + 12) * sizeof *want);
    pair *before = malloc((size_t)n * (size_t)(n + 12) * sizeof *before);
    long total = 0;
    int last = 0;
    *renewed = 0;
    for (int step = 0; step < steps; step++) {
        memcpy(x, bodies.position, (size_t)n * sizeof *x);
        memcpy(v, bodies.velocity, (size_t)n * sizeof *v);
        run_step(r);
        const rule now = rule_of(r, look_ahead, n, x, v);
        const int count = brute_force(r->stepper->world, &now, n, x, v, want);
        int at = 0;
        for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
            plu_contact_row row;
            plu_stepper_contact(r->stepper, i, &row);
            assert_true(at < count);
            assert_int_equal(plu_side_to_file(row.a), want[at].a);
            assert_int_equal(row.b, want[at].b);
            assert_near(row.gap, want[at].gap, 1e-12);
            at++;
        }
        assert_int_equal(at, count);
        check_previous(r, before, last);
        memcpy(before, want, (size_t)count * sizeof *want);
        last = count;
        total += count;
        *renewed += r->stepper->detector->renewed_count > 0;
    }
    free(x);
    free(v);
    free(want);
    free(before);
    return total;
}

static void equals_brute_force(void **state)
{
    (void)state;
    int renewed;
    run *r = run_open(
        "time: { step = 2e-3; end = 10; theta = 1; forecast = 0.5; };\nlimits: { on_limit = "
        "\"warn\"; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0") "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.5, 0.5, 2]; }; material "
                   "= \"plate\"; } "
                   ");\nbodies = ( { position = [0.25, 0.25, 0.2]; radius = 0.15; material = "
                   "\"grain\"; }, "
                   "{ packing: { count = 900; box = ([0, 0, 0.4], [0.5, 0.5, 0.9]); }; radius = "
                   "[0.003, 0.03]; "
                   "velocity = [0.5, 0, -2]; material = \"grain\"; } );\n");
    assert_true(compare(r, SANITIZED ? 60 : 250, 0.5 * 2e-3, &renewed) > (SANITIZED ? 0 : 50000));
    run_close(r);
}

/* More candidates than are looked at in one pass, the last of which is a contact. */
static void many_equal_brute_force(void **state)
{
    (void)state;
    int renewed;
    run *r = run_open(
        "time: { step = 2e-3; end = 10; theta = 1; forecast = 0.5; };\nlimits: { on_limit = "
        "\"warn\"; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0") "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.5, 0.5, 2]; }; material "
                   "= \"plate\"; } );\nbodies = ( { packing: { count = 2000; box = ([0, 0, 0], "
                   "[0.5, 0.5, 0.25]); }; radius = [0.01, 0.014]; velocity = [0.5, 0, -2]; "
                   "material = \"grain\"; }, { position = [0.2, 0.25, 1.5]; radius = 0.01; "
                   "material = \"grain\"; }, { position = [0.22, 0.25, 1.5]; radius = 0.01; "
                   "material = \"grain\"; } );\n");
    assert_true(compare(r, SANITIZED ? 5 : 10, 0.5 * 2e-3, &renewed) > 1000);
    assert_true(r->stepper->detector->spheres.count > 4096);
    run_close(r);
}

/* A few fast spheres in a slow cloud, and those that they hit, outrun their margins. */
static run *slow_cloud(const char *forecast)
{
    return run_open(
        "time: { step = 1e-3; end = 10; theta = 1; forecast = %s; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0") "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.4, 0.3, 2]; }; material "
                   "= \"plate\"; } );\nbodies = ( { packing: { count = 1200; box = ([0.1, 0, 0], "
                   "[0.4, 0.3, 0.25]); }; radius = [0.008, 0.013]; material = \"grain\"; }, { "
                   "position = [0.05, 0.1, 0.2]; velocity = [3, 0, 0]; radius = 0.02; material = "
                   "\"grain\"; }, { position = [0.05, 0.2, 0.22]; velocity = [5, 1, 0.5]; radius = "
                   "0.01; material = \"grain\"; }, { position = [0.05, 0.2, 0.1]; velocity = [2, "
                   "-2, 0]; radius = 0.015; material = \"grain\"; } );\n",
        forecast);
}

static void a_few_new_margins(void **state)
{
    (void)state;
    int renewed;
    run *r = slow_cloud("0.5");
    const long total = compare(r, 100, 0.5 * 1e-3, &renewed);
    assert_true(total > 10000);
    assert_true(renewed > 20);
    run_close(r);
}

/* The same by the rule of landings, which finds pairs from farther away. */
static void pairs_that_land(void **state)
{
    (void)state;
    int renewed;
    run *r = slow_cloud("\"touch\"");
    assert_true(compare(r, 100, -1.0, &renewed) > 10000);
    run_close(r);
}

/* No two bodies are candidates at first; then two that outran their margins many times meet, and
 * one meets a wall. */
static void two_fast_spheres_meet(void **state)
{
    (void)state;
    int renewed;
    run *r = run_open(
        "time: { step = 1e-3; end = 10; theta = 1; forecast = 0.5; };\ngravity = [0, 0, "
        "0];\nsolver: { quiet = false; };\n" RUN_MATERIALS(
            "1500.0", "0.3", "1e-3",
            "0.0") "boundaries = ( { plane: { center = [0, -0.1, 0]; normal = [0, 1, 0]; }; "
                   "material = \"plate\"; } );\n"
                   "bodies = ( { lattice: { counts = [10, 10, 10]; spacing = 0.1; origin = [0, 0, "
                   "0]; }; radius = 0.01; material = \"grain\"; }, { position = [0, 0.05, 0.05]; "
                   "velocity = [3, 0, 0]; radius = 0.01; material = \"grain\"; }, { position = "
                   "[0.4, 0.05, 0.05]; velocity = [-3, 0, 0]; radius = 0.01; material = "
                   "\"grain\"; }, { position = [0.05, 0.05, 0.05]; velocity = [0, -3, 0]; radius = "
                   "0.01; material = \"grain\"; } );\n");
    assert_true(compare(r, 80, 0.5 * 1e-3, &renewed) > 0);
    assert_true(renewed > 70);
    run_close(r);
}

/* Pairs that fly towards each other from all distances between two looks at their neighbors: the
 * list holds them by the step in which they can land, which is earlier than they could touch. */
static void pairs_meet_from_any_distance(void **state)
{
    (void)state;
    enum { PAIRS = 40 };
    static char bodies[PAIRS * 300];
    int renewed;
    size_t used = 0;
    for (int k = 0; k < PAIRS; k++)
        for (int side = 0; side < 2; side++)
            used += (size_t)snprintf(
                bodies + used, sizeof bodies - used,
                "%s{ position = [%.5f, %.1f, 0]; velocity = [%d.65, 0, 0]; radius = 0.01; "
                "material = \"grain\"; }",
                used ? ", " : "", side ? 0.05 + 0.00027 * k : 0.0, 0.1 * k, side ? -1 : 1);
    run *r = run_open("time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
                          "1500.0", "0.3", "1e-3", "0.0") "bodies = ( %s );\n",
                      bodies);
    assert_true(compare(r, 20, -1.0, &renewed) > PAIRS);
    run_close(r);
}

/* Of the candidates every `share`-th stands among those listed for spheres with new margins. */
static void split_candidates(plu_detector *d, size_t share)
{
    plu_pairs *from = &d->spheres, *to = &d->extra;
    size_t kept = 0;
    if (d->world->space.kind != PLU_OPEN_SPACE || !d->built || d->watching || to->count > 0)
        return;
    assert_int_equal(plu_reserve(&to->pair, &to->capacity, from->count, sizeof *to->pair, 0, NULL),
                     PLU_OK);
    for (size_t k = 0; k < from->count; k++)
        if (k % share == 0)
            to->pair[to->count++] = from->pair[k];
        else
            from->pair[kept++] = from->pair[k];
    from->count = kept;
}

enum { AS_ALWAYS, ANEW, ALL_SPLIT, HALF_SPLIT, WAYS };

static plu_status list_otherwise(void *way, plu_stepper *s, const plu_step_info *info,
                                 plu_error *err)
{
    (void)info, (void)err;
    if (*(const int *)way == ANEW)
        s->detector->built = false;
    else if (*(const int *)way >= ALL_SPLIT)
        split_candidates(s->detector, (size_t)(*(const int *)way - ALL_SPLIT + 1));
    return PLU_OK;
}

static run *open_scene(const char *name)
{
    char path[PLU_PATH];
    snprintf(path, sizeof path, BITS_SCENES "/%s.cfg", name);
    return run_of_file(path);
}

/* A list that is kept with its margins, one that is made anew in each step, and one of which half
 * or all was added later lead to the same bits: long strides, what is squeezed out, what sleeps. */
static void lists_do_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"curves", "fast",   "folds",   "gale",
                                        "hasty",  "jams",   "held",    "sleepers",
                                        "squirt", "stream", "strides", "volley"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        double(*first)[8] = NULL;
        for (int way = AS_ALWAYS; way < WAYS; way++) {
            run *r = open_scene(names[k]);
            plu_stepper_set_calls(r->stepper, list_otherwise, NULL, &way);
            run_to(r, r->scene.end);
            const size_t bytes = (size_t)r->world->bodies.count * sizeof *first;
            if (!first)
                first = memcpy(malloc(bytes), r->world->bodies.row, bytes);
            else if (memcmp(first, r->world->bodies.row, bytes) != 0)
                fail_msg("%s depends on how candidates are listed (%d)", names[k], way);
            run_close(r);
        }
        free(first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_brute_force),    cmocka_unit_test(many_equal_brute_force),
        cmocka_unit_test(a_few_new_margins),     cmocka_unit_test(pairs_that_land),
        cmocka_unit_test(two_fast_spheres_meet), cmocka_unit_test(pairs_meet_from_any_distance),
        cmocka_unit_test(lists_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
