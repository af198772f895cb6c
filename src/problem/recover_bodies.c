/* Recovers the bodies of a problem of spheres from W alone.
 *
 * A contact i with frame (n, t1, t2), arm r_i and length L_i acts on a sphere of mass m and inertia
 * I by the columns of G_i = M^-1/2 H_i, with s_i = 1 on b and -1 on a,
 *
 *   N: (s_i n / sqrt m, 0)   T: (s_i t / sqrt m, -r_i n x t / sqrt I)   R: (0, s_i L_i t / sqrt I)
 * .
 *
 * Two contacts of one sphere have the block W_ij = G_i^T G_j. Its N row and N column are those of
 * s_i s_j Q / m, with the rotation Q from one frame to the other, its RR part is that of
 * s_i s_j L_i L_j Q / I. Since Q is orthogonal, they give m, I and s_i s_j Q; the determinant is
 * s_i s_j. Three contacts that are neighbors of each other share a body when the product of their
 * three signs is 1; around a triangle of three bodies it is -1. */
#include "base/memory.h"
#include "problem/spheres.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = 5, AREA = 25 };

/* What follows from the off-diagonal block W_ij for the common body of contacts i and j. */
typedef struct pair {
    double inverse_mass, inverse_inertia;
    double sign;    /* s_i s_j */
    double q[3][3]; /* Q: frame of i to frame of j, columns */
    double arm;     /* s_j r_i */
} pair;

static const double *block_of(const plu_contact_problem *p, int i, int j)
{
    const plu_block_rows *w = &p->w;
    int low = w->start[i], high = w->start[i + 1];
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (w->column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < w->start[i + 1] && w->column[low] == j ? w->block + (size_t)low * AREA : NULL;
}

static double determinant(double a[3][3])
{
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
           a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}

/* s_j r_i from the TR part, r_i s_j L_j / I (-t2 . t_j, t1 . t_j). */
static double arm_of(const double *w, const pair *a, double scale)
{
    double product = 0.0, square = 0.0;
    for (int k = 0; k < 2; k++) {
        const double e1 = -a->q[2][1 + k], e2 = a->q[1][1 + k];
        product += w[D + 3 + k] * e1 + w[2 * D + 3 + k] * e2;
        square += e1 * e1 + e2 * e2;
    }
    return product / (square * scale);
}

static bool read_pair(const plu_contact_problem *p, int i, int j, pair *a)
{
    const double *w = block_of(p, i, j);
    if (!w)
        return false;
    a->inverse_mass = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    const double rolling = w[18] * w[18] + w[19] * w[19] + w[23] * w[23] + w[24] * w[24];
    if (!(a->inverse_mass > 0.0) || !(rolling > 0.0))
        return false;
    const double along = w[0] / a->inverse_mass;
    const double scale = sqrt(rolling / (1.0 + along * along)); /* L_i L_j / I */
    a->inverse_inertia = scale / (p->length[i] * p->length[j]);
    for (int k = 0; k < 3; k++) {
        a->q[0][k] = w[k] / a->inverse_mass;
        a->q[k][0] = w[D * k] / a->inverse_mass;
    }
    for (int k = 0; k < 2; k++)
        for (int l = 0; l < 2; l++)
            a->q[1 + k][1 + l] = w[D * (3 + k) + 3 + l] / scale;
    a->sign = determinant(a->q) > 0.0 ? 1.0 : -1.0;
    for (int k = 0; k < 9; k++)
        a->q[k / 3][k % 3] *= a->sign;
    a->arm = arm_of(w, a, p->length[j] * a->inverse_inertia);
    return true;
}

/* Columns of G of one contact; q: its frame in that of the body. */
static void fill_columns(double h[6 * PLU_ROWS_MAX], double q[3][3], const pair *a, double sign,
                         double arm, double length)
{
    const double root_m = sqrt(a->inverse_mass), root_i = sqrt(a->inverse_inertia);
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 3; l++)
            h[k * D + l] = sign * q[k][l] * root_m;
        h[(3 + k) * D + 1] = -arm * q[k][2] * root_i;
        h[(3 + k) * D + 2] = arm * q[k][1] * root_i;
        for (int l = 0; l < 2; l++)
            h[(3 + k) * D + 3 + l] = sign * length * q[k][1 + l] * root_i;
    }
}

/* The free end of contact c; -1 when both are taken. */
static int free_end(const plu_body_form *b, int c)
{
    return b->pairs[c][0] < 0 ? 0 : b->pairs[c][1] < 0 ? 1 : -1;
}

/* Adds contact c to the new body. The axes of the body are those of its first contact, whose sign
 * is set to 1 (the sign of G as a whole is free). */
static bool join(const plu_contact_problem *p, plu_body_form *b, int c, pair *reference,
                 const pair *own, bool first)
{
    double unit[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int e = free_end(b, c);
    if (e < 0)
        return false;
    b->pairs[c][e] = b->bodies;
    if (first)
        fill_columns(b->h[c][e], unit, reference, 1.0, own->sign * own->arm, p->length[c]);
    else
        fill_columns(b->h[c][e], reference->q, reference, reference->sign, own->arm, p->length[c]);
    return true;
}

static bool share_body(const plu_body_form *b, int i, int j)
{
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < 2; f++)
            if (b->pairs[i][e] >= 0 && b->pairs[i][e] == b->pairs[j][f])
                return true;
    return false;
}

