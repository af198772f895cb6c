/* Follows symbolic links from a file name to the file that they lead to. */
#include "pluvia/tool/paths.h"
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINKS = 40 }; /* as in Linux */

/* Replaces `path` by `to`, which is relative to the folder of `path` unless it is absolute. */
static bool go(char path[PLU_PATH], const char *to)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = to[0] == '/' || !slash ? 0 : (size_t)(slash - path) + 1;
    if (folder + strlen(to) >= PLU_PATH)
        return false;
    strcpy(path + folder, to);
    return true;
}

plu_status plu_follow_links(const char *path, char target[PLU_PATH], plu_error *err)
{
    bool fits = strlen(path) < PLU_PATH;
    if (fits)
        strcpy(target, path);
    for (int k = 0; fits && k < MOST_LINKS; k++) {
        char to[PLU_PATH];
        const ssize_t length = readlink(target, to, sizeof to);
        if (length < 0)
            return PLU_OK;
        fits = length < PLU_PATH;
        to[fits ? length : 0] = '\0';
        fits = fits && go(target, to);
    }
    return plu_fail(err, PLU_IO, "cannot write %s: %s", path,
                    strerror(fits ? ELOOP : ENAMETOOLONG));
}
