/* The ends of contacts at bodies, scaled by the masses. */
#include "base/memory.h"
#include "general/prox_system.h"
#include "problem/spheres.h"
#include <math.h>
#include <stdlib.h>

/* Lower C with C C^T = a; false when a is not symmetric and positive definite. */
static bool cholesky(const double a[36], double c[36])
{
    memset(c, 0, 36 * sizeof *c);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            const double x = a[6 * i + j], mirror = a[6 * j + i];
            if (!(fabs(x - mirror) <= 1e-13 * sqrt(fabs(a[7 * i] * a[7 * j]))))
                return false;
            double sum = x;
            for (int k = 0; k < j; k++)
                sum -= c[6 * i + k] * c[6 * j + k];
            if (i == j && !(sum > 0.0))
                return false;
            c[6 * i + j] = i == j ? sqrt(sum) : sum / c[7 * j];
        }
    return true;
}

/* G = C^T H with M^-1 = C C^T, C in `roots` by bodies; false when a mass is not symmetric and
 * positive definite. */
static bool fill_ends(plu_prox_bodies *to, const plu_body_form *from, double (*roots)[36])
{
    for (int c = 0; c < to->contacts; c++)
        for (int e = 0; e < 2; e++) {
            const int k = to->pairs[c][e] = from->pairs[c][e];
            if (k < 0)
                continue;
            double *const root = roots[k]; /* zero until it is made */
            memset(to->g[c][e], 0, (size_t)to->rows * sizeof to->g[c][e][0]);
            if (!(root[0] > 0.0) && !cholesky(from->inverse_mass[k], root))
                return false;
            for (int j = 0; j < to->rows; j++)
                for (int i = 0; i < 6; i++)
                    for (int l = i; l < 6; l++)
                        to->g[c][e][j][i] += root[6 * l + i] * from->h[c][e][l * to->rows + j];
        }
    return true;
}

plu_status plu_prox_bodies_find(plu_prox_bodies *b, const plu_contact_problem *p, plu_error *err)
{
    plu_body_form found = {0};
    plu_status status = PLU_OK;
    if (p->body.bodies == 0 && p->rows == 5)
        status = plu_recover_bodies(p, &found, err);
    const plu_body_form *from = p->body.bodies > 0 ? &p->body : &found;
    if (status == PLU_OK && from->bodies > 0) {
        b->rows = p->rows;
        b->contacts = p->contacts;
        b->pairs = plu_alloc((size_t)p->contacts, sizeof *b->pairs, err);
        size_t room = 0; /* it is large, and only what is read of it is cleared */
        status = plu_reserve(&b->g, &room, (size_t)p->contacts, sizeof *b->g, 0, err);
        double(*roots)[36] = plu_alloc((size_t)from->bodies, sizeof *roots, err);
        status = status == PLU_OK && b->pairs && roots ? PLU_OK : PLU_IO;
        if (status == PLU_OK && fill_ends(b, from, roots))
            b->bodies = from->bodies;
        free(roots);
    }
    plu_body_form_free(&found);
    return status;
}

void plu_prox_bodies_free(plu_prox_bodies *b)
{
    free(b->pairs);
    free(b->g);
    free(b->place);
}
