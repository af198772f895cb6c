#include "blocks/parts.h"

void plu_join_parts(const plu_island *island, const void *parts, int count, size_t size,
                    int columns, double *total)
{
    if (island->tiled) {
        plu_exact_columns(parts, count, size, columns, total);
        return;
    }
    for (int k = 0; k < columns; k++)
        total[k] = 0.0;
    for (int i = 0; i < count; i++) {
        const double *part = (const void *)((const char *)parts + size * (size_t)i);
        for (int k = 0; k < columns; k++)
            total[k] += part[k];
    }
}

_Static_assert((int)PLU_RANGES >= (int)PLU_TILE_GROUPS, "a range for each group of tiles");

/* Tiles of the island, group by group, numbered from `first` on. */
static void share_groups(plu_shares *shares, const plu_problem *p, const plu_island *island,
                         int first)
{
    const int *start = p->group_start, shift = first - start[island->group_begin];
    plu_shares_begin(shares);
    for (int g = island->group_begin; g < island->group_end; g++)
        plu_shares_add(shares, start[g] + shift, start[g + 1] + shift);
}

void plu_share_tiles(plu_shares *shares, const plu_problem *p, const plu_island *island)
{
    share_groups(shares, p, island, p->group_start[island->group_begin]);
}

void plu_share_strips(plu_shares *shares, const plu_problem *p, const plu_island *island)
{
    if (island->tiled) {
        share_groups(shares, p, island, island->strip_begin);
        return;
    }
    plu_shares_begin(shares);
    plu_shares_add(shares, island->strip_begin, island->strip_end);
}

void plu_share_bodies(plu_shares *shares, const plu_island *island)
{
    plu_shares_begin(shares);
    plu_shares_add(shares, 0, plu_body_parts(island));
}
