/* Makes a general contact problem of a step or of an island of it, and copies its impulses back. A
 * contact gets the frame (n, t1, t2) of plu_frame, and of each end the columns of H:
 *
 *     r_N     force  s n        no moment                        s = +1 for b, -1 for a
 *     r_T     force  s t_k      moment -arm n x t_k
 *     m_R     no force          moment s L t_k                   m over L
 *     m_P     no force          moment s L n
 *
 * which is the H of blocks.h in the frame of the contact instead of the world's, moments over L. */
#include "base/memory.h"
#include "base/vec3.h"
#include "problem/spheres.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void normal_of(const plu_block *b, int k, double n[3])
{
    for (int i = 0; i < 3; i++)
        n[i] = b->normal[i][k];
}

/* Columns of H for one end: the impulse (r_N, r_T, of five rows m_R / L, of seven m_P / L) as force
 * and moment on the body. `sign` +1 for b, -1 for a; the contact lies at arm * n from the center of
 * a, -arm * n of b. */
static void fill_end(double *h, int rows, const double n[3], double sign, double arm, double length)
{
    double t[2][3], moment[3];
    plu_frame(n, t[0], t[1]);
    for (int i = 0; i < 3; i++) {
        h[rows * i] = sign * n[i];
        for (int k = 0; k < 2; k++)
            h[rows * i + 1 + k] = sign * t[k][i];
    }
    for (int i = 0; rows == 7 && i < 3; i++)
        h[rows * (3 + i) + 5] = sign * length * n[i];
    for (int k = 0; k < 2; k++) {
        plu_cross(n, t[k], moment);
        for (int i = 0; i < 3; i++) {
            h[rows * (3 + i) + 1 + k] = -arm * moment[i];
            if (rows >= 5)
                h[rows * (3 + i) + 3 + k] = sign * length * t[k][i];
        }
    }
}

/* Components of the impulse x (r_N, r_T, m in the world frame) in the frame, moments over L. */
static void components(const double x[7], const double n[3], double t[2][3], int rows,
                       double length, double *out)
{
    out[0] = x[0];
    for (int k = 0; k < 2; k++) {
        out[1 + k] = plu_dot(x + 1, t[k]);
        if (rows >= 5)
            out[3 + k] = plu_dot(x + 4, t[k]) / length;
    }
    if (rows == 7) {
        out[5] = plu_dot(x + 4, n) / length;
        out[6] = 0.0;
    }
}

void plu_fill_contact(plu_contact_problem *p, int c, const plu_block *b, int k, const double *start,
                      const double *given)
{
    double n[3], t[2][3], solved[7];
    normal_of(b, k, n);
    plu_frame(n, t[0], t[1]);
    const int rows = p->rows;
    const double length = rows >= 5 ? 1.0 / b->pair->inverse_length[k] : 1.0;
    p->length[c] = length;
    p->mu[c] = plu_slot_mu(b, k);
    p->mu_r[c] = plu_slot_mu_r(b, k) / length;
    p->mu_p[c] = plu_slot_mu_p(b, k) / length;
    p->body.w[rows * c] = b->bias[k];
    if (given || b->crossing) {
        static const double still[8] = {0.0};
        double y[7];
        plu_slot_velocity(b, k, given ? given : still, still, y);
        p->body.w[rows * c] = y[0];
        for (int j = 0; j < 2; j++) {
            p->body.w[rows * c + 1 + j] = plu_dot(y + 1, t[j]);
            if (rows >= 5)
                p->body.w[rows * c + 3 + j] = plu_dot(y + 4, t[j]) * length;
        }
        if (rows == 7)
            p->body.w[rows * c + 5] = plu_dot(y + 4, n) * length;
    }
    if (p->body.pairs[c][0] >= 0)
        fill_end(p->body.h[c][0], rows, n, -1.0, b->pair->arm_a[k], length);
    fill_end(p->body.h[c][1], rows, n, 1.0, b->pair->arm_b[k], length);
    for (int i = 0; i < 7; i++)
        solved[i] = b->p[i][k];
    components(start ? start : solved, n, t, rows, length, p->guess + (long)rows * c);
    if (p->solution)
        components(solved, n, t, rows, length, p->solution + (long)rows * c);
}

