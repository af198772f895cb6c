/* Particles of molecular dynamics: extended XYZ, and the text dump of LAMMPS. Both hold the active
 * bodies, frame by frame, with the quantities that the trajectory has, and the periodic cell, whose
 * edge a lies along x, b along y, while c leans towards x where it is sheared. Where space is open
 * along one of its edges the box around the spheres takes its place.
 *
 *   extended XYZ                                   LAMMPS
 *   2                                              ITEM: UNITS
 *   Properties=species:S:1:id:I:1:material:I:1     si
 *     :pos:R:3:radius:R:1 Time=0.1 Step=100        ITEM: TIME
 *     pbc="F F F"      (all this on one line)      0.1
 *   X 0 1 0.01 0.02 0.5 0.005                      ITEM: TIMESTEP  ... NUMBER OF ATOMS
 *   X 1 1 0.03 0.02 0.5 0.005                      ITEM: BOX BOUNDS ss ss ss  ... ATOMS id type ...
 *
 * A sheared cell of LAMMPS is given by the box around it, which c leaves by xz:
 *
 *       x_lo        x_lo + a
 *         +------------+ . . .        bounds: from x_lo + min(xz, 0)
 *          \            \  :                  to   x_lo + a + max(xz, 0)
 *           \            \ :  c       for xz > 0 (drawn leaning to +x, z downwards)
 *            +------------+ */
#include "cli/export/export.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum quantity {
    ID,
    KIND,
    PLACE,
    RADIUS,
    MASS,
    VELOCITY,
    SPIN,
    TURN,
    FORCE,
    TORQUE,
    STRESS,
    DISSIPATION,
    COORDINATION
} quantity;

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
    {TURN, 4, "orientation:R:4", "quati quatj quatk quatw"},
    {FORCE, 3, "force:R:3", "fx fy fz"},
    {TORQUE, 3, "torque:R:3", "tqx tqy tqz"},
    {STRESS, 9, "stress:R:9", "sxx sxy sxz syx syy syz szx szy szz"},
    {DISSIPATION, 1, "dissipation:R:1", "dissipation"},
    {COORDINATION, 1, "coordination:I:1", "coordination"},
};
enum { COLUMNS = sizeof columns / sizeof *columns, NUMBERS = 34, BLOCK = 4096 };

/* The numbers of body b; NULL: the file does not have them. */
static const double *numbers_of(const plu_frame_data *f, quantity what, int b)
{
    const double(*rows)[3] = what == PLACE      ? f->position
                             : what == VELOCITY ? f->velocity
                             : what == SPIN     ? f->angular_velocity
                             : what == FORCE    ? f->force
                             : what == TORQUE   ? f->torque
                                                : NULL;
    if (what == TURN)
        return f->orientation ? f->orientation[b] : NULL;
    if (what == STRESS)
        return f->stress ? f->stress[b] : NULL;
    if (what == DISSIPATION)
        return f->dissipation ? f->dissipation + b : NULL;
    const double *column = what == RADIUS ? f->radius : what == MASS ? f->mass : NULL;
    return rows ? rows[b] : column ? column + b : NULL;
}

static bool is_whole(quantity what)
{
    return what == ID || what == KIND || what == COORDINATION;
}

/* Kinds begin with 1: LAMMPS knows no type 0. */
static int whole_of(const plu_frame_data *f, quantity what, int b)
{
    return what == ID ? f->id[b] : what == KIND ? f->species[b] + 1 : f->coordination[b];
}

/* Columns that the file lacks are left out of every row, and out of the list of columns as well. */
static bool has(const plu_frame_data *f, quantity what)
{
    return what == COORDINATION ? f->coordination != NULL
                                : is_whole(what) || numbers_of(f, what, 0) != NULL;
}

/* Blanks separate columns: an unknown number has a word. */
static char *put_real(char *to, double x, int digits)
{
    if (!isnan(x))
        return plu_digits_long(to, x, digits);
    memcpy(to, "nan", 3);
    return to + 3;
}

/* The row of body b, with `first` before it and coordinates of so many digits; the end. Quaternions
 * have their scalar first in a frame and last in both formats. */
static char *put_row(char *to, const plu_frame_data *f, int b, const char *first, int digits)
{
    memcpy(to, first, strlen(first));
    to += strlen(first);
    for (int k = 0; k < COLUMNS; k++) {
        const struct column *c = &columns[k];
        if (!has(f, c->what))
            continue;
        if (is_whole(c->what)) {
            to = plu_digits_whole(to, whole_of(f, c->what, b));
            *to++ = ' ';
            continue;
        }
        const double *x = numbers_of(f, c->what, b);
        for (int i = 0; i < c->numbers; i++) {
            to = put_real(to, x[c->what == TURN ? (i + 1) % 4 : i], c->what == PLACE ? digits : 0);
            *to++ = ' ';
        }
    }
    to[-1] = '\n';
    return to;
}

