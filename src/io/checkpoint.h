/* checkpoint.h: inside of a checkpoint file, for those who write and read it. */
#ifndef IO_CHECKPOINT_H
#define IO_CHECKPOINT_H

#include "base/state.h"
#include "io/h5.h"
#include "pluvia/checkpoint.h"
#include <stdint.h>

enum {
    PLU_CHECKPOINT_SCHEMA = 3, /* increase when a state cannot be read as before */
    PLU_SEAL = 512             /* bytes before the HDF5 file */
};

/* The first PLU_SEAL bytes: a text with size of the file and hash of all that follows, and zeros.
 * HDF5 passes over them. */
void plu_seal_text(char seal[PLU_SEAL], long long bytes, uint64_t hash);

/* Hash of what follows the seal. False where the file cannot be read (errno). */
bool plu_seal_hash(int file, uint64_t *hash);

/* Names every array of a run. */
void plu_checkpoint_state(plu_stepper *stepper, plu_run_record *record, plu_state *state);

/* Types of HDF5 for the numbers of a state, in the file and in memory. */
hid_t plu_state_in_file(plu_state_type type);
hid_t plu_state_in_memory(plu_state_type type);

#endif
