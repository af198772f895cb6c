/* reference.h: the door of this room: solvers that nothing calls by default. They are kept to
 * repeat what papers report and to compare others with them (tests/solvers/README.md); leave the
 * room out when you read how a step is solved. Each is an entry of the table in portfolio.c, as any
 * other method. */
#ifndef SOLVE_REFERENCE_REFERENCE_H
#define SOLVE_REFERENCE_REFERENCE_H

#include "solve/portfolio.h"

/* newton_glocker.c: the last of the formulations that Acary, Khenous and Perignon compare. */
PLU_METHOD(plu_newton_glocker);

/* convex.c, convex_inner.c: the cone programs that Cadoux (2009) counts for a problem; with them
 * the associated law, which is one such program. */
PLU_METHOD(plu_convex);

/* ipm.c, ipm_point.c, ipm_step.c, ipm_system.c: the interior point of Acary, Armand and Nguyen
 * (2022) for rolling friction. */
PLU_METHOD(plu_ipm);

/* apgd.c: the projected gradients of Mazhar, Heyn, Negrut and Tasora (2015), which Chrono uses. */
PLU_METHOD(plu_apgd);

/* admm.c: the splitting of Boyd et al. (2011), accelerated as by Goldstein et al. (2014), which
 * Siconos uses. */
PLU_METHOD(plu_admm);

#endif
