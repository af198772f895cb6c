/* Who sleeps, who wakes, and what sleepers at the border feel: each rule by its definition, on
 * states in which it is known who sleeps. (That all this gives what bodies do awake: test_sleep.c.)
 */
#include "assemble/cohesion.h"
#include "base/vec3.h"
#include "detect/detect.h"
#include "memory.h"
#include "pluvia/control.h"
#include "step/stepper.h"
#include "world/motion.h"
#include <math.h>

static const double g = 9.81, h = 1e-3;

enum { MOST = 128, SMALL = 8, TOUCHED = 2 };

static void fall_asleep(run *r, int body)
{
    plu_world *w = r->world;
    assert_true(plu_awake(w, body));
    w->bodies.rest[body] = PLU_ASLEEP;
    w->asleep++;
    memset(w->bodies.row[body], 0, 6 * sizeof(double));
}

static int asleep_of(const run *r)
{
    int count = 0;
    for (int i = 0; i < r->world->bodies.count; i++)
        count += !plu_awake(r->world, i);
    assert_int_equal(count, r->world->asleep);
    return count;
}

/* Live contacts are those of the bodies that are awake now. */
static void list_anew(run *r)
{
    run_check(r, plu_detect_woken(r->stepper->detector, &r->err));
    plu_contacts *list = r->stepper->contacts;
    assert_non_null(list);
}

/* --- thresholds --- */

static run *ball(const char *more)
{
    return run_open(
        "time: { step = 1e-3; end = 10; };\n%s\n" RUN_MATERIALS("2500.0", "0.3", "0.0", "0.0")
            RUN_PLANE
        "bodies = ( { position = [0, 0, 0.02]; radius = 0.02; material = \"grain\"; } );\n",
        more);
}

static void speeds(void **unused)
{
    (void)unused;
    static const struct {
        const char *more;
        double tolerance;
    } tried[] = {{"solver: { tolerance = 0.1; };", 0.1}, {"solver: { tolerance = 5.0; };", 1.0}};
    for (int k = 0; k < 2; k++) {
        run *r = ball(tried[k].more);
        const double scale = g * h * tried[k].tolerance;
        const plu_sleep *q = &r->stepper->sleep;
        assert_near(q->speed, 1e-2 * scale, 1e-15);
        assert_near(q->change, 1e-2 * scale, 1e-15);
        assert_near(q->shock, scale, 1e-15);
        assert_near(q->slow, 0.1 * scale, 1e-15);
        assert_true(q->sleeps == -1 && q->generation == -1); /* no border was listed yet */
        run_close(r);
    }
}

static run *eight(const char *more)
{
    return run_open(
        "time: { step = 1e-3; end = 10; };\n" RUN_MATERIALS(
            "2500.0", "0.3", "0.0", "0.0") "%s\n"
                                           "bodies = ( { lattice: { counts = [8, 1, 1]; spacing = "
                                           "0.05; origin = [0, 0, 1]; }; radius = "
                                           "0.01; material = \"grain\"; } );\n",
        more);
}

/* |v| or r |omega|, each for itself. */
static void limits(void **unused)
{
    (void)unused;
    run *r = eight("");
    static const struct {
        double row[8];
        bool exceeds;
    } tried[] = {{{3, 4, 0, 0, 0, 0, 9, 9}, false},    {{3, 4.001, 0, 0, 0, 0, 9, 9}, true},
                 {{0, 0, 5.001, 0, 0, 0, 0, 0}, true}, {{0, 0, 0, 6, 8, 0, 9, 9}, false},
                 {{0, 0, 0, 6, 8.001, 0, 0, 0}, true}, {{0, 0, 0, 0, 0, 10.1, 0, 0}, true},
                 {{0, 0, 4, 0, 0, 9, 9, 9}, false},    {{-5.001, 0, 0, 0, 0, 0, 0, 0}, true}};
    r->world->bodies.position[3][3] = 0.5;
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
        assert_true(plu_exceeds(r->stepper, 3, tried[k].row, 5.0) == tried[k].exceeds);
    run_close(r);
}

/* --- falling asleep --- */

