/* The HDF5 calls that a writer needs (h5.h). Paths are followed by hard links alone
 * (`plu_h5_leads`): soft and external links of a foreign file could lead out of it, and so could
 * datasets with external or virtual storage. After the first failure the later calls do nothing,
 * and the message names it.
 *
 *   plu_h5 h5 = {.path = path, .on_bad = PLU_IO, .err = err};
 *   const hid_t group = plu_h5_group(&h5, file, "parameters");     a sequence without tests
 *   plu_h5_attr_int(&h5, group, "schema", 0, &schema);             in between: each call looks
 *   return h5.status;                                              at h5.status first
 *
 * With `existing` set the same sequence opens what it would otherwise create, and writes no
 * attribute or text: a run that continues goes through the code that has made its file. */
#include "io/h5/h5.h"
#include "base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 256 };

int plu_h5_leads(hid_t parent, const char *path)
{
    char part[PATH];
    const size_t length = strlen(path);
    if (length >= sizeof part)
        return 0;
    for (size_t n = strspn(path, "/"); n < length;) {
        n += strcspn(path + n, "/");
        snprintf(part, sizeof part, "%.*s", (int)n++, path);
        H5L_info_t link;
        const htri_t there = H5Lexists(parent, part, H5P_DEFAULT);
        if (there <= 0)
            return there < 0 ? -1 : 0;
        if (H5Lget_info(parent, part, &link, H5P_DEFAULT) < 0)
            return -1;
        if (link.type != H5L_TYPE_HARD)
            return 0;
    }
    return 1;
}

bool plu_h5_inside(hid_t parent, const char *path)
{
    return plu_h5_leads(parent, path) > 0;
}

/* An external file may be any file of the reader's; a virtual data set is made of those of other
 * files. */
bool plu_h5_keeps_inside(hid_t how)
{
    return H5Pget_external_count(how) == 0 && H5Pget_layout(how) != H5D_VIRTUAL;
}

static bool is_empty(hid_t dataset)
{
    const hid_t space = H5Dget_space(dataset);
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return count == 0;
}

/* Data in one piece end before the file does: what a damaged address puts beyond its end HDF5 reads
 * as zeros, as what was never written, whose address is the largest number. The size of the file
 * takes in the base of its addresses. */
static bool ends_inside(hid_t dataset)
{
    hsize_t file_size = 0;
    const haddr_t at = H5Dget_offset(dataset);
    if (at == HADDR_UNDEF)
        return is_empty(dataset);
    const hid_t file = H5Iget_file_id(dataset);
    const bool known = H5Fget_filesize(file, &file_size) >= 0;
    H5Fclose(file);
    return known && at <= file_size && H5Dget_storage_size(dataset) <= file_size - at;
}

bool plu_h5_data_inside(hid_t dataset)
{
    const hid_t how = H5Dget_create_plist(dataset);
    const bool inside =
        plu_h5_keeps_inside(how) && (H5Pget_layout(how) != H5D_CONTIGUOUS || ends_inside(dataset));
    H5Pclose(how);
    return inside;
}

/* Whether an existing object that will be changed lies in this file; else sets the failure. */
static bool is_in_file(plu_h5 *h5, hid_t parent, const char *name)
{
    if (plu_h5_inside(parent, name))
        return true;
    h5->status = plu_fail(h5->err, PLU_BAD_INPUT, "%s: damaged: this file does not contain %s",
                          h5->path, name);
    return false;
}

/* Created, or opened where the file exists already (a run that goes on). */
hid_t plu_h5_group(plu_h5 *h5, hid_t parent, const char *name)
{
    if (h5->status != PLU_OK || (h5->existing && !is_in_file(h5, parent, name)))
        return -1;
    const hid_t group = h5->existing
                            ? H5Gopen2(parent, name, H5P_DEFAULT)
                            : H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    plu_h5_check(h5, group, "%s the group %s", h5->existing ? "open" : "create", name);
    return group;
}

void plu_h5_hard_link(plu_h5 *h5, hid_t from, const char *name, hid_t to, const char *link)
{
    if (h5->status != PLU_OK || h5->existing)
        return;
    plu_h5_check(h5, H5Lcreate_hard(from, name, to, link, H5P_DEFAULT, H5P_DEFAULT),
                 "create the link %s", link);
}

/* Texts are marked as ASCII where they are, for readers that know no UTF-8. */
static bool is_ascii(const char *text)
{
    while (*text && (unsigned char)*text < 0x80)
        text++;
    return !*text;
}

/* Fixed length, without terminator; at least 1, because HDF5 has no strings of length 0. */
hid_t plu_h5_text_type(size_t width, bool ascii)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, width ? width : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8);
    return type;
}

static void attr(plu_h5 *h5, hid_t object, const char *name, hid_t in_file, hid_t in_memory,
                 hsize_t count, const void *values)
{
    if (h5->status != PLU_OK || h5->existing)
        return;
    const hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    const hid_t id = H5Acreate2(object, name, in_file, space, H5P_DEFAULT, H5P_DEFAULT);
    if (plu_h5_check(h5, id, "create the attribute %s", name)) {
        plu_h5_check(h5, H5Awrite(id, in_memory, values), "write the attribute %s", name);
        H5Aclose(id);
    }
    H5Sclose(space);
}

void plu_h5_attr_text(plu_h5 *h5, hid_t object, const char *name, const char *text)
{
    const hid_t type = plu_h5_text_type(strlen(text), is_ascii(text));
    attr(h5, object, name, type, type, 0, text);
    H5Tclose(type);
}

