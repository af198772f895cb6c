/* keys.h: the one table of everything that a scene may hold. The reader, the checks, the messages,
 * the defaults, `pluvia help KEY` and the reference in scenes/reference.md all work from it. */
#ifndef SCENE_KEYS_H
#define SCENE_KEYS_H

#include <stddef.h>

typedef enum plu_key_type {
    PLU_KEY_GROUP,   /* { ... }; stores `given` where `size` says there is a place for it */
    PLU_KEY_LIST,    /* ( {...}, ... ): an array of structs */
    PLU_KEY_REAL,    /* `count` doubles */
    PLU_KEY_RATE,    /* stored as its inverse, a double */
    PLU_KEY_INTEGER, /* `count` ints */
    PLU_KEY_SEED,    /* uint64_t */
    PLU_KEY_BOOL,
    PLU_KEY_TEXT,    /* char[size]; range.low: fewest characters */
    PLU_KEY_NAMES,   /* char[2][size / 2] */
    PLU_KEY_CHOICE,  /* one of `choices`, stored as an int or, where size is 1, as a bool */
    PLU_KEY_FLAGS,   /* list of `choices`, stored as the sum of their values */
    PLU_KEY_BOX,     /* double[2][3], lower and upper corner */
    PLU_KEY_RADIUS,  /* double[2] from one number or from [smallest, largest]; or a group of keys */
    PLU_KEY_PAIRS,   /* double[size / 16][2] and their number, from a list of at least two [a, b] */
    PLU_KEY_NUMBERS, /* double[size / 8] and their number, from a list that may be empty */
    PLU_KEY_WORDS    /* char[size / PLU_NAME][PLU_NAME] and their number: a list of names */
} plu_key_type;

typedef enum plu_key_need {
    PLU_REQUIRED, /* unless there is a `fallback` or a sibling of `unless` is given */
    PLU_OPTIONAL, /* may be left out; then nothing is stored */
    PLU_ONE_OF    /* exactly one of the siblings marked so must be given */
} plu_key_need;

typedef struct plu_range {
    double low, high; /* HUGE_VAL: no limit */
    int open;         /* the lower end does not belong to it */
} plu_range;

typedef struct plu_choice {
    const char *name; /* NULL ends a list of choices */
    int value;
} plu_choice;

typedef struct plu_key {
    const char *path; /* "boundaries.plate.center"; the root group is "" */
    plu_key_type type;
    plu_key_need need;
    const char *unless[3];
    const char *fallback; /* the default as a scene would write it */
    int count;
    plu_range range; /* of each number */
    const char *unit;
    const plu_choice *choices; /* of a REAL: words that stand for numbers */
    /* place in the struct of the list element or of the section that the key belongs to, else in
     * struct plu_scene */
    size_t offset, size;
    size_t count_offset; /* of a list, of pairs or of numbers: how many there are */
    size_t where_offset; /* the plu_where of a list's element, or of the key itself; 0: none */
    size_t section;      /* of a group: the pointer to its struct in plu_scene; 0: it has none */
    int given;           /* of a group */
    int may_change;      /* also when a run is continued */
    int penalty;         /* only with the penalty method */
    const char *help;
} plu_key;

/* The rows, root first, each group before its keys; ended by a row without a path. */
extern const plu_key plu_keys[];

const char *plu_key_name(const plu_key *key); /* last part of the path */

/* The key `name` of `group`; NULL if there is none. Of a stage also what it may change. */
const plu_key *plu_key_child(const plu_key *group, const char *name);

/* The first key of `group` (`last` NULL), then the one after `last`; NULL after the last one. */
const plu_key *plu_key_next(const plu_key *group, const plu_key *last);

/* Whether the key holds others: a group, a list, or a value that may be a group instead. */
int plu_key_has_keys(const plu_key *key);

/* Whether a stage may change the key, or some key in it. */
int plu_key_staged(const plu_key *key);

/* The key with the whole path `path`, NULL if there is none. */
const plu_key *plu_key_find(const char *path);

#endif
