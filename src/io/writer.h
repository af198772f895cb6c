/* writer.h: inside of a trajectory that is being written. */
#ifndef IO_WRITER_H
#define IO_WRITER_H

#include "io/h5.h"
#include "io/place.h"
#include "io/xdmf.h"
#include "pluvia/trajectory.h"

enum {
    PLU_TRAJECTORY_SCHEMA = 1, /* increase when the layout changes (output/README.md) */
    PLU_SERIES_MAX = 48,
    PLU_CHUNK_BODIES = 4096,  /* bodies in a chunk */
    PLU_CHUNK_FRAMES = 256,   /* frames in a chunk of scalars */
    PLU_CONTACT_COLUMNS = 10, /* datasets with a row a contact */
    PLU_BLOCK = 8192          /* contacts written at a time */
};

struct plu_trajectory {
    const plu_scene *scene;
    const plu_world *world;
    const plu_stepper *stepper;
    plu_result place;
    plu_xdmf xdmf;
    hid_t file;
    hid_t parameters; /* the group /parameters/pluvia */
    hid_t position;   /* the group whose step and time all others link to */
    int bodies;
    long frames; /* whole frames in the file */
    bool placed; /* the files have their names */
    bool broken; /* the first frame failed: nothing is left to write to */

    /* every dataset that grows; step and time of position are written last: they make a frame */
    plu_series series[PLU_SERIES_MAX];
    int series_count;
    int first_element, first_observable, first_contact; /* where each job's begin in `series` */
    plu_series step, time;

    double *buffer;        /* [max(bodies, PLU_BLOCK)][4]: rows on their way to the file */
    plu_contact_row *rows; /* [PLU_BLOCK], where contacts are written */
};

/* Makes a dataset that grows and puts it at the end of `series`. Returns its handle. */
hid_t plu_writer_series(plu_trajectory *t, plu_h5 *h5, hid_t parent, const char *name,
                        const plu_h5_layout *layout);

/* Makes the group `name` of a time-dependent element, linked to the step and time of position. */
hid_t plu_writer_element(plu_trajectory *t, plu_h5 *h5, hid_t parent, const char *name);

/* /h5md, /parameters and /walls */
void plu_writer_header(plu_trajectory *t, plu_h5 *h5, const plu_provenance *provenance);

/* /particles/trajectory: made, and a frame of it */
void plu_writer_particles(plu_trajectory *t, plu_h5 *h5);
void plu_writer_particles_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info);

/* /observables */
void plu_writer_observables(plu_trajectory *t, plu_h5 *h5);
void plu_writer_observables_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info);

/* /contacts, where the scene asks for them */
void plu_writer_contacts(plu_trajectory *t, plu_h5 *h5);
void plu_writer_contacts_frame(plu_trajectory *t, plu_h5 *h5, const plu_step_info *info);

#endif
