/* Texts of Siconos: the input is the file. */
#include "input.h"
#include "io/problem/file_parts.h"
#include "judge.h"
#include "scratch_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scratch_fill(data, size);
    plu_contact_problem *problem = NULL;
    plu_error err = {0};
    const plu_status status = plu_siconos_read(&problem, scratch, &err);
    judge(problem, status, scratch, &err);
    return 0;
}
