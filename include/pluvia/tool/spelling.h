/* spelling.h: accepts British and American spellings of names. Names are American; some were
 * British in earlier versions, and scripts and campaigns may still use them. */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_SPELLING_H
#define PLUVIA_TOOL_SPELLING_H

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
