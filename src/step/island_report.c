/* What a step says of its islands. */
#include "step/stepper.h"

/* The most that a tile of the island has. */
static int colors_of(const plu_problem *p, const plu_island *island)
{
    int most = 0;
    for (int t = p->group_start[island->group_begin]; t < p->group_start[island->group_end]; t++) {
        const int colors = p->tiles[t].color_end - p->tiles[t].color_begin;
        most = colors > most ? colors : most;
    }
    return most;
}

void plu_report_islands(const plu_stepper *s, plu_step_info *info)
{
    int largest = 0;
    info->islands = s->problem.islands_count;
    for (int k = 0; k < s->problem.islands_count; k++) {
        const plu_island *island = &s->problem.islands[k];
        if (island->contacts > largest) {
            largest = island->contacts;
            info->colors = colors_of(&s->problem, island);
        }
    }
}
