/* Whether a general problem is one of spheres, which sweeps in lanes solve many times faster, and
 * its translation. Of a sphere H has a form that can be read backwards:
 *
 *     force      columns (n, t1, t2), an orthonormal frame, + for b and - for a
 *     moment     of t: -arm n x t at either end, so one number, the lever arm, gives all of it
 *     mass       M = diag(m I_3, I I_3)
 *
 * Each number is compared with what the form makes of the frame and the arm (to 1e-9); one that
 * differs means another shape, and the general solver is used. */
#include "problem/spheres.h"
#include "base/memory.h"
#include "base/vec3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A contact of spheres as recovered from its H: the rows of a and b (a row behind those of the
 * bodies: fixed), the frame as it acts on b, and the lever arms. */
typedef struct pair {
    int a, b;
    double n[3], t[2][3];
    double arm_a, arm_b;
} pair;

static const double tolerance = 1e-9;

static double column(const double *h, int rows, int i, int j)
{
    return h[i * rows + j];
}

static void force_columns(const double *h, int rows, pair *c)
{
    for (int i = 0; i < 3; i++) {
        c->n[i] = column(h, rows, i, 0);
        for (int k = 0; k < 2; k++)
            c->t[k][i] = column(h, rows, i, 1 + k);
    }
}

static bool is_frame(const pair *c)
{
    const double *v[3] = {c->n, c->t[0], c->t[1]};
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            if (!(fabs(plu_dot(v[i], v[j]) - (i == j)) <= tolerance))
                return false;
    return true;
}

/* The lever arm (m): the moment of a tangential impulse t is -arm n x t at either end. */
static double lever(const double *h, int rows, const pair *c)
{
    double x[3], sum = 0.0;
    plu_cross(c->n, c->t[0], x);
    for (int i = 0; i < 3; i++)
        sum -= column(h, rows, 3 + i, 1) * x[i];
    return sum;
}

/* Whether H is that of a sphere with this lever arm; sign: +1 for b, -1 for a. */
static bool end_fits(const double *h, int rows, const pair *c, double sign, double arm,
                     double length)
{
    double wrong = 0.0;
    for (int i = 0; i < 3; i++) {
        double moment[2] = {0, 0}, x[3];
        for (int k = 0; k < 2; k++) {
            plu_cross(c->n, c->t[k], x);
            moment[k] = -arm * x[i];
        }
        const double expected_force[PLU_ROWS_MAX] = {sign * c->n[i], sign * c->t[0][i],
                                                     sign * c->t[1][i]};
        const double expected_moment[PLU_ROWS_MAX] = {0.0,
                                                      moment[0],
                                                      moment[1],
                                                      sign * length * c->t[0][i],
                                                      sign * length * c->t[1][i],
                                                      sign * length * c->n[i]};
        for (int j = 0; j < rows; j++) {
            wrong = fmax(wrong, fabs(column(h, rows, i, j) - expected_force[j]));
            wrong = fmax(wrong, fabs(column(h, rows, 3 + i, j) - expected_moment[j]) / length);
        }
    }
    return wrong <= tolerance;
}

/* Recovers contact c from its H; false: it is not a contact of spheres. */
static bool read_pair(const plu_contact_problem *p, int c, pair *out)
{
    const plu_body_form *body = &p->body;
    const int b_end = body->pairs[c][1] >= 0 ? 1 : 0;
    const bool alone = !b_end || body->pairs[c][0] < 0;
    *out = (pair){.a = alone ? body->bodies : body->pairs[c][0], .b = body->pairs[c][b_end]};
    if (out->b < 0 || out->a == out->b)
        return false;
    const double *h = body->h[c][b_end];
    force_columns(h, p->rows, out);
    out->arm_b = lever(h, p->rows, out);
    const double length = p->rows >= 5 ? p->length[c] : fmax(fabs(out->arm_b), 1e-300);
    if (!is_frame(out) || !end_fits(h, p->rows, out, 1.0, out->arm_b, length))
        return false;
    for (int j = 1; j < p->rows; j++)
        if (body->w[c * p->rows + j] != 0.0)
            return false;
    if (alone)
        return true;
    const double *g = body->h[c][0];
    out->arm_a = lever(g, p->rows, out);
    return end_fits(g, p->rows, out, -1.0, out->arm_a, length);
}

static bool is_isotropic(const double m[36])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            const double expected = i == j ? m[i < 3 ? 0 : 21] : 0.0;
            if (!(fabs(m[6 * i + j] - expected) <= tolerance * fabs(m[i < 3 ? 0 : 21])))
                return false;
        }
    return m[0] > 0.0 && m[21] > 0.0;
}

bool plu_is_spheres(const plu_contact_problem *p)
{
    pair c;
    if (p->body.bodies == 0 || p->planar)
        return false;
    for (int k = 0; k < p->body.bodies; k++)
        if (!is_isotropic(p->body.inverse_mass[k]))
            return false;
    for (int k = 0; k < p->contacts; k++)
        if (!read_pair(p, k, &c))
            return false;
    return true;
}

