/* Solutions with the factors of block_lu_fronts.c by lanes (compiled for each instruction set,
 * base/cpu.h): sums over eight lanes whatever the width, the same bits on every processor. */
#include "base/lanes.h"
#include "sparse/block_lu.h"
#include "sparse/block_lu_front.h"

enum { MOST_ROWS = 7 };

SPECIALISED int eights_up(int x)
{
    return (x + 7) / 8 * 8;
}

/* The pivots' part of the vector, and zeros where there is none. */
SPECIALISED void take_pivots(int S, const plu_block_lu_node *node, const double *right, double *z)
{
    memcpy(z, right + (size_t)(node->first * S), (size_t)(node->pivots * S) * sizeof *z);
    memset(z + node->pivots * S, 0, (size_t)(node->stride - node->pivots * S) * sizeof *z);
}

SPECIALISED void forward(int S, const front *f, const int *row, double *right, double *z)
{
    const plu_block_lu_node *const node = f->node;
    take_pivots(S, node, right, z);
    for (int b = 0; b < node->pivots; b++) {
        const double *const l = f->lower + (size_t)(b * S) * f->stride, *const own = z + b * S;
        const int whole = eights_up((b + 1) * S);
        for (int j = (b + 1) * S; j < whole && j < node->pivots * S; j++)
            for (int k = 0; k < S; k++)
                z[j] -= l[(size_t)k * f->stride + (size_t)j] * own[k];
        for (int j = whole; j < node->stride; j += WIDTH) {
            lanes sum = load(z + j);
            for (int k = 0; k < S; k++)
                sum -= own[k] * load(l + (size_t)k * f->stride + j);
            store(z + j, sum);
        }
    }
    memcpy(right + (size_t)(node->first * S), z, (size_t)(node->pivots * S) * sizeof *z);
    for (int r = 0; r < node->rest; r++)
        for (int i = 0; i < S; i++)
            right[row[r] * S + i] += z[node->begin_rest + r * S + i];
}

SPECIALISED void backward(int S, const front *f, const int *row, const double *inverse,
                          double *right, double *z)
{
    const plu_block_lu_node *const node = f->node;
    take_pivots(S, node, right, z);
    for (int r = 0; r < node->rest; r++)
        for (int i = 0; i < S; i++)
            z[node->begin_rest + r * S + i] = right[row[r] * S + i];
    for (int b = node->pivots - 1; b >= 0; b--) {
        const double *const u = f->upper + (size_t)(b * S) * f->stride;
        const double *const own = inverse + (size_t)b * (size_t)(S * T);
        const int whole = eights_up((b + 1) * S);
        parts part[MOST_ROWS];
        double x[MOST_ROWS];
        memset(part, 0, sizeof part);
        for (int j = whole; j < node->stride; j += WIDTH) {
            const lanes zj = load(z + j);
            for (int i = 0; i < S; i++)
                add(&part[i], j % BLOCK, load(u + (size_t)i * f->stride + j) * zj);
        }
        for (int i = 0; i < S; i++) {
            x[i] = z[b * S + i] - total(&part[i]);
            for (int j = (b + 1) * S; j < whole && j < node->pivots * S; j++)
                x[i] -= u[(size_t)i * f->stride + (size_t)j] * z[j];
        }
        for (int i = 0; i < S; i++) {
            double sum = own[i * T] * x[0];
            for (int k = 1; k < S; k++)
                sum += own[i * T + k] * x[k];
            z[b * S + i] = sum;
        }
    }
    memcpy(right + (size_t)(node->first * S), z, (size_t)(node->pivots * S) * sizeof *z);
}

SPECIALISED void solve(int S, const plu_block_fronts *x)
{
    const plu_block_lu_tree *const tree = &x->tree;
    for (int k = 0; k < tree->nodes; k++) {
        const front f = front_of(S, &tree->node[k], x);
        forward(S, &f, tree->row + f.node->row, x->right, x->local);
    }
    for (int k = tree->nodes - 1; k >= 0; k--) {
        const front f = front_of(S, &tree->node[k], x);
        backward(S, &f, tree->row + f.node->row,
                 x->inverse + (size_t)f.node->first * (size_t)(S * T), x->right, x->local);
    }
}

void PLU_ISA(plu_block_fronts_substitute)(const plu_block_fronts *f)
{
    if (f->tree.size == 7)
        solve(7, f);
    else if (f->tree.size == 6)
        solve(6, f);
    else if (f->tree.size == 5)
        solve(5, f);
    else
        solve(3, f);
}
