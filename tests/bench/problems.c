/* Stored contact problems, each solved from zero several times, by the strategy of `pluvia solve`
 * and by Gauss-Seidel alone. Each line carries the hash of the impulses, so that a faster wrong
 * answer shows. */
#include "base/hash.h"
#include "pluvia/problem.h"
#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

enum { STARTS = 9, ITERATIONS = 20000 };
static const double tolerances[] = {1e-4, 1e-10}; /* of e_s, the scaled residual */
static const double enough = 2.0;                 /* s for the starts of a line */

typedef struct strategy {
    const char *name, *fallback;
} strategy;

static const strategy strategies[] = {{"default", "prox-newton"}, {"gs", NULL}};

static int failed(const plu_error *err)
{
    fprintf(stderr, "problems: %s\n", err->text);
    return 1;
}

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the impulses of the last solve; 0 where there is no memory. */
static uint64_t solution_hash(const plu_contact_problem *problem, const plu_problem_facts *facts)
{
    plu_error err = {0};
    const size_t n = (size_t)facts->rows * (size_t)facts->contacts;
    double *r = malloc(2 * n * sizeof *r);
    uint64_t hash = 0;
    if (r && plu_contact_problem_solution(problem, r, r + n, &err) == PLU_OK)
        hash = plu_hash(PLU_HASH_START, r, n * sizeof *r);
    free(r);
    return hash;
}

static void print_head(void)
{
    printf("one thread, from zero, at most %d iterations; CPU ms: median and least of up to %d "
           "starts; e_s: scaled residual\n",
           ITERATIONS, STARTS);
    printf("%-40s %8s %4s %-8s %7s %10s %10s %10s %8s %-16s %s\n", "problem", "contacts", "rows",
           "solver", "to e_s", "ms", "least", "iterations", "e_s", "impulses", "result");
}

static void print_line(const char *name, const plu_problem_facts *facts, const strategy *s,
                       double tolerance, const double ms[2], const plu_solve_report *report,
                       uint64_t hash)
{
    const char *result = report->unsolvable  ? "has no solution"
                         : report->converged ? "reached"
                                             : "not reached";
    printf("%-40s %8d %4d %-8s %7.0e %10.3f %10.3f %10d %8.1e %016llx %s\n", name, facts->contacts,
           facts->rows, s->name, tolerance, ms[0], ms[1], report->iterations, report->scaled,
           (unsigned long long)hash, result);
    fflush(stdout);
}

/* One line. What takes long is not repeated, nor what fails. */
static int time_solver(plu_contact_problem *problem, const char *name, const strategy *s,
                       double tolerance)
{
    const plu_solve_request request = {.fallback = s->fallback,
                                       .scaled = true,
                                       .tolerance = tolerance,
                                       .max_iterations = ITERATIONS,
                                       .from_zero = true};
    plu_error err = {0};
    plu_problem_facts facts;
    plu_solve_report report = {0};
    double ms[STARTS], seconds = 0.0;
    uint64_t hash = 0;
    int starts = 0;
    plu_contact_problem_facts(problem, &facts);
    do {
        const double start = processor_seconds();
        if (plu_contact_problem_solve(problem, &request, &report, &err) != PLU_OK)
            return failed(&err);
        const double taken = processor_seconds() - start;
        ms[starts++] = 1e3 * taken;
        seconds += taken;
        const uint64_t before = hash;
        hash = solution_hash(problem, &facts);
        if (starts > 1 && hash != before) {
            fprintf(stderr, "problems: %s: start %d gives other impulses\n", name, starts);
            return 1;
        }
    } while (report.converged && starts < STARTS && seconds < enough);
    qsort(ms, (size_t)starts, sizeof *ms, ascending);
    const double shown[2] = {ms[starts / 2], ms[0]};
    print_line(name, &facts, s, tolerance, shown, &report, hash);
    return 0;
}

static int run_problem(const char *path)
{
    plu_error err = {0};
    plu_contact_problem *problem;
    int bad = 0;
    const char *slash = strrchr(path, '/');
    if (plu_contact_problem_read(&problem, path, &err) != PLU_OK)
        return failed(&err);
    for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++)
        for (size_t s = 0; s < sizeof strategies / sizeof *strategies; s++)
            bad |= time_solver(problem, slash ? slash + 1 : path, &strategies[s], tolerances[t]);
    plu_contact_problem_destroy(problem);
    return bad;
}

static int is_problem(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && (strcmp(dot, ".dat") == 0 || strcmp(dot, ".hdf5") == 0);
}

static int run_folder(const char *path)
{
    struct dirent **entries;
    int bad = 0;
    const int count = scandir(path, &entries, is_problem, alphasort);
    if (count <= 0) {
        fprintf(stderr, "problems: no .dat or .hdf5 in %s\n", path);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        char file[4096];
        snprintf(file, sizeof file, "%s/%s", path, entries[i]->d_name);
        bad |= run_problem(file);
        free(entries[i]);
    }
    free(entries);
    return bad;
}

static int run(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode) ? run_folder(path) : run_problem(path);
}

int main(int argc, char **argv)
{
    const char *others = getenv("PLUVIA_PROBLEMS");
    int bad = 0;
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        printf("problems [FILE|FOLDER]...   times contact problems; by default those of the tree "
               "and of the folder PLUVIA_PROBLEMS\n");
        return 0;
    }
    omp_set_num_threads(1);
    print_head();
    for (int k = 1; k < argc; k++)
        bad |= run(argv[k]);
    if (argc == 1)
        bad = run_folder(PROBLEMS) | (others ? run_folder(others) : 0);
    return bad;
}
