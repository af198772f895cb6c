/* Vectors and matrices of an FCLIB file, which may be anything: each length is compared with the
 * data set before anything is allocated (deflate packs at most 1032 to one, so a file can hold no
 * more), indices with the size of the matrix. Matrices are triplets or compressed by rows or
 * columns:
 *
 *   nz >= 0   triplets      entry k: row i[k], column p[k], x[k]                    k < nz
 *   nz = -1   by columns    column j has the entries p[j] to p[j + 1] - 1: row i[k], x[k]
 *   nz = -2   by rows       row i likewise, with columns i[k]
 *
 * as in CSparse (T. A. Davis, Direct Methods for Sparse Linear Systems, SIAM 2006), whose struct
 * has these names: m, n, nzmax, nz, p, i, x. */
#include "io/problem/fclib_h5.h"
#include "base/memory.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 64 };

bool plu_fclib_has(plu_fclib *f, const char *path)
{
    const int leads = f->h5.status == PLU_OK ? plu_h5_leads(f->file, path) : 0;
    if (leads < 0)
        plu_h5_damaged(&f->h5, "damaged: what leads to %s cannot be read", path);
    return leads > 0;
}

static hid_t open_data(plu_fclib *f, const char *path)
{
    const hid_t data = plu_fclib_has(f, path) ? H5Oopen(f->file, path, H5P_DEFAULT) : -1;
    if (data < 0 || H5Iget_type(data) != H5I_DATASET)
        plu_h5_damaged(&f->h5, "the data set %s is missing or cannot be read", path);
    return data;
}

bool plu_fclib_has_data(plu_fclib *f, const char *path)
{
    if (!plu_fclib_has(f, path))
        return false;
    const hid_t data = open_data(f, path);
    bool written = false;
    if (data >= 0 && f->h5.status == PLU_OK) {
        const hid_t space = H5Dget_space(data);
        written = H5Dget_storage_size(data) > 0;
        if (!written && f->ours && H5Sget_simple_extent_npoints(space) > 0)
            plu_h5_damaged(&f->h5, "damaged: the numbers of %s are not in the file", path);
        H5Sclose(space);
    }
    if (data >= 0)
        H5Oclose(data);
    return written;
}

/* Its numbers lie in this file, and there are not more of them than packed data can hold: deflate
 * packs at most 1032 to one. */
static bool is_whole(const plu_fclib *f, hid_t data, hsize_t count, size_t size)
{
    const hsize_t stored = H5Dget_storage_size(data);
    return plu_h5_data_inside(data) && stored <= (hsize_t)f->bytes && size > 0 &&
           count <= 1032 * stored / size;
}

/* Numbers as programs write them: damage of a float's exponent or bits would give other numbers, or
 * zeros. */
static bool is_usual(hid_t type, H5T_class_t class)
{
    const hid_t floats[] = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE};
    if (class == H5T_INTEGER)
        return H5Tget_offset(type) == 0 && H5Tget_precision(type) == 8 * H5Tget_size(type);
    for (size_t k = 0; k < sizeof floats / sizeof *floats; k++)
        if (H5Tequal(type, floats[k]) > 0)
            return true;
    return false;
}

/* The length of an open vector of numbers of this class. */
static int length_of(plu_fclib *f, hid_t data, const char *path, bool whole_numbers)
{
    if (f->h5.status != PLU_OK)
        return 0;
    const hid_t space = H5Dget_space(data), type = H5Dget_type(data);
    const H5T_class_t class = H5Tget_class(type);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    if (H5Sget_simple_extent_ndims(space) > 1 ||
        (class != H5T_INTEGER && (whole_numbers || class != H5T_FLOAT)))
        plu_h5_damaged(&f->h5, "%s is not a vector of %snumbers", path,
                       whole_numbers ? "whole " : "");
    else if (!is_usual(type, class))
        plu_h5_damaged(&f->h5, "damaged: %s has numbers of a form that no computer has", path);
    else if (count < 0 || count > INT_MAX / 8 ||
             !is_whole(f, data, (hsize_t)count, H5Tget_size(type)))
        plu_h5_damaged(&f->h5, "%s has %lld numbers, more than the file contains", path,
                       (long long)count);
    H5Tclose(type);
    H5Sclose(space);
    return f->h5.status == PLU_OK ? (int)count : 0;
}

