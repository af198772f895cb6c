/* One setting as the value that its key wants (keys.h): by the type of the key a function of its
 * own, which writes to the place in the struct, or says what is wrong.
 *
 *   FINE           written
 *   WRONG_TYPE     "time.step must be a number > 0 (s) (found "fast")"
 *   OUT_OF_RANGE   "time.step must be > 0 (s) (found -1)"
 *   TOO_LONG       a text with more bytes than its place has
 *   TWICE          a flag that is in the list already
 *
 * libconfig converts integers to doubles where a double is asked for (auto_convert), never the
 * other way: 1.0 is no integer. Ranges are tested so that a NAN is outside. */
#include "scene/describe.h"
#include "scene/reader.h"
#include <limits.h>
#include <math.h>
#include <string.h>

typedef enum outcome { FINE, WRONG_TYPE, OUT_OF_RANGE, TOO_LONG, TWICE } outcome;

static const plu_choice *find_choice(const plu_key *key, const config_setting_t *setting)
{
    const plu_choice *choice = key->choices;
    if (config_setting_type(setting) != CONFIG_TYPE_STRING)
        return NULL;
    while (choice->name && strcmp(choice->name, config_setting_get_string(setting)) != 0)
        choice++;
    return choice->name ? choice : NULL;
}

static outcome read_real(const plu_key *key, const config_setting_t *setting, double *value)
{
    const plu_choice *word = setting && key->choices ? find_choice(key, setting) : NULL;
    if (word) {
        *value = word->value;
        return FINE;
    }
    if (!setting || !config_setting_is_number(setting))
        return WRONG_TYPE;
    const double x = config_setting_get_float(setting);
    const plu_range range = key->range;
    const bool inside = (range.open ? x > range.low : x >= range.low) && x <= range.high;
    /* The key of a rate gives 1 / x: a number so small that this is infinite is out of range. */
    if (!inside || !isfinite(x) || (key->type == PLU_KEY_RATE && !isfinite(1.0 / x)))
        return OUT_OF_RANGE;
    *value = x;
    return FINE;
}

static outcome read_reals(const plu_key *key, const config_setting_t *setting, int count,
                          double *values)
{
    if (config_setting_type(setting) != CONFIG_TYPE_LIST || config_setting_length(setting) != count)
        return WRONG_TYPE;
    outcome result = FINE;
    for (int i = 0; i < count && result == FINE; i++)
        result = read_real(key, config_setting_get_elem(setting, (unsigned)i), &values[i]);
    return result;
}

static outcome read_integer(const plu_key *key, const config_setting_t *setting, long long *value)
{
    const int type = config_setting_type(setting);
    if (type != CONFIG_TYPE_INT && type != CONFIG_TYPE_INT64)
        return WRONG_TYPE;
    const long long n = config_setting_get_int64(setting);
    if ((double)n < key->range.low || (double)n > key->range.high)
        return OUT_OF_RANGE;
    *value = n;
    return FINE;
}

static outcome read_integers(const plu_key *key, const config_setting_t *setting, int *values)
{
    const bool list = key->count > 1;
    if (list && (config_setting_type(setting) != CONFIG_TYPE_LIST ||
                 config_setting_length(setting) != key->count))
        return WRONG_TYPE;
    outcome result = FINE;
    for (int i = 0; i < (list ? key->count : 1) && result == FINE; i++) {
        long long n = 0;
        result =
            read_integer(key, list ? config_setting_get_elem(setting, (unsigned)i) : setting, &n);
        if (result == FINE)
            values[i] = (int)n;
    }
    return result;
}

static outcome read_text(const plu_key *key, const config_setting_t *setting, char *text,
                         size_t size)
{
    if (!setting || config_setting_type(setting) != CONFIG_TYPE_STRING)
        return WRONG_TYPE;
    const char *value = config_setting_get_string(setting);
    if (!value || strlen(value) >= size)
        return value ? TOO_LONG : WRONG_TYPE;
    if ((double)strlen(value) < key->range.low)
        return OUT_OF_RANGE;
    strcpy(text, value);
    return FINE;
}

static outcome read_names(const plu_key *key, const config_setting_t *setting, char *names)
{
    const size_t size = key->size / 2;
    if (config_setting_type(setting) != CONFIG_TYPE_LIST || config_setting_length(setting) != 2)
        return WRONG_TYPE;
    const outcome first = read_text(key, config_setting_get_elem(setting, 0), names, size);
    return first == FINE ? read_text(key, config_setting_get_elem(setting, 1), names + size, size)
                         : first;
}

