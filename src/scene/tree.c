#include "scene/reader.h"
#include <stdio.h>
#include <string.h>

const char *plu_setting_path(const config_setting_t *setting, char *text, size_t size)
{
    const config_setting_t *parent = config_setting_parent(setting);
    if (!parent) {
        snprintf(text, size, "%s", "");
        return text;
    }
    plu_setting_path(parent, text, size);
    const size_t used = strlen(text);
    if (config_setting_name(setting))
        snprintf(text + used, size - used, "%s%s", used ? "." : "", config_setting_name(setting));
    else
        snprintf(text + used, size - used, "[%d]", config_setting_index(setting));
    return text;
}

/* `placed`: the copy stands where `from` was written. */
static config_setting_t *copy(config_setting_t *parent, const char *name,
                              const config_setting_t *from, bool placed)
{
    const int type = config_setting_type(from);
    config_setting_t *setting = config_setting_add(parent, name, type);
    if (!setting)
        return NULL;
    if (placed) {
        setting->line = from->line;
        setting->hook = from->hook;
    }
    if (config_setting_is_aggregate(from)) {
        for (int i = 0; i < config_setting_length(from); i++) {
            const config_setting_t *element = config_setting_get_elem(from, (unsigned)i);
            if (!copy(setting, config_setting_name(element), element, placed))
                return NULL;
        }
    } else if (type == CONFIG_TYPE_INT) {
        config_setting_set_int(setting, config_setting_get_int(from));
    } else if (type == CONFIG_TYPE_INT64) {
        config_setting_set_int64(setting, config_setting_get_int64(from));
    } else if (type == CONFIG_TYPE_FLOAT) {
        config_setting_set_float(setting, config_setting_get_float(from));
    } else if (type == CONFIG_TYPE_BOOL) {
        config_setting_set_bool(setting, config_setting_get_bool(from));
    } else {
        config_setting_set_string(setting, config_setting_get_string(from));
    }
    return setting;
}

config_setting_t *plu_setting_put(config_setting_t *parent, const char *name, int index,
                                  const config_setting_t *from)
{
    if (config_setting_is_group(parent)) {
        config_setting_remove(parent, name); /* fails where there is none */
        return copy(parent, name, from, false);
    }
    config_setting_t *setting = copy(parent, NULL, from, false);
    if (setting) {
        /* libconfig only adds at the end: the old and the new one change places */
        config_setting_t **elements = parent->value.list->elements;
        const unsigned last = parent->value.list->length - 1;
        elements[last] = elements[index];
        elements[index] = setting;
        config_setting_remove_elem(parent, last);
    }
    return setting;
}

config_setting_t *plu_setting_graft(config_setting_t *parent, const config_setting_t *from)
{
    config_setting_remove(parent, config_setting_name(from)); /* fails where there is none */
    return copy(parent, config_setting_name(from), from, true);
}
