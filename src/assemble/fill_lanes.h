/* fill_lanes.h: contacts to blocks and back, eight at a time. */
#ifndef ASSEMBLE_FILL_LANES_H
#define ASSEMBLE_FILL_LANES_H

#include "base/cpu.h"
#include "blocks/blocks.h"
#include "detect/detect.h"

/* Normals, gaps and warm-start impulses of the contacts, one a lane, to a block whose pair is set;
 * rounding and turning is taken off their tangential parts, so that these are normal to n. Moments
 * of pairs with pivoting friction stay whole. The bias is that of pairs that land within `step`
 * (s); infinite: 0. */
typedef void plu_fill_lanes_function(const plu_contact *const contact[PLU_LANES],
                                     const plu_impulse *const warm[PLU_LANES], double step,
                                     bool pivots, plu_block *block, plu_block_start *start);
PLU_ISA_DECLARE(plu_fill_lanes_function, plu_fill_lanes);

/* The impulses of the block to those of its contacts; NULL: a spare lane. */
typedef void plu_take_lanes_function(const plu_block *block, plu_impulse *const impulse[PLU_LANES]);
PLU_ISA_DECLARE(plu_take_lanes_function, plu_take_lanes);

#endif
