/* The window in the file, and what of a block lies in it:
 *
 *      from            from + size       from + PLU_WINDOW
 *       |####################|...............|
 *                    at |------- block ----------------|
 *                       |--- put into the window ---|--'  the rest goes to the file
 *
 * It ends behind the last byte that was put; bytes between two blocks are 0. */
#include "io/h5/h5_window.h"
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
static bool grow(plu_window *w, size_t size)
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

long long plu_window_put(plu_window *w, haddr_t at, size_t size, const unsigned char *bytes)
{
    if (at < w->from || at - w->from >= PLU_WINDOW)
        return 0;
    const size_t begin = at - w->from, left = PLU_WINDOW - begin, count = size < left ? size : left;
    if (!grow(w, begin + count))
        return -1;
    memcpy(w->bytes + begin, bytes, count);
    return (long long)count;
}

bool plu_window_holds(const plu_window *w, haddr_t at, size_t size)
{
    return at >= w->from && at - w->from <= w->size && size <= w->size - (at - w->from);
}

void plu_window_get(const plu_window *w, haddr_t at, size_t size, unsigned char *buffer)
{
    const haddr_t from = at > w->from ? at : w->from;
    const haddr_t before = from - at, skipped = from - w->from;
    if (before >= size || skipped >= w->size)
        return;
    const size_t wanted = size - before, there = w->size - skipped;
    memcpy(buffer + before, w->bytes + skipped, wanted < there ? wanted : there);
}

void plu_window_move(plu_window *w, haddr_t from)
{
    w->from = from;
    w->size = 0;
}

void plu_window_read(plu_window *w, int file, size_t size)
{
    plu_window_move(w, 0);
    if (size == 0 || size > PLU_WINDOW || !grow(w, size))
        return;
    if (pread(file, w->bytes, size, 0) != (ssize_t)size)
        w->size = 0;
}

void plu_window_free(plu_window *w)
{
    free(w->bytes);
    *w = (plu_window){0};
}
