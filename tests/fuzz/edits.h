/* edits.h: changes to a right HDF5 file, as the input says: objects that are missing, of another
 * kind, shape or type, swapped, and odd numbers in them. No edits leave the file right. Flipped
 * bytes of the file itself would mostly test the HDF5 library. */
#ifndef FUZZ_EDITS_H
#define FUZZ_EDITS_H

#include "input.h"
#include "scratch_file.h"
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1"; /* numbers may ask for more memory than there is */
}

enum { OBJECTS = 256, EDITS = 6 };

typedef struct original {
    unsigned char *bytes;
    size_t size;
    char path[OBJECTS][128]; /* of every link in it */
    unsigned paths;
} original;

static inline herr_t note_path(hid_t file, const char *name, const H5L_info_t *info, void *user)
{
    original *o = user;
    (void)file, (void)info;
    if (o->paths < OBJECTS && strlen(name) < sizeof o->path[0])
        strcpy(o->path[o->paths++], name);
    return 0;
}

/* Keeps the file `path`, which is removed. */
static inline void original_take(original *o, const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    FILE *stream = fopen(path, "rb");
    struct stat about;
    if (file < 0 || !stream || fstat(fileno(stream), &about) != 0)
        abort();
    H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, note_path, o);
    H5Fclose(file);
    o->size = (size_t)about.st_size;
    o->bytes = malloc(o->size);
    if (!o->bytes || fread(o->bytes, 1, o->size, stream) != o->size)
        abort();
    fclose(stream);
    unlink(path);
}

static inline double odd_number(input *in)
{
    static const double odd[] = {0,    1,        -1,   2,     3,    1e-300, 1e300, NAN,
                                 1e10, INFINITY, 0.25, 1e-16, -0.5, 255,    -1e10, 4e9};
    const unsigned choice = next(in);
    return choice < 128 ? odd[choice % 16] : (double)choice - 192;
}

static inline hsize_t odd_size(input *in)
{
    static const hsize_t odd[] = {0, 1, 2,  3,   4,    5,       6,          7,
                                  8, 9, 10, 100, 5000, 1 << 20, 1ULL << 33, 1ULL << 60};
    return odd[next(in) % 16];
}

static inline void edit_value(input *in, hid_t set)
{
    hsize_t size[H5S_MAX_RANK], at[H5S_MAX_RANK];
    const double value = odd_number(in);
    const hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    for (int k = 0; k < rank; k++)
        at[k] = size[k] ? next(in) % size[k] : 0;
    if (rank > 0)
        H5Sselect_elements(space, H5S_SELECT_SET, 1, at);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value);
    H5Sclose(one);
    H5Sclose(space);
}

static inline void edit_extent(input *in, hid_t set)
{
    hsize_t size[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(set);
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    const unsigned which = rank > 0 ? next(in) % (unsigned)rank : 0;
    if (rank > 0 && size[which] < 10000) { /* to cut a huge one back takes HDF5 minutes */
        size[which] = odd_size(in);
        H5Dset_extent(set, size);
    }
    H5Sclose(space);
}

static inline hid_t odd_type(input *in)
{
    const unsigned choice = next(in) % 8;
    if (choice < 5)
        return H5Tcopy(choice == 0   ? H5T_IEEE_F64LE
                       : choice == 1 ? H5T_STD_I32LE
                       : choice == 2 ? H5T_STD_U8LE
                       : choice == 3 ? H5T_STD_I64LE
                                     : H5T_IEEE_F32BE);
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, choice == 5 ? H5T_VARIABLE : choice == 6 ? 1 : 2000);
    return text;
}

static inline void new_set(input *in, hid_t file, const char *path)
{
    hsize_t size[3];
    const int rank = (int)(next(in) % 4);
    const hid_t type = odd_type(in);
    for (int k = 0; k < rank; k++)
        size[k] = odd_size(in) % (rank > 1 ? 50 : 5000);
    const hid_t space = rank ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

static inline void edit_attribute(input *in, hid_t object)
{
    char name[64] = "";
    double value[256] = {odd_number(in)}; /* as text: some bytes and zeros */
    const hsize_t count = 2;
    H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, next(in) % 12, name, sizeof name,
                       H5P_DEFAULT);
    H5Adelete(object, name);
    const unsigned how = next(in) % 4;
    if (how == 0)
        return;
    const hid_t type = odd_type(in);
    const hid_t space = how == 1 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t id = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0 && H5Tget_size(type) * 2 <= sizeof value && H5Tis_variable_str(type) <= 0)
        H5Awrite(id, type, value);
    if (id >= 0)
        H5Aclose(id);
    H5Sclose(space);
    H5Tclose(type);
}

static inline void edit(input *in, hid_t file, const original *o)
{
    const char *path = o->path[next(in) % o->paths];
    const unsigned how = next(in) % 8;
    if (how < 3) {
        const hid_t object = H5Oopen(file, path, H5P_DEFAULT);
        if (object < 0)
            return;
        if (how == 2)
            edit_attribute(in, object);
        else if (H5Iget_type(object) == H5I_DATASET)
            (how == 0 ? edit_value : edit_extent)(in, object);
        H5Oclose(object);
        return;
    }
    H5Ldelete(file, path, H5P_DEFAULT);
    if (how == 4) {
        H5Lcreate_hard(file, o->path[next(in) % o->paths], file, path, H5P_DEFAULT, H5P_DEFAULT);
    } else if (how == 5) {
        const hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0)
            H5Gclose(group);
    } else if (how > 5) {
        new_set(in, file, path);
    }
}

/* The original with up to EDITS changes, as the scratch file. */
static inline void edited(input *in, const original *o)
{
    scratch_fill(o->bytes, o->size);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    const hid_t file = H5Fopen(scratch, H5F_ACC_RDWR, access);
    if (file < 0)
        abort();
    for (int k = 0; k < EDITS && in->at < in->end; k++)
        edit(in, file, o);
    H5Fclose(file);
    H5Pclose(access);
}

#endif
