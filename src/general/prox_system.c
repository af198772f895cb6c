/* The linear systems of the proximal Newton method, (I + K W) dp = r (prox_system.h), in two forms.
 * K has one small block a contact, the slope of the projection there, and W = G^T G, G = C^T H,
 * with M^-1 = C C^T:
 *
 *     contact form    (I + K W) dp = r                             d rows a contact
 *     body form       multiply by G:  (I + G K G^T) dv = G r ,     dv = G dp: six rows a body
 *                     dp = r - K G^T dv ,  dy = W dp = G^T dv
 *
 * One matrix is regular where the other is. In dense packings, with three contacts of five rows for
 * each body, the second has less than half of the rows. Open contacts have K = 0 and drop out of
 * its pattern, which follows the contacts that bear (pattern.follows). Solutions are corrected by
 * their residual, up to twice (iterative refinement); one that stays worse than 1e-2 of r is
 * refused. */
#include "general/prox_system.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "sparse/block_lu.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STRIDE = PLU_BLOCK_STRIDE };

struct plu_prox_system {
    const plu_contact_problem *problem;
    plu_stop *stop;
    plu_block_lu *lu;
    plu_prox_bodies bodies;   /* none: contact form */
    plu_prox_pattern pattern; /* body form */
    double **place;           /* body form: [bodies]: diagonal blocks; else [blocks of W]: blocks */
    double *padded;           /* [STRIDE * bodies or contacts] */
    double *y, *rest, *correction;
};

static bool by_bodies(const plu_prox_system *s)
{
    return s->bodies.bodies > 0;
}

/* out = K x of one contact */
static void apply_slope(int rows, const plu_prox_slope *k, const double *x, double *out)
{
    out[0] = k->normal * x[0];
    for (int i = 1; i < rows; i += 2) {
        const double *column = k->column[i / 2], *block = k->block[i / 2];
        out[i] = column[0] * x[0] + (block[0] * x[i] + block[1] * x[i + 1]);
        out[i + 1] = column[1] * x[0] + (block[2] * x[i] + block[3] * x[i + 1]);
    }
}

/* out = r - K y */
static void subtract_slopes(const plu_prox_system *s, const plu_prox_slope *slope, const double *r,
                            const double *y, double *out)
{
    const int d = s->problem->rows;
    for (int c = 0; c < s->problem->contacts; c++) {
        double ky[PLU_ROWS_MAX];
        apply_slope(d, &slope[c], y + c * d, ky);
        for (int j = 0; j < d; j++)
            out[c * d + j] = r[c * d + j] - ky[j];
    }
}

/* --- I + G K G^T: structure --- */

/* Bodies that touch: of each contact of the pattern between two, the second in the row of the
 * first. */
static plu_status find_neighbors(const plu_prox_system *s, int **start, int **column,
                                 plu_error *err)
{
    const plu_prox_bodies *b = &s->bodies;
    *start = plu_alloc((size_t)b->bodies + 2, sizeof **start, err);
    *column = plu_alloc((size_t)b->contacts, sizeof **column, err);
    if (!*start || !*column)
        return PLU_IO;
    for (int c = 0; c < b->contacts; c++)
        if (s->pattern.within[c] && b->pairs[c][0] >= 0 && b->pairs[c][1] >= 0)
            (*start)[b->pairs[c][0] + 2]++;
    for (int i = 0; i < b->bodies; i++)
        (*start)[i + 2] += (*start)[i + 1];
    for (int c = 0; c < b->contacts; c++)
        if (s->pattern.within[c] && b->pairs[c][0] >= 0 && b->pairs[c][1] >= 0)
            (*column)[(*start)[b->pairs[c][0] + 1]++] = b->pairs[c][1];
    return PLU_OK;
}

/* Factors for the contacts of the pattern, and where these are added. */
static plu_status order_bodies(plu_prox_system *s, plu_error *err)
{
    plu_prox_bodies *b = &s->bodies;
    int *start = NULL, *column = NULL;
    plu_status status = find_neighbors(s, &start, &column, err);
    plu_block_lu_destroy(s->lu);
    s->lu = NULL;
    if (status == PLU_OK)
        status = plu_block_lu_create(&s->lu, PLU_BODY_ROWS, b->bodies, start, column, s->stop, err);
    free(start);
    free(column);
    if (status != PLU_OK)
        return status;
    for (int i = 0; i < b->bodies; i++)
        s->place[i] = plu_block_lu_at(s->lu, i, i);
    for (int c = 0; c < b->contacts; c++)
        for (int e = 0; e < 2; e++)
            for (int f = 0; f < 2; f++)
                if (s->pattern.within[c] && b->pairs[c][e] >= 0 && b->pairs[c][f] >= 0)
                    b->place[c][e][f] = plu_block_lu_at(s->lu, b->pairs[c][e], b->pairs[c][f]);
    return PLU_OK;
}

