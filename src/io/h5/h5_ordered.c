/* A file driver for HDF5 (h5_ordered.h has the drawing): new blocks beyond all that readers can
 * reach, changes held back until a flush, then in an order in which each write leaves a consistent
 * file. */
#include "io/h5/h5_ordered.h"
#include "io/h5/h5_buffers.h"
#include "io/h5/system_file.h"
#if __has_include(<H5FDdevelop.h>) /* HDF5 1.14 and newer: what drivers are made of */
#include <H5FDdevelop.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct ordered {
    H5FD_t base; /* HDF5's part */
    int number;  /* descriptor */
    dev_t device;
    ino_t inode;
    haddr_t end;   /* end of the space that HDF5 has allocated */
    haddr_t size;  /* of the file */
    haddr_t known; /* `end` at the last flush: readers reach nothing beyond it */
    haddr_t last;  /* of metadata this block is written last */
    bool cutting;
    bool changed; /* something was written */
    bool broken;  /* a write failed */
    plu_held held;
    plu_held rows; /* changed in place, of which many lie side by side */
    plu_h5_window
        window;   /* from `known` on; of a file that is only read: all of it, if it is small */
    size_t spilt; /* bytes of the window that are in the file, too */
} ordered;

static ordered *of(const H5FD_t *file)
{
    return (ordered *)(uintptr_t)file;
}

/* Pushes the error of a system call (errno) on HDF5's error stack. */
static herr_t failed(const char *what)
{
    const int why = errno;
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_VFL, H5E_SYSERRSTR,
             "%s, errno = %d, error message = '%s'", what, why, strerror(why));
    return -1;
}

/* Writes a block. HDF5 cannot close a file whose writes keep failing, and crashes when the program
 * ends. So only the first failure is reported to it; later writes are dropped. */
static herr_t write_now(ordered *f, haddr_t at, size_t size, const unsigned char *bytes)
{
    if (f->broken)
        return 0;
    if (!plu_write_whole(f->number, bytes, size, (off_t)at)) {
        f->broken = true;
        return failed("unable to write to the file");
    }
    f->size = at + size > f->size ? at + size : f->size;
    return 0;
}

/* Space that is allocated but not written yet reads as zeros. */
static herr_t read_now(const ordered *f, haddr_t at, size_t size, unsigned char *buffer)
{
    return plu_read_whole(f->number, buffer, size, (off_t)at) ? 0
                                                              : failed("unable to read the file");
}

/* Writes the window, to which nothing leads as yet. */
static herr_t spill(ordered *f)
{
    const plu_h5_window *w = &f->window;
    const herr_t result = w->size > f->spilt ? write_now(f, w->from, w->size, w->bytes) : 0;
    f->spilt = w->size;
    return result;
}

/* Writes blocks that lie near each other by one call, with what is between them in the file. What a
 * kill leaves of it is the first pages, as of one call for each: blocks lie within a page. */
static herr_t write_near(ordered *f, const plu_held_block *b, size_t count, size_t bytes)
{
    if (count == 1)
        return write_now(f, b->at, b->size, b->bytes);
    unsigned char *all = malloc(bytes);
    if (!all)
        return -1;
    herr_t result = read_now(f, b->at, bytes, all);
    for (size_t k = 0; k < count; k++)
        memcpy(all + (b[k].at - b->at), b[k].bytes, b[k].size);
    if (result >= 0)
        result = write_now(f, b->at, bytes, all);
    free(all);
    return result;
}

static herr_t write_held(ordered *f, plu_held *held)
{
    herr_t result = 0;
    size_t count, bytes;
    for (size_t i = 0; i < held->count && result >= 0; i += count) {
        count = plu_held_near(held, i, &bytes);
        result = write_near(f, &held->list[i], count, bytes);
    }
    if (result >= 0)
        plu_held_forget(held);
    return result;
}

/* Writes the blocks that were held back, after rows and those to which they may lead. */
static herr_t release(ordered *f)
{
    if (!plu_held_join(&f->rows) || write_held(f, &f->rows) < 0 || spill(f) < 0)
        return -1;
    plu_held_sort(&f->held, f->end >= f->known, f->last);
    return write_held(f, &f->held);
}

