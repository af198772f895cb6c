/* Inlets, and regions that are filled: what depends on more than one key. */
#include "base/vec3.h"
#include "pluvia/body.h"
#include "pluvia/feeder.h"
#include "scene/reader.h"
#include "shape/shape_parts.h"
#include <string.h>

bool plu_settle_normal(plu_reader *reader, const char *list, int index, const char *group,
                       double normal[3])
{
    char key[64];
    const double length = plu_norm(normal);
    snprintf(key, sizeof key, "%s.normal", group);
    if (!(length > 0.0)) {
        plu_complain(reader, plu_entry_place(reader, list, index, key),
                     "%s[%d].%s has length 0: it must give a direction", list, index, key);
        return false;
    }
    for (int k = 0; k < 3; k++)
        normal[k] /= length;
    return true;
}

void plu_settle_edge(plu_reader *reader, const char *list, int index, const char *group,
                     const double normal[3], double direction[3])
{
    char key[64];
    double edge[3];
    snprintf(key, sizeof key, "%s.direction", group);
    if (!(plu_norm(direction) > 0.0))
        plu_flat_edge(normal, edge);
    else if (!plu_flat_direction(direction, normal, edge)) {
        plu_complain(reader, plu_entry_place(reader, list, index, key),
                     "%s[%d].%s is parallel to the normal: it must point along an edge", list,
                     index, key);
        return;
    }
    memcpy(direction, edge, sizeof edge);
}

static void settle_area(plu_reader *reader, plu_area_spec *area, int index)
{
    const char *group = area->kind == PLU_AREA_DISC ? "inlet.area.disc" : "inlet.area.box";
    if (area->kind == PLU_AREA_LINE ||
        !plu_settle_normal(reader, "feeders", index, group, area->normal))
        return;
    if (area->kind == PLU_AREA_BOX)
        plu_settle_edge(reader, "feeders", index, group, area->normal, area->direction);
}

static void check_amount(plu_reader *reader, const plu_feeder_spec *feeder, int index)
{
    if (!(feeder->count > 0 || feeder->mass > 0.0 || feeder->stop > 0.0))
        plu_complain(reader, plu_entry_place(reader, "feeders", index, "inlet"),
                     "feeders[%d].inlet never ends: give count, mass or stop", index);
    if (feeder->stop > 0.0 && feeder->stop <= feeder->start)
        plu_complain(reader, plu_entry_place(reader, "feeders", index, "inlet.stop"),
                     "feeders[%d].inlet.stop must be after start = %g s (found %g)", index,
                     feeder->start, feeder->stop);
}

static bool has_area(const plu_reader *reader, int index)
{
    config_setting_t *feeders = config_lookup(&reader->config, "feeders");
    const config_setting_t *area =
        config_setting_lookup(config_setting_get_elem(feeders, (unsigned)index), "inlet.area");
    return area && config_setting_is_group(area) && config_setting_length(area) > 0;
}

void plu_check_inlets(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    for (int i = 0; i < scene->feeders_count; i++) {
        plu_feeder_spec *feeder = &scene->feeders[i];
        if (feeder->kind != PLU_INLET)
            continue;
        check_amount(reader, feeder, i);
        if (!has_area(reader, i)) /* it has no area, which is reported */
            continue;
        settle_area(reader, &feeder->area, i);
    }
}

void plu_check_fill(plu_reader *reader, const plu_body_spec *body, int index)
{
    const double height =
        body->cylinder_radius > 0.0 ? body->cylinder_height : body->box[1][2] - body->box[0][2];
    if (body->count > 0)
        plu_complain(reader, plu_entry_place(reader, "bodies", index, "packing.count"),
                     "bodies[%d].packing: count and fill exclude each other; remove one of them",
                     index);
    if (body->fill_height > height && height > 0.0)
        plu_complain(
            reader, plu_entry_place(reader, "bodies", index, "packing.fill.height"),
            "bodies[%d].packing.fill.height must be at most the height of the region, %g m", index,
            height);
}
