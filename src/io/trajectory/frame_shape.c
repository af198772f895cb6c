#include "io/trajectory/frame_shape.h"
#include <limits.h>

/* A frame is complete if step, time and position have a row for it. */
plu_frame_shape plu_frame_shape_read(plu_h5 *h5, hid_t particles)
{
    hsize_t steps = 0, times = 0, size[3] = {0, 0, 0};
    const hid_t step = plu_h5_find(h5, particles, "position/step", H5I_DATASET);
    const hid_t time = plu_h5_find(h5, particles, "position/time", H5I_DATASET);
    const hid_t value = plu_h5_find(h5, particles, "position/value", H5I_DATASET);
    plu_h5_shape(h5, step, "position/step", 1, &steps);
    plu_h5_shape(h5, time, "position/time", 1, &times);
    plu_h5_shape(h5, value, "position/value", 3, size);
    hsize_t frames = steps < times ? steps : times;
    frames = frames < size[0] ? frames : size[0];
    if (h5->status == PLU_OK && (frames > INT_MAX || size[1] > INT_MAX || size[2] != 3))
        plu_h5_damaged(h5, "damaged: position/value has an impossible shape");
    if (h5->status != PLU_OK)
        return (plu_frame_shape){0};
    return (plu_frame_shape){frames, (int)size[1], step, time};
}