/* Writes a block beyond `known`, or rows: all that has room to the window. */
static herr_t write_fresh(ordered *f, haddr_t at, size_t size, const unsigned char *bytes)
{
    const long long kept = at >= f->known ? plu_window_put(&f->window, at, size, bytes) : 0;
    if (kept < 0)
        return -1;
    if (kept > 0)
        f->spilt = 0;
    return write_now(f, at + (haddr_t)kept, size - (size_t)kept, bytes + kept);
}

/* Writes a block into one that is held: 1; 0: into none; < 0: failed. */
static int write_again(ordered *f, const plu_held *held, haddr_t at, size_t size, const void *bytes)
{
    for (size_t i = 0; i < held->count; i++) {
        const plu_held_block *h = &held->list[i];
        if (h->at == at && h->size == size) {
            memcpy(h->bytes, bytes, size);
            return 1;
        }
        if (at < h->at + h->size && h->at < at + size)
            return release(f); /* parts of blocks: HDF5 does not write such */
    }
    return 0;
}

static herr_t write_block(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                          const void *bytes)
{
    enum { MANY = 1 << 16 }; /* bytes: such rows are written at once */
    ordered *f = of(file);
    const bool rows = type == H5FD_MEM_DRAW && !f->cutting;
    (void)transfer;
    if (!plu_block_inside(at, size, f->end))
        return -1;
    f->changed = true;
    int done = write_again(f, &f->held, at, size, bytes);
    if (done == 0)
        done = write_again(f, &f->rows, at, size, bytes);
    if (done != 0)
        return done < 0 ? -1 : 0;
    if (at >= f->known || (rows && size > MANY))
        return write_fresh(f, at, size, bytes);
    return plu_held_add(rows ? &f->rows : &f->held, type, at, size, bytes) ? 0 : -1;
}

/* A write that a kill interrupts ends with a page: blocks that are changed in place, which is all
 * but rows, lie within one. */
static haddr_t allocate(H5FD_t *file, H5FD_mem_t type, hid_t transfer, hsize_t size)
{
    enum { PAGE = 4096 };
    ordered *f = of(file);
    haddr_t at = f->end;
    (void)transfer;
    if (type != H5FD_MEM_DRAW && size <= PAGE && at / PAGE != (at + size - 1) / PAGE)
        at = (at / PAGE + 1) * PAGE;
    f->end = at + size;
    return at;
}

static herr_t read_block(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                         void *buffer)
{
    const ordered *f = of(file);
    (void)type;
    (void)transfer;
    if (!plu_block_inside(at, size, f->end))
        return -1;
    if (!plu_window_holds(&f->window, at, size) && read_now(f, at, size, buffer) < 0)
        return -1;
    plu_window_get(&f->window, at, size, buffer);
    plu_held_get(&f->rows, at, size, buffer);
    plu_held_get(&f->held, at, size, buffer);
    return 0;
}

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    const int how = (flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY) |
                    (flags & H5F_ACC_TRUNC ? O_TRUNC : 0) | (flags & H5F_ACC_CREAT ? O_CREAT : 0) |
                    (flags & H5F_ACC_EXCL ? O_EXCL : 0) | O_CLOEXEC;
    struct stat about;
    (void)access;
    (void)most;
    const int number = open(name, how, 0666);
    if (number < 0 || fstat(number, &about) != 0) {
        failed("unable to open the file");
        if (number >= 0)
            close(number);
        return NULL;
    }
    ordered *f = calloc(1, sizeof *f);
    if (!f) {
        close(number);
        return NULL;
    }
    f->number = number;
    f->device = about.st_dev;
    f->inode = about.st_ino;
    f->size = f->known = f->window.from = (haddr_t)about.st_size;
    f->last = HADDR_UNDEF;
    if (!(flags & H5F_ACC_RDWR))
        plu_window_read(&f->window, number, f->size);
    f->spilt = f->window.size;
    return &f->base;
}

/* Makes the file as long as HDF5 says; only after release where it becomes shorter, and never where
 * HDF5 has not got so far as to know (a file that is locked, or none of its own). */
