/* Bounces with restitution_law = "energy" against e^(2k) H, and against Newton's law; what a pair
 * stores while it bounces, saved and set. */
#include "base/state.h"
#include "draws.h"
#include "mesh_file.h"
#include "pluvia/tool/state.h"
#include "run.h"
#include "world/world.h"
#include <math.h>
#include <omp.h>

static const char *const laws[] = {"newton", "energy"};

static run *drop(double e, const char *law, double height)
{
    return run_open(
        "time: { step = 1e-3; end = 10; };\nmaterials = ( { name = \"grain\"; density = "
        "1000; }, { name = \"plate\"; } );\ncontacts = ( { between = [\"grain\", "
        "\"plate\"]; friction = 0.3; restitution = %.17g; restitution_law = \"%s\"; } "
        ");\n" RUN_PLANE "bodies = ( { position = [0, 0, %.17g]; radius = 0.05; "
        "material = \"grain\"; } );\n",
        e, law, height + 0.05);
}

/* How high the sphere flies, above the plane and in parts of the drop: largest error of the first
 * four bounces, from the energy in flight. */
static double worst_bounce(double e, const char *law, double height)
{
    run *r = drop(e, law, height);
    const double g = 9.81;
    double worst = 0.0, before = 0.0, wanted = height;
    for (int bounces = 0; bounces < 4;) {
        run_step(r);
        const double v = run_velocity(r, 0)[2], z = run_position(r, 0)[2] - 0.05;
        if (before <= 0.0 && v > 0.0) { /* it left in this step */
            wanted *= e * e;
            worst = fmax(worst, fabs((z + 0.5 * v * v / g) / wanted - 1.0));
            bounces++;
        }
        before = v;
    }
    run_close(r);
    return worst;
}

static void heights(void **unused)
{
    (void)unused;
    const double es[] = {0.9, 0.7, 0.5};
    for (int k = 0; k < 3; k++) {
        double worst[2] = {0.0, 0.0};
        for (int phase = 0; phase < draws(20); phase++)
            for (int law = 0; law < 2; law++)
                worst[law] =
                    fmax(worst[law], worst_bounce(es[k], laws[law], 1.0 + 0.00037 * phase));
        print_message("e = %g: newton %.3g, energy %.3g\n", es[k], worst[0], worst[1]);
        assert_true(worst[1] < 1e-9);
        assert_true(SANITIZED || worst[0] > 5.0 * worst[1]);
    }
}

typedef struct bed_result {
    double deepest, gained; /* over the diameter; over the energy turned over */
} bed_result;

static run *bed(double e, const char *law)
{
    return run_open(
        "seed = 5;\ntime: { step = 1e-3; end = 10; };\n" RUN_MATERIALS(
            "1000.0", "0.3", "0.0",
            "%g; restitution_law = \"%s\"") "boundaries = ( { box: { lower = [0, 0, 0]; "
                                            "upper = [0.1, 0.1, 2]; }; material = "
                                            "\"plate\"; } );\nbodies = ( { lattice: { "
                                            "counts = [5, 5, 8]; spacing = 0.02; origin "
                                            "= [0.01, 0.01, 0.05]; jitter = 4e-4; }; "
                                            "radius = 0.0095; material = \"grain\"; } "
                                            ");\n",
        e, law, e, law);
}

/* A pair that has landed lacks for one step what the bounce gives back: the energy is compared by
 * the largest of 40 steps. */
static bed_result fill(double e, const char *law)
{
    enum { WINDOW = 40 };
    run *r = bed(e, law);
    const double start = run_energy(r);
    double last = start, lowest = start;
    bed_result result = {0};
    for (int k = 0; k < 25; k++) {
        double most = -HUGE_VAL;
        for (int step = 0; step < WINDOW; step++) {
            run_step(r);
            result.deepest = fmax(result.deepest, r->info.penetration_ratio);
            most = fmax(most, run_energy(r));
        }
        result.gained = fmax(result.gained, most - last);
        last = most;
        lowest = fmin(lowest, most);
    }
    result.gained /= start - lowest;
    print_message("e = %g, %s: overlap %.3g, gain %.3g, imbalance %.3g\n", e, law, result.deepest,
                  result.gained, plu_stepper_imbalance(r->stepper));
    run_close(r);
    return result;
}

