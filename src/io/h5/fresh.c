#include "io/h5/fresh.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { START = 64 };

static bool begins_with(const char *start, size_t length, const char *text)
{
    return length >= strlen(text) && memcmp(start, text, strlen(text)) == 0;
}

/* HDF5 writes the first block of a file last; what comes before reads as zeros. */
static bool is_made(const char *start, size_t length, const char *const *begins)
{
    static const char zeros[START] = "";
    if (memcmp(start, zeros, length) == 0 || begins_with(start, length, "\211HDF\r\n\032\n") ||
        begins_with(start, length, "pluvia checkpoint\n"))
        return true;
    for (; begins && *begins; begins++)
        if (begins_with(start, length, *begins))
            return true;
    return false;
}

static bool is_left(const char *path, const char *const *begins)
{
    char start[START] = "";
    struct stat about;
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file < 0)
        return false;
    const ssize_t length = pread(file, start, sizeof start, 0);
    const bool left = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && length >= 0 &&
                      is_made(start, (size_t)length, begins);
    close(file);
    return left;
}

plu_status plu_fresh_clear(const char *path, const char *const *begins, plu_error *err)
{
    struct stat about;
    if (lstat(path, &about) != 0)
        return errno == ENOENT
                   ? PLU_OK
                   : plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    if (!is_left(path, begins))
        return plu_fail(err, PLU_IO,
                        "%s, under which this command writes first, is there already and is not "
                        "left from an earlier one; move it, or use -o to write elsewhere",
                        path);
    if (unlink(path) == 0 || errno == ENOENT)
        return PLU_OK;
    return plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
}
