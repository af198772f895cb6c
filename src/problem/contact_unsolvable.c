/* Farkas' alternative for the normal velocities. Projected Gauss-Seidel on the problem without
 * friction either finds normal impulses that open all contacts, or runs away; the direction in
 * which it does, cleaned of what moves the bodies by conjugate gradients, is the certificate. */
#include "problem/contact_unsolvable.h"
#include "base/memory.h"
#include "base/vec3.h"
#include "base/vector.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 300, LOOK = 10, CLEANINGS = 4, GRADIENTS = 500 };
static const double margin = 1e-3; /* of the free velocity, by which contacts are to open */
static const double share = 1e-6;  /* share of the largest impulse that counts as one */
static const double far = 1e8; /* impulses so much larger than those of the free motion are none */

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

static void destroy(normals *s)
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

/* Sweeps towards u_N >= opening; true as soon as all contacts open. */
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

/* r >= 0 with its largest entry 1 and small ones 0; false when there is nothing of it. */
static bool normalise(normals *s)
{
    double largest = 0.0;
    for (int c = 0; c < s->n; c++)
        largest = plu_max(largest, s->r[c]);
    for (int c = 0; largest > 0.0 && c < s->n; c++)
        s->r[c] = s->r[c] > share * largest ? s->r[c] / largest : 0.0;
    return largest > 0.0 && isfinite(largest);
}

/* The part of r that moves nothing: conjugate gradients on W r = 0 from r, within the contacts that
 * carry something. */
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

/* |W^T r|, over all components, against q_N . r: what the definition asks for. */
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
    for (int k = 0; moved && !found && k < CLEANINGS && normalise(s); k++) {
        clean(s);
        found = normalise(s) && verified(s, problem, moved);
    }
    free(moved);
    return found;
}

bool plu_contact_unsolvable(const plu_contact_problem *problem, double *certificate)
{
    normals s;
    const bool found = create(&s, problem) && find(&s, problem);
    if (found && certificate)
        memcpy(certificate, s.r, (size_t)s.n * sizeof *certificate);
    destroy(&s);
    return found;
}
