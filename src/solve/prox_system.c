#include "solve/prox_system.h"
#include "base/memory.h"
#include "problem/recover_bodies.h"
#include "solve/block_lu.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct plu_prox_system {
    const plu_contact_problem *problem;
    int d, contacts, bodies; /* bodies 0: contact form */
    plu_block_lu *lu;
    int (*ends)[2];
    double *g;              /* G^T by ends: [contact][end][row][8] */
    double *(*place)[2][2]; /* body form: [contact]: blocks (a, a), (a, b), (b, a), (b, b) */
    double **block_place;   /* contact form: [blocks of W] */
    double *right, *v;      /* [6 bodies] or [n] */
    double *rest, *correction, *other;
};

/* out = K x of one contact */
static void apply_slope(int d, const plu_prox_slope *k, const double *x, double *out)
{
    out[0] = k->normal * x[0];
    for (int i = 0; i < (d - 1) / 2; i++) {
        const double *xi = x + 1 + 2 * i, *b = k->block[i];
        out[1 + 2 * i] = k->column[i][0] * x[0] + b[0] * xi[0] + b[1] * xi[1];
        out[2 + 2 * i] = k->column[i][1] * x[0] + b[2] * xi[0] + b[3] * xi[1];
    }
}

/* --- body form --- */

static const double *end_of(const plu_prox_system *s, int c, int e)
{
    return s->g + (size_t)(2 * c + e) * (size_t)(8 * s->d);
}

/* v = G x */
static void to_bodies(const plu_prox_system *s, const double *x, double *v)
{
    memset(v, 0, (size_t)s->bodies * 6 * sizeof *v);
    for (int c = 0; c < s->contacts; c++)
        for (int e = 0; e < 2; e++) {
            if (s->ends[c][e] < 0)
                continue;
            double *to = v + 6 * (size_t)s->ends[c][e];
            const double *g = end_of(s, c, e);
            for (int j = 0; j < s->d; j++)
                for (int i = 0; i < 6; i++)
                    to[i] += g[8 * j + i] * x[c * s->d + j];
        }
}

/* y = G^T v */
static void to_contacts(const plu_prox_system *s, const double *v, double *y)
{
    for (int c = 0; c < s->contacts; c++) {
        double *to = y + (size_t)c * (size_t)s->d;
        memset(to, 0, (size_t)s->d * sizeof *to);
        for (int e = 0; e < 2; e++) {
            if (s->ends[c][e] < 0)
                continue;
            const double *from = v + 6 * (size_t)s->ends[c][e], *g = end_of(s, c, e);
            for (int j = 0; j < s->d; j++)
                for (int i = 0; i < 6; i++)
                    to[j] += g[8 * j + i] * from[i];
        }
    }
}

/* block += (G K)^T... : block (6 x 8) += sum_jl g_e[j][.] K_jl g_f[l][.] */
static void add_contact(const plu_prox_system *s, int c, const plu_prox_slope *k)
{
    if (k->normal == 0.0)
        return;
    for (int f = 0; f < 2; f++) {
        if (s->ends[c][f] < 0)
            continue;
        /* rows of K G_f^T */
        double kg[5][8];
        const double *g = end_of(s, c, f);
        for (int i = 0; i < 8; i++)
            kg[0][i] = k->normal * g[i];
        for (int q = 0; q < (s->d - 1) / 2; q++)
            for (int r = 0; r < 2; r++)
                for (int i = 0; i < 8; i++)
                    kg[1 + 2 * q + r][i] = k->column[q][r] * g[i] +
                                           k->block[q][2 * r] * g[8 * (1 + 2 * q) + i] +
                                           k->block[q][2 * r + 1] * g[8 * (2 + 2 * q) + i];
        for (int e = 0; e < 2; e++) {
            if (s->ends[c][e] < 0)
                continue;
            double *block = s->place[c][e][f];
            const double *h = end_of(s, c, e);
            for (int r = 0; r < 6; r++)
                for (int j = 0; j < s->d; j++)
                    for (int i = 0; i < 8; i++)
                        block[8 * r + i] += h[8 * j + r] * kg[j][i];
        }
    }
}

static bool factorise_bodies(plu_prox_system *s, const plu_prox_slope *slope)
{
    plu_block_lu_clear(s->lu);
    for (int b = 0; b < s->bodies; b++) {
        double *block = plu_block_lu_at(s->lu, b, b);
        for (int i = 0; i < 6; i++)
            block[9 * i] = 1.0;
    }
    for (int c = 0; c < s->contacts; c++)
        add_contact(s, c, &slope[c]);
    return plu_block_lu_factorise(s->lu);
}

