/* Spheres and contacts of other runs that a scene starts from, checked as they are read.
 *
 *     run.time, frame ----> frame of the trajectory (times are multiples of a step, with rounding)
 *     spheres               those that are active then, or of the entries that are asked for
 *     contacts              between spheres that both come along, and with boundaries of the same
 *                           name: with their impulses, for the warm start of the first step
 *
 * Materials are compared by name, cells by their edges; what differs is reported before anything is
 * simulated. */
#include "base/memory.h"
#include "base/vec3.h"
#include "base/words.h"
#include "io/h5/system_file.h"
#include "io/run/start_adopt.h"
#include "io/trajectory/writer.h"
#include "pluvia/body.h"
#include "pluvia/cell.h"
#include "pluvia/frames.h"
#include "pluvia/material.h"
#include "pluvia/start.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A frame is that of a time to this share of it: times are multiples of a step, with rounding. */
#define SAME_TIME 1e-6

/* Edges of cells are the same to this share. */
#define SAME_CELL 1e-9

typedef struct source {
    plu_scene *scene; /* that starts */
    const plu_body_spec *spec;
    plu_start_entry *entry;
    plu_frames *frames;
    plu_frame_data frame;
    plu_scene began; /* that of the run */
    int *place;      /* by sphere of the run: of the entry, -1: left out */
    plu_error *err;  /* of this entry */
} source;

/* Refuses what HDF5 need not look at. */
static plu_status check_kind(const source *s)
{
    const char *path = s->spec->path;
    struct stat about;
    if (stat(path, &about) != 0)
        return plu_fail(s->err, errno == ENOENT ? PLU_BAD_INPUT : PLU_IO, "%s: %s", path,
                        errno == ENOENT ? "no such file; run its scene first" : strerror(errno));
    if (!S_ISREG(about.st_mode))
        return plu_fail(s->err, PLU_BAD_INPUT, "%s: %s, not a trajectory", path,
                        S_ISDIR(about.st_mode) ? "a directory" : "not a regular file");
    const plu_file_kind kind = plu_file_kind_of(path);
    if (kind == PLU_KIND_CHECKPOINT)
        return plu_fail(s->err, PLU_BAD_INPUT,
                        "%s: a checkpoint, from which only its own run can continue; name the "
                        "trajectory beside it",
                        path);
    if (kind != PLU_KIND_TRAJECTORY && kind != PLU_KIND_HDF5)
        return plu_fail(s->err, PLU_BAD_INPUT, "%s: %s, not a trajectory of pluvia", path,
                        kind == PLU_KIND_OTHER ? "another kind of file, or a file that was cut off"
                                               : plu_file_kind_name(kind));
    return PLU_OK;
}

static plu_status check_run(const source *s)
{
    const char *path = s->spec->path;
    plu_trajectory_info *info = plu_alloc(1, sizeof *info, s->err);
    plu_status status = info ? plu_trajectory_info_read(info, path, s->err) : PLU_IO;
    if (status == PLU_OK && (info->schema < 1 || info->schema > PLU_TRAJECTORY_SCHEMA))
        status =
            plu_fail(s->err, PLU_BAD_INPUT,
                     "%s: written by pluvia %s with layout %d; this program reads layouts 1 to %d",
                     path, info->version, info->schema, PLU_TRAJECTORY_SCHEMA);
    if (status == PLU_OK && info->frames == 0)
        status = plu_fail(s->err, PLU_BAD_INPUT, "%s: it has no frames", path);
    if (status == PLU_OK && s->spec->at == PLU_AT_END && strcmp(info->state, "complete") != 0)
        status =
            plu_fail(s->err, PLU_BAD_INPUT,
                     "%s: its run is not complete (%s); to start from its last frame set at = %.9g",
                     path, info->state, info->end);
    free(info);
    return status;
}

