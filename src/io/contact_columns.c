#include "io/contact_columns.h"
#include <stddef.h>

const plu_contact_column_facts plu_contact_columns[] = {
    [PLU_COLUMN_BODY] = {"body", 2, NULL},
    [PLU_COLUMN_POINT] = {"point", 3, "m"},
    [PLU_COLUMN_NORMAL] = {"normal", 3, NULL},
    [PLU_COLUMN_TANGENT] = {"tangent", 3, NULL},
    [PLU_COLUMN_GAP] = {"gap", 1, "m"},
    [PLU_COLUMN_IMPULSE] = {"impulse", 3, "N s"},
    [PLU_COLUMN_MOMENT] = {"moment_impulse", 3, "N m s"},
    [PLU_COLUMN_VELOCITY] = {"velocity", 3, "m s-1"},
    [PLU_COLUMN_STATUS] = {"status", 1, NULL},
    [PLU_COLUMN_LAW] = {"law", 1, NULL},
};
_Static_assert(sizeof plu_contact_columns / sizeof *plu_contact_columns == PLU_CONTACT_COLUMNS,
               "a row for each column");
