/* frame_shape.h: the number of complete frames and of bodies of a trajectory. */
#ifndef IO_TRAJECTORY_FRAME_SHAPE_H
#define IO_TRAJECTORY_FRAME_SHAPE_H

#include "io/h5/h5_read.h"

typedef struct plu_frame_shape {
    hsize_t frames; /* at most INT_MAX */
    int bodies;
    hid_t step, time; /* datasets with a number a frame */
} plu_frame_shape;

/* `particles` is the group /particles/trajectory. All zero after a failure. */
plu_frame_shape plu_frame_shape_read(plu_h5 *h5, hid_t particles);

#endif