static void solve_bodies(plu_prox_system *s, const plu_prox_slope *slope, const double *r,
                         double *dp)
{
    const int d = s->d;
    to_bodies(s, r, s->right);
    plu_block_lu_solve(s->lu, s->right, s->v);
    to_contacts(s, s->v, s->other);
    for (int c = 0; c < s->contacts; c++) {
        double kx[PLU_ROWS_MAX];
        apply_slope(d, &slope[c], s->other + c * d, kx);
        for (int j = 0; j < d; j++)
            dp[c * d + j] = r[c * d + j] - kx[j];
    }
}

/* --- contact form --- */

static bool factorise_contacts(plu_prox_system *s, const plu_prox_slope *slope)
{
    const plu_block_rows *w = &s->problem->w;
    const int d = s->d, stride = plu_block_lu_stride(s->lu);
    plu_block_lu_clear(s->lu);
    for (int c = 0; c < s->contacts; c++) {
        const plu_prox_slope *k = &slope[c];
        for (int b = w->start[c]; b < w->start[c + 1]; b++) {
            const double *from = w->block + (size_t)b * (size_t)(d * d);
            double *to = s->block_place[b];
            for (int j = 0; j < d; j++) {
                double x[PLU_ROWS_MAX], kx[PLU_ROWS_MAX];
                for (int i = 0; i < d; i++)
                    x[i] = from[i * d + j];
                apply_slope(d, k, x, kx);
                for (int i = 0; i < d; i++)
                    to[i * stride + j] = kx[i];
            }
            if (w->column[b] == c)
                for (int i = 0; i < d; i++)
                    to[i * (stride + 1)] += 1.0;
        }
    }
    return plu_block_lu_factorise(s->lu);
}

static void times_w(const plu_prox_system *s, const double *x, double *y)
{
    const plu_block_rows *w = &s->problem->w;
    const int d = s->d;
    for (int c = 0; c < s->contacts; c++)
        for (int i = 0; i < d; i++) {
            double sum = 0.0;
            for (int b = w->start[c]; b < w->start[c + 1]; b++)
                for (int j = 0; j < d; j++)
                    sum += w->block[(size_t)b * (size_t)(d * d) + (size_t)(i * d + j)] *
                           x[w->column[b] * d + j];
            y[c * d + i] = sum;
        }
}

/* --- both --- */

bool plu_prox_system_factorise(plu_prox_system *s, const plu_prox_slope *slope)
{
    return s->bodies > 0 ? factorise_bodies(s, slope) : factorise_contacts(s, slope);
}

static void apply_w(plu_prox_system *s, const double *dp, double *dy)
{
    if (s->bodies > 0) {
        to_bodies(s, dp, s->v);
        to_contacts(s, s->v, dy);
    } else
        times_w(s, dp, dy);
}

static void solve_once(plu_prox_system *s, const plu_prox_slope *slope, const double *r, double *dp)
{
    if (s->bodies > 0)
        solve_bodies(s, slope, r, dp);
    else
        plu_block_lu_solve(s->lu, r, dp);
}

bool plu_prox_system_solve(plu_prox_system *s, const plu_prox_slope *slope, const double *r,
                           double *dp, double *dy)
{
    const int d = s->d, n = d * s->contacts;
    double size = 0.0, before = HUGE_VAL;
    for (int i = 0; i < n; i++)
        size += r[i] * r[i];
    solve_once(s, slope, r, dp);
    for (int pass = 0; pass < 3; pass++) {
        apply_w(s, dp, dy);
        double rest = 0.0;
        for (int c = 0; c < s->contacts; c++) {
            double kx[PLU_ROWS_MAX];
            apply_slope(d, &slope[c], dy + c * d, kx);
            for (int j = 0; j < d; j++) {
                s->rest[c * d + j] = r[c * d + j] - dp[c * d + j] - kx[j];
                rest += s->rest[c * d + j] * s->rest[c * d + j];
            }
        }
        if (!(rest < before))
            break;
        before = rest;
        if (rest <= 1e-16 * size)
            return true;
        solve_once(s, slope, s->rest, s->correction);
        for (int i = 0; i < n; i++)
            dp[i] += s->correction[i];
    }
    return before <= 1e-4 * size;
}

void plu_prox_system_destroy(plu_prox_system *s)
{
    if (!s)
        return;
    plu_block_lu_destroy(s->lu);
    void *arrays[] = {s->ends, s->g,    s->place,      s->block_place, s->right,
                      s->v,    s->rest, s->correction, s->other};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    free(s);
}

static plu_status create_contacts(plu_prox_system *s, plu_error *err)
{
    const plu_block_rows *w = &s->problem->w;
    plu_status status = plu_block_lu_create(&s->lu, s->d, s->contacts, w->start, w->column, err);
    s->block_place = plu_alloc((size_t)w->start[s->contacts], sizeof *s->block_place, err);
    if (status != PLU_OK || !s->block_place)
        return PLU_IO;
    for (int c = 0; c < s->contacts; c++)
        for (int b = w->start[c]; b < w->start[c + 1]; b++)
            s->block_place[b] = plu_block_lu_at(s->lu, c, w->column[b]);
    return PLU_OK;
}

