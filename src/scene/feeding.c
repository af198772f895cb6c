/* Inlets, and regions that are filled: what depends on more than one key. */
#include "base/vec3.h"
#include "scene/reader.h"
#include "shape/flat.h"
#include <string.h>

static bool settle_normal(plu_reader *reader, plu_area_spec *area, int index, const char *kind)
{
    char key[64];
    const double length = plu_norm(area->normal);
    snprintf(key, sizeof key, "inlet.area.%s.normal", kind);
    if (!(length > 0.0)) {
        plu_complain(reader, plu_entry_place(reader, "feeders", index, key),
                     "feeders[%d].%s has length 0: it must give a direction", index, key);
        return false;
    }
    for (int k = 0; k < 3; k++)
        area->normal[k] /= length;
    return true;
}

static void settle_box(plu_reader *reader, plu_area_spec *area, int index)
{
    static const char key[] = "inlet.area.box.direction";
    double edge[3];
    if (!settle_normal(reader, area, index, "box"))
        return;
    if (!(plu_norm(area->direction) > 0.0))
        plu_flat_edge(area->normal, edge);
    else if (!plu_flat_direction(area->direction, area->normal, edge)) {
        plu_complain(reader, plu_entry_place(reader, "feeders", index, key),
                     "feeders[%d].%s is parallel to the normal: it must point along an edge", index,
                     key);
        return;
    }
    memcpy(area->direction, edge, sizeof edge);
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
        if (!has_area(reader, i)) /* it is of no kind, which was said */
            continue;
        if (feeder->area.kind == PLU_AREA_DISC)
            settle_normal(reader, &feeder->area, i, "disc");
        else if (feeder->area.kind == PLU_AREA_BOX)
            settle_box(reader, &feeder->area, i);
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
