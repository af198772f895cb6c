/* Small scenes (tests/data/bits) with nearly all that a scene may have. Their energy is balanced,
 * a state that is set in a new run continues with the same bits, and what they compute is, bit for
 * bit, what it was when tests/physics/bits.csv was written. That says that nothing has changed, not
 * that it is right, and ends with each change of bits that is meant:
 * BITS_TABLE=tests/physics/bits.csv build/work/tests/physics/physics_bits writes the table anew. */
#include "base/team.h"
#include "memory.h"
#include "pluvia/cell.h"
#include "pluvia/rules.h"
#include "pluvia/sensor.h"
#include "pluvia/stage.h"
#include <stdint.h>

typedef struct scene {
    const char *name;
    double imbalance; /* of its energy, at most */
} scene;

static const scene scenes[] = {
    {"associated", 1e-12}, {"bed", 1e-12},         {"bounce", 1e-12},   {"bowl", 1e-12},
    {"cell", 1e-12},       {"cohesive", 1e-12},    {"chosen", 1e-12},   {"curves", 1e-12},
    {"fast", 1e-12},       {"feeders", 1e-12},     {"folds", 1e-12},    {"gale", 1e-12},
    {"glued", 1e-12},      {"groups", 1e-12},      {"hasty", 1e-12},    {"held", 1e-12},
    {"jams", 1e-12},       {"layer", 1e-12},       {"levels", 1e-12},   {"own_steps", 1e-12},
    {"poured", 1e-12},     {"pressed", 1e-12},     {"rough", 1e-12},    {"servos", 1e-12},
    {"shapes", 1e-12},     {"sizes", 1e-12},       {"slab", 1e-12},     {"sleepers", 1e-12},
    {"soft_shapes", 1e-2}, {"springs", 1e-3},      {"squeezed", 1e-12}, {"squirt", 1e-12},
    {"staged", 1e-12},     {"staged_cell", 1e-12}, {"stream", 1e-12},   {"strides", 1e-12},
    {"tilting", 1e-12},    {"unsolved", 1e-12},    {"volley", 1e-12},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* What a run is summed up to; by parts, so that a difference says where it is. */
typedef struct sums {
    uint64_t state; /* what a checkpoint has */
    uint64_t shown; /* what a user may ask for */
    uint64_t said;  /* messages */
} sums;

static void add(uint64_t *sum, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t k = 0; k < bytes; k++)
        *sum = (*sum ^ at[k]) * 1099511628211u; /* FNV-1a */
}

static void add_number(uint64_t *sum, double x)
{
    const double same = isnan(x) ? 0.125 : x + 0.0; /* no matter which NAN, or the sign of 0 */
    add(sum, &same, sizeof same);
}

static void add_numbers(uint64_t *sum, const double *x, int count)
{
    for (int k = 0; k < count; k++)
        add_number(sum, x[k]);
}

static void hear(void *user, plu_log_level level, const char *text)
{
    uint64_t *said = user;
    add_number(said, level);
    for (const char *path; (path = strstr(text, BITS_SCENES)); text = path + strlen(BITS_SCENES))
        add(said, text, (size_t)(path - text));
    add(said, text, strlen(text));
}

static run *open(const scene *s, const plu_log *log)
{
    run *r = calloc(1, sizeof *r);
    char path[PLU_PATH];
    snprintf(path, sizeof path, BITS_SCENES "/%s.cfg", s->name);
    run_check(r, plu_scene_read(&r->scene, path, NULL, 0, &r->err));
    run_check(r, plu_world_create(&r->world, &r->scene, &r->err));
    run_check(r, plu_stepper_create(&r->stepper, r->world, &r->scene, log, &r->err));
    return r;
}

static void add_step(const run *r, uint64_t *shown)
{
    const plu_step_info *i = &r->info;
    const double seen[] = {i->contacts,
                           i->wall_contacts,
                           i->pairs,
                           i->islands,
                           i->iterations,
                           (double)i->updates,
                           i->residual_scaled,
                           i->velocity_error,
                           i->sinking_speed,
                           i->converged,
                           i->tolerance,
                           i->missed,
                           i->penetration,
                           i->penetration_ratio,
                           i->yielding,
                           i->yield_depth,
                           i->errors.net,
                           i->errors.all,
                           i->errors.friction,
                           plu_stepper_strength(r->stepper),
                           plu_stepper_rest_measure(r->stepper),
                           plu_stepper_boundary_load(r->stepper),
                           run_energy(r)};
    add_numbers(shown, seen, sizeof seen / sizeof *seen);
}

