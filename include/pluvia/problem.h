/* problem.h: reads and writes contact problems, and solves them by any method.
 *
 *   y = W p + q ,   K* contains y^ , y^ orthogonal to p in K                            AB21 (63)
 *
 * A problem has 3 (Coulomb) or 5 (rolling friction) rows a contact, in the plane 2 or 3: r_N, r_T
 * (in the plane one row, else two), m_R (likewise), and y the relative velocities that belong to
 * them: u_N, u_T, omega_R; all in the units of its file, SI in those that pluvia writes. One of a
 * step with pivoting friction has 7, of which the last two are m_P and a zero; no format holds it.
 */
#ifndef PLUVIA_PROBLEM_H
#define PLUVIA_PROBLEM_H

#include "pluvia/status.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef struct plu_contact_problem plu_contact_problem;

typedef enum plu_problem_format {
    PLU_FCLIB_LOCAL,          /* HDF5, group /fclib_local: W and q */
    PLU_FCLIB_GLOBAL,         /* HDF5, /fclib_global: M, H, f, w */
    PLU_FCLIB_GLOBAL_ROLLING, /* HDF5, /fclib_global_rolling */
    PLU_SICONOS_LOCAL,        /* text: W and q, dense, sparse blocks or compressed columns */
    PLU_SICONOS_GLOBAL        /* text: M, H, f, w */
} plu_problem_format;

enum { PLU_PROBLEM_TITLE = 256 };

typedef struct plu_problem_facts {
    plu_problem_format format;     /* of its file; for arrays: a format that can store it */
    char title[PLU_PROBLEM_TITLE]; /* empty where there is none */
    int rows;                      /* a contact: 2, 3, 5 or 7 */
    bool planar, rolling;          /* in the plane; with rolling friction */
    int contacts;
    int freedom;    /* velocities of the bodies; 0: not known (local formats) */
    int bodies;     /* of the body form; 0: there is none */
    int blocks;     /* of W */
    bool symmetric; /* W is, to 1e-12 of its largest entry; real ones are not always */
    bool spheres;   /* each block is that of two spheres: the fast path of "gs" */
    bool has_guess, has_solution; /* the file contains one */
} plu_problem_facts;

/* Reads a problem; the caller owns `*problem`. PLU_OK; PLU_BAD_INPUT with a sentence that begins
 * with the path (not a problem, truncated, lengths that do not match, invalid numbers);
 * PLU_IO. */
plu_status plu_contact_problem_read(plu_contact_problem **problem, const char *path,
                                    plu_error *err);
void plu_contact_problem_destroy(plu_contact_problem *problem); /* accepts NULL */

/* A problem as arrays, in the units of the caller, with d = rows and n = rows * contacts: W and q,
 *   u = W r + q ,
 * or bodies of six velocities each, from which W and q are formed (AB21 (63)),
 *   M v = f + H r ,   u = H^T v + w .                                                            */
typedef struct plu_problem_arrays {
    int rows, contacts;   /* 3 or with mu_r 5 rows a contact, in the plane 2 or with mu_r 3 */
    const double *q;      /* [n]: q, with bodies w */
    const double *mu;     /* [contacts] */
    const double *mu_r;   /* [contacts], a length; NULL: no rolling friction */
    const double *length; /* [contacts]: L, by which moments are scaled inside; NULL: from W */
    const double *guess;  /* [n]: impulses to start from; NULL: zero */
    /* W by block rows; NULL with bodies. Row c has the blocks start[c] .. start[c + 1] - 1, in any
     * order of columns; blocks that occur twice are added. */
    const int *start;    /* [contacts + 1] */
    const int *column;   /* [start[contacts]]: a contact */
    const double *block; /* [start[contacts]][d * d], each row by row */
    /* Bodies; 0 with W. */
    int bodies;
    const double (*mass)[36]; /* [bodies]: M, row by row */
    const double (*force)[6]; /* [bodies]: f */
    const int (*pairs)[2];    /* [contacts]: the bodies of each; -1: none */
    const double *h;          /* [contacts][2][6 * d]: H of each of the two, 6 x d, row by row */
} plu_problem_arrays;

/* Makes a problem of arrays, which are copied; the caller owns `*problem`. PLU_OK; PLU_BAD_INPUT
 * (one sentence: what is missing, out of range or not finite) or PLU_IO. */
plu_status plu_contact_problem_of_arrays(plu_contact_problem **problem,
                                         const plu_problem_arrays *arrays, plu_error *err);

/* W, q and the friction of any problem, in the units of its file, with rows and blocks of
 * plu_problem_facts: start [contacts + 1], column [blocks], block [blocks][rows * rows] (columns
 * rise in each row), q [rows * contacts], mu [contacts], mu_r and mu_p [contacts] or NULL. The
 * second may lack memory: PLU_IO. */
