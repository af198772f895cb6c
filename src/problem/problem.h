/* problem.h: the contact problem of one step, in body form, laid out for the solver.
 *
 *   y = W p + q ,   K_r* contains y^ , y^ orthogonal to p , p in K_r                 AB21 (63)
 *
 * W = H^T M^-1 H is never formed: it is applied through the body velocities v = v_free + M^-1 H p,
 * from which y = H^T v + w at any contact, w being the impact law's term (bias). A problem knows
 * rows of velocities, contacts and cones; it knows no scene.
 *
 * Rows 0 to `moving` - 1 are those of the bodies that are solved for. The `given` rows behind them
 * belong to what moves as it is told: 1/m = 1/I = 0. They are never written, no two contacts are in
 * conflict about them, and they join no islands. The first given row stands still: it is that of
 * fixed boundaries and of both sides of spare slots. Side b of a contact always moves.
 *
 * Contacts stand in slots. A slot's data lies in a block of PLU_LANES contacts, so that one color
 * can be worked off several contacts at a time. Order of slots: by island, group, tile, color.
 * Tiles of a group share no body, contacts of a color of a tile neither. Islands of at least
 * PLU_TILED contacts are cut into tiles that fit into a core's cache (tiles.h), and have their
 * slots from one multiple of PLU_SUM_CHUNK to another; others are one tile. In islands with at
 * least PLU_PADDED contacts each color begins a block; the spare slots of its last block are empty
 * (contact_of_slot < 0).
 *
 * Vectors are kept in the world frame: r_T and m_R are three components normal to n, which needs no
 * tangent frame. With J the rotation by -90 degrees in the frame (n, t1, t2), J x = -n x x.
 * Where a pair has pivoting friction (mu_p > 0) m is m_R + m_P n and omega is omega_R + omega_P n.
 */
#ifndef PROBLEM_PROBLEM_H
#define PROBLEM_PROBLEM_H

#include "base/fetch.h"
#include "cone/cone.h"
#include "pluvia/status.h"
#include "problem/flow.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    PLU_LANES = 8,
    PLU_WIDE = 16, /* lanes of single precision: colors of tiled islands begin so */
    PLU_PADDED = 8,
    PLU_LARGE = 2048,
    PLU_TILED = 16384,
    PLU_COLORS = 64,
    PLU_TILE_GROUPS = 9, /* of an island at most: eight parities, and what reaches too far */
    PLU_SUM_CHUNK = 512
};

/* What eight pairs of bodies have by themselves, wherever they are. Local Delassus block of two
 * spheres (or of a sphere and a fixed body: 1/m = 1/I = 0):
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
    double share[PLU_LANES];          /* of the way apart that b goes: position projection */
} plu_pair_constants;

/* Eight contacts: what a sweep streams through. Blocks of like pairs share their terms, which then
 * stay in the cache nearest to the core. */
typedef struct plu_block {
    double normal[3][PLU_LANES]; /* unit, from a to b */
    double p[7][PLU_LANES];      /* r_N, r_T (3), m_R + m_P n (3) */
    double bias[PLU_LANES];      /* w_N (m/s): e u_N,k of a bounce, g / h of a landing */
    double friction[PLU_LANES];  /* share of mu, mu_r, mu_p that counts: 1 but for landings */
    int32_t a[PLU_LANES], b[PLU_LANES]; /* rows of velocities */
    plu_pair_constants *pair;
} plu_block;

/* p one sweep earlier, for the momentum: nothing before the first sweep. */
typedef struct plu_block_before {
    double p[7][PLU_LANES];
} plu_block_before;

/* The contacts at the start of the step. */
typedef struct plu_block_start {
    double gap[PLU_LANES];      /* m */
    double approach[PLU_LANES]; /* u_N (m/s) */
} plu_block_start;

/* Contacts that are worked off together, color by color. */
typedef struct plu_tile {
    int color_begin, color_end; /* its colors: plu_problem.color_start */
    bool serial_tail;           /* its last color is the overflow: solve it one by one */
} plu_tile;

