/* survey.h: a pass over the frames that will be drawn, for what all pictures share: box, color
 * range and largest force. */
#ifndef RENDER_SURVEY_H
#define RENDER_SURVEY_H

#include "pluvia/grains.h"
#include "render/camera.h"
#include "render/quantity.h"

typedef struct plu_survey {
    plu_box box;     /* m: of the spheres but for a few that are far from the others */
    double range[2]; /* of the quantity, without the few that are far from the others in a `tail` */
    double all[2];   /* with them */
    double strongest; /* N: largest normal force of a contact */
    double longest;   /* of the vectors that arrows show */
    double radius;    /* m: mean of the spheres */
    double *release;  /* s: time of the first frame with each body, NAN: none; for "release" */
} plu_survey;

/* What is read of the frames, and how. */
typedef struct plu_source {
    plu_frames *frames;
    const plu_coloring *quantity;
    const plu_vector *vector;  /* of arrows; NULL: there are none */
    plu_grain_columns columns; /* what contacts give where the file has no column of it; owned */
} plu_source;

/* Reads frame k, with the numbers of grains where the quantity or the arrows need them. Same status
 * as plu_frames_read. */
plu_status plu_source_frame(plu_source *source, long k, plu_frame_data *frame, plu_error *err);

/* The last of the frames that are looked at, counted from 0, and frame number i of these. */
long plu_survey_looks(const plu_render_options *options);
long plu_survey_look(const plu_render_options *options, long i);

/* Looks at frames options->first to options->last, at some of them where they are many. PLU_OK,
 * PLU_USAGE (the file lacks what the quantity needs), PLU_BAD_INPUT or PLU_IO. plu_survey_free in
 * any case. */
plu_status plu_survey_make(plu_survey *survey, plu_source *source,
                           const plu_render_options *options, plu_error *err);
/* Lets the spheres of the same frames into the picture, those in the box of the survey, and the
 * containers that they are in, unless these are much larger. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_survey_fit(const plu_survey *survey, plu_fit *fit, const plu_camera *camera,
                          plu_source *source, const plu_render_options *options,
                          const struct plu_scene *scene, plu_error *err);
void plu_survey_free(plu_survey *survey);

/* The length of arrows for a vector of length 1 (m). */
double plu_survey_arrow(const plu_survey *survey, const plu_render_options *options);

/* The quantity of each body of a frame. PLU_OK or PLU_USAGE. */
plu_status plu_survey_values(const plu_survey *survey, const plu_coloring *quantity,
                             const plu_frame_data *frame, double *value, plu_error *err);

#endif