void plu_fill_body(plu_body_form *b, int k, const double row[8])
{
    for (int i = 0; i < 6; i++) {
        const double inverse = row[i < 3 ? 6 : 7];
        b->inverse_mass[k][7 * i] = inverse;
        b->mass[k][7 * i] = inverse > 0.0 ? 1.0 / inverse : 1.0;
        b->v_free[k][i] = row[i];
    }
}

/* A servo (servos.h) is a body whose H has no part across its axis, so that its mass and inertia
 * across it count for nothing. */
static void fill_servo(plu_body_form *b, int k, const plu_servo *s)
{
    double row[8] = {.0, .0, .0, .0, .0, .0, s->inverse_mass, 1.0};
    for (int i = 0; i < 3; i++)
        row[i] = s->free * s->axis[i];
    plu_fill_body(b, k, row);
}

/* Leaves of the columns of H what is along the axis. */
static void keep_along(double *h, int rows, const double axis[3])
{
    for (int j = 0; j < rows; j++) {
        double along = 0.0;
        for (int i = 0; i < 3; i++)
            along += axis[i] * h[rows * i + j];
        for (int i = 0; i < 3; i++) {
            h[rows * i + j] = along * axis[i];
            h[rows * (3 + i) + j] = 0.0;
        }
    }
}

/* The servo that side a of a contact of the step belongs to; -1: none. */
static int servo_of(const plu_problem *step, int contact)
{
    for (int k = 0; k < step->servos_count; k++) {
        int low = step->servos[k].begin, high = step->servos[k].end;
        while (low < high) { /* they rise */
            const int middle = low + (high - low) / 2;
            if (step->servo_contact[middle].contact < contact)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < step->servos[k].end && step->servo_contact[low].contact == contact)
            return k;
    }
    return -1;
}

/* The islands begin to end - 1 of a step, and the size of the problem that they make. */
typedef struct range {
    const plu_problem *step;
    int begin, end;
    const double (*start)[7]; /* by contact of the step, or NULL */
} range;

static bool is_within(const range *r, const plu_servo *s)
{
    return s->island >= r->begin && s->island < r->end;
}

/* How many of the servos that are within come before servo `k`. */
static int place_within(const range *r, int k)
{
    int place = 0;
    for (int i = 0; i < k; i++)
        place += is_within(r, &r->step->servos[i]);
    return place;
}

static int servos_of(const range *r)
{
    return place_within(r, r->step->servos_count);
}

static void fill_problem(plu_contact_problem *p, const range *r, int *number)
{
    const plu_problem *step = r->step;
    int c = 0, body = p->body.bodies - servos_of(r);
    const int first_servo = body;
    for (int k = 0; k < step->servos_count; k++)
        if (is_within(r, &step->servos[k]))
            fill_servo(&p->body, body++, &step->servos[k]);
    body = 0;
    for (int k = r->begin; k < r->end; k++) {
        const plu_island *island = &step->islands[k];
        for (int i = island->body_begin; i < island->body_end; i++) {
            const double *row = step->v_free[step->island_body[i]];
            number[step->island_body[i]] = row[6] > 0.0 ? body : -1; /* 1/m = 0: fixed */
            plu_fill_body(&p->body, body++, row);
        }
        for (int slot = island->slot_begin; slot < island->slot_end; slot++) {
            const int contact = step->contact_of_slot[slot];
            if (contact < 0)
                continue;
            const plu_contact_pair pair = step->pair_of_slot[slot];
            const bool given = plu_is_given(step, pair.a) && pair.a > plu_still_row(step);
            const int servo = given ? servo_of(step, contact) : -1;
            p->body.pairs[c][0] = servo >= 0 ? first_servo + place_within(r, servo)
                                  : plu_is_given(step, pair.a) ? -1
                                                               : number[pair.a];
            p->body.pairs[c][1] = number[pair.b];
            plu_fill_contact(p, c, plu_block_of(step, slot), slot % PLU_LANES,
                             r->start ? r->start[contact] : NULL,
                             given && servo < 0 ? step->v_free[pair.a] : NULL);
            if (servo >= 0)
                keep_along(p->body.h[c][0], p->rows, step->servos[servo].axis);
            c++;
        }
    }
}