/* Rows are collected in a block of 4096 and written at once. */
static void put_rows(FILE *out, char *text, const plu_frame_data *f, const char *first)
{
    char *to = text;
    const int digits = plu_export_digits(f);
    int rows = 0;
    for (int b = 0; b < f->bodies; b++) {
        if (f->state[b] != PLU_ACTIVE)
            continue;
        to = put_row(to, f, b, first, digits);
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

/* The smallest box around all spheres. */
static void find_box(const plu_frame_data *f, double low[3], double high[3])
{
    for (int i = 0; i < 3; i++) {
        low[i] = HUGE_VAL;
        high[i] = -HUGE_VAL;
    }
    for (int b = 0; b < f->bodies; b++)
        for (int i = 0; f->state[b] == PLU_ACTIVE && i < 3; i++) {
            low[i] = fmin(low[i], f->position[b][i] - f->radius[b]);
            high[i] = fmax(high[i], f->position[b][i] + f->radius[b]);
        }
    for (int i = 0; i < 3; i++)
        if (!(low[i] <= high[i]))
            low[i] = high[i] = 0.0;
}

/* The cell, closed around the spheres where it is open; where it begins, and its edges in rows. */
static void find_cell(const plu_frame_data *f, double origin[3], double edge[3][3])
{
    double low[3], high[3];
    find_box(f, low, high);
    memcpy(edge, f->cell.edge, sizeof f->cell.edge);
    for (int k = 0; k < 3; k++) {
        origin[k] = f->cell.periodic[k] ? f->cell.origin[k] : low[k];
        if (!f->cell.periodic[k])
            edge[k][k] = high[k] - low[k];
    }
}

/* As ASE and OVITO read it: the edges, row by row. */
static void put_lattice(FILE *out, const plu_frame_data *f)
{
    double origin[3], edge[3][3];
    find_cell(f, origin, edge);
    fputs("Lattice=\"", out);
    for (int k = 0; k < 9; k++)
        fprintf(out, "%s%.12g", k ? " " : "", edge[k / 3][k % 3]);
    fprintf(out, "\" Origin=\"%.15g %.15g %.15g\" ", origin[0], origin[1], origin[2]);
}

/* No chemical symbol: programs of chemistry take X for an element without properties. */
static void write_xyz(FILE *out, char *text, const plu_frame_data *f)
{
    fprintf(out, "%d\n", count_active(f));
    if (f->cell.given)
        put_lattice(out, f);
    fputs("Properties=species:S:1", out);
    for (int k = 0; k < COLUMNS; k++)
        if (has(f, columns[k].what))
            fprintf(out, ":%s", columns[k].xyz);
    const char *pbc[3];
    for (int k = 0; k < 3; k++)
        pbc[k] = f->cell.given && f->cell.periodic[k] ? "T" : "F";
    fprintf(out, " Time=%.12g Step=%ld pbc=\"%s %s %s\"\n", f->time, f->step, pbc[0], pbc[1],
            pbc[2]);
    put_rows(out, text, f, "X ");
}

static void put_cell(FILE *out, const plu_frame_data *f)
{
    double origin[3], edge[3][3];
    find_cell(f, origin, edge);
    const double xz = edge[2][0], far[3] = {fabs(xz), 0.0, 0.0},
                 from[3] = {fmin(xz, 0.0), 0.0, 0.0};
    fprintf(out, "ITEM: BOX BOUNDS %s", xz != 0.0 ? "xy xz yz " : "");
    for (int k = 0; k < 3; k++)
        fprintf(out, "%s%c", f->cell.periodic[k] ? "pp" : "ss", k < 2 ? ' ' : '\n');
    for (int k = 0; k < 3; k++) {
        const double low = origin[k] + from[k];
        fprintf(out, "%.15g %.15g", low, low + edge[k][k] + far[k]);
        if (xz != 0.0) /* the box around the cell, and by how much it leans */
            fprintf(out, " %.12g", k == 1 ? xz : 0.0);
        fputc('\n', out);
    }
}

/* Without a cell the box shrinks around the spheres ("ss"), as LAMMPS calls it. */
static void put_box(FILE *out, const plu_frame_data *f)
{
    double low[3], high[3];
    if (f->cell.given) {
        put_cell(out, f);
        return;
    }
    find_box(f, low, high);
    fprintf(out, "ITEM: BOX BOUNDS ss ss ss\n");
    for (int i = 0; i < 3; i++)
        fprintf(out, "%.15g %.15g\n", low[i], high[i]);
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
    for (long k = export->first; k < export->end; k++) {
        plu_frame_data frame;
        const plu_status status = plu_export_frame(export, k, &frame, err);
        if (status != PLU_OK)
            return status;
        w->frame(out, w->text, &frame);
    }
    return PLU_OK;
}

static plu_status export_by(const plu_export *export, writer w, plu_error *err)
{
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
