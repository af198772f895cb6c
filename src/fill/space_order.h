/* space_order.h: spheres in an order in which those that are near each other in space are near each
 * other in memory, too. */
#ifndef FILL_SPACE_ORDER_H
#define FILL_SPACE_ORDER_H

#include "pluvia/status.h"

/* Sorts rows x, y, z, radius, and the species with them, along Morton's curve through cells of one
 * edge (m); rows of a cell keep their order. PLU_OK or PLU_IO. */
plu_status plu_space_order(double (*sphere)[4], int *species, int count, double edge,
                           plu_error *err);

#endif
