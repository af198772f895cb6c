/* pluvia solve: contact problems from files, by one solver or by all.
 *
 *   words --> read_request --> open_outputs --> for each file: solve_file
 *                                                 |  plu_contact_problem_read
 *                                                 |  solve | solve_by_all | solve_single
 *                                                 |      a row of the table or a JSON object,
 *                                                 |      residuals of each iteration (--history)
 *                                                 '- write_solution (--output)
 *
 * The exit code is that of the first file with an error, or PLU_NOT_CONVERGED where a problem was
 * solved by none of its solvers. */
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/solve/solve_table.h"
#include "pluvia/tool/output.h"
#include "pluvia/tool/solver.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    SOLVER,
    LOCAL,
    FALLBACK,
    ALL,
    SOLUTIONS,
    CRITERION,
    TOLERANCE,
    ITERATIONS,
    TIME,
    ORDER,
    LAW,
    NEWTON,
    FULL,
    PLAIN,
    ZERO,
    JSON,
    HISTORY,
    OUTPUT,
    FORCE
};

static const plu_option options[] = {
    [SOLVER] = {'S', "solver", "SOLVER", "gs", "the solver; `pluvia solvers` lists them"},
    [LOCAL] = {'L', "local", "LOCAL", "exact", "how gs solves a single contact"},
    [FALLBACK] = {0, "fallback", "SOLVER", "prox-newton",
                  "the fallback solver where gs stalls; \"none\": no fallback"},
    [ALL] = {0, "all", NULL, NULL, "all solvers that can solve the problem, one row each"},
    [SOLUTIONS] = {0, "all-solutions", NULL, NULL,
                   "all solutions of a single contact with Coulomb friction"},
    [CRITERION] = {0, "criterion", "natural-map|scaled", "natural-map",
                   "the residual of the tolerance: natural-map (of the literature,\n"
                   "in the units of the file) or scaled (dimensionless)"},
    [TOLERANCE] = {'t', "tolerance", "X", "1e-4", "residual at which a problem counts as solved"},
    [ITERATIONS] = {'n', "max-iterations", "N", "0", "0: no limit"},
    [TIME] = {0, "max-time", "SECONDS", "60", "for each problem and solver"},
    [ORDER] = {0, "order", "color|natural", "color",
               "order of the contacts in gs: color or natural"},
    [LAW] = {0, "law", "coulomb|associated", "coulomb",
             "coulomb, or associated: sliding contacts open, a convex problem"},
    [NEWTON] = {0, "newton-map", "primal-dual|alart-curnier|natural-map", "primal-dual",
                "the equations of newton: primal-dual, alart-curnier (their\n"
                "function with its own derivative) or natural-map"},
    [FULL] = {0, "full-steps", NULL, NULL, "newton and its variants without line search"},
    [PLAIN] = {0, "plain", NULL, NULL,
               "as published: newton and its variants without sweeps before and without\n"
               "proximal steps, convex without a start from prox-newton"},
    [ZERO] = {0, "from-zero", NULL, NULL, "ignores the initial guess that the file may contain"},
    [JSON] = {0, "json", NULL, NULL, "one JSON object per result instead of a table"},
    [HISTORY] = {0, "history", "FILE.csv", NULL, "writes the residuals of each iteration"},
    [OUTPUT] = {'o', "output", "FILE", NULL,
                "writes the problem with its solution as FCLIB (HDF5);\n"
                "if this or --history is -, the table goes to stderr"},
    [FORCE] = PLU_OPTION_FORCE,
};

typedef struct task {
    const plu_arguments *arguments;
    plu_solve_request request;
    int path_width;
    bool json;
    plu_output output, history_output;
    FILE *history;
    bool unsolved; /* a problem was solved by none of the solvers that were to */
} task;