static void beds(void **unused)
{
    (void)unused;
    NUMBERS_ONLY();
    const bed_result newton = fill(0.5, "newton"), energy = fill(0.5, "energy");
    const bed_result lively = fill(0.9, "energy");
    assert_true(energy.deepest <= 0.01);
    assert_true(newton.deepest > 3.0 * energy.deepest);
    assert_true(lively.deepest <= 0.01);
    assert_true(energy.gained <= 1e-6 && lively.gained <= 1e-6);
}

/* Slides through an oblique bounce, without gravity, from any place in the step: the end speed is
 * v_x - mu (1 + e) v_z. */
static void oblique(void **unused)
{
    (void)unused;
    for (int phase = 0; phase <= 20; phase++) {
        const double e = 0.6, height = 0.0501 + 1e-4 * phase;
        run *r = run_open(
            "time: { step = 1e-3; end = 10; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
                "1000.0", "0.1", "0.0", "0.6; restitution_law = \"energy\"") RUN_PLANE
            "bodies = ( { position = [0, 0, %.17g]; velocity = [2, 0, -2]; radius = 0.05; material "
            "= \"grain\"; } );\n",
            height);
        run_to(r, 0.01);
        assert_near(run_velocity(r, 0)[2], 2.0 * e, 1e-12);
        assert_near(run_velocity(r, 0)[0], 2.0 - 0.1 * 2.0 * (1.0 + e), 1e-12);
        run_close(r);
    }
}

/* What a state holds, by name, in memory. */
typedef struct kept {
    plu_state state;
    int count;
    struct {
        char name[96];
        size_t bytes;
        void *data;
    } array[96];
} kept;

static void keep_or_give(plu_state *state, const char *name, plu_state_type type, size_t rows,
                         size_t columns, void *data)
{
    kept *m = (kept *)state;
    const size_t bytes = rows * columns * plu_state_size(type);
    int at = 0;
    while (at < m->count && strcmp(m->array[at].name, name) != 0)
        at++;
    if (state->loading) {
        if (at == m->count || m->array[at].bytes != bytes)
            plu_state_refuse(state, "%s does not fit", name);
        else if (bytes > 0)
            memcpy(data, m->array[at].data, bytes);
        return;
    }
    assert_int_equal(at, m->count);
    assert_true(m->count < 96);
    snprintf(m->array[m->count].name, sizeof m->array[0].name, "%s", name);
    m->array[m->count].bytes = bytes;
    m->array[m->count].data = malloc(bytes + 1);
    if (bytes > 0)
        memcpy(m->array[m->count].data, data, bytes);
    m->count++;
}

static kept *save(run *r)
{
    kept *m = calloc(1, sizeof *m);
    m->state = (plu_state){.source = "memory", .err = &r->err, .array = keep_or_give};
    plu_stepper_state(r->stepper, &m->state);
    run_check(r, m->state.status);
    return m;
}

static plu_status load(run *r, kept *m)
{
    m->state =
        (plu_state){.loading = true, .source = "memory", .err = &r->err, .array = keep_or_give};
    plu_stepper_state(r->stepper, &m->state);
    return m->state.status;
}

static void forget(kept *m)
{
    for (int i = 0; i < m->count; i++)
        free(m->array[i].data);
    free(m);
}

/* The numbers that pairs store; NULL: the state has none. */
static double *stored_in(kept *m, int *count)
{
    for (int i = 0; i < m->count; i++)
        if (strcmp(m->array[i].name, "contacts/rebound") == 0) {
            *count = (int)(m->array[i].bytes / (2 * sizeof(double)));
            return m->array[i].data;
        }
    return NULL;
}

