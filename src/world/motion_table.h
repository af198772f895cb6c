/* motion_table.h: a motion given as a table of displacements.
 *
 * Between its rows each column is a monotone cubic (Fritsch & Carlson 1980, SIAM Journal on
 * Numerical Analysis 17, 238-246): it goes through all rows, never beyond two neighbors, and its
 * derivative is continuous. */
#ifndef WORLD_MOTION_TABLE_H
#define WORLD_MOTION_TABLE_H

#include "pluvia/status.h"

enum { PLU_MOTION_COLUMNS = 4 }; /* x, y, z (m), angle (rad) */

/* Names of the columns behind t, as many as there are, then NULL; what the table is in messages. */
typedef struct plu_motion_columns {
    const char *name[PLU_MOTION_COLUMNS + 1];
    const char *known;
    const char *what;
} plu_motion_columns;

extern const plu_motion_columns *const plu_place_columns; /* of a motion */
extern const plu_motion_columns
    *const plu_servo_columns; /* share of a servo's force (world/servo.h) */

typedef struct plu_motion_row {
    double t; /* s */
    double value[PLU_MOTION_COLUMNS], slope[PLU_MOTION_COLUMNS];
} plu_motion_row;

typedef struct plu_motion_table {
    plu_motion_row *row; /* owned, free() */
    int count;
    size_t capacity;
} plu_motion_table;

/* Reads the CSV file `path`; `where` names the scene entry in messages. PLU_OK, PLU_BAD_INPUT or
 * PLU_IO. */
plu_status plu_motion_table_read(plu_motion_table *table, const char *path, const char *where,
                                 const plu_motion_columns *columns, plu_error *err);

/* A column at time t: straight lines between rows, the first and last value outside of them. */
double plu_motion_table_value(const plu_motion_table *table, double t, int column);

/* The cubics at time t, from the first row on (m, rad): 0 before it, and as in the last row after
 * that. */
void plu_motion_table_place(const plu_motion_table *table, double t,
                            double value[PLU_MOTION_COLUMNS]);

/* The derivative of the columns at time t (m/s, rad/s); 0 outside of the table. */
void plu_motion_table_rate(const plu_motion_table *table, double t,
                           double rate[PLU_MOTION_COLUMNS]);

#endif