static plu_status lay_out_bodies(plu_prox_system *s, plu_error *err)
{
    plu_prox_bodies *b = &s->bodies;
    b->place = plu_alloc((size_t)b->contacts, sizeof *b->place, err);
    s->place = plu_alloc((size_t)b->bodies, sizeof *s->place, err);
    if (!b->place || !s->place || plu_prox_pattern_start(&s->pattern, b->contacts, err) != PLU_OK)
        return PLU_IO;
    return s->pattern.follows ? PLU_OK : order_bodies(s, err);
}

/* --- I + G K G^T: numbers --- */

static void write_bodies(plu_prox_system *s, const plu_prox_slope *slope)
{
    for (int b = 0; b < s->bodies.bodies; b++)
        for (int i = 0; i < PLU_BODY_ROWS; i++)
            s->place[b][i * (STRIDE + 1)] = 1.0;
    PLU_ISA_BEST(plu_prox_add)(&s->bodies, slope);
}

/* dp = r - K G^T (I + G K G^T)^-1 G r */
static void solve_bodies(plu_prox_system *s, const plu_prox_slope *slope, const double *r,
                         double *dp)
{
    PLU_ISA_BEST(plu_prox_to_bodies)(&s->bodies, r, s->padded);
    plu_block_lu_solve(s->lu, s->padded, s->padded);
    PLU_ISA_BEST(plu_prox_to_contacts)(&s->bodies, s->padded, s->y);
    subtract_slopes(s, slope, r, s->y, dp);
}

/* --- I + K W --- */

static void write_block(int d, const plu_prox_slope *slope, const double *w, double *to)
{
    for (int j = 0; j < d; j++) {
        double x[PLU_ROWS_MAX], kx[PLU_ROWS_MAX];
        for (int i = 0; i < d; i++)
            x[i] = w[i * d + j];
        apply_slope(d, slope, x, kx);
        for (int i = 0; i < d; i++)
            to[i * STRIDE + j] = kx[i];
    }
}

static void write_contacts(plu_prox_system *s, const plu_prox_slope *slope)
{
    const plu_block_rows *w = &s->problem->w;
    const int d = s->problem->rows;
    for (int c = 0; c < s->problem->contacts; c++) {
        for (int b = w->start[c]; b < w->start[c + 1]; b++)
            write_block(d, &slope[c], w->block + (size_t)b * (size_t)(d * d), s->place[b]);
        for (int i = 0; i < d; i++)
            s->place[w->diagonal[c]][i * (STRIDE + 1)] += 1.0;
    }
}

static void solve_contacts(plu_prox_system *s, const double *r, double *dp)
{
    const size_t d = (size_t)s->problem->rows;
    for (size_t c = 0; c < (size_t)s->problem->contacts; c++)
        memcpy(s->padded + c * STRIDE, r + c * d, d * sizeof *r);
    plu_block_lu_solve(s->lu, s->padded, s->padded);
    for (size_t c = 0; c < (size_t)s->problem->contacts; c++)
        memcpy(dp + c * d, s->padded + c * STRIDE, d * sizeof *r);
}

static void multiply_blocks(const plu_contact_problem *p, const double *x, double *y)
{
    const int d = p->rows;
    memset(y, 0, (size_t)d * (size_t)p->contacts * sizeof *y);
    for (int c = 0; c < p->contacts; c++)
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++) {
            const double *block = p->w.block + (size_t)b * (size_t)(d * d);
            for (int i = 0; i < d; i++)
                for (int j = 0; j < d; j++)
                    y[c * d + i] += block[i * d + j] * x[p->w.column[b] * d + j];
        }
}

/* --- both --- */

