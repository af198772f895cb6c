/* blocks.h: the contact problem of one step, in body form, laid out for the solver.
 *
 *   y = W p + q ,   K_r* contains y^ , y^ orthogonal to p , p in K_r                 AB21 (63)
 *
 * W = H^T M^-1 H is never formed: it is applied through the body velocities v = v_free + M^-1 H p,
 * from which y = H^T v + w at any contact, w being the impact law's term (bias). A problem knows
 * rows of velocities, contacts and cones; it knows no scene.
 *
 * Rows 0 to `moving` - 1 are the velocities of the bodies that are solved for. The `given` rows
 * behind them are prescribed velocities, with 1/m = 1/I = 0. Given rows are never written, cause no
 * conflicts between contacts of a color, and connect no islands. The first given row is zero: it
 * serves fixed boundaries and both sides of spare slots. Side b of a contact always moves.
 *
 * Contacts stand in slots. A slot's data lies in a block of PLU_LANES contacts, so that one color
 * can be solved several contacts at a time in SIMD lanes. Slots are sorted by island, group, tile
 * and color. Tiles of a group share no body, nor do contacts of a color of a tile. Islands of at
 * least PLU_TILED contacts are cut into tiles that fit into a core's cache (tiles.h); their slots
 * begin and end at multiples of PLU_SUM_CHUNK. Other islands are one tile. In islands with at least
 * PLU_PADDED contacts each color begins a block (of floats from PLU_FLOATS contacts on), and the
 * spare slots of its last block are empty (contact_of_slot < 0).
 *
 * Vectors are kept in the world frame: r_T and m_R are three components normal to n, which needs no
 * tangent frame. With J the rotation by -90 degrees in the frame (n, t1, t2), J x = -n x x.
 * Where a pair has pivoting friction (mu_p > 0) m is m_R + m_P n and omega is omega_R + omega_P n.
 */
#ifndef BLOCKS_BLOCKS_H
#define BLOCKS_BLOCKS_H

#include "base/memory.h"
#include "blocks/body_cell.h"
#include "blocks/flow.h"
#include "blocks/servos.h"
#include "blocks/turns.h"
#include "blocks/yield.h"
#include "cone/friction_cone.h"
#include "pluvia/status.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PLU_LANES = 8,       /* contacts of a block */
    PLU_WIDE = 16,       /* contacts of a block of floats; colors of wide islands begin at these */
    PLU_PADDED = 8,      /* contacts from which each color of an island begins a block */
    PLU_FLOATS = 128,    /* contacts from which an island is swept in floats */
    PLU_LARGE = 2048,    /* contacts from which threads share an island */
    PLU_TILED = 16384,   /* contacts from which an island is cut into tiles */
    PLU_COLORS = 64,     /* colors of a tile at most, the last being the overflow */
    PLU_TILE_GROUPS = 9, /* groups of an island at most: eight parities, and the far contacts */
    PLU_SUM_CHUNK = 512  /* slots of a strip (parts.h) of an island that is not tiled, at most */
};

/* Constants of eight pairs of bodies that do not depend on their positions. The local Delassus
 * block of two spheres (or of a sphere and a fixed body: 1/m = 1/I = 0) is
 *   W_NN = wn, W_TT = wt I, W_RR = wr I, W_TR = wc J, all other parts zero. */
typedef struct plu_pair_constants {
    double arm_a[PLU_LANES]; /* center of a to the contact along +n (m) */
    double arm_b[PLU_LANES]; /* center of b to the contact along -n (m) */
    double wn[PLU_LANES];    /* 1/kg */
    double wt[PLU_LANES];    /* 1/kg */
    double wr[PLU_LANES];    /* 1/(kg m^2) */
    double wc[PLU_LANES];    /* 1/(kg m) */
    double inverse_wn[PLU_LANES], inverse_wt[PLU_LANES], inverse_wr[PLU_LANES];
    double mu[PLU_LANES];             /* friction */
    double mu_r[PLU_LANES];           /* rolling friction (m) */
    double mu_p[PLU_LANES];           /* pivoting friction (m) */
    double inverse_length[PLU_LANES]; /* 1/L: moments are measured as m_R / L */
    double mass_share[PLU_LANES];     /* share of b in a position correction, if none sleeps */
    double strength[PLU_LANES];       /* contacts.strength (N); 0: that of the scene */
} plu_pair_constants;

