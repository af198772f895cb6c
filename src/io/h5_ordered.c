#include "io/h5_ordered.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A block that waits for the flush. */
typedef struct held {
    haddr_t at;
    size_t size;
    H5FD_mem_t type;
    int rank; /* smaller ones are written first */
    unsigned char *bytes;
} held;

typedef struct ordered {
    H5FD_t base; /* HDF5's part */
    H5FD_t *under;
    haddr_t known; /* end of the file at the last flush: readers find nothing beyond */
    bool cutting;
    held *list;
    size_t count, capacity;
} ordered;

static ordered *of(const H5FD_t *file)
{
    return (ordered *)(uintptr_t)file;
}

static void forget(ordered *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->list[i].bytes);
    f->count = 0;
}

enum { SUPER_FIRST, ROOT, LEAF = 256, OTHERS, ROWS, SUPER_LAST };

/* A node of a tree begins with "TREE", its type and its level, 0 for a leaf. */
static int rank_of(const held *h, bool grown)
{
    if (h->type == H5FD_MEM_SUPER)
        return grown ? SUPER_FIRST : SUPER_LAST;
    if (h->type == H5FD_MEM_DRAW)
        return ROWS;
    if (h->size > 6 && memcmp(h->bytes, "TREE", 4) == 0)
        return LEAF - h->bytes[5];
    return OTHERS;
}

static int by_rank(const void *x, const void *y)
{
    const held *a = x, *b = y;
    return a->rank != b->rank ? a->rank - b->rank : (a->at > b->at) - (a->at < b->at);
}

/* Writes what was held back. */
static herr_t release(ordered *f, hid_t dxpl)
{
    herr_t result = 0;
    const bool grown = H5FDget_eoa(f->under, H5FD_MEM_SUPER) >= f->known;
    for (size_t i = 0; i < f->count; i++)
        f->list[i].rank = rank_of(&f->list[i], grown);
    if (f->count > 0)
        qsort(f->list, f->count, sizeof *f->list, by_rank);
    for (size_t i = 0; i < f->count && result >= 0; i++) {
        const held *h = &f->list[i];
        result = H5FDwrite(f->under, h->type, dxpl, h->at, h->size, h->bytes);
    }
    if (result >= 0)
        forget(f);
    return result;
}

static herr_t hold(ordered *f, H5FD_mem_t type, haddr_t at, size_t size, const void *bytes)
{
    if (f->count == f->capacity) {
        const size_t capacity = 2 * f->capacity + 64;
        held *list = realloc(f->list, capacity * sizeof *list);
        if (!list)
            return -1;
        f->list = list;
        f->capacity = capacity;
    }
    unsigned char *copy = malloc(size);
    if (!copy)
        return -1;
    memcpy(copy, bytes, size);
    f->list[f->count++] = (held){.at = at, .size = size, .type = type, .bytes = copy};
    return 0;
}

static herr_t write_block(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size,
                          const void *bytes)
{
    ordered *f = of(file);
    for (size_t i = 0; i < f->count; i++) {
        const held *h = &f->list[i];
        if (h->at == at && h->size == size) {
            memcpy(h->bytes, bytes, size);
            return 0;
        }
        if (at < h->at + h->size && h->at < at + size && release(f, dxpl) < 0)
            return -1; /* parts of blocks: HDF5 does not write such */
    }
    if (at >= f->known || (type == H5FD_MEM_DRAW && !f->cutting))
        return H5FDwrite(f->under, type, dxpl, at, size, bytes);
    return hold(f, type, at, size, bytes);
}

/* A write that a kill interrupts ends with a page: blocks that are changed in place, which is all
 * but rows, lie within one. */
static haddr_t allocate(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, hsize_t size)
{
    enum { PAGE = 4096 };
    H5FD_t *under = of(file)->under;
    haddr_t at = H5FDget_eoa(under, type);
    (void)dxpl;
    if (type != H5FD_MEM_DRAW && size <= PAGE && at / PAGE != (at + size - 1) / PAGE)
        at = (at / PAGE + 1) * PAGE;
    return H5FDset_eoa(under, type, at + size) < 0 ? HADDR_UNDEF : at;
}

