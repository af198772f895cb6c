#include "base/memory.h"
#include "general/prox_system.h"
#include <stdlib.h>

/* Contacts up to which all are within the pattern; factorizations for which a contact stays within
 * it after it has opened; share of those that have been open for longer which is too much. */
enum { FEW = 2000, LATELY = 8 };
static const double TOO_MANY = 0.03;

plu_status plu_prox_pattern_start(plu_prox_pattern *p, int contacts, plu_error *err)
{
    *p = (plu_prox_pattern){.contacts = contacts, .follows = contacts > FEW};
    p->within = plu_alloc((size_t)contacts, sizeof *p->within, err);
    p->closed = plu_alloc((size_t)contacts, sizeof *p->closed, err);
    if (!p->within || !p->closed)
        return PLU_IO;
    for (int c = 0; c < contacts; c++)
        p->within[c] = !p->follows;
    return PLU_OK;
}

void plu_prox_pattern_free(plu_prox_pattern *p)
{
    free(p->within);
    free(p->closed);
}

bool plu_prox_pattern_follow(plu_prox_pattern *p, const plu_prox_slope *slope)
{
    int lacking = 0, held = 0, idle = 0;
    if (!p->follows)
        return false;
    p->now++;
    for (int c = 0; c < p->contacts; c++) {
        if (slope[c].normal != 0.0)
            p->closed[c] = p->now;
        const bool lately = p->closed[c] > 0 && p->closed[c] > p->now - LATELY;
        lacking += !p->within[c] && p->closed[c] == p->now;
        held += p->within[c];
        idle += p->within[c] && !lately;
    }
    if (lacking == 0 && idle <= TOO_MANY * held)
        return false;
    for (int c = 0; c < p->contacts; c++)
        p->within[c] = p->closed[c] > 0 && p->closed[c] > p->now - LATELY;
    return true;
}
