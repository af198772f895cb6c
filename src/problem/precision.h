/* precision.h: lets a kernel be compiled for doubles and, with PLU_SINGLE, for floats: types and
 * functions under one name. */
#ifndef PROBLEM_PRECISION_H
#define PROBLEM_PRECISION_H

#include "problem/single.h"
#include <float.h>
#include <limits.h>

#if defined(PLU_SINGLE)

typedef plu_single swept;
typedef plu_single_block swept_block;
typedef plu_single_before swept_before;
#define NOISE ((double)FLT_EPSILON)

/* The first row that must not be written: in doubles the first given row. In floats there is none:
 * given rows are copies that no two threads use at the same time, and writing stores the value that
 * they have already. */
PLU_FETCH int unwritten_rows(const swept *problem)
{
    (void)problem;
    return INT_MAX;
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

PLU_FETCH int unwritten_rows(const swept *problem)
{
    return problem->moving;
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