int plu_fclib_length(plu_fclib *f, const char *path)
{
    const hid_t data = open_data(f, path);
    const int count = length_of(f, data, path, false);
    if (data >= 0)
        H5Oclose(data);
    return count;
}

/* The whole of a vector, of `least` to `most` numbers; `*count`, if not NULL, says how many. */
static void *read_vector(plu_fclib *f, const char *path, hid_t type, int least, int most,
                         int *count)
{
    const hid_t data = open_data(f, path);
    const int found = length_of(f, data, path, H5Tget_class(type) == H5T_INTEGER);
    void *x = NULL;
    if (f->h5.status == PLU_OK && least == most && found != least)
        plu_h5_damaged(&f->h5, "%s has %d numbers; it must have %d", path, found, least);
    if (f->h5.status == PLU_OK && (found < least || found > most))
        plu_h5_damaged(&f->h5, "%s has %d numbers; it must have %d to %d", path, found, least,
                       most);
    if (f->h5.status == PLU_OK && !(x = plu_alloc((size_t)found, H5Tget_size(type), f->h5.err)))
        f->h5.status = PLU_IO;
    if (x && found > 0 && H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) < 0)
        plu_h5_damaged(&f->h5, "%s cannot be read", path);
    if (data >= 0)
        H5Oclose(data);
    if (f->h5.status != PLU_OK) {
        free(x);
        return NULL;
    }
    if (count)
        *count = found;
    return x;
}

int plu_fclib_int(plu_fclib *f, const char *path)
{
    int *x = read_vector(f, path, H5T_NATIVE_INT, 1, 1, NULL);
    const int value = x ? *x : 0;
    free(x);
    return value;
}

static void check_finite(plu_fclib *f, const char *path, const double *x, int count)
{
    for (int k = 0; x && k < count; k++)
        if (!isfinite(x[k])) {
            plu_h5_damaged(&f->h5, "%s: number %d is not finite", path, k);
            return;
        }
}

double *plu_fclib_reals(plu_fclib *f, const char *path, int count)
{
    double *x = read_vector(f, path, H5T_NATIVE_DOUBLE, count, count, NULL);
    check_finite(f, path, x, count);
    return x;
}

/* Whether a data set is one text of fixed length; Siconos writes no others. */
static bool is_text_of(hid_t type, hid_t space)
{
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
           H5Sget_simple_extent_npoints(space) == 1;
}