/* As if `count` bodies had been at rest for `steps`; whether they then sleep. */
static int sleepers(run *r, int count, int steps, int before)
{
    plu_world *w = r->world;
    for (int i = 0; i < before; i++)
        fall_asleep(r, 7 - i);
    for (int i = 2; i < 2 + count && i < w->bodies.count; i++)
        w->bodies.rest[i] = (unsigned char)steps;
    const long sleeps = w->sleeps;
    plu_sleep_begin(r->stepper);
    const int slept = asleep_of(r) - before;
    assert_int_equal(w->sleeps - sleeps, slept > 0);
    return slept;
}

static void who_falls_asleep(void **unused)
{
    (void)unused;
    static const struct {
        const char *more;
        int count, steps, before, slept;
        long at;
    } tried[] = {
        {"", 2, 16, 0, 2, 32},
        {"", 1, 16, 0, 0, 32}, /* less than a quarter */
        {"", 1, 16, 1, 1, 32},
        {"", 2, 15, 0, 0, 32},
        {"", 5, 200, 0, 5, 32},
        {"", 2, 16, 0, 0, 31},
        {"", 2, 16, 0, 0, 33},
        {"", 0, 16, 3, 0, 32},
        {"solver: { quiet = false; };", 2, 16, 0, 0, 32},
        {"cell: { size = [1, 1, 2]; shear_rate = 1; };", 2, 16, 0, 0, 32},
        {"cell: { size = [1, 1, 2]; };", 2, 16, 0, 2, 32},
        {"boundaries = ( { plane: {}; material = \"plate\"; servo: { mass = 1; force = 1; }; } );",
         2, 16, 0, 0, 32},
        {"boundaries = ( { plane: {}; material = \"plate\"; motion: { velocity = [0, 0, 1e-6]; }; "
         "} );",
         2, 16, 0, 0, 32},
        {"boundaries = ( { plane: {}; material = \"plate\"; motion: { velocity = [0, 0, 0.1]; }; } "
         ");",
         2, 16, 0, 2, 32}};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        run *r = eight(tried[k].more);
        run_step(r);
        r->world->steps = tried[k].at;
        const int slept = sleepers(r, tried[k].count, tried[k].steps, tried[k].before);
        if (slept != tried[k].slept)
            fail_msg("case %zu: %d sleep, not %d", k, slept, tried[k].slept);
        for (int i = 0; i < 8; i++)
            assert_true(plu_awake(r->world, i) ==
                        !((i >= 2 && i < 2 + tried[k].count && slept) || i >= 8 - tried[k].before));
        run_close(r);
    }
    run *soft = run_open("method = \"penalty\";\ntime: { step = 1e-5; end = 10; };\n" RUN_MATERIALS(
        "2500.0", "0.3", "0.0",
        "0.0; friction_dynamic = 0.2; normal_stiffness = 1e4") "bodies = ( { position = [0, 0, 0]; "
                                                               "radius = 0.01; material = "
                                                               "\"grain\"; } );\n");
    soft->world->steps = 32;
    soft->world->bodies.rest[0] = 16;
    plu_sleep_begin(soft->stepper);
    assert_int_equal(asleep_of(soft), 0);
    run_close(soft);
}

/* The energy of motion that is lost counts as that of an impact; bodies that are not there do not
 * sleep, and do not count. */
static void what_falling_asleep_does(void **unused)
{
    (void)unused;
    run *r = eight("");
    plu_world *w = r->world;
    double lost = 0.0;
    run_step(r);
    w->steps = 48;
    for (int i = 0; i < 8; i++) {
        const double row[6] = {1e-5, -2e-5, 3e-5, 0.2 + i, 0.1, -0.3};
        memcpy(w->bodies.row[i], row, sizeof row);
        w->bodies.rest[i] = i < 4 ? 16 : 3;
        if (i == 1 || i == 5) {
            w->bodies.state[i] = i == 1 ? PLU_REMOVED : PLU_WAITING;
            w->active--;
        } else if (i < 4) {
            lost += 0.5 * plu_dot(row, row) / w->bodies.row[i][6] +
                    0.5 * plu_dot(row + 3, row + 3) / w->bodies.row[i][7];
        }
    }
    const double before = r->stepper->totals.work_impact, mass = w->bodies.row[0][6],
                 inertia = w->bodies.row[0][7];
    plu_sleep_begin(r->stepper);
    assert_int_equal(asleep_of(r), 3);
    assert_true(plu_awake(w, 1));
    assert_near(r->stepper->totals.work_impact, before - lost, 1e-12 * lost);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 6; k++)
            assert_true((w->bodies.row[i][k] == 0.0) == (i == 0 || i == 2 || i == 3));
    assert_true(w->bodies.row[0][6] == mass && w->bodies.row[0][7] == inertia);
    run_close(r);
}

