/* text_numbers.h: numbers from a text file that may be anything.
 *
 * A plu_text goes through a piece of work as a plu_h5 does: after the first failure every call
 * returns 0 and does nothing, so that a reader reads straight on and looks at `status`. */
#ifndef IO_PROBLEM_TEXT_NUMBERS_H
#define IO_PROBLEM_TEXT_NUMBERS_H

#include "pluvia/status.h"
#include <stdbool.h>

typedef struct plu_text {
    const char *path;
    char *data; /* owned: the whole file and a zero byte */
    const char *at, *end;
    int line; /* where `at` is, from 1 */
    plu_status status;
    plu_error *err;
} plu_text;

/* Reads the whole file. PLU_OK, PLU_IO, or PLU_BAD_INPUT for what is no regular file. */
plu_status plu_text_open(plu_text *text, const char *path, plu_error *err);
void plu_text_close(plu_text *text);

/* Notes that the file is not what it should be: "PATH:LINE: WHAT", PLU_BAD_INPUT. */
void plu_text_bad(plu_text *text, const char *format, ...) PLU_PRINTF(2, 3);

/* The next number; `what` names it in messages. Reals are finite. */
int plu_text_int(plu_text *text, int low, int high, const char *what);
double plu_text_real(plu_text *text, const char *what);

/* Complains of a word that is no number where `what` must come next, and says what is the case
 * `otherwise`. */
void plu_text_expect_number(plu_text *text, const char *what, const char *otherwise);

/* True, and goes past it, when this word comes next. */
bool plu_text_word(plu_text *text, const char *word);
/* True when word number `ahead` from here (0: the next) is this one; goes nowhere. */
bool plu_text_ahead(const plu_text *text, int ahead, const char *word);
/* True when the next word is a whole number, written without a point; goes nowhere. */
bool plu_text_ahead_is_whole(const plu_text *text);

/* Goes to the next word, so that `line` is its line. */
void plu_text_skip(plu_text *text);

/* All that is left of the line, cut to `size` - 1 bytes. */
void plu_text_rest_of_line(plu_text *text, char *buffer, size_t size);

/* Words that are left, counted up to `most`. */
size_t plu_text_left(const plu_text *text, size_t most);

/* More words than this cannot be left: what a size in the file can be at most. */
int plu_text_most(const plu_text *text);

#endif
