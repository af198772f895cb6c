/* xdmf.h: the sidecar that opens a trajectory in ParaView (reader "XDMF Reader", XDMF version 2).
 *
 * It is a Temporal collection of Polyvertex grids that refer to the data in the trajectory. What is
 * the same in all grids is declared once, as entities, so that a frame takes less space here than
 * in the trajectory, unless the name of the trajectory has more than 100 bytes. The file is a
 * complete document after every write: one sets the number of frames, the length of the data that
 * grids select from, the next one replaces the end of the document by the new grid and a new end.
 */
#ifndef IO_TRAJECTORY_XDMF_H
#define IO_TRAJECTORY_XDMF_H

#include "pluvia/status.h"
#include "pluvia/where.h"
#include <sys/types.h>

struct plu_scene; /* pluvia/scene.h */

typedef struct plu_xdmf {
    int file;                /* descriptor, -1: closed */
    off_t count;             /* where the number of frames is */
    off_t end;               /* where the end of the document begins */
    char name[PLU_PATH];     /* of the trajectory, relative to the sidecar */
    char data[6 * PLU_PATH]; /* `name`, escaped for XML */
    int bodies;
    int precision; /* bytes of a real in the trajectory */
    unsigned quantities;
} plu_xdmf;

/* Creates the file `path` for the trajectory that has the name `data` seen from there. */
plu_status plu_xdmf_create(plu_xdmf *xdmf, const char *path, const char *data,
                           const struct plu_scene *scene, int bodies, plu_error *err);

/* Adds frame `frame` (from 0) at `time`, which the trajectory has already. After a failure the
 * earlier frames are still there. */
plu_status plu_xdmf_frame(plu_xdmf *xdmf, long frame, double time, plu_error *err);

void plu_xdmf_close(plu_xdmf *xdmf);

#endif
