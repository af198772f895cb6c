/* ipm_point.h: a primal-dual interior point of the contact problem with s as parameter, and one
 * step of it along the central path; what "convex" and "ipm" share.
 *
 * Each disk of each contact is a cone of three components: z = (mu r_N, r_T) and z = (mu_r r_N,
 * m_R) share r_N, z = G p; their multipliers are l = (a, l_T). With s frozen the program
 *
 *   min 1/2 p^T W p + (q + E s)^T p ,  G p in L x ... x L ,    E s = (mu s_1 + mu_r s_2) e_N ,
 *
 * has the conditions   W p + q + E s = G^T l ,   z o l = 0 ,   z and l in L,   so that l_T = u_T.
 * "ipm" adds s = |u_T| to them instead of freezing s (Acary, Armand and Nguyen 2022).
 *
 * A step solves  (T W + B) dp = r ,  B = G^T Q^2 G, Q by Nesterov and Todd, T = I, or where s moves
 * T = I + e_N (0, mu u_T^T/|u_T|, mu_r w_R^T/|w_R|). With a shift D, the mean diagonal of W times
 * `shift`, is added to it: a step of a proximal method, which leaves D dp as residual. */
#ifndef GENERAL_REFERENCE_IPM_POINT_H
#define GENERAL_REFERENCE_IPM_POINT_H

#include "cone/second_order.h"
#include "general/reference/ipm_system.h"

typedef struct plu_disk {
    int contact;
    int tail;      /* first of its two components in the contact: 1 or 3; 0: none, only r_N >= 0 */
    double weight; /* mu or mu_r; 1 where there is no tail */
    double s, speed; /* |u_T| or |w_R| at the point; smoothed where s moves */
    double z[3], l[3], dz[3], dl[3];
    double h[3]; /* of the present direction: dl = Q (h - Q dz) */
    plu_soc_scaling q;
} plu_disk;

typedef struct plu_ipm_point {
    const plu_contact_problem *problem;
    int n, disks;
    plu_disk *disk;
    int *first;     /* [contacts + 1]: disks of a contact */
    bool *held;     /* [n]: components without friction */
    bool moving;    /* s follows |u_T| */
    double *metric; /* [contacts]: mean diagonal of W */
    double *p, *dp, *y, *rhs, *change;
    double (*root)[PLU_BLOCK_MAX], (*slope)[PLU_ROWS_MAX]; /* of the system */
    plu_ipm_system *system;
    double scale; /* |q| per component: of velocities */
    double stiffness;
    double shift; /* damping of the steps relative to the diagonal of W, at the caller's choice */
    double gap;   /* z . l per disk */
    double dual;  /* largest |W p + q + E s - G^T l| relative to `scale` */
    double step;  /* length of the last step */
} plu_ipm_point;

/* As plu_ipm_system_create. */
plu_status plu_ipm_point_create(plu_ipm_point *point, const plu_contact_problem *problem,
                                bool moving, plu_stop *stop, plu_error *err);
void plu_ipm_point_destroy(plu_ipm_point *point);

/* A point in the middle of the cones, of the size of the problem's impulses and velocities. */
void plu_ipm_point_start(plu_ipm_point *point);

/* Moves the point away from the borders of the cones: a restart after steps have become short. */
void plu_ipm_point_lift(plu_ipm_point *point);

/* One predictor and one corrector step. PLU_OK, PLU_BREAKDOWN, PLU_IO. */
plu_status plu_ipm_point_advance(plu_ipm_point *point, plu_error *err);

/* y, and with it s where it moves, the dual residual and the gap of the present point. */
void plu_ipm_point_measure(plu_ipm_point *point);

/* `root` and `slope` of the present point. For "convex", which differentiates the solution;
 * `plu_ipm_point_advance` does it for itself. */
void plu_ipm_point_blocks(plu_ipm_point *point);

#endif
