/* Buffers, datasets and groups, for all files that write a part of a trajectory; and the thread
 * that writes behind the steps.
 *
 *   run      step   step   frame: copies rows   step   step   frame: waits for the job before
 *                           |                                  |
 *   thread                  '-- compresses, writes, flushes    '-- ...
 *
 * There is one job at a time (plu_behind_do waits for the one before), so that frames keep their
 * order, and what a job uses is not touched until plu_behind_wait has returned. */
#include "io/trajectory/writer.h"
#include "base/memory.h"
#include "pluvia/scene.h"
#include "pluvia/writing.h"
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

plu_trajectory *plu_writer_new(const plu_scene *scene, const plu_world *world,
                               const plu_stepper *stepper, plu_error *err)
{
    plu_trajectory *t = plu_alloc(1, sizeof *t, err);
    if (!t)
        return NULL;
    t->scene = scene;
    t->world = world;
    t->stepper = stepper;
    t->bodies = plu_world_bodies(world).count;
    t->file = -1;
    t->xdmf.file = -1;
    return t;
}

/* Rows for the largest element: nine numbers of a stress, else four of a quaternion. */
plu_status plu_writer_allocate(plu_trajectory *t, plu_error *err)
{
    const size_t rows = t->bodies > PLU_BLOCK ? (size_t)t->bodies : PLU_BLOCK;
    const bool grains = plu_grain_rows_asked(t->scene), list = grains || t->scene->output->contacts;
    const size_t numbers = t->scene->output->quantities & PLU_OUT_STRESS ? 9 : 4;
    t->buffer = plu_alloc(rows, numbers * sizeof *t->buffer, err);
    if (t->buffer && list)
        t->rows = plu_alloc(PLU_BLOCK, sizeof *t->rows, err);
    if (t->buffer && grains)
        t->grains = plu_alloc((size_t)t->bodies, sizeof *t->grains, err);
    t->chunks = t->buffer ? plu_chunks_new(err) : NULL;
    return t->chunks && (t->rows || !list) && (t->grains || !grains) ? PLU_OK : PLU_IO;
}

void plu_writer_free(plu_trajectory *t)
{
    plu_behind_free(t->behind);
    plu_xdmf_close(&t->xdmf);
    plu_chunks_free(t->chunks);
    plu_h5_place_forget(&t->row);
    plu_kept_rows_free(&t->kept);
    free(t->buffer);
    free(t->rows);
    free(t->grains);
    free(t);
}

plu_h5 plu_writer_h5(plu_trajectory *t, plu_error *err)
{
    return (plu_h5){.path = t->files.path[PLU_DATA],
                    .on_bad = PLU_IO,
                    .err = err,
                    .chunks = t->chunks,
                    .place = &t->row};
}

hid_t plu_writer_series(plu_trajectory *t, plu_h5 *h5, hid_t parent, const char *name,
                        const plu_h5_layout *layout)
{
    if (h5->status == PLU_OK && t->series_count == PLU_SERIES_MAX)
        h5->status = plu_fail(h5->err, PLU_IO, "%s: too many datasets", h5->path);
    const plu_series series = plu_series_make(h5, parent, name, layout);
    if (h5->status == PLU_OK)
        t->series[t->series_count++] = series;
    return series.dataset;
}

/* An element of H5MD has value, step and time; the latter two are links to those of positions. */
hid_t plu_writer_element(plu_trajectory *t, plu_h5 *h5, hid_t parent, const char *name)
{
    const hid_t group = plu_h5_group(h5, parent, name);
    plu_h5_hard_link(h5, t->position, "step", group, "step");
    plu_h5_hard_link(h5, t->position, "time", group, "time");
    return group;
}

void plu_writer_flush(plu_trajectory *t, plu_h5 *h5, const char *what)
{
    if (h5->status == PLU_OK)
        plu_h5_check(h5, H5Fflush(t->file, H5F_SCOPE_GLOBAL), "%s", what);
}

/* --- a thread that does one job at a time --- */

struct plu_behind {
    pthread_t thread;
    pthread_mutex_t mutex; /* for what follows */
    pthread_cond_t changed;
    void (*job)(void *); /* NULL: none */
    void *data;
    bool ending;
};

/* Signals reach this thread as well: their handlers only take note of them. */
static void *work(void *of)
{
    plu_behind *b = of;
    omp_set_num_threads(1);
    pthread_mutex_lock(&b->mutex);
    while (b->job || !b->ending) {
        if (!b->job) {
            pthread_cond_wait(&b->changed, &b->mutex);
            continue;
        }
        pthread_mutex_unlock(&b->mutex);
        b->job(b->data); /* nobody changes them before they are done */
        pthread_mutex_lock(&b->mutex);
        b->job = NULL;
        pthread_cond_broadcast(&b->changed);
    }
    pthread_mutex_unlock(&b->mutex);
    return NULL;
}

plu_behind *plu_behind_new(void)
{
    plu_behind *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    pthread_mutex_init(&b->mutex, NULL);
    pthread_cond_init(&b->changed, NULL);
    if (pthread_create(&b->thread, NULL, work, b) != 0) {
        pthread_cond_destroy(&b->changed);
        pthread_mutex_destroy(&b->mutex);
        free(b);
        return NULL;
    }
    return b;
}

static void wait_for_job(plu_behind *b)
{
    while (b->job)
        pthread_cond_wait(&b->changed, &b->mutex);
}

void plu_behind_do(plu_behind *b, void (*job)(void *), void *data)
{
    pthread_mutex_lock(&b->mutex);
    wait_for_job(b);
    b->data = data;
    b->job = job;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->mutex);
}

void plu_behind_wait(plu_behind *b)
{
    if (!b)
        return;
    pthread_mutex_lock(&b->mutex);
    wait_for_job(b);
    pthread_mutex_unlock(&b->mutex);
}

void plu_behind_free(plu_behind *b)
{
    if (!b)
        return;
    pthread_mutex_lock(&b->mutex);
    b->ending = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->mutex);
    pthread_join(b->thread, NULL);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->mutex);
    free(b);
}
