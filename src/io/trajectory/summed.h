/* summed.h: checks data read from a trajectory against its checksums (sums.h).
 *
 * /parameters/pluvia/sums has one checksum of all rows of a frame. `sums_by_set` has one for each
 * dataset of a frame, whose names are in `sums_of`, so that a reader of a part of a frame can check
 * that part. Files of older versions have only the former, and are checked when a whole frame is
 * read. Files without checksums (of other programs, or of the first layout) are not checked. */
#ifndef IO_TRAJECTORY_SUMMED_H
#define IO_TRAJECTORY_SUMMED_H

#include "io/h5/h5_read.h"
#include "pluvia/where.h"

enum { PLU_SUMMED_MOST = 300 };

/* A dataset whose rows have checksums. */
typedef struct plu_summed_set {
    hid_t dataset, type;
    char path[3 * PLU_NAME];
    uint64_t start;
    bool contacts; /* a row a contact, else a row a frame */
    int shift;     /* rows before those of frame 0 */
    int column;    /* of `each`; -1: none */
    bool whole;    /* all its rows were found right */
} plu_summed_set;

typedef struct plu_summed {
    int count; /* 0: the file has no sums */
    plu_summed_set set[PLU_SUMMED_MOST];
    hid_t total, each; /* data sets of sums; each < 0: not in the file */
    hsize_t columns;
    bool running; /* a run may be writing the file at this moment */
    long frame;   /* the one that is being checked */
    uint64_t found[PLU_SUMMED_MOST];
    bool seen[PLU_SUMMED_MOST];
} plu_summed;

/* Compares the header with its sum; false where the file has no sums. A mismatch is damage. */
bool plu_summed_header(plu_h5 *h5, hid_t file);

/* Finds the checksums and their datasets; the handles are closed with the file. */
void plu_summed_open(plu_summed *summed, plu_h5 *h5, hid_t file);
void plu_summed_close(plu_summed *summed); /* accepts a zeroed one */

/* Index of a dataset in `set`; -1: it has no checksums. */
int plu_summed_find(const plu_summed *summed, const char *path);

/* Check of frame k: plu_summed_begin, then plu_summed_add for the data read of each set, then the
 * comparison. Rows are added in their order: contacts any number at a time, other sets the whole
 * row at once; `set` -1 adds nothing. */
void plu_summed_begin(plu_summed *summed, long k);
void plu_summed_add(plu_summed *summed, plu_h5 *h5, int set, hid_t in_memory, size_t rows,
                    size_t width, const void *numbers);
void plu_summed_compare(plu_summed *summed, plu_h5 *h5);

/* Reads rows [first, end) of a set, which are those of one frame; their sum. */
uint64_t plu_summed_rows(const plu_summed *summed, plu_h5 *h5, int set, hsize_t first, hsize_t end);

/* Reads a whole frame, whose contacts are rows [first, end), and compares it. */
void plu_summed_frame(plu_summed *summed, plu_h5 *h5, long k, hsize_t first, hsize_t end);

/* Compares the row of frame k in a set with a row a frame; needs `each`. */
void plu_summed_row(plu_summed *summed, plu_h5 *h5, const char *path, long k);

/* Compares a set with one number a frame, read as doubles, once; needs `each`. */
void plu_summed_column(plu_summed *summed, plu_h5 *h5, const char *path, hsize_t frames,
                       const double *values);

#endif
