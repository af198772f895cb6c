/* prox_map.h: the contact law of a proximal step, contact by contact (prox_newton.c):
 *
 *   x = center - y / (eps D) ,   P_N = max(x_N, 0) ,   P_i = x_i min(1, mu_i P_N / |x_i|) ,  i = T,
 * R
 *
 * and P for pivoting, with the limits mu_T = mu, mu_R = mu_r and mu_P = mu_p, zero included. */
#ifndef GENERAL_PROX_MAP_H
#define GENERAL_PROX_MAP_H

#include "general/prox_system.h"
#include "problem/contact_problem.h"

typedef struct plu_prox_map {
    const plu_contact_problem *problem;
    const double *weight; /* [n]: D */
    const double *center; /* [n] */
    double eps;
} plu_prox_map;

/* D: the diagonal of W, the larger entry of a pair for both. */
void plu_prox_weights(const plu_contact_problem *problem, double *weight);

/* target = P at y; returns |target - p|. */
double plu_prox_project(const plu_prox_map *map, const double *p, const double *y, double *target);

/* Slopes of P at y, where target = P: dP = -K dy, at a slipping pair in the primal-dual
 * linearization around p. */
void plu_prox_slopes(const plu_prox_map *map, const double *p, const double *y,
                     const double *target, plu_prox_slope *slope);

#endif