void plu_fclib_text(plu_fclib *f, const char *path, char *text, size_t size)
{
    text[0] = '\0';
    if (!plu_fclib_has_data(f, path))
        return;
    const hid_t data = open_data(f, path);
    const hid_t type = H5Dget_type(data), space = H5Dget_space(data), wanted = H5Tcopy(H5T_C_S1);
    H5Tset_size(wanted, size); /* the conversion cuts and terminates */
    H5Tset_cset(wanted, H5Tget_cset(type));
    if (is_text_of(type, space) &&
        (!is_whole(f, data, H5Tget_size(type), 1) ||
         H5Dread(data, wanted, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)) {
        plu_h5_damaged(&f->h5, "damaged: the text %s cannot be read", path);
        text[0] = '\0';
    }
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            *c = ' ';
    H5Tclose(wanted);
    H5Tclose(type);
    H5Sclose(space);
    H5Oclose(data);
}

/* --- matrices --- */

/* The data sets of a matrix. Entries: `count` of x and of i; p as long, or where columns (rows)
 * begin. */
typedef struct arrays {
    int nz, count, pointers;
    int *p, *i;
    double *x;
} arrays;

static const char *problem_h5_below(char path[PATH], const char *group, const char *name)
{
    snprintf(path, PATH, "%s/%s", group, name);
    return path;
}

/* nz: -1 columns, -2 rows, else the number of triplets. */
static void read_arrays(plu_fclib *f, const char *group, int rows, int columns, arrays *a)
{
    char path[PATH];
    const int most = plu_fclib_int(f, problem_h5_below(path, group, "nzmax"));
    a->nz = plu_fclib_int(f, problem_h5_below(path, group, "nz"));
    if (f->h5.status == PLU_OK && (a->nz < -2 || a->nz > most || most < 0))
        plu_h5_damaged(&f->h5, "%s: nz = %d and nzmax = %d are not possible", group, a->nz, most);
    if (f->h5.status != PLU_OK)
        return;
    a->pointers = a->nz == -1 ? columns + 1 : a->nz == -2 ? rows + 1 : a->nz;
    const int longest = a->nz < 0 || most < a->nz ? a->pointers : most;
    a->p = read_vector(f, problem_h5_below(path, group, "p"), H5T_NATIVE_INT, a->pointers, longest,
                       NULL);
    a->count = a->nz >= 0 ? a->nz : a->p ? a->p[a->pointers - 1] : 0;
    if (f->h5.status == PLU_OK && (a->count < 0 || a->count > most))
        plu_h5_damaged(&f->h5, "%s/p ends at %d, which is not within nzmax = %d", group, a->count,
                       most);
    for (int k = 0; a->nz < 0 && f->h5.status == PLU_OK && k + 1 < a->pointers; k++)
        if (a->p[0] != 0 || a->p[k + 1] < a->p[k])
            plu_h5_damaged(&f->h5, "%s/p does not increase from 0", group);
    a->i = read_vector(f, problem_h5_below(path, group, "i"), H5T_NATIVE_INT, a->count, most, NULL);
    a->x =
        read_vector(f, problem_h5_below(path, group, "x"), H5T_NATIVE_DOUBLE, a->count, most, NULL);
    check_finite(f, problem_h5_below(path, group, "x"), a->x, a->count);
}

/* Are all these indices below the limit, and not negative? */
static bool problem_h5_within(const int *index, int count, int limit)
{
    for (int k = 0; k < count; k++)
        if (index[k] < 0 || index[k] >= limit)
            return false;
    return true;
}

static void problem_h5_add(plu_fclib *f, plu_matrix *m, int i, int j, double x)
{
    if (f->h5.status == PLU_OK)
        f->h5.status = plu_matrix_add(m, i, j, x, f->h5.err);
}

/* `swapped`: decided by the first matrix that fits one way only, then kept for the next one. */
static void add_triplets(plu_fclib *f, const char *group, const arrays *a, bool *swapped,
                         plu_matrix *m)
{
    const bool fits =
        problem_h5_within(a->i, a->count, m->rows) && problem_h5_within(a->p, a->count, m->columns);
    const bool other =
        problem_h5_within(a->p, a->count, m->rows) && problem_h5_within(a->i, a->count, m->columns);
    if (swapped && !fits && other)
        *swapped = true;
    const bool swap = swapped && *swapped;
    if (!(swap ? other : fits))
        plu_h5_damaged(&f->h5, "%s/i or %s/p contains an index outside of the matrix", group,
                       group);
    for (int k = 0; k < a->count; k++)
        problem_h5_add(f, m, swap ? a->p[k] : a->i[k], swap ? a->i[k] : a->p[k], a->x[k]);
}

static void add_compressed(plu_fclib *f, const arrays *a, plu_matrix *m)
{
    for (int line = 0; line + 1 < a->pointers; line++)
        for (int k = a->p[line]; k < a->p[line + 1]; k++)
            problem_h5_add(f, m, a->nz == -1 ? a->i[k] : line, a->nz == -1 ? line : a->i[k],
                           a->x[k]);
}

void plu_fclib_matrix(plu_fclib *f, const char *group, int rows, int columns, bool *swapped,
                      plu_matrix *m)
{
    char path[PATH];
    arrays a = {0};
    *m = (plu_matrix){.rows = rows, .columns = columns};
    const int size[2] = {plu_fclib_int(f, problem_h5_below(path, group, "m")),
                         plu_fclib_int(f, problem_h5_below(path, group, "n"))};
    if (f->h5.status == PLU_OK && (size[0] != rows || size[1] != columns))
        plu_h5_damaged(&f->h5, "%s is %d x %d; it must be %d x %d", group, size[0], size[1], rows,
                       columns);
    read_arrays(f, group, rows, columns, &a);
    if (f->h5.status == PLU_OK && a.nz >= 0)
        add_triplets(f, group, &a, swapped, m);
    else if (f->h5.status == PLU_OK &&
             !problem_h5_within(a.i, a.count, a.nz == -1 ? rows : columns))
        plu_h5_damaged(&f->h5, "%s/i contains an index outside of the matrix", group);
    else if (f->h5.status == PLU_OK)
        add_compressed(f, &a, m);
    free(a.p);
    free(a.i);
    free(a.x);
}
