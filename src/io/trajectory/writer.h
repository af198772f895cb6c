/* writer.h: the state of a trajectory that is being written, for the files that write its parts. */
#ifndef IO_TRAJECTORY_WRITER_H
#define IO_TRAJECTORY_WRITER_H

#include "io/h5/chunk.h"
#include "io/h5/h5.h"
#include "io/trajectory/place.h"
#include "io/trajectory/xdmf.h"
#include "pluvia/grains.h"
#include "pluvia/tool/mesh.h"
#include "pluvia/trajectory.h"

/* --- a thread that does one job at a time while its owner goes on --- */

typedef struct plu_behind plu_behind;

/* NULL: there is no memory or no further thread; the owner then does its jobs itself. */
plu_behind *plu_behind_new(void);

/* Begins a job, after the one before. What it writes may be read after plu_behind_wait, and what it
 * reads must not change until then. A job makes no team of threads of its own. */
void plu_behind_do(plu_behind *behind, void (*job)(void *), void *data);

/* Returns when no job is left. Accepts NULL. */
void plu_behind_wait(plu_behind *behind);

/* Waits, and ends the thread. Accepts NULL. */
void plu_behind_free(plu_behind *behind);

enum {
    PLU_TRAJECTORY_SCHEMA = 2, /* increase when the layout changes (output/README.md) */
    PLU_SERIES_MAX = 240,
    PLU_CHUNK_BODIES = 4096, /* bodies in a chunk */
    PLU_CHUNK_FRAMES = 256,  /* frames in a chunk of scalars */
    PLU_RESTART_ROW = 1024,  /* bytes of the text on a restart */
    PLU_BLOCK = 8192         /* contacts written at a time */
};

/* A frame: its place in time, and the bytes that it may need in the file. */
typedef struct plu_frame_clock {
    long long step;
    double time;
    long long bytes;
} plu_frame_clock;

struct plu_trajectory {
    const struct plu_scene *scene;
    const plu_world *world;
    const plu_stepper *stepper;
    plu_files files;
    plu_xdmf xdmf;
    hid_t file;
    hid_t parameters; /* the group /parameters/pluvia */
    hid_t position;   /* the group whose step and time all others link to */
    int bodies;
    long frames;         /* whole frames in the file */
    bool placed;         /* the files have their names */
    bool broken;         /* the first frame failed: nothing is left to write to */
    bool untouched;      /* opened to be continued, and as it was found */
    const char *foreign; /* its name, if it is one that was there before (plu_reading) */

    /* every dataset that grows; step and time of position are written last: they make a frame */
    plu_series series[PLU_SERIES_MAX];
    int series_count;
    /* where each job's begin in `series` */
    int first_element, first_observable, first_boundary, first_contact;
    plu_series step, time;
    int sums;            /* where the sums of the frames are in `series` (io/h5/sums.h) */
    int sums_by_set;     /* likewise those of each data set; < 0: an older program began the file */
    plu_series restarts; /* a text for each time that the run was continued */

    plu_chunks *chunks;    /* packs what is written once in each frame */
    plu_h5_place row;      /* of numbers of which each frame has one */
    hsize_t reserved;      /* where the space ends that is reserved for the next frames */
    double *buffer;        /* [max(bodies, PLU_BLOCK)][4], with stresses [9]: rows on their way */
    plu_contact_row *rows; /* [PLU_BLOCK], where contacts or numbers of grains are written */
    plu_grain *grains;     /* [bodies], where numbers of grains are written (writer.h) */

    /* The frame that is being written. While the thread `behind` does that, it alone may use what
     * stands above, except for the scene and buffers that gather rows. */
    plu_frame_clock now;
    plu_kept_rows kept; /* its rows, where that thread writes it */
    plu_behind *behind; /* NULL: frames are written at once */
    plu_status late;    /* how that thread ended; after a failure until that is reported */
    plu_error late_err;
};

/* A trajectory without files yet; NULL and a message when there is no memory. Its buffers come with
 * plu_writer_allocate. */
plu_trajectory *plu_writer_new(const struct plu_scene *scene, const plu_world *world,
                               const plu_stepper *stepper, plu_error *err);
plu_status plu_writer_allocate(plu_trajectory *t, plu_error *err);
void plu_writer_free(plu_trajectory *t);

