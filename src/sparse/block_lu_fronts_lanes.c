/* The factorization of block_lu_fronts.c by lanes (compiled for each instruction set, base/cpu.h).
 *
 * Every number of a front is changed by one product after the other, in the order of the pivots,
 * however wide registers are: the same bits on every processor. The functions are written once for
 * any size S of blocks and specialized by their callers' constants. */
#include "base/lanes.h"
#include "sparse/block_lu.h"
#include "sparse/block_lu_fronts.h"

enum { MOST_ROWS = 7 };

/* Registers of a row that are worked on at a time, S rows together: what the processor has. Arrays
 * have room for those of any processor, which costs nothing and shows that they suffice. */
enum { MOST_ACROSS = WIDTH == 8 ? 4 : 2, ROOM_ACROSS = 4 };

/* Pivots whose changes are made at a time, so that what they take stays in the nearest cache; and
 * pivot blocks that wait for those before them together. */
enum { DEPTH = 96, GROUP = 8 };

SPECIALISED int smallest(int a, int b)
{
    return a < b ? a : b;
}

SPECIALISED int eights_down(int x)
{
    return x / 8 * 8;
}

/* c -= a^T b, S rows of `across` registers; a and b have `depth` rows. `fresh`: c = -a^T b. */
SPECIALISED void subtract_tile(int S, int across, bool fresh, double *c, size_t c_stride,
                               const double *a, const double *b, size_t stride, int depth)
{
    lanes sum[MOST_ROWS][ROOM_ACROSS];
    for (int i = 0; i < S; i++)
        for (int v = 0; v < across; v++)
            sum[i][v] = fresh ? all(0.0) : load(c + (size_t)i * c_stride + v * WIDTH);
    for (int k = 0; k < depth; k++) {
        lanes row[ROOM_ACROSS];
        for (int v = 0; v < across; v++)
            row[v] = load(b + (size_t)k * stride + v * WIDTH);
        for (int i = 0; i < S; i++) {
            const lanes factor = all(a[(size_t)k * stride + (size_t)i]);
            for (int v = 0; v < across; v++)
                sum[i][v] -= factor * row[v];
        }
    }
    for (int i = 0; i < S; i++)
        for (int v = 0; v < across; v++)
            store(c + (size_t)i * c_stride + v * WIDTH, sum[i][v]);
}

SPECIALISED void subtract_tiles(int S, int across, bool fresh, double *c, size_t c_stride, int rows,
                                const double *a, const double *b, size_t stride, int depth)
{
    for (int i = 0; i < rows; i++)
        subtract_tile(S, across, fresh, c + (size_t)(i * S) * c_stride, c_stride, a + i * S, b,
                      stride, depth);
}

/* c -= a^T b, or -a^T b where it is fresh: `rows` blocks of rows, `columns` numbers, a multiple of
 * eight; a and b have `depth` rows. */
typedef struct product {
    bool fresh;
    double *c;
    const double *a, *b;
    size_t c_stride, stride;
    int rows, columns, depth;
} product;

SPECIALISED void subtract_by(int S, const product *x)
{
    const int most = S == 7 && MOST_ACROSS > 3 ? 3 : MOST_ACROSS;
    for (int k = 0; k < x->depth; k += DEPTH) {
        const int deep = smallest(DEPTH, x->depth - k);
        const bool fresh = x->fresh && k == 0;
        const double *const a = x->a + (size_t)k * x->stride, *b = x->b + (size_t)k * x->stride;
        double *c = x->c;
        int left = x->columns / WIDTH;
        for (; left >= most; left -= most, b += most * WIDTH, c += most * WIDTH)
            subtract_tiles(S, most, fresh, c, x->c_stride, x->rows, a, b, x->stride, deep);
        if (left == 3 && MOST_ACROSS > 3)
            subtract_tiles(S, 3, fresh, c, x->c_stride, x->rows, a, b, x->stride, deep);
        else if (left == 2 && MOST_ACROSS > 2)
            subtract_tiles(S, 2, fresh, c, x->c_stride, x->rows, a, b, x->stride, deep);
        else if (left == 1)
            subtract_tiles(S, 1, fresh, c, x->c_stride, x->rows, a, b, x->stride, deep);
    }
}

/* One function a size: in place, these tiles were most of what a compiler works on here. */
#define SUBTRACT_BY(S)                                                                             \
    static __attribute__((noinline)) void subtract_by_##S(const product *x)                        \
    {                                                                                              \
        subtract_by(S, x);                                                                         \
    }
