/* write.h: the writers of the formats, into a file that is not yet in its place. */
#ifndef IO_PROBLEM_WRITE_H
#define IO_PROBLEM_WRITE_H

#include "problem/contact_problem.h"

/* `part`: the file to write; `path`: how messages call it. PLU_OK or PLU_IO. */
plu_status plu_siconos_write(const plu_contact_problem *problem, const char *part, const char *path,
                             bool global, plu_error *err);
plu_status plu_fclib_write(const plu_contact_problem *problem, const char *part, const char *path,
                           plu_problem_format format, const char *title, plu_error *err);

#endif