/* Adds the body that contacts i and j share, with all of its contacts. */
static bool add_body(const plu_contact_problem *p, plu_body_form *b, int i, int j)
{
    pair ij, ji, ik, ki, jk;
    if (!read_pair(p, i, j, &ij) || !read_pair(p, j, i, &ji) || !join(p, b, i, &ij, &ij, true) ||
        !join(p, b, j, &ij, &ji, false))
        return false;
    for (int n = p->w.start[i]; n < p->w.start[i + 1]; n++) {
        const int k = p->w.column[n];
        if (k == i || k == j || !block_of(p, j, k))
            continue;
        if (!read_pair(p, i, k, &ik) || !read_pair(p, k, i, &ki) || !read_pair(p, j, k, &jk))
            return false;
        if (ij.sign * jk.sign * ik.sign > 0.0 && !join(p, b, k, &ik, &ki, false))
            return false;
    }
    b->bodies++;
    return true;
}

/* G with G^T G = a for a positive semidefinite block; entries below `noise` are zero. Returns its
 * rank. */
static int factor_block(double a[AREA], double noise, double h[6 * PLU_ROWS_MAX])
{
    int rank = 0;
    for (int i = 0; i < D; i++) {
        if (!(a[i * D + i] > noise))
            continue;
        const double root = sqrt(a[i * D + i]);
        for (int j = 0; j < D; j++)
            h[rank * D + j] = a[i * D + j] / root;
        for (int k = 0; k < D; k++)
            for (int j = 0; j < D; j++)
                a[k * D + j] -= h[rank * D + k] * h[rank * D + j];
        rank++;
    }
    return rank;
}

/* block -= G_i^T G_j over the bodies that i and j share */
static void subtract_known(const plu_body_form *b, int i, int j, double block[AREA])
{
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < 2; f++) {
            if (b->pairs[i][e] < 0 || b->pairs[i][e] != b->pairs[j][f])
                continue;
            for (int k = 0; k < 6; k++)
                for (int r = 0; r < D; r++)
                    for (int c = 0; c < D; c++)
                        block[r * D + c] -= b->h[i][e][k * D + r] * b->h[j][f][k * D + c];
        }
}

/* Bodies with a single contact: what the body at the other end leaves of the diagonal block is
 * theirs; if nothing is left, that side is fixed. */
static void add_leaves(const plu_contact_problem *p, plu_body_form *b, double noise)
{
    for (int c = 0; c < p->contacts; c++) {
        double rest[AREA];
        const int e = free_end(b, c);
        memcpy(rest, block_of(p, c, c), sizeof rest);
        subtract_known(b, c, c, rest);
        if (e >= 0 && factor_block(rest, noise, b->h[c][e]) > 0)
            b->pairs[c][e] = b->bodies++;
    }
}

static bool reproduces(const plu_contact_problem *p, const plu_body_form *b, double noise)
{
    for (int c = 0; c < p->contacts; c++)
        for (int n = p->w.start[c]; n < p->w.start[c + 1]; n++) {
            double rest[AREA];
            memcpy(rest, p->w.block + (size_t)n * AREA, sizeof rest);
            subtract_known(b, c, p->w.column[n], rest);
            for (int k = 0; k < AREA; k++)
                if (!(fabs(rest[k]) <= noise))
                    return false;
        }
    return true;
}

static bool find_bodies(const plu_contact_problem *p, plu_body_form *b, double noise)
{
    for (int i = 0; i < p->contacts; i++)
        for (int n = p->w.start[i]; n < p->w.start[i + 1]; n++) {
            const int j = p->w.column[n];
            if (j != i && !share_body(b, i, j) && !add_body(p, b, i, j))
                return false;
        }
    add_leaves(p, b, noise);
    return reproduces(p, b, noise);
}

static plu_status take_bodies(const plu_contact_problem *p, plu_body_form *b, plu_error *err)
{
    const size_t c = (size_t)p->contacts, most = 2 * c, n = c * D;
    *b = (plu_body_form){0};
    b->mass = plu_alloc(most, sizeof *b->mass, err);
    b->inverse_mass = plu_alloc(most, sizeof *b->inverse_mass, err);
    b->v_free = plu_alloc(most, sizeof *b->v_free, err);
    b->pairs = plu_alloc(c, sizeof *b->pairs, err);
    b->h = plu_alloc(c, sizeof *b->h, err);
    b->w = plu_alloc(n, sizeof *b->w, err);
    if (!b->mass || !b->inverse_mass || !b->v_free || !b->pairs || !b->h || !b->w)
        return PLU_IO;
    memset(b->pairs, -1, c * sizeof *b->pairs);
    memcpy(b->w, p->q, n * sizeof *b->w);
    for (size_t k = 0; k < most; k++)
        for (int i = 0; i < 6; i++)
            b->mass[k][7 * i] = b->inverse_mass[k][7 * i] = 1.0;
    return PLU_OK;
}

plu_status plu_recover_bodies(const plu_contact_problem *problem, plu_body_form *body,
                              plu_error *err)
{
    plu_status status = take_bodies(problem, body, err);
    double largest = 0.0;
    for (size_t k = 0; k < (size_t)problem->w.start[problem->contacts] * AREA; k++)
        largest = fmax(largest, fabs(problem->w.block[k]));
    if (status == PLU_OK && find_bodies(problem, body, 1e-11 * largest))
        return PLU_OK;
    plu_body_form_free(body);
    return status;
}

void plu_body_form_free(plu_body_form *b)
{
    void *arrays[] = {b->mass, b->inverse_mass, b->v_free, b->pairs, b->h, b->w};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *b = (plu_body_form){0};
}