/* The frame of the time that is asked for; -1 after a message. */
static long find_frame(const source *s)
{
    const double at = s->spec->at;
    const long count = plu_frames_count(s->frames);
    if (at == PLU_AT_END)
        return count - 1;
    const long k = plu_frames_nearest(s->frames, at);
    const double found = k < 0 ? NAN : plu_frames_time(s->frames, k);
    if (fabs(found - at) <= SAME_TIME * at)
        return k;
    const long other = found < at ? k + 1 : k - 1;
    char nearest[64] = "";
    if (k >= 0 && other >= 0 && other < count)
        snprintf(nearest, sizeof nearest, " and %.9g s", plu_frames_time(s->frames, other));
    plu_fail(s->err, PLU_BAD_INPUT, "%s: no frame at t = %.9g s; nearest: %.9g s%s", s->spec->path,
             at, found, nearest);
    return -1;
}

/* What touches across the sides of a cell touches elsewhere in another one. */
static plu_status check_cell(const source *s)
{
    const plu_cell_box *was = &s->frame.cell;
    const plu_cell_spec *cell = s->scene->cell;
    if (!was->given || !cell->given)
        return PLU_OK;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            const bool goes_on = cell->periodic >> k & 1 && was->periodic[k];
            const bool leans = k == 2 && i == 0;
            const double edge = was->edge[k][i], ours = i == k  ? cell->size[k]
                                                        : leans ? cell->tilt
                                                                : 0.0;
            if (!goes_on || fabs(edge - ours) <= SAME_CELL * cell->size[k])
                continue;
            if (i == k)
                return plu_fail(s->err, PLU_BAD_INPUT,
                                "%s: its periodic cell is %.12g m wide along %c at t = %.9g s, but "
                                "that of the scene is %.12g m; correct cell.size",
                                s->spec->path, edge, "xyz"[k], s -> frame.time, ours);
            return plu_fail(
                s->err, PLU_BAD_INPUT,
                "%s: its periodic cell is sheared at t = %.9g s (its edge along %c leans by %.6g m "
                "along %c), but that of the scene by %.6g m; remove cell.size, so that the cell is "
                "that of the run, or correct cell.tilt",
                s->spec->path, s->frame.time, "xyz"[k], edge, "xyz"[i], ours);
        }
    return PLU_OK;
}

static plu_status read_frame(source *s)
{
    plu_status status = plu_frames_open(&s->frames, s->spec->path, s->err);
    if (status != PLU_OK)
        return status;
    const long k = find_frame(s);
    if (k < 0)
        return PLU_BAD_INPUT;
    status = plu_frames_read(s->frames, k, &s->frame, s->err);
    const bool moves = s->spec->keep & PLU_KEEP_VELOCITY, turns = s->spec->keep & PLU_KEEP_SPIN;
    if (status == PLU_OK &&
        ((moves && !s->frame.velocity) || (turns && !s->frame.angular_velocity)))
        status = plu_fail(
            s->err, PLU_BAD_INPUT,
            "%s: it contains no %s (output.quantities of its scene); remove \"%s\" from run.keep",
            s->spec->path, moves && !s->frame.velocity ? "velocities" : "spins",
            moves && !s->frame.velocity ? "velocity" : "spin");
    return status;
}

/* The scene that the run began with. */
static plu_status read_scene(source *s)
{
    static const unsigned asks = PLU_KEEP_MATERIAL | PLU_KEEP_CELL | PLU_KEEP_BOUNDARIES;
    char *text = NULL;
    if (!(s->spec->keep & asks) && !s->scene->cell->given)
        return PLU_OK;
    plu_status status = plu_trajectory_scene(&text, true, s->spec->path, s->err);
    if (status == PLU_OK)
        status = plu_scene_read_stored(&s->began, s->spec->path, text, s->err);
    free(text);
    return status;
}

static plu_status complain_of_material(const source *s, const char *name)
{
    char known[512] = "";
    for (int m = 0; m < s->scene->materials_count; m++)
        plu_names_add(known, sizeof known, s->scene->materials[m].name);
    return plu_fail(s->err, PLU_BAD_INPUT,
                    "%s: its spheres have the material \"%s\", which the scene does not have (it "
                    "has %s); add it, or remove \"material\" from run.keep",
                    s->spec->path, name, *known ? known : "none");
}

static plu_status find_material(const source *s, int sphere, int *material)
{
    const int species = s->frame.species[sphere];
    *material = s->spec->material;
    if (!(s->spec->keep & PLU_KEEP_MATERIAL))
        return PLU_OK;
    if (species < 0 || species >= s->began.materials_count)
        return plu_fail(s->err, PLU_BAD_INPUT, "%s: damaged: sphere %d has no material",
                        s->spec->path, sphere);
    *material = plu_scene_material(s->scene, s->began.materials[species].name);
    return *material >= 0 ? PLU_OK : complain_of_material(s, s->began.materials[species].name);
}

