/* contact_columns.h: the datasets of /contacts that have one row for each contact; shared by writer
 * and reader.
 *
 * A column is one row of PLU_CONTACT_COLUMN_ROWS and two functions, put_NAME and take_NAME, in
 * contact_columns.c; without one of them it does not compile. All else (writer, reader, checksums)
 * goes through the rows. */
#ifndef IO_TRAJECTORY_CONTACT_COLUMNS_H
#define IO_TRAJECTORY_CONTACT_COLUMNS_H

#include "pluvia/step.h"

/* What the numbers of a column are in the file. */
typedef enum plu_column_type {
    PLU_COLUMN_REAL, /* with the precision of the file */
    PLU_COLUMN_INT32,
    PLU_COLUMN_UINT8,
    PLU_COLUMN_INT16
} plu_column_type;

/* ROW(NAME, name, dataset, components, unit or NULL, type); normal and tangent stand before the
 * vectors in their frame. */
#define PLU_CONTACT_COLUMN_ROWS(ROW)                                                               \
    ROW(BODY, body, "body", 2, NULL, PLU_COLUMN_INT32)                                             \
    ROW(POINT, point, "point", 3, "m", PLU_COLUMN_REAL)                                            \
    ROW(NORMAL, normal, "normal", 3, NULL, PLU_COLUMN_REAL)                                        \
    ROW(TANGENT, tangent, "tangent", 3, NULL, PLU_COLUMN_REAL) /* t1 */                            \
    ROW(GAP, gap, "gap", 1, "m", PLU_COLUMN_REAL)                                                  \
    ROW(IMPULSE, impulse, "impulse", 3, "N s", PLU_COLUMN_REAL)                                    \
    ROW(MOMENT, moment, "moment_impulse", 3, "N m s", PLU_COLUMN_REAL)                             \
    ROW(VELOCITY, velocity, "velocity", 3, "m s-1", PLU_COLUMN_REAL)                               \
    ROW(STATUS, status, "status", 1, NULL, PLU_COLUMN_UINT8)                                       \
    ROW(LAW, law, "law", 1, NULL, PLU_COLUMN_INT16)

#define PLU_COLUMN_NUMBER(NAME, name, dataset, components, unit, type) PLU_COLUMN_##NAME,
typedef enum plu_contact_column {
    PLU_CONTACT_COLUMN_ROWS(PLU_COLUMN_NUMBER) PLU_CONTACT_COLUMNS
} plu_contact_column;

typedef struct plu_contact_column_facts {
    const char *name;
    int components; /* at most 3 */
    const char *unit;
    plu_column_type type;
    /* The numbers of one contact; vectors are in its frame (n, t1, t2). */
    void (*put)(const plu_contact_row *row, double *out);
    /* The reverse; t1 is that of the file, and row->normal has been taken. */
    void (*take)(const double *x, const double *t1, plu_contact_row *row);
} plu_contact_column_facts;

extern const plu_contact_column_facts plu_contact_columns[PLU_CONTACT_COLUMNS];

#endif
