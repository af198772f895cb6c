/* Files of FCLIB; fclib.c reads them and has a drawing of the groups.
 *
 * W is written by compressed rows (nz = -2), M and H as triplets, whose entries that are zero are
 * left out. Guess and solution have r and the velocities that belong to it: u = W r + q, and in
 * global files v = v_free + M^-1 H r, so that other programs can compare. Moments and mu_r are in
 * the units of files, not over L (build.c). The file is created anew, as NAME.part
 * (problem_file.c). */
#include "base/memory.h"
#include "io/h5/h5.h"
#include "io/problem/file_parts.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static void fclib_put(plu_h5 *h5, hid_t parent, const char *name, hid_t type, hsize_t count,
                      const void *x)
{
    if (h5->status != PLU_OK)
        return;
    const hid_t space = H5Screate_simple(1, &count, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    const hid_t data = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (plu_h5_check(h5, data, "create the data set %s", name) && count > 0)
        plu_h5_check(h5, H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x),
                     "write the data set %s", name);
    if (data >= 0)
        H5Dclose(data);
    H5Pclose(how);
    H5Sclose(space);
}

static void put_int(plu_h5 *h5, hid_t parent, const char *name, int value)
{
    fclib_put(h5, parent, name, H5T_NATIVE_INT, 1, &value);
}

static void put_reals(plu_h5 *h5, hid_t parent, const char *name, size_t count, const double *x)
{
    fclib_put(h5, parent, name, H5T_NATIVE_DOUBLE, count, x);
}

/* A text with its zero byte, as a scalar: what FCLIB reads. */
static void put_text(plu_h5 *h5, hid_t parent, const char *name, const char *text)
{
    if (h5->status != PLU_OK)
        return;
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    H5Tset_size(type, strlen(text) + 1);
    const hid_t data = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (plu_h5_check(h5, data, "create the data set %s", name)) {
        plu_h5_check(h5, H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text),
                     "write the data set %s", name);
        H5Dclose(data);
    }
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
}

/* A vector of the problem in the units of the file. */
static void put_vector(plu_h5 *h5, hid_t parent, const char *name, const plu_contact_problem *p,
                       const double *x, plu_kind kind)
{
    double *y = h5->status == PLU_OK ? plu_file_vector(p, x, kind, h5->err) : NULL;
    if (y)
        put_reals(h5, parent, name, (size_t)plu_outer_rows(p) * (size_t)p->contacts, y);
    else if (h5->status == PLU_OK)
        h5->status = PLU_IO;
    free(y);
}

/* --- matrices --- */

typedef struct arrays {
    int *p, *i;
    double *x;
    int count;
} arrays;

static bool fclib_take(plu_h5 *h5, arrays *a, size_t pointers, size_t count)
{
    *a = (arrays){0};
    if (h5->status != PLU_OK)
        return false;
    if (count > INT_MAX) {
        h5->status =
            plu_fail(h5->err, PLU_BAD_INPUT, "%s: a matrix of %zu entries is too large for FCLIB",
                     h5->path, count);
        return false;
    }
    a->p = plu_alloc(pointers, sizeof *a->p, h5->err);
    a->i = plu_alloc(count, sizeof *a->i, h5->err);
    a->x = plu_alloc(count, sizeof *a->x, h5->err);
    if (!a->p || !a->i || !a->x)
        h5->status = PLU_IO;
    return h5->status == PLU_OK;
}

/* nz = -2: compressed rows; >= 0: triplets, i their rows and p their columns. Frees the arrays. */
static void put_matrix(plu_h5 *h5, hid_t parent, const char *name, int rows, int columns, int nz,
                       arrays *a)
{
    const hid_t group = plu_h5_group(h5, parent, name);
    put_int(h5, group, "nzmax", a->count);
    put_int(h5, group, "m", rows);
    put_int(h5, group, "n", columns);
    put_int(h5, group, "nz", nz);
    fclib_put(h5, group, "p", H5T_NATIVE_INT, (hsize_t)(nz == -2 ? rows + 1 : nz), a->p);
    fclib_put(h5, group, "i", H5T_NATIVE_INT, (hsize_t)a->count, a->i);
    put_reals(h5, group, "x", (size_t)a->count, a->x);
    free(a->p);
    free(a->i);
    free(a->x);
}