/* Whether they are a quarter goes by those that are there, whoever is the first. */
static void the_first_is_gone(void **unused)
{
    (void)unused;
    run *r = eight("");
    run_step(r);
    r->world->steps = 32;
    r->world->bodies.state[0] = PLU_REMOVED;
    r->world->active--;
    assert_int_equal(sleepers(r, 2, 16, 0), 2);
    run_close(r);
}

/* --- waking --- */

enum { ROW = 64, LONG = 600 }; /* 64: no array has room for one more */

/* A row of spheres that touch, all asleep. */
static run *row_of(int count)
{
    run *r = run_open(
        "time: { step = 1e-3; end = 10; };\n" RUN_MATERIALS("2500.0", "0.3", "0.0", "0.0") RUN_PLANE
        "bodies = ( { lattice: { counts = [%d, 1, 1]; spacing = 0.02; origin = [0, 0, 0.01]; }; "
        "radius = 0.01; material = \"grain\"; } );\n",
        count);
    run_step(r);
    assert_int_equal(r->stepper->contacts->count, 2 * count - 1);
    for (int i = 0; i < count; i++)
        fall_asleep(r, i);
    return r;
}

static run *row(void)
{
    return row_of(ROW);
}

/* Contacts in an array without a place too many, for the sanitizer; exchanges it for the list's. */
static plu_contact *bare_contacts(run *r, plu_contact *back)
{
    plu_contacts *list = r->stepper->contacts;
    plu_contact *was = list->contact;
    if (!back) {
        back = malloc((size_t)list->count * sizeof *back);
        assert_non_null(back);
        memcpy(back, was, (size_t)list->count * sizeof *back);
    } else {
        free(was);
    }
    list->contact = back;
    return was;
}

/* Body `at` of the border would move with `speed`, another one would not. */
static bool pushed(run *r, int at, double speed, double spin, int round)
{
    plu_sleep *q = &r->stepper->sleep;
    const double would[8] = {0.0, speed, 0.0, 0.0, 0.0, spin, 1.0, 1.0};
    const int other = r->world->bodies.count - 3, behind = other - 3;
    q->border_count = 2;
    q->border[0] = other;
    q->border[1] = at;
    q->border[2] = behind; /* is none of it */
    q->touch_count = 0;
    r->world->bodies.position[other][3] = 1e-6;
    memset(q->held[other], 0, sizeof q->held[other]);
    q->held[behind][2] = 100.0;
    r->stepper->problem.v[behind][2] = 100.0;
    memcpy(q->held[at], would, sizeof would);
    memset(q->marked, 3, (size_t)r->world->bodies.count); /* what was there before does not count */
    for (int k = 0; k < 8; k++)
        r->stepper->problem.v[at][k] = 7e-9 * k;
    plu_contact *was = bare_contacts(r, NULL);
    const bool again = plu_sleep_wake(r->stepper, round);
    bare_contacts(r, was);
    for (int k = 0; k < 6; k++)
        assert_near(r->stepper->problem.v[at][k], 0.0, 0.0);
    assert_near(r->stepper->problem.v[at][6], 1.0, 0.0);
    return again;
}

static void only_awake(const run *r, int first, int last)
{
    for (int i = 0; i < ROW; i++)
        if (plu_awake(r->world, i) != (i >= first && i <= last))
            fail_msg("body %d: of %d to %d who are to be awake", i, first, last);
    assert_int_equal(asleep_of(r), ROW - (last >= first ? last - first + 1 : 0));
}

