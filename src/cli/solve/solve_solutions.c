/* pluvia solve --all-solutions: a single contact may have several. */
#include "cli/base/json.h"
#include "cli/solve/solve_table.h"
#include <stdio.h>
#include <string.h>

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
