#include "io/h5/whole.h"
#include <errno.h>
#include <string.h>
#include <unistd.h>

bool plu_write_whole(int file, const void *bytes, size_t size, off_t at)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const ssize_t done = pwrite(file, from, size, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

bool plu_read_whole(int file, void *bytes, size_t size, off_t at)
{
    unsigned char *to = bytes;
    while (size > 0) {
        const ssize_t done = pread(file, to, size, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        if (done == 0) {
            memset(to, 0, size);
            return true;
        }
        to += done;
        at += done;
        size -= (size_t)done;
    }
    return true;
}