static void rings(void **unused)
{
    (void)unused;
    for (int spins = 0; spins < 2; spins++) {
        const double unit = spins ? 0.0 : 1.0, turn = spins ? 100.0 : 0.0; /* r omega is a speed */
        static const struct {
            double times; /* of the speed of a shock */
            int round, first, last;
            bool again;
        } tried[] = {{0.009, 1, 1, 0, false},    {0.0101, 1, 20, 20, false},
                     {0.99, 1, 20, 20, false},   {1.01, 1, 18, 22, true},
                     {1.01, 2, 12, 28, true},    {1.01, 3, 0, ROW - 1, true},
                     {1.01, 4, 0, ROW - 1, true}};
        for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
            run *r = row();
            const double speed = tried[k].times * r->stepper->sleep.shock;
            const long before = r->world->wakings;
            assert_true(pushed(r, 20, unit * speed, turn * speed, tried[k].round) ==
                        tried[k].again);
            only_awake(r, tried[k].first, tried[k].last);
            assert_int_equal(r->world->wakings - before, ROW - asleep_of(r));
            run_close(r);
        }
    }
    run *r = row(); /* those that are awake already pass nothing on */
    plu_wake(r->world, 19);
    assert_true(pushed(r, 20, 2.0 * r->stepper->sleep.shock, 0.0, 1));
    only_awake(r, 19, 22);
    run_close(r);
    r = row_of(LONG); /* not all at once */
    assert_true(pushed(r, 300, 2.0 * r->stepper->sleep.shock, 0.0, 3));
    for (int i = 0; i < LONG; i++)
        assert_true(plu_awake(r->world, i) == (i >= 50 && i <= 550));
    run_close(r);
}

/* --- boundaries that move --- */

/* Two that lie on a floor, and two on a plate beside it that moves by calls; all asleep. */
static run *two_floors(double speed)
{
    run *r = run_open("time: { step = 1e-3; end = 10; };\n" RUN_MATERIALS(
        "2500.0", "0.3", "0.0", "0.0") "boundaries = ( { plate: { center = [0, 0, 0]; normal = [0, "
                                       "0, 1]; size = [0.2, 0.2]; }; material "
                                       "= \"plate\"; }, { plate: { center = [1, 0, 0]; normal = "
                                       "[0, 0, 1]; size = [0.2, 0.2]; }; "
                                       "material = \"plate\"; motion: {}; } );\n"
                                       "bodies = ( { position = [0, 0, 0.01]; radius = 0.01; "
                                       "material = \"grain\"; }, { position = [1, "
                                       "0, 0.01]; radius = 0.01; material = \"grain\"; }, { "
                                       "position = [0, 0, 0.03]; radius = 0.01; "
                                       "material = \"grain\"; }, { position = [1, 0, 0.03]; radius "
                                       "= 0.01; material = \"grain\"; } );\n");
    run_step(r);
    const plu_drive drive = {{speed, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}};
    run_check(r, plu_stepper_drive_boundary(r->stepper, 1, &drive, &r->err));
    run_step(r);
    for (int i = 0; i < 4; i++) {
        if (plu_awake(r->world, i))
            fall_asleep(r, i);
        r->world->bodies.rest[i] = PLU_ASLEEP;
    }
    return r;
}

static bool carried(run *r)
{
    plu_contact *was = bare_contacts(r, NULL);
    const bool woken = plu_sleep_wake_at_walls(r->stepper);
    bare_contacts(r, was);
    return woken;
}

static void boundaries_wake(void **unused)
{
    (void)unused;
    run *r = two_floors(0.1); /* what touches it */
    assert_true(carried(r));
    assert_int_equal(asleep_of(r), 3);
    assert_true(plu_awake(r->world, 1));
    r->world->bodies.rest[1] = 9;
    assert_false(carried(r));                      /* it is awake, */
    assert_int_equal(r->world->bodies.rest[1], 0); /* and stays so */
    run_close(r);
    r = two_floors(0.0);
    assert_false(carried(r));
    assert_int_equal(asleep_of(r), 4);
    const double slow = r->stepper->sleep.slow;
    run_close(r);
    for (int k = 0; k < 2; k++) { /* everybody if it is slow */
        r = two_floors((k ? 1.01 : 0.99) * slow);
        const long before = r->world->wakings;
        plu_wake(r->world, 2);
        assert_true(carried(r));
        assert_int_equal(asleep_of(r), k ? 2 : 0);
        assert_int_equal(r->world->wakings - before, k ? 2 : 4);
        run_close(r);
    }
    r = two_floors(0.9 * slow); /* also one alone */
    for (int i = 1; i < 4; i++)
        plu_wake(r->world, i);
    assert_true(carried(r));
    assert_int_equal(asleep_of(r), 0);
    run_close(r);
    r = two_floors(0.01); /* as fast as that is not slow */
    r->stepper->sleep.slow = plu_motions_slowest(r->world);
    assert_true(carried(r));
    assert_int_equal(asleep_of(r), 3);
    run_close(r);
    r = ball("");
    run_step(r);
    fall_asleep(r, 0);
    assert_false(carried(r));
    run_close(r);
}

