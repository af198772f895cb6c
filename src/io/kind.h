/* kind.h: what a file is, by what is in it: names say nothing that a user could not change. */
#ifndef IO_KIND_H
#define IO_KIND_H

typedef enum plu_file_kind {
    PLU_KIND_OTHER,      /* also what cannot be read */
    PLU_KIND_SCENE,      /* a scene, a campaign, a part of one */
    PLU_KIND_TRAJECTORY, /* also of other programs (H5MD) */
    PLU_KIND_CHECKPOINT,
    PLU_KIND_PROBLEM,
    PLU_KIND_CAMPAIGN, /* its table in HDF5 */
    PLU_KIND_HDF5,     /* another file in HDF5, or one that HDF5 cannot open */
    PLU_FILE_KINDS     /* how many there are */
} plu_file_kind;

/* Of a regular file. */
plu_file_kind plu_file_kind_of(const char *path);

/* "a scene"; NULL of PLU_KIND_OTHER. */
const char *plu_file_kind_name(plu_file_kind kind);

#endif