static void add_contacts(const run *r, uint64_t *shown)
{
    for (int i = 0; i < plu_stepper_contacts(r->stepper); i++) {
        plu_contact_row c;
        plu_stepper_contact(r->stepper, i, &c);
        const bool body = plu_side_is_sphere(c.a);
        add_number(shown, body ? plu_side_sphere(c.a) : -1 - plu_side_part(c.a));
        add_number(shown, body ? plu_side_image(c.a) : 0);
        add_number(shown, c.b);
        add_numbers(shown, c.point, 3);
        add_numbers(shown, c.normal, 3);
        add_number(shown, c.gap);
        add_number(shown, c.impulse_normal);
        add_numbers(shown, c.impulse_tangent, 3);
        add_numbers(shown, c.impulse_moment, 3);
        add_numbers(shown, c.velocity, 3);
        add_numbers(shown, c.spin, 3);
        add_number(shown, c.law);
        add_number(shown, c.mode);
        add_number(shown, plu_stepper_touches(r->stepper, i));
    }
}

/* Forces, stress, sensors: what is asked for after a step. */
static void add_forces(const run *r, uint64_t *shown)
{
    const int bodies = plu_world_bodies(r->world).count;
    double stress[3][3], vector[2][3], (*force)[3] = calloc((size_t)bodies + 1, sizeof *force);
    plu_stepper_forces(r->stepper, force);
    add_numbers(shown, force[0], 3 * bodies);
    free(force);
    if (r->scene.cell->given) {
        plu_stepper_cell_stress(r->stepper, stress);
        add_numbers(shown, stress[0], 9);
    }
    for (int b = 0; b < r->scene.boundaries_count; b++) {
        plu_stepper_boundary_force(r->stepper, b, vector[0], vector[1]);
        add_numbers(shown, vector[0], 6);
    }
    for (int s = 0; s < r->scene.sensors_count; s++)
        for (int k = 0; k < plu_sensor_numbers(r->scene.sensors[s].kind); k++)
            add_number(shown, plu_stepper_sensor(r->stepper, s, k));
}

static void add_world(const run *r, uint64_t *shown)
{
    const plu_world *w = r->world;
    const double counts[] = {plu_world_active(w),  plu_world_waiting(w),
                             plu_world_removed(w), plu_world_fixed(w),
                             plu_cell_fraction(w), (double)plu_world_delayed(w)};
    add_numbers(shown, counts, sizeof counts / sizeof *counts);
    for (int b = 0; b < r->scene.boundaries_count; b++) {
        const plu_boundary_place place = plu_world_boundary(w, b);
        add_numbers(shown, place.position, 3);
        add_numbers(shown, place.rotation, 4);
        add_number(shown, place.gone);
    }
    for (int f = 0; f < r->scene.feeders_count; f++) {
        const plu_feed feed = plu_world_feed(w, f);
        const double seen[] = {feed.count, feed.released,    feed.asked, feed.rate,
                               feed.most,  feed.sphere_mass, feed.mass,  feed.mass_flow};
        add_numbers(shown, seen, sizeof seen / sizeof *seen);
    }
}

static void add_state(run *r, uint64_t *state)
{
    memory *m = memory_save(r);
    for (int i = 0; i < m->count; i++) {
        if (strstr(m->arrays[i].name, "seconds")) /* of the clock */
            continue;
        add(state, m->arrays[i].name, strlen(m->arrays[i].name));
        add(state, m->arrays[i].data, m->arrays[i].bytes);
    }
    memory_free(m);
}

/* Numbers by which stages end. */
static void add_readings(const run *r, uint64_t *shown)
{
    for (int kind = 0; kind < PLU_READ_SENSOR; kind++) {
        const bool cell = kind == PLU_READ_CELL_STRESS, boundary = kind > PLU_READ_CELL_STRESS;
        const int count = boundary ? r->scene.boundaries_count : !cell || r->scene.cell->given,
                  parts = cell                     ? 6
                          : kind == PLU_READ_FORCE ? 4
                          : kind == PLU_READ_PLACE ? 3
                                                   : 1;
        for (int k = 0; k < count * parts; k++) {
            const plu_stage_number number = {kind, k / parts, k % parts};
            add_number(shown, plu_stepper_reading(r->stepper, &number, &r->info));
        }
    }
}

static void add_rules(const run *r, uint64_t *shown)
{
    double value[PLU_RULES];
    plu_rules_foresee(r->stepper, value);
    add_numbers(shown, value, PLU_RULES);
    for (int rule = 0; rule < PLU_RULES; rule++)
        add_number(shown, plu_rules_boundary(r->stepper, rule));
}

/* Stages last equally long here, whatever ends them. */
static void enter(run *r, int stage, bool goes_on)
{
    double begun[PLU_STAGES];
    for (int k = 0; k < r->scene.stages_count; k++)
        begun[k] = k * r->scene.end / r->scene.stages_count;
    plu_scene_enter(&r->scene, stage, begun);
    run_check(r, plu_stepper_restage(r->stepper, goes_on, &r->err));
}

static void enter_next(run *r)
{
    const int next = r->scene.stage + 1, count = r->scene.stages_count;
    if (next < count && plu_world_time(r->world) >= next * r->scene.end / count - 1e-9)
        enter(r, next, true);
}

