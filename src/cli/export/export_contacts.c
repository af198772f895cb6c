/* The contacts of a frame that bear forces, as links (network.h) and as a long table: a row for
 * each contact of each frame.
 *
 *   time,id1,id2,boundary,mode,normal_force,tangential_force,x,y,z,nx,ny,nz,gap,fx,fy,fz,mx,my,mz
 *   0.1,3,17,-1,1,0.021,0.0064,...     two bodies: boundary -1
 *   0.1,-1,17,0,1,0.035,0.0101,...     body 17 and boundary 0: id1 -1
 *
 * Files have impulses of a step; divided by its length dt these are mean forces. They act on id2,
 * the normal points from id1 to id2.
 *
 * In a periodic cell a contact may join a body with an image of the other. Its link begins at this
 * image, which follows from normal and gap (see `place`):
 *
 *   |        o--b     |   a touches b across the side of the cell; drawn to the center of a itself,
 *   |  a              |   the link would cross the whole cell
 *   ^ image of a is to the left of b by radius + radius + gap, against the normal */
#include "cli/base/run_scene.h"
#include "cli/export/export.h"
#include "cli/export/network.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 17, BLOCK = 4096, WHOLE = 4 };

static const char head[] =
    "time,id1,id2,boundary,mode,normal_force,tangential_force,x,y,z,nx,ny,nz,gap,fx,fy,fz,mx,my,mz";

/* Coordinates get as many digits as places need (plu_export_digits), all else nine. */
static char *put_link(char *to, const plu_link *l, double time, int digits)
{
    const int whole[WHOLE] = {l->a, l->b, l->boundary, l->mode};
    to = plu_digits_real(to, time);
    for (int i = 0; i < WHOLE; i++) {
        *to++ = ',';
        to = plu_digits_whole(to, whole[i]);
    }
    const double numbers[] = {l->normal_force, l->tangential_force, l->point[0],  l->point[1],
                              l->point[2],     l->normal[0],        l->normal[1], l->normal[2],
                              l->gap,          l->force[0],         l->force[1],  l->force[2],
                              l->torque[0],    l->torque[1],        l->torque[2]};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *to++ = ',';
        to = i >= 2 && i < 5 ? plu_digits_long(to, numbers[i], digits)
                             : plu_digits_real(to, numbers[i]);
    }
    *to++ = '\n';
    return to;
}

typedef struct table {
    plu_network network;
    char *text; /* of a block of rows */
} table;

static void put_links(FILE *out, const table *t, const plu_frame_data *f)
{
    char *to = t->text;
    const int digits = plu_export_digits(f);
    for (int k = 0; k < t->network.count; k++) {
        to = put_link(to, &t->network.link[k], f->time, digits);
        if ((k + 1) % BLOCK == 0) {
            fwrite(t->text, 1, (size_t)(to - t->text), out);
            to = t->text;
        }
    }
    fwrite(t->text, 1, (size_t)(to - t->text), out);
}

static plu_status write_table(const plu_export *export, FILE *out, const void *user, plu_error *err)
{
    table *t = *(table *const *)user;
    for (long k = export->first; k < export->end; k++) {
        plu_frame_data frame;
        plu_status status = plu_frames_read(export->frames, k, &frame, err);
        if (status == PLU_OK)
            status = plu_network_take(&t->network, &frame, export->source, err);
        if (status != PLU_OK)
            return status;
        if (k == export->first) /* not before it is known that there are contacts */
            fprintf(out, "%s\n", head);
        put_links(out, t, &frame);
    }
    return PLU_OK;
}

plu_status plu_export_contacts(const plu_export *export, plu_error *err)
{
    plu_scene scene = {0};
    table t = {.text = malloc((size_t)BLOCK * (NUMBERS + WHOLE) * (PLU_DIGITS_ROOM + 1))}, *at = &t;
    plu_status status = t.text ? plu_run_scene_read(&scene, export->source, export->frames, err)
                               : plu_fail(err, PLU_IO, "out of memory: a block of the table");
    if (status == PLU_OK)
        status = plu_network_begin(&t.network, &scene, export->source, err);
    if (status == PLU_OK)
        status = plu_export_stream(export, export->output, PLU_OUTPUT_TABLE, write_table, &at, err);
    plu_network_free(&t.network);
    plu_scene_free(&scene);
    free(t.text);
    return status;
}

