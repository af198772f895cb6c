/* solving.h: how the contact problems of a scene are solved, and the limits of its run. */
#ifndef PLUVIA_SOLVING_H
#define PLUVIA_SOLVING_H

#include "pluvia/where.h"
#include <stdbool.h>

typedef enum plu_criterion {
    PLU_VELOCITY,    /* error of contact velocities, relative to what gravity adds in a step */
    PLU_WEIGHT,      /* error of impulses, stricter in deep beds */
    PLU_SCALED,      /* impulses */
    PLU_NATURAL_MAP, /* the literature's natural map, SI */
    PLU_CRITERIA     /* number of kinds */
} plu_criterion;

typedef enum plu_on_failure { PLU_WARN, PLU_STOP } plu_on_failure;

typedef struct plu_solver_spec {
    char name[PLU_NAME];     /* of the solver: "gs" */
    char local[PLU_NAME];    /* of the local solver: "exact", "projection" */
    char fallback[PLU_NAME]; /* second solver where "gs" does not converge; or "none" */
    plu_where name_where, local_where, fallback_where;
    plu_criterion criterion;
    double tolerance;
    int min_iterations, max_iterations;
    plu_on_failure on_failure;
    bool momentum;      /* Nesterov momentum with gradient restart */
    int anderson_after; /* sweeps before Anderson acceleration starts; 0: never */
    bool single;        /* large islands are swept in single precision */
    bool quiet;         /* bodies at rest sleep */
    bool islands;       /* each connected group of contacts is solved separately */
    int cell_bodies;    /* bodies in a cell of a tile; 0: from the number of bodies */
} plu_solver_spec;

/* Limits that no correct run exceeds (src/machinery.md, "Limits of a run"). */
typedef struct plu_limit_spec {
    double velocity;         /* m/s, of v and of omega r; 0: from the energy of the scene */
    double penetration;      /* divided by the smaller diameter of the pair */
    int unconverged_steps;   /* in a row; 0: no limit */
    plu_on_failure on_limit; /* velocities that are not finite always stop a run */
} plu_limit_spec;

#endif
