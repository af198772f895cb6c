/* Complaints of a reader: where they belong (file and line through the segments of expand.c, or
 * the number of an override), in that order; those of overrides come after the file.
 *
 * A place is one number: > 0 a line of the text with all includes in it, < 0 the override -1 -
 * place, 0 nowhere. Segments say which lines of the text are of which file:
 *
 *   text line   1 ... 10 | 11 ... 30 | 31 ...      segments  start   1: scene.cfg, from line 1
 *               scene    | walls.cfg | scene                 start  11: walls.cfg, from line 1
 *                                                            start  31: scene.cfg, from line 12
 *
 * A setting knows its line; one from an override has a pointer to its text instead (hook), which
 * it passes on to all settings below. At most KEPT complaints are kept, the others are counted. */
#include "base/memory.h"
#include "scene/reader.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 100 };

/* The last segment that does not start after the line, by bisection. */
plu_where plu_place_where(const plu_reader *reader, plu_place place)
{
    if (place < 0)
        return (plu_where){-1, -1 - place};
    if (place == 0 || reader->segments_count == 0)
        return (plu_where){-2, 0};
    size_t low = 0, high = reader->segments_count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (reader->segments[middle].start <= place)
            low = middle;
        else
            high = middle;
    }
    const plu_segment *segment = &reader->segments[low];
    return (plu_where){segment->file, segment->line + place - segment->start};
}

plu_place plu_setting_place(const plu_reader *reader, const config_setting_t *setting)
{
    for (; setting; setting = config_setting_parent(setting)) {
        char **override = config_setting_get_hook(setting);
        if (override)
            return -1 - (plu_place)(override - reader->scene->overrides);
        if (config_setting_source_line(setting) > 0)
            return (plu_place)config_setting_source_line(setting);
    }
    return 1;
}

plu_place plu_entry_place(const plu_reader *reader, const char *list, int index, const char *name)
{
    config_setting_t *entries = config_lookup(&reader->config, list);
    config_setting_t *entry = entries ? config_setting_get_elem(entries, (unsigned)index) : NULL;
    config_setting_t *member = entry && name ? config_setting_lookup(entry, name) : NULL;
    return plu_setting_place(reader, member ? member : entry);
}

void plu_complain(plu_reader *reader, plu_place place, const char *format, ...)
{
    char text[1024], where[PLU_PATH + 64] = "";
    va_list arguments;
    va_start(arguments, format);
    const int used =
        reader->stage ? snprintf(text, sizeof text, "stage \"%s\": ", reader->stage) : 0;
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    if (reader->messages_count >= KEPT ||
        plu_reserve(&reader->messages, &reader->messages_capacity, reader->messages_count + 1,
                    sizeof *reader->messages, 1, NULL) != PLU_OK) {
        reader->messages_lost++;
        return;
    }
    if (place != 0)
        plu_scene_where(reader->scene, plu_place_where(reader, place), where, sizeof where);
    const size_t size = strlen(where) + strlen(text) + 3;
    char *line = malloc(size);
    if (!line) {
        reader->messages_lost++;
        return;
    }
    snprintf(line, size, "%s%s%s", where, *where ? ": " : "", text);
    reader->messages[reader->messages_count++] = (plu_message){place, line};
}

/* Overrides come after the file; messages of one line keep their order. */
static int later(const plu_message *a, const plu_message *b)
{
    const long x = a->place < 0 ? (long)INT_MAX - a->place : a->place;
    const long y = b->place < 0 ? (long)INT_MAX - b->place : b->place;
    return x > y;
}

plu_status plu_report(plu_reader *reader, plu_error *err)
{
    if (reader->status != PLU_OK)
        return plu_fail(err, reader->status, "%s: out of memory", reader->scene->path);
    plu_message *messages = reader->messages;
    for (size_t i = 1; i < reader->messages_count; i++)
        for (size_t j = i; j > 0 && later(&messages[j - 1], &messages[j]); j--) {
            const plu_message swapped = messages[j];
            messages[j] = messages[j - 1];
            messages[j - 1] = swapped;
        }
    const plu_status bad = reader->unopened ? PLU_IO : PLU_BAD_INPUT;
    for (size_t i = 0; i < reader->messages_count; i++)
        plu_error_add(err, bad, "%s", messages[i].text);
    if (reader->messages_lost > 0)
        plu_error_add(err, PLU_BAD_INPUT, "... and %ld more errors", reader->messages_lost);
    return reader->messages_count + (size_t)reader->messages_lost > 0 ? bad : PLU_OK;
}