plu_status plu_prox_system_factorize(plu_prox_system *s, const plu_prox_slope *slope, bool *done,
                                     plu_error *err)
{
    *done = false;
    if (by_bodies(s) && plu_prox_pattern_follow(&s->pattern, slope) &&
        order_bodies(s, err) != PLU_OK)
        return PLU_IO;
    plu_block_lu_clear(s->lu);
    if (by_bodies(s))
        write_bodies(s, slope);
    else
        write_contacts(s, slope);
    *done = plu_block_lu_factorize(s->lu);
    return PLU_OK;
}

static void solve_once(plu_prox_system *s, const plu_prox_slope *slope, const double *r, double *dp)
{
    if (by_bodies(s))
        solve_bodies(s, slope, r, dp);
    else
        solve_contacts(s, r, dp);
}

static void multiply(plu_prox_system *s, const double *x, double *y)
{
    if (by_bodies(s)) {
        PLU_ISA_BEST(plu_prox_to_bodies)(&s->bodies, x, s->padded);
        PLU_ISA_BEST(plu_prox_to_contacts)(&s->bodies, s->padded, y);
    } else
        multiply_blocks(s->problem, x, y);
}

bool plu_prox_system_solve(plu_prox_system *s, const plu_prox_slope *slope, const double *r,
                           double *dp, double *dy)
{
    enum { CORRECTIONS = 2 };
    static const double good = 1e-8, bearable = 1e-2; /* residual over |r| */
    const int n = s->problem->rows * s->problem->contacts;
    const double size = plu_dot_n(n, r, r);
    double before = HUGE_VAL;
    solve_once(s, slope, r, dp);
    for (int pass = 0;; pass++) {
        multiply(s, dp, dy);
        subtract_slopes(s, slope, r, dy, s->rest);
        for (int i = 0; i < n; i++)
            s->rest[i] -= dp[i];
        const double now = plu_dot_n(n, s->rest, s->rest);
        if (now <= good * good * size)
            return true;
        if (pass == CORRECTIONS || !(now < before))
            return now <= bearable * bearable * size;
        before = now;
        solve_once(s, slope, s->rest, s->correction);
        for (int i = 0; i < n; i++)
            dp[i] += s->correction[i];
    }
}

/* --- structure --- */

void plu_prox_system_destroy(plu_prox_system *s)
{
    if (!s)
        return;
    plu_block_lu_destroy(s->lu);
    plu_prox_bodies_free(&s->bodies);
    plu_prox_pattern_free(&s->pattern);
    void *arrays[] = {s->place, s->padded, s->y, s->rest, s->correction};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(s);
}

static plu_status lay_out_contacts(plu_prox_system *s, plu_error *err)
{
    const plu_contact_problem *p = s->problem;
    const plu_status status =
        plu_block_lu_create(&s->lu, p->rows, p->contacts, p->w.start, p->w.column, s->stop, err);
    s->place = plu_alloc((size_t)p->w.start[p->contacts], sizeof *s->place, err);
    if (status != PLU_OK || !s->place)
        return PLU_IO;
    for (int c = 0; c < p->contacts; c++)
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++)
            s->place[b] = plu_block_lu_at(s->lu, c, p->w.column[b]);
    return PLU_OK;
}

plu_status plu_prox_system_create(plu_prox_system **system, const plu_contact_problem *problem,
                                  plu_stop *stop, plu_error *err)
{
    *system = NULL;
    plu_prox_system *s = plu_alloc(1, sizeof *s, err);
    if (!s)
        return PLU_IO;
    s->problem = problem;
    s->stop = stop;
    const size_t n = (size_t)problem->rows * (size_t)problem->contacts;
    s->y = plu_alloc(n, sizeof *s->y, err);
    s->rest = plu_alloc(n, sizeof *s->rest, err);
    s->correction = plu_alloc(n, sizeof *s->correction, err);
    plu_status status =
        s->y && s->rest && s->correction ? plu_prox_bodies_find(&s->bodies, problem, err) : PLU_IO;
    if (status == PLU_OK)
        status = by_bodies(s) ? lay_out_bodies(s, err) : lay_out_contacts(s, err);
    const int blocks = by_bodies(s) ? s->bodies.bodies : problem->contacts;
    s->padded = plu_alloc((size_t)blocks * STRIDE, sizeof *s->padded, err);
    if (status != PLU_OK || !s->padded) {
        plu_prox_system_destroy(s);
        return PLU_IO;
    }
    *system = s;
    return PLU_OK;
}
