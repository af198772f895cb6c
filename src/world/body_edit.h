/* body_edit.h: bodies that are taken out or fixed while a run lasts. */
#ifndef WORLD_BODY_EDIT_H
#define WORLD_BODY_EDIT_H

#include "world/world.h"

/* Removes an active body. Returns the energy that it had (J). */
double plu_world_take_out(plu_world *world, int body);

/* Fixes an active body where it is, or lets it go. */
void plu_world_fix(plu_world *world, int body, bool fixed);

/* Whether the domain of the scene removes the body where it is at x. */
bool plu_world_removes(const plu_world *world, int body, const double x[3]);

#endif
