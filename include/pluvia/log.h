/* log.h: messages of the library during its work, passed to the caller line by line. */
#ifndef PLUVIA_LOG_H
#define PLUVIA_LOG_H

#include "pluvia/status.h"

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef enum plu_log_level { PLU_LOG_INFO, PLU_LOG_WARNING } plu_log_level;

/* Where messages go. `write` NULL: nowhere. `text` is one line without a newline. The library calls
 * `write` from the thread that called the library, never from a parallel region. */
typedef struct plu_log {
    void (*write)(void *user, plu_log_level level, const char *text);
    void *user;
} plu_log;

/* Formats a line and hands it to `log`. `log` may be NULL. */
void plu_log_write(const plu_log *log, plu_log_level level, const char *format, ...)
    PLU_PRINTF(3, 4);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