static herr_t resize(ordered *f)
{
    if (!f->changed || f->broken || f->end == f->size)
        return 0;
    if (ftruncate(f->number, (off_t)f->end) != 0)
        return failed("unable to change the size of the file");
    f->size = f->end;
    return 0;
}

static herr_t flush(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    ordered *f = of(file);
    (void)transfer;
    (void)closing;
    if (release(f) < 0 || resize(f) < 0)
        return -1;
    f->known = f->end;
    f->spilt = 0;
    if (f->changed)
        plu_window_move(&f->window, f->known);
    return 0;
}

static herr_t truncate_file(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    ordered *f = of(file);
    (void)transfer;
    (void)closing;
    return f->end > f->size && (spill(f) < 0 || resize(f) < 0) ? -1 : 0;
}

/* HDF5 may change the end of the file after its last flush. */
static herr_t close_file(H5FD_t *file)
{
    ordered *f = of(file);
    const herr_t result = flush(file, H5P_DEFAULT, true);
    close(f->number);
    plu_held_free(&f->rows);
    plu_held_free(&f->held);
    plu_window_free(&f->window);
    free(f);
    return result;
}

/* Metadata is not put together into larger writes, nor are its places: see h5_ordered.h. */
static herr_t query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

/* HDF5 asks whether two names are one file: by device and inode. */
static int ordered_compare(const H5FD_t *x, const H5FD_t *y)
{
    const ordered *a = of(x), *b = of(y);
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return (a->inode > b->inode) - (a->inode < b->inode);
}

static haddr_t get_end(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return of(file)->end;
}

static herr_t set_end(H5FD_t *file, H5FD_mem_t type, haddr_t at)
{
    (void)type;
    of(file)->end = at;
    return 0;
}

static haddr_t get_size(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    const ordered *f = of(file);
    const haddr_t end = f->window.from + f->window.size;
    return f->window.size > 0 && end > f->size ? end : f->size;
}

/* A property that asks get_handle for the driver's own data. */
static const char driver_itself[] = "pluvia-ordered";

static herr_t get_handle(H5FD_t *file, hid_t access, void **handle)
{
    ordered *f = of(file);
    if (access != H5P_DEFAULT && H5Pexist(access, driver_itself) > 0)
        *handle = f;
    else
        *handle = &f->number;
    return 0;
}

static herr_t lock(H5FD_t *file, hbool_t to_write)
{
    return plu_h5_take_lock(of(file)->number, to_write) ? 0 : failed("unable to lock the file");
}

static herr_t unlock(H5FD_t *file)
{
    return plu_h5_drop_lock(of(file)->number) ? 0 : failed("unable to unlock the file");
}

herr_t plu_h5_use_order(hid_t access)
{
    static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
        .version = H5FD_CLASS_VERSION,
        .value = 256, /* the first that HDF5 leaves to others; seen in this process only */
#endif
        .name = "pluvia-ordered",
        .maxaddr = ((haddr_t)1 << 62) - 1,
        .fc_degree = H5F_CLOSE_WEAK,
        .open = open_file,
        .close = close_file,
        .cmp = ordered_compare,
        .query = query,
        .alloc = allocate,
        .get_eoa = get_end,
        .set_eoa = set_end,
        .get_eof = get_size,
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

static ordered *driver_of(hid_t file)
{
    void *handle = NULL;
    int any = 1;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pinsert2(access, driver_itself, sizeof any, &any, NULL, NULL, NULL, NULL, NULL, NULL);
    const herr_t result = H5Fget_vfd_handle(file, access, &handle);
    H5Pclose(access);
    return result < 0 ? NULL : handle;
}

herr_t plu_h5_order_of_cuts(hid_t file)
{
    ordered *f = driver_of(file);
    if (f)
        f->cutting = true;
    return f ? 0 : -1;
}

herr_t plu_h5_order_last(hid_t file, hid_t object)
{
    H5O_info_t info;
    ordered *f = driver_of(file);
    if (!f || H5Oget_info2(object, &info, H5O_INFO_BASIC) < 0)
        return -1;
    f->last = info.addr;
    return 0;
}
