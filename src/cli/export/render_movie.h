/* render_movie.h: all frames of a trajectory, as files or as a film. */
#ifndef CLI_EXPORT_RENDER_MOVIE_H
#define CLI_EXPORT_RENDER_MOVIE_H

#include "pluvia/tool/output.h"
#include "pluvia/tool/render.h"

/* Whether a picture or a film can have this name: its extension is known. */
bool plu_movie_suits(const char *output, bool movie);
bool plu_movie_is_film(const char *output); /* not a picture; false for NULL */

/* Writes one picture under the rule. PLU_OK, PLU_USAGE or PLU_IO. */
plu_status plu_movie_picture(const plu_picture *picture, const char *path,
                             const plu_output_rule *rule, plu_error *err);

/* Draws frames view->first to view->last and tells on stderr how far it is: "NAME.png" gives
 * NAME-0001.png and so on, "NAME.mp4" and "NAME.webm" the film alone, made by ffmpeg at `rate`
 * frames a second. PLU_OK or a status of the library; PLU_IO where ffmpeg is not there (nothing is
 * drawn then) or fails. */
plu_status plu_movie_make(plu_render *render, const plu_render_options *view, const char *output,
                          int rate, const plu_output_rule *rule, plu_error *err);

#endif