/* Whether a list of names, with spaces between, holds this one. */
static bool is_listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(list, name); at; at = strstr(at + 1, name))
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Options of some solvers would be ignored by the others. */
static plu_status check_options(const plu_arguments *a, const plu_solve_request *r, plu_error *err)
{
    static const struct {
        int option;
        const char *solvers;
    } only[] = {{LOCAL, "gs"},
                {FALLBACK, "gs"},
                {ORDER, "gs"},
                {NEWTON, "newton"},
                {FULL, "newton newton-fb newton-glocker"},
                {PLAIN, "newton newton-fb newton-glocker convex"}};
    const bool listed = plu_argument_given(a, SOLUTIONS);
    const char *second = strcmp(r->solver, "gs") == 0 && r->fallback ? r->fallback : r->solver;
    if (plu_argument_given(a, ALL))
        return PLU_OK;
    if (listed && plu_argument_given(a, SOLVER))
        return plu_fail(err, PLU_USAGE, "option --solver: --all-solutions does not use a solver");
    for (size_t k = 0; k < sizeof only / sizeof *only; k++) {
        if (!plu_argument_given(a, only[k].option))
            continue;
        if (listed)
            return plu_fail(err, PLU_USAGE, "option --%s: --all-solutions does not use a solver",
                            options[only[k].option].name);
        if (!is_listed(only[k].solvers, r->solver) && !is_listed(only[k].solvers, second))
            return plu_fail(
                err, PLU_USAGE,
                "option --%s: solver %s does not use it; only these do: %s (choose by --solver)",
                options[only[k].option].name, r->solver, only[k].solvers);
    }
    return PLU_OK;
}

/* Options to numbers. The associated law makes a convex problem, for which `convex` is the default.
 */
static plu_status read_request(task *t, plu_error *err)
{
    const plu_arguments *a = t->arguments;
    const char *criterion = plu_argument(a, CRITERION), *order = plu_argument(a, ORDER),
               *law = plu_argument(a, LAW);
    const char *fallback = plu_argument(a, FALLBACK);
    long iterations;
    plu_solve_request *r = &t->request;
    plu_status status = plu_argument_positive(a, TOLERANCE, &r->tolerance, err);
    if (status == PLU_OK)
        status = plu_argument_positive(a, TIME, &r->max_seconds, err);
    if (status == PLU_OK)
        status = plu_argument_integer(a, ITERATIONS, 0, INT_MAX, &iterations, err);
    if (status != PLU_OK)
        return status;
    r->max_iterations = (int)iterations;
    r->scaled = strcmp(criterion, "scaled") == 0;
    if (!r->scaled && strcmp(criterion, "natural-map") != 0)
        return plu_fail(err, PLU_USAGE,
                        "option --criterion: \"%s\" is neither natural-map nor scaled", criterion);
    r->natural_order = strcmp(order, "natural") == 0;
    if (!r->natural_order && strcmp(order, "color") != 0)
        return plu_fail(err, PLU_USAGE, "option --order: \"%s\" is neither color nor natural",
                        order);
    r->newton_map = plu_argument(a, NEWTON);
    r->full_steps = plu_argument_given(a, FULL);
    r->plain = plu_argument_given(a, PLAIN);
    r->associated = strcmp(law, "associated") == 0;
    if (!r->associated && strcmp(law, "coulomb") != 0)
        return plu_fail(err, PLU_USAGE, "option --law: \"%s\" is neither coulomb nor associated",
                        law);
    r->solver =
        r->associated && !plu_argument_given(a, SOLVER) ? "convex" : plu_argument(a, SOLVER);
    r->local = plu_argument(a, LOCAL);
    r->fallback = strcmp(fallback, "none") == 0 ? NULL : fallback;
    r->from_zero = plu_argument_given(a, ZERO);
    r->history = plu_argument_given(a, HISTORY);
    if (plu_argument_given(a, SOLUTIONS) &&
        (plu_argument_given(a, OUTPUT) || plu_argument_given(a, ALL) || r->associated))
        return plu_fail(err, PLU_USAGE,
                        "option --all-solutions cannot be combined with --all, --output or --law");
    if (plu_argument_given(a, OUTPUT) && (a->operands_count > 1 || plu_argument_given(a, ALL)))
        return plu_fail(err, PLU_USAGE, "option --output needs one problem and one solver");
    return check_options(a, r, err);
}

static void write_history(task *t, const plu_solve_row *row)
{
    for (int i = 0; i < row->report.history_count; i++) {
        const plu_solve_point *h = &row->report.history[i];
        fprintf(t->history, "%s,%s,%d,%.9g,%.17g,%.17g\n", row->path, row->solver, h->iteration,
                h->seconds, h->natural, h->scaled);
    }
}

