#include "cli/base/process.h"
#include "cli/base/text.h"
#include "cli/measure/info.h"
#include "pluvia/checkpoint.h"
#include "pluvia/problem.h"
#include "pluvia/trajectory.h"
#include <stdio.h>
#include <string.h>

static plu_status verify_checkpoint(const char *path, plu_error *err)
{
    plu_checkpoint checkpoint;
    const plu_status status = plu_checkpoint_open(&checkpoint, path, err);
    if (status == PLU_OK)
        printf("verified: checkpoint of step %ld, t = %g s\n", checkpoint.step, checkpoint.time);
    plu_checkpoint_close(&checkpoint);
    return status;
}

static plu_status verify_problem(const char *path, plu_error *err)
{
    plu_contact_problem *problem;
    plu_problem_facts facts;
    const plu_status status = plu_contact_problem_read(&problem, path, err);
    if (status != PLU_OK)
        return status;
    plu_contact_problem_facts(problem, &facts);
    plu_contact_problem_destroy(problem);
    printf("verified: problem of %d contacts; its format has no checksums\n", facts.contacts);
    return PLU_OK;
}

static bool ends_in(const char *text, const char *end)
{
    const size_t length = strlen(text), wanted = strlen(end);
    return length > wanted && strcmp(text + length - wanted, end) == 0;
}

plu_status plu_verify(const char *path)
{
    plu_error err = {0};
    plu_verified v;
    plu_status status;
    if (ends_in(path, ".h5md")) {
        status = plu_trajectory_verify(&v, path, &err);
        if (status == PLU_OK)
            printf("verified: %ld frames, %ld data sets\n", v.frames, v.datasets);
    } else if (plu_begins_with(path, "pluvia checkpoint\n") || ends_in(path, ".checkpoint.h5") ||
               ends_in(path, ".checkpoint_prev.h5")) {
        status = verify_checkpoint(path, &err);
    } else if (ends_in(path, ".cfg")) {
        status = plu_fail(&err, PLU_BAD_INPUT,
                          "%s is a scene, which has no checksums; \"pluvia check %s\" reads it",
                          path, path);
    } else {
        status = verify_problem(path, &err);
    }
    if (status != PLU_OK)
        plu_message_error(&err);
    return status;
}
