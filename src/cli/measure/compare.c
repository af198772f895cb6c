/* pluvia compare: the largest difference of two trajectories, quantity by quantity. The scale of a
 * quantity is its largest value in both, so that a tolerance means the same for positions and for
 * forces:
 *
 *     differs  if  max |a - b| > tolerance x max(|a|, |b|) ,   over all rows and frames
 *
 * Without a tolerance that asks for equal bits, but 0 and -0, and NAN of the same bits, are the
 * same. Frames are compared in their order as far as both files go, and a number in only one file
 * is a difference. */
#include "cli/base/commands.h"
#include "cli/base/text.h"
#include "pluvia/frames.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOLERANCE, JSON };

static const plu_option options[] = {
    [TOLERANCE] = {0, "tolerance", "X", NULL,
                   "differences up to X times the largest value of the quantity are\n"
                   "ignored; without this option all bits must be equal"},
    [JSON] = {0, "json", NULL, NULL, "one JSON object"},
};

/* Largest difference of one quantity. */
typedef struct difference {
    const char *name;
    double largest; /* difference; infinite where one of the two is not a number */
    double scale;   /* largest value in A or B */
    double time;    /* s, of the largest */
    int row;        /* of the body or the boundary; -1: none */
    bool boundary;  /* rows are boundaries */
    bool missing;   /* in only one of the files */
} difference;

typedef struct comparison {
    plu_frames *a, *b;
    bool exact;
    double tolerance;
    int count;
    difference list[300];
} comparison;

/* == takes 0 and -0 for the same, memcmp NAN of the same bits. */
static bool same_bits(double x, double y)
{
    return memcmp(&x, &y, sizeof x) == 0 || x == y;
}

/* A NAN or an infinity in one of the two is an infinite difference, beyond any tolerance. */
static void compare_look(difference *d, double x, double y, double time, int row)
{
    if (isfinite(x) && isfinite(y))
        d->scale = fmax(d->scale, fmax(fabs(x), fabs(y)));
    if (same_bits(x, y))
        return;
    const double apart = isfinite(x) && isfinite(y) ? fabs(x - y) : (double)INFINITY;
    if (apart > d->largest || d->largest == 0.0) {
        d->largest = apart;
        d->time = time;
        d->row = row;
    }
}

/* The quantity of this name, a new one at its first occurrence; 300 hold all names of a file. */
static difference *compare_add(comparison *c, const char *name)
{
    for (int i = 0; i < c->count; i++)
        if (strcmp(c->list[i].name, name) == 0)
            return &c->list[i];
    c->list[c->count] = (difference){.name = name, .row = -1};
    return &c->list[c->count++];
}

/* `a` and `b` are arrays of [rows][width] doubles; NULL: not in the file. */
static void look_at_rows(comparison *c, const char *name, const void *a, const void *b, int width,
                         int rows, double time)
{
    if (!a && !b)
        return;
    difference *d = compare_add(c, name);
    d->missing = !a || !b;
    if (d->missing)
        return;
    const double *x = a, *y = b;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < width; k++)
            compare_look(d, x[(size_t)i * (size_t)width + (size_t)k],
                         y[(size_t)i * (size_t)width + (size_t)k], time, i);
}

static void look_at_boundary_rows(comparison *c, const char *name, const void *a, const void *b,
                                  int width, const plu_frame_data *f)
{
    if (!a && !b)
        return;
    compare_add(c, name)->boundary = true;
    look_at_rows(c, name, a, b, width, f->boundaries, f->time);
}

/* Boundaries have a place where one moves or is removed, or where the scene asks for it. */
static void look_at_boundaries(comparison *c, const plu_frame_data *a, const plu_frame_data *b)
{
    if (a->boundaries == 0 && b->boundaries == 0)
        return;
    difference *count = compare_add(c, "boundaries");
    count->missing = a->boundaries == 0 || b->boundaries == 0;
    if (count->missing)
        return;
    compare_look(count, a->boundaries, b->boundaries, a->time, -1);
    if (a->boundaries != b->boundaries)
        return;
    difference *position = compare_add(c, "boundary position"),
               *rotation = compare_add(c, "boundary rotation"),
               *state = compare_add(c, "boundary state");
    position->boundary = rotation->boundary = state->boundary = true;
    for (int i = 0; i < a->boundaries; i++) {
        const plu_boundary_place *x = &a->place[i], *y = &b->place[i];
        for (int k = 0; k < 3; k++)
            compare_look(position, x->position[k], y->position[k], a->time, i);
        for (int k = 0; k < 4; k++)
            compare_look(rotation, x->rotation[k], y->rotation[k], a->time, i);
        compare_look(state, !x->gone, !y->gone, a->time, i);
    }
    look_at_boundary_rows(c, "boundary force", a->boundary_force, b->boundary_force, 3, a);
    look_at_boundary_rows(c, "boundary moment", a->boundary_moment, b->boundary_moment, 3, a);
    look_at_boundary_rows(c, "boundary stress", a->boundary_stress, b->boundary_stress, 1, a);
}

