#include "base/memory.h"
#include "io/problem/file_parts.h"
#include <math.h>

/* x with x * s = y */
static double divided(double y, double s)
{
    const double x = y / s, up = nextafter(x, INFINITY), down = nextafter(x, -INFINITY);
    return x * s == y ? x : up * s == y ? up : down * s == y ? down : x;
}

/* x with x / s = y */
static double multiplied(double y, double s)
{
    const double x = y * s, up = nextafter(x, INFINITY), down = nextafter(x, -INFINITY);
    return x / s == y ? x : up / s == y ? up : down / s == y ? down : x;
}

double *plu_file_vector(const plu_contact_problem *p, const double *x, plu_kind kind,
                        plu_error *err)
{
    const int d = plu_outer_rows(p);
    double *y = plu_alloc((size_t)d * (size_t)p->contacts, sizeof *y, err);
    for (int c = 0; y && c < p->contacts; c++)
        for (int i = 0; i < d; i++) {
            const double l = p->length[c], s = kind == PLU_OF_VELOCITY ? l : 1.0 / l;
            const int row = plu_inner_row(p->planar, i);
            const double z = x[p->rows * c + row];
            y[d * c + i] = row < 3 ? z : divided(z, s);
        }
    return y;
}

double plu_file_mu_r(const plu_contact_problem *p, int c)
{
    return multiplied(p->mu_r[c], p->length[c]);
}

double plu_file_w(const plu_contact_problem *p, int c, int b, int i, int j)
{
    const int in = plu_inner_row(p->planar, i), jn = plu_inner_row(p->planar, j);
    const double row = in < 3 ? 1.0 : p->length[c];
    const double column = jn < 3 ? 1.0 : p->length[p->w.column[b]];
    return divided(
        p->w.block[(size_t)b * (size_t)(p->rows * p->rows) + (size_t)(in * p->rows + jn)],
        row * column);
}

double plu_file_h(const plu_contact_problem *p, int c, int e, int i, int j)
{
    return divided(p->body.h[c][e][i * p->rows + j], j < 3 ? 1.0 : p->length[c]);
}

void plu_file_force(const plu_contact_problem *p, int k, double f[6])
{
    const double *v = p->body.v_free[k], *mass = p->body.mass[k];
    const double *inverse = p->body.inverse_mass[k];
    for (int i = 0; i < 6; i++) {
        bool alone = true; /* the only entry of its row */
        f[i] = 0.0;
        for (int j = 0; j < 6; j++) {
            f[i] += mass[6 * i + j] * v[j];
            alone = alone && (i == j || inverse[6 * i + j] == 0.0);
        }
        if (alone && inverse[7 * i] != 0.0) /* 0: a body that sleeps, which no contact names */
            f[i] = divided(v[i], inverse[7 * i]);
    }
}
