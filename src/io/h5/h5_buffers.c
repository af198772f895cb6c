/* The window in the file, and what of a block lies in it:
 *
 *      from            from + size       from + PLU_WINDOW
 *       |####################|...............|
 *                    at |------- block ----------------|
 *                       |--- put into the window ---|--'  the rest goes to the file
 *
 * It ends behind the last byte that was put; bytes between two blocks are 0. */
#include "io/h5/h5_buffers.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool plu_block_inside(haddr_t at, size_t size, haddr_t end)
{
    if (at <= end && size <= end - at)
        return true;
    H5Epush2(H5E_DEFAULT, __FILE__, __func__, __LINE__, H5E_ERR_CLS, H5E_ARGS, H5E_OVERFLOW,
             "an address beyond the end of the file");
    return false;
}

/* Makes the window at least `size` bytes long. */
static bool grow(plu_h5_window *w, size_t size)
{
    if (size > w->room) {
        size_t room = w->room ? w->room : 1 << 14;
        while (room < size)
            room *= 2;
        unsigned char *bytes = realloc(w->bytes, room);
        if (!bytes)
            return false;
        w->bytes = bytes;
        w->room = room;
    }
    if (size > w->size) {
        memset(w->bytes + w->size, 0, size - w->size);
        w->size = size;
    }
    return true;
}

long long plu_window_put(plu_h5_window *w, haddr_t at, size_t size, const unsigned char *bytes)
{
    if (at < w->from || at - w->from >= PLU_WINDOW)
        return 0;
    const size_t begin = at - w->from, left = PLU_WINDOW - begin, count = size < left ? size : left;
    if (!grow(w, begin + count))
        return -1;
    memcpy(w->bytes + begin, bytes, count);
    return (long long)count;
}

bool plu_window_holds(const plu_h5_window *w, haddr_t at, size_t size)
{
    return at >= w->from && at - w->from <= w->size && size <= w->size - (at - w->from);
}

void plu_window_get(const plu_h5_window *w, haddr_t at, size_t size, unsigned char *buffer)
{
    const haddr_t from = at > w->from ? at : w->from;
    const haddr_t before = from - at, skipped = from - w->from;
    if (before >= size || skipped >= w->size)
        return;
    const size_t wanted = size - before, there = w->size - skipped;
    memcpy(buffer + before, w->bytes + skipped, wanted < there ? wanted : there);
}

void plu_window_move(plu_h5_window *w, haddr_t from)
{
    w->from = from;
    w->size = 0;
}

void plu_window_read(plu_h5_window *w, int file, size_t size)
{
    plu_window_move(w, 0);
    if (size == 0 || size > PLU_WINDOW || !grow(w, size))
        return;
    if (pread(file, w->bytes, size, 0) != (ssize_t)size)
        w->size = 0;
}

void plu_window_free(plu_h5_window *w)
{
    free(w->bytes);
    *w = (plu_h5_window){0};
}

bool plu_held_add(plu_held *h, H5FD_mem_t type, haddr_t at, size_t size, const void *bytes)
{
    if (h->count == h->capacity) {
        const size_t capacity = 2 * h->capacity + 64;
        plu_held_block *list = realloc(h->list, capacity * sizeof *list);
        if (!list)
            return false;
        h->list = list;
        h->capacity = capacity;
    }
    unsigned char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, bytes, size);
    h->list[h->count++] = (plu_held_block){.at = at, .size = size, .type = type, .bytes = copy};
    return true;
}

enum { SUPER_FIRST, ROOT, LEAF = 256, OTHERS, LAST, ROWS, SUPER_LAST };

/* A node of a tree begins with "TREE", its type and its level, 0 for a leaf. */
static int rank_of(const plu_held_block *b, bool grown, haddr_t last)
{
    if (b->type == H5FD_MEM_SUPER)
        return grown ? SUPER_FIRST : SUPER_LAST;
    if (b->type == H5FD_MEM_DRAW)
        return ROWS;
    if (b->size > 6 && memcmp(b->bytes, "TREE", 4) == 0)
        return LEAF - b->bytes[5];
    return b->at == last ? LAST : OTHERS;
}

static int by_rank(const void *x, const void *y)
{
    const plu_held_block *a = x, *b = y;
    return a->rank != b->rank ? a->rank - b->rank : (a->at > b->at) - (a->at < b->at);
}

void plu_held_sort(plu_held *h, bool grown, haddr_t last)
{
    for (size_t i = 0; i < h->count; i++)
        h->list[i].rank = rank_of(&h->list[i], grown, last);
    if (h->count > 0)
        qsort(h->list, h->count, sizeof *h->list, by_rank);
}

size_t plu_held_near(const plu_held *h, size_t first, size_t *bytes)
{
    enum { PAGE = 4096 };
    const plu_held_block *b = &h->list[first];
    const haddr_t from = b->at;
    haddr_t end = from + b->size;
    size_t count = 1;
    for (; first + count < h->count; count++) {
        const plu_held_block *next = &b[count];
        if (next->rank != b->rank || next->at < end || next->at - end >= PAGE)
            break;
        end = next->at + next->size;
    }
    *bytes = end - from;
    return count;
}

static int by_place(const void *x, const void *y)
{
    const plu_held_block *a = x, *b = y;
    return (a->at > b->at) - (a->at < b->at);
}

/* The number of blocks from number `first` on without a gap, and their bytes. */
static size_t run_of(const plu_held *h, size_t first, size_t *bytes)
{
    size_t count = 1;
    *bytes = h->list[first].size;
    while (first + count < h->count && h->list[first + count].at == h->list[first].at + *bytes)
        *bytes += h->list[first + count++].size;
    return count;
}

bool plu_held_join(plu_held *h)
{
    size_t joined = 0, count;
    if (h->count > 1)
        qsort(h->list, h->count, sizeof *h->list, by_place);
    for (size_t i = 0; i < h->count; i += count) {
        size_t bytes;
        plu_held_block *first = &h->list[i];
        count = run_of(h, i, &bytes);
        unsigned char *all = count > 1 ? realloc(first->bytes, bytes) : first->bytes;
        if (!all)
            return false;
        first->bytes = all;
        for (size_t k = 1; k < count; k++) {
            memcpy(all + (first[k].at - first->at), first[k].bytes, first[k].size);
            free(first[k].bytes);
            first[k].bytes = NULL;
        }
        first->size = bytes;
        h->list[joined++] = *first;
    }
    h->count = joined;
    return true;
}

void plu_held_get(const plu_held *h, haddr_t at, size_t size, unsigned char *buffer)
{
    for (size_t i = 0; i < h->count; i++) {
        const plu_held_block *b = &h->list[i];
        const haddr_t from = at > b->at ? at : b->at;
        const haddr_t to = at + size < b->at + b->size ? at + size : b->at + b->size;
        if (from < to)
            memcpy(buffer + (from - at), b->bytes + (from - b->at), to - from);
    }
}

void plu_held_forget(plu_held *h)
{
    for (size_t i = 0; i < h->count; i++)
        free(h->list[i].bytes);
    h->count = 0;
}

void plu_held_free(plu_held *h)
{
    plu_held_forget(h);
    free(h->list);
}
