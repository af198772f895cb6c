/* kind.h: the kind of a file by its content, because a user can give a file any name. */
#ifndef IO_H5_KIND_H
#define IO_H5_KIND_H

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

/* The kind of a regular file. */
plu_file_kind plu_file_kind_of(const char *path);

/* A name for messages, such as "a scene"; NULL for PLU_KIND_OTHER. */
const char *plu_file_kind_name(plu_file_kind kind);

#endif
