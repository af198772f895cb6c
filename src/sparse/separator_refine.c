/* Moves of single nodes with the best of the states on the way kept (Fiduccia & Mattheyses, 19th
 * Design Automation Conference 1982), on the nodes of a separator (Ashcraft & Liu 1998):
 *
 *     A   |S|   B          v of S moves into A: S loses w(v), and gains the neighbors that
 *     o---v-+---o          v has in B, which must not touch A:
 *         | '---o
 *         u                gain(v -> A) = w(v) - sum of w over the neighbors of v in B
 *
 * The best move is made even if it is a loss, and its node locked for the pass; after some moves
 * without a new best the state goes back to the best one (`trail`). So a pass climbs over small
 * hills. What is to be small is w(S), and more so where A and B differ, since the larger part
 * is divided further. */
#include "sparse/dissection.h"
#include <string.h>

/* Passes at most; moves without improvement that end one: so many, and a share of the separator's
 * nodes. */
enum { PASSES = 10, IDLE = 60, IDLE_SHARE = 4 };

/* Share of all that a part may hold; and how much a difference of the parts counts. Both were
 * chosen by the operations of factorizations (tried.md). */
static const double most_share = 0.6, uneven = 5.0;

typedef struct refinement {
    const plu_weighted *g;
    plu_separator *s;
    long most;      /* weight of a part that moves must not exceed */
    int *list, *at; /* nodes of the separator, and where in the list a node is */
    int count;
    int *pulls[2]; /* of a node of the separator: weight of its neighbors in each part */
    int *locked;   /* has left the separator in this pass */
    int *trail;    /* changes in their order: 3 v + where v was; a node has at most three */
    int steps;
} refinement;

static void enter(refinement *r, int v)
{
    r->at[v] = r->count;
    r->list[r->count++] = v;
    r->pulls[0][v] = r->pulls[1][v] = 0;
    for (int b = r->g->start[v]; b < r->g->start[v + 1]; b++) {
        const int u = r->g->column[b], side = r->s->side[u];
        if (side != PLU_BETWEEN)
            r->pulls[side][v] += r->g->weight[u];
    }
}

static void leave(refinement *r, int v)
{
    const int last = r->list[--r->count];
    r->list[r->at[v]] = last;
    r->at[last] = r->at[v];
}

/* Changes a node's side and what the separator's nodes know of it. */
static void put(refinement *r, int v, int side)
{
    const int old = r->s->side[v], weight = r->g->weight[v];
    r->trail[r->steps++] = 3 * v + old;
    r->s->side[v] = side;
    r->s->weight[old] -= weight;
    r->s->weight[side] += weight;
    if (old == PLU_BETWEEN)
        leave(r, v);
    for (int b = r->g->start[v]; b < r->g->start[v + 1]; b++) {
        const int u = r->g->column[b];
        if (r->s->side[u] != PLU_BETWEEN)
            continue;
        if (old != PLU_BETWEEN)
            r->pulls[old][u] -= weight;
        if (side != PLU_BETWEEN)
            r->pulls[side][u] += weight;
    }
    if (side == PLU_BETWEEN)
        enter(r, v);
}

static void move(refinement *r, int v, int side)
{
    put(r, v, side);
    for (int b = r->g->start[v]; b < r->g->start[v + 1]; b++)
        if (r->s->side[r->g->column[b]] == !side)
            put(r, r->g->column[b], PLU_BETWEEN);
}

/* Best move: what lightens the separator most, then into the lighter part. -1: none. */
static int find_move(const refinement *r)
{
    const long *weight = r->s->weight;
    const int lighter = weight[1] < weight[0];
    int best = -1, best_gain = 0;
    for (int k = 0; k < r->count; k++) {
        const int v = r->list[k];
        if (r->locked[v])
            continue;
        for (int i = 0; i < 2; i++) {
            const int side = i == 0 ? lighter : !lighter;
            const int gain = r->g->weight[v] - r->pulls[!side][v];
            if ((best < 0 || gain > best_gain) && weight[side] + r->g->weight[v] <= r->most) {
                best = 2 * v + side;
                best_gain = gain;
            }
        }
    }
    return best;
}

/* What is to be small: the weight of the separator, and more so where the parts differ. */
static double cost(const plu_separator *s)
{
    const double apart = (double)(s->weight[0] - s->weight[1]);
    const double both = (double)(s->weight[0] + s->weight[1]) + 1.0;
    return (double)s->weight[2] * (1.0 + uneven * (apart / both) * (apart / both));
}

bool plu_separator_better(const plu_separator *a, const plu_separator *b)
{
    return cost(a) < cost(b);
}

/* One pass; true if it found something better. */
static bool pass(refinement *r)
{
    int best_steps = 0, moves = 0, last = 0;
    const int idle = IDLE + r->count / IDLE_SHARE;
    plu_separator best = *r->s;
    r->steps = 0;
    memset(r->locked, 0, (size_t)r->g->n * sizeof *r->locked);
    while (moves - last < idle) {
        const int best_move = find_move(r);
        if (best_move < 0)
            break;
        r->locked[best_move / 2] = 1;
        move(r, best_move / 2, best_move % 2);
        moves++;
        if (plu_separator_better(r->s, &best)) {
            best = *r->s;
            best_steps = r->steps;
            last = moves;
        }
    }
    while (r->steps > best_steps) {
        const int step = r->trail[--r->steps];
        put(r, step / 3, step % 3);
        r->steps--; /* put() has noted it */
    }
    return best_steps > 0;
}

void plu_separator_refine(const plu_weighted *g, plu_separator *s, int *work)
{
    const size_t n = (size_t)g->n;
    int heaviest = 0;
    refinement r = {.g = g,
                    .s = s,
                    .list = work,
                    .at = work + n,
                    .pulls = {work + 2 * n, work + 3 * n},
                    .locked = work + 4 * n,
                    .trail = work + 5 * n};
    for (int v = 0; v < g->n; v++) {
        heaviest = g->weight[v] > heaviest ? g->weight[v] : heaviest;
        if (s->side[v] == PLU_BETWEEN)
            enter(&r, v);
    }
    r.most = (long)(most_share * g->total) + heaviest;
    for (int k = 0; k < PASSES && pass(&r); k++)
        ;
}
