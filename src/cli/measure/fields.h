/* fields.h: files with the fields of `pluvia fields`. */
#ifndef CLI_MEASURE_FIELDS_H
#define CLI_MEASURE_FIELDS_H

#include "pluvia/coarse.h"
#include <stdio.h>

/* A line for each node, with a head of names and units. */
void plu_fields_csv(FILE *out, const plu_coarse *fields);
/* VTK XML image data (.vti): the nodes as points of a regular grid. */
void plu_fields_vti(FILE *out, const plu_coarse *fields);

#endif
