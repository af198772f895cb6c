/* print.h: a scene back as text. */
#ifndef SCENE_PRINT_H
#define SCENE_PRINT_H

#include <libconfig.h>
#include <stdio.h>

/* The whole tree in the order of the table, with units as comments; reading it gives the same
 * scene. */
void plu_print_scene(FILE *out, const config_setting_t *root);

#endif