static herr_t read_block(H5FD_t *file, H5FD_mem_t type, hid_t dxpl, haddr_t at, size_t size,
                         void *buffer)
{
    const ordered *f = of(file);
    if (H5FDread(f->under, type, dxpl, at, size, buffer) < 0)
        return -1;
    for (size_t i = 0; i < f->count; i++) {
        const held *h = &f->list[i];
        const haddr_t from = at > h->at ? at : h->at;
        const haddr_t to = at + size < h->at + h->size ? at + size : h->at + h->size;
        if (from < to)
            memcpy((unsigned char *)buffer + (from - at), h->bytes + (from - h->at), to - from);
    }
    return 0;
}

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)access;
    ordered *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->under = H5FDopen(name, flags, H5P_DEFAULT, most);
    if (!f->under) {
        free(f);
        return NULL;
    }
    f->known = H5FDget_eof(f->under, H5FD_MEM_SUPER);
    return &f->base;
}

static herr_t close_file(H5FD_t *file)
{
    ordered *f = of(file);
    const herr_t released = release(f, H5P_DEFAULT), closed = H5FDclose(f->under);
    forget(f);
    free(f->list);
    free(f);
    return released < 0 ? released : closed;
}

/* Metadata is not put together into larger writes, nor are its places: see h5_ordered.h. */
static herr_t query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static herr_t flush(H5FD_t *file, hid_t dxpl, hbool_t closing)
{
    ordered *f = of(file);
    if (release(f, dxpl) < 0 || H5FDflush(f->under, dxpl, closing) < 0)
        return -1;
    f->known = H5FDget_eoa(f->under, H5FD_MEM_SUPER);
    return 0;
}

/* What lies behind the new end is still pointed to until all is written. */
static herr_t truncate_file(H5FD_t *file, hid_t dxpl, hbool_t closing)
{
    ordered *f = of(file);
    if (H5FDget_eoa(f->under, H5FD_MEM_SUPER) < f->known && release(f, dxpl) < 0)
        return -1;
    return H5FDtruncate(f->under, dxpl, closing);
}

static int compare(const H5FD_t *a, const H5FD_t *b)
{
    return H5FDcmp(of(a)->under, of(b)->under);
}

static haddr_t get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    return H5FDget_eoa(of(file)->under, type);
}

static herr_t set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t at)
{
    return H5FDset_eoa(of(file)->under, type, at);
}

static haddr_t get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    return H5FDget_eof(of(file)->under, type);
}

/* A property that asks get_handle for the driver's own data. */
static const char driver_itself[] = "pluvia-ordered";

static herr_t get_handle(H5FD_t *file, hid_t access, void **handle)
{
    if (access != H5P_DEFAULT && H5Pexist(access, driver_itself) > 0) {
        *handle = of(file);
        return 0;
    }
    return H5FDget_vfd_handle(of(file)->under, access, handle);
}

static herr_t lock(H5FD_t *file, hbool_t to_write)
{
    return H5FDlock(of(file)->under, to_write);
}

static herr_t unlock(H5FD_t *file)
{
    return H5FDunlock(of(file)->under);
}

herr_t plu_h5_use_order(hid_t access)
{
    static const H5FD_class_t driver = {.name = "pluvia-ordered",
                                        .maxaddr = ((haddr_t)1 << 62) - 1,
                                        .fc_degree = H5F_CLOSE_WEAK,
                                        .open = open_file,
                                        .close = close_file,
                                        .cmp = compare,
                                        .query = query,
                                        .alloc = allocate,
                                        .get_eoa = get_eoa,
                                        .set_eoa = set_eoa,
                                        .get_eof = get_eof,
                                        .get_handle = get_handle,
                                        .read = read_block,
                                        .write = write_block,
                                        .flush = flush,
                                        .truncate = truncate_file,
                                        .lock = lock,
                                        .unlock = unlock,
                                        .fl_map = H5FD_FLMAP_DICHOTOMY};
    const hid_t id = H5FDregister(&driver);
    if (id < 0)
        return -1;
    /* Not unregistered: closing a file, HDF5 lets go of the driver before it calls it for the last
     * time. HDF5 frees it at the end of the process. */
    return H5Pset_driver(access, id, NULL);
}

herr_t plu_h5_order_of_cuts(hid_t file)
{
    void *handle = NULL;
    int any = 1;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pinsert2(access, driver_itself, sizeof any, &any, NULL, NULL, NULL, NULL, NULL, NULL);
    const herr_t result = H5Fget_vfd_handle(file, access, &handle);
    if (result >= 0)
        ((ordered *)handle)->cutting = true;
    H5Pclose(access);
    return result;
}
