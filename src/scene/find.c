/* Keys by their names. */
#include "scene/keys.h"
#include <string.h>

const char *plu_key_name(const plu_key *key)
{
    const char *dot = strrchr(key->path, '.');
    return dot ? dot + 1 : key->path;
}

/* The rest of the path below `group`, NULL when the key is not directly in the group. */
static const char *name_in(const plu_key *group, const plu_key *key)
{
    const size_t length = strlen(group->path);
    const char *rest = key->path + length;
    if (strncmp(key->path, group->path, length) != 0 || (length > 0 && *rest++ != '.'))
        return NULL;
    return *rest && !strchr(rest, '.') ? rest : NULL;
}

const plu_key *plu_key_next(const plu_key *group, const plu_key *last)
{
    for (const plu_key *key = last ? last + 1 : group + 1; key->path; key++)
        if (name_in(group, key))
            return key;
    return NULL;
}

const plu_key *plu_key_child(const plu_key *group, const char *name)
{
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        if (strcmp(plu_key_name(key), name) == 0)
            return key;
    return NULL;
}

int plu_key_has_keys(const plu_key *key)
{
    return plu_key_next(key, NULL) != NULL;
}

const plu_key *plu_key_find(const char *path)
{
    for (const plu_key *key = plu_keys; key->path; key++)
        if (strcmp(key->path, path) == 0)
            return key;
    return NULL;
}
