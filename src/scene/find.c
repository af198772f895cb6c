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

/* Keys that stages may change, with all that they hold: numbers, never what there is. */
static const char *const staged[] = {
    "gravity",
    "contacts.friction",
    "contacts.friction_dynamic",
    "contacts.rolling_friction",
    "contacts.pivoting_friction",
    "contacts.restitution",
    "contacts.cohesion",
    "contacts.cohesion_range",
    "contacts.strength",
    "boundaries.until",
    "boundaries.motion",
    "boundaries.servo",
    "cell.shear_rate",
    "cell.strain_rate",
    "cell.stress",
    "cell.mass",
    "output.interval",
    "time.step",
    "time.largest",
    "time.smallest",
};

/* Whether `path` is `outer`, or in it. */
static int is_in(const char *path, const char *outer)
{
    const size_t length = strlen(outer);
    return strncmp(path, outer, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

int plu_key_staged(const plu_key *key)
{
    for (size_t k = 0; k < sizeof staged / sizeof *staged; k++)
        if (is_in(key->path, staged[k]) || (*key->path && is_in(staged[k], key->path)))
            return 1;
    return 0;
}

static const plu_key *child_of(const plu_key *group, const char *name)
{
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        if (strcmp(plu_key_name(key), name) == 0)
            return key;
    return NULL;
}

const plu_key *plu_key_child(const plu_key *group, const char *name)
{
    const plu_key *own = child_of(group, name);
    if (own || strcmp(group->path, "stages") != 0)
        return own;
    const plu_key *changed = child_of(plu_keys, name);
    return changed && plu_key_staged(changed) ? changed : NULL;
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
