/* contact_columns.h: the datasets of /contacts that have one row for each contact; shared by writer
 * and reader. */
#ifndef IO_CONTACT_COLUMNS_H
#define IO_CONTACT_COLUMNS_H

typedef enum plu_contact_column {
    PLU_COLUMN_BODY,
    PLU_COLUMN_POINT,
    PLU_COLUMN_NORMAL,
    PLU_COLUMN_TANGENT, /* t1; normal and tangent stand before the vectors in their frame */
    PLU_COLUMN_GAP,
    PLU_COLUMN_IMPULSE,
    PLU_COLUMN_MOMENT,
    PLU_COLUMN_VELOCITY,
    PLU_COLUMN_STATUS,
    PLU_COLUMN_LAW,
    PLU_CONTACT_COLUMNS
} plu_contact_column;

typedef struct plu_contact_column_facts {
    const char *name;
    int components;
    const char *unit; /* NULL: none */
} plu_contact_column_facts;

extern const plu_contact_column_facts plu_contact_columns[];

#endif
