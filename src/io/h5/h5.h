/* h5.h: the few HDF5 calls that a writer needs, with readable error messages.
 *
 * A sequence of calls shares one plu_h5. Once a call has failed, the later ones do nothing and
 * return -1, so that the caller need only check `status` at the end. Groups and datasets are closed
 * with the file (H5F_CLOSE_STRONG). With `existing` the same calls continue the file of an earlier
 * run: groups and datasets are opened, and must have the layout that would have been created;
 * attributes, links and texts are left as they are. */
#ifndef IO_H5_H5_H
#define IO_H5_H5_H

#include "pluvia/status.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* Where the last row of a series of one number each lies, in the file and in memory: most series
 * are such, and equally long. */
typedef struct plu_h5_place {
    hsize_t row;
    hid_t in_file, in_memory; /* data spaces; 0: none yet */
} plu_h5_place;

typedef struct plu_h5 {
    const char *path;  /* of the file, for messages; borrowed */
    plu_status on_bad; /* status of a failure: PLU_IO for a writer, PLU_BAD_INPUT for a reader */
    plu_status status; /* PLU_OK until the first failure */
    plu_error *err;
    bool existing; /* the file exists: open objects instead of creating them */
    struct plu_chunks
        *chunks;         /* packs rows that are whole chunks (io/h5/chunk.h); NULL: HDF5 does */
    plu_h5_place *place; /* kept from row to row; NULL: not */
    struct plu_kept_rows *kept; /* where appended rows are only kept (io/h5/h5.h); NULL: not */
    bool whole; /* the sum of its header has shown that all links and data stay in the file */
} plu_h5;

/* Between these two calls HDF5 does not print its errors, and no other thread is between them: HDF5
 * is not made for several. Every sequence of HDF5 calls is enclosed by them; pairs may be nested.
 * `foreign`: the path of a file whose content cannot be trusted
 * (plu_reading); NULL: a file that this process has created. */
typedef struct plu_h5_quiet {
    H5E_auto2_t report;
    void *data;
    const char *foreign;
} plu_h5_quiet;

plu_h5_quiet plu_h5_quiet_begin(const char *foreign);
void plu_h5_quiet_end(plu_h5_quiet before);

/* True if no call has failed so far and `result`, what an HDF5 call returned, is not negative. Else
 * sets the status and the message "PATH: cannot WHAT: REASON"; WHAT is the formatted text, the
 * reason comes from HDF5's error stack. */
bool plu_h5_check(plu_h5 *h5, long long result, const char *format, ...) PLU_PRINTF(3, 4);

/* Why the last HDF5 call failed, as a phrase: "no space left on device". True if the operating
 * system caused the failure, false if HDF5 itself did. */
bool plu_h5_reason(char *buffer, size_t size);

/* Whether the last HDF5 call failed because another program has the file open. */
bool plu_h5_held(void);

/* Protection against links to other files, by which a manipulated file could make the program read
 * and print any file that the user may read. plu_h5_inside is true if each link of `path`, from
 * `parent` on, leads to an object of this file; plu_h5_data_inside if the data of a dataset are
 * stored in this file. */
bool plu_h5_inside(hid_t parent, const char *path);
/* 1: plu_h5_inside; 0: there is no such link, or it leads elsewhere; -1: it cannot be read. */
int plu_h5_leads(hid_t parent, const char *path);
bool plu_h5_data_inside(hid_t dataset);
/* As plu_h5_data_inside, from the list of properties by which a dataset was made. */
bool plu_h5_keeps_inside(hid_t how);

hid_t plu_h5_group(plu_h5 *h5, hid_t parent, const char *name);
void plu_h5_hard_link(plu_h5 *h5, hid_t from, const char *name, hid_t to, const char *link);

/* Attributes of at most 64 KiB each. Text has a fixed length, as H5MD requires. `count` 0: a
 * scalar.
 */
void plu_h5_attr_text(plu_h5 *h5, hid_t object, const char *name, const char *text);
void plu_h5_attr_int(plu_h5 *h5, hid_t object, const char *name, hsize_t count, const int *values);
void plu_h5_attr_real(plu_h5 *h5, hid_t object, const char *name, hsize_t count,
                      const double *values);
void plu_h5_attr_uint64(plu_h5 *h5, hid_t object, const char *name, unsigned long long value);

/* `count` words of at most 8 bytes */
void plu_h5_attr_words(plu_h5 *h5, hid_t object, const char *name, hsize_t count,
                       const char (*words)[8]);

/* Creates a text attribute of `width` bytes that can be changed later, and sets its text. */
void plu_h5_attr_field(plu_h5 *h5, hid_t object, const char *name, size_t width);
void plu_h5_attr_field_set(plu_h5 *h5, hid_t object, const char *name, const char *text);