/* One problem by one solver. */
static plu_status solve(task *t, plu_contact_problem *problem, plu_solve_row *row, plu_error *err)
{
    char why[256] = "";
    plu_solve_request request = t->request;
    request.solver = row->solver;
    const bool is_gs = strcmp(row->solver, plu_solver_name(0)) == 0;
    row->local = is_gs ? request.local : NULL;
    if (!is_gs)
        request.fallback = request.local = NULL;
    if (plu_solver_refuses(problem, &request, why)) {
        if (!plu_argument_given(t->arguments, ALL))
            return plu_fail(err, PLU_USAGE, "%s: %s", row->path, why);
        row->refusal = why;
    } else {
        const plu_status status = plu_contact_problem_solve(problem, &request, &row->report, err);
        if (status != PLU_OK)
            return status;
    }
    if (t->json)
        plu_solve_json(row);
    else
        plu_solve_table_row(row, t->path_width);
    fflush(stdout);
    plu_solve_remarks(row);
    if (t->history)
        write_history(t, row);
    /* `why` ends with this function: what stays in the row must not point to it. */
    row->refusal = why[0] ? "refused" : NULL;
    plu_solve_report_free(&row->report);
    return PLU_OK;
}

static plu_status solve_by_all(task *t, plu_contact_problem *problem, plu_solve_row *row,
                               plu_error *err)
{
    bool solved = false;
    for (int i = 0; i < plu_solvers_count(); i++) {
        row->solver = plu_solver_name(i);
        row->refusal = NULL;
        row->report = (plu_solve_report){0};
        const plu_status status = solve(t, problem, row, err);
        if (status != PLU_OK)
            return status;
        solved |= row->report.converged;
    }
    t->unsolved |= !solved;
    return PLU_OK;
}

/* The form that the problem has: W alone (local), or bodies with three or five rows a contact. */
static plu_status write_solution(task *t, const plu_contact_problem *problem, plu_error *err)
{
    if (!plu_argument_given(t->arguments, OUTPUT))
        return PLU_OK;
    plu_problem_facts facts;
    plu_contact_problem_facts(problem, &facts);
    const plu_problem_format format = facts.bodies == 0 ? PLU_FCLIB_LOCAL
                                      : facts.rows == 5 ? PLU_FCLIB_GLOBAL_ROLLING
                                                        : PLU_FCLIB_GLOBAL;
    const char *name = plu_output_name(&t->output, err);
    const plu_status status =
        name ? plu_contact_problem_write(problem, name, format, facts.title, err) : PLU_IO;
    return plu_output_end(&t->output, status, err);
}

static plu_status solve_single(task *t, const plu_contact_problem *problem, const char *path,
                               plu_error *err)
{
    int count = 0;
    const plu_status status = plu_solve_all_solutions(problem, path, t->json, &count, err);
    t->unsolved |= count == 0;
    return status;
}

static plu_status solve_file(task *t, const char *path, plu_error *err)
{
    plu_contact_problem *problem;
    plu_solve_row row = {.path = path, .solver = t->request.solver};
    if (t->arguments->operands_count > 1 && !plu_guard_survives(path))
        return PLU_BAD_INPUT;
    plu_status status = plu_contact_problem_read(&problem, path, err);
    if (status != PLU_OK)
        return status;
    plu_contact_problem_facts(problem, &row.facts);
    if (!row.facts.symmetric)
        plu_message("%s: note: W is not symmetric", path);
    if (plu_argument_given(t->arguments, SOLUTIONS)) {
        status = solve_single(t, problem, path, err);
    } else if (plu_argument_given(t->arguments, ALL)) {
        status = solve_by_all(t, problem, &row, err);
    } else {
        status = solve(t, problem, &row, err);
        t->unsolved |= !row.report.converged;
        if (status == PLU_OK)
            status = write_solution(t, problem, err);
    }
    plu_contact_problem_destroy(problem);
    return status;
}

/* Begins one of the files to write, none of which may be an input, nor the other one. */
static plu_status begin_output(const task *t, int option, plu_output_kind kind, plu_output *output,
                               plu_error *err)
{
    const plu_arguments *a = t->arguments;
    const plu_output_rule rule = {kind, plu_argument_given(a, FORCE), a->operands,
                                  a->operands_count};
    const char *path = plu_argument(a, option);
    return path ? plu_output_begin(output, path, &rule, err) : PLU_OK;
}

