/* chosen_frames.h: which frames of a trajectory a command takes, by a time, a window of time or a
 * stage. What lies beyond the frames is an error that says where they end, or a warning where some
 * of them are meant all the same. */
#ifndef CLI_BASE_CHOSEN_FRAMES_H
#define CLI_BASE_CHOSEN_FRAMES_H

#include "cli/base/options.h"
#include "pluvia/frames.h"

typedef struct plu_window {
    double from, to; /* s, both included; -INFINITY, INFINITY: all */
    bool since;      /* it began with the frame before its first one, as a stage does */
} plu_window;

/* Whether a frame at this time is in it: times are compared to 1e-9 of their size. */
bool plu_window_has(const plu_window *window, double time);

/* The times of options `from` and `to`, either of which may be missing. PLU_OK or PLU_USAGE. */
plu_status plu_window_arguments(const plu_arguments *arguments, int from, int to,
                                plu_window *window, plu_error *err);
/* Takes frames that are not in the window away from both ends of *from to *to - 1. */
void plu_window_clip(const plu_window *window, const plu_frames *frames, long *from, long *to);
/* The frames of a window. PLU_USAGE if there are none; a message if it ends beyond the last. */
plu_status plu_window_frames(const plu_window *window, const plu_frames *frames, const char *path,
                             long *from, long *to, plu_error *err);

/* The frame nearest to the time that option `at` gives. PLU_USAGE if it is no number, or lies
 * before the first or beyond the last frame by more than half the distance of frames there. */
plu_status plu_frame_argument(const plu_arguments *arguments, int at, const plu_frames *frames,
                              const char *path, long *frame, plu_error *err);

#endif