/* Of a block with a contact across a periodic cell: what is added to side a, 0 of other contacts.
 */
typedef struct plu_crossing {
    double drift[3][PLU_LANES]; /* velocity of its image relative to the body (m/s) */
    double shift[3][PLU_LANES]; /* way from the body to its image at the end of the step (m) */
} plu_crossing;

/* Eight contacts: the data that a sweep streams from memory. Blocks of equal pairs share their
 * constants, which therefore stay in the L1 cache. */
typedef struct plu_block {
    double normal[3][PLU_LANES];        /* unit, from a to b */
    double p[7][PLU_LANES];             /* r_N, r_T (3), m_R + m_P n (3) */
    double bias[PLU_LANES];             /* w_N (m/s): e u_N,k of a bounce, g / h of a landing */
    double friction[PLU_LANES];         /* factor of mu, mu_r, mu_p: 1 except for landings */
    int32_t a[PLU_LANES], b[PLU_LANES]; /* rows of velocities */
    plu_pair_constants *pair;
    const double *share;    /* of b: mass_share, or own ones where a body sleeps */
    plu_crossing *crossing; /* NULL: no contact crosses a periodic cell */
} plu_block;

/* p one sweep earlier, for Nesterov's momentum; undefined before the first sweep. */
typedef struct plu_block_before {
    double p[7][PLU_LANES];
} plu_block_before;

/* Gap and normal velocity of the contacts of a block at the start of the step. */
typedef struct plu_block_start {
    double gap[PLU_LANES];      /* m */
    double approach[PLU_LANES]; /* u_N (m/s) */
} plu_block_start;

/* Contacts that are solved color by color while their bodies are in cache. */
typedef struct plu_tile {
    int color_begin, color_end; /* its colors: plu_problem.color_start */
    bool serial_tail;           /* its last color is the overflow: solve it one by one */
} plu_tile;

typedef struct plu_island {
    int group_begin, group_end; /* its groups of tiles: plu_problem.group_start */
    int body_begin, body_end;   /* its bodies: plu_problem.island_body */
    int cell_begin, cell_end;   /* its bodies by cell, where it is cut: plu_problem.cell_start */
    int slot_begin, slot_end;
    int strip_begin, strip_end; /* its slots, where it is padded: plu_problem.strips (parts.h) */
    int contacts;
    bool padded; /* each color begins a block */
    bool wide;   /* it is swept in floats, of which each color begins a block (single.h) */
    bool large;  /* several threads work on it; wide too */
    bool tiled;  /* many tiles, which the threads share; else they share the colors of one tile */
    plu_stage stage;
    double free_square; /* |q|^2, SI; < 0: not computed yet */
    plu_bound bound;    /* where the island yields (yield.h) */
} plu_island;

/* The velocity rows of the two sides of a contact; the layout depends on nothing else. */
typedef struct plu_contact_pair {
    int a, b;
} plu_contact_pair;

enum { PLU_TILE_SWEEPS = 2 }; /* of a tile before the next one: in the second it is in cache */

static inline int plu_sweeps_of(const plu_island *island)
{
    return island->tiled ? PLU_TILE_SWEEPS : 1;
}

/* The smallest multiple of `whole` that is at least `slots`. */
static inline int plu_round_up_to(int slots, int whole)
{
    return (slots + whole - 1) / whole * whole;
}