static plu_status open_outputs(task *t, plu_error *err)
{
    const char *paths[2] = {plu_argument(t->arguments, OUTPUT),
                            plu_argument(t->arguments, HISTORY)};
    plu_status status = begin_output(t, OUTPUT, PLU_OUTPUT_PROBLEM, &t->output, err);
    if (status == PLU_OK)
        status = begin_output(t, HISTORY, PLU_OUTPUT_TABLE, &t->history_output, err);
    if (status != PLU_OK)
        return status;
    if (paths[0] && paths[1] && strcmp(t->output.target, t->history_output.target) == 0)
        return plu_fail(err, PLU_USAGE, "options --output and --history name the same file");
    for (int k = 0; k < 2; k++)
        if (paths[k] && plu_output_is_screen(paths[k]))
            dup2(STDERR_FILENO, STDOUT_FILENO); /* the output holds the screen */
    if (!paths[1])
        return PLU_OK;
    t->history = plu_output_stream(&t->history_output, err);
    if (!t->history)
        return PLU_IO;
    fprintf(t->history, "problem,solver,iteration,time_s,natural_map,scaled\n");
    return PLU_OK;
}

/* The history is worth keeping also of problems that were not solved. */
static plu_status close_outputs(task *t, plu_status so_far)
{
    plu_error err = {0};
    plu_output_end(&t->output, PLU_DIFFERENT, &err); /* if it was not written */
    const bool kept = so_far == PLU_OK || so_far == PLU_NOT_CONVERGED;
    const plu_status status = plu_output_end(&t->history_output, kept ? PLU_OK : so_far, &err);
    if (kept && status != PLU_OK)
        plu_message_error(&err);
    return status;
}

/* The first column is as wide as the longest name, without folders. */
static int name_width(const plu_arguments *arguments)
{
    size_t widest = strlen("problem");
    for (int i = 0; i < arguments->operands_count; i++) {
        const char *slash = strrchr(arguments->operands[i], '/');
        const size_t length = strlen(slash ? slash + 1 : arguments->operands[i]);
        widest = length > widest ? length : widest;
    }
    return (int)widest;
}

static int solve_run(const plu_arguments *arguments)
{
    task t = {.arguments = arguments,
              .path_width = name_width(arguments),
              .json = plu_argument_given(arguments, JSON)};
    plu_error err = {0};
    plu_status first = read_request(&t, &err);
    if (first == PLU_OK)
        first = open_outputs(&t, &err);
    if (first != PLU_OK) {
        plu_message_error(&err);
        close_outputs(&t, first);
        return (int)first;
    }
    if (!t.json && !plu_argument_given(arguments, SOLUTIONS))
        plu_solve_table_head(t.path_width);
    for (int i = 0; i < arguments->operands_count; i++) {
        err = (plu_error){0};
        const plu_status status = solve_file(&t, arguments->operands[i], &err);
        if (err.count)
            plu_message_error(&err);
        if (first == PLU_OK)
            first = status;
    }
    const plu_status closed = close_outputs(&t, first);
    if (first == PLU_OK)
        first = closed;
    return first != PLU_OK ? (int)first : t.unsolved ? PLU_NOT_CONVERGED : PLU_OK;
}

const plu_command plu_command_solve = {
    .name = "solve",
    .operands = "PROBLEM...",
    .least = 1,
    .most = INT_MAX,
    .summary = "solve contact problems from files",
    .examples = "pluvia solve problem.hdf5\n"
                "pluvia solve problems/*.dat --tolerance 1e-8\n"
                "pluvia solve problem.dat --all --max-time 5\n"
                "pluvia solve problem.dat --solver newton --history newton.csv -o solution.hdf5",
    .notes =
        "Reads FCLIB (HDF5: fclib_local, fclib_global, fclib_global_rolling) and the text\n"
        "formats of Siconos, with 2, 3 (Coulomb) or 5 (rolling friction) rows a contact.\n"
        "Both residuals are recomputed from the impulses alone. \"solved\" also requires that the\n"
        "residual is small compared with q; \"unsolvable\" means that there is a proof. The exit\n"
        "code is 4 if a problem was not solved to the tolerance, with --all if no solver did.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = solve_run,
};