/* Lower C with C C^T = A; false when A is not positive definite and symmetric. */
static bool cholesky(const double a[36], double c[36])
{
    memset(c, 0, 36 * sizeof *c);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0.5 * (a[6 * i + j] + a[6 * j + i]);
            if (fabs(a[6 * i + j] - a[6 * j + i]) > 1e-13 * (fabs(a[7 * i]) + fabs(a[7 * j])))
                return false;
            for (int k = 0; k < j; k++)
                sum -= c[6 * i + k] * c[6 * j + k];
            if (i == j && !(sum > 0.0))
                return false;
            c[6 * i + j] = i == j ? sqrt(sum) : sum / c[7 * j];
        }
    return true;
}

static bool fill_g(plu_prox_system *s, const plu_body_form *b)
{
    for (int k = 0; k < s->contacts; k++)
        for (int e = 0; e < 2; e++) {
            s->ends[k][e] = b->ends[k][e];
            double c[36];
            if (b->ends[k][e] < 0)
                continue;
            if (!cholesky(b->inverse_mass[b->ends[k][e]], c))
                return false;
            double *g = s->g + (size_t)(2 * k + e) * (size_t)(8 * s->d);
            for (int j = 0; j < s->d; j++)
                for (int i = 0; i < 6; i++)
                    for (int l = i; l < 6; l++)
                        g[8 * j + i] += c[6 * l + i] * b->h[k][e][l * s->d + j];
        }
    return true;
}

static plu_status create_bodies(plu_prox_system *s, plu_error *err)
{
    const int n = s->bodies;
    int *start = plu_alloc((size_t)n + 2, sizeof *start, err);
    int *column = plu_alloc((size_t)s->contacts, sizeof *column, err);
    if (!start || !column)
        return PLU_IO;
    for (int c = 0; c < s->contacts; c++)
        if (s->ends[c][0] >= 0 && s->ends[c][1] >= 0)
            start[s->ends[c][0] + 2]++;
    for (int i = 0; i < n; i++)
        start[i + 2] += start[i + 1];
    for (int c = 0; c < s->contacts; c++)
        if (s->ends[c][0] >= 0 && s->ends[c][1] >= 0)
            column[start[s->ends[c][0] + 1]++] = s->ends[c][1];
    plu_status status = plu_block_lu_create(&s->lu, 6, n, start, column, err);
    free(start);
    free(column);
    for (int c = 0; status == PLU_OK && c < s->contacts; c++)
        for (int e = 0; e < 2; e++)
            for (int f = 0; f < 2; f++)
                if (s->ends[c][e] >= 0 && s->ends[c][f] >= 0)
                    s->place[c][e][f] = plu_block_lu_at(s->lu, s->ends[c][e], s->ends[c][f]);
    return status;
}
plu_status plu_prox_system_create(plu_prox_system **system, const plu_contact_problem *problem,
                                  plu_error *err)
{
    *system = NULL;
    plu_prox_system *s = plu_alloc(1, sizeof *s, err);
    if (!s)
        return PLU_IO;
    *s = (plu_prox_system){.problem = problem, .d = problem->rows, .contacts = problem->contacts};
    plu_body_form own = {0};
    const plu_body_form *form = &problem->body;
    plu_status status = PLU_OK;
    if (problem->body.bodies == 0 && s->d == 5) {
        status = plu_recover_bodies(problem, &own, err);
        form = &own;
    }
    const size_t n = (size_t)s->d * (size_t)s->contacts, c = (size_t)s->contacts;
    const size_t most = n > 6 * (size_t)form->bodies ? n : 6 * (size_t)form->bodies;
    s->right = plu_alloc(most, sizeof *s->right, err);
    s->v = plu_alloc(most, sizeof *s->v, err);
    s->rest = plu_alloc(n, sizeof *s->rest, err);
    s->correction = plu_alloc(n, sizeof *s->correction, err);
    s->other = plu_alloc(n, sizeof *s->other, err);
    s->ends = plu_alloc(c, sizeof *s->ends, err);
    if (form->bodies > 0) {
        s->g = plu_alloc(2 * c * 8 * (size_t)s->d, sizeof *s->g, err);
        s->place = plu_alloc(c, sizeof *s->place, err);
        if (fill_g(s, form)) {
            s->bodies = form->bodies;
            status = create_bodies(s, err);
        }
    }
    if (form == &own)
        plu_body_form_free(&own);
    if (s->bodies == 0)
        status = create_contacts(s, err);
    if (status == PLU_OK)
        *system = s;
    return status;
}

bool plu_prox_system_by_bodies(const plu_prox_system *s)
{
    return s->bodies > 0;
}
