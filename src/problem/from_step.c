/* An island of a step as a contact problem of its own, and its impulses back. */
#include "base/memory.h"
#include "base/vec3.h"
#include "problem/contact_problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Slots of an island that hold a contact, in their order. */
static int first_slot(const plu_problem *step, const plu_island *island)
{
    return step->color_start[island->color_begin];
}

static int end_slot(const plu_problem *step, const plu_island *island)
{
    const int last = island->color_end - 1;
    return step->color_start[last] + step->color_count[last];
}

static void normal_of(const plu_block *b, int k, double n[3])
{
    for (int i = 0; i < 3; i++)
        n[i] = b->normal[i][k];
}

/* Columns of H for one end: the impulse (r_N, r_T, m_R / L) as force and moment on the body.
 * `sign` +1 for b, -1 for a; the contact lies at arm * n from the centre of a, -arm * n of b. */
static void fill_end(double h[6 * PLU_ROWS_MAX], const double n[3], double sign, double arm,
                     double length)
{
    double t[2][3], moment[3];
    plu_frame(n, t[0], t[1]);
    for (int i = 0; i < 3; i++) {
        h[5 * i] = sign * n[i];
        for (int k = 0; k < 2; k++)
            h[5 * i + 1 + k] = sign * t[k][i];
    }
    for (int k = 0; k < 2; k++) {
        plu_cross(n, t[k], moment);
        for (int i = 0; i < 3; i++) {
            h[5 * (3 + i) + 1 + k] = -arm * moment[i];
            h[5 * (3 + i) + 3 + k] = sign * length * t[k][i];
        }
    }
}

static void fill_contact(plu_contact_problem *p, int c, const plu_block *b, int k)
{
    double n[3], t[2][3];
    normal_of(b, k, n);
    plu_frame(n, t[0], t[1]);
    const double length = 1.0 / b->inverse_length[k];
    p->length[c] = length;
    p->mu[c] = b->mu[k];
    p->mu_r[c] = b->mu_r[k] / length;
    p->body.w[5 * c] = b->bias[k];
    if (p->body.ends[c][0] >= 0)
        fill_end(p->body.h[c][0], n, -1.0, b->arm_a[k], length);
    fill_end(p->body.h[c][1], n, 1.0, b->arm_b[k], length);
    double *guess = p->guess + 5 * (size_t)c;
    guess[0] = b->p[0][k];
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 3; i++) {
            guess[1 + j] += b->p[1 + i][k] * t[j][i];
            guess[3 + j] += b->p[4 + i][k] * t[j][i] / length;
        }
}

static void fill_body(plu_body_form *b, int k, const double row[8])
{
    for (int i = 0; i < 6; i++) {
        const double inverse = row[i < 3 ? 6 : 7];
        b->inverse_mass[k][7 * i] = inverse;
        b->mass[k][7 * i] = 1.0 / inverse;
        b->v_free[k][i] = row[i];
    }
}

plu_status plu_contact_problem_of_island(plu_contact_problem **problem, const plu_problem *step,
                                         const plu_island *island, plu_error *err)
{
    const int bodies = island->body_end - island->body_begin;
    plu_status status = plu_contact_problem_create(problem, 5, island->contacts, 0, bodies, err);
    int *number = status == PLU_OK ? plu_alloc((size_t)step->rows, sizeof *number, err) : NULL;
    if (!number) {
        plu_contact_problem_destroy(*problem);
        *problem = NULL;
        return PLU_IO;
    }
    plu_contact_problem *p = *problem;
    for (int i = 0; i < bodies; i++) {
        const int row = step->island_body[island->body_begin + i];
        number[row] = i;
        fill_body(&p->body, i, step->v_free[row]);
    }
    int c = 0;
    for (int slot = first_slot(step, island); slot < end_slot(step, island); slot++) {
        if (step->contact_of_slot[slot] < 0)
            continue;
        const plu_ends ends = step->ends_of_slot[slot];
        p->body.ends[c][0] = ends.a >= 0 ? number[ends.a] : -1;
        p->body.ends[c][1] = number[ends.b];
        fill_contact(p, c++, plu_block_of(step, slot), slot % PLU_LANES);
    }
    free(number);
    status = plu_contact_problem_assemble(p, err);
    p->symmetric = true;
    if (status != PLU_OK) {
        plu_contact_problem_destroy(p);
        *problem = NULL;
    }
    return status;
}

void plu_contact_problem_return(const plu_contact_problem *problem, const double *p,
                                plu_problem *step, const plu_island *island)
{
    int c = 0;
    for (int slot = first_slot(step, island); slot < end_slot(step, island); slot++) {
        if (step->contact_of_slot[slot] < 0)
            continue;
        plu_block *b = plu_block_of(step, slot);
        const int k = slot % PLU_LANES;
        const double *x = plu_contact_of(problem, p, c);
        double n[3], t[2][3];
        normal_of(b, k, n);
        plu_frame(n, t[0], t[1]);
        b->p[0][k] = x[0];
        for (int i = 0; i < 3; i++) {
            b->p[1 + i][k] = x[1] * t[0][i] + x[2] * t[1][i];
            b->p[4 + i][k] = (x[3] * t[0][i] + x[4] * t[1][i]) * problem->length[c];
        }
        c++;
    }
    plu_problem_apply(step, island);
}
