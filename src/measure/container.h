/* container.h: the part of a box that the boundaries around the bodies leave to them. */
#ifndef MEASURE_CONTAINER_H
#define MEASURE_CONTAINER_H

#include "pluvia/tool/measure.h"

/* A surface beyond which nothing of the box counts: a plane whose `axis` points to the bodies, a
 * tube or cone, which counts from its first circle to its second, or the inside of a sphere. */
typedef struct plu_shell {
    plu_piece_kind kind;
    double center[3], axis[3];
    double radius, slope, height; /* the radius grows by `slope` along the axis */
} plu_shell;

enum { PLU_SHELLS = 64 };

typedef struct plu_container {
    plu_region box; /* what flat walls normal to an axis leave of it */
    int shells;     /* other surfaces that may cut it */
    int left_out;   /* pieces of boundaries in it that are not taken into account */
    plu_shell shell[PLU_SHELLS];
} plu_container;

/* Which boundaries of the view's scene bound a box, by the rules of plu_measure_room. */
void plu_container_find(plu_container *container, const plu_view *view, const plu_region *box);

/* The volume of each of `rows` layers of equal height over the region, which the container was
 * found for; `lines` has room for as many numbers. */
void plu_container_layers(const plu_container *container, const plu_region *region, int rows,
                          double *volume, double *lines);

/* Area of the part of a disk of radius r around the origin that lies in the rectangle of the x and
 * y of a box (room.c). */
double plu_disk_in_rectangle(double r, const plu_region *box);

#endif
