/* The lines of a scene file and of all that it includes, joined to one text that can be read on its
 * own, as a result stores it:
 *
 *     a.cfg   1 gravity = ...          joined   1 gravity = ...        segment 1: a.cfg, line 1
 *             2 @include "b.cfg"                2 #@include "b.cfg"
 *             3 time: ...                       3 materials: ...       segment 3: b.cfg, line 1
 *     b.cfg   1 materials: ...                  4 time: ...            segment 4: a.cfg, line 3
 *
 * Segments turn a line of the joined text back into file and line for messages. Each line is
 * scanned (scan.c) on its way for what libconfig would accept without a word. */
#include "base/memory.h"
#include "scene/reader.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NESTING = 10, FILES = 1000 };
static const size_t largest_text = (size_t)64 << 20;

/* The files that are open while an include is followed, for finding loops. */
typedef struct chain {
    const struct chain *outer;
    dev_t device;
    ino_t inode;
    int depth;
} chain;

typedef struct expansion {
    plu_reader *reader;
    plu_scan scan;
    size_t code_capacity, text_capacity, files_capacity;
} expansion;

static bool out_of_memory(plu_reader *reader)
{
    reader->status = PLU_IO;
    return false;
}

/* Appends a line without its newline to the text; the scan sees it unless it is a directive. */
static bool expand_append(expansion *x, const char *line, size_t length, bool directive)
{
    plu_reader *reader = x->reader;
    const size_t need = reader->length + length + 3;
    if (plu_reserve(&reader->code, &x->code_capacity, need, 1, 1, NULL) != PLU_OK ||
        plu_reserve(&reader->scene->text, &x->text_capacity, need, 1, 1, NULL) != PLU_OK)
        return out_of_memory(reader);
    char *code = reader->code + reader->length;
    memcpy(code + directive, line, length);
    if (directive)
        code[0] = '#'; /* keeps the include visible, and the text readable on its own */
    length += directive;
    code[length] = '\n';
    code[length + 1] = '\0';
    memcpy(reader->scene->text + reader->length, code, length + 2);
    reader->length += length + 1;
    reader->lines++;
    if (!directive)
        plu_scan_line(reader, &x->scan, code, length, reader->lines);
    return true;
}

/* From the next line of the joined text on, lines are those of `file` from `line` on. */
static bool begin_segment(plu_reader *reader, int file, int line)
{
    if (plu_reserve(&reader->segments, &reader->segments_capacity, reader->segments_count + 1,
                    sizeof *reader->segments, 1, NULL) != PLU_OK)
        return out_of_memory(reader);
    reader->segments[reader->segments_count++] = (plu_segment){reader->lines + 1, file, line};
    return true;
}

static int add_file(expansion *x, const char *path)
{
    plu_scene *scene = x->reader->scene;
    for (int i = 0; i < scene->files_count; i++)
        if (strcmp(scene->files[i], path) == 0)
            return i;
    if (plu_reserve(&scene->files, &x->files_capacity, (size_t)scene->files_count + 1,
                    sizeof *scene->files, 1, NULL) != PLU_OK) {
        out_of_memory(x->reader);
        return -1;
    }
    snprintf(scene->files[scene->files_count], PLU_PATH, "%s", path);
    return scene->files_count++;
}

/* Reads a stream to its end; what is larger than the limit is cut one byte behind it. */
static char *read_all(FILE *stream, size_t *length)
{
    char *text = NULL;
    size_t capacity = 0, got;
    *length = 0;
    do {
        if (plu_reserve(&text, &capacity, *length + 65536, 1, 1, NULL) != PLU_OK) {
            free(text);
            return NULL;
        }
        got = fread(text + *length, 1, 65536, stream);
        *length += got;
    } while (got == 65536 && *length <= largest_text);
    return text;
}

/* The contents of a file; NULL after a complaint. */
static char *expand_load(plu_reader *reader, const char *path, plu_place place, chain *link,
                         size_t *length)
{
    struct stat info;
    FILE *stream = fopen(path, "rb");
    const int reason = errno;
    char *text = NULL;
    if (!stream || fstat(fileno(stream), &info) != 0) {
        plu_complain(reader, place, "%s: %s", path,
                     reason == ENOENT ? "no such file" : strerror(reason));
        reader->unopened = place == 0;
    } else if (S_ISDIR(info.st_mode)) {
        plu_complain(reader, place, "%s: is a directory, not a scene file", path);
    } else if (!(text = read_all(stream, length))) {
        reader->status = PLU_IO;
    } else if (ferror(stream) || *length + reader->length > largest_text) {
        plu_complain(reader, place, "%s: %s", path,
                     ferror(stream) ? "cannot be read" : "the scene is larger than 64 MiB");
        free(text);
        text = NULL;
    } else {
        link->device = info.st_dev;
        link->inode = info.st_ino;
    }
    if (stream)
        fclose(stream);
    return text;
}

/* The path in `@include "path"`, a line that holds nothing else but a comment; NULL: no such line.
 */
