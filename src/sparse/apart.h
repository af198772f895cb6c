/* apart.h: work of a library that cannot be asked to end, in a thread of its own, which is left to
 * itself once nobody wants the result. */
#ifndef SPARSE_APART_H
#define SPARSE_APART_H

#include "base/stop.h"

typedef void plu_apart_work(void *data);

/* Calls work(data). True: it has returned. False: it was given up, and `data` is the caller's no
 * longer: drop(data) follows the work whenever that ends; neither may need anything else. */
bool plu_apart(plu_apart_work *work, plu_apart_work *drop, void *data, plu_stop *stop);

#endif
