/* The HDF5 calls that a reader needs, of a file that may be anything. A shape is compared with
 * what is expected before anything is allocated, and with how much data the file can hold; data
 * must lie within the file. What does not fit together in a file that a run is writing is not
 * called damage.
 *
 *   plu_h5_open        signature, lock, which driver; a message for a folder, a pipe, another
 * format plu_h5_find        a group or a dataset, reached by hard links only plu_h5_shape rank and
 * size, of a class of numbers plu_h5_read_part   a block of rows, converted to the type in memory
 *
 * As for writers (h5.c) each call does nothing after the first failure. */
#include "io/h5/h5_read.h"
#include "base/memory.h"
#include "io/h5/h5_buffers.h"
#include "io/h5/h5_ordered.h"
#include "io/h5/system_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void plu_h5_damaged(plu_h5 *h5, const char *format, ...)
{
    if (h5->status != PLU_OK)
        return;
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (plu_h5_is_written(h5->path)) {
        h5->status = plu_fail(h5->err, PLU_IO,
                              "%s: a run is writing it, and what was read does not fit together "
                              "(%s); try again",
                              h5->path, what);
        return;
    }
    h5->status = plu_fail(h5->err, PLU_BAD_INPUT, "%s: %s", h5->path, what);
}

/* Reports the cases for which HDF5 has no clear message: no file, a folder, a pipe, another format.
 * Returns the size of the file. */
static long long look_at_file(plu_h5 *h5, long long start_at)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char start[8] = {0};
    struct stat found = {0};
    const int file = open(h5->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &found) != 0) {
        h5->status = plu_fail(h5->err, PLU_IO, "cannot open %s: %s", h5->path, strerror(errno));
    } else if (!S_ISREG(found.st_mode)) {
        plu_h5_damaged(h5, "%s, not a trajectory",
                       S_ISDIR(found.st_mode) ? "a folder" : "not a regular file");
    } else if (pread(file, start, sizeof start, (off_t)start_at) != (ssize_t)sizeof start ||
               memcmp(start, signature, sizeof start) != 0) {
        plu_h5_damaged(h5, "not an HDF5 file, so not a trajectory (.h5md)");
    }
    if (file >= 0)
        close(file);
    return (long long)found.st_size;
}

/* Whether the file is open in this process by another user of HDF5, such as h5py, in its own way,
 * in which the library must open it, too: unless it is read by another driver. */
static bool is_open_otherwise(void)
{
    char reason[512];
    (void)plu_h5_reason(reason, sizeof reason);
    return strstr(reason, "close degree") != NULL;
}

static hid_t open_file(plu_h5 *h5, unsigned how, long long start_at, long long *bytes)
{
    static const char advice[] =
        "; wait until it ends, or set HDF5_USE_FILE_LOCKING=FALSE to read the file now";
    const long long size = look_at_file(h5, start_at);
    if (h5->status != PLU_OK)
        return -1;
    if (bytes)
        *bytes = size;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V110);
    if (how == H5F_ACC_RDWR || size <= PLU_WINDOW) /* the driver reads as much at once */
        plu_h5_check(h5, plu_h5_use_order(access), "choose a file driver");
    hid_t file = H5Fopen(h5->path, how, access);
    if (file < 0 && is_open_otherwise() &&
        plu_h5_check(h5, plu_h5_use_order(access), "choose a file driver"))
        file = H5Fopen(h5->path, how, access);
    if (file < 0) {
        char reason[512];
        const bool held = plu_h5_held();
        if (plu_h5_reason(reason, sizeof reason))
            h5->status = plu_fail(h5->err, PLU_IO, "cannot open %s: %s%s", h5->path, reason,
                                  held && how == H5F_ACC_RDONLY ? advice : "");
        else if (strstr(reason, "truncated file"))
            plu_h5_damaged(h5, "cut off: its end is missing (an unfinished copy?)");
        else
            plu_h5_damaged(h5, "damaged: %s", reason);
    }
    H5Pclose(access);
    return file;
}

hid_t plu_h5_open(plu_h5 *h5, long long *bytes)
{
    return open_file(h5, H5F_ACC_RDONLY, 0, bytes);
}

hid_t plu_h5_open_to_write(plu_h5 *h5, long long *bytes)
{
    return open_file(h5, H5F_ACC_RDWR, 0, bytes);
}

hid_t plu_h5_open_sealed(plu_h5 *h5, long long seal, long long *bytes)
{
    return open_file(h5, H5F_ACC_RDONLY, seal, bytes);
}

hid_t plu_h5_find(plu_h5 *h5, hid_t parent, const char *name, H5I_type_t kind)
{
    if (h5->status != PLU_OK)
        return -1;
    const bool inside = h5->whole || plu_h5_inside(parent, name);
    const hid_t object = inside ? H5Oopen(parent, name, H5P_DEFAULT) : -1;
    if (object < 0 || H5Iget_type(object) != kind ||
        (kind == H5I_DATASET && !h5->whole && !plu_h5_data_inside(object))) {
        plu_h5_damaged(h5, "not a pluvia trajectory, or damaged: it has no readable %s %s",
                       kind == H5I_GROUP ? "group" : "dataset", name);
        return -1;
    }
    return object;
}

