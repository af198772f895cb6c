/* status.h: the status that every pluvia function that can fail returns, and its error message.
 *
 * The library never prints and never exits. A function that can fail returns a plu_status and
 * fills a plu_error, which the caller owns (a plain value, nothing to free). A result that is less
 * accurate than requested (a solve that stopped at its iteration limit) is not an error; fields of
 * the result say so. */
#ifndef PLUVIA_STATUS_H
#define PLUVIA_STATUS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

#if defined(__GNUC__)
#define PLU_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PLU_PRINTF(text, first)
#endif

/* The values are the exit codes of the command (README.md, "Exit codes"). */
typedef enum plu_status {
    PLU_OK = 0,
    PLU_DIFFERENT = 1,     /* a comparison or an acceptance failed */
    PLU_USAGE = 2,         /* wrong arguments */
    PLU_BAD_INPUT = 3,     /* invalid scene or input file */
    PLU_NOT_CONVERGED = 4, /* tolerance not reached where that is an error */
    PLU_IO = 5,            /* reading, writing or memory */
    PLU_BREAKDOWN = 6,     /* NaN, beyond the limits of a run */
    PLU_HELD = 7,          /* another run writes the same result */
    PLU_STOPPED = 75       /* a step was given up because it was asked for (plu_stepper_set_stop) */
} plu_status;

enum { PLU_ERROR_TEXT = 8192 };

/* One or more messages, one a line. A zeroed struct is an empty error. */
typedef struct plu_error {
    plu_status status; /* of the first message */
    int count;         /* messages given, also those that no longer fit into `text` */
    char text[PLU_ERROR_TEXT];
} plu_error;

/* Replaces the content of `err` by one message; returns `status`, so that `return plu_fail(...)`
 * reads well. `err` may be NULL. */
plu_status plu_fail(plu_error *err, plu_status status, const char *format, ...) PLU_PRINTF(3, 4);

/* Adds a message to those of `err`; returns `status`. When the text is full, the
 * message is only counted and the last line says that there are more. `err` may be NULL. */
plu_status plu_error_add(plu_error *err, plu_status status, const char *format, ...)
    PLU_PRINTF(3, 4);

/* Version of the library, "major.minor.patch". */
const char *plu_version(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
