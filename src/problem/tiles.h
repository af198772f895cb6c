/* tiles.h: contacts sorted by island and tile, and their colors.
 *
 * The contacts of a large island are cut into tiles that the cache of a core holds, so that a
 * solver may visit all of a tile while its bodies and blocks are in cache (cuts.h). Tiles of a
 * group share no body: threads take them side by side. Contacts that reach further than the next
 * cell make a last group of one tile. Other islands are one tile. */
#ifndef PROBLEM_TILES_H
#define PROBLEM_TILES_H

#include "problem/cuts.h"

/* What a tile takes when it begins a block. */
typedef struct plu_tile_size {
    int colors;
    int slots; /* each color begins a block; up to the last contact */
} plu_tile_size;

/* All zero at first; free with plu_tiles_free. */
typedef struct plu_tiles {
    int *order;              /* the contacts by island, group, tile and number */
    plu_contact_pair *pairs; /* of contact order[i] */
    unsigned char *color;    /* of the same; PLU_COLORS - 1 is the overflow */
    int *start;           /* [keys + 1]: where the contacts of a tile begin; tiles may be empty */
    plu_tile_size *size;  /* by key, where there are contacts */
    unsigned char *group; /* by key */
    unsigned char *whole; /* by key: slots of which a color begins a block */
    int *first_key;       /* [islands + 1]: where the tiles of an island begin */
    int keys;
    int rows;        /* that move */
    int *key;        /* scratch by contact */
    int *contacts;   /* scratch by island: how many it has */
    int *place;      /* scratch by part of the contacts and key */
    plu_cuts cells;  /* of the tiled islands */
    uint64_t *taken; /* scratch by body: colors that it has */
    size_t order_capacity, pairs_capacity, color_capacity, start_capacity, size_capacity,
        group_capacity, whole_capacity, first_key_capacity, key_capacity, contacts_capacity,
        place_capacity, taken_capacity;
} plu_tiles;

/* `cell` by body, or NULL: no island is tiled. Contacts with a common body have different colors in
 * a tile, first fit in their order, but for the overflow. The same for any number of threads.
 * PLU_OK or PLU_IO. */
plu_status plu_tiles_make(plu_tiles *tiles, const plu_graph *graph, int contacts, int rows,
                          const plu_contact_pair *pairs, const plu_body_cell *cell, plu_error *err);

void plu_tiles_free(plu_tiles *tiles);

#endif
