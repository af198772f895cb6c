#include "blocks/turns.h"
#include "base/team.h"
#include "blocks/blocks.h"
#include <string.h>

void plu_turns_begin(const plu_problem *p, const plu_island *island)
{
    const int first = island->cell_begin;
    memcpy(p->turns.left + first, p->turns.visits + first,
           (size_t)(island->cell_end - first) * sizeof *p->turns.left);
}

void plu_turns_await(const plu_problem *p, const plu_island *island, int tile)
{
    const plu_claim *claim = p->turns.claim[tile];
    if (claim->cell < 0)
        for (int cell = island->cell_begin; cell < island->cell_end; cell++)
            plu_wait_for(&p->turns.left[cell], 0);
    for (int k = 0; k < PLU_CLAIMS && claim[k].cell >= 0; k++)
        plu_wait_for(&p->turns.left[claim[k].cell], claim[k].left);
}

void plu_turns_end(const plu_problem *p, int tile)
{
    const plu_claim *claim = p->turns.claim[tile];
    for (int k = 0; k < PLU_CLAIMS && claim[k].cell >= 0; k++)
        __atomic_store_n(&p->turns.left[claim[k].cell], claim[k].left - 1, __ATOMIC_RELEASE);
}

int plu_turns_first(const plu_problem *p, const plu_island *island, int tile, int *at)
{
    const plu_claim *claim = p->turns.claim[tile];
    while (*at < PLU_CLAIMS && claim[*at].cell >= 0) {
        const plu_claim *c = &claim[(*at)++];
        if (c->left == p->turns.visits[c->cell])
            return c->cell;
    }
    if (tile + 1 < p->group_start[island->group_end])
        return -1;
    if (*at <= PLU_CLAIMS)
        *at = PLU_CLAIMS + 1;
    for (;;) {
        const int cell = island->cell_begin + (*at)++ - PLU_CLAIMS - 1;
        if (cell >= island->cell_end)
            return -1;
        if (p->turns.visits[cell] == 0)
            return cell;
    }
}