typedef struct plu_island {
    int group_begin, group_end; /* its groups of tiles: plu_problem.group_start */
    int body_begin, body_end;   /* its bodies: plu_problem.island_body */
    int cell_begin, cell_end;   /* the same by cell, where it is cut: plu_problem.cell_start */
    int slot_begin, slot_end;
    int strip_begin, strip_end; /* its slots, where it is padded: plu_problem.strips (parts.h) */
    int contacts;
    bool padded; /* each color begins a block */
    bool large;  /* worth several threads; padded too */
    bool tiled;  /* of many tiles, which threads share; else they share the colors of the one */
    plu_stage stage;
    double free_square; /* |q|^2, SI; < 0: not known yet */
} plu_island;

/* Pair of rows of each contact, all that the layout depends on. */
typedef struct plu_contact_pair {
    int a, b;
} plu_contact_pair;

static inline int plu_round_up_to(int slots, int whole)
{
    return (slots + whole - 1) / whole * whole;
}

/* To whole blocks. */
static inline int plu_round_up(int slots)
{
    return plu_round_up_to(slots, PLU_LANES);
}

/* The color that may hold conflicts: to be worked off one by one, by one thread. */
static inline bool plu_is_overflow(const plu_tile *tile, int color)
{
    return tile->serial_tail && color == tile->color_end - 1;
}

/* The cell that a body is in, on a grid whose cells are wider than a contact: three coordinates
 * from -PLU_CELLS to PLU_CELLS - 1, counted from zero, each below a bit that is zero. */
typedef uint64_t plu_body_cell;

enum { PLU_CELLS = 1 << 19, PLU_CELL_BITS = 21 };

/* What is further out belongs to the last cells. */
static inline plu_body_cell plu_cell_at(const int at[3])
{
    plu_body_cell cell = 0;
    for (int k = 0; k < 3; k++) {
        const int in = at[k] < -PLU_CELLS ? -PLU_CELLS : at[k] < PLU_CELLS ? at[k] : PLU_CELLS - 1;
        cell |= (plu_body_cell)(in + PLU_CELLS) << (k * PLU_CELL_BITS);
    }
    return cell;
}

typedef struct plu_problem {
    int contacts, slots;
    int moving, given;             /* rows; given >= 1 */
    double unit_mass, unit_length; /* of single precision, powers of two (kg, m) */
    plu_flow flow;
    bool pivots;         /* some pair has pivoting friction: else kernels leave omega_P out */
    double (*v)[8];      /* work: v, omega, 1/m, 1/I by row; on return v_{k+1} */
    double (*v_free)[8]; /* the same before any contact */
    plu_block *blocks;
    plu_pair_constants *own_constants;          /* by block: for those that share none */
    const plu_pair_constants *shared_constants; /* that others point to: `shared` of them */
    int shared;
    plu_block_before *before;       /* by block */
    plu_block_start *start;         /* by block */
    int *contact_of_slot;           /* -1: empty */
    plu_contact_pair *pair_of_slot; /* empty: twice the row that stands still */
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
    int *cell_start; /* bodies of cell c: island_body[cell_start[c]] to [cell_start[c + 1] - 1] */
    double (*v_before)[8]; /* v one sweep earlier, by moving row, for the momentum */
    double *change;        /* |v - v_free|^2 by row, for plu_problem_errors; 0 of given rows */
    double *sums;          /* room for partial sums, PLU_SUMS for each part (parts.h) */
} plu_problem;

enum { PLU_SUMS = 12 };

static inline bool plu_is_given(const plu_problem *problem, int row)
{
    return row >= problem->moving;
}

/* The row that stands still. */
static inline int plu_still_row(const plu_problem *problem)
{
    return problem->moving;
}

typedef struct plu_layout plu_layout;

plu_layout *plu_layout_create(plu_error *err);
void plu_layout_destroy(plu_layout *layout); /* accepts NULL */

/* Islands (if asked for, else one), tiles (by `cell` of each body; NULL: none are cut), colors and
 * slots for `contacts` contacts between the problem's `moving` and `given` rows, which are set
 * before. No two contacts of a color share a moving row; what finds none of PLU_COLORS - 1 colors
 * free goes to a last one that is solved serially. The result depends on `pairs` and `cell` alone,
 * not on the number of threads. Fills the problem's structure; its arrays belong to the layout and
 * live until the next call. */
plu_status plu_layout_make(plu_layout *layout, plu_problem *problem, int contacts,
                           const plu_contact_pair *pairs, const plu_body_cell *cell, bool islands,
                           plu_error *err);

/* Makes lane k of a block a spare slot: a contact of nothing, never visited one by one, and without
 * effect in a sum. `still`: plu_still_row. */