SUBTRACT_BY(3)
SUBTRACT_BY(5)
SUBTRACT_BY(6)
SUBTRACT_BY(7)

SPECIALISED void subtract(int S, product x)
{
    if (S == 7)
        subtract_by_7(&x);
    else if (S == 6)
        subtract_by_6(&x);
    else if (S == 5)
        subtract_by_5(&x);
    else
        subtract_by_3(&x);
}

/* --- the diagonal blocks --- */

/* S rows of L, which are columns: times the inverse of their diagonal block. */
SPECIALISED void scale(int S, double *l, size_t stride, int columns, const double *inverse)
{
    for (int j = 0; j < columns; j += WIDTH) {
        lanes old[MOST_ROWS];
        for (int k = 0; k < S; k++)
            old[k] = load(l + (size_t)k * stride + j);
        for (int i = 0; i < S; i++) {
            lanes sum = inverse[i] * old[0];
            for (int k = 1; k < S; k++)
                sum += inverse[k * T + i] * old[k];
            store(l + (size_t)i * stride + j, sum);
        }
    }
}

/* --- a front --- */

/* Index of the first number of a block of the front in its rows. */
SPECIALISED int place_in(int S, const plu_block_lu_node *node, int block)
{
    return block < node->pivots ? block * S : node->begin_rest + (block - node->pivots) * S;
}

/* Adds block (i, j), of which a row is a pivot, or a column. */
SPECIALISED void add_edge(int S, const front *to, int i, int j, const double *from, size_t stride)
{
    const bool below = i > j;
    double *at = (below ? to->lower : to->upper) + (size_t)((below ? j : i) * S) * to->stride +
                 place_in(S, to->node, below ? i : j);
    for (int k = 0; k < S; k++)
        for (int l = 0; l < S; l++)
            at[below ? (size_t)l * to->stride + (size_t)k : (size_t)k * to->stride + (size_t)l] +=
                from[(size_t)k * stride + (size_t)l];
}

/* Adds numbers, by pairs where a whole register is too much. */
SPECIALISED void add_numbers(double *to, const double *from, int count)
{
    typedef double pair __attribute__((vector_size(16)));
    int k = 0;
    for (; k + WIDTH <= count; k += WIDTH)
        store(to + k, load(to + k) + load(from + k));
    for (; k + 2 <= count; k += 2) {
        pair x, y;
        memcpy(&x, to + k, sizeof x);
        memcpy(&y, from + k, sizeof y);
        x += y;
        memcpy(to + k, &x, sizeof x);
    }
    for (; k < count; k++)
        to[k] += from[k];
}

/* Adds block row i of the remainder of a child from block j on, by runs of neighbors. */
SPECIALISED void add_row(int S, const plu_block_lu_node *child, const int *place, double *to,
                         size_t to_stride, const double *from, int j, int origin)
{
    while (j < child->rest) {
        int end = j + 1;
        while (end < child->rest && place[end] == place[end - 1] + 1)
            end++;
        for (int k = 0; k < S; k++)
            add_numbers(to + (size_t)k * to_stride + (place[j] - origin) * S,
                        from + (size_t)k * (size_t)child->rest_stride + j * S, (end - j) * S);
        j = end;
    }
}

/* Number of the remainder's blocks that are pivots of the parent: its first. */
SPECIALISED int pivots_among(const plu_block_lu_node *child, const int *place, int pivots)
{
    int count = 0;
    while (count < child->rest && place[count] < pivots)
        count++;
    return count;
}

SPECIALISED void add_to_pivots(int S, const front *to, const plu_block_lu_node *child,
                               const int *place, const double *rest)
{
    const plu_block_lu_node *const node = to->node;
    const size_t stride = (size_t)child->rest_stride;
    const int pivots = pivots_among(child, place, node->pivots);
    for (int i = 0; i < child->rest; i++) {
        const double *const row = rest + (size_t)(i * S) * stride;
        for (int j = 0; j < pivots; j++)
            add_edge(S, to, place[i], place[j], row + j * S, stride);
        if (i < pivots)
            add_row(S, child, place,
                    to->upper + (size_t)(place[i] * S) * to->stride + node->begin_rest, to->stride,
                    row, pivots, node->pivots);
    }
}