/* Rounds a number of slots up to whole blocks. */
static inline int plu_round_up(int slots)
{
    return plu_round_up_to(slots, PLU_LANES);
}

/* Whether `color` is the overflow color, whose contacts may share bodies: one thread solves them
 * one by one. */
static inline bool plu_is_overflow(const plu_tile *tile, int color)
{
    return tile->serial_tail && color == tile->color_end - 1;
}

enum { PLU_SUMS = 14 };
typedef struct plu_problem {
    int contacts, slots;
    int moving, given;             /* rows; given >= 1 */
    double unit_mass, unit_length; /* units of single precision, powers of two (kg, m) */
    plu_flow flow;
    bool drifts;         /* images move against their bodies: plu_crossing.drift counts */
    bool opens;          /* sweeps are by the associated law (sweep/initial_impulses.h) */
    bool pivots;         /* some pair has pivoting friction; else kernels leave omega_P out */
    plu_yield yield;     /* what contacts bear at most */
    double (*v)[8];      /* by row: v, omega, 1/m, 1/I; changed by solvers, in the end v_{k+1} */
    double (*v_free)[8]; /* by row: v without contact impulses */
    plu_block *blocks;
    plu_pair_constants *own_constants;          /* by block: constants of blocks that share none */
    double (*own_shares)[PLU_LANES];            /* by block: shares where a body sleeps */
    const plu_pair_constants *shared_constants; /* [shared]: constants of the other blocks */
    int shared;
    plu_block_before *before;       /* by block */
    plu_block_start *start;         /* by block */
    int *contact_of_slot;           /* -1: empty */
    plu_contact_pair *pair_of_slot; /* empty slots: twice plu_still_row */
    int *slot_of_contact;
    int *color_start; /* slots of color c: color_start[c] to color_start[c] + color_count[c] */
    int *color_count;
    plu_tile *tiles;
    int *group_start;         /* tiles of group g: group_start[g] to group_start[g + 1] */
    struct plu_strip *strips; /* all slots, in their order */
    int strips_count;
    int islands_count;
    plu_island *islands;
    int *island_body;
    plu_turns turns;   /* of the tiles of tiled islands */
    plu_servo *servos; /* boundaries that forces move (servos.h); their rows are given ones */
    plu_servo_contact *servo_contact;
    int servos_count, links_count;
    plu_contact_pair *link; /* bodies that touch the same servo are in one island */
    int *cell_start; /* bodies of cell c: island_body[cell_start[c]] to [cell_start[c + 1] - 1] */
    double (*v_before)[8];        /* v one sweep earlier, by moving row, for the momentum */
    const double (*attracted)[3]; /* by row: what attraction adds to v_free; NULL: none */
    double *change; /* |v - v_free|^2 by row, for plu_problem_errors; 0 of given rows */
    double *sums;   /* scratch: PLU_SUMS partial sums for each part (parts.h) */
} plu_problem;

static inline bool plu_is_given(const plu_problem *problem, int row)
{
    return row >= problem->moving;
}

/* The given row that is zero. */
static inline int plu_still_row(const plu_problem *problem)
{
    return problem->moving;
}

typedef struct plu_layout plu_layout;
plu_layout *plu_layout_create(plu_error *err);
void plu_layout_destroy(plu_layout *layout); /* accepts NULL */

/* The grid of cells closes on itself from the next layout on: along axis k the cells 0 and
 * around[k] - 1 are neighbors, if around[k] is at least 4; it is then even. */
void plu_layout_close(plu_layout *layout, const int around[3]);

/* Sorts contacts into islands (all into one, unless `islands`), tiles (by `cell`, the cell of each
 * body; NULL: no island is tiled), colors and slots. The caller has set problem->moving and given.
 * No two contacts of a color share a moving row, except in the last, overflow color: it takes the
 * contacts for which none of the PLU_COLORS - 1 others is free, and is solved serially. The result
 * depends on `pairs` and `cell` alone, not on the number of threads. Sets the structure of the
 * problem; its arrays belong to the layout and live until the next call. PLU_OK or PLU_IO. */
