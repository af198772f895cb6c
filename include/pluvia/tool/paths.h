/* paths.h: of files of a command: where a path leads, and which file is being read. */
#ifndef PLUVIA_TOOL_PATHS_H
#define PLUVIA_TOOL_PATHS_H

/* Of the tool: neither installed nor exported by the shared library. */

#include "pluvia/status.h"
#include "pluvia/where.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The file to which `path` leads through symbolic links, which need not be there. PLU_OK or PLU_IO
 * (too long, a circle). */
plu_status plu_follow_links(const char *path, char target[PLU_PATH], plu_error *err);

/* The file that this library is reading by HDF5 in this thread; NULL: none. May be called from a
 * handler of SIGSEGV: HDF5 1.10 crashes on some damaged files, which can be recognized by this. */
const char *plu_reading(void);

#ifdef __cplusplus
}
#endif

/* Accepts British and American spellings of names. Names are American; some were British in earlier
 * versions, and scripts and campaigns may still use them. */

/* Of the tool: neither installed nor exported by the shared library. */

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether two names are equal, if "colour" equals "color" and "mobilised" equals "mobilized". */
bool plu_same_name(const char *a, const char *b);

#ifdef __cplusplus
}
#endif

#endif