/* Where there are no other contacts those with walls are all. */
static void a_boundary_wakes_the_first(void **unused)
{
    (void)unused;
    run *r = run_open("time: { step = 1e-3; end = 10; };\n" RUN_MATERIALS(
        "2500.0", "0.3", "0.0", "0.0") "boundaries = ( { plane: {}; material = \"plate\"; motion: "
                                       "{ velocity = [1, 0, 0]; }; } );\n"
                                       "bodies = ( { lattice: { counts = [64, 1, 1]; spacing = "
                                       "0.05; origin = [0, 0, 0.01]; }; radius = "
                                       "0.01; material = \"grain\"; } );\n");
    run_step(r);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 64; i++)
            fall_asleep(r, i);
        r->stepper->sleep.slow = k ? 10.0 : 0.0;
        assert_int_equal(r->stepper->contacts->count, 64);
        assert_true(carried(r));
        assert_int_equal(asleep_of(r), 0);
    }
    r->stepper->sleep.slow = 0.0;
    r->world->steps = 32;
    for (int i = 0; i < 64; i++)
        r->world->bodies.rest[i] = 20;
    plu_sleep_begin(r->stepper);
    assert_int_equal(asleep_of(r), 64);
    run_close(r);
    r = row(); /* a border of which nothing lies behind the last body */
    plu_wake(r->world, 5);
    list_anew(r);
    run_check(r, plu_border_prepare(r->stepper, &r->err));
    assert_int_equal(r->stepper->sleep.border_count, 2);
    run_close(r);
}

/* --- the border --- */

enum { WIDE = 6, BED = WIDE * WIDE * 3 };

/* Three layers that stick or do not, in a box, asleep but for `count` bodies. */
static run *bed(const char *cohesion, const int *awake, int count)
{
    run *r = run_open(
        "gravity = [1, 2, -9.81];\ntime: { step = 1e-3; end = 10; };\nsolver: { quiet = false; };\n"
        "materials = ( { name = \"grain\"; density = 2500; }, { name = \"plate\"; } );\n"
        "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.4; rolling_friction = 1e-4; "
        "%s }, "
        "{ between = [\"grain\", \"plate\"]; friction = 0.3; rolling_friction = 1e-4; } );\n"
        "boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.12, 0.12, 0.3]; }; material = "
        "\"plate\"; } "
        ");\nbodies = ( { lattice: { counts = [6, 6, 3]; spacing = 0.02; origin = [0.01, 0.01, "
        "0.01]; }; "
        "radius = 0.01; material = \"grain\"; } );\n",
        cohesion);
    for (int i = 0; i < BED; i++)
        for (int k = 0; k < 3; k++)
            r->world->bodies.row[i][3 + k] = sin(3.0 * i + k);
    for (int step = 0; step < 20; step++)
        run_step(r);
    for (int i = 0; i < BED; i++) {
        bool wakes = false;
        r->world->bodies.row[i][6] *= 1.0 + 0.01 * sin(i); /* no two are alike */
        r->world->bodies.row[i][7] *= 1.0 + 0.01 * cos(i);
        r->world->bodies.position[i][3] *= 1.0 + 1e-6 * sin(i);
        for (int k = 0; k < count; k++)
            wakes |= awake[k] == i;
        if (!wakes)
            fall_asleep(r, i);
    }
    list_anew(r);
    return r;
}

typedef struct border {
    double held[BED][8];
    int mark[BED];
    bool listed[BED], pushes[BED];
} border;

static void feels(const run *r, const plu_contact *c, const plu_impulse *p, int i, double row[8])
{
    const double radius = r->world->spheres.at[i][3], side = i == c->b ? 1.0 : -1.0;
    double arm[3], force[3], turning[3];
    for (int k = 0; k < 3; k++) {
        force[k] = side * (p->n * c->normal[k] + p->t[k]);
        arm[k] = -side * radius * c->normal[k]; /* from its center to the contact */
    }
    plu_cross(arm, force, turning);
    for (int k = 0; k < 3; k++) {
        row[k] += row[6] * force[k];
        row[3 + k] += row[7] * (turning[k] + side * p->m[k]);
    }
}

static bool has(const plu_contact *c, int i)
{
    return c->b == i || plu_side_is(c->a, i);
}

