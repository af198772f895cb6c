/* problem_files.h: contact problems as small files, texts and HDF5, in a folder of their own. */
#ifndef SUPPORT_PROBLEM_FILES_H
#define SUPPORT_PROBLEM_FILES_H

#include "near.h"
#include "problem/contact_problem.h"
#include <dirent.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static plu_error err;

static inline void write_bytes(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static inline plu_contact_problem *read_problem(const char *name)
{
    plu_contact_problem *problem = NULL;
    if (plu_contact_problem_read(&problem, name, &err) != PLU_OK)
        fail_msg("%s", err.text);
    assert_non_null(problem);
    return problem;
}

static inline plu_contact_problem *read_text(const char *text)
{
    write_bytes("text.dat", text, strlen(text));
    return read_problem("text.dat");
}

/* --- FCLIB --- */

static inline void put_ints(hid_t file, const char *path, hsize_t count, const int *x)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &count, NULL);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t set =
        H5Dcreate2(file, path, H5T_NATIVE_INT, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

static inline void put_int(hid_t file, const char *path, int x)
{
    put_ints(file, path, 1, &x);
}

static inline void put_reals(hid_t file, const char *path, hsize_t count, const double *x)
{
    const hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &count, NULL);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t set =
        H5Dcreate2(file, path, H5T_NATIVE_DOUBLE, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 &&
                H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

typedef struct fclib_matrix {
    int m, n, nz, nzmax;
    int pointers, p[40], i[40];
    double x[40];
} fclib_matrix;

static inline void put_matrix(hid_t file, const char *group, const fclib_matrix *a)
{
    char path[64];
    const int *const sizes[] = {&a->m, &a->n, &a->nz, &a->nzmax};
    static const char *const names[] = {"m", "n", "nz", "nzmax"};
    for (int k = 0; k < 4; k++) {
        snprintf(path, sizeof path, "%s/%s", group, names[k]);
        put_int(file, path, *sizes[k]);
    }
    snprintf(path, sizeof path, "%s/p", group);
    put_ints(file, path, (hsize_t)a->pointers, a->p);
    snprintf(path, sizeof path, "%s/i", group);
    put_ints(file, path, (hsize_t)a->nzmax, a->i);
    snprintf(path, sizeof path, "%s/x", group);
    put_reals(file, path, (hsize_t)a->nzmax, a->x);
}

static inline hid_t new_file(void)
{
    const hid_t file = H5Fcreate("made.hdf5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

/* Runs the tests in a folder of their own, which holds only files at the end. */
static inline int run_in_folder(int (*run)(void))
{
    char folder[] = "/tmp/pluvia-problem-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder) != 0)
        return 99;
    const int failed = run();
    DIR *open = opendir(".");
    for (struct dirent *entry; open && (entry = readdir(open));)
        unlink(entry->d_name);
    return open && closedir(open) == 0 && chdir("/") == 0 && rmdir(folder) == 0 ? failed : 99;
}

#endif
