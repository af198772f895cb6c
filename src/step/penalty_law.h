/* penalty_law.h: the regularized contact law: springs, dampers and limits in place of the cone.
 *
 * Code_Aster's law of contact and friction by penalization, with one change: what is kept from step
 * to step is the elastic part of a force alone, so that damping does not add up (src/theory.md,
 * "The penalty method"). Pure functions of one contact. */
#ifndef STEP_PENALTY_LAW_H
#define STEP_PENALTY_LAW_H

#include "world/world.h"

struct plu_contact_law; /* pluvia/scene.h */

/* The numbers of one contact. */
typedef struct plu_penalty_law {
    double kn, cn;     /* normal spring (N/m) and damper (N s/m) */
    double kt, ct;     /* tangential */
    double kr, cr;     /* rolling (N m/rad, N m s/rad) */
    double mu_s, mu_d; /* friction while the contact sticks and while it slides */
    double mu_r;       /* m */
    double restick;    /* largest (u_T / F_N)^2 at which a contact that slides can stick again */
} plu_penalty_law;

/* What a contact remembers; zero for a new one. */
typedef struct plu_spring {
    double t[3];   /* elastic force on b along the tangent plane (N) */
    double m[3];   /* elastic rolling moment on b (N m) */
    double slides; /* 1: mu_d holds, 0: mu_s */
} plu_spring;

/* Force and moment on b, and where the energy is. */
typedef struct plu_penalty_force {
    double n, t[3]; /* N; n >= 0: no adhesion */
    double m[3];    /* N m */
    double elastic; /* J, in the springs */
    double used;    /* J, by dampers and friction in the step that led here */
} plu_penalty_force;

/* `wn`, `wt`, `wr`: the pair's W_NN, W_TT, W_RR (1/kg, 1/kg, 1/(kg m^2)); `length`: its L. Damping
 * ratios z become C = 2 z sqrt(K / W). */
plu_penalty_law plu_penalty_law_of(const struct plu_contact_law *law, double wn, double wt,
                                   double wr, double length);

/* Turns what a pair remembers into the plane of its present normal, lengths unchanged. */
void plu_spring_turn(plu_spring *spring, const double normal[3]);

/* Force at a gap and a relative velocity y = (u_N, u_T, omega_R); the springs are first moved on by
 * the motion of one step h. */
void plu_penalty_contact(const plu_penalty_law *law, double gap, const double y[7], double h,
                         plu_spring *spring, plu_penalty_force *force);

/* The longest step for a spring K with a damper C at a W: 0.1 periods of the undamped pair where
 * C = 0. That is stable for bodies held (10/pi)^2 times as stiffly as by one contact, and so is
 * what this returns for C > 0. */
double plu_penalty_step(double k, double c, double w);

/* --- the longest step that the springs of a scene allow --- */

/* PLU_OK, or PLU_BAD_INPUT and the longest step, with the law that sets it, where the scene's step
 * is longer; PLU_IO. Each law is tried with the lightest bodies that can meet under it, present or
 * still to come. */
plu_status plu_penalty_check_step(const plu_world *world, plu_error *err);

#endif
