/* csv.h: spheres from a text file with a header line (scenes/reference.md, bodies.file). */
#ifndef FILL_CSV_H
#define FILL_CSV_H

#include "pluvia/status.h"
#include <stdbool.h>

enum {
    PLU_CSV_X,
    PLU_CSV_Y,
    PLU_CSV_Z,
    PLU_CSV_RADIUS,
    PLU_CSV_VX,
    PLU_CSV_VY,
    PLU_CSV_VZ,
    PLU_CSV_WX,
    PLU_CSV_WY,
    PLU_CSV_WZ,
    PLU_CSV_TIME,
    PLU_CSV_COLUMNS
};

typedef struct plu_csv_row {
    double value[PLU_CSV_COLUMNS]; /* SI units; 0 where the file has no such column */
    int line;
} plu_csv_row;

typedef struct plu_csv {
    plu_csv_row *rows; /* owned, free() */
    int count;
    size_t capacity;
    bool has[PLU_CSV_COLUMNS];
} plu_csv;

/* Reads `path` into the zeroed `csv`, rows in the order of the file. `where` names the scene entry
 * in messages about the file as a whole; `need_radius`: there is no default for the radius. The
 * first 20 errors are added to `err`, each with its line. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_csv_read(plu_csv *csv, const char *path, const char *where, bool need_radius,
                        plu_error *err);

#endif
