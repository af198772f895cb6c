/* Makes cases of axes: all combinations, the last axis fastest, without those that a condition of
 * `where` excludes; each gets a name from its values, by which its folder is called.
 *
 *   axes  mu: 0.1 0.3    seed: 1 2      index = (row of mu) x 2 + row of seed
 *   cases 0 mu=0.1,seed=1   1 mu=0.1,seed=2   2 mu=0.3,seed=1   3 mu=0.3,seed=2
 *
 * A name has only letters that are safe in paths; where one had to be replaced by '-', or the name
 * is too long for a folder, the hash of the values follows, so that two cases never share a
 * folder. */
#include "base/hash.h"
#include "base/memory.h"
#include "campaign/campaign.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_MOST = 1000000, NAME_MOST = 180, INPUTS_MOST = 256 };

typedef struct expansion {
    plu_campaign *campaign;
    plu_reader *reader;
    const plu_axis *axes;
    int axes_count;
    plu_filter *filters;
    int filters_count;
} expansion;

/* Keys are what is overridden, columns what they are called in tables. */
static void gather_inputs(expansion *x)
{
    plu_campaign *campaign = x->campaign;
    for (int a = 0; a < x->axes_count; a++)
        for (int k = 0; k < x->axes[a].keys.count && x->reader->status == PLU_OK; k++) {
            const char *key = x->axes[a].keys.text[k], *column = x->axes[a].columns.text[k];
            if (plu_texts_find(&campaign->keys, key) >= 0)
                plu_complain(x->reader, x->axes[a].place, "%s is varied twice", key);
            else if (plu_texts_find(&campaign->columns, column) >= 0)
                plu_complain(x->reader, x->axes[a].place,
                             "two inputs would have the name \"%s\": give another one by the key "
                             "`name` of the axis",
                             column);
            x->reader->status = plu_texts_add(&campaign->keys, key) == PLU_OK
                                    ? plu_texts_add(&campaign->columns, column)
                                    : PLU_IO;
        }
}

static void read_filters(expansion *x, const config_setting_t *where)
{
    plu_texts texts = {0};
    if (where)
        plu_campaign_texts(x->reader, where, &texts);
    x->filters = plu_alloc((size_t)texts.count, sizeof *x->filters, NULL);
    if (!x->filters)
        x->reader->status = PLU_IO;
    for (int i = 0; i < texts.count && x->filters; i++)
        if (plu_filter_read(&x->filters[x->filters_count], x->reader,
                            plu_setting_place(x->reader, where), &x->campaign->columns,
                            texts.text[i]))
            x->filters_count++;
    plu_texts_free(&texts);
}

/* The letter that stands for one of a value in the name of a folder: [1, 0, 0] is 1_0_0, quotes go.
 * 0: none; '-': something that another value may have too. */
static char folder_letter(char letter)
{
    if (strchr("[]() \"", letter))
        return '\0';
    if (letter == ',')
        return '_';
    return isalnum((unsigned char)letter) || strchr("+-._", letter) ? letter : '-';
}

/* The name of a case, such as "mu=0.1,seed=2". If letters had to be replaced, a hash makes the name
 * unique. */
static char *name_case(const plu_campaign *campaign, char *const *values)
{
    char *name = NULL;
    size_t size = 0;
    uint64_t hash = PLU_HASH_START;
    bool exact = true;
    FILE *out = open_memstream(&name, &size);
    if (!out)
        return NULL;
    for (int k = 0; k < campaign->columns.count; k++) {
        fprintf(out, "%s%s=", k ? "," : "", campaign->columns.text[k]);
        hash = plu_hash(hash, values[k], strlen(values[k]));
        for (const char *c = values[k]; *c; c++) {
            const char letter = folder_letter(*c);
            exact = exact && (letter != '-' || *c == '-');
            if (letter)
                fputc(letter, out);
        }
    }
    fputs(campaign->columns.count ? "" : "base", out);
    if (fclose(out) != 0) {
        free(name);
        return NULL;
    }
    if (exact && size <= NAME_MOST)
        return name;
    char *hashed = malloc(NAME_MOST + 20);
    if (hashed)
        snprintf(hashed, NAME_MOST + 20, "%.*s-%016" PRIx64, NAME_MOST, name, hash);
    free(name);
    return hashed;
}