/* For a sequence of calls that write to its file. */
plu_h5 plu_writer_h5(plu_trajectory *t, plu_error *err);

/* Waits for the frame that another thread writes. What it returns, PLU_OK or PLU_IO, is that of the
 * frame, and no longer known to a second call. */
plu_status plu_writer_await(plu_trajectory *t, plu_error *err);

/* Flushes all written data to the operating system; `what`: the action for the message of a
 * failure, such as "write frame 3". */
void plu_writer_flush(plu_trajectory *t, plu_h5 *h5, const char *what);

/* What a row of series `k` represents: a frame, a contact, or a frame with one row more before the
 * first; and the series of that last kind, NULL where contacts are not written. */
typedef enum plu_writer_rows {
    PLU_ROW_A_FRAME,
    PLU_ROW_A_CONTACT,
    PLU_ROW_AND_ANOTHER
} plu_writer_rows;
plu_writer_rows plu_writer_row_kind(const plu_trajectory *t, int k);
const plu_series *plu_writer_contact_offsets(const plu_trajectory *t);

/* Creates a growing dataset and appends it to `series`. Returns its handle. */
hid_t plu_writer_series(plu_trajectory *t, plu_h5 *h5, hid_t parent, const char *name,
                        const plu_h5_layout *layout);

/* Makes the group `name` of a time-dependent element, linked to the step and time of position. */
hid_t plu_writer_element(plu_trajectory *t, plu_h5 *h5, hid_t parent, const char *name);

/* /h5md, /parameters and /walls */
void plu_writer_header(plu_trajectory *t, plu_h5 *h5, const plu_provenance *provenance);

/* --- meshes.c --- */

/* The triangles of boundary `number`, into its group. */
void plu_writer_mesh(plu_h5 *h5, hid_t wall, int number, const plu_mesh *mesh);

/* What a boundary is called below /walls; the other name where that is empty or taken. */
struct plu_boundary_spec; /* pluvia/boundary.h */
void plu_wall_name(const struct plu_boundary_spec *spec, char name[PLU_NAME]);
void plu_wall_other_name(int number, char name[PLU_NAME]);

/* /parameters/pluvia/sums: made, and that of the frame whose rows, but for step and time, are all
 * appended. The sums of each data set are made when all others are there, then the header's sum. */
void plu_writer_sums(plu_trajectory *t, plu_h5 *h5);
void plu_writer_sums_by_set(plu_trajectory *t, plu_h5 *h5);
void plu_writer_header_sum(plu_trajectory *t, plu_h5 *h5);

/* /parameters/pluvia/restarts */
void plu_writer_restarts(plu_trajectory *t, plu_h5 *h5);

/* /particles/trajectory: made, and a frame of it */
void plu_writer_particles(plu_trajectory *t, plu_h5 *h5);
void plu_writer_particles_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info);

/* /observables */
void plu_writer_observables(plu_trajectory *t, plu_h5 *h5);
void plu_writer_observables_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info);

/* /boundaries, where the scene asks for them or one moves */
void plu_writer_boundaries(plu_trajectory *t, plu_h5 *h5);
void plu_writer_boundaries_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info);

/* /contacts, where the scene asks for them */
void plu_writer_contacts(plu_trajectory *t, plu_h5 *h5);
void plu_writer_contacts_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info);
int plu_writer_contacts_count(const plu_trajectory *t); /* rows that a frame now would have */

/* Numbers of single grains that a scene asks for (output.quantities), on their way to a frame. */

/* Whether the scene asks for any: then `grains` and `rows` of the writer are allocated. */
bool plu_grain_rows_asked(const struct plu_scene *scene);

/* Computes them of the last step; all zero where there was none (`info` NULL). */
void plu_grain_rows_take(plu_trajectory *t, const plu_step_info *info);

/* What was taken, one row a body (3, 9, 1 numbers), in the buffer of the writer. */
const double *plu_grain_rows_torque(const plu_trajectory *t);
const double *plu_grain_rows_stress(const plu_trajectory *t);
const double *plu_grain_rows_dissipation(const plu_trajectory *t);
const int *plu_grain_rows_coordination(const plu_trajectory *t);

#endif
