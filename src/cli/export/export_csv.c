/* A long table: one row for each active body of each frame.
 *
 *   time,id,radius,x,y,z,vx,vy,vz
 *   0,0,0.005,0.01,0.02,0.5,0,0,-0.1
 *   0,1,0.005,0.03,0.02,0.5,0,0,-0.1
 *   0.01,0,0.005,...
 *
 * --columns chooses among `known`, in the order given. A column is a source, an array of the frame,
 * and a component of it; speed and pressure (a third of the trace of the stress) are computed here.
 * A new column is a row of `known` or, with a new source, also a case in rows_of and csv_put, which
 * the compiler demands. Columns that the file does not have are an error, not empty cells. */
#include "cli/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum source {
    TIME,
    STEP,
    ID,
    SPECIES,
    RADIUS,
    MASS,
    POSITION,
    VELOCITY,
    SPIN,
    TURN,
    FORCE,
    TORQUE,
    STRESS,
    PRESSURE,
    DISSIPATION,
    COORDINATION,
    SPEED,
    FIXED
} source;

typedef struct column {
    const char *name;
    source from;
    int component;
} column;

static const column known[] = {
    {"time", TIME, 0},
    {"step", STEP, 0},
    {"id", ID, 0},
    {"species", SPECIES, 0},
    {"radius", RADIUS, 0},
    {"mass", MASS, 0},
    {"x", POSITION, 0},
    {"y", POSITION, 1},
    {"z", POSITION, 2},
    {"vx", VELOCITY, 0},
    {"vy", VELOCITY, 1},
    {"vz", VELOCITY, 2},
    {"wx", SPIN, 0},
    {"wy", SPIN, 1},
    {"wz", SPIN, 2},
    {"qw", TURN, 0},
    {"qx", TURN, 1},
    {"qy", TURN, 2},
    {"qz", TURN, 3},
    {"fx", FORCE, 0},
    {"fy", FORCE, 1},
    {"fz", FORCE, 2},
    {"speed", SPEED, 0},
    {"fixed", FIXED, 0},
    {"tx", TORQUE, 0},
    {"ty", TORQUE, 1},
    {"tz", TORQUE, 2},
    {"sxx", STRESS, 0},
    {"sxy", STRESS, 1},
    {"sxz", STRESS, 2},
    {"syx", STRESS, 3},
    {"syy", STRESS, 4},
    {"syz", STRESS, 5},
    {"szx", STRESS, 6},
    {"szy", STRESS, 7},
    {"szz", STRESS, 8},
    {"pressure", PRESSURE, 0},
    {"dissipation", DISSIPATION, 0},
    {"coordination", COORDINATION, 0},
};
enum { KNOWN = sizeof known / sizeof *known, MOST = 48, BLOCK = 4096 };

typedef struct table {
    column list[MOST];
    int count;
    char *text; /* of a block of rows */
} table;

/* Words between commas; compared by length first, so that "v" is not taken for "vx". */
static plu_status csv_choose(table *t, const char *words, plu_error *err)
{
    while (*words) {
        const size_t length = strcspn(words, ",");
        int k = 0;
        while (k < KNOWN &&
               (strlen(known[k].name) != length || strncmp(known[k].name, words, length) != 0))
            k++;
        if (k == KNOWN || t->count == MOST)
            return plu_fail(err, PLU_USAGE,
                            k == KNOWN ? "option --columns: unknown column \"%.*s\"; \"pluvia help "
                                         "export\" lists the columns"
                                       : "option --columns: too many columns, from \"%.*s\" on",
                            (int)length, words);
        t->list[t->count++] = known[k];
        words += length + (words[length] == ',');
    }
    return PLU_OK;
}

/* The rows that a column comes from; NULL where the file does not have them. */
static const void *rows_of(const plu_frame_data *f, source from)
{
    switch (from) {
    case TIME:
    case STEP:
    case FIXED: /* files without it have none that is */
        return f;
    case ID:
        return f->id;
    case SPECIES:
        return f->species;
    case RADIUS:
        return f->radius;
    case MASS:
        return f->mass;
    case POSITION:
        return f->position;
    case VELOCITY:
    case SPEED:
        return f->velocity;
    case SPIN:
        return f->angular_velocity;
    case TURN:
        return f->orientation;
    case FORCE:
        return f->force;
    case TORQUE:
        return f->torque;
    case STRESS:
    case PRESSURE:
        return f->stress;
    case DISSIPATION:
        return f->dissipation;
    case COORDINATION:
        return f->coordination;
    }
    return NULL;
}

