/* survey.h: a pass over the frames that will be drawn, for what all pictures share: box, color
 * range and largest force. */
#ifndef RENDER_SURVEY_H
#define RENDER_SURVEY_H

#include "pluvia/scene.h"
#include "render/camera.h"
#include "render/quantity.h"

typedef struct plu_survey {
    plu_box box;      /* m: of the spheres but for a few that are far from the others */
    double range[2];  /* of the quantity */
    double strongest; /* N: largest normal force of a contact */
    double radius;    /* m: mean of the spheres */
    double *release;  /* s: time of the first frame with each body, NAN: none; for "release" */
} plu_survey;

/* Looks at frames options->first to options->last, at some of them where they are many. PLU_OK,
 * PLU_USAGE (the file lacks what the quantity needs), PLU_BAD_INPUT or PLU_IO. plu_survey_free in
 * any case. */
plu_status plu_survey_make(plu_survey *survey, plu_frames *frames,
                           const plu_render_options *options, const plu_coloring *quantity,
                           plu_error *err);
/* Lets the spheres of the same frames into the picture, those in the box of the survey, and the
 * containers that they are in, unless these are much larger. PLU_OK, PLU_BAD_INPUT or PLU_IO. */
plu_status plu_survey_fit(const plu_survey *survey, plu_fit *fit, const plu_camera *camera,
                          plu_frames *frames, const plu_render_options *options,
                          const plu_scene *scene, plu_error *err);
void plu_survey_free(plu_survey *survey);

/* The quantity of each body of a frame. PLU_OK or PLU_USAGE. */
plu_status plu_survey_values(const plu_survey *survey, const plu_coloring *quantity,
                             const plu_frame_data *frame, double *value, plu_error *err);

#endif
