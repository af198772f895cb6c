/* falls_floors.h: the boundaries of a scene on which bodies may fall. */
#ifndef CLI_RUN_FALLS_FLOORS_H
#define CLI_RUN_FALLS_FLOORS_H

#include "pluvia/scene.h"
#include <stddef.h>

/* Planes, each once: a floor may be made of thousands of plates. */
typedef struct plu_floors {
    double down[3];     /* unit vector along gravity */
    double (*at)[2][3]; /* a point, the normal; owned */
    size_t count, capacity;
} plu_floors;

/* Finds the planes of all boundaries; fewer if memory runs out. */
void plu_floors_find(plu_floors *floors, const plu_scene *scene, const double down[3]);
void plu_floors_free(plu_floors *floors);

/* Distance from a point down to the lowest boundary below it (m); 0: there is none. */
double plu_way_down(const plu_floors *floors, const double x[3]);

#endif
