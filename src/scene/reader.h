/* reader.h: what the parts of plu_scene_read share while a scene is read. */
#ifndef SCENE_READER_H
#define SCENE_READER_H

#include "pluvia/scene.h"
#include "scene/keys.h"
#include <libconfig.h>

/* A place in the input as one number, so that messages can be sorted: a line of the text with its
 * includes joined (from 1); -1 - i: override i; 0: nowhere. */
typedef int plu_place;

/* From line `start` of the joined text on, line `line` of the file `file` and those after it. */
typedef struct plu_segment {
    plu_place start;
    int file, line;
} plu_segment;

typedef struct plu_message {
    plu_place place;
    char *text; /* owned */
} plu_message;

typedef struct plu_reader {
    plu_scene *scene;  /* being filled */
    plu_status status; /* PLU_IO once memory ran out: then everything stops soon */
    bool unopened;     /* the scene file itself could not be opened */
    const char *stage; /* the stage that is being read: messages name it; NULL: none */
    bool stored;       /* the scene of a result: a text alone, without includes and other files */
    const struct plu_extensions *extensions; /* shapes from outside; NULL: none */

    char *code; /* owned: scene->text made ready for libconfig, the same in lines */
    size_t length;
    int lines;
    plu_segment *segments; /* owned, by rising start */
    size_t segments_count, segments_capacity;

    config_t config, defaults; /* the scene; a default */

    plu_message *messages; /* owned */
    size_t messages_count, messages_capacity;
    long messages_lost; /* given beyond those that are kept */
} plu_reader;

/* --- scene.c: the frame around every reading of a file --- */

/* Empties `scene` and makes the reader ready for the file `path`. */
void plu_reader_begin(plu_reader *reader, plu_scene *scene, const char *path);
/* Reads the file with its includes; false: there are complaints and no tree. */
bool plu_reader_parse(plu_reader *reader);
/* Hands the complaints over and frees all but the scene; that too where there were any. */
plu_status plu_reader_end(plu_reader *reader, plu_error *err);

/* --- scene_use.c --- */

/* Gives an empty scene its sections, zeroed; false: no memory (plu_scene_free in any case). */
bool plu_scene_sections(plu_scene *scene);

/* --- report.c: errors are collected, then handed over in the order of the lines --- */

void plu_complain(plu_reader *reader, plu_place place, const char *format, ...) PLU_PRINTF(3, 4);
/* PLU_OK if there were none. */
plu_status plu_report(plu_reader *reader, plu_error *err);
plu_where plu_place_where(const plu_reader *reader, plu_place place);
/* The place of a setting of the tree, or of the nearest setting around it that was written. */
plu_place plu_setting_place(const plu_reader *reader, const config_setting_t *setting);
/* Place of an entry of a list of the scene, or of the key `name` ("plate.normal") in it if given.
 */
plu_place plu_entry_place(const plu_reader *reader, const char *list, int index, const char *name);

/* --- expand.c, scan.c --- */

/* Reads the scene file and its includes into scene->text, scene->files and reader->code. */
void plu_expand(plu_reader *reader);
/* The same for a text that stands alone; `label` is what messages call it. */
void plu_expand_text(plu_reader *reader, const char *label, const char *text);
/* The first line (from 1) that libconfig would take for an include; 0: there is none. */
int plu_find_include(const char *text);

enum { PLU_DEPTH = 64 };

/* State of the scan between two lines; zeroed at the start. */
typedef struct plu_scan {
    enum { PLU_SCAN_CODE, PLU_SCAN_STRING, PLU_SCAN_COMMENT } mode;
    plu_place opened; /* where the comment began */
    int depth;        /* open brackets, outermost first */
    char bracket[PLU_DEPTH];
    plu_place bracket_place[PLU_DEPTH];
    bool broken; /* brackets do not match: no further messages about them */
    bool value;  /* the next word stands where a value is expected */
    bool text;   /* what came last was text */
} plu_scan;

/* Checks what libconfig would take silently or refuse without a reason (integers that do not fit,
 * nan, words without quotes, brackets) and turns [ ] into ( ): a libconfig array holds scalars of
 * one type only, a list takes anything. */
void plu_scan_line(plu_reader *reader, plu_scan *scan, char *line, size_t length, plu_place place);
void plu_scan_end_of_file(plu_reader *reader, plu_scan *scan); /* comments */
void plu_scan_end(plu_reader *reader, plu_scan *scan);         /* brackets */

/* --- tree.c: what libconfig lacks --- */

/* "contacts[0].friction", written into `text`, which is returned. */
const char *plu_setting_path(const config_setting_t *setting, char *text, size_t size);

/* Puts a copy of `from` into a group (under `name`, in place of what is there) or into a list
 * (in place of element `index`). Returns it; NULL: no memory. */
config_setting_t *plu_setting_put(config_setting_t *parent, const char *name, int index,
                                  const config_setting_t *from);

/* Puts a copy of `from` into a group, under its name, in place of what is there: messages about it
 * name where `from` was written. Returns it; NULL: no memory. */
config_setting_t *plu_setting_graft(config_setting_t *parent, const config_setting_t *from);

/* --- laws.c --- */