int plu_rows_of_slot(const plu_problem *step, int slot)
{
    const plu_pair_constants *pair = plu_block_of(step, slot)->pair;
    const int k = slot % PLU_LANES;
    return pair->mu_p[k] > 0.0 ? 7 : pair->mu_r[k] > 0.0 ? 5 : 3;
}

static int rows_of(const range *r)
{
    int rows = 3;
    for (int k = r->begin; k < r->end; k++)
        for (int slot = r->step->islands[k].slot_begin; slot < r->step->islands[k].slot_end;
             slot++) {
            const int own =
                r->step->contact_of_slot[slot] < 0 ? 3 : plu_rows_of_slot(r->step, slot);
            rows = own > rows ? own : rows;
        }
    return rows;
}

static plu_status make_problem(plu_contact_problem **problem, const range *r, plu_error *err)
{
    const int rows = rows_of(r);
    int contacts = 0, bodies = servos_of(r);
    for (int k = r->begin; k < r->end; k++) {
        contacts += r->step->islands[k].contacts;
        bodies += r->step->islands[k].body_end - r->step->islands[k].body_begin;
    }
    plu_status status = plu_contact_problem_create(problem, rows, contacts, 0, bodies, err);
    if (status != PLU_OK)
        return status;
    plu_contact_problem *p = *problem;
    p->symmetric = p->has_guess = true;
    p->format = rows >= 5 ? PLU_FCLIB_GLOBAL_ROLLING : PLU_FCLIB_GLOBAL;
    p->freedom = 6 * bodies;
    int *number = plu_alloc((size_t)r->step->moving, sizeof *number, err);
    if (r->start)
        p->solution = plu_alloc((size_t)rows * (size_t)contacts, sizeof *p->solution, err);
    status = number && (!r->start || p->solution) ? PLU_OK : PLU_IO;
    if (status == PLU_OK) {
        fill_problem(p, r, number);
        status = plu_contact_problem_assemble(p, err);
    }
    free(number);
    if (status != PLU_OK) {
        plu_contact_problem_destroy(p);
        *problem = NULL;
    }
    return status;
}

plu_status plu_contact_problem_of_island(plu_contact_problem **problem, const plu_problem *step,
                                         const plu_island *island, plu_error *err)
{
    const int k = (int)(island - step->islands);
    return make_problem(problem, &(range){step, k, k + 1, NULL}, err);
}

plu_status plu_contact_problem_of_step(plu_contact_problem **problem, const plu_problem *step,
                                       const double (*start)[7], plu_error *err)
{
    return make_problem(problem, &(range){step, 0, step->islands_count, start}, err);
}

void plu_return_contact(const plu_contact_problem *problem, int c, const double *x,
                        plu_problem *step, int slot)
{
    plu_block *b = plu_block_of(step, slot);
    const int k = slot % PLU_LANES;
    double n[3], t[2][3];
    normal_of(b, k, n);
    plu_frame(n, t[0], t[1]);
    b->p[0][k] = x[0];
    for (int i = 0; i < 3; i++) {
        b->p[1 + i][k] = x[1] * t[0][i] + x[2] * t[1][i];
        b->p[4 + i][k] =
            problem->rows >= 5 ? (x[3] * t[0][i] + x[4] * t[1][i]) * problem->length[c] : 0.0;
        if (problem->rows == 7)
            b->p[4 + i][k] += x[5] * n[i] * problem->length[c];
    }
}

void plu_contact_problem_return(const plu_contact_problem *problem, const double *p,
                                plu_problem *step, plu_island *island)
{
    int c = 0;
    for (int slot = island->slot_begin; slot < island->slot_end; slot++) {
        if (step->contact_of_slot[slot] < 0)
            continue;
        plu_return_contact(problem, c, plu_contact_of(problem, p, c), step, slot);
        c++;
    }
    plu_problem_apply(step, island);
}