static void fill_local(const plu_contact_problem *p, const pair *c, plu_block *block, int k)
{
    const bool still = c->a == p->body.bodies;
    const double ma = still ? 0.0 : p->body.inverse_mass[c->a][0];
    const double ia = still ? 0.0 : p->body.inverse_mass[c->a][21];
    const double mb = p->body.inverse_mass[c->b][0], ib = p->body.inverse_mass[c->b][21];
    block->pair->wn[k] = ma + mb;
    block->pair->wt[k] = ma + mb + c->arm_a * c->arm_a * ia + c->arm_b * c->arm_b * ib;
    block->pair->wr[k] = ia + ib;
    block->pair->wc[k] = c->arm_a * ia - c->arm_b * ib;
    block->pair->inverse_wn[k] = 1.0 / block->pair->wn[k];
    block->pair->inverse_wt[k] = 1.0 / block->pair->wt[k];
    block->pair->inverse_wr[k] = 1.0 / block->pair->wr[k];
}

static void fill_slot(const plu_contact_problem *p, const double *impulses, int c,
                      plu_problem *step)
{
    const int slot = step->slot_of_contact[c], k = slot % PLU_LANES;
    plu_block *block = plu_block_of(step, slot);
    pair pairs;
    read_pair(p, c, &pairs);
    const double length = p->length[c], *x = plu_contact_of(p, impulses, c);
    const double moment[2] = {p->rows >= 5 ? x[3] * length : 0.0,
                              p->rows >= 5 ? x[4] * length : 0.0};
    const double pivoting = p->rows == 7 ? x[5] * length : 0.0;
    for (int i = 0; i < 3; i++) {
        block->normal[i][k] = pairs.n[i];
        block->p[1 + i][k] = x[1] * pairs.t[0][i] + x[2] * pairs.t[1][i];
        block->p[4 + i][k] = moment[0] * pairs.t[0][i] + moment[1] * pairs.t[1][i];
        if (p->rows == 7)
            block->p[4 + i][k] += pivoting * pairs.n[i];
    }
    block->p[0][k] = x[0];
    block->a[k] = pairs.a;
    block->b[k] = pairs.b;
    block->pair->arm_a[k] = pairs.arm_a;
    block->pair->arm_b[k] = pairs.arm_b;
    block->pair->mu[k] = p->mu[c];
    block->pair->mu_r[k] = p->mu_r[c] * length;
    block->pair->mu_p[k] = p->mu_p[c] * length;
    step->pivots |= p->mu_p[c] > 0.0;
    block->bias[k] = p->body.w[c * p->rows];
    block->pair->inverse_length[k] = 1.0 / length;
    fill_local(p, &pairs, block, k);
}

static void fill_rows(const plu_contact_problem *p, double (*rows)[8])
{
    for (int k = 0; k < p->body.bodies; k++) {
        memcpy(rows[k], p->body.v_free[k], 6 * sizeof(double));
        rows[k][6] = p->body.inverse_mass[k][0];
        rows[k][7] = p->body.inverse_mass[k][21];
    }
}

plu_status plu_spheres_to_step(const plu_contact_problem *problem, const double *impulses,
                               plu_layout *layout, plu_problem *step, double (**rows)[8],
                               plu_error *err)
{
    const size_t bodies = (size_t)problem->body.bodies;
    plu_contact_pair *pairs = plu_alloc((size_t)problem->contacts, sizeof *pairs, err);
    *rows = plu_alloc(3 * (bodies + 1), sizeof **rows, err);
    plu_status status = pairs && *rows ? PLU_OK : PLU_IO;
    for (int c = 0; status == PLU_OK && c < problem->contacts; c++) {
        pair found;
        read_pair(problem, c, &found);
        pairs[c] = (plu_contact_pair){found.a, found.b};
    }
    *step = (plu_problem){.moving = problem->body.bodies, .given = 1};
    if (status == PLU_OK)
        status = plu_layout_make(layout, step, problem->contacts, pairs, NULL, true, err);
    free(pairs);
    if (status != PLU_OK)
        return status;
    step->v = *rows;
    step->v_free = *rows + bodies + 1;
    step->v_before = *rows + 2 * (bodies + 1);
    fill_rows(problem, step->v_free);
    fill_rows(problem, step->v);
    plu_problem_clear(step);
    for (int k = 0; k < step->islands_count; k++)
        step->islands[k].free_square = -1.0;
    for (int c = 0; c < problem->contacts; c++)
        fill_slot(problem, impulses, c, step);
    return PLU_OK;
}

void plu_spheres_impulses(const plu_contact_problem *problem, const plu_problem *step, double *p)
{
    for (int c = 0; c < problem->contacts; c++) {
        const int slot = step->slot_of_contact[c], k = slot % PLU_LANES;
        const plu_block *block = plu_block_of(step, slot);
        double *x = p + (size_t)c * (size_t)problem->rows;
        pair pairs;
        read_pair(problem, c, &pairs);
        x[0] = block->p[0][k];
        for (int j = 1; j < problem->rows; j++)
            x[j] = 0.0;
        for (int j = 0; j < 2; j++)
            for (int i = 0; i < 3; i++) {
                x[1 + j] += block->p[1 + i][k] * pairs.t[j][i];
                if (problem->rows >= 5)
                    x[3 + j] += block->p[4 + i][k] * pairs.t[j][i] / problem->length[c];
            }
        for (int i = 0; problem->rows == 7 && i < 3; i++)
            x[5] += block->p[4 + i][k] * pairs.n[i] / problem->length[c];
    }
}