void plu_block_clear(plu_block *block, int k, int still);

/* Makes lane k of terms that nothing shares such that they do no harm in a spare slot. */
void plu_constants_clear(plu_pair_constants *constants, int k);

/* Empties all slots, for blocks that come without a flow; each block gets terms of its own. */
void plu_problem_clear(plu_problem *problem);

/* Where the slots of a tiled island end, spare ones included. */
static inline int plu_tiled_end(const plu_island *island)
{
    return plu_round_up_to(island->slot_end, PLU_SUM_CHUNK);
}

/* v = v_free + M^-1 H p for the bodies of an island. */
void plu_problem_apply(plu_problem *problem, plu_island *island);

typedef struct plu_residuals {
    double scaled;  /* e_s: |F| / |p|, at most 1; F: Alart-Curnier, rho = 1/W_ii, moments / L */
    double natural; /* e: |p - P_K(p - y^)| / max(|q|, |p|, |y|) in SI units, the literature's; NAN
                     * where it was not asked for */
} plu_residuals;

/* The one residual of all solvers, from p and v = v_free + M^-1 H p. `natural`: the natural
 * map too, for which the first call in a step also works out the island's |q|. `last`: the impulses
 * may stay as they are, and go where the flow hands them on to. */
plu_residuals plu_problem_residual(const plu_problem *problem, plu_island *island, bool natural,
                                   bool last);

/* e_s from its sums of squares; 1: nothing of the solution is found yet, as where there is no
 * impulse that should be; NaN where they are. */
static inline double plu_scaled_residual(double f_square, double p_square)
{
    if (isnan(f_square + p_square))
        return NAN;
    const double ratio = p_square > 0.0 ? f_square / p_square : f_square > 0.0 ? 1.0 : 0.0;
    return ratio < 1.0 ? sqrt(ratio) : 1.0;
}

/* Mass of the bodies of an island over the root of their number (kg): times a change of velocity it
 * is of the size of what a residual |F| sums up. */
double plu_problem_mass(const plu_problem *problem, const plu_island *island);

/* --- one slot, used by solvers --- */

static inline plu_block *plu_block_of(const plu_problem *problem, int slot)
{
    return &problem->blocks[slot / PLU_LANES];
}

/* Asks for row `number`, of `size` bytes. Arrays that have moving rows alone end before a given
 * one: asking for it does no harm. */
PLU_FETCH void plu_fetch_row(const void *rows, size_t size, int number)
{
    plu_fetch((const char *)rows + size * (size_t)number);
}

/* Asks for the rows, of `size` bytes, of the bodies of the slots from begin to end. */
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

/* Friction, rolling and pivoting friction (m) that count at a slot, as numbers of the scene. */
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

/* The slopes of its cone: what solvers and judges ask for. */
static inline double plu_slot_slope(const plu_block *c, int k)
{
    return plu_slope_of(plu_slot_mu(c, k));
}

static inline double plu_slot_slope_r(const plu_block *c, int k)
{
    return plu_slope_of(plu_slot_mu_r(c, k));
}

/* Relative velocity at a slot: u_N + bias, u_T (3), omega_R (3), where the pair has pivoting
 * friction omega_R + omega_P n. */
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
    const double un = n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
    const double wn = c->pair->mu_p[k] > 0.0 ? 0.0 : n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
    y[0] = un + c->bias[k];
    y[1] = u[0] - un * n[0] - (s[1] * n[2] - s[2] * n[1]);
    y[2] = u[1] - un * n[1] - (s[2] * n[0] - s[0] * n[2]);
    y[3] = u[2] - un * n[2] - (s[0] * n[1] - s[1] * n[0]);
    for (int i = 0; i < 3; i++)
        y[4 + i] = w[i] - wn * n[i];
}

/* Adds the effect of an impulse change d = (r_N, r_T, m_R + m_P n) to the two velocity rows. */
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

/* Impulses that change the velocity of body b by less than this share are rounding of what it has
 * already; their squares are added where a residual is divided by the size of the impulses, so that
 * contacts between bodies that fly together need not be solved to the last bit of nothing. */
#define PLU_NOISE 1e-13

static inline double plu_noise(const plu_block *c, int k, const double *vb)
{
    const double small = PLU_NOISE * c->pair->inverse_wn[k];
    return small * small * (vb[0] * vb[0] + vb[1] * vb[1] + vb[2] * vb[2]);
}

#endif
