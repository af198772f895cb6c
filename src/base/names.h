/* names.h: names in messages. */
#ifndef BASE_NAMES_H
#define BASE_NAMES_H

#include <stdio.h>
#include <string.h>

/* Appends a name in double quotes to a list with commas between, as far as there is room. */
static inline void plu_names_add(char *list, size_t size, const char *name)
{
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s\"%s\"", used ? ", " : "", name);
}

#endif
