/* The ParaView sidecar, made anew: for a trajectory that lost it or was moved. */
#include "export.h"

plu_status plu_export_xdmf(const plu_export *export, plu_error *err)
{
    if (export->frame >= 0)
        return plu_fail(err, PLU_USAGE,
                        "option --at: a sidecar is always for the whole trajectory");
    plu_output output;
    const plu_output_rule rule = plu_export_rule(export, PLU_OUTPUT_OTHER);
    plu_status status = plu_output_begin(&output, export->output, &rule, err);
    const char *name = status == PLU_OK ? plu_output_name(&output, err) : NULL;
    if (status == PLU_OK)
        status = name ? plu_trajectory_sidecar(export->source, name, err) : PLU_IO;
    return plu_output_end(&output, status, err);
}
