/* h5.h: the few HDF5 calls that a writer needs, with sentences for errors.
 *
 * A plu_h5 goes through a piece of work: once a call has failed, the later ones do nothing and
 * return -1, so that a caller writes straight on and looks at `status` at the end. Objects of the
 * file (groups, datasets) are closed with the file (H5F_CLOSE_STRONG). With `existing` the same
 * calls find what an earlier run has made: groups and datasets are opened, and must be as they
 * would have been made; attributes, links and texts are left as they are. */
#ifndef IO_H5_H
#define IO_H5_H

#include "pluvia/status.h"
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct plu_h5 {
    const char *path;  /* named in messages */
    plu_status on_bad; /* status of a failure: PLU_IO for a writer, PLU_BAD_INPUT for a reader */
    plu_status status; /* PLU_OK until the first failure */
    plu_error *err;
    bool existing; /* nothing is made, all is there */
} plu_h5;

/* HDF5 prints its errors unless told otherwise; between these two calls it does not. They stand
 * around every piece of work with HDF5, and may stand within each other. `foreign` is the file
 * where it may be anything (plu_reading); NULL: we are making it. */
typedef struct plu_h5_quiet {
    H5E_auto2_t report;
    void *data;
    const char *foreign;
} plu_h5_quiet;

plu_h5_quiet plu_h5_quiet_begin(const char *foreign);
void plu_h5_quiet_end(plu_h5_quiet before);

/* True when all went well so far and `result` (of an HDF5 call) is not negative. Else notes the
 * failure: "PATH: cannot WHAT: REASON", the reason taken from HDF5's error stack. */
bool plu_h5_check(plu_h5 *h5, long long result, const char *format, ...) PLU_PRINTF(3, 4);

/* Why the last HDF5 call failed, as a phrase: "no space left on device". True when the operating
 * system refused something, false when HDF5 itself did. */
bool plu_h5_reason(char *buffer, size_t size);

/* Whether the last HDF5 call failed because another program has the file open. */
bool plu_h5_held(void);

/* A link can lead to another file, and the numbers of a dataset can lie in one: a foreign file
 * could so make us read, and print, whatever we may read. True when each link of `path`, from
 * `parent` on, leads to an object of this file; and when the numbers of a dataset lie in it. */
bool plu_h5_inside(hid_t parent, const char *path);
bool plu_h5_data_inside(hid_t dataset);

hid_t plu_h5_group(plu_h5 *h5, hid_t parent, const char *name);
void plu_h5_hard_link(plu_h5 *h5, hid_t from, const char *name, hid_t to, const char *link);

/* Attributes: at most 64 KiB each. Text is of fixed length, as H5MD asks. `count` 0: a scalar. */
void plu_h5_attr_text(plu_h5 *h5, hid_t object, const char *name, const char *text);
void plu_h5_attr_int(plu_h5 *h5, hid_t object, const char *name, hsize_t count, const int *values);
void plu_h5_attr_real(plu_h5 *h5, hid_t object, const char *name, hsize_t count,
                      const double *values);
void plu_h5_attr_uint64(plu_h5 *h5, hid_t object, const char *name, unsigned long long value);

/* `count` words of at most 8 bytes */
void plu_h5_attr_words(plu_h5 *h5, hid_t object, const char *name, hsize_t count,
                       const char (*words)[8]);

/* A text attribute of `width` bytes that can be written again, and a new text for it. */
void plu_h5_attr_field(plu_h5 *h5, hid_t object, const char *name, size_t width);
void plu_h5_attr_field_set(plu_h5 *h5, hid_t object, const char *name, const char *text);

/* The type of texts of `width` bytes; the caller closes it. */
hid_t plu_h5_text_type(size_t width, bool ascii);

/* Datasets of text: one of any length; a list of `count`. */
void plu_h5_text(plu_h5 *h5, hid_t parent, const char *name, const char *text);
void plu_h5_texts(plu_h5 *h5, hid_t parent, const char *name, int count, const char *const *texts);

/* A dataset of up to three dimensions. */
typedef struct plu_h5_layout {
    hid_t type; /* in the file */
    int rank;
    hsize_t size[3];
    hsize_t chunk[3];
    int growing; /* so many of the first dimensions have no upper limit */
    bool packed; /* shuffled, compressed with level `gzip` (0: not), with a checksum */
    int gzip;
    const void *fill; /* of type `type`; NULL: 0 */
} plu_h5_layout;

hid_t plu_h5_dataset(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout);

/* A dataset that gains rows frame by frame. */
typedef struct plu_series {
    hid_t dataset;
    int rank;
    hsize_t size[3];     /* size[0]: rows of the frames that are wholly written */
    hsize_t added;       /* rows of the frame that is being written */
    hsize_t chunk_rows;  /* rows in a chunk */
    hsize_t chunk_bytes; /* of the chunks side by side that hold these rows */
    hid_t type;          /* in the file */
    bool summed;         /* its rows belong to the frame's sum (io/sums.h) */
    uint64_t sum;        /* of the rows of the frame that is being written */
} plu_series;

plu_series plu_series_make(plu_h5 *h5, hid_t parent, const char *name, const plu_h5_layout *layout);

/* Adds `rows` rows of `type` (in memory); they count as part of a frame not yet whole. */
void plu_series_append(plu_h5 *h5, plu_series *series, hid_t type, hsize_t rows, const void *data);
void plu_series_commit(plu_series *series);
void plu_series_rollback(plu_series *series); /* cuts the dataset back to whole frames */

/* Cuts the dataset back to its first `rows` rows, which it must have. */
void plu_series_cut(plu_h5 *h5, plu_series *series, hsize_t rows);

/* Bytes that `rows` more rows may need in the file, uncompressed. */
long long plu_series_need(const plu_series *series, hsize_t rows);

/* Takes disk space for `bytes` more bytes before HDF5 touches the file, because HDF5 leaves a file
 * that cannot be opened when the disk is full in the middle of a write; `what` it is for: "the next
 * frame". The surplus is given back by plu_h5_give_back. */
void plu_h5_reserve(plu_h5 *h5, hid_t file, const char *what, long long bytes);
void plu_h5_give_back(hid_t file);

/* The descriptor of the file and how far HDF5 uses it; -1 where the driver has none. */
int plu_h5_descriptor(hid_t file, hsize_t *size);

#endif
