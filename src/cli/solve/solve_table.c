/* The result of one problem by one solver, as a row of a table or as a JSON object:
 *
 *   problem      contacts rows  solver         iterations       time natural map    scaled  result
 *   pile.hdf5        1234    5  gs                     40    2.10 ms    8.41e-05   3.1e-06  solved
 *
 *   {"problem": "pile.hdf5", "format": "fclib_global_rolling", "contacts": 1234, ...,
 *    "converged": true, "residual": {"natural_map": 8.41e-05, "scaled": 3.1e-06}}
 *
 * "unsolvable" is said only where there is a proof; "refused" where the solver is not made for the
 * problem, with the reason. Remarks of the solver go to stderr, so that they do not mix with rows.
 * At the end: the list of all solutions of a single contact (--all-solutions), a line each with its
 * mode and impulse r and velocity u, each with the normal component first. */
#include "cli/solve/solve_table.h"
#include "cli/base/text.h"
#include <stdio.h>
#include <string.h>

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *state(const plu_solve_row *row)
{
    if (row->refusal)
        return "refused";
    if (row->report.converged)
        return "solved";
    return row->report.unsolvable ? "unsolvable" : "not solved";
}

static void print_time(double seconds)
{
    if (seconds < 1e-3)
        printf(" %7.1f us", 1e6 * seconds);
    else if (seconds < 1.0)
        printf(" %7.2f ms", 1e3 * seconds);
    else
        printf(" %7.2f s ", seconds);
}

void plu_solve_table_head(int path_width)
{
    printf("%-*s %8s %4s  %-14s %10s %10s %11s %9s  %s\n", path_width, "problem", "contacts",
           "rows", "solver", "iterations", "time", "natural map", "scaled", "result");
}

void plu_solve_table_row(const plu_solve_row *row, int path_width)
{
    const plu_solve_report *r = &row->report;
    printf("%-*s %8d %4d  %-14s ", path_width, file_name(row->path), row->facts.contacts,
           row->facts.rows, row->solver);
    if (row->refusal) {
        printf("%10s %10s %11s %9s  refused: %s\n", "-", "-", "-", "-", row->refusal);
        return;
    }
    printf("%10d", r->iterations);
    print_time(r->seconds);
    printf(" %11.2e %9.1e  %s\n", r->natural, r->scaled, state(row));
}

void plu_solve_json(const plu_solve_row *row)
{
    const plu_solve_report *r = &row->report;
    printf("{");
    plu_json_key("problem", true);
    plu_json_string(row->path);
    plu_json_text("format", plu_problem_format_name(row->facts.format));
    plu_json_integer("contacts", row->facts.contacts);
    plu_json_integer("rows", row->facts.rows);
    plu_json_text("solver", row->solver);
    if (row->local)
        plu_json_text("local", row->local);
    plu_json_text("result", state(row));
    if (row->refusal) {
        plu_json_text("refusal", row->refusal);
        printf("}\n");
        return;
    }
    plu_json_bool("converged", r->converged);
    plu_json_integer("iterations", r->iterations);
    plu_json_integer("factorizations", r->factorizations);
    plu_json_real("time_s", r->seconds, false);
    plu_json_key("residual", false);
    printf("{");
    plu_json_real("natural_map", r->natural, true);
    plu_json_real("scaled", r->scaled, false);
    printf("}");
    if (r->infeasibility >= 0.0)
        plu_json_real("infeasibility", r->infeasibility, false);
    if (r->unsolvable)
        plu_json_text("proof", r->proof);
    if (r->note[0])
        plu_json_text("note", r->note);
    printf("}\n");
}

void plu_solve_remarks(const plu_solve_row *row)
{
    if (row->refusal)
        return;
    if (row->report.unsolvable)
        plu_message("%s: %s: the problem has no solution", row->path, row->report.proof);
    if (row->report.note[0])
        plu_message("%s: %s: %s", row->path, row->solver, row->report.note);
}

/* --- pluvia solve --all-solutions: a single contact may have several --- */

static const char *const modes[] = {"take-off", "stick", "slide"};

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_vector(const char *name, const double x[3])
{
    printf(", \"%s\": [%.17g, %.17g, %.17g]", name, x[0], x[1], x[2]);
}

static void print_json(const char *path, const plu_single_solution *s, int count)
{
    printf("{");
    plu_json_key("problem", true);
    plu_json_string(path);
    printf(", \"solutions\": [");
    for (int i = 0; i < count; i++) {
        printf("%s{\"mode\": \"%s\"", i ? ", " : "", modes[s[i].mode]);
        print_vector("r", s[i].r);
        print_vector("u", s[i].u);
        plu_json_real("error", s[i].error, false);
        printf("}");
    }
    printf("]}\n");
}

plu_status plu_solve_all_solutions(const plu_contact_problem *problem, const char *path, bool json,
                                   int *count, plu_error *err)
{
    plu_single_solution s[PLU_SINGLE_SOLUTIONS];
    const plu_status status = plu_contact_problem_all_solutions(problem, s, count, err);
    if (status != PLU_OK)
        return status;
    if (json) {
        print_json(path, s, *count);
        return PLU_OK;
    }
    printf("%s: %d solution%s\n", name_of(path), *count, *count == 1 ? "" : "s");
    if (*count)
        printf("  %-9s%13s%13s%13s%13s%13s%13s%10s\n", "mode", "r_N", "r_T1", "r_T2", "u_N", "u_T1",
               "u_T2", "error");
    for (int i = 0; i < *count; i++)
        printf("  %-9s%13.6g%13.6g%13.6g%13.6g%13.6g%13.6g%10.1e\n", modes[s[i].mode], s[i].r[0],
               s[i].r[1], s[i].r[2], s[i].u[0], s[i].u[1], s[i].u[2], s[i].error);
    return PLU_OK;
}