/* Steps from here to the end of `share` of the scene. */
static void go(run *r, double share, uint64_t *shown)
{
    const double end = share * r->scene.end - 1e-9;
    for (int step = 0; plu_world_time(r->world) < end; step++) {
        enter_next(r);
        run_step(r);
        add_step(r, shown);
        if (step % 8 == 0) {
            add_readings(r, shown);
            add_contacts(r, shown);
            add_forces(r, shown);
            add_world(r, shown);
        }
    }
    plu_stepper_natural(r->stepper, &r->info);
    add_number(shown, r->info.residual_natural);
    add_contacts(r, shown);
    add_forces(r, shown);
}

/* *imbalance, unless it is NULL: the share of its energy that nothing explains. */
static sums sums_of(const scene *s, double *imbalance)
{
    sums found = {.state = 14695981039346656037u,
                  .shown = 14695981039346656037u,
                  .said = 14695981039346656037u};
    const plu_log log = {hear, &found.said};
    run *r = open(s, &log);
    add_state(r, &found.state);
    add_rules(r, &found.shown);
    go(r, 0.5, &found.shown);
    add_state(r, &found.state);
    go(r, 1.0, &found.shown);
    add_state(r, &found.state);
    if (imbalance)
        *imbalance = fabs(plu_stepper_imbalance(r->stepper));
    run_close(r);
    return found;
}

static bool is_kept(const char *row)
{
    FILE *file = fopen(KEPT_TABLE, "r");
    char line[256];
    bool found = false;
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        found = found || strcmp(line, row) == 0;
    fclose(file);
    return found;
}

static void row_of(const scene *s, const sums *found, char row[256])
{
    snprintf(row, 256, "%s,%016jx,%016jx,%016jx\n", s->name, (uintmax_t)found->state,
             (uintmax_t)found->shown, (uintmax_t)found->said);
}

static void bits_are_as_they_were_and_energy_is_balanced(void **unused)
{
    (void)unused;
    const char *path = getenv("BITS_TABLE");
    FILE *table = path ? fopen(path, "w") : NULL;
    bool good = true;
    if (table)
        fputs("scene,state,shown,said\n", table);
    for (int k = 0; k < SCENES; k++) {
        char row[256];
        double left;
        const sums found = sums_of(&scenes[k], &left);
        row_of(&scenes[k], &found, row);
        if (table) {
            fputs(row, table);
        } else if (!is_kept(row)) {
            print_error("another row than in the table: %s", row);
            good = false;
        }
        if (!(left <= scenes[k].imbalance)) {
            print_error("%s: %g of the energy is unexplained\n", scenes[k].name, left);
            good = false;
        }
    }
    if (table)
        fclose(table);
    assert_true(good);
}

/* Teams of three threads share what is done by one where there is as little as in these scenes. */
static void teams_compute_the_same_bits(void **unused)
{
    (void)unused;
    const int threads = omp_get_max_threads();
    bool good = true;
    omp_set_num_threads(3);
    plu_teams_for_few = true;
    for (int k = 0; k < SCENES; k++) {
        char row[256];
        const sums found = sums_of(&scenes[k], NULL);
        row_of(&scenes[k], &found, row);
        if (!is_kept(row)) {
            print_error("another row than in the table, by teams: %s", row);
            good = false;
        }
    }
    plu_teams_for_few = false;
    omp_set_num_threads(threads);
    assert_true(good);
}

static uint64_t end_of(run *r)
{
    uint64_t sum = 0;
    go(r, 1.0, &sum);
    add_state(r, &sum);
    return sum;
}

/* The state at half time, set in a new run of the same scene, leads to the same end with the same
 * messages, and to the same end where it is set in the run that has come there. */
static void states_go_on_with_the_same_bits(void **state)
{
    (void)state;
    for (int k = 0; k < SCENES; k++) {
        uint64_t shown = 0, said[2] = {0, 0};
        const plu_log log[2] = {{hear, &said[0]}, {hear, &said[1]}};
        run *one = open(&scenes[k], &log[0]), *two = open(&scenes[k], &log[1]);
        go(one, 0.5, &shown);
        const int stage = one->scene.stage;
        memory *m = memory_save(one);
        said[0] = 0;
        const uint64_t end = end_of(one);
        if (stage > 0)
            enter(two, stage, false);
        assert_int_equal(memory_set(two, m), PLU_OK);
        said[1] = 0;
        if (end_of(two) != end)
            fail_msg("%s has other bits after a restart", scenes[k].name);
        if (said[1] != said[0])
            fail_msg("%s says something else after a restart", scenes[k].name);
        if (one->scene.stages_count == 0) { /* stages follow each other */
            assert_int_equal(memory_set(one, m), PLU_OK);
            if (end_of(one) != end)
                fail_msg("%s has other bits when it is set back", scenes[k].name);
        }
        memory_free(m);
        run_close(one);
        run_close(two);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_as_they_were_and_energy_is_balanced),
        cmocka_unit_test(teams_compute_the_same_bits),
        cmocka_unit_test(states_go_on_with_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
