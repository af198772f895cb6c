/* convert_lanes.h: converts blocks between doubles and floats (blocks/single.h). */
#ifndef BLOCKS_CONVERT_LANES_H
#define BLOCKS_CONVERT_LANES_H

#include "base/cpu.h"
#include "blocks/single.h"

/* Copies contacts and impulses of a block of doubles to the lanes k to k + 7 of a block of floats;
 * `still`: the row of zeros of the tile. */
typedef void plu_to_single_function(const plu_single *single, plu_block *from, plu_single_block *to,
                                    int k, int still);
PLU_ISA_DECLARE(plu_to_single_function, plu_to_single);

/* Copies the impulses of the lanes k to k + 7 back to a block of doubles. Friction impulses that
 * reach their limit up to the rounding of floats are scaled to the limit. */
typedef void plu_from_single_function(const plu_single *single, plu_single_block *from, int k,
                                      plu_block *to);
PLU_ISA_DECLARE(plu_from_single_function, plu_from_single);

#endif
