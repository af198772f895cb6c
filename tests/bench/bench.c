/* Timed steps of typical states. Each case is warmed up to its state first; the line that it prints
 * carries the hash of the final state, so that a faster wrong answer shows. */
#include "limits.h"
#include "pluvia/scene.h"
#include "pluvia/step.h"
#include "tile_graph.h"
#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct bench_case {
    const char *name, *what;
    double warm_up; /* s of simulated time before the clock starts */
    int steps;      /* timed */
    char *(*scene)(void);
} bench_case;

static char *text(const char *format, ...)
{
    char *buffer = malloc(8192);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, 8192, format, arguments);
    va_end(arguments);
    return buffer;
}

#define LAWS                                                                                       \
    "materials = ( { name = \"grain\"; density = 1300; }, { name = \"wall\"; } );\n"               \
    "contacts = ( { between = [\"grain\", \"grain\"]; friction = 0.3; rolling_friction = %g; }, "  \
    "{ between = [\"grain\", \"wall\"]; friction = 0.3; rolling_friction = %g; } );\n"

static char *pile(int count, double interval, double footprint, double height)
{
    return text(
        "time: { step = 1e-3; end = 1000; theta = 1; };\n" LAWS
        "boundaries = ( { plate: { center = [0, 0, 0]; normal = [0, 0, 1]; size = [4, 4]; "
        "}; material = \"wall\"; } );\nfeeders = ( { pluviation: { count = %d; interval = "
        "%.17g; height = %g; footprint: { square = %g; }; }; material = \"grain\"; radius = "
        "0.01; } );\n",
        1e-2, 1e-2, count, interval, height, footprint);
}

static char *pile_250(void)
{
    return pile(250, 0.0638550856814101, 0.02, 0.2);
}

static char *pile_5000(void)
{
    return pile(5000, 2e-3, 0.2, 0.6);
}

/* n^3 spheres of d = 0.02 on a jittered lattice fall a little and settle in an open box. */
static char *bed(int n, double smallest, double spacing)
{
    const double side = n * spacing;
    return text(
        "time: { step = 1e-3; end = 1000; theta = 1; };\n" LAWS
        "boundaries = ( { box: { lower = [0, 0, 0]; upper = [%.17g, %.17g, %.17g]; }; "
        "material = \"wall\"; } );\nbodies = ( { lattice: { counts = [%d, %d, %d]; spacing = "
        "%g; origin = [%g, %g, %g]; jitter = %g; }; material = \"grain\"; radius = [%g, "
        "0.01]; } );\n",
        1e-3, 1e-3, side, side, 2.0 * side, n, n, n, spacing, 0.5 * spacing, 0.5 * spacing,
        0.5 * spacing, 0.4 * (spacing - 0.02), smallest);
}

static char *bed_8000(void)
{
    return bed(20, 0.01, 0.022);
}

static char *bed_8000_poly(void)
{
    return bed(20, 0.005, 0.022);
}

static char *bed_64000(void)
{
    return bed(40, 0.01, 0.022);
}

static char *settle_64000(void)
{
    return bed(40, 0.01, 0.0205);
}

static char *bed_1000000(void)
{
    return bed(100, 0.01, 0.0205);
}

static char *bed_1000000_poly(void)
{
    return bed(100, 0.005, 0.0205);
}

/* A dense layer runs down a chute of 30 degrees between side walls. */
static char *chute(void)
{
    return text(
        "time: { step = 1e-3; end = 1000; theta = 1; };\ngravity = [4.905, 0, -8.4957];\n" LAWS
        "boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "
        "\"wall\"; }, { plane: { center = [0, 0, 0]; normal = [0, 1, 0]; }; material = "
        "\"wall\"; }, { plane: { center = [0, 0.3, 0]; normal = [0, -1, 0]; }; material = "
        "\"wall\"; } );\nbodies = ( { lattice: { counts = [60, 13, 8]; spacing = 0.022; origin "
        "= [0.02, 0.015, 0.012]; jitter = 8e-4; }; material = \"grain\"; radius = 0.01; } "
        ");\n",
        1e-3, 1e-3);
}

static const bench_case cases[] = {
    {"pile-250", "the pile of the paper while it grows", 12.0, 2000, pile_250},
    {"pile-5000", "a pile of 5,000 while it grows", 8.0, 200, pile_5000},
    {"bed-8000", "8,000 equal spheres near rest in a box", 2.0, 300, bed_8000},
    {"bed-8000-poly", "8,000 spheres 1:2 near rest in a box", 1.2, 300, bed_8000_poly},
    {"bed-64000", "64,000 equal spheres near rest in a box", 2.5, 50, bed_64000},
    {"settle-64000", "64,000 equal spheres that fall together in a box", 0.25, 50, settle_64000},
    {"bed-1000000", "10^6 equal spheres settling in a box", 0.25, 10, bed_1000000},
    {"bed-1000000-poly", "10^6 spheres 1:2 settling in a box", 0.25, 10, bed_1000000_poly},
    {"chute", "dense flow of 6,240 spheres down a chute of 30 degrees", 0.5, 300, chute},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct simulation {
    plu_scene scene;
    plu_world *world;
    plu_stepper *stepper;
    plu_error err;
} simulation;

static bool ok(const simulation *s, plu_status status)
{
    if (status != PLU_OK)
        fprintf(stderr, "bench: %s\n", s->err.text);
    return status == PLU_OK;
}

typedef struct overrides { /* of all cases, as `pluvia run -s` takes them */
    const char *text[32];
    int count;
} overrides;

static bool open_simulation(simulation *s, char *scene, const overrides *set)
{
    char path[] = "/tmp/pluvia-bench-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    memset(s, 0, sizeof *s);
    fputs(scene, file);
    fclose(file);
    free(scene);
    const plu_status status = plu_scene_read(&s->scene, path, set->text, set->count, &s->err);
    unlink(path);
    return ok(s, status) && ok(s, plu_world_create(&s->world, &s->scene, &s->err)) &&
           ok(s, plu_stepper_create(&s->stepper, s->world, &s->scene, NULL, &s->err));
}

static bool run(simulation *s, int steps, plu_step_info *info)
{
    for (int k = 0; k < steps; k++)
        if (!ok(s, plu_step(s->stepper, info, &s->err)))
            return false;
    return true;
}

static double peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1048576.0;
}

