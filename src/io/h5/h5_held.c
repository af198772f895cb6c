#include "io/h5/h5_held.h"
#include <stdlib.h>
#include <string.h>

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
