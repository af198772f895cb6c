#include "io/trajectory/behind.h"
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

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
