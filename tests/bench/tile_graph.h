/* tile_graph.h: the tiles of the last step and which of them share a body, for tile_graph.py. */
#ifndef BENCH_TILE_GRAPH_H
#define BENCH_TILE_GRAPH_H

#include "pluvia/step.h"
#include <stdbool.h>

/* Writes a line for each tile of each tiled island: number of the island, group, contacts, blocks
 * of sixteen contacts, and the tiles before it (by line) that share a moving body with it. */
bool write_tile_graph(const plu_stepper *stepper, const char *path);

#endif