static void look_at_contacts(comparison *c, const plu_frame_data *a, const plu_frame_data *b)
{
    if (a->contacts < 0 && b->contacts < 0)
        return;
    difference *count = compare_add(c, "contact pairs"),
               *impulse = compare_add(c, "contact impulse");
    count->missing = impulse->missing = a->contacts < 0 || b->contacts < 0;
    if (count->missing)
        return;
    const int rows = a->contacts < b->contacts ? a->contacts : b->contacts;
    compare_look(count, a->contacts, b->contacts, a->time, -1);
    for (int i = 0; i < rows; i++) {
        const plu_contact_row *x = &a->contact[i], *y = &b->contact[i];
        compare_look(count, plu_side_to_file(x->a), plu_side_to_file(y->a), a->time, x->b);
        compare_look(count, x->b, y->b, a->time, x->b);
        compare_look(impulse, x->impulse_normal, y->impulse_normal, a->time, x->b);
        for (int k = 0; k < 3; k++) {
            compare_look(impulse, x->impulse_tangent[k], y->impulse_tangent[k], a->time, x->b);
            compare_look(impulse, x->impulse_moment[k], y->impulse_moment[k], a->time, x->b);
        }
    }
}

static void look_at_coordination(comparison *c, const plu_frame_data *a, const plu_frame_data *b)
{
    if (!a->coordination && !b->coordination)
        return;
    difference *d = compare_add(c, "coordination");
    d->missing = !a->coordination || !b->coordination;
    for (int i = 0; !d->missing && i < a->bodies; i++)
        compare_look(d, a->coordination[i], b->coordination[i], a->time, i);
}

static void look_at_frame(comparison *c, const plu_frame_data *a, const plu_frame_data *b)
{
    const int n = a->bodies;
    compare_look(compare_add(c, "time"), a->time, b->time, a->time, -1);
    look_at_rows(c, "position", a->position, b->position, 3, n, a->time);
    look_at_rows(c, "velocity", a->velocity, b->velocity, 3, n, a->time);
    look_at_rows(c, "angular_velocity", a->angular_velocity, b->angular_velocity, 3, n, a->time);
    look_at_rows(c, "orientation", a->orientation, b->orientation, 4, n, a->time);
    look_at_rows(c, "force", a->force, b->force, 3, n, a->time);
    look_at_rows(c, "torque", a->torque, b->torque, 3, n, a->time);
    look_at_rows(c, "stress", a->stress, b->stress, 9, n, a->time);
    look_at_rows(c, "dissipation", a->dissipation, b->dissipation, 1, n, a->time);
    look_at_rows(c, "radius", a->radius, b->radius, 1, n, a->time);
    look_at_rows(c, "mass", a->mass, b->mass, 1, n, a->time);
    look_at_coordination(c, a, b);
    difference *state = compare_add(c, "state");
    for (int i = 0; i < n; i++)
        compare_look(state, a->state[i], b->state[i], a->time, i);
    look_at_boundaries(c, a, b);
    look_at_contacts(c, a, b);
}

/* By their names, since a file of another version may have more of them. */
static plu_status look_at_observables(comparison *c, long frames, plu_error *err)
{
    plu_status status = PLU_OK;
    for (int i = 0; status == PLU_OK && i < plu_frames_observables(c->a); i++) {
        const char *name = plu_frames_observable_name(c->a, i);
        const double *x, *y = NULL;
        difference *d = compare_add(c, name);
        status = plu_frames_observable(&x, c->a, name, err);
        if (status == PLU_OK)
            status = plu_frames_observable(&y, c->b, name, err);
        d->missing = !y;
        for (long k = 0; status == PLU_OK && y && k < frames; k++)
            compare_look(d, x[k], y[k], plu_frames_time(c->a, k), -1);
    }
    return status;
}

