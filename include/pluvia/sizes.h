/* sizes.h: the size distributions and mixtures of a scene (lengths in m). */
#ifndef PLUVIA_SIZES_H
#define PLUVIA_SIZES_H

#include "pluvia/where.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How radii are distributed (src/fill/sizes.h). */
typedef enum plu_size_kind {
    PLU_RANGE, /* plu_*_spec.radius: uniform, each drawn independently */
    PLU_UNIFORM,
    PLU_POWER,
    PLU_NORMAL,
    PLU_LOGNORMAL,
    PLU_SIEVES
} plu_size_kind;

/* The quantity that shares refer to. */
typedef enum plu_share { PLU_BY_NUMBER = 1, PLU_BY_MASS } plu_share;

enum { PLU_SIEVES_MOST = 32 };

/* A size distribution instead of a radius; zeroed if the scene gives a radius or a range. */
typedef struct plu_size_spec {
    plu_size_kind kind;
    plu_share by;
    double range[2];     /* m: smallest and largest radius */
    double exponent;     /* power: density r^-exponent */
    double mean, median; /* m: of a normal, of a lognormal distribution before cutting */
    double sigma;        /* m of a normal, of ln r of a lognormal distribution */
    int sieves_count;
    double sieves[PLU_SIEVES_MOST][2]; /* opening (m, a diameter), fraction passing; increasing */
    bool stratified;                   /* stratified sampling */
} plu_size_spec;

/* One component of a mixture. */
typedef struct plu_mixture_part {
    char material_name[PLU_NAME];
    int material;
    double share; /* of the sum of all shares */
    double radius[2];
    plu_size_spec sizes;
    plu_where where;
} plu_mixture_part;

#ifdef __cplusplus
}
#endif

#endif
