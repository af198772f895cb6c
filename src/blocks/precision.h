/* precision.h: lets a kernel be compiled for doubles and, with PLU_SINGLE, for floats: types and
 * functions under one name. */
#ifndef BLOCKS_PRECISION_H
#define BLOCKS_PRECISION_H

#include "blocks/single.h"
#include <float.h>

#if defined(PLU_SINGLE)

typedef plu_single swept;
typedef plu_single_block swept_block;
typedef plu_single_before swept_before;
#define NOISE ((double)FLT_EPSILON)

/* Whether a row may be written: in doubles moving ones only. In floats all may be: given rows are
 * copies that no two threads use at the same time, and writing stores the value that they have
 * already. */
PLU_FETCH bool is_written(const swept *problem, int32_t row)
{
    (void)problem, (void)row;
    return true;
}

/* Whether some pair has pivoting friction. */
PLU_FETCH bool pivots_of(const swept *problem)
{
    return problem->problem->pivots;
}

/* Whether sweeps are by the associated law. */
PLU_FETCH bool opens_of(const swept *problem)
{
    return problem->problem->opens;
}

PLU_FETCH void fetch_coming(const swept *problem, plu_coming *coming)
{
    plu_single_fetch_coming(problem, coming);
}

#else

typedef plu_problem swept;
typedef plu_block swept_block;
typedef plu_block_before swept_before;
#define NOISE PLU_NOISE

PLU_FETCH bool is_written(const swept *problem, int32_t row)
{
    return row < problem->moving;
}

PLU_FETCH bool pivots_of(const swept *problem)
{
    return problem->pivots;
}

PLU_FETCH bool opens_of(const swept *problem)
{
    return problem->opens;
}

PLU_FETCH void fetch_coming(const swept *problem, plu_coming *coming)
{
    plu_fetch_coming(problem, coming);
}

#endif
#endif
