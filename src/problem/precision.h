/* precision.h: what differs in a kernel that is compiled for doubles and, with PLU_SINGLE, for
 * floats. */
#ifndef PROBLEM_PRECISION_H
#define PROBLEM_PRECISION_H

#include "problem/single.h"
#include <float.h>

#if defined(PLU_SINGLE)

typedef plu_single swept;
typedef plu_single_block swept_block;
typedef plu_single_before swept_before;
#define FIXED_HAVE_ROWS true
#define NOISE ((double)FLT_EPSILON)

PLU_FETCH void fetch_coming(const swept *problem, plu_coming *coming)
{
    plu_single_fetch_coming(problem, coming);
}

#else

typedef plu_problem swept;
typedef plu_block swept_block;
typedef plu_block_before swept_before;
#define FIXED_HAVE_ROWS false
#define NOISE PLU_NOISE

PLU_FETCH void fetch_coming(const swept *problem, plu_coming *coming)
{
    plu_fetch_coming(problem, coming);
}

#endif
#endif
