/* eta.h: the wall time that a run has still to take. */
#ifndef CLI_RUN_ETA_H
#define CLI_RUN_ETA_H

enum { PLU_ETA_MARKS = 200 };

/* What the run had come to at parts of its steps. */
typedef struct plu_eta_mark {
    double wall;   /* s */
    double bodies; /* sum over the steps of those that were active */
    long steps;    /* made */
} plu_eta_mark;

typedef struct plu_eta {
    long all; /* steps of the whole run, those that it continues included */
    plu_eta_mark now;
    int marks;
    plu_eta_mark mark[PLU_ETA_MARKS + 3]; /* the start, that without its first steps, then one for
                                           * each part of the steps */
} plu_eta;

/* `made`: steps before the first one that counts; times of any clock. */
void plu_eta_start(plu_eta *eta, long made, long all, double wall);

/* After each step. */
void plu_eta_step(plu_eta *eta, double wall, int active);

/* Seconds that are left from the last step on, if `waiting` bodies will become active in equal
 * steps up to the end; infinite before the first step. */
double plu_eta_left(const plu_eta *eta, int active, int waiting);

#endif
