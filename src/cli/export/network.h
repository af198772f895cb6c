/* network.h: the contacts of a frame that bear forces, as links between what they join. */
#ifndef CLI_EXPORT_NETWORK_H
#define CLI_EXPORT_NETWORK_H

#include "pluvia/frames.h"

/* A contact. Forces are those on `b`, moments about its center without those of the force. */
typedef struct plu_link {
    int a, b;              /* bodies; a -1: a boundary */
    int boundary;          /* of the scene, from 0; -1: of two bodies, or not known */
    int mode;              /* plu_contact_mode */
    double from[3], to[3]; /* m: centers of a and b, that of a across the sides of a periodic cell
                            * where it touches from there; with a boundary center of b, contact */
    double point[3], normal[3];                  /* m; unit, from a to b */
    double gap;                                  /* m */
    double force[3];                             /* N */
    double force_normal[3], force_tangential[3]; /* N, its parts */
    double normal_force;                         /* N, < 0: it attracts */
    double tangential_force;                     /* N, the size of that part */
    double torque[3];                            /* N m */
} plu_link;

/* The links of one frame; all zero at first. */
typedef struct plu_network {
    int count, walls; /* all, and those with a boundary */
    plu_link *link;   /* owned; in the order of the file */
    size_t room;
    int boundaries, *first_part; /* owned: as of plu_trajectory_parts */
} plu_network;

/* For frames of a trajectory. PLU_OK, PLU_BAD_INPUT or PLU_IO; plu_network_free in any case. */
plu_status plu_network_begin(plu_network *network, const struct plu_scene *scene,
                             const char *trajectory, plu_error *err);
/* Takes the links of a frame in place of those before: of active bodies, where a force or a moment
 * acts. PLU_OK, PLU_BAD_INPUT (`source` has no contacts) or PLU_IO. */
plu_status plu_network_take(plu_network *network, const plu_frame_data *frame, const char *source,
                            plu_error *err);
void plu_network_free(plu_network *network);

#endif
