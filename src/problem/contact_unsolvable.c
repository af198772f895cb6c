/* Proofs that a problem has no solution. Contacts that are coupled to no other are tested one by
 * one.
 *
 * The whole problem is tested by Farkas' alternative for the normal velocities. Projected
 * Gauss-Seidel on the problem without friction either finds normal impulses that open all
 * contacts, or diverges. The direction of divergence, from which conjugate gradients remove the
 * part that moves bodies, is the certificate.
 *
 *   either   there is p >= 0 with W_NN p + q_N >= 0         the contacts can be kept from closing
 *   or       there is r >= 0 with W^T r = 0, q_N . r < 0    whatever the impulses, r . u_N = r .
 * q_N < 0: some contact closes (a sphere between two plates that come together) */
#include "problem/contact_unsolvable.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "cone/coulomb.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 300, LOOK = 10, CLEANINGS = 4, GRADIENTS = 500 };
static const double margin = 1e-3; /* times the free velocity: contacts are to open so fast */
static const double share = 1e-6;  /* times the largest impulse: smaller ones count as zero */
static const double far = 1e8;     /* times the free motion's: larger impulses do not count */

typedef struct normals {
    int n;
    int *start, *column, *diagonal; /* of the problem's blocks */
    double *w, *q;                  /* W_NN by rows, q_N */
    double q_largest;
    bool *carries; /* r > 0 */
    double *p, *r, *residual, *direction, *image;
} normals;

static bool create(normals *s, const plu_contact_problem *problem)
{
    const plu_block_rows *w = &problem->w;
    const size_t d = (size_t)problem->rows, n = (size_t)problem->contacts;
    const size_t blocks = (size_t)w->start[problem->contacts];
    *s = (normals){
        .n = problem->contacts, .start = w->start, .column = w->column, .diagonal = w->diagonal};
    double **vectors[] = {&s->q, &s->p, &s->r, &s->residual, &s->direction, &s->image};
    bool ok = (s->w = plu_alloc(blocks, sizeof *s->w, NULL)) != NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        ok = ok && (*vectors[i] = plu_alloc(n, sizeof(double), NULL));
    ok = ok && (s->carries = plu_alloc(n, sizeof *s->carries, NULL));
    for (size_t b = 0; ok && b < blocks; b++)
        s->w[b] = w->block[b * d * d];
    for (size_t c = 0; ok && c < n; c++) {
        s->q[c] = problem->q[c * d];
        s->q_largest = plu_max(s->q_largest, fabs(s->q[c]));
    }
    return ok;
}

static void destroy_normals(normals *s)
{
    double *vectors[] = {s->w, s->q, s->p, s->r, s->residual, s->direction, s->image};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(vectors[i]);
    free(s->carries);
}

static double row_product(const normals *s, int c, const double *x)
{
    double sum = 0.0;
    for (int b = s->start[c]; b < s->start[c + 1]; b++)
        sum += s->w[b] * x[s->column[b]];
    return sum;
}

static bool opens_all(const normals *s)
{
    for (int c = 0; c < s->n; c++)
        if (!(row_product(s, c, s->p) + s->q[c] >= 0.0))
            return false;
    return true;
}

/* Projected Gauss-Seidel sweeps toward u_N >= opening; true as soon as all contacts open. */
static bool relax(normals *s, double opening)
{
    for (int k = 0; k < SWEEPS; k++) {
        if (k % LOOK == 0 && opens_all(s))
            return true;
        for (int c = 0; c < s->n; c++) {
            const double u = row_product(s, c, s->p) + s->q[c] - opening;
            s->p[c] = plu_max(0.0, s->p[c] - u / s->w[s->diagonal[c]]);
        }
    }
    return opens_all(s);
}

/* Makes r >= 0, its largest entry 1 and small entries 0; false if r has no positive entry. */
static bool normalize(normals *s)
{
    double largest = 0.0;
    for (int c = 0; c < s->n; c++)
        largest = plu_max(largest, s->r[c]);
    for (int c = 0; largest > 0.0 && c < s->n; c++)
        s->r[c] = s->r[c] > share * largest ? s->r[c] / largest : 0.0;
    return largest > 0.0 && isfinite(largest);
}

/* Removes from r the part that moves bodies: conjugate gradients on W r = 0, starting from r and
 * restricted to the contacts with r > 0. */
static void clean(normals *s)
{
    for (int c = 0; c < s->n; c++) {
        s->carries[c] = s->r[c] > 0.0;
        s->direction[c] = s->residual[c] = s->carries[c] ? -row_product(s, c, s->r) : 0.0;
    }
    double size = plu_dot_n(s->n, s->residual, s->residual);
    for (int k = 0; k < GRADIENTS && size > 0.0; k++) {
        for (int c = 0; c < s->n; c++)
            s->image[c] = s->carries[c] ? row_product(s, c, s->direction) : 0.0;
        const double curvature = plu_dot_n(s->n, s->direction, s->image);
        if (!(curvature > 0.0))
            return;
        const double length = size / curvature, before = size;
        for (int c = 0; c < s->n; c++) {
            s->r[c] += length * s->direction[c];
            s->residual[c] -= length * s->image[c];
        }
        size = plu_dot_n(s->n, s->residual, s->residual);
        for (int c = 0; c < s->n; c++)
            s->direction[c] = s->residual[c] + size / before * s->direction[c];
    }
}

