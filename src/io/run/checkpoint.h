/* checkpoint.h: the layout of a checkpoint file, for its writer and its reader. */
#ifndef IO_RUN_CHECKPOINT_H
#define IO_RUN_CHECKPOINT_H

#include "base/state.h"
#include "io/h5/h5.h"
#include "pluvia/checkpoint.h"
#include <stdint.h>

enum {
    PLU_CHECKPOINT_SCHEMA = 10, /* increase when older states can no longer be read */
    PLU_SEAL = 512              /* bytes before the HDF5 file */
};

/* Fills the first PLU_SEAL bytes of the file: a text with the size of the file and the hash of
 * everything behind the seal, then zeros. HDF5 skips them as a user block. */
void plu_seal_text(char seal[PLU_SEAL], long long bytes, uint64_t hash);

/* Computes the hash of everything behind the seal. False: the file cannot be read (errno). */
bool plu_seal_hash(int file, uint64_t *hash);

/* Saves or loads (base/state.h) all arrays of a run. */
void plu_checkpoint_state(plu_stepper *stepper, plu_run_record *record, plu_state *state);

/* Saves or sets the numbers of the record. */
void plu_record_state(plu_run_record *record, plu_state *state);

/* The HDF5 types of the numbers of a state, in the file and in memory. */
hid_t plu_state_in_file(plu_state_type type);
hid_t plu_state_in_memory(plu_state_type type);

#endif
