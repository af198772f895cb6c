/* convert_lanes.h: blocks from one precision to the other (problem/single.h). */
#ifndef PROBLEM_CONVERT_LANES_H
#define PROBLEM_CONVERT_LANES_H

#include "base/cpu.h"
#include "problem/single.h"

/* Contacts and impulses of a block to lanes k to k + 7; `still`: the row of what does not move. */
typedef void plu_to_single_function(const plu_single *single, plu_block *from, plu_single_block *to,
                                    int k, int still);
PLU_ISA_DECLARE(plu_to_single_function, plu_to_single);

/* Impulses of lanes k to k + 7 to a block. Those that slide or roll but for rounding are brought to
 * their limit. */
typedef void plu_from_single_function(const plu_single *single, plu_single_block *from, int k,
                                      plu_block *to);
PLU_ISA_DECLARE(plu_from_single_function, plu_from_single);

#endif
