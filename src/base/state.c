#include "base/state.h"
#include <stdarg.h>
#include <stdio.h>

size_t plu_state_size(plu_state_type type)
{
    static const size_t sizes[] = {[PLU_STATE_REAL] = sizeof(double),
                                   [PLU_STATE_INT] = sizeof(int),
                                   [PLU_STATE_LONG] = sizeof(long),
                                   [PLU_STATE_BYTE] = 1,
                                   [PLU_STATE_REAL_OR_NONE] = sizeof(double)};
    _Static_assert(sizeof sizes / sizeof *sizes == PLU_STATE_TYPES, "a size for each type");
    return sizes[type];
}

static void visit(plu_state *state, const char *name, plu_state_type type, size_t rows,
                  size_t columns, void *data)
{
    if (state->status == PLU_OK)
        state->array(state, name, type, rows, columns, data);
}

void plu_state_real(plu_state *state, const char *name, size_t rows, size_t columns, double *data)
{
    visit(state, name, PLU_STATE_REAL, rows, columns, data);
}

void plu_state_real_or_none(plu_state *state, const char *name, size_t rows, size_t columns,
                            double *data)
{
    visit(state, name, PLU_STATE_REAL_OR_NONE, rows, columns, data);
}

void plu_state_int(plu_state *state, const char *name, size_t rows, size_t columns, int *data)
{
    visit(state, name, PLU_STATE_INT, rows, columns, data);
}

void plu_state_long(plu_state *state, const char *name, size_t rows, size_t columns, long *data)
{
    _Static_assert(sizeof(long) == 8, "counters of a run have 64 bits");
    visit(state, name, PLU_STATE_LONG, rows, columns, data);
}

void plu_state_byte(plu_state *state, const char *name, size_t rows, size_t columns,
                    unsigned char *data)
{
    visit(state, name, PLU_STATE_BYTE, rows, columns, data);
}

void plu_state_refuse(plu_state *state, const char *format, ...)
{
    if (state->status != PLU_OK)
        return;
    char what[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    state->status = plu_fail(state->err, PLU_BAD_INPUT, "%s: %s", state->source, what);
}