/* The index of the material `name`, which `setting` gives (NULL: missing, which is reported); -1
 * after an error. The second: of one that spheres are made of, which has a density. */
int plu_find_material(plu_reader *reader, const config_setting_t *setting, const char *name);
int plu_material_of_spheres(plu_reader *reader, const config_setting_t *setting, const char *name);

/* --- stage_merge.c, stage_list.c, stage_check.c --- */

/* Which stage says how a boundary moves, in which of its entries; -1: none does. */
typedef struct plu_since {
    int stage, entry;
} plu_since;

/* Changes a tree as an entry of `stages` says; since[b] is set where it moves boundary b of
 * reader->scene otherwise. */
void plu_stage_merge(plu_reader *reader, int stage, config_setting_t *tree, plu_since *since);
/* Reads the scene of each stage, from the whole tree of a scene that has been read and checked. */
void plu_read_stages(plu_reader *reader);
/* Finds the stages with which feeders and sensors begin. */
void plu_check_users_of_stages(plu_reader *reader);
/* Names and ends of stages; what depends on the scenes of stages, once they are read. */
void plu_check_stages(plu_reader *reader);
void plu_check_staged(plu_reader *reader);
/* The step, where the run chooses it; one longest step for all stages, whose scenes are read. */
void plu_settle_step(plu_reader *reader);
void plu_share_steps(plu_reader *reader);

/* --- override.c, scene_read.c, value.c, scene_check.c --- */

void plu_override(plu_reader *reader, int index);
/* For drafts (pluvia/draft.h): puts a copy of `value` under a key into the tree, where entries
 * behind the last one of a list are made. Returns it, and the row of the key; NULL after a
 * complaint. */
config_setting_t *plu_assign(plu_reader *reader, const char *path, const config_setting_t *value,
                             const plu_key **key);
/* Reads the text of a value of a key as the setting "value" of `config`; false after a complaint.
 */
bool plu_parse_value(plu_reader *reader, const char *path, const char *text, config_t *config);
void plu_read_tree(plu_reader *reader);
void plu_read_value(plu_reader *reader, const plu_key *key, const config_setting_t *setting,
                    void *base);
/* Whether the setting of a key of a group or a list is one; else complains. */
bool plu_read_kind(plu_reader *reader, const plu_key *key, const config_setting_t *setting);
/* Normalizes and resolves what was read, and checks what depends on more than one key. */
void plu_check(plu_reader *reader);
void plu_check_sizes(plu_reader *reader);   /* size_check.c, a part of plu_check */
void plu_check_inlets(plu_reader *reader);  /* feeding.c, likewise */
void plu_check_sensors(plu_reader *reader); /* sensor.c, likewise */
/* Directions of an entry of a list, keys `group`.normal and .direction: makes the first one a unit
 * vector, the second one too and normal to it (zero: chosen). False, or as it was, after a
 * complaint. */
bool plu_settle_normal(plu_reader *reader, const char *list, int index, const char *group,
                       double normal[3]);
void plu_settle_edge(plu_reader *reader, const char *list, int index, const char *group,
                     const double normal[3], double direction[3]);
void plu_check_fill(plu_reader *reader, const plu_body_spec *body, int index);
void plu_check_laws(plu_reader *reader);   /* laws.c, a part of plu_check */
void plu_check_method(plu_reader *reader); /* method.c, likewise */
/* boundary_check.c: a group of keys of a boundary, as its shape, motion or servo looks at them. */
typedef struct plu_settled {
    plu_reader *reader;
    int index;         /* of the boundary */
    const char *group; /* the name of its shape, "motion" or "servo" */
} plu_settled;

/* plu_settling.complain, for a user that is a plu_settled. */
void plu_settled_complain(void *settled, const char *key, const char *text);
/* Makes `axis`, which the key "axis" of the group gives, a unit vector, or complains. */
/* boundary_check.c, likewise: the motion of a boundary whose shape is settled. */
void plu_check_motion(plu_reader *reader, int boundary);
/* Complains of a boundary that is taken away before `group`, its motion or servo, starts (s). */
void plu_check_servo(plu_reader *reader, int boundary); /* boundary_check.c, likewise */

/* --- scene_compare.c --- */

/* Reads a scene as describe.c wrote it. Its lists stand in [ ], which libconfig wants in ( ) where
 * they are nested. */
bool plu_read_resolved(config_t *config, const char *text);

/* --- paths.c --- */

/* Makes the path `given` of a file relative to the working folder, as the scene file's own path is.
 * Complains of `what` where it is too long (false). */
bool plu_path_from_scene(plu_reader *reader, plu_place place, const char *what, const char *given,
                         char path[PLU_PATH]);
/* The same in place, of a file that an entry of `list` names by `key`; false after a complaint, or
 * where it stays as it was written. */
bool plu_settle_path(plu_reader *reader, const char *list, int index, const char *key,
                     char file[PLU_PATH]);
/* Settles the path, and complains where there is no such file. */
void plu_check_path(plu_reader *reader, const char *list, int index, const char *key,
                    char file[PLU_PATH]);
/* Whether the scene gives the key `name` of a boundary. */
bool plu_boundary_has(const plu_reader *reader, int index, const char *name);

#endif
