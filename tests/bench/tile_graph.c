#include "tile_graph.h"
#include "step/stepper.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST = 64 }; /* tiles that a body can be in, at most: eight, and those of far contacts */

typedef struct graph {
    const plu_problem *problem;
    int (*tiles)[LAST]; /* by body: the tiles that have a contact of it, so far */
    int *count;         /* by body */
    int *seen;          /* by tile: the last one that has it as a neighbor */
    FILE *file;
} graph;

/* Writes the tiles before `tile` that touch the body, and adds `tile` to its list. */
static void visit_body(graph *g, int body, int tile, int first)
{
    if (plu_is_given(g->problem, body))
        return;
    int *own = g->tiles[body], *count = &g->count[body];
    for (int k = 0; k < *count; k++)
        if (own[k] != tile && g->seen[own[k]] != tile) {
            g->seen[own[k]] = tile;
            fprintf(g->file, " %d", own[k] - first);
        }
    if ((*count == 0 || own[*count - 1] != tile) && *count < LAST)
        own[(*count)++] = tile;
}

static void write_tile(graph *g, int island, int group, int number, int first)
{
    const plu_problem *p = g->problem;
    const plu_tile *tile = &p->tiles[number];
    int contacts = 0, blocks = 0;
    for (int c = tile->color_begin; c < tile->color_end; c++) {
        contacts += p->color_count[c];
        blocks += (p->color_count[c] + PLU_WIDE - 1) / PLU_WIDE;
    }
    fprintf(g->file, "%d,%d,%d,%d,%d,", island, group, contacts, blocks,
            tile->color_end - tile->color_begin);
    for (int slot = p->color_start[tile->color_begin]; slot < plu_tile_end(p, tile); slot++) {
        visit_body(g, p->pair_of_slot[slot].a, number, first);
        visit_body(g, p->pair_of_slot[slot].b, number, first);
    }
    fputc('\n', g->file);
}

static void write_island(graph *g, int number)
{
    const plu_problem *p = g->problem;
    const plu_island *island = &p->islands[number];
    const int first = p->group_start[island->group_begin];
    for (int k = island->group_begin; k < island->group_end; k++)
        for (int t = p->group_start[k]; t < p->group_start[k + 1]; t++)
            write_tile(g, number, k - island->group_begin, t, first);
}

bool write_tile_graph(const plu_stepper *stepper, const char *path)
{
    const plu_problem *p = &stepper->problem;
    const int tiles =
        p->islands_count > 0 ? p->group_start[p->islands[p->islands_count - 1].group_end] : 0;
    graph g = {.problem = p, .file = fopen(path, "w")};
    if (!g.file)
        return false;
    g.tiles = calloc((size_t)p->moving + 1, sizeof *g.tiles);
    g.count = calloc((size_t)p->moving + 1, sizeof *g.count);
    g.seen = malloc(((size_t)tiles + 1) * sizeof *g.seen);
    memset(g.seen, -1, ((size_t)tiles + 1) * sizeof *g.seen);
    fprintf(g.file, "island,group,contacts,blocks,colors,before\n");
    for (int k = 0; k < p->islands_count; k++)
        if (p->islands[k].tiled)
            write_island(&g, k);
    free(g.tiles);
    free(g.count);
    free(g.seen);
    return fclose(g.file) == 0;
}
