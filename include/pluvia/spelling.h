/* spelling.h: accepts British and American spellings of names. Names are American; some were
 * British in earlier versions, and scripts and campaigns may still use them. */
#ifndef PLUVIA_SPELLING_H
#define PLUVIA_SPELLING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

/* Whether two names are equal, if "colour" equals "color" and "mobilised" equals "mobilized". */
bool plu_same_name(const char *a, const char *b);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
