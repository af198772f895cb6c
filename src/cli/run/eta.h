/* eta.h: the wall time that a run has still to take. */
#ifndef CLI_RUN_ETA_H
#define CLI_RUN_ETA_H

#include <stdbool.h>

enum { PLU_ETA_MARKS = 200 };

/* What the run had come to at parts of its steps. */
typedef struct plu_eta_mark {
    double wall;         /* s */
    double bodies;       /* sum over the steps of those that were active */
    long steps;          /* made */
    int active, waiting; /* bodies */
    int contacts;
    double kinetic; /* energy over the sum of m g d; NAN where it is not known */
} plu_eta_mark;

/* What is known before the first step that counts. */
typedef struct plu_eta_run {
    long made, all;      /* steps: before that one, and of the whole run */
    int active, waiting; /* bodies */
    bool rests;          /* what has come down comes to rest, and steps take little time then */
    double until_rest;   /* the kinetic energy of a mark with which the run ends early; 0: never */
} plu_eta_run;

typedef struct plu_eta {
    plu_eta_run run;
    plu_eta_mark now;
    double expected; /* steps to come that the scene lets expect; infinite: all */
    bool rises;      /* the load of the bed, above what it has been */
    int marks;
    plu_eta_mark mark[PLU_ETA_MARKS + 3]; /* the start, that without its first steps, then one for
                                           * each part of the steps */
} plu_eta;

/* `wall`: time of any clock. */
void plu_eta_start(plu_eta *eta, const plu_eta_run *run, double wall);

/* After each step. Whether it is a mark, whose kinetic energy may be given. */
bool plu_eta_step(plu_eta *eta, double wall, int active, int waiting);

/* How many steps are to be expected where `most` are allowed and something ends them before: those
 * to come after the `passed` ones. */
double plu_eta_open_end(double most, double passed);

/* Contacts of the last step. */
void plu_eta_touch(plu_eta *eta, int contacts);

/* Fewer steps than all are to be expected from here on. */
void plu_eta_expect(plu_eta *eta, double steps);

/* Whether what presses the bed will press harder than it has. */
void plu_eta_load(plu_eta *eta, bool rises);

/* Sets the kinetic energy at the last mark, over the sum of m g d. */
void plu_eta_kinetic(plu_eta *eta, double share);

/* Whether that the bed comes to rest, and ends the run early, is part of what is left. */
bool plu_eta_sees_rest(const plu_eta *eta);

/* Seconds that are left from the last step on; infinite before the first step. */
double plu_eta_left(const plu_eta *eta);

#endif