static bool all_finite(const double *value, int count)
{
    bool all = true;
    for (int k = 0; k < count; k++)
        all = all && isfinite(value[k]);
    return all;
}

/* Sphere `from` of the run becomes sphere `to` of the entry. */
static plu_status take_sphere(const source *s, int from, int to)
{
    static const double unturned[4] = {1.0, 0.0, 0.0, 0.0};
    const plu_frame_data *f = &s->frame;
    plu_start_entry *e = s->entry;
    double *x = e->position[to], *v = e->velocity[to], *q = e->orientation[to];
    memcpy(x, f->position[from], 3 * sizeof *x);
    x[3] = f->radius[from];
    memcpy(v, s->spec->keep & PLU_KEEP_VELOCITY ? f->velocity[from] : s->spec->velocity,
           3 * sizeof *v);
    memcpy(v + 3,
           s->spec->keep & PLU_KEEP_SPIN ? f->angular_velocity[from] : s->spec->angular_velocity,
           3 * sizeof *v);
    if (e->fixed)
        e->fixed[to] = f->fixed[from];
    for (int k = 0; k < 3 && e->image; k++)
        e->image[to][k] = f->image[from][k];
    memcpy(q, f->orientation ? f->orientation[from] : unturned, sizeof unturned);
    const double turn = plu_dot(q + 1, q + 1) + q[0] * q[0];
    if (!all_finite(x, 4) || !(x[3] > 0.0) || !all_finite(v, 6) || !(fabs(turn - 1.0) < 1e-3))
        return plu_fail(s->err, PLU_BAD_INPUT,
                        "%s: damaged: sphere %d has impossible values at t = %.9g s", s->spec->path,
                        from, f->time);
    return find_material(s, from, &e->species[to]);
}

static plu_status take_spheres(source *s)
{
    const plu_frame_data *f = &s->frame;
    plu_start_entry *e = s->entry;
    e->time = f->time;
    s->place = plu_alloc((size_t)f->bodies, sizeof *s->place, s->err);
    if (!s->place)
        return PLU_IO;
    for (int i = 0; i < f->bodies; i++) {
        e->waiting += f->state[i] == PLU_WAITING;
        e->removed += f->state[i] == PLU_REMOVED;
        s->place[i] = f->state[i] == PLU_ACTIVE ? e->count++ : -1;
    }
    const size_t count = (size_t)e->count;
    e->position = plu_alloc(count, sizeof *e->position, s->err);
    e->velocity = plu_alloc(count, sizeof *e->velocity, s->err);
    e->orientation = plu_alloc(count, sizeof *e->orientation, s->err);
    e->species = plu_alloc(count, sizeof *e->species, s->err);
    plu_status status = PLU_OK;
    if (!e->position || !e->velocity || !e->orientation || !e->species)
        status = PLU_IO;
    if (f->fixed && !(e->fixed = plu_alloc(count, sizeof *e->fixed, s->err)))
        status = PLU_IO;
    if (f->image && e->took_cell && !(e->image = plu_alloc(count, sizeof *e->image, s->err)))
        status = PLU_IO;
    for (int i = 0; i < f->bodies && status == PLU_OK; i++)
        if (s->place[i] >= 0)
            status = take_sphere(s, i, s->place[i]);
    return status;
}

static bool known_contact(const source *s, const plu_contact_row *row)
{
    const int spheres = s->frame.bodies;
    return row->b >= 0 && row->b < spheres &&
           (plu_side_is_part(row->a) || plu_side_sphere(row->a) < spheres) &&
           all_finite(row->normal, 3) && isfinite(row->gap) && isfinite(row->impulse_normal) &&
           all_finite(row->impulse_tangent, 3) && all_finite(row->impulse_moment, 3);
}