plu_status plu_layout_make(plu_layout *layout, plu_problem *problem, int contacts,
                           const plu_contact_pair *pairs, const plu_body_cell *cell, bool islands,
                           plu_error *err);

/* Makes lane k of a block a spare slot, which adds to no sum. `still`: plu_still_row. */
void plu_block_clear(plu_block *block, int k, int still);

/* Sets lane k of a block's own constants to values that do no harm in a spare slot. */
void plu_constants_clear(plu_pair_constants *constants, int k);

/* Empties all slots and gives each block its own constants; without a flow (flow.h). */
void plu_problem_clear(plu_problem *problem);

/* v = v_free + M^-1 H p for the bodies of an island. */
void plu_problem_apply(plu_problem *problem, plu_island *island);

typedef struct plu_residuals {
    double scaled;  /* e_s: |F| / |p|, at most 1; F: Alart-Curnier, rho = 1/W_ii, moments / L */
    double natural; /* e: |p - P_K(p - y^)| / max(|q|, |p|, |y|) in SI units, as in the literature;
                     * NAN: not computed */
} plu_residuals;

/* The residual of an island from p and v = v_free + M^-1 H p, the same for all solvers. `natural`:
 * computes the natural map too; the first such call in a step also computes the island's |q|.
 * `last`: the impulses may be final, so this check passes them on (flow.h). */
plu_residuals plu_problem_residual(const plu_problem *problem, plu_island *island, bool natural,
                                   bool last);

/* e_s from the sums of squares of F and p, at most 1; 1 also if all impulses are zero but should
 * not be; NaN if a sum is NaN. */
static inline double plu_scaled_residual(double f_square, double p_square)
{
    if (isnan(f_square + p_square))
        return NAN;
    const double ratio = p_square > 0.0 ? f_square / p_square : f_square > 0.0 ? 1.0 : 0.0;
    return ratio < 1.0 ? sqrt(ratio) : 1.0;
}

/* Mass of the bodies of an island over the square root of their number (kg). If every body changes
 * its velocity by dv, the norm |F| over the island is of the size of this mass times dv. */
double plu_problem_mass(const plu_problem *problem, const plu_island *island);

static inline plu_block *plu_block_of(const plu_problem *problem, int slot)
{
    return &problem->blocks[slot / PLU_LANES];
}

/* Prefetches row `number` of `size` bytes. Given rows lie behind the end of arrays that have moving
 * rows only; prefetching them does no harm. */
PLU_FETCH void plu_fetch_row(const void *rows, size_t size, int number)
{
    plu_fetch((const char *)rows + size * (size_t)number);
}

/* Prefetches the rows, of `size` bytes, of both sides of the slots begin to end - 1. */
PLU_FETCH void plu_fetch_pairs(const plu_problem *problem, const void *rows, size_t size, int begin,
                               int end)
{
    for (int slot = begin; slot < end; slot++) {
        plu_fetch_row(rows, size, problem->pair_of_slot[slot].a);
        plu_fetch_row(rows, size, problem->pair_of_slot[slot].b);
    }
}

PLU_FETCH void plu_fetch_rows(const plu_problem *problem, double (*rows)[8], int begin, int end)
{
    plu_fetch_pairs(problem, rows, sizeof *rows, begin, end);
}

/* Where the slots of a tile end; the first is color_start[tile->color_begin]. */
static inline int plu_tile_end(const plu_problem *problem, const plu_tile *tile)
{
    return problem->color_start[tile->color_end - 1] + problem->color_count[tile->color_end - 1];
}

/* Coefficients of friction, of rolling and of pivoting friction (m) at a slot, in the units of the
 * scene. */
static inline double plu_slot_mu(const plu_block *c, int k)
{
    return c->pair->mu[k] * c->friction[k];
}

