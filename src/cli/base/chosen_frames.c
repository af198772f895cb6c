/* Options that choose frames by time: --from T --to T (a window) and --at T (one frame).
 *
 *   frames     |       |       |       |       |
 *   window        [ from . . . . . . to ]            frames 1 to 3: [1, 4)
 *   --at                 ^ the nearest, frame 2
 *
 * Times are compared with a relative tolerance of 1e-9: a user writes 0.3, the file contains three
 * times 0.1. A window may reach beyond the frames, but must contain at least one. */
#include "cli/base/chosen_frames.h"
#include "cli/base/text.h"
#include <math.h>

bool plu_window_has(const plu_window *window, double time)
{
    const double blur = 1e-9 * fabs(time);
    return time >= window->from - blur && time <= window->to + blur;
}

plu_status plu_window_arguments(const plu_arguments *arguments, int from, int to,
                                plu_window *window, plu_error *err)
{
    *window = (plu_window){-INFINITY, INFINITY, false};
    plu_status status = PLU_OK;
    if (plu_argument_given(arguments, from))
        status = plu_argument_numbers(arguments, from, 1, &window->from, err);
    if (status == PLU_OK && plu_argument_given(arguments, to))
        status = plu_argument_numbers(arguments, to, 1, &window->to, err);
    if (status == PLU_OK && !(window->from <= window->to))
        status = plu_fail(err, PLU_USAGE, "option --to: the window ends before it begins");
    return status;
}

/* Moves the ends of [*from, *to) inwards to frames within the window; empty if *from == *to. */
void plu_window_clip(const plu_window *window, const plu_frames *frames, long *from, long *to)
{
    while (*from < *to && !plu_window_has(window, plu_frames_time(frames, *from)))
        ++*from;
    while (*from < *to && !plu_window_has(window, plu_frames_time(frames, *to - 1)))
        --*to;
}

/* How far a time may lie from frame k at an end of the run to mean that frame: as far as one
 * between frames lies from the nearest of them. */
static double reach(const plu_frames *frames, long k)
{
    const long count = plu_frames_count(frames), next = k > 0 ? k - 1 : 1;
    const double time = plu_frames_time(frames, k);
    const double way = count > 1 ? 0.5 * fabs(time - plu_frames_time(frames, next)) : 0.0;
    return fmax(way, 1e-9 * fabs(time)) * (1.0 + 1e-9);
}

plu_status plu_window_frames(const plu_window *window, const plu_frames *frames, const char *path,
                             long *from, long *to, plu_error *err)
{
    const long count = plu_frames_count(frames);
    const double first = plu_frames_time(frames, 0), last = plu_frames_time(frames, count - 1);
    *from = 0;
    *to = count;
    plu_window_clip(window, frames, from, to);
    if (*from == *to)
        return plu_fail(err, PLU_USAGE,
                        "%s: no frame is in the window of time; the frames are from %g to %g s",
                        path, first, last);
    /* Asked for more time than the run has: a run that ended early would otherwise give a mean over
     * less time than the user believes, without a word. */
    if (isfinite(window->to) && window->to > last + reach(frames, count - 1))
        plu_message("%s: the frames end at %g s, before the end of the window at %g s", path, last,
                    window->to);
    return PLU_OK;
}

plu_status plu_frame_argument(const plu_arguments *arguments, int at, const plu_frames *frames,
                              const char *path, long *frame, plu_error *err)
{
    const long last = plu_frames_count(frames) - 1;
    double time;
    const plu_status status = plu_argument_numbers(arguments, at, 1, &time, err);
    if (status != PLU_OK)
        return status;
    if (time < plu_frames_time(frames, 0) - reach(frames, 0) ||
        time > plu_frames_time(frames, last) + reach(frames, last))
        return plu_fail(err, PLU_USAGE,
                        "option --at: %s has no frame near %g s, only from %g to %g s", path, time,
                        plu_frames_time(frames, 0), plu_frames_time(frames, last));
    *frame = plu_frames_nearest(frames, time);
    return PLU_OK;
}
