/* own_table.h: the text tables that pluvia writes, recognized by their first line. A table that
 * somebody has made, or that has only columns which a file of spheres has too, is none of them. */
#ifndef IO_RUN_OWN_TABLE_H
#define IO_RUN_OWN_TABLE_H

#include <stdbool.h>

/* Whether the file begins with the names of columns of `pluvia export`, `pluvia measure`, `pluvia
 * fields` or `pluvia solve --history`. False where it cannot be read. */
bool plu_is_own_table(const char *path);

#endif
