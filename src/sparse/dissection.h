/* dissection.h: an order of elimination by nested dissection (George 1973): first two parts of a
 * graph, each ordered in the same way, then the nodes between them. Parts of few nodes are ordered
 * by AMD. Of packings of many bodies it fills less than AMD.
 *
 *      +---------+S+---------+        the matrix        A     .     *     no fill between A and B,
 *      |  A      |S|      B  |        in this order:    .     B     *     however they are ordered:
 *      | (again) |S| (again) |                          *     *     S     no path joins them but
 *      +---------+S+---------+                                            through S
 *
 * A separator S of n nodes in the plane has about sqrt(n) of them, in space n^(2/3); it is a dense
 * block at the end. Found by separator.h, by levels of coarser graphs. */
#ifndef SPARSE_DISSECTION_H
#define SPARSE_DISSECTION_H

#include "pluvia/status.h"

/* order[k] = row that is eliminated k-th, of a matrix as in block_lu.h. The same on every machine.
 * PLU_OK or PLU_IO. */
plu_status plu_dissection_order(int n, const int *start, const int *column, int *order,
                                plu_error *err);

#endif