static bool both_sleep(const run *r, const plu_contact *c)
{
    return !plu_awake(r->world, c->b) &&
           (plu_side_is_part(c->a) || !plu_awake(r->world, plu_side_sphere(c->a)));
}

/* How many that are awake hang together with i. */
static int group_of(const run *r, int i)
{
    const plu_contacts *list = r->stepper->contacts;
    bool in[BED] = {false}, grows = true;
    int count = 1;
    in[i] = true;
    while (grows) {
        grows = false;
        for (int k = 0; k < list->count; k++) {
            const plu_contact *c = &list->contact[k];
            if (plu_side_is_part(c->a))
                continue;
            const int a = plu_side_sphere(c->a);
            if (plu_awake(r->world, a) && plu_awake(r->world, c->b) && in[a] != in[c->b]) {
                in[a] = in[c->b] = grows = true;
                count++;
            }
        }
    }
    return count;
}

/* By definition; `all`: all sleepers may be at the border, else those of `last` and whom others
 * touch. */
static void find_border(const run *r, bool all, const bool last[BED], border *b)
{
    const plu_contacts *list = r->stepper->contacts;
    const plu_world *w = r->world;
    memset(b, 0, sizeof *b);
    for (int i = 0; i < BED; i++) {
        if (plu_awake(w, i))
            continue;
        b->mark[i] = all || last[i];
        memcpy(b->held[i], w->bodies.row[i], sizeof b->held[i]);
        for (int k = 0; k < 3; k++)
            b->held[i][k] = h * w->gravity[k];
        for (int k = 0; k < list->count; k++) {
            const plu_contact *c = &list->contact[k];
            const plu_impulse pull = {.n = -plu_attraction(w, list, k)};
            if (!has(c, i))
                continue;
            feels(r, c, &pull, i, b->held[i]);
            if (both_sleep(r, c)) {
                feels(r, c, &list->impulse[k], i, b->held[i]);
                continue;
            }
            const int other = c->b == i ? plu_side_sphere(c->a) : c->b;
            b->mark[i] = TOUCHED;
            b->pushes[i] |= group_of(r, other) > SMALL;
        }
        const double *v = b->held[i], r0 = w->spheres.at[i][3], limit = r->stepper->sleep.change;
        b->listed[i] = b->mark[i] == TOUCHED ||
                       (b->mark[i] && (plu_norm(v) > limit || r0 * plu_norm(v + 3) > limit));
    }
}

/* What is prepared is what is defined. */
static int is_prepared(run *r, bool all, const bool last[BED])
{
    border want;
    plu_sleep *q = &r->stepper->sleep;
    bool listed[BED] = {false};
    for (int i = 0; i < BED; i++) /* who is pinned stays so where nobody touches it */
        if (!plu_awake(r->world, i))
            r->world->bodies.rest[i] = PLU_ASLEEP;
    find_border(r, all, last, &want);
    run_check(r, plu_border_prepare(r->stepper, &r->err));
    int before = -1;
    for (int k = 0; k < q->border_count; k++) {
        assert_true(q->border[k] > before);
        listed[before = q->border[k]] = true;
    }
    for (int i = 0; i < BED; i++) {
        if (plu_awake(r->world, i)) {
            assert_true(!q->marked[i] && !listed[i]);
            continue;
        }
        assert_int_equal(q->marked[i], want.mark[i]);
        assert_true(listed[i] == want.listed[i]);
        for (int k = 0; k < 8 && want.mark[i]; k++)
            assert_near(q->held[i][k], want.held[i][k], 1e-13 * (1.0 + fabs(want.held[i][k])));
        assert_int_equal(r->world->bodies.rest[i],
                         listed[i] && !want.pushes[i] ? PLU_PINNED : PLU_ASLEEP);
    }
    return q->border_count;
}

/* Bodies that are awake: apart; up to eight and more that touch in the top layer; nine of which the
 * first hangs on by one contact, which is the first of all, as does what it pushes; nine whose
 * contacts join a later group to an earlier one. */