static void fclib_add(arrays *a, int row, int column, double x)
{
    a->i[a->count] = row;
    a->p[a->count] = column;
    a->x[a->count++] = x;
}

static void put_w(plu_h5 *h5, hid_t parent, const plu_contact_problem *p)
{
    arrays a;
    const int d = plu_outer_rows(p), n = d * p->contacts;
    if (fclib_take(h5, &a, (size_t)n + 1, (size_t)p->w.start[p->contacts] * (size_t)(d * d)))
        for (int row = 0; row < n; row++) {
            const int c = row / d;
            for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++)
                for (int j = 0; j < d; j++) {
                    a.i[a.count] = d * p->w.column[b] + j;
                    a.x[a.count++] = plu_file_w(p, c, b, row % d, j);
                }
            a.p[row + 1] = a.count;
        }
    put_matrix(h5, parent, "W", n, n, -2, &a);
}

static void put_m(plu_h5 *h5, hid_t parent, const plu_contact_problem *p)
{
    arrays a;
    const int n = 6 * p->body.bodies;
    if (fclib_take(h5, &a, 6 * (size_t)n, 6 * (size_t)n))
        for (int row = 0; row < n; row++)
            for (int j = 0; j < 6; j++) {
                const double x = p->body.mass[row / 6][row % 6 * 6 + j];
                if (x != 0.0)
                    fclib_add(&a, row, row / 6 * 6 + j, x);
            }
    put_matrix(h5, parent, "M", n, n, a.count, &a);
}

/* At most two ends with six rows and as many columns as a contact has. */
static void put_h(plu_h5 *h5, hid_t parent, const plu_contact_problem *p)
{
    arrays a;
    const size_t most = 2 * 6 * (size_t)p->rows * (size_t)p->contacts;
    if (fclib_take(h5, &a, most, most))
        for (int c = 0; c < p->contacts; c++)
            for (int e = 0; e < 2; e++)
                for (int k = 0; p->body.pairs[c][e] >= 0 && k < 6 * p->rows; k++)
                    if (p->body.h[c][e][k] != 0.0)
                        fclib_add(&a, 6 * p->body.pairs[c][e] + k / p->rows,
                                  p->rows * c + k % p->rows,
                                  plu_file_h(p, c, e, k / p->rows, k % p->rows));
    put_matrix(h5, parent, "H", 6 * p->body.bodies, p->rows * p->contacts, a.count, &a);
}

/* --- the groups --- */

static void put_forces(plu_h5 *h5, hid_t parent, const plu_contact_problem *p)
{
    const size_t bodies = (size_t)p->body.bodies;
    double(*f)[6] = h5->status == PLU_OK ? plu_alloc(bodies, sizeof *f, h5->err) : NULL;
    for (int k = 0; f && k < p->body.bodies; k++)
        plu_file_force(p, k, f[k]);
    if (f)
        put_reals(h5, parent, "f", 6 * bodies, *f);
    else if (h5->status == PLU_OK)
        h5->status = PLU_IO;
    free(f);
}

static void put_rolling(plu_h5 *h5, hid_t parent, const plu_contact_problem *p)
{
    const size_t contacts = (size_t)p->contacts;
    double *mu_r = h5->status == PLU_OK ? plu_alloc(contacts, sizeof *mu_r, h5->err) : NULL;
    for (int c = 0; mu_r && c < p->contacts; c++)
        mu_r[c] = plu_file_mu_r(p, c);
    if (mu_r)
        put_reals(h5, parent, "mu_r", contacts, mu_r);
    else if (h5->status == PLU_OK)
        h5->status = PLU_IO;
    free(mu_r);
    put_reals(h5, parent, "length", contacts, p->length);
}