static void print_head(void)
{
    printf("%-17s %2s %8s %8s %9s %7s %7s %7s %7s %6s %6s %8s %6s %s\n", "case", "j", "bodies",
           "contacts", "ms/step", "detect", "assem.", "solve", "integ.", "sweeps", "M/s", "e_s",
           "GiB", "state");
}

static int run_case(const bench_case *c, const overrides *set, const char *tiles)
{
    simulation s;
    plu_step_info info = {0};
    if (!open_simulation(&s, c->scene(), set) ||
        !run(&s, (int)lround(c->warm_up / s.scene.step), &info))
        return 1;
    const plu_totals before = *plu_stepper_totals(s.stepper);
    const double start = omp_get_wtime();
    if (!run(&s, c->steps, &info))
        return 1;
    const double ms = 1e3 * (omp_get_wtime() - start) / c->steps;
    const plu_totals *t = plu_stepper_totals(s.stepper);
    double phase[PLU_PHASES];
    for (int p = 0; p < PLU_PHASES; p++)
        phase[p] = 1e3 * (t->seconds[p] - before.seconds[p]) / c->steps;
    printf("%-17s %2d %8d %8d %9.3f %7.3f %7.3f %7.3f %7.3f %6.1f %6.1f %8.1e %6.2f %016llx\n",
           c->name, omp_get_max_threads(), plu_world_active(s.world), info.contacts, ms,
           phase[PLU_PHASE_DETECT], phase[PLU_PHASE_ASSEMBLE], phase[PLU_PHASE_SOLVE],
           phase[PLU_PHASE_INTEGRATE], (double)(t->iterations - before.iterations) / c->steps,
           1e-6 * (double)(t->updates - before.updates) /
               (t->solver_seconds - before.solver_seconds),
           info.residual_scaled, peak_memory(), (unsigned long long)plu_world_hash(s.world));
    const bool written = !tiles || write_tile_graph(s.stepper, tiles);
    if (!written)
        fprintf(stderr, "bench: cannot write %s\n", tiles);
    plu_stepper_destroy(s.stepper);
    plu_world_destroy(s.world);
    plu_scene_free(&s.scene);
    return written ? 0 : 1;
}

static void print_limits(void)
{
    const limits m = measure_limits();
    printf("limits with %d threads: triad %.1f GB/s, vector multiply-add %.1f GFLOP/s, scalar %.1f "
           "GFLOP/s\n",
           omp_get_max_threads(), 1e-9 * m.triad, 1e-9 * m.flops, 1e-9 * m.scalar);
}

static int usage(void)
{
    printf(
        "bench CASE... [-j THREADS] [-s KEY=VALUE]... [--tiles FILE]    times typical steps; M/s: "
        "contact updates of the solver; FILE: tiles of the last step, for tile_graph.py\n");
    printf("  %-17s triad and multiply-add loops: the machine's limits\n", "limits");
    for (int i = 0; i < CASES; i++)
        printf("  %-17s %s\n", cases[i].name, cases[i].what);
    return 0;
}

typedef struct request {
    char **name; /* of cases, or "limits"; in place of the words that were read */
    int count;
    overrides set;
    const char *tiles;
} request;

enum { WRONG_ARGUMENTS = 2 };

/* The case of that name; CASES: there is none. */
static int case_of(const char *name)
{
    int i = 0;
    while (i < CASES && strcmp(name, cases[i].name) != 0)
        i++;
    return i;
}

/* Takes an option with its value, or a case; false: there is none of that name, which is said. */
static bool take(request *r, char *word, const char *value)
{
    const bool option = word[0] == '-';
    if (!option && (strcmp(word, "limits") == 0 || case_of(word) < CASES)) {
        r->name[r->count++] = word;
        return true;
    }
    const bool known =
        strcmp(word, "-j") == 0 || strcmp(word, "-s") == 0 || strcmp(word, "--tiles") == 0;
    if (!known || !value) {
        fprintf(stderr, "bench: %s \"%s\"; \"bench --help\" shows what there is\n",
                known    ? "a value is missing behind"
                : option ? "there is no option"
                         : "there is no case",
                word);
        return false;
    }
    if (strcmp(word, "-j") == 0)
        omp_set_num_threads(atoi(value));
    else if (strcmp(word, "--tiles") == 0)
        r->tiles = value;
    else if (r->set.count < 32)
        r->set.text[r->set.count++] = value;
    return true;
}

static int run_cases(const request *r)
{
    int failed = 0;
    for (int k = 0; k < r->count; k++) {
        if (strcmp(r->name[k], "limits") == 0)
            print_limits();
        else
            failed |= run_case(&cases[case_of(r->name[k])], &r->set, r->tiles);
        fflush(stdout);
    }
    return failed;
}

int main(int argc, char **argv)
{
    request r = {.name = argv};
    if (argc < 2 || strcmp(argv[1], "--help") == 0)
        return usage();
    for (int k = 1; k < argc; k++) {
        if (!take(&r, argv[k], k + 1 < argc ? argv[k + 1] : NULL))
            return WRONG_ARGUMENTS;
        k += argv[k][0] == '-'; /* its value */
    }
    print_head();
    return run_cases(&r);
}
