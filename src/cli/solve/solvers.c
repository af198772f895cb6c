/* pluvia solvers: what a scene can name as solver.name and solver.local. */
#include "cli/base/commands.h"
#include "pluvia/tool/solver.h"
#include <stdio.h>

static int solvers_run(const plu_arguments *arguments)
{
    (void)arguments;
    printf("Solvers (solver.name)\n");
    for (int i = 0; i < plu_solvers_count(); i++)
        printf("  %-18s %s\n", plu_solver_name(i), plu_solver_summary(i));
    printf("\nLocal solvers of gs (solver.local)\n");
    for (int i = 0; i < plu_local_solvers_count(); i++)
        printf("  %-18s %s\n", plu_local_solver_name(i), plu_local_solver_summary(i));
    return PLU_OK;
}

const plu_command plu_command_solvers = {
    .name = "solvers",
    .operands = "",
    .summary = "list the solvers for scenes and contact problems",
    .examples = "pluvia solvers\n"
                "pluvia run scenes/first.cfg -s solver.local=projection",
    .run = solvers_run,
};
