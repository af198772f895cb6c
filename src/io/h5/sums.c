/* Checksums of a trajectory (sums.h). The sum of a dataset begins with its path and goes over its
 * rows as they are stored; that of the header is the sum (modulo 2^64) of the hashes of all
 * objects, so that the order in which HDF5 visits them does not matter:
 *
 *     object     hash(path, type, shape, values of what is written once); attributes alike
 *     growing    type, shape without the rows, which frames sum up themselves
 *
 * What is left out changes after the header was summed: the attribute "state" of a run, and the
 * sum itself. A hash of the path is part of each object's, so that two datasets that are exchanged
 * for each other are found, which a sum of contents alone would not show. */
#include "io/h5/sums.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

uint64_t plu_sum_start(hid_t dataset)
{
    char path[256] = "";
    const ssize_t length = H5Iget_name(dataset, path, sizeof path);
    return plu_hash(PLU_HASH_START, path, length > 0 ? strlen(path) : 0);
}

/* Sums are of stored bytes: a reader that gets floats as doubles must sum the floats. */
const void *plu_sum_stored(hid_t in_file, hid_t in_memory, size_t count, const void *numbers,
                           void **copy)
{
    const size_t from = H5Tget_size(in_memory), to = H5Tget_size(in_file);
    *copy = NULL;
    if (H5Tequal(in_file, in_memory) > 0)
        return numbers;
    *copy = malloc(count * (from > to ? from : to) + 1);
    if (!*copy)
        return NULL;
    memcpy(*copy, numbers, count * from);
    return H5Tconvert(in_memory, in_file, count, *copy, NULL, H5P_DEFAULT) < 0 ? NULL : *copy;
}

bool plu_sum_add(uint64_t *sum, hid_t in_file, hid_t in_memory, size_t count, const void *numbers)
{
    void *copy;
    const void *stored = plu_sum_stored(in_file, in_memory, count, numbers, &copy);
    if (stored)
        *sum = plu_hash(*sum, stored, count * H5Tget_size(in_file));
    free(copy);
    return stored != NULL;
}

/* What is added of a growing dataset without attributes. Many links lead to those of steps and
 * times; to open one of them takes longer than all else that is done for a link. */
typedef struct shape {
    haddr_t address;
    uint64_t type[2]; /* class and size */
    int rank, filters;
    hsize_t size[H5S_MAX_RANK], most[H5S_MAX_RANK];
} shape;

enum { KNOWN = 4 };

/* The checksum of a visit of all links. The sums of single objects are added, so that their order
 * does not matter. */
typedef struct visitor {
    uint64_t sum;
    long datasets;
    bool failed;
    uint64_t object; /* sum of the object whose attributes are visited */
    shape known[KNOWN];
    int known_count;
} visitor;

/* Class and size say what a type is; names and bit layouts differ between versions of HDF5. */
static uint64_t add_type(uint64_t sum, hid_t type)
{
    const uint64_t facts[2] = {(uint64_t)H5Tget_class(type), H5Tget_size(type)};
    return plu_hash(sum, facts, sizeof facts);
}

static uint64_t add_shape(uint64_t sum, const shape *s)
{
    sum = plu_hash(sum, s->type, sizeof s->type);
    sum = plu_hash(sum, &s->rank, sizeof s->rank);
    sum = plu_hash(sum, &s->filters, sizeof s->filters);
    for (int k = 0; k < s->rank; k++) {
        sum = plu_hash(sum, &s->most[k], sizeof s->most[k]);
        if (k > 0)
            sum = plu_hash(sum, &s->size[k], sizeof s->size[k]);
    }
    return sum;
}

/* Reads all numbers of an attribute or a dataset of fixed size, and adds them. */
static bool add_content(uint64_t *sum, hid_t id, bool attribute, hid_t type, hid_t space)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t size = H5Tget_size(type);
    static const hssize_t most = 1 << 28;
    if (count < 0 || H5Tis_variable_str(type) > 0 || size == 0 || count > most / (hssize_t)size)
        return false;
    void *bytes = calloc((size_t)count + 1, size);
    const bool ok =
        bytes && (attribute ? H5Aread(id, type, bytes)
                            : H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes)) >= 0;
    if (ok)
        *sum = plu_hash(*sum, bytes, (size_t)count * size);
    free(bytes);
    return ok;
}