static plu_status compare_trajectories(comparison *c, plu_error *err)
{
    const long na = plu_frames_count(c->a), nb = plu_frames_count(c->b);
    const long frames = na < nb ? na : nb;
    compare_look(compare_add(c, "frames"), (double)na, (double)nb, 0.0, -1);
    compare_look(compare_add(c, "bodies"), plu_frames_bodies(c->a), plu_frames_bodies(c->b), 0.0,
                 -1);
    if (plu_frames_bodies(c->a) != plu_frames_bodies(c->b))
        return PLU_OK;
    plu_status status = PLU_OK;
    for (long k = 0; status == PLU_OK && k < frames; k++) {
        plu_frame_data a, b;
        status = plu_frames_read(c->a, k, &a, err);
        if (status == PLU_OK)
            status = plu_frames_read(c->b, k, &b, err);
        if (status == PLU_OK)
            look_at_frame(c, &a, &b);
    }
    return status == PLU_OK ? look_at_observables(c, frames, err) : status;
}

static bool differs(const comparison *c, const difference *d)
{
    return d->missing || d->largest > (c->exact ? 0.0 : c->tolerance * d->scale);
}

static bool print_text(const comparison *c)
{
    bool different = false;
    for (int i = 0; i < c->count; i++) {
        const difference *d = &c->list[i];
        different |= differs(c, d);
        if (d->missing)
            printf("%-26s only in one of the two\n", d->name);
        else if (d->largest == 0.0)
            printf("%-26s same\n", d->name);
        else if (d->row >= 0)
            printf("%-26s %-12.3g of %-12.3g at t = %g s, %s %d\n", d->name, d->largest, d->scale,
                   d->time, d->boundary ? "boundary" : "body", d->row);
        else
            printf("%-26s %-12.3g of %-12.3g at t = %g s\n", d->name, d->largest, d->scale,
                   d->time);
    }
    printf("%s\n", different ? "different" : "same");
    return different;
}

static bool print_json(const comparison *c)
{
    bool different = false;
    printf("{");
    plu_json_key("quantities", true);
    printf("[");
    for (int i = 0; i < c->count; i++) {
        const difference *d = &c->list[i];
        different |= differs(c, d);
        printf("%s{", i ? ", " : "");
        plu_json_key("name", true);
        plu_json_string(d->name);
        plu_json_bool("missing", d->missing);
        plu_json_real("difference", d->largest, false);
        plu_json_real("scale", d->scale, false);
        plu_json_real("time", d->time, false);
        plu_json_integer("body", d->boundary ? -1 : d->row);
        plu_json_integer("boundary", d->boundary ? d->row : -1);
        printf("}");
    }
    printf("]");
    plu_json_bool("same", !different);
    printf("}\n");
    return different;
}

static int compare_run(const plu_arguments *arguments)
{
    comparison c = {.exact = !plu_argument_given(arguments, TOLERANCE)};
    plu_error err = {0};
    plu_status status = PLU_OK;
    if (!c.exact)
        status = plu_argument_positive(arguments, TOLERANCE, &c.tolerance, &err);
    if (status == PLU_OK)
        status = plu_frames_open(&c.a, arguments->operands[0], &err);
    if (status == PLU_OK)
        status = plu_frames_open(&c.b, arguments->operands[1], &err);
    if (status == PLU_OK)
        status = compare_trajectories(&c, &err);
    int code = (int)status;
    if (status != PLU_OK)
        plu_message_error(&err);
    else if (plu_argument_given(arguments, JSON))
        code = print_json(&c) ? PLU_DIFFERENT : PLU_OK;
    else
        code = print_text(&c) ? PLU_DIFFERENT : PLU_OK;
    plu_frames_close(c.a);
    plu_frames_close(c.b);
    return code;
}

const plu_command plu_command_compare = {
    .name = "compare",
    .operands = "A.h5md B.h5md",
    .least = 2,
    .most = 2,
    .summary = "show the largest differences of two trajectories",
    .examples = "pluvia compare output/first.h5md again.h5md\n"
                "pluvia compare a.h5md b.h5md --tolerance 1e-9",
    .notes = "Frames are compared one by one, in their order: bodies, contacts, observables, and\n"
             "boundaries where the files hold them (output.boundaries).\n"
             "Exit codes: 0 the same, 1 different, 3 one is damaged, 5 one cannot be opened.",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = compare_run,
};