/* Whether r satisfies the definition of a certificate: |W^T r|, over all components, is small
 * against -q_N . r < 0. */
static bool verified(const normals *s, const plu_contact_problem *problem, double *moved)
{
    const size_t d = (size_t)problem->rows, n = d * (size_t)s->n;
    double gain = 0.0, size = 0.0, softest = HUGE_VAL;
    memset(moved, 0, n * sizeof *moved);
    for (int c = 0; c < s->n; c++) {
        gain -= s->q[c] * s->r[c];
        softest = plu_min(softest, s->w[s->diagonal[c]]);
        for (int b = s->start[c]; s->r[c] > 0.0 && b < s->start[c + 1]; b++)
            for (size_t j = 0; j < d; j++)
                moved[(size_t)s->column[b] * d + j] +=
                    s->r[c] * problem->w.block[(size_t)b * d * d + j];
    }
    for (size_t i = 0; i < n; i++)
        size += moved[i] * moved[i];
    return gain > 0.0 && sqrt(size) * far * s->q_largest / softest <= gain;
}

/* Two looks: the growth between them is the direction of divergence, without where it began. */
static bool find(normals *s, const plu_contact_problem *problem)
{
    if (opens_all(s) || relax(s, margin * s->q_largest) || relax(s, 0.0))
        return false;
    memcpy(s->r, s->p, (size_t)s->n * sizeof *s->r);
    if (relax(s, 0.0))
        return false;
    for (int c = 0; c < s->n; c++)
        s->r[c] = s->p[c] - s->r[c];
    double *moved = plu_alloc((size_t)s->n * (size_t)problem->rows, sizeof *moved, NULL);
    bool found = false;
    for (int k = 0; moved && !found && k < CLEANINGS && normalize(s); k++) {
        clean(s);
        found = normalize(s) && verified(s, problem, moved);
    }
    free(moved);
    return found;
}

static bool closes_anyhow(const plu_contact_problem *problem, double *certificate)
{
    normals s;
    const bool found = create(&s, problem) && find(&s, problem);
    if (found && certificate)
        memcpy(certificate, s.r, (size_t)s.n * sizeof *certificate);
    destroy_normals(&s);
    return found;
}

bool plu_contact_is_unmoved(const plu_contact_problem *problem, int c)
{
    const plu_block_rows *w = &problem->w;
    const size_t d = (size_t)problem->rows;
    if (w->block[(size_t)w->diagonal[c] * d * d] != 0.0)
        return false;
    for (int b = w->start[c]; b < w->start[c + 1]; b++)
        for (size_t j = 0; j < d; j++)
            if (w->block[(size_t)b * d * d + j] != 0.0)
                return false;
    for (int b = 0; b < w->start[problem->contacts]; b++)
        for (size_t i = 0; w->column[b] == c && i < d; i++)
            if (w->block[((size_t)b * d + i) * d] != 0.0)
                return false;
    return true;
}

/* Whether contact c is coupled to no other one and has Coulomb friction only; w receives its 3 x 3
 * block. */
static bool stands_alone(const plu_contact_problem *problem, int c, double w[9])
{
    const int d = problem->rows;
    if (problem->w.start[c + 1] - problem->w.start[c] != 1 || problem->mu_r[c] != 0.0 ||
        (d == 7 && problem->mu_p[c] != 0.0))
        return false;
    for (int b = 0; b < problem->w.start[problem->contacts]; b++)
        if (problem->w.column[b] == c && b != problem->w.diagonal[c])
            return false;
    const double *block = problem->w.block + (size_t)problem->w.diagonal[c] * (size_t)(d * d);
    for (int i = 0; i < 9; i++)
        w[i] = block[i / 3 * d + i % 3];
    return true;
}

plu_unsolvable plu_contact_unsolvable(const plu_contact_problem *problem, double *certificate,
                                      int *contact)
{
    double w[9];
    int unused = 0;
    contact = contact ? contact : &unused;
    for (*contact = 0; *contact < problem->contacts; ++*contact) {
        const double *q = plu_contact_of(problem, problem->q, *contact);
        if (q[0] < 0.0 && plu_contact_is_unmoved(problem, *contact))
            return PLU_CLOSES_UNMOVED;
        if (q[0] < 0.0 && stands_alone(problem, *contact, w) &&
            plu_coulomb_unsolvable(w, q, plu_contact_slope(problem, *contact, 0)))
            return PLU_NEITHER_STICKS_NOR_SLIDES;
    }
    *contact = -1;
    return closes_anyhow(problem, certificate) ? PLU_CLOSES_ANYHOW : PLU_PERHAPS_SOLVABLE;
}