plu_status plu_campaign_add(plu_campaign *campaign, char *const *values)
{
    if (plu_reserve(&campaign->cases, &campaign->cases_capacity, (size_t)campaign->cases_count + 1,
                    sizeof *campaign->cases, 1, NULL) != PLU_OK)
        return PLU_IO;
    plu_case *added = &campaign->cases[campaign->cases_count++];
    bool fine = true;
    added->name = name_case(campaign, values);
    added->values = calloc((size_t)campaign->keys.count + 1, sizeof *added->values);
    for (int k = 0; added->values && k < campaign->keys.count; k++)
        fine = (added->values[k] = strdup(values[k])) && fine;
    return fine && added->name && added->values ? PLU_OK : PLU_IO;
}

/* Adds combination number `index` if it passes the filters. */
static void add_case(expansion *x, long index)
{
    char *values[INPUTS_MOST];
    for (int a = x->axes_count - 1, k = x->campaign->keys.count; a >= 0; a--) {
        const plu_axis *axis = &x->axes[a];
        const long row = index % axis->rows;
        index /= axis->rows;
        for (int i = axis->keys.count - 1; i >= 0; i--)
            values[--k] = axis->values.text[row * axis->keys.count + i];
    }
    for (int f = 0; f < x->filters_count; f++)
        if (!plu_filter_passes(&x->filters[f], values))
            return;
    if (plu_campaign_add(x->campaign, values) != PLU_OK)
        x->reader->status = PLU_IO;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reports cases of the same name, which would share a folder. */
static void check_names(expansion *x)
{
    const int count = x->campaign->cases_count;
    char **names = plu_alloc((size_t)count, sizeof *names, NULL);
    if (!names) {
        x->reader->status = PLU_IO;
        return;
    }
    for (int i = 0; i < count; i++)
        names[i] = x->campaign->cases[i].name;
    qsort(names, (size_t)count, sizeof *names, by_name);
    for (int i = 1; i < count; i++)
        if (strcmp(names[i - 1], names[i]) == 0) {
            plu_complain(x->reader, x->axes_count ? x->axes[0].place : 1,
                         "two cases are the same: %s", names[i]);
            break;
        }
    free(names);
}

/* Stops as soon as there are too many: the product could exceed a long. */
static long combinations(const expansion *x)
{
    long total = 1;
    for (int a = 0; a < x->axes_count && total <= CASES_MOST; a++)
        total *= x->axes[a].rows;
    return total;
}

void plu_cases_expand(plu_campaign *campaign, plu_reader *reader, const plu_axis *axes, int count,
                      const config_setting_t *where)
{
    expansion x = {.campaign = campaign, .reader = reader, .axes = axes, .axes_count = count};
    gather_inputs(&x);
    read_filters(&x, where);
    if (campaign->keys.count > INPUTS_MOST)
        plu_complain(reader, 1, "more than %d inputs", INPUTS_MOST);
    const long total = combinations(&x);
    if (total > CASES_MOST)
        plu_complain(reader, 1, "more than %d combinations of the axes", CASES_MOST);
    if (reader->messages_count == 0) {
        for (long i = 0; i < total && reader->status == PLU_OK; i++)
            add_case(&x, i);
        if (reader->status == PLU_OK && campaign->cases_count == 0)
            plu_complain(reader, where ? plu_setting_place(reader, where) : 1,
                         "`where` leaves no case of %ld combinations", total);
        if (reader->status == PLU_OK && campaign->cases_count > 0)
            check_names(&x);
    }
    free(x.filters);
}