static const struct {
    int count, body[16];
} sets[] = {{3, {1, 60, 107}},
            {11, {40, 60, 107, 86, 87, 88, 92, 93, 94, 98, 99}},
            {12, {40, 60, 107, 86, 87, 88, 92, 93, 94, 98, 99, 100}},
            {13, {40, 60, 107, 86, 87, 88, 92, 93, 94, 98, 99, 100, 57}},
            {9, {0, 1, 2, 3, 4, 5, 9, 10, 11}},
            {8, {0, 1, 2, 3, 4, 5, 9, 10}},
            {9, {36, 42, 6, 7, 8, 9, 10, 11, 17}},
            {8, {36, 42, 6, 7, 8, 9, 10, 11}},
            {10, {0, 86, 87, 88, 92, 93, 94, 98, 99, 100}}};

/* Live contacts in an array without a place too many, for the sanitizer. */
static int *bare_list(const run *r)
{
    plu_contacts *list = r->stepper->contacts;
    int *bare = malloc((size_t)list->live_count * sizeof *bare);
    assert_non_null(bare);
    memcpy(bare, list->live, (size_t)list->live_count * sizeof *bare);
    list->live = bare;
    return bare;
}

static void check_border(run *r)
{
    const bool nobody[BED] = {false};
    plu_sleep *q = &r->stepper->sleep;
    int *bare = bare_list(r);
    /* at first all sleepers are looked at, */
    q->sleeps = -1;
    q->generation = r->world->generation;
    const int first = is_prepared(r, true, nobody);
    assert_true(first > 0);
    bool last[BED] = {false};
    for (int k = 0; k < q->border_count; k++)
        last[q->border[k]] = true;
    /* then those of the border and whom others touch, */
    assert_int_equal(is_prepared(r, false, last), first);
    /* what is out of balance is found among them only, */
    double *n = NULL;
    int loose = -1;
    for (int k = 0; k < r->stepper->contacts->count && !n; k++) {
        const plu_contact *c = &r->stepper->contacts->contact[k];
        if (both_sleep(r, c) && plu_side_is_part(c->a) && !last[c->b] && c->b > 12 &&
            r->stepper->contacts->impulse[k].n > 1e-6) {
            n = &r->stepper->contacts->impulse[k].n;
            loose = c->b;
        }
    }
    assert_non_null(n);
    *n *= 2.0;
    assert_int_equal(is_prepared(r, false, last), first);
    /* or when somebody has fallen asleep, or a list was made anew */
    q->sleeps--;
    assert_true(is_prepared(r, true, nobody) > first);
    q->generation--;
    assert_true(is_prepared(r, true, nobody) > first);
    assert_true(q->sleeps == r->world->sleeps && q->generation == r->world->generation);
    /* one of the border that nobody touches stays in it, as the first of its list too, */
    memset(last, 0, sizeof last);
    last[loose] = true;
    q->border_count = 1;
    q->border[0] = loose;
    assert_true(is_prepared(r, false, last) > 0);
    /* and goes where it is awake */
    last[loose] = false;
    q->border_count = 2;
    q->border[0] = loose == BED - 2 ? 13 : BED - 2;
    q->border[1] = loose;
    last[q->border[0]] = true;
    plu_wake(r->world, loose);
    list_anew(r);
    free(bare);
    assert_true(is_prepared(r, false, last) > 0);
}

static void the_border_is_found(void **unused)
{
    (void)unused;
    for (int sticks = 0; sticks < 2; sticks++)
        for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
            run *r = bed(sticks ? "cohesion = 0.05;" : "", sets[k].body, sets[k].count);
            check_border(r);
            run_close(r);
        }
}

/* Of one that sleeps alone the border is this one. */
static void one_sleeps(void **unused)
{
    (void)unused;
    int awake[BED], count = 0;
    const bool nobody[BED] = {false};
    for (int i = 0; i < BED; i++)
        if (i != 50)
            awake[count++] = i;
    run *r = bed("", awake, count);
    r->stepper->sleep.sleeps = -1;
    assert_int_equal(is_prepared(r, true, nobody), 1);
    run_close(r);
}

/* Without sleepers there is no border. */
static void nobody_sleeps(void **unused)
{
    (void)unused;
    run *r = ball("");
    run_step(r);
    r->stepper->sleep.border_count = 1;
    r->stepper->sleep.border[0] = 0;
    run_check(r, plu_border_prepare(r->stepper, &r->err));
    assert_int_equal(r->stepper->sleep.border_count, 0);
    assert_true(plu_awake(r->world, 0));
    run_close(r);
}

