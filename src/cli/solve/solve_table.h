/* solve_table.h: results of pluvia solve, as a table for people or JSON, one object a line. */
#ifndef CLI_SOLVE_SOLVE_TABLE_H
#define CLI_SOLVE_SOLVE_TABLE_H

#include "pluvia/problem.h"

/* One result; with `refusal` the solver did not take the problem and `report` says nothing. */
typedef struct plu_solve_row {
    const char *path;
    plu_problem_facts facts;
    const char *solver, *local; /* local: NULL but for gs */
    const char *refusal;
    plu_solve_report report;
} plu_solve_row;

void plu_solve_table_head(int path_width);
void plu_solve_table_row(const plu_solve_row *row, int path_width);
void plu_solve_json(const plu_solve_row *row);

/* --all-solutions: of a single contact, as a table or one JSON object. */
plu_status plu_solve_all_solutions(const plu_contact_problem *problem, const char *path, bool json,
                                   int *count, plu_error *err);

/* Prints remarks on stderr: W is not symmetric, the problem is unsolvable, notes of the solver. */
void plu_solve_remarks(const plu_solve_row *row);

#endif