plu_status plu_network_begin(plu_network *n, const plu_scene *scene, const char *trajectory,
                             plu_error *err)
{
    *n = (plu_network){.boundaries = scene->boundaries_count};
    n->first_part = calloc((size_t)n->boundaries + 1, sizeof *n->first_part);
    return n->first_part ? plu_trajectory_parts(n->first_part, scene, trajectory, err)
                         : plu_fail(err, PLU_IO, "out of memory: %d boundaries", n->boundaries);
}

void plu_network_free(plu_network *n)
{
    free(n->link);
    free(n->first_part);
    *n = (plu_network){0};
}

/* The boundary of a part: parts are numbered from boundary to boundary, and first_part is -1 for a
 * boundary without parts. */
static int boundary_of(const plu_network *n, int part)
{
    int found = -1;
    for (int b = 0; b < n->boundaries; b++)
        if (n->first_part[b] >= 0 && n->first_part[b] <= part)
            found = b;
    return found;
}

static bool active(const plu_frame_data *f, int body)
{
    return body >= 0 && body < f->bodies && f->state[body] == PLU_ACTIVE;
}

/* Where a is as b sees it: its center, or that of the image that touches b. */
static void place(plu_link *l, const plu_frame_data *f)
{
    const double *x = f->position[l->b], *y = f->position[l->a];
    const double reach = f->radius[l->a] + f->radius[l->b];
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        l->to[i] = x[i];
        l->from[i] = x[i] - (reach + l->gap) * l->normal[i];
        square += (l->from[i] - y[i]) * (l->from[i] - y[i]);
    }
    /* Within a radius of the body itself: it is no image, and its center has no error of rounding.
     */
    if (!f->cell.given || square < f->radius[l->a] * f->radius[l->a])
        memcpy(l->from, y, sizeof l->from);
}

static void set(plu_link *l, const plu_network *n, const plu_frame_data *f,
                const plu_contact_row *c)
{
    const bool pair = plu_side_is_sphere(c->a);
    *l = (plu_link){.a = pair ? plu_side_sphere(c->a) : -1,
                    .b = c->b,
                    .boundary = pair ? -1 : boundary_of(n, plu_side_part(c->a)),
                    .mode = c->mode,
                    .gap = c->gap,
                    .normal_force = c->impulse_normal / f->dt};
    for (int i = 0; i < 3; i++) {
        l->point[i] = c->point[i];
        l->normal[i] = c->normal[i];
        l->force_normal[i] = l->normal_force * c->normal[i];
        l->force_tangential[i] = c->impulse_tangent[i] / f->dt;
        l->force[i] = l->force_normal[i] + l->force_tangential[i];
        l->torque[i] = c->impulse_moment[i] / f->dt;
    }
    const double *t = l->force_tangential;
    l->tangential_force = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    if (pair) {
        place(l, f);
        return;
    }
    memcpy(l->from, f->position[l->b], sizeof l->from);
    memcpy(l->to, c->point, sizeof l->to);
}

/* Contacts that only wait nearby are in files, too; they bear nothing. */
static bool acts(const plu_contact_row *c)
{
    bool any = c->impulse_normal != 0.0;
    for (int i = 0; i < 3; i++)
        any |= c->impulse_tangent[i] != 0.0 || c->impulse_moment[i] != 0.0;
    return any;
}

plu_status plu_network_take(plu_network *n, const plu_frame_data *f, const char *source,
                            plu_error *err)
{
    n->count = n->walls = 0;
    if (f->contacts < 0)
        return plu_fail(err, PLU_BAD_INPUT,
                        "%s contains no contacts; run the scene with output.contacts = true",
                        source);
    if ((size_t)f->contacts > n->room) {
        free(n->link);
        n->room = (size_t)f->contacts;
        n->link = malloc(n->room * sizeof *n->link);
        if (!n->link) {
            n->room = 0;
            return plu_fail(err, PLU_IO, "out of memory: %d contacts", f->contacts);
        }
    }
    for (int k = 0; f->dt > 0.0 && k < f->contacts; k++) {
        const plu_contact_row *c = &f->contact[k];
        const bool pair = plu_side_is_sphere(c->a);
        if (!active(f, c->b) || (pair && !active(f, plu_side_sphere(c->a))) || !acts(c))
            continue;
        set(&n->link[n->count++], n, f, c);
        n->walls += !pair;
    }
    return PLU_OK;
}