void plu_h5_attr_int(plu_h5 *h5, hid_t object, const char *name, hsize_t count, const int *values)
{
    attr(h5, object, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, values);
}

void plu_h5_attr_real(plu_h5 *h5, hid_t object, const char *name, hsize_t count,
                      const double *values)
{
    attr(h5, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, values);
}

void plu_h5_attr_uint64(plu_h5 *h5, hid_t object, const char *name, unsigned long long value)
{
    attr(h5, object, name, H5T_STD_U64LE, H5T_NATIVE_ULLONG, 0, &value);
}

void plu_h5_attr_words(plu_h5 *h5, hid_t object, const char *name, hsize_t count,
                       const char (*words)[8])
{
    const hid_t type = plu_h5_text_type(sizeof *words, true);
    attr(h5, object, name, type, type, count, words);
    H5Tclose(type);
}

enum { FIELD = 64 };

void plu_h5_attr_field(plu_h5 *h5, hid_t object, const char *name, size_t width)
{
    const char empty[FIELD] = "";
    const hid_t type = plu_h5_text_type(width < FIELD ? width : FIELD, true);
    attr(h5, object, name, type, type, 0, empty);
    H5Tclose(type);
}

void plu_h5_attr_field_set(plu_h5 *h5, hid_t object, const char *name, const char *text)
{
    if (h5->status != PLU_OK)
        return;
    char field[FIELD] = "";
    strncpy(field, text, sizeof field - 1);
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    if (!plu_h5_check(h5, id, "open the attribute %s", name))
        return;
    const hid_t type = H5Aget_type(id);
    plu_h5_check(h5, H5Awrite(id, type, field), "write the attribute %s", name);
    H5Tclose(type);
    H5Aclose(id);
}

static void text_dataset(plu_h5 *h5, hid_t parent, const char *name, hid_t type, hid_t space,
                         const void *data)
{
    if (h5->existing)
        return;
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    /* No times of creation: the same run gives the same bytes. */
    H5Pset_obj_track_times(how, false);
    const hid_t id = H5Dcreate2(parent, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (plu_h5_check(h5, id, "create the dataset %s", name)) {
        plu_h5_check(h5, H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data),
                     "write the dataset %s", name);
        H5Dclose(id);
    }
    H5Pclose(how);
}

void plu_h5_text(plu_h5 *h5, hid_t parent, const char *name, const char *text)
{
    if (h5->status != PLU_OK)
        return;
    const hid_t type = plu_h5_text_type(strlen(text), is_ascii(text)),
                space = H5Screate(H5S_SCALAR);
    text_dataset(h5, parent, name, type, space, text);
    H5Sclose(space);
    H5Tclose(type);
}

void plu_h5_texts(plu_h5 *h5, hid_t parent, const char *name, int count, const char *const *texts)
{
    if (h5->status != PLU_OK)
        return;
    size_t width = 1;
    for (int i = 0; i < count; i++)
        width = strlen(texts[i]) > width ? strlen(texts[i]) : width;
    char *rows = plu_alloc((size_t)count, width, h5->err);
    if (!rows) {
        h5->status = PLU_IO;
        return;
    }
    for (int i = 0; i < count; i++)
        memcpy(rows + (size_t)i * width, texts[i], strlen(texts[i]));
    const hsize_t size = (hsize_t)count;
    const hid_t type = plu_h5_text_type(width, false), space = H5Screate_simple(1, &size, NULL);
    text_dataset(h5, parent, name, type, space, rows);
    H5Sclose(space);
    H5Tclose(type);
    free(rows);
}

/* Opens a dataset, which must have this layout except for the number of its rows. */
static hid_t open_dataset(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout)
{
    if (!is_in_file(h5, parent, name))
        return -1;
    const hid_t id = H5Dopen2(parent, name, H5P_DEFAULT);
    if (!plu_h5_check(h5, id, "open the dataset %s", name))
        return -1;
    hsize_t size[H5S_MAX_RANK] = {0};
    const hid_t type = H5Dget_type(id), space = H5Dget_space(id);
    bool same = plu_h5_data_inside(id) && H5Tequal(type, layout->type) > 0 &&
                H5Sget_simple_extent_dims(space, size, NULL) == layout->rank;
    for (int k = 1; k < layout->rank; k++)
        same = same && size[k] == layout->size[k];
    H5Sclose(space);
    H5Tclose(type);
    if (!same)
        h5->status = plu_fail(h5->err, PLU_BAD_INPUT,
                              "%s: the dataset %s does not have the format that this run writes",
                              h5->path, name);
    return id;
}

/* The first `growing` dimensions have no limit. Fletcher32 goes with compression only (sums.h). */
hid_t plu_h5_dataset(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout)
{
    if (h5->status != PLU_OK)
        return -1;
    if (h5->existing)
        return open_dataset(h5, parent, name, layout);
    hsize_t most[3];
    for (int k = 0; k < layout->rank; k++)
        most[k] = k < layout->growing ? H5S_UNLIMITED : layout->size[k];
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(how, layout->rank, layout->chunk);
    H5Pset_obj_track_times(how, false);
    if (layout->fill)
        H5Pset_fill_value(how, layout->type, layout->fill);
    if (layout->packed && layout->gzip > 0) {
        H5Pset_shuffle(how);
        H5Pset_deflate(how, (unsigned)layout->gzip);
    }
    if (layout->packed)
        H5Pset_fletcher32(how);
    const hid_t space = H5Screate_simple(layout->rank, layout->size, most);
    const hid_t id = H5Dcreate2(parent, name, layout->type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    plu_h5_check(h5, id, "create the dataset %s", name);
    H5Sclose(space);
    H5Pclose(how);
    return id;
}