static inline double plu_slot_mu_r(const plu_block *c, int k)
{
    return c->pair->mu_r[k] * c->friction[k];
}

static inline double plu_slot_mu_p(const plu_block *c, int k)
{
    return c->pair->mu_p[k] * c->friction[k];
}

/* The slopes of the friction cone at a slot (cone/law.h), which solvers and residuals use. */
static inline double plu_slot_slope(const plu_block *c, int k)
{
    return plu_slope_of(plu_slot_mu(c, k));
}

static inline double plu_slot_slope_r(const plu_block *c, int k)
{
    return plu_slope_of(plu_slot_mu_r(c, k));
}

/* Relative velocity at a slot from the rows of its sides, of which a may be an image: y = (u_N +
 * bias, u_T (3), omega_R (3)). The last three are omega_R + omega_P n if the pair has pivoting
 * friction. */
static inline void plu_slot_velocity(const plu_block *c, int k, const double *va, const double *vb,
                                     double y[7])
{
    const double n[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
    const double ra = c->pair->arm_a[k], rb = c->pair->arm_b[k];
    double u[3], w[3], s[3];
    for (int i = 0; i < 3; i++) {
        u[i] = vb[i] - va[i];
        w[i] = vb[3 + i] - va[3 + i];
        s[i] = rb * vb[3 + i] + ra * va[3 + i];
    }
    for (int i = 0; i < 3 && c->crossing; i++)
        u[i] -= c->crossing->drift[i][k];
    const double un = n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
    const double wn = c->pair->mu_p[k] > 0.0 ? 0.0 : n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    y[0] = un + c->bias[k];
    y[1] = u[0] - un * n[0] - (s[1] * n[2] - s[2] * n[1]);
    y[2] = u[1] - un * n[1] - (s[2] * n[0] - s[0] * n[2]);
    y[3] = u[2] - un * n[2] - (s[0] * n[1] - s[1] * n[0]);
    for (int i = 0; i < 3; i++)
        y[4 + i] = w[i] - wn * n[i];
}

/* Adds the effect of an impulse change d = (r_N, r_T, m_R + m_P n) to the rows of both sides. */
static inline void plu_slot_apply(const plu_block *c, int k, const double d[7], double *va,
                                  double *vb)
{
    const double n[3] = {c->normal[0][k], c->normal[1][k], c->normal[2][k]};
    const double r[3] = {d[0] * n[0] + d[1], d[0] * n[1] + d[2], d[0] * n[2] + d[3]};
    const double x[3] = {n[1] * d[3] - n[2] * d[2], n[2] * d[1] - n[0] * d[3],
                         n[0] * d[2] - n[1] * d[1]}; /* n x r */
    const double rb = c->pair->arm_b[k];
    for (int i = 0; i < 3; i++) {
        vb[i] += vb[6] * r[i];
        vb[3 + i] += vb[7] * (d[4 + i] - rb * x[i]);
    }
    if (va[6] == 0.0 && va[7] == 0.0) /* given: never written */
        return;
    const double ra = c->pair->arm_a[k];
    for (int i = 0; i < 3; i++) {
        va[i] -= va[6] * r[i];
        va[3 + i] -= va[7] * (d[4 + i] + ra * x[i]);
    }
}

/* An impulse that changes the velocity of body b by less than this share is rounding. Residuals add
 * the square of such an impulse to their divisor |p|^2, so that contacts between bodies that fly
 * together, where p is nearly zero, need not be solved to the last bit. */
#define PLU_NOISE 1e-13

/* The square of an impulse (N s) at a slot that is rounding; vb: the row of side b. */
static inline double plu_noise(const plu_block *c, int k, const double *vb)
{
    const double small = PLU_NOISE * c->pair->inverse_wn[k];
    return small * small * (vb[0] * vb[0] + vb[1] * vb[1] + vb[2] * vb[2]);
}

#endif
