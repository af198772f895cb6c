/* The ParaView sidecar, made anew: for a trajectory that lost it or was moved. */
#include "export.h"
#include <string.h>

plu_status plu_export_xdmf(const plu_export *export, plu_error *err)
{
    if (export->frame >= 0)
        return plu_fail(err, PLU_USAGE, "option --at: a sidecar is of the whole trajectory");
    if (strcmp(export->output, export->source) == 0)
        return plu_fail(err, PLU_USAGE, "option --output: %s is the trajectory", export->output);
    return plu_trajectory_sidecar(export->source, export->output, err);
}