/* `digits` of positions. */
static char *csv_put(char *to, const plu_frame_data *f, const column *c, int body, int digits)
{
    const int i = c->component;
    switch (c->from) {
    case TIME:
        return plu_digits_real(to, f->time);
    case STEP:
        return plu_digits_whole(to, f->step);
    case ID:
        return plu_digits_whole(to, f->id[body]);
    case FIXED:
        return plu_digits_whole(to, f->fixed ? f->fixed[body] : 0);
    case SPECIES:
        return plu_digits_whole(to, f->species[body]);
    case RADIUS:
        return plu_digits_real(to, f->radius[body]);
    case MASS:
        return plu_digits_real(to, f->mass[body]);
    case POSITION:
        return plu_digits_long(to, f->position[body][i], digits);
    case VELOCITY:
        return plu_digits_real(to, f->velocity[body][i]);
    case SPIN:
        return plu_digits_real(to, f->angular_velocity[body][i]);
    case TURN:
        return plu_digits_real(to, f->orientation[body][i]);
    case FORCE:
        return plu_digits_real(to, f->force[body][i]);
    case TORQUE:
        return plu_digits_real(to, f->torque[body][i]);
    case STRESS:
        return plu_digits_real(to, f->stress[body][i]);
    case PRESSURE: {
        const double *s = f->stress[body];
        return plu_digits_real(to, (s[0] + s[4] + s[8]) / 3.0);
    }
    case DISSIPATION:
        return plu_digits_real(to, f->dissipation[body]);
    case COORDINATION:
        return plu_digits_whole(to, f->coordination[body]);
    case SPEED: {
        const double *v = f->velocity[body];
        return plu_digits_real(to, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    }
    return to;
}

static void write_rows(FILE *out, const table *t, const plu_frame_data *f)
{
    char *to = t->text;
    const int digits = plu_export_digits(f);
    int rows = 0;
    for (int b = 0; b < f->bodies; b++) {
        if (f->state[b] != PLU_ACTIVE)
            continue;
        for (int k = 0; k < t->count; k++) {
            to = csv_put(to, f, &t->list[k], b, digits);
            *to++ = k + 1 < t->count ? ',' : '\n';
        }
        if (++rows % BLOCK == 0) {
            fwrite(t->text, 1, (size_t)(to - t->text), out);
            to = t->text;
        }
    }
    fwrite(t->text, 1, (size_t)(to - t->text), out);
}

/* At each frame: it costs nothing, and files of other programs may change. */
static plu_status check_columns(const plu_export *export, const table *t, const plu_frame_data *f,
                                plu_error *err)
{
    for (int k = 0; k < t->count; k++)
        if (!rows_of(f, t->list[k].from))
            return plu_fail(err, PLU_BAD_INPUT,
                            "%s does not contain what column \"%s\" needs (output.quantities, "
                            "or output.contacts, of the scene); choose other columns by --columns",
                            export->source, t->list[k].name);
    return PLU_OK;
}

static plu_status write_table(const plu_export *export, FILE *out, const void *user, plu_error *err)
{
    const table *t = user;
    for (int k = 0; k < t->count; k++)
        fprintf(out, "%s%c", t->list[k].name, k + 1 < t->count ? ',' : '\n');
    for (long k = export->first; k < export->end; k++) {
        plu_frame_data frame;
        plu_status status = plu_export_frame(export, k, &frame, err);
        if (status == PLU_OK)
            status = check_columns(export, t, &frame, err);
        if (status != PLU_OK)
            return status;
        write_rows(out, t, &frame);
    }
    return PLU_OK;
}

plu_status plu_export_csv(const plu_export *export, plu_error *err)
{
    table t = {.count = 0};
    plu_status status =
        csv_choose(&t, export->columns ? export->columns : "time,id,radius,x,y,z,vx,vy,vz", err);
    if (status != PLU_OK)
        return status;
    t.text = malloc((size_t)BLOCK * MOST * (PLU_DIGITS_ROOM + 1));
    if (!t.text)
        return plu_fail(err, PLU_IO, "out of memory: a block of the table");
    status = plu_export_stream(export, export->output, PLU_OUTPUT_TABLE, write_table, &t, err);
    free(t.text);
    return status;
}
