/* A thread that may outlive the wish for its result. Who finds the other one gone cleans up:
 *
 *     caller   ---- waits, asks `stop` now and then ---- ended: takes the result
 *                                                    `-- stop: left = true, goes on without
 *     thread   ---- work -------------------------------- left: drop(data)
 *                                                    `--  else: ended = true
 */
#include "sparse/apart.h"
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct errand {
    plu_apart_work *work, *drop;
    void *data;
    pthread_mutex_t mutex;
    pthread_cond_t change;
    bool ended, left;
} errand;

static void free_errand(errand *e)
{
    pthread_mutex_destroy(&e->mutex);
    pthread_cond_destroy(&e->change);
    free(e);
}

static void *carry_out(void *data)
{
    errand *e = data;
    e->work(e->data);
    pthread_mutex_lock(&e->mutex);
    e->ended = true;
    const bool left = e->left;
    pthread_cond_signal(&e->change);
    pthread_mutex_unlock(&e->mutex);
    if (left) {
        e->drop(e->data);
        free_errand(e);
    }
    return NULL;
}

/* Whether it has ended; false: `stop` says so. */
static bool await(errand *e, plu_stop *stop)
{
    enum { PAUSE = 20 }; /* ms between two questions */
    pthread_mutex_lock(&e->mutex);
    while (!e->ended && !plu_stops(stop)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PAUSE * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&e->change, &e->mutex, &until);
    }
    const bool ended = e->ended;
    e->left = !ended;
    pthread_mutex_unlock(&e->mutex);
    return ended;
}

bool plu_apart(plu_apart_work *work, plu_apart_work *drop, void *data, plu_stop *stop)
{
    errand *e = malloc(sizeof *e);
    pthread_t thread;
    if (e)
        *e = (errand){.work = work, .drop = drop, .data = data};
    if (!e || pthread_mutex_init(&e->mutex, NULL) != 0 ||
        pthread_cond_init(&e->change, NULL) != 0 ||
        pthread_create(&thread, NULL, carry_out, e) != 0) { /* then here, to its end */
        free(e);
        work(data);
        return true;
    }
    pthread_detach(thread);
    const bool ended = await(e, stop);
    if (ended)
        free_errand(e);
    return ended;
}