static bool stores(kept *m)
{
    int count = 0;
    const double *stored = stored_in(m, &count);
    bool any = false;
    for (int k = 0; k < count; k++)
        any |= stored[2 * k] < 0.0;
    return any;
}

/* From each step of a bounce the run goes on with the same bits; without what is stored it would
 * not bounce. */
static void restart_in_a_bounce(void **unused)
{
    (void)unused;
    int with = 0, without = 0;
    for (int after = 0; after < 6; after++) {
        run *r = drop(0.8, "energy", 0.3), *again = drop(0.8, "energy", 0.3);
        while (run_position(r, 0)[2] > 0.054 || run_velocity(r, 0)[2] > 0.0)
            run_step(r);
        for (int k = 0; k < after; k++)
            run_step(r);
        kept *m = save(r);
        *(stores(m) ? &with : &without) += 1;
        run_check(again, load(again, m));
        for (int k = 0; k < 300; k++) {
            run_step(r);
            run_step(again);
            assert_int_equal(plu_world_hash(r->world), plu_world_hash(again->world));
        }
        assert_true(run_position(again, 0)[2] > 0.1);
        forget(m);
        run_close(r);
        run_close(again);
    }
    assert_int_equal(with, 1);
    assert_int_equal(without, 5);
}

/* What makes no sense is refused, and scenes without the law keep nothing. */
static void stored_numbers(void **unused)
{
    (void)unused;
    static const double bad[][2] = {{1.0, 0.0}, {-1.0, -1e-6}, {NAN, 0.0}, {-1.0, INFINITY}};
    run *r = bed(0.5, "energy"), *newton = bed(0.5, "newton");
    run_to(r, 0.1);
    run_to(newton, 0.1);
    kept *m = save(r), *plain = save(newton);
    int count = 0;
    assert_null(stored_in(plain, &count));
    double *stored = stored_in(m, &count);
    assert_true(stored && count > 10 && stores(m));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        double was[2];
        memcpy(was, stored, sizeof was);
        memcpy(stored, bad[k], sizeof was);
        assert_int_equal(load(r, m), PLU_BAD_INPUT);
        assert_non_null(strstr(r->err.text, "contact 0 stores an impossible bounce"));
        memcpy(stored, was, sizeof was);
    }
    run_check(r, load(r, m));
    forget(m);
    forget(plain);
    run_close(r);
    run_close(newton);
}

/* To rest and sleep, with a restart now and then in one of the runs, with 1 and 3 threads. */
static void same_bits(void **unused)
{
    (void)unused;
    const int threads = omp_get_max_threads();
    run *one = bed(0.5, "energy"), *three = bed(0.5, "energy");
    long sleepers = 0;
    for (int step = 1; step <= (SANITIZED ? 1000 : 3000); step++) {
        omp_set_num_threads(1);
        run_step(one);
        omp_set_num_threads(3);
        if (step % 250 == 0) {
            kept *m = save(three);
            run_close(three);
            three = bed(0.5, "energy");
            run_check(three, load(three, m));
            forget(m);
        }
        run_step(three);
        assert_int_equal(plu_world_hash(one->world), plu_world_hash(three->world));
        sleepers = one->world->asleep;
    }
    assert_true(SANITIZED || sleepers > 0);
    omp_set_num_threads(threads);
    run_close(one);
    run_close(three);
}

/* A heavy ball hits a light one, which reaches a wall within the same step. Bounces keep the energy
 * that there was when the step began; what the solve alone brings together bounces in the next, or
 * has passed by then, as the light ball here, which the run would end for. */