void plu_contact_problem_w(const plu_contact_problem *problem, int *start, int *column,
                           double *block);
plu_status plu_contact_problem_q(const plu_contact_problem *problem, double *q, plu_error *err);
void plu_contact_problem_friction(const plu_contact_problem *problem, double *mu, double *mu_r,
                                  double *mu_p);

void plu_contact_problem_facts(const plu_contact_problem *problem, plu_problem_facts *facts);

/* The name of a format in messages: "FCLIB, local" ... */
const char *plu_problem_format_name(plu_problem_format format);

/* Writes the problem, with its guess and, where there is one, its solution (FCLIB only), through a
 * temporary name. `title` may be NULL. PLU_BAD_INPUT if the problem has no such form (global
 * formats need bodies), PLU_IO. */
plu_status plu_contact_problem_write(const plu_contact_problem *problem, const char *path,
                                     plu_problem_format format, const char *title, plu_error *err);

typedef struct plu_solve_request {
    const char *solver;   /* its name, as `pluvia solvers` lists them; NULL: the default */
    const char *local;    /* local solver of "gs"; NULL: its default */
    const char *fallback; /* second solver if "gs" stalls; NULL: none */
    bool natural_order;   /* "gs": contacts in the order of the file, not by colors */
    bool scaled;          /* stop on the scaled residual instead of the natural map */
    double tolerance;
    int max_iterations;     /* 0: no limit */
    double max_seconds;     /* 0: no limit */
    const char *newton_map; /* "newton": primal-dual (NULL), alart-curnier, natural-map */
    bool full_steps;        /* "newton", "newton-fb", "newton-glocker": no line search */
    bool plain;      /* as published: these without Gauss-Seidel before and without proximal steps,
                        "convex" without a start from "prox-newton" */
    bool from_zero;  /* ignore the guess of the file */
    bool associated; /* the associated law instead of Coulomb's: contacts that slide open */
    bool history;
    const struct plu_extensions *extensions; /* solvers of these, too; NULL: none */
} plu_solve_request;

typedef struct plu_solve_point {
    int iteration;
    double seconds;
    double natural, scaled;
} plu_solve_point;

typedef struct plu_solve_report {
    const char *solver;
    int iterations;
    bool converged;
    double seconds;
    double natural, scaled;   /* residuals, recomputed from r alone */
    int factorizations;       /* of sparse matrices; 0 for methods without */
    double infeasibility;     /* of the last outer iteration of "convex"; < 0: not applicable */
    bool unsolvable;          /* it is proved that no solution exists; nothing was solved */
    char proof[120];          /* that proof, a sentence without its full stop; empty: none */
    char note[200];           /* a remark of the method; empty: none */
    plu_solve_point *history; /* owned: free with plu_solve_report_free */
    int history_count;
} plu_solve_report;

/* True if a solver does not support this problem; `why` is one sentence with the reason. */
bool plu_solver_refuses(const plu_contact_problem *problem, const plu_solve_request *request,
                        char why[256]);

/* Solves it; the impulses are kept with the problem (plu_contact_problem_solution, _write). Not
 * reaching the tolerance is a result. PLU_OK; PLU_USAGE for an unknown name or a solver
 * that refuses; PLU_IO. */
plu_status plu_contact_problem_solve(plu_contact_problem *problem, const plu_solve_request *request,
                                     plu_solve_report *report, plu_error *err);
void plu_solve_report_free(plu_solve_report *report);

/* Impulses and relative velocities of the last solve, [rows * contacts] each, in the units of the
 * file. PLU_USAGE when there was none. */
plu_status plu_contact_problem_solution(const plu_contact_problem *problem, double *r, double *u,
                                        plu_error *err);

/* All solutions of a single contact with Coulomb friction, of which there may be several, or none:
 * a strongly coupled block with large friction can take off, stick and slide for the same q
 * (Bonnefon & Daviet 2011, whose quartic gives the sliding ones; Painleve). Solutions are isolated
 * where W is regular; of a singular W those that stick may be left out. */
typedef enum plu_single_mode {
    PLU_SINGLE_TAKE_OFF,
    PLU_SINGLE_STICK,
    PLU_SINGLE_SLIDE
} plu_single_mode;

typedef struct plu_single_solution {
    plu_single_mode mode;
    double r[3], u[3]; /* impulses and velocities, normal first */
    double error;      /* of the law, relative to the impulses */
} plu_single_solution;

enum { PLU_SINGLE_SOLUTIONS = 10 };

/* PLU_OK; PLU_USAGE where there is more than one contact, or rolling friction. */
plu_status plu_contact_problem_all_solutions(const plu_contact_problem *problem,
                                             plu_single_solution found[PLU_SINGLE_SOLUTIONS],
                                             int *count, plu_error *err);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