/* The HDF5 type of texts of `width` bytes; the caller closes it. */
hid_t plu_h5_text_type(size_t width, bool ascii);

/* Datasets of text: a single text of any length; a list of `count` texts. */
void plu_h5_text(plu_h5 *h5, hid_t parent, const char *name, const char *text);
void plu_h5_texts(plu_h5 *h5, hid_t parent, const char *name, int count, const char *const *texts);

/* A dataset of up to three dimensions. */
typedef struct plu_h5_layout {
    hid_t type; /* in the file */
    int rank;
    hsize_t size[3];
    hsize_t chunk[3];
    int growing; /* the first `growing` dimensions are unlimited */
    bool packed; /* shuffle filter, compression of level `gzip` (0: none), and checksum */
    int gzip;
    const void *fill; /* of type `type`; NULL: 0 */
} plu_h5_layout;

hid_t plu_h5_dataset(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout);

/* A dataset to which rows are appended frame by frame. */
typedef struct plu_series {
    hid_t dataset;
    int rank;
    hsize_t size[3];     /* size[0]: rows of complete frames */
    hsize_t added;       /* rows of the frame that is being written */
    hsize_t chunk_rows;  /* rows of a chunk */
    hsize_t chunk_bytes; /* bytes of all chunks side by side that hold these rows */
    hid_t type;          /* in the file */
    hsize_t chunk_width; /* of a row that is chunks of its own: rows of the next dimension in one of
                            them; 0: chunks hold several rows, or HDF5 packs them */
    int gzip;
    const void *fill;
    bool summed;    /* its rows are part of the checksum of a frame (io/h5/sums.h) */
    uint64_t sum;   /* checksum of the rows of the frame that is being written */
    uint64_t start; /* of such a checksum; once it is `named` */
    bool named;
    hid_t given; /* type in memory of the last rows: `alike`: also that in the file */
    bool alike;
} plu_series;

plu_series plu_series_make(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout);

/* Appends `rows` rows of `type` (in memory). They belong to an incomplete frame until
 * plu_series_commit. */
void plu_series_append(plu_h5 *h5, plu_series *series, hid_t type, hsize_t rows, const void *data);

/* The same for the only rows of a frame, of which `sum` is the checksum. */
void plu_series_append_summed(plu_h5 *h5, plu_series *series, hid_t type, hsize_t rows,
                              const void *data, uint64_t sum);
void plu_series_commit(plu_series *series);
void plu_h5_place_forget(plu_h5_place *place); /* closes its data spaces */

/* plu_sum_start of its dataset, whose name HDF5 puts together anew whenever it is asked. */
uint64_t plu_series_sum_start(plu_series *series);

void plu_series_rollback(plu_series *series); /* cuts the dataset back to whole frames */

/* Cuts the dataset back to its first `rows` rows, which it must have. */
void plu_series_cut(plu_h5 *h5, plu_series *series, hsize_t rows);

/* Upper bound of the bytes that `rows` more rows need in the file, uncompressed. */
long long plu_series_need(const plu_series *series, hsize_t rows);

/* Reserves disk space for `bytes` more bytes before HDF5 writes, because HDF5 leaves a file that
 * cannot be opened if the disk becomes full during a write. `what`: what the space is for ("the
 * next frame"), for the message. plu_h5_give_back releases the surplus: soon where the file has
 * become longer (true), else when nothing more is written, since it does not count as content.
 * `*until`: the end of what was reserved before, 0: nothing; where that is enough nothing is done,
 * else twice as much is reserved if there is room. NULL: for once. */
bool plu_h5_reserve(plu_h5 *h5, hid_t file, const char *what, long long bytes, hsize_t *until);
void plu_h5_give_back(hid_t file);

/* The file descriptor; *size: the bytes that HDF5 uses. -1: the driver has no descriptor. */
int plu_h5_descriptor(hid_t file, hsize_t *size);

/* --- copies of the rows of a frame, which are appended to the file later --- */

typedef struct plu_kept {
    plu_series *series; /* borrowed */
    hid_t type;
    hsize_t rows;
    size_t at; /* where its numbers begin in `bytes` */
    bool summed;
    uint64_t sum; /* where `summed` */
} plu_kept;

/* All zero: nothing is kept. */
typedef struct plu_kept_rows {
    plu_kept *list;
    size_t count, capacity;
    unsigned char *bytes;
    size_t size, room;
} plu_kept_rows;

/* Keeps none of them, but the memory. */
void plu_kept_rows_forget(plu_kept_rows *kept);

void plu_kept_rows_free(plu_kept_rows *kept);

#endif
