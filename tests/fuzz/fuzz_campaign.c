/* Campaigns: the input is the file. One that is a calibration of keys that the small scene has is
 * gone through, with measures made of its bytes. */
#include "input.h"
#include "judge.h"
#include "pluvia/tool/calibration.h"
#include "scratch_file.h"
#include "small_run.h"
#include <ctype.h>
#include <math.h>

/* Numbers of two digits and more would mostly make campaigns of many cases, which is slow. */
static int has_large_number(const uint8_t *data, size_t size)
{
    for (size_t i = 1; i < size; i++)
        if (isdigit(data[i - 1]) && isdigit(data[i]))
            return 1;
    return 0;
}

static void measure(plu_calibration *c, input *in, int first)
{
    for (int i = first; i < c->campaign->cases_count; i++)
        for (int t = 0; t < c->campaign->targets_count; t++) {
            const unsigned byte = next(in);
            plu_calibration_measures(c, i)[t] = byte % 16 == 15 ? NAN : (double)byte;
        }
}

static void calibrate(plu_campaign *campaign, input in)
{
    plu_calibration c;
    plu_answer answer;
    plu_error err = {0};
    if (plu_calibration_begin(&c, campaign, &err) == PLU_OK) {
        int first = 0, added = 1;
        for (int round = 0; round < 3 && added > 0 && campaign->cases_count < 1000; round++) {
            measure(&c, &in, first);
            first = campaign->cases_count;
            require(plu_calibration_judge(&c, &err) == PLU_OK);
            require(plu_calibration_refine(&c, &added, &err) == PLU_OK);
        }
        require(plu_calibration_judge(&c, &err) == PLU_OK);
        if (plu_calibration_answer(&answer, &c, &err) == PLU_OK)
            require(answer.nearest >= 0 && answer.chi2 >= 0.0 && answer.valley_count > 0);
        else
            require(err.count > 0);
        plu_answer_free(&answer);
    } else {
        require(err.count > 0);
    }
    plu_calibration_free(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    plu_campaign campaign;
    plu_error err = {0};
    if (has_large_number(data, size))
        return -1;
    scratch_fill(data, size);
    if (plu_campaign_read(&campaign, scratch, &err) != PLU_OK) {
        require(err.count > 0 && err.text[0]);
        return 0;
    }
    require(campaign.cases_count > 0);
    if (campaign.targets_count > 0) {
        scratch_fill((const uint8_t *)small_scene, sizeof small_scene - 1);
        snprintf(campaign.scene, sizeof campaign.scene, "%s", scratch);
        calibrate(&campaign, (input){data, data + size});
    }
    plu_campaign_free(&campaign);
    return 0;
}
