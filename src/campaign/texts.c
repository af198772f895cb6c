#include "base/memory.h"
#include "campaign/campaign.h"
#include <stdlib.h>
#include <string.h>

plu_status plu_texts_add(plu_texts *texts, const char *text)
{
    if (plu_reserve(&texts->text, &texts->capacity, (size_t)texts->count + 1, sizeof *texts->text,
                    1, NULL) != PLU_OK)
        return PLU_IO;
    char *copy = strdup(text);
    if (!copy)
        return PLU_IO;
    texts->text[texts->count++] = copy;
    return PLU_OK;
}

int plu_texts_find(const plu_texts *texts, const char *text)
{
    for (int i = 0; i < texts->count; i++)
        if (strcmp(texts->text[i], text) == 0)
            return i;
    return -1;
}

void plu_texts_free(plu_texts *texts)
{
    for (int i = 0; i < texts->count; i++)
        free(texts->text[i]);
    free(texts->text);
    memset(texts, 0, sizeof *texts);
}
