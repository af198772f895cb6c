/* where.h: names in a scene, and where something of it was written. */
#ifndef PLUVIA_WHERE_H
#define PLUVIA_WHERE_H

enum { PLU_NAME = 64 };

/* Where something was written; resolved to text by plu_scene_where. */
typedef struct plu_where {
    int file; /* index into plu_scene.files; -1: an override, -2: nowhere */
    int line; /* from 1; for an override its index */
} plu_where;

#endif
