/* bed.h: where a bed of grains is, and how well its species are mixed. Of views as in measure.h; SI
 * units. */
/* Of the tool: neither installed nor exported by the shared library. */
#ifndef PLUVIA_TOOL_BED_H
#define PLUVIA_TOOL_BED_H

#include "pluvia/tool/measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- mixing (mixing.c) --- */

enum { PLU_SPECIES = 8 };

typedef struct plu_mixed {
    int grains;
    double mass;           /* kg */
    double center[3];      /* m, of mass; NAN without grains */
    double segregation[3]; /* along x, y, z: the distance between the centers (by volume) of this
                            * species and of the rest over the largest that it can be, -1 to 1;
                            * NAN along the periodic directions of a cell */
    double radial;         /* the same of the mean distances from an axis through the center of
                            * mass of all: 1 is outside; NAN where the cell is periodic across it */
} plu_mixed;

/* Of grains in a region (NULL: all). Lacey's index: 0 not mixed at all, 1 as well as by chance
 * (mean over all ways to deal the grains out; single states may be above), NAN with one species. */
typedef struct plu_mixing {
    int species, cells; /* at most PLU_SPECIES; cells that hold grains */
    double lacey;
    plu_mixed of[PLU_SPECIES];
} plu_mixing;

/* `of_body`: the species of each body, in [0, species); others are left out. `width` of the cells
 * (m): some 10 to 50 grains in each. `axis`: unit vector, of `radial`. PLU_OK or PLU_IO (no
 * memory).
 */
plu_status plu_measure_mixing(plu_mixing *mixing, const plu_view *view, const plu_region *region,
                              const int *of_body, int species, double width, const double axis[3],
                              plu_error *err);

/* --- a bed (bed.c) --- */

/* Where the grains of a region (NULL: all) are, by mass, so that strays do not count. Along the
 * periodic directions of a cell, without a region, places say nothing and are NAN. */
typedef struct plu_bed {
    long grains;
    double mass;                       /* kg */
    double center[3];                  /* m, of mass */
    double low[3], middle[3], high[3]; /* m: 2.5, 50 and 97.5 % of the mass are below */
    double runout;                     /* m: 95 % of the mass are horizontally within this of
                                        * the medians of x and y */
    /* rad: slope of the plane through the tops of the highest spheres of columns one mean diameter
     * wide over the middle half of the bed, along x and y, and the steepest, or across the axis
     * where that is level, for the few columns along a narrow drum would make it steeper by
     * chance; NAN with less than 8. Along a periodic direction of a cell, without a region, there
     * is none (NAN), and the steepest is that across it, or NAN */
    double slope[2], steepest, slope_error; /* standard error of `steepest` */
    /* m: normal to that plane, from it to where the grains at the middle of the bed do not move
     * along it any more, and below go the other way, as in a drum, by a straight line through the
     * speeds there; NAN where nothing flows so, and where no boundary turns about a level axis */
    double flow_depth;
} plu_bed;

/* `axis`: of the boundary that turns; NULL: none does. PLU_OK or PLU_IO (no memory). */
plu_status plu_measure_bed(plu_bed *bed, const plu_view *view, const plu_region *region,
                           const double axis[3], plu_error *err);

#ifdef __cplusplus
}
#endif

#endif
