/* bias.h: w_N of contacts where not all pairs land. */
#ifndef ASSEMBLE_BIAS_H
#define ASSEMBLE_BIAS_H

#include "detect/detect.h"

/* w_N of contact number `at`: of one that does g / h, so that u_N of the
 * new velocities closes the gap and no more; else e u_N,k of what approaches; or what keeps account
 * of energy. */
double plu_bias_of(const plu_world *world, const plu_contacts *list, int at);

#endif