bool plu_h5_has(hid_t parent, const char *name)
{
    return H5Lexists(parent, name, H5P_DEFAULT) > 0;
}

static bool is_scalar(hid_t space)
{
    return H5Sget_simple_extent_npoints(space) == 1;
}

/* The texts of pluvia, as of H5MD, have a fixed length. */
static bool is_text(hid_t type)
{
    return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
}

void plu_h5_read_text(plu_h5 *h5, hid_t object, const char *name, char *text, size_t size)
{
    text[0] = '\0';
    if (h5->status != PLU_OK)
        return;
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    if (id < 0) {
        plu_h5_damaged(h5, "not a pluvia trajectory, or damaged: the attribute %s is missing",
                       name);
        return;
    }
    const hid_t type = H5Aget_type(id), space = H5Aget_space(id), wanted = H5Tcopy(H5T_C_S1);
    H5Tset_size(wanted, size); /* the conversion cuts and terminates */
    H5Tset_strpad(wanted, H5T_STR_NULLTERM);
    H5Tset_cset(wanted, H5Tget_cset(type));
    if (!is_text(type) || !is_scalar(space) || H5Aread(id, wanted, text) < 0) {
        text[0] = '\0';
        plu_h5_damaged(h5, "damaged: the attribute %s is not a text", name);
    }
    H5Tclose(wanted);
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(id);
}

void plu_h5_read_number(plu_h5 *h5, hid_t object, const char *name, hid_t type, void *value)
{
    if (h5->status != PLU_OK)
        return;
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    if (id < 0) {
        plu_h5_damaged(h5, "not a pluvia trajectory, or damaged: the attribute %s is missing",
                       name);
        return;
    }
    const hid_t space = H5Aget_space(id);
    if (!is_scalar(space) || H5Aread(id, type, value) < 0)
        plu_h5_damaged(h5, "damaged: the attribute %s is not a number", name);
    H5Sclose(space);
    H5Aclose(id);
}

/* `type`: in memory, of each of `count` entries of a class of numbers or of texts. */
static void read_list(plu_h5 *h5, hid_t object, const char *name, hid_t type, int count,
                      void *values)
{
    if (h5->status != PLU_OK)
        return;
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    if (id < 0) {
        plu_h5_damaged(h5, "no pluvia trajectory, or damaged: no attribute %s", name);
        return;
    }
    const hid_t space = H5Aget_space(id), stored = H5Aget_type(id);
    const bool texts = H5Tget_class(type) == H5T_STRING;
    if (H5Sget_simple_extent_npoints(space) != count || texts != is_text(stored) ||
        H5Aread(id, type, values) < 0)
        plu_h5_damaged(h5, "damaged: the attribute %s does not have %d %s", name, count,
                       texts ? "words" : "numbers");
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(id);
}

void plu_h5_read_numbers(plu_h5 *h5, hid_t object, const char *name, int count, double *values)
{
    read_list(h5, object, name, H5T_NATIVE_DOUBLE, count, values);
}

void plu_h5_read_words(plu_h5 *h5, hid_t object, const char *name, int count, char (*words)[16])
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, sizeof *words);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    read_list(h5, object, name, type, count, words);
    H5Tclose(type);
}

char *plu_h5_read_whole_text(plu_h5 *h5, hid_t parent, const char *name, long long most)
{
    const hid_t id = plu_h5_find(h5, parent, name, H5I_DATASET);
    if (id < 0)
        return NULL;
    const hid_t type = H5Dget_type(id), space = H5Dget_space(id);
    const size_t length = H5Tget_size(type);
    char *text = NULL;
    if (!is_text(type) || !is_scalar(space) || length > (unsigned long long)most) {
        plu_h5_damaged(h5, "damaged: the dataset %s is not a text", name);
    } else if (!(text = plu_alloc(length + 1, 1, h5->err))) {
        h5->status = PLU_IO;
    } else if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        plu_h5_damaged(h5, "damaged: the dataset %s cannot be read", name);
        free(text);
        text = NULL;
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(id);
    return text;
}

void plu_h5_shape(plu_h5 *h5, hid_t dataset, const char *name, int rank, hsize_t *size)
{
    if (h5->status != PLU_OK)
        return;
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const H5T_class_t class = H5Tget_class(type);
    if (H5Sget_simple_extent_ndims(space) != rank || (class != H5T_INTEGER && class != H5T_FLOAT) ||
        H5Sget_simple_extent_dims(space, size, NULL) != rank)
        plu_h5_damaged(h5, "damaged: %s is not an array of numbers of dimension %d", name, rank);
    H5Tclose(type);
    H5Sclose(space);
}

void plu_h5_read_part(plu_h5 *h5, hid_t dataset, const char *name, hid_t type, int rank,
                      const hsize_t *start, const hsize_t *count, void *out)
{
    if (h5->status != PLU_OK)
        return;
    const hid_t in_file = H5Dget_space(dataset), in_memory = H5Screate_simple(rank, count, NULL);
    if (H5Sselect_hyperslab(in_file, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
        H5Dread(dataset, type, in_memory, in_file, H5P_DEFAULT, out) < 0)
        plu_h5_damaged(h5, "damaged: %s cannot be read", name);
    H5Sclose(in_memory);
    H5Sclose(in_file);
}