static outcome read_choice(const plu_key *key, const config_setting_t *setting, void *place)
{
    const plu_choice *choice = find_choice(key, setting);
    if (!choice)
        return WRONG_TYPE;
    if (key->size == sizeof(bool))
        *(bool *)place = choice->value != 0;
    else
        memcpy(place, &choice->value, sizeof choice->value);
    return FINE;
}

static outcome read_flags(const plu_key *key, const config_setting_t *setting, unsigned *flags)
{
    if (config_setting_type(setting) != CONFIG_TYPE_LIST ||
        config_setting_length(setting) < key->range.low)
        return WRONG_TYPE;
    unsigned sum = 0;
    for (int i = 0; i < config_setting_length(setting); i++) {
        const plu_choice *choice = find_choice(key, config_setting_get_elem(setting, (unsigned)i));
        if (!choice)
            return WRONG_TYPE;
        if (choice->value && (sum & (unsigned)choice->value) == (unsigned)choice->value)
            return TWICE;
        sum |= (unsigned)choice->value;
    }
    *flags = sum;
    return FINE;
}

static outcome read_box(const plu_key *key, const config_setting_t *setting, double (*box)[3])
{
    if (config_setting_type(setting) != CONFIG_TYPE_LIST || config_setting_length(setting) != 2)
        return WRONG_TYPE;
    for (unsigned i = 0; i < 2; i++) {
        const outcome result = read_reals(key, config_setting_get_elem(setting, i), 3, box[i]);
        if (result != FINE)
            return result;
    }
    for (int k = 0; k < 3; k++)
        if (!(box[0][k] < box[1][k]))
            return OUT_OF_RANGE;
    return FINE;
}

static outcome read_radius(const plu_key *key, const config_setting_t *setting, double *radius)
{
    if (config_setting_type(setting) == CONFIG_TYPE_LIST) {
        const outcome result = read_reals(key, setting, 2, radius);
        return result == FINE && radius[0] > radius[1] ? OUT_OF_RANGE : result;
    }
    const outcome result = read_real(key, setting, &radius[0]);
    radius[1] = radius[0];
    return result;
}

static outcome read_pairs(const plu_key *key, const config_setting_t *setting, void *base)
{
    double(*pairs)[2] = (void *)((char *)base + key->offset);
    const int count = config_setting_length(setting);
    if (config_setting_type(setting) != CONFIG_TYPE_LIST || count < 2 ||
        (size_t)count > key->size / sizeof *pairs)
        return WRONG_TYPE;
    for (int i = 0; i < count; i++) {
        const outcome result =
            read_reals(key, config_setting_get_elem(setting, (unsigned)i), 2, pairs[i]);
        if (result != FINE)
            return WRONG_TYPE;
    }
    memcpy((char *)base + key->count_offset, &count, sizeof count);
    return FINE;
}

static outcome read_numbers(const plu_key *key, const config_setting_t *setting, void *base)
{
    const int count = config_setting_length(setting);
    if (config_setting_type(setting) != CONFIG_TYPE_LIST ||
        (size_t)count > key->size / sizeof(double))
        return WRONG_TYPE;
    memcpy((char *)base + key->count_offset, &count, sizeof count);
    return read_reals(key, setting, count, (void *)((char *)base + key->offset));
}

static outcome read_words(const plu_key *key, const config_setting_t *setting, void *base)
{
    char(*words)[PLU_NAME] = (void *)((char *)base + key->offset);
    const int count = config_setting_length(setting);
    if (config_setting_type(setting) != CONFIG_TYPE_LIST ||
        (size_t)count > key->size / sizeof *words)
        return WRONG_TYPE;
    for (int i = 0; i < count; i++) {
        const outcome result =
            read_text(key, config_setting_get_elem(setting, (unsigned)i), words[i], PLU_NAME);
        if (result != FINE)
            return result;
    }
    memcpy((char *)base + key->count_offset, &count, sizeof count);
    return FINE;
}