static char *include_path(const char *line, size_t length)
{
    static const char word[] = "@include";
    const char *end = line + length;
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    if ((size_t)(end - line) < sizeof word || memcmp(line, word, sizeof word - 1) != 0)
        return NULL;
    line += sizeof word - 1;
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    const char *close = line < end ? memchr(line + 1, '"', (size_t)(end - line - 1)) : NULL;
    if (!close || *line != '"')
        return NULL;
    for (const char *rest = close + 1; rest < end && *rest != '#'; rest++)
        if (*rest == '/' && rest + 1 < end && rest[1] == '/')
            break;
        else if (!strchr(" \t\r", *rest))
            return NULL;
    return strndup(line + 1, (size_t)(close - line - 1));
}

static void expand_file(expansion *x, const char *path, plu_place place, const chain *outer);

/* Follows an include written in the file `from`. */
static void include(expansion *x, const char *from, const char *name, const chain *outer)
{
    plu_reader *reader = x->reader;
    const char *slash = strrchr(from, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - from) + 1 : 0;
    char path[PLU_PATH];
    if (snprintf(path, sizeof path, "%.*s%s", folder, from, name) >= (int)sizeof path)
        plu_complain(reader, reader->lines, "the path of the include is too long");
    else if (outer->depth >= NESTING)
        plu_complain(reader, reader->lines, "includes are nested more than %d deep", NESTING);
    else
        expand_file(x, path, reader->lines, outer);
}

/* Lines end with a newline, or with a carriage return alone, as on old Macs. */
static size_t line_length(const char *line, const char *end)
{
    const char *at = line;
    while (at < end && *at != '\n' && !(*at == '\r' && (at + 1 == end || at[1] != '\n')))
        at++;
    return (size_t)(at - line);
}

static void expand_lines(expansion *x, const char *text, size_t length, int file, const chain *link)
{
    plu_reader *reader = x->reader;
    const char *end = text + length, *next;
    int number = 1;
    for (const char *line = text; line < end && reader->status == PLU_OK; line = next, number++) {
        const size_t size = line_length(line, end);
        next = line + size + (line + size < end);
        if (memchr(line, '\0', size)) {
            plu_complain(reader, reader->lines + 1,
                         "the file contains a zero byte, so it is not a text file: is it damaged, "
                         "or of another kind?");
            return;
        }
        char *name = x->scan.mode == PLU_SCAN_CODE ? include_path(line, size) : NULL;
        if (!expand_append(x, line, size, name != NULL))
            return;
        if (name) {
            char from[PLU_PATH]; /* the list of files may move */
            memcpy(from, reader->scene->files[file], sizeof from);
            include(x, from, name, link);
            begin_segment(reader, file, number + 1);
        }
        free(name);
    }
}

/* What a file is that is not text in bytes; NULL: nothing that is known. */
static const char *other_kind(const char *text, size_t length)
{
    if (length >= 4 && memcmp(text, "\x89HDF", 4) == 0)
        return "this is an HDF5 file, not a scene; \"pluvia info\" shows what it contains";
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0))
        return "the text is in UTF-16; save it as UTF-8";
    return NULL;
}

/* The lines of a file, which become the next ones of the joined text. */
static void expand_text(expansion *x, const char *path, const char *text, size_t length,
                        plu_place place, const chain *link)
{
    plu_reader *reader = x->reader;
    const char *other = other_kind(text, length);
    if (other) {
        plu_complain(reader, place, "%s: %s", path, other);
        return;
    }
    const int file = reader->scene->files_count < FILES ? add_file(x, path) : -1;
    if (file < 0) {
        plu_complain(reader, place, "the scene includes more than %d files", FILES);
    } else if (begin_segment(reader, file, 1)) {
        const bool mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0; /* UTF-8 */
        expand_lines(x, text + 3 * mark, length - 3 * mark, file, link);
        plu_scan_end_of_file(reader, &x->scan);
    }
}

/* `place`: of the include, 0 for the scene file itself. */
static void expand_file(expansion *x, const char *path, plu_place place, const chain *outer)
{
    plu_reader *reader = x->reader;
    chain link = {.outer = outer, .depth = outer ? outer->depth + 1 : 0};
    size_t length;
    char *text = expand_load(reader, path, place, &link, &length);
    if (!text)
        return;
    for (const chain *open = outer; open; open = open->outer)
        if (open->inode == link.inode && open->device == link.device) {
            plu_complain(reader, place, "%s includes itself", path);
            free(text);
            return;
        }
    expand_text(x, path, text, length, place, &link);
    free(text);
}

static void end(expansion *x)
{
    plu_reader *reader = x->reader;
    if (reader->messages_count == 0 && reader->status == PLU_OK && reader->lines == 0)
        expand_append(x, "", 0, false);
    plu_scan_end(reader, &x->scan);
}

void plu_expand(plu_reader *reader)
{
    expansion x = {.reader = reader};
    expand_file(&x, reader->scene->path, 0, NULL);
    end(&x);
}

int plu_find_include(const char *text)
{
    int number = 1;
    for (const char *line = text; line; number++) {
        line += strspn(line, " \t");
        if (*line == '@')
            return number;
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    return 0;
}

void plu_expand_text(plu_reader *reader, const char *label, const char *text)
{
    expansion x = {.reader = reader};
    const chain alone = {.depth = NESTING};
    const int line = plu_find_include(text);
    if (line)
        plu_complain(reader, 0,
                     reader->stored
                         ? "%s:%d: damaged: a stored scene cannot contain an include"
                         : "%s:%d: a scene that is not read from a file cannot contain an include",
                     label, line);
    else
        expand_text(&x, label, text, strlen(text), 0, &alone);
    end(&x);
}
