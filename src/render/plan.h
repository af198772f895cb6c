/* plan.h: what all pictures of a trajectory share, and what each that is being drawn has. */
#ifndef RENDER_PLAN_H
#define RENDER_PLAN_H

#include "pluvia/tool/render.h"
#include "render/legend.h"
#include "render/model.h"
#include "render/quantity.h"
#include "render/survey.h"

/* A frame that is drawn beside others: the next one is read meanwhile. */
typedef struct plu_desk {
    plu_model model;
    double (*orientation)[4]; /* its own, where marks are drawn */
    double time;              /* s */
} plu_desk;

struct plu_render {
    plu_source source;
    plu_render_options options;
    plu_survey survey;
    plu_camera camera;
    plu_model model;
    plu_legend legend;
    double *value;                 /* of each body of the frame that is being read */
    int *kind_of;                  /* species: place in the legend, -1: no sphere is made of it */
    const char **materials;        /* names of those that spheres are made of, ends with NULL */
    const struct plu_scene *scene; /* its boundaries are drawn, */
    bool *hidden;                  /* but for these */
    double thickness;              /* m: of the lines of boundaries */
    int desks; /* frames that are drawn at the same time, where these are several */
    plu_desk *desk;
};

#endif
