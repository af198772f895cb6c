/* judge.h: what must be true of whatever a reader has made of its input. */
#ifndef FUZZ_JUDGE_H
#define FUZZ_JUDGE_H

#include "problem/contact_problem.h"
#include <stdlib.h>
#include <string.h>

static inline void require(int truth)
{
    if (!truth)
        abort();
}

/* One sentence that begins with the path, or a problem whose parts are in order; frees it. */
static inline void judge(plu_contact_problem *p, plu_status status, const char *path,
                         const plu_error *err)
{
    if (status != PLU_OK) {
        require(p == NULL && status == PLU_BAD_INPUT);
        require(strncmp(err->text, path, strlen(path)) == 0 && !strchr(err->text, '\n'));
        return;
    }
    require(p->contacts > 0 && (p->rows == 3 || p->rows == 5) && p->w.start[0] == 0);
    for (int c = 0; c < p->contacts; c++) {
        for (int b = p->w.start[c]; b < p->w.start[c + 1]; b++)
            require(p->w.column[b] < p->contacts &&
                    p->w.column[b] > (b == p->w.start[c] ? -1 : p->w.column[b - 1]));
        require(p->w.column[p->w.diagonal[c]] == c && p->mu[c] >= 0.0 && p->mu_r[c] >= 0.0);
        for (int e = 0; p->body.bodies > 0 && e < 2; e++)
            require(p->body.pairs[c][e] >= -1 && p->body.pairs[c][e] < p->body.bodies);
    }
    double *y = calloc((size_t)p->contacts * (size_t)p->rows, sizeof *y);
    require(y != NULL);
    plu_contact_residuals(p, p->solution ? p->solution : p->guess, y);
    free(y);
    plu_contact_problem_destroy(p);
}

#endif
