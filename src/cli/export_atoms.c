/* Particles of molecular dynamics: extended XYZ, and the text dump of LAMMPS. Both hold the active
 * bodies, frame by frame, with the quantities that the trajectory has. */
#include "digits.h"
#include "export.h"
#include "run_scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum quantity { ID, KIND, PLACE, RADIUS, MASS, VELOCITY, SPIN, FORCE } quantity;

/* What the columns of a quantity are called; NULL: not written. */
static const struct column {
    quantity what;
    int numbers;
    const char *xyz, *lammps;
} columns[] = {
    {ID, 1, "id:I:1", "id"},
    {KIND, 1, "material:I:1", "type"},
    {PLACE, 3, "pos:R:3", "x y z"},
    {RADIUS, 1, "radius:R:1", "radius"},
    {MASS, 1, "mass:R:1", "mass"},
    {VELOCITY, 3, "velo:R:3", "vx vy vz"},
    {SPIN, 3, "angular_velocity:R:3", "omegax omegay omegaz"},
    {FORCE, 3, "force:R:3", "fx fy fz"},
};
enum { COLUMNS = sizeof columns / sizeof *columns, NUMBERS = 16, BLOCK = 4096 };

/* Three numbers of body b, or one; NULL: the file does not have them. */
static const double *numbers_of(const plu_frame_data *f, quantity what, int b)
{
    const double(*rows)[3] = what == PLACE      ? f->position
                             : what == VELOCITY ? f->velocity
                             : what == SPIN     ? f->angular_velocity
                             : what == FORCE    ? f->force
                                                : NULL;
    const double *column = what == RADIUS ? f->radius : what == MASS ? f->mass : NULL;
    return rows ? rows[b] : column ? column + b : NULL;
}

static bool has(const plu_frame_data *f, quantity what)
{
    return what == ID || what == KIND || numbers_of(f, what, 0) != NULL;
}

/* The row of body b, with `first` before it; the end. */
static char *put_row(char *to, const plu_frame_data *f, int b, const char *first)
{
    memcpy(to, first, strlen(first));
    to += strlen(first);
    for (int k = 0; k < COLUMNS; k++) {
        const struct column *c = &columns[k];
        if (!has(f, c->what))
            continue;
        if (c->what == ID || c->what == KIND) {
            to = plu_digits_whole(to, c->what == ID ? f->id[b] : f->species[b] + 1);
            *to++ = ' ';
            continue;
        }
        const double *x = numbers_of(f, c->what, b);
        for (int i = 0; i < c->numbers; i++) {
            to = plu_digits_real(to, x[i]);
            *to++ = ' ';
        }
    }
    to[-1] = '\n';
    return to;
}

static void put_rows(FILE *out, char *text, const plu_frame_data *f, const char *first)
{
    char *to = text;
    int rows = 0;
    for (int b = 0; b < f->bodies; b++) {
        if (f->state[b] != PLU_ACTIVE)
            continue;
        to = put_row(to, f, b, first);
        if (++rows % BLOCK == 0) {
            fwrite(text, 1, (size_t)(to - text), out);
            to = text;
        }
    }
    fwrite(text, 1, (size_t)(to - text), out);
}

static int count_active(const plu_frame_data *f)
{
    int count = 0;
    for (int b = 0; b < f->bodies; b++)
        count += f->state[b] == PLU_ACTIVE;
    return count;
}

/* No chemical symbol: programs of chemistry take X for an element without properties. */
static void write_xyz(FILE *out, char *text, const plu_frame_data *f)
{
    fprintf(out, "%d\nProperties=species:S:1", count_active(f));
    for (int k = 0; k < COLUMNS; k++)
        if (has(f, columns[k].what))
            fprintf(out, ":%s", columns[k].xyz);
    fprintf(out, " Time=%.12g Step=%ld pbc=\"F F F\"\n", f->time, f->step);
    put_rows(out, text, f, "X ");
}

/* The smallest box around all spheres. */
static void put_box(FILE *out, const plu_frame_data *f)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = 0; b < f->bodies; b++)
        for (int i = 0; f->state[b] == PLU_ACTIVE && i < 3; i++) {
            low[i] = fmin(low[i], f->position[b][i] - f->radius[b]);
            high[i] = fmax(high[i], f->position[b][i] + f->radius[b]);
        }
    fprintf(out, "ITEM: BOX BOUNDS ss ss ss\n");
    for (int i = 0; i < 3; i++)
        fprintf(out, "%.9g %.9g\n", low[i] <= high[i] ? low[i] : 0.0,
                low[i] <= high[i] ? high[i] : 0.0);
}

static void write_lammps(FILE *out, char *text, const plu_frame_data *f)
{
    fprintf(out, "ITEM: UNITS\nsi\nITEM: TIME\n%.12g\nITEM: TIMESTEP\n%ld\n", f->time, f->step);
    fprintf(out, "ITEM: NUMBER OF ATOMS\n%d\n", count_active(f));
    put_box(out, f);
    fputs("ITEM: ATOMS", out);
    for (int k = 0; k < COLUMNS; k++)
        if (has(f, columns[k].what))
            fprintf(out, " %s", columns[k].lammps);
    fputc('\n', out);
    put_rows(out, text, f, "");
}

typedef struct writer {
    void (*frame)(FILE *out, char *text, const plu_frame_data *f);
    char *text; /* of a block of rows */
} writer;

static plu_status write_frames(const plu_export *export, FILE *out, const void *user,
                               plu_error *err)
{
    const writer *w = user;
    const long from = export->frame < 0 ? 0 : export->frame;
    const long to = export->frame < 0 ? plu_frames_count(export->frames) : from + 1;
    for (long k = from; k < to; k++) {
        plu_frame_data frame;
        const plu_status status = plu_frames_read(export->frames, k, &frame, err);
        if (status != PLU_OK)
            return status;
        w->frame(out, w->text, &frame);
    }
    return PLU_OK;
}

/* Rows of bodies alone would be read as if space were open. */
static plu_status refuse_cells(const plu_export *export, plu_error *err)
{
    plu_scene scene = {0};
    plu_status status = plu_run_scene_read(&scene, export->source, err);
    if (status == PLU_OK && scene.cell.given)
        status =
            plu_fail(err, PLU_BAD_INPUT,
                     "%s: option --to: xyz and lammps hold no periodic cells yet; --to csv has "
                     "the positions, the file itself edges and images",
                     export->source);
    plu_scene_free(&scene);
    return status;
}

static plu_status export_by(const plu_export *export, writer w, plu_error *err)
{
    const plu_status suits = refuse_cells(export, err);
    if (suits != PLU_OK)
        return suits;
    w.text = malloc((size_t)BLOCK * (NUMBERS * (PLU_DIGITS_ROOM + 1) + 2));
    if (!w.text)
        return plu_fail(err, PLU_IO, "out of memory: a block of rows");
    const plu_status status =
        plu_export_stream(export, export->output, PLU_OUTPUT_OTHER, write_frames, &w, err);
    free(w.text);
    return status;
}

plu_status plu_export_xyz(const plu_export *export, plu_error *err)
{
    return export_by(export, (writer){.frame = write_xyz}, err);
}

plu_status plu_export_lammps(const plu_export *export, plu_error *err)
{
    return export_by(export, (writer){.frame = write_lammps}, err);
}
