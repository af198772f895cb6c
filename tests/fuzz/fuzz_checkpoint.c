/* Checkpoints: a right one with edits, with a seal that fits. What is loaded is stepped once. A
 * first byte of 255 leaves the seal out: the rest of the input is the file. */
#include "edits.h"
#include "io/run/checkpoint.h"
#include "judge.h"
#include "small_run.h"

static original right;
static small_run run;

static void make_right(void)
{
    plu_step_info info;
    plu_run_record record = {0};
    char folder[] = "/tmp/pluvia-fuzz-XXXXXX", path[64], checkpoint[PLU_PATH], other[PLU_PATH];
    require(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/a.h5md", folder);
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    small_run_read(&run);
    small_run_begin(&run);
    for (int i = 0; i < 10; i++)
        require(plu_step(run.stepper, &info, NULL) == PLU_OK);
    require(plu_checkpoint_write(path, &run.scene, run.world, run.stepper, &record, NULL) ==
            PLU_OK);
    require(plu_checkpoint_names(path, checkpoint, other, NULL) == PLU_OK);
    small_run_end(&run);
    original_take(&right, checkpoint);
    rmdir(folder);
}

static void seal(void)
{
    char text[PLU_SEAL];
    uint64_t hash = 0;
    struct stat about;
    require(fstat(scratch_number, &about) == 0 && plu_seal_hash(scratch_number, &hash));
    plu_seal_text(text, (long long)about.st_size, hash);
    require(pwrite(scratch_number, text, sizeof text, 0) == sizeof text);
}

static void load(plu_checkpoint *checkpoint, int as_it_was)
{
    plu_error err = {0};
    plu_run_record record;
    plu_step_info info;
    small_run_begin(&run);
    const plu_status status = plu_checkpoint_load(checkpoint, run.stepper, &record, &err);
    require(status == PLU_OK || (!as_it_was && err.text[0]));
    if (status == PLU_OK && plu_step(run.stepper, &info, &err) != PLU_OK)
        require(!as_it_was && err.text[0]);
    small_run_end(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!right.bytes)
        make_right();
    plu_error err = {0};
    plu_checkpoint checkpoint;
    const int raw = size > 0 && data[0] == 255;
    input in = {data, data + size};
    if (raw) {
        scratch_fill(data + 1, size - 1);
    } else {
        edited(&in, &right);
        seal();
    }
    if (plu_checkpoint_open(&checkpoint, scratch, &err) == PLU_OK) {
        require(!raw);
        load(&checkpoint, size == 0);
    } else {
        require(size > 0 && err.text[0]);
    }
    plu_checkpoint_close(&checkpoint);
    return 0;
}
