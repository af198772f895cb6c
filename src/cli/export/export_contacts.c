/* A long table: one row for each contact of each frame that bears a force. */
#include "cli/base/run_scene.h"
#include "cli/export/digits.h"
#include "cli/export/export.h"
#include "cli/export/network.h"
#include "pluvia/scene.h"
#include <stdlib.h>

enum { NUMBERS = 17, BLOCK = 4096, WHOLE = 4 };

static const char head[] =
    "time,id1,id2,boundary,mode,normal_force,tangential_force,x,y,z,nx,ny,nz,gap,fx,fy,fz,mx,my,mz";

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