/* Impulses are those of the same forces in a step of this scene. */
static plu_status take_contacts(source *s)
{
    const plu_frame_data *f = &s->frame;
    plu_start_entry *e = s->entry;
    const double scale = s->scene->step / f->dt;
    e->contacts = -1;
    if (f->contacts < 0 || !(s->spec->keep & PLU_KEEP_IMPULSES))
        return PLU_OK;
    e->contacts = 0;
    e->contact = plu_alloc((size_t)f->contacts, sizeof *e->contact, s->err);
    if (!e->contact)
        return PLU_IO;
    for (int k = 0; k < f->contacts; k++) {
        const plu_contact_row *row = &f->contact[k];
        if (!known_contact(s, row) || !isfinite(scale) || scale < 0.0)
            return plu_fail(s->err, PLU_BAD_INPUT,
                            "%s: damaged: contact %d has impossible values at t = %.9g s",
                            s->spec->path, k, f->time);
        const int a = plu_side_is_part(row->a) ? -1 - plu_side_part(row->a)
                                               : s->place[plu_side_sphere(row->a)];
        const int b = s->place[row->b];
        if (b < 0 || (plu_side_is_sphere(row->a) && a < 0))
            continue;
        plu_start_contact *c = &e->contact[e->contacts++];
        *c = (plu_start_contact){.a = a, .b = b, .gap = row->gap};
        memcpy(c->normal, row->normal, sizeof c->normal);
        c->impulse[0] = scale * row->impulse_normal;
        for (int i = 0; i < 3; i++) {
            c->impulse[1 + i] = scale * row->impulse_tangent[i];
            c->impulse[4 + i] = scale * row->impulse_moment[i];
        }
    }
    return PLU_OK;
}

static plu_status read_entry(plu_start_entry *entry, plu_scene *scene, const plu_body_spec *spec,
                             plu_error *err)
{
    source s = {.scene = scene, .spec = spec, .entry = entry, .err = err};
    plu_status status = check_kind(&s);
    if (status == PLU_OK)
        status = check_run(&s);
    if (status == PLU_OK)
        status = read_frame(&s);
    if (status == PLU_OK)
        status = read_scene(&s);
    if (status == PLU_OK)
        status = plu_start_adopt(scene, spec, &s.frame, &s.began, entry, err);
    if (status == PLU_OK)
        status = check_cell(&s);
    if (status == PLU_OK)
        status = take_spheres(&s);
    if (status == PLU_OK && (spec->keep & PLU_KEEP_VELOCITY))
        plu_start_calm(scene, &s.frame, &s.began, entry);
    if (status == PLU_OK)
        status = take_contacts(&s);
    plu_frames_close(s.frames);
    plu_scene_free(&s.began);
    free(s.place);
    entry->read = status == PLU_OK;
    return status;
}

plu_status plu_start_read(plu_start *start, plu_scene *scene, plu_error *err)
{
    *start = (plu_start){.entries = scene->bodies_count};
    start->entry = plu_alloc((size_t)scene->bodies_count, sizeof *start->entry, err);
    if (!start->entry)
        return PLU_IO;
    plu_status first = PLU_OK;
    for (int e = 0; e < scene->bodies_count; e++) {
        const plu_body_spec *spec = &scene->bodies[e];
        plu_error inner = {0};
        const plu_status status =
            spec->kind == PLU_FROM_RUN ? read_entry(&start->entry[e], scene, spec, &inner) : PLU_OK;
        if (status == PLU_OK)
            continue;
        char where[PLU_PATH + 32];
        plu_error_add(err, status, "%s: %.*s",
                      plu_scene_where(scene, spec->where, where, sizeof where),
                      (int)strcspn(inner.text, "\n"), inner.text);
        first = first == PLU_OK ? status : first;
    }
    if (first == PLU_OK && scene->cell->given && scene->cell->size[0] == 0.0)
        first = plu_error_add(err, PLU_BAD_INPUT,
                              "%s: cell.size is missing, and no run that bodies come from has a "
                              "periodic cell",
                              scene->path);
    return first;
}

void plu_start_free(plu_start *start)
{
    for (int e = 0; start->entry && e < start->entries; e++) {
        free(start->entry[e].position);
        free(start->entry[e].velocity);
        free(start->entry[e].orientation);
        free(start->entry[e].species);
        free(start->entry[e].fixed);
        free(start->entry[e].image);
        free(start->entry[e].met);
        free(start->entry[e].contact);
    }
    free(start->entry);
    *start = (plu_start){0};
}
