/* measure_names.h: the names of all numbers that the result of a case can have, so that a campaign
 * that asks for another one is refused before it runs. */
#ifndef CLI_MEASURE_MEASURE_NAMES_H
#define CLI_MEASURE_MEASURE_NAMES_H

#include <stddef.h>

typedef enum plu_measure_kind {
    PLU_MEASURE_UNKNOWN,  /* no result has it */
    PLU_MEASURE_ALWAYS,   /* every result has it */
    PLU_MEASURE_OF_SCENE, /* what the scene is made of decides: one sphere or several, a base, ...
                           */
    PLU_MEASURE_OF_RUN    /* what happens in the run decides */
} plu_measure_kind;

/* Of the name by which a campaign asks for a number, in either spelling. */
plu_measure_kind plu_measure_kind_of(const char *name);

/* The name that a misspelt one was meant to be, written into `text`, which is returned; NULL: none
 * is near. */
const char *plu_measure_meant(const char *name, char *text, size_t size);

#endif
