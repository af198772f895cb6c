/* spelling.h: names that users give, in the spelling that they are used to. Names are American
 * here; some had a British form in earlier versions, which scripts and campaigns still hold. */
#ifndef PLUVIA_SPELLING_H
#define PLUVIA_SPELLING_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether both are one name, "colour" being "color" and "mobilised" being "mobilized". */
bool plu_same_name(const char *a, const char *b);

#ifdef __cplusplus
}
#endif

#endif