SPECIALISED void add_to_rest(int S, const front *to, const plu_block_lu_node *child,
                             const int *place, const double *rest)
{
    const plu_block_lu_node *const node = to->node;
    const size_t stride = (size_t)child->rest_stride, to_stride = (size_t)node->rest_stride;
    const int pivots = pivots_among(child, place, node->pivots);
    for (int i = pivots; i < child->rest; i++)
        add_row(S, child, place, to->rest + (size_t)((place[i] - node->pivots) * S) * to_stride,
                to_stride, rest + (size_t)(i * S) * stride, pivots, node->pivots);
}

/* The pivots' rows and columns. */
SPECIALISED void assemble(int S, const plu_block_fronts *x, const front *to)
{
    const plu_block_lu_tree *const tree = &x->tree;
    const plu_block_lu_node *const node = to->node;
    memset(to->upper, 0, 2 * (size_t)(node->pivots * S) * to->stride * sizeof *to->upper);
    for (int e = node->entries; e < node->entries_end; e++) {
        const plu_block_lu_entry *entry = &tree->entry[e];
        add_edge(S, to, entry->row, entry->column,
                 x->block + (size_t)entry->block * (size_t)(S * T), T);
    }
    for (int c = node->child; c >= 0; c = tree->node[c].next)
        add_to_pivots(S, to, &tree->node[c], tree->place + tree->node[c].row,
                      x->update + tree->node[c].update);
}

/* Takes the pivots from `from` to `to` off the blocks `to` to `end` of U and of L. What this does
 * to the left of the diagonal, up to the next multiple of eight, is never read. */
SPECIALISED void subtract_pivots(int S, const front *f, int from, int to, int end)
{
    const int left = eights_down(to * S), columns = f->node->stride - left;
    const size_t begin = (size_t)(from * S) * f->stride, at = (size_t)(to * S) * f->stride;
    double *const u = f->upper, *const l = f->lower;
    if (from == to)
        return;
    subtract(S, (product){false, u + at + left, l + begin + to * S, u + begin + left, f->stride,
                          f->stride, end - to, columns, (to - from) * S});
    subtract(S, (product){false, l + at + left, u + begin + to * S, l + begin + left, f->stride,
                          f->stride, end - to, columns, (to - from) * S});
}

SPECIALISED bool eliminate_pivots(int S, const front *f, double *inverse, plu_stop *stop)
{
    const plu_block_lu_node *const node = f->node;
    for (int first = 0; first < node->pivots; first += GROUP) {
        const int end = smallest(first + GROUP, node->pivots);
        subtract_pivots(S, f, 0, first, end);
        for (int b = first; b < end; b++) {
            double *const own = inverse + (size_t)b * (size_t)(S * T);
            const size_t at = (size_t)(b * S) * f->stride;
            const int left = eights_down((b + 1) * S);
            subtract_pivots(S, f, first, b, b + 1);
            for (int i = 0; i < S; i++)
                memcpy(own + i * T, f->upper + at + (size_t)i * f->stride + b * S,
                       (size_t)S * sizeof *own);
            if (plu_stops(stop) || !invert(S, own))
                return false;
            scale(S, f->lower + at + left, f->stride, node->stride - left, own);
        }
    }
    return true;
}

SPECIALISED bool factorize(int S, const plu_block_fronts *x)
{
    const plu_block_lu_tree *const tree = &x->tree;
    for (int k = 0; k < tree->nodes; k++) {
        const plu_block_lu_node *const node = &tree->node[k];
        const front f = front_of(S, node, x);
        assemble(S, x, &f);
        if (!eliminate_pivots(S, &f, x->inverse + (size_t)node->first * (size_t)(S * T), x->stop))
            return false;
        subtract(S, (product){true, f.rest, f.lower + node->begin_rest, f.upper + node->begin_rest,
                              (size_t)node->rest_stride, f.stride, node->rest, node->rest_stride,
                              node->pivots * S});
        for (int c = node->child; c >= 0; c = tree->node[c].next)
            add_to_rest(S, &f, &tree->node[c], tree->place + tree->node[c].row,
                        x->update + tree->node[c].update);
    }
    return true;
}

bool PLU_ISA(plu_block_fronts_factorize)(const plu_block_fronts *f)
{
    return f->tree.size == 7   ? factorize(7, f)
           : f->tree.size == 6 ? factorize(6, f)
           : f->tree.size == 5 ? factorize(5, f)
                               : factorize(3, f);
}

/* Solutions with the factors of block_lu_fronts.c by lanes (compiled for each instruction set,
 * base/cpu.h): sums over eight lanes whatever the width, the same bits on every processor. */

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
