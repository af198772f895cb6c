/* Files of FCLIB. The input says where a file departs from a right one: which data sets are
 * missing, too long or too short, of another type, and what numbers they hold. An input of zeros is
 * a right file, so that a few bytes reach any place of the reader. Bytes of the file itself would
 * mostly test the HDF5 library, whose 1.10.8 crashes on some, out of reach of any reader. */
#include "input.h"
#include "io/problem/file_parts.h"
#include "judge.h"
#include "scratch_file.h"
#include <hdf5.h>
#include <math.h>

enum { MOST = 4096 };

/* Length of the data set, mostly the right one. */
static hsize_t length(input *in, hsize_t right)
{
    static const hsize_t odd[] = {0, 1, MOST, 1 << 20};
    const unsigned choice = next(in);
    if (choice < 128)
        return right;
    if (choice < 192)
        return odd[choice % 4];
    return choice % 2 ? right + choice % 7 : right - (right > choice % 7 ? choice % 7 : right);
}

static void put(hid_t group, const char *name, hid_t stored, hid_t type, hsize_t count,
                const void *values, unsigned how)
{
    const hsize_t sizes[2] = {count, 1};
    const hid_t space =
        how % 8 == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(how % 8 == 2 ? 2 : 1, sizes, NULL);
    const hid_t set = H5Dcreate2(group, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && count <= MOST && how % 8 != 3) /* 3: never written */
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
}

/* Byte 0: as it should be. Else missing, or made in another way. */
static void put_ints(input *in, hid_t group, const char *name, hsize_t count, const int *right)
{
    static const int odd[] = {-1, 0, 1, 2, 3, 5, 1 << 30, -2147483647 - 1};
    static int values[MOST + 8];
    const unsigned how = next(in);
    const hsize_t known = count;
    count = length(in, count);
    for (hsize_t k = 0; k < count && k < MOST; k++) {
        const unsigned choice = next(in);
        values[k] = right[k % known] + (choice < 128 ? (int)choice % 8 : 0);
        if (choice >= 128)
            values[k] = choice < 192 ? odd[choice % 8] : (int)choice - 200;
    }
    if (how % 8 != 7)
        put(group, name,
            how >= 128  ? H5T_IEEE_F64LE
            : how >= 64 ? H5T_STD_I64LE
                        : H5T_STD_I32LE,
            H5T_NATIVE_INT, count, values, how);
}

static void put_reals(input *in, hid_t group, const char *name, hsize_t count, double right)
{
    static const double odd[] = {0, -1, 1e308, -1e-308, NAN, INFINITY, 1e-160, 2};
    static double values[MOST + 8];
    const unsigned how = next(in);
    count = length(in, count);
    for (hsize_t k = 0; k < count && k < MOST; k++) {
        const unsigned choice = next(in);
        values[k] = choice < 128 ? right + choice / 16.0 : odd[choice % 8];
    }
    if (how % 8 != 7)
        put(group, name,
            how >= 128  ? H5T_STD_I32LE
            : how >= 64 ? H5T_IEEE_F32LE
                        : H5T_IEEE_F64LE,
            H5T_NATIVE_DOUBLE, count, values, how);
}

/* Ones on the diagonal, in one of the three layouts. */
static void put_matrix(input *in, hid_t parent, const char *name, int rows, int columns)
{
    const hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int rising[64];
    for (int k = 0; k < 64; k++)
        rising[k] = k;
    const int count = rows < columns ? rows : columns, layout = (int)(next(in) % 3);
    const int nz = layout == 0 ? count : -layout;
    const int pointers = layout == 0 ? count : layout == 1 ? columns + 1 : rows + 1;
    for (int k = count; k < 64 && layout > 0; k++)
        rising[k] = count;
    put_ints(in, group, "m", 1, &rows);
    put_ints(in, group, "n", 1, &columns);
    put_ints(in, group, "nzmax", 1, &count);
    put_ints(in, group, "nz", 1, &nz);
    put_ints(in, group, "p", (hsize_t)pointers, rising);
    put_ints(in, group, "i", (hsize_t)count, rising);
    put_reals(in, group, "x", (hsize_t)count, 1.0);
    H5Gclose(group);
}

static void put_state(input *in, hid_t parent, const char *name, hsize_t n)
{
    if (next(in) % 2 == 0)
        return;
    const hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_reals(in, group, "r", n, 0.5);
    H5Gclose(group);
}

static void put_file(input *in, hid_t file)
{
    static const char *const names[] = {"fclib_local", "fclib_global", "fclib_global_rolling"};
    const unsigned kind = next(in) % 3, contacts = next(in) % 4 + 1;
    const int d = kind == 2 ? 5 : next(in) % 2 ? 2 : 3, n = d * (int)contacts;
    const int freedom = 6 + (int)(next(in) % 16);
    const hid_t group = H5Gcreate2(file, names[kind], H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t vectors = H5Gcreate2(group, "vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_ints(in, group, "spacedim", 1, &d);
    put_reals(in, vectors, "mu", contacts, 0.5);
    if (kind == 0) {
        put_matrix(in, group, "W", n, n);
        put_reals(in, vectors, "q", (hsize_t)n, -1.0);
    } else {
        put_matrix(in, group, "M", freedom, freedom);
        put_matrix(in, group, "H", freedom, n);
        put_reals(in, vectors, "f", (hsize_t)freedom, 1.0);
        put_reals(in, vectors, "w", (hsize_t)n, -1.0);
    }
    put_reals(in, vectors, "mu_r", contacts, 0.1);
    if (next(in) % 2)
        put_reals(in, vectors, "length", contacts, 1.0);
    put_state(in, file, "solution", (hsize_t)n);
    const hid_t guesses = H5Gcreate2(file, "guesses", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    put_state(in, guesses, "1", (hsize_t)n);
    H5Gclose(guesses);
    H5Gclose(vectors);
    H5Gclose(group);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (scratch_made()) {
        setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    }
    input in = {data, data + size};
    const hid_t made = H5Fcreate(scratch, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    require(made >= 0);
    put_file(&in, made);
    H5Fclose(made);
    plu_contact_problem *problem = NULL;
    plu_error err = {0};
    const plu_status status = plu_fclib_read(&problem, scratch, &err);
    judge(problem, status, scratch, &err);
    return 0;
}
