/* Before each solve: what its end needs (work.h). */
#include "assemble/servo_rows.h"
#include "base/memory.h"
#include "step/stepper.h"
#include "step/work.h"
#include <string.h>

plu_status plu_finish_begin(plu_stepper *s, plu_error *err)
{
    const size_t blocks = (size_t)s->problem.slots / PLU_LANES;
    const size_t strips = (size_t)s->problem.strips_count;
    plu_status status =
        plu_reserve(&s->too_deep, &s->too_deep_capacity, blocks, sizeof *s->too_deep, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->apart, &s->apart_capacity, blocks, sizeof *s->apart, 0, err);
    if (status == PLU_OK)
        status = plu_reserve(&s->strip, &s->strip_capacity, strips, sizeof *s->strip, 0, err);
    memset(s->mixed, 0, sizeof s->mixed);
    if (status == PLU_OK && s->contacts->carried)
        plu_poison(s->contacts->impulse, (size_t)s->contacts->count * sizeof(plu_impulse));
    s->first_wall = plu_first_live_wall(s->contacts);
    return status;
}
