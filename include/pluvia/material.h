/* material.h: materials of a scene, and the laws between them: plain numbers in SI units. */
#ifndef PLUVIA_MATERIAL_H
#define PLUVIA_MATERIAL_H

#include "pluvia/where.h"

typedef struct plu_material {
    char name[PLU_NAME];
    double density; /* kg/m^3; 0: not given (then no body may be made of it) */
    plu_where where;
} plu_material;

/* How pairs bounce (src/theory.md, "Bounces"). */
typedef enum plu_restitution {
    PLU_NEWTON, /* e times the velocity of approach of the step */
    PLU_ENERGY  /* e^2 times the energy at the time of contact */
} plu_restitution;

/* The law between two materials (AB21 section 2, with impacts). */
typedef struct plu_contact_law {
    char between[2][PLU_NAME];
    int material[2];          /* resolved from `between` */
    double friction;          /* mu, dimensionless */
    double rolling_friction;  /* mu_r, a length in m: the moment is at most mu_r r_N */
    double pivoting_friction; /* mu_p, the same for the moment about the normal */
    double restitution;       /* e in [0, 1] */
    plu_restitution restitution_law;
    double cohesion;       /* F_c (N): tensile force that a sphere and a sphere or wall can carry */
    double cohesion_range; /* m: pairs attract each other up to this gap */
    double strength;       /* N: what a contact bears at most; 0: see plu_stepper_strength */
    /* only with the penalty method (src/theory.md); 0 otherwise */
    double friction_dynamic;                       /* mu_d <= mu, of a contact that slides */
    double normal_stiffness, tangential_stiffness; /* N/m */
    double rolling_stiffness; /* N m/rad; 0: tangential_stiffness L^2, L the contact's length */
    double normal_damping, tangential_damping, rolling_damping; /* ratios in [0, 1] */
    plu_where where;
} plu_contact_law;

#endif
