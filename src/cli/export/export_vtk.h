/* export_vtk.h: the parts of "export --to vtk" (VTK file formats, "XML file formats"). */
#ifndef CLI_EXPORT_EXPORT_VTK_H
#define CLI_EXPORT_EXPORT_VTK_H

#include "cli/export/boundary_triangles.h"
#include "cli/export/export.h"
#include "cli/export/network.h"
#include "pluvia/scene.h"

/* A collection (.pvd): which files belong to which time. */
void plu_vtk_collection_begin(FILE *out);
void plu_vtk_collection_add(FILE *out, double time, int part, const char *file);
void plu_vtk_collection_end(FILE *out);

/* Where boundaries are in the frames of a series. */
typedef struct plu_vtk_boundaries {
    plu_scene scene;           /* owned; no boundaries: the trajectory has none, or no scene */
    long first, frames;        /* number of the first frame; frames that were taken */
    double *time;              /* owned: s, of each frame */
    plu_boundary_place *place; /* owned: [frames][boundaries of the scene]; NULL: none moves */
    double low[3], high[3];    /* m: around the active bodies of all frames */
} plu_vtk_boundaries;

/* For at most `frames` frames from `first` on, to be written as `list`, which must be allowed. A
 * scene that cannot be read is a message, no error. */
plu_status plu_vtk_boundaries_begin(plu_vtk_boundaries *boundaries, const plu_export *export,
                                    const char *list, long first, long frames, plu_error *err);
/* Takes the next frame. */
void plu_vtk_boundaries_take(plu_vtk_boundaries *boundaries, const plu_frame_data *frame);
/* Writes the collection `list` with STEM/NAME-standing.vtp for what is at one place in all frames
 * and STEM/NAME-moving-000000.vtp, ... for the others, NAME being the last part of STEM. Nothing
 * without boundaries. */
plu_status plu_vtk_boundaries_write(const plu_vtk_boundaries *boundaries, const plu_export *export,
                                    const char *list, const char *stem, plu_error *err);

/* Which boundaries move, or are at one place in all frames: a flag for each, which the caller
 * frees. NULL: no memory. The triangles of those in the frame that was taken as number `frame`,
 * from 0; to be freed by the caller. */
bool *plu_vtk_boundaries_which(const plu_vtk_boundaries *boundaries, bool moving, plu_error *err);
plu_status plu_vtk_boundaries_triangles(const plu_vtk_boundaries *boundaries, const bool *chosen,
                                        long frame, plu_boundary_triangles *triangles,
                                        plu_error *err);
void plu_vtk_boundaries_free(plu_vtk_boundaries *boundaries); /* accepts a zeroed one */

/* Writes the links of a network between grains, or (`walls`) those with boundaries, as lines. */
plu_status plu_vtk_contacts_write(const plu_export *export, const plu_network *network, double time,
                                  bool walls, const char *path, plu_error *err);

enum { PLU_VTK_PATH = 2 * PLU_PATH + 64 };

/* What was written of a frame beside its bodies. */
typedef struct plu_vtk_frame {
    bool network; /* the file has contacts */
    int pairs, walls;
} plu_vtk_frame;

/* Writes the collection `list` with a multiblock file STEM/NAME-000000.vtm, ... for each frame,
 * which names all that was written of it. `has`: of the frames taken by `boundaries`. */
plu_status plu_vtk_all_write(const plu_export *export, const plu_vtk_boundaries *boundaries,
                             const plu_vtk_frame *has, const char *list, const char *stem,
                             plu_error *err);
/* A text with the characters that XML reserves escaped. */
void plu_vtk_escape(FILE *out, const char *text);

#endif
