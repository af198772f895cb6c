/* where.h: names and paths in a scene, and positions in its text. */
#ifndef PLUVIA_WHERE_H
#define PLUVIA_WHERE_H

enum { PLU_NAME = 64, PLU_PATH = 1024 }; /* bytes of a name, and of the path of a file */

/* A position in the text of a scene; plu_scene_where turns it into text. */
typedef struct plu_where {
    int file; /* index into plu_scene.files; -1: an override, -2: nowhere */
    int line; /* from 1; for an override its index */
} plu_where;

#endif