/* What a solve has found for a contact. */
static plu_impulse given(int live)
{
    const double x = 1e-4 * (1.0 + live);
    return (plu_impulse){x, {0.3 * x, -0.2 * x, 0.1 * x}, {2e-3 * x, 5e-3 * x, -1e-3 * x}};
}

static void give(plu_stepper *s, int live)
{
    const int slot = s->problem.slot_of_contact[live];
    const plu_impulse p = given(live);
    for (int i = 0; i < 7; i++)
        plu_block_of(&s->problem, slot)->p[i][slot % PLU_LANES] =
            i ? (i < 4 ? p.t[i - 1] : p.m[i - 4]) : p.n;
}

/* In a step: rows of the border, those that yield by what holds them, the others fixed; then what
 * they feel is what holds them and what live contacts do. Sleepers stay where they are. */
static void the_border_in_a_step(void **unused)
{
    (void)unused;
    for (int sticks = 0; sticks < 2; sticks++) {
        run *r = bed(sticks ? "cohesion = 0.05;" : "", sets[3].body, sets[3].count);
        plu_stepper *s = r->stepper;
        const plu_sleep *q = &s->sleep;
        int pinned = 0, yielding = 0;
        static double fresh[BED][8], solved[BED][8];
        list_anew(r);
        run_check(r, plu_border_prepare(s, &r->err));
        run_check(r, plu_assemble(s->assembler, s->contacts, false, &s->problem, &r->err));
        const int at_border = q->border_count;
        assert_true(at_border > 3);
        for (int i = 0; i < BED; i++) /* as a solve leaves them */
            for (int k = 0; k < 8; k++)
                s->problem.v[i][k] = s->problem.v_free[i][k] = 1.0 + i + 0.1 * k;
        s->sleep.border[at_border] = 94; /* is none of it */
        plu_border_place(s);
        for (int i = 0; i < BED; i++) {
            bool at = false;
            for (int k = 0; k < at_border; k++)
                at |= q->border[k] == i;
            const bool fixed = r->world->bodies.rest[i] == PLU_PINNED;
            pinned += at && fixed;
            yielding += at && !fixed;
            for (int k = 0; k < 8; k++) {
                const double want = !at ? 1.0 + i + 0.1 * k : fixed ? 0.0 : q->held[i][k];
                assert_near(s->problem.v[i][k], want, 0.0);
                assert_near(s->problem.v_free[i][k], want, 0.0);
                s->problem.v[i][k] = solved[i][k] = 2.0 + i - 0.1 * k;
            }
        }
        assert_true(pinned > 0 && yielding > 0);
        const plu_contacts *list = s->contacts;
        for (int live = 0; live < list->live_count; live++)
            give(s, live);
        plu_border_feel(s);
        for (int k = 0; k < at_border; k++) {
            const int i = q->border[k];
            memcpy(fresh[i], q->held[i], sizeof fresh[i]);
            for (int live = 0; live < list->live_count; live++) {
                const plu_contact *c = &list->contact[list->live[live]];
                const plu_impulse p = given(live);
                if (has(c, i))
                    feels(r, c, &p, i, fresh[i]);
            }
            for (int j = 0; j < 8; j++) {
                assert_near(s->problem.v[i][j], fresh[i][j], 1e-12 * (1.0 + fabs(fresh[i][j])));
                assert_near(q->yielded[i][j], solved[i][j], 0.0);
            }
        }
        for (int turn = 0; turn < 2; turn++) {
            plu_border_swap(s);
            for (int k = 0; k < at_border; k++)
                for (int i = q->border[k], j = 0; j < 8; j++) {
                    assert_near(turn ? q->yielded[i][j] : s->problem.v[i][j], solved[i][j], 0.0);
                    assert_near(turn ? s->problem.v[i][j] : q->yielded[i][j], fresh[i][j],
                                1e-12 * (1.0 + fabs(fresh[i][j])));
                }
        }
        run_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(speeds),
        cmocka_unit_test(limits),
        cmocka_unit_test(who_falls_asleep),
        cmocka_unit_test(what_falling_asleep_does),
        cmocka_unit_test(the_first_is_gone),
        cmocka_unit_test(rings),
        cmocka_unit_test(boundaries_wake),
        cmocka_unit_test(a_boundary_wakes_the_first),
        cmocka_unit_test(the_border_is_found),
        cmocka_unit_test(one_sleeps),
        cmocka_unit_test(nobody_sleeps),
        cmocka_unit_test(the_border_in_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
