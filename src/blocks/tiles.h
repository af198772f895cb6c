/* tiles.h: contacts sorted by island and tile, and their colors.
 *
 * The contacts of a large island are cut into tiles that fit into the cache of a core, so that a
 * solver can sweep a tile while its bodies and blocks are in cache (cuts.h). Tiles of a group share
 * no body, so threads sweep them in parallel. Contacts that reach further than the next cell make a
 * last group of one tile. Other islands are one tile. A tile is known by its key, its number in the
 * order of islands and groups. */
#ifndef BLOCKS_TILES_H
#define BLOCKS_TILES_H

#include "blocks/cuts.h"

/* The size of a tile that begins at a block. */
typedef struct plu_tile_size {
    int colors;
    int slots; /* up to the last contact; each color begins a block */
} plu_tile_size;

/* All zero at first; free with plu_tiles_free. */
typedef struct plu_tiles {
    int *order;              /* the contacts by island, group, tile and number */
    plu_contact_pair *pairs; /* of contact order[i] */
    unsigned char *color;    /* of the same; PLU_COLORS - 1 is the overflow */
    int *start;           /* [keys + 1]: where the contacts of a tile begin; tiles may be empty */
    plu_tile_size *size;  /* by key, where there are contacts */
    unsigned char *group; /* by key */
    unsigned char *whole; /* by key: colors begin at multiples of so many slots */
    int *first_key;       /* [islands + 1]: where the tiles of an island begin */
    int keys;
    int rows;        /* moving rows */
    int *key;        /* scratch by contact */
    int *contacts;   /* scratch by island: how many it has */
    int *place;      /* scratch by part of the contacts and key */
    plu_cuts cells;  /* of the tiled islands */
    uint64_t *taken; /* scratch by body: bits of the colors that its contacts have */
    size_t order_capacity, pairs_capacity, color_capacity, start_capacity, size_capacity,
        group_capacity, whole_capacity, first_key_capacity, key_capacity, contacts_capacity,
        place_capacity, taken_capacity;
} plu_tiles;

/* Sorts contacts by tile and colors each tile. `cell`: by body, or NULL: no island is tiled. In a
 * tile, contacts with a common body have different colors, except in the overflow color; each
 * contact in turn gets the first color that is free. The result does not depend on the number of
 * threads. PLU_OK or PLU_IO. */
plu_status plu_tiles_make(plu_tiles *tiles, const plu_graph *graph, int contacts, int rows,
                          const plu_contact_pair *pairs, const plu_body_cell *cell, plu_error *err);

void plu_tiles_free(plu_tiles *tiles);

#endif