static outcome read_one(const plu_key *key, const config_setting_t *setting, void *place)
{
    long long integer = 0;
    outcome result = FINE;
    switch (key->type) {
    case PLU_KEY_REAL:
        return key->count > 1 ? read_reals(key, setting, key->count, place)
                              : read_real(key, setting, place);
    case PLU_KEY_RATE:
        if ((result = read_real(key, setting, place)) == FINE)
            *(double *)place = 1.0 / *(double *)place;
        return result;
    case PLU_KEY_INTEGER:
        return read_integers(key, setting, place);
    case PLU_KEY_SEED:
        if ((result = read_integer(key, setting, &integer)) == FINE)
            *(uint64_t *)place = (uint64_t)integer;
        return result;
    case PLU_KEY_BOOL:
        if (config_setting_type(setting) != CONFIG_TYPE_BOOL)
            return WRONG_TYPE;
        *(bool *)place = config_setting_get_bool(setting) != 0;
        return FINE;
    case PLU_KEY_TEXT:
        return read_text(key, setting, place, key->size);
    case PLU_KEY_NAMES:
        return read_names(key, setting, place);
    case PLU_KEY_CHOICE:
        return read_choice(key, setting, place);
    case PLU_KEY_FLAGS:
        return read_flags(key, setting, place);
    case PLU_KEY_BOX:
        return read_box(key, setting, place);
    case PLU_KEY_RADIUS:
        return read_radius(key, setting, place);
    case PLU_KEY_PAIRS: /* have a second place: plu_read_value */
    case PLU_KEY_NUMBERS:
    case PLU_KEY_WORDS:
    case PLU_KEY_GROUP:
    case PLU_KEY_LIST:
        break;
    }
    return FINE;
}

/* The number of a list that is to blame, else the setting itself. */
static const config_setting_t *culprit(const plu_key *key, const config_setting_t *setting)
{
    const bool numbers = key->type == PLU_KEY_REAL || key->type == PLU_KEY_INTEGER ||
                         key->type == PLU_KEY_RADIUS || key->type == PLU_KEY_FLAGS ||
                         key->type == PLU_KEY_NUMBERS;
    if (!numbers || !config_setting_is_aggregate(setting))
        return setting;
    for (int i = 0; i < config_setting_length(setting); i++) {
        const config_setting_t *element = config_setting_get_elem(setting, (unsigned)i);
        double x;
        long long n;
        if (key->type == PLU_KEY_FLAGS     ? !find_choice(key, element)
            : key->type == PLU_KEY_INTEGER ? read_integer(key, element, &n) != FINE
                                           : read_real(key, element, &x) != FINE)
            return element;
    }
    return setting;
}

void plu_read_value(plu_reader *reader, const plu_key *key, const config_setting_t *setting,
                    void *base)
{
    const outcome result = key->type == PLU_KEY_PAIRS     ? read_pairs(key, setting, base)
                           : key->type == PLU_KEY_NUMBERS ? read_numbers(key, setting, base)
                           : key->type == PLU_KEY_WORDS
                               ? read_words(key, setting, base)
                               : read_one(key, setting, (char *)base + key->offset);
    if (result == FINE)
        return;
    char path[256], wanted[256], found[80];
    const bool brief = result == OUT_OF_RANGE && config_setting_is_number(setting);
    plu_setting_path(setting, path, sizeof path);
    plu_key_wanted(key, brief, wanted, sizeof wanted);
    plu_setting_found(culprit(key, setting), found, sizeof found);
    const plu_place place = plu_setting_place(reader, setting);
    if (result == TOO_LONG)
        plu_complain(reader, place, "%s: the text is too long (at most %zu bytes)", path,
                     (key->type == PLU_KEY_NAMES   ? key->size / 2
                      : key->type == PLU_KEY_WORDS ? PLU_NAME
                                                   : key->size) -
                         1);
    else if (result == OUT_OF_RANGE && key->type == PLU_KEY_RADIUS && !brief &&
             culprit(key, setting) == setting)
        plu_complain(reader, place, "%s: the smallest radius must not be above the largest", path);
    else if (result == TWICE)
        plu_complain(reader, place, "%s names the same thing twice (found %s)", path, found);
    else if (result == OUT_OF_RANGE && key->type == PLU_KEY_BOX)
        plu_complain(reader, place,
                     "%s: each coordinate of the lower corner must be below that of the upper one",
                     path);
    else
        plu_complain(reader, place, "%s must be %s (found %s)", path, wanted, found);
}
