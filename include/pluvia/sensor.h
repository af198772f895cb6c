/* sensor.h: what a scene measures in every step, not only in the frames: what passes a surface,
 * what is in a box, forces on a boundary. Numbers are sums since the start of the run, so that
 * differences of two frames are exact means of the time between, whatever the steps:
 *
 *   plane, disc, rectangle   mass (kg), grains: through it along its normal, less what came back;
 *                            first (s): when the first center passed along the normal
 *   box                      mass (kg), grains: with the center in it now; mass_time (kg s),
 *                            grain_time (s): their integrals over time; first (s): when the first
 *                            was in it
 *   boundary                 impulse_x ... (N s), angular_impulse_x ... (N m s, about the center
 *                            of its motion): of the bodies on it
 *
 * The time at which a center passes a surface is that on a straight line through a step. */
#ifndef PLUVIA_SENSOR_H
#define PLUVIA_SENSOR_H

#include "pluvia/where.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default) /* what the library exports */

typedef enum plu_sensor_kind {
    PLU_SENSOR_BOUNDARY,
    PLU_SENSOR_PLANE,
    PLU_SENSOR_DISC,
    PLU_SENSOR_RECTANGLE,
    PLU_SENSOR_BOX,
    PLU_SENSOR_KINDS /* how many there are */
} plu_sensor_kind;

typedef struct plu_sensor_spec {
    plu_sensor_kind kind;
    char name[PLU_NAME];
    double center[3], normal[3]; /* m; a unit vector after reading */
    double direction[3];         /* rectangle: its first edge, normal to `normal`; zero: chosen */
    double size[2];              /* m, rectangle */
    double radius;               /* m, disc */
    double lower[3], upper[3];   /* m, box */
    char boundary_name[PLU_NAME];
    int boundary;
    char material_name[PLU_NAME]; /* "": all */
    int material;                 /* -1: all */
    double radii[2];              /* m: only spheres with a radius in this range; 0, 0: all */
    char stage_name[PLU_NAME], last_stage_name[PLU_NAME]; /* "": the first, the last one */
    int stage, last_stage; /* it sums from the beginning of the one to the end of the other */
    plu_where where;
} plu_sensor_spec;

enum { PLU_SENSOR_NUMBERS = 6, PLU_SENSORS = 24 }; /* at most, of a sensor; sensors of a scene */

/* The numbers of a kind of sensor: how many, name and unit ("": none) of number i. */
int plu_sensor_numbers(plu_sensor_kind kind);
const char *plu_sensor_number_name(plu_sensor_kind kind, int i);
const char *plu_sensor_number_unit(plu_sensor_kind kind, int i);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