static herr_t add_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
    visitor *v = user;
    (void)info;
    if (strcmp(name, "state") == 0 || strcmp(name, "header_sum") == 0)
        return 0;
    const hid_t id = H5Aopen(object, name, H5P_DEFAULT);
    const hid_t type = H5Aget_type(id), space = H5Aget_space(id);
    uint64_t sum = add_type(plu_hash(v->object, name, strlen(name)), type);
    v->failed |= id < 0 || !add_content(&sum, id, true, type, space);
    v->sum += sum;
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(id);
    return 0;
}

/* Whether the dataset has an unlimited dimension but is written only once. */
static bool never_grows(const char *name)
{
    static const char *const names[] = {"species", "radius", "mass", "inertia", "fixed"};
    static const char folder[] = "particles/trajectory/";
    bool found = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        found |= strncmp(name, folder, strlen(folder)) == 0 &&
                 strcmp(name + strlen(folder), names[k]) == 0;
    return found;
}

/* Adds a dataset. The rows of a growing dataset are summed by frame; here only its shape, without
 * the number of rows, is added. */
static void add_dataset(visitor *v, hid_t id, const char *name, const H5O_info_t *info)
{
    const hid_t type = H5Dget_type(id), space = H5Dget_space(id), how = H5Dget_create_plist(id);
    shape s = {.address = info->addr, .type = {(uint64_t)H5Tget_class(type), H5Tget_size(type)}};
    s.rank = H5Sget_simple_extent_dims(space, s.size, s.most);
    s.filters = H5Pget_nfilters(how);
    uint64_t sum = add_shape(v->object, &s);
    if (!plu_h5_keeps_inside(how))
        v->failed = true; /* its data lie in another file */
    else if (s.rank <= 0 || s.most[0] != H5S_UNLIMITED || never_grows(name))
        v->failed |= !add_content(&sum, id, false, type, space);
    else if (info->num_attrs == 0 && v->known_count < KNOWN && info->rc > 1)
        v->known[v->known_count++] = s;
    v->sum += sum;
    v->datasets++;
    H5Pclose(how);
    H5Sclose(space);
    H5Tclose(type);
}

static void add_object(visitor *v, const char *name, H5O_type_t type, haddr_t address)
{
    const uint64_t facts[2] = {(uint64_t)type, address};
    v->object = plu_hash(plu_hash(PLU_HASH_START, name, strlen(name)), facts, sizeof facts);
    v->sum += v->object;
}

/* Adds a link to a dataset that another link has shown already. */
static bool add_known(visitor *v, const char *name, haddr_t address)
{
    for (int k = 0; k < v->known_count; k++)
        if (v->known[k].address == address && !never_grows(name)) {
            add_object(v, name, H5O_TYPE_DATASET, address);
            v->sum += add_shape(v->object, &v->known[k]);
            v->datasets++;
            return true;
        }
    return false;
}

static herr_t add_link(hid_t file, const char *name, const H5L_info_t *link, void *user)
{
    visitor *v = user;
    H5O_info_t info;
    if (link->type == H5L_TYPE_HARD && add_known(v, name, link->u.address))
        return 0;
    const hid_t id = link->type == H5L_TYPE_HARD ? H5Oopen(file, name, H5P_DEFAULT) : -1;
    if (id < 0 || H5Oget_info2(id, &info, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS) < 0) {
        v->failed = true;
        return -1;
    }
    add_object(v, name, info.type, info.addr);
    if (info.type == H5O_TYPE_DATASET)
        add_dataset(v, id, name, &info);
    if (info.num_attrs > 0)
        v->failed |= H5Aiterate2(id, H5_INDEX_NAME, H5_ITER_NATIVE, NULL, add_attribute, v) < 0;
    H5Oclose(id);
    return v->failed ? -1 : 0;
}

bool plu_sum_header(hid_t file, uint64_t *sum, long *datasets)
{
    visitor v = {.sum = PLU_HASH_START};
    const bool visited = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, add_link, &v) >= 0;
    *sum = v.sum;
    *datasets = v.datasets;
    return visited && !v.failed;
}