static void put_problem(plu_h5 *h5, hid_t file, const plu_contact_problem *p, const char *name,
                        const char *title)
{
    const bool local = strcmp(name, "fclib_local") == 0;
    const hid_t group = plu_h5_group(h5, file, name);
    put_int(h5, group, "spacedim", plu_outer_rows(p));
    if (local) {
        put_w(h5, group, p);
    } else {
        put_m(h5, group, p);
        put_h(h5, group, p);
    }
    const hid_t vectors = plu_h5_group(h5, group, "vectors");
    if (!local)
        put_forces(h5, vectors, p);
    put_vector(h5, vectors, local ? "q" : "w", p, local ? p->q : p->body.w, PLU_OF_VELOCITY);
    put_reals(h5, vectors, "mu", (size_t)p->contacts, p->mu);
    if (p->rows == 5)
        put_rolling(h5, vectors, p);
    const hid_t info = plu_h5_group(h5, group, "info");
    put_text(h5, info, "title", title);
    put_text(h5, info, "description", PLU_FCLIB_WRITTEN_BY PLU_VERSION);
    put_text(h5, info, "math_info", "");
}

/* v = v_free + M^-1 H r */
static void put_body_velocities(plu_h5 *h5, hid_t parent, const plu_contact_problem *p,
                                const double *r)
{
    const plu_body_form *b = &p->body;
    double(*v)[6] = h5->status == PLU_OK ? plu_alloc((size_t)b->bodies, sizeof *v, h5->err) : NULL;
    if (!v) {
        h5->status = h5->status == PLU_OK ? PLU_IO : h5->status;
        return;
    }
    memcpy(v, b->v_free, (size_t)b->bodies * sizeof *v);
    for (int c = 0; c < p->contacts; c++)
        for (int e = 0; e < 2; e++)
            for (int i = 0; b->pairs[c][e] >= 0 && i < 6; i++) {
                double force = 0.0;
                for (int j = 0; j < p->rows; j++)
                    force += b->h[c][e][i * p->rows + j] * plu_contact_of(p, r, c)[j];
                for (int k = 0; k < 6; k++)
                    v[b->pairs[c][e]][k] += b->inverse_mass[b->pairs[c][e]][6 * k + i] * force;
            }
    put_reals(h5, parent, "v", 6 * (size_t)b->bodies, *v);
    free(v);
}

/* Impulses and the velocities that belong to them. */
static void put_state(plu_h5 *h5, hid_t parent, const char *name, const plu_contact_problem *p,
                      const double *r, bool global)
{
    const hid_t group = plu_h5_group(h5, parent, name);
    const size_t n = (size_t)p->rows * (size_t)p->contacts;
    double *u = h5->status == PLU_OK ? plu_alloc(n, sizeof *u, h5->err) : NULL;
    if (!u) {
        h5->status = h5->status == PLU_OK ? PLU_IO : h5->status;
        return;
    }
    plu_contact_problem_velocity(p, r, u);
    put_vector(h5, group, "r", p, r, PLU_OF_IMPULSE);
    put_vector(h5, group, "u", p, u, PLU_OF_VELOCITY);
    free(u);
    if (global)
        put_body_velocities(h5, group, p, r);
}

static void put_file(plu_h5 *h5, hid_t file, const plu_contact_problem *p,
                     plu_problem_format format, const char *title)
{
    const bool global = format != PLU_FCLIB_LOCAL;
    put_problem(h5, file, p,
                format == PLU_FCLIB_LOCAL    ? "fclib_local"
                : format == PLU_FCLIB_GLOBAL ? "fclib_global"
                                             : "fclib_global_rolling",
                title);
    if (p->has_guess) {
        const hid_t guesses = plu_h5_group(h5, file, "guesses");
        put_int(h5, guesses, "number_of_guesses", 1);
        put_state(h5, guesses, "1", p, p->guess, global);
    }
    if (p->solution)
        put_state(h5, file, "solution", p, p->solution, global);
}

plu_status plu_fclib_write(const plu_contact_problem *p, const char *part, const char *path,
                           plu_problem_format format, const char *title, plu_error *err)
{
    plu_h5 h5 = {.path = path, .on_bad = PLU_IO, .status = PLU_OK, .err = err};
    const plu_h5_quiet quiet = plu_h5_quiet_begin(NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const hid_t file = H5Fcreate(part, H5F_ACC_EXCL, H5P_DEFAULT, access);
    if (plu_h5_check(&h5, file, "create the file")) {
        put_file(&h5, file, p, format, title);
        const herr_t closed = H5Fclose(file);
        plu_h5_check(&h5, closed, "write the file");
    }
    H5Pclose(access);
    plu_h5_quiet_end(quiet);
    return h5.status;
}
