/* prox_pattern.h: the contacts that the matrices of the proximal Newton method have blocks for.
 *
 * An open contact has the slope zero and adds nothing. In a pile that falls or spreads a sixth to
 * nine tenths of the contacts are open (they were found because they may close), and without them
 * factors take 0.3 to 0.001 of the operations. The pattern therefore follows the contacts that are
 * closed or were so lately. Few contacts are all within it, from the start on: ordering anew would
 * cost more than it gains. */
#ifndef GENERAL_PROX_PATTERN_H
#define GENERAL_PROX_PATTERN_H

#include "general/prox_system.h"

typedef struct plu_prox_pattern {
    int contacts;
    bool follows; /* else all contacts are within it */
    bool *within; /* [contacts] */
    int *closed;  /* [contacts]: the last factorization in which it was closed; 0: none */
    int now;      /* factorizations */
} plu_prox_pattern;

/* PLU_OK or PLU_IO; to be freed in either case. */
plu_status plu_prox_pattern_start(plu_prox_pattern *pattern, int contacts, plu_error *err);
void plu_prox_pattern_free(plu_prox_pattern *pattern);

/* To be called before each factorization; true when the pattern has changed. */
bool plu_prox_pattern_follow(plu_prox_pattern *pattern, const plu_prox_slope *slope);

#endif