static void late_bounces_keep_their_energy(void **unused)
{
    (void)unused;
    run *r = run_open(
        "time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\nsolver: { tolerance = 1e-6; };\n"
        "limits: { on_limit = \"warn\"; };\n"
        "materials = ( { name = \"light\"; density = 2500; }, { name = \"heavy\"; density = 2.5e5; "
        "} "
        ");\ncontacts = ( { between = [\"light\", \"light\"]; friction = 0; restitution = 1; "
        "restitution_law = \"energy\"; }, { between = [\"light\", \"heavy\"]; friction = 0; "
        "restitution = 1; restitution_law = \"energy\"; }, { between = [\"heavy\", \"heavy\"]; "
        "friction = 0; } );\n"
        "boundaries = ( { plane: { center = [0.2, 0, 0]; normal = [-1, 0, 0]; }; material = "
        "\"light\"; } );\n"
        "bodies = ( { position = [0.181, 0, 0]; velocity = [5, 0, 0]; radius = 0.002; material = "
        "\"heavy\"; }, { position = [0.1875, 0, 0]; radius = 0.002; material = \"light\"; } );\n");
    const double before = plu_world_energy(r->world).translation;
    run_to(r, 0.012);
    assert_near(plu_world_energy(r->world).translation, before, 1e-9 * before);
    run_close(r);
}

/* A plane of 40 x 40 squares of 1 cm, two triangles each. */
static mesh_file flat(void)
{
    enum { SIDE = 40 };
    mesh_file m = begin_mesh();
    for (int k = 0; k < (SIDE + 1) * (SIDE + 1); k++)
        mesh_corner(&m, -0.05 + 0.01 * (k % (SIDE + 1)), -0.05 + 0.01 * (k / (SIDE + 1)), 0.0);
    for (int k = 0; k < SIDE * SIDE; k++) {
        const int a = 1 + k % SIDE + k / SIDE * (SIDE + 1), b = a + SIDE + 1;
        fprintf(m.file, "f %d %d %d\nf %d %d %d\n", a, a + 1, b + 1, a, b + 1, b);
    }
    fclose(m.file);
    return m;
}

static run *thrown(const char *boundary, double step, double e, double mu, const double v[2])
{
    return run_open(
        "time: { step = %.17g; end = 10; };\nmaterials = ( { name = \"g\"; density = 2500; } "
        ");\ncontacts = ( { between = [\"g\", \"g\"]; friction = %.17g; restitution = %.17g; "
        "restitution_law = \"energy\"; } );\nboundaries = ( { %s; material = \"g\"; } );\n"
        "bodies = ( { position = [0, 0, 0.1]; velocity = [%.17g, %.17g, 0]; radius = 0.01; "
        "material = \"g\"; } );\n",
        step, mu, e, boundary, v[0], v[1]);
}

/* What has landed on one triangle leaves from the next as from a plane, until it rests: where
 * overlaps are moved apart. */
static void flat_meshes_are_planes(void **unused)
{
    (void)unused;
    static const double steps[] = {1e-3, 2e-3, 5e-3}, es[] = {0.5, 0.9}, mus[] = {0.0, 0.3};
    mesh_file m = flat();
    char mesh[128];
    snprintf(mesh, sizeof mesh, "mesh: { file = \"%s\"; }", m.path);
    double worst = 0.0;
    for (int k = 0; k < 12; k++)
        for (int way = 0; way < draws(8); way++) {
            const double h = steps[k / 4], e = es[k / 2 % 2], mu = mus[k % 2];
            const double v[] = {0.25 + 0.0393 * way, 0.35 - 0.0231 * way};
            run *r = thrown(mesh, h, e, mu, v);
            run *p = thrown("plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }", h, e, mu, v);
            while (r->world->time < (e < 0.9 ? 0.4 : 0.5)) {
                run_step(r);
                run_step(p);
                for (int i = 0; i < 3; i++)
                    worst = fmax(worst, fabs(run_position(r, 0)[i] - run_position(p, 0)[i]));
            }
            run_close(r);
            run_close(p);
        }
    unlink(m.path);
    print_message("meshes and planes differ by %.3g m\n", worst);
    assert_true(worst < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(late_bounces_keep_their_energy),
                                       cmocka_unit_test(heights),
                                       cmocka_unit_test(flat_meshes_are_planes),
                                       cmocka_unit_test(beds),
                                       cmocka_unit_test(oblique),
                                       cmocka_unit_test(restart_in_a_bounce),
                                       cmocka_unit_test(stored_numbers),
                                       cmocka_unit_test(same_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
