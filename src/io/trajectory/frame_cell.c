#include "base/space.h"
#include "io/h5/h5_read.h"
#include "io/trajectory/frame_parts.h"
#include <math.h>
#include <string.h>

static const char path[] = "/particles/trajectory/box/edges/value";

static void open_edges(plu_frame_cell *cell, plu_h5 *h5, hid_t box, long frames,
                       const plu_summed *summed)
{
    char boundary[3][16];
    hsize_t size[3] = {0, 0, 0};
    plu_h5_read_numbers(h5, box, "origin", 3, cell->box.origin);
    plu_h5_read_words(h5, box, "boundary", 3, boundary);
    cell->edges = plu_h5_find(h5, box, "edges/value", H5I_DATASET);
    cell->set = plu_summed_find(summed, path);
    plu_h5_shape(h5, cell->edges, path, 3, size);
    if (h5->status == PLU_OK && (size[0] < (hsize_t)frames || size[1] != 3 || size[2] != 3))
        plu_h5_damaged(h5, "damaged: %s has another shape than it should have", path);
    for (int k = 0; h5->status == PLU_OK && k < 3; k++) {
        cell->box.periodic[k] = strcmp(boundary[k], "periodic") == 0;
        if (!isfinite(cell->box.origin[k]))
            plu_h5_damaged(h5, "damaged: the corner of the cell is not a finite point");
    }
    cell->box.given = h5->status == PLU_OK;
}

void plu_frame_cell_open(plu_frame_cell *cell, plu_h5 *h5, hid_t particles, long frames,
                         const plu_summed *summed)
{
    *cell = (plu_frame_cell){.edges = -1, .set = -1};
    if (h5->status != PLU_OK || !plu_h5_has(particles, "box"))
        return;
    const hid_t box = plu_h5_find(h5, particles, "box", H5I_GROUP);
    if (h5->status == PLU_OK && plu_h5_has(box, "edges"))
        open_edges(cell, h5, box, frames, summed);
    if (box >= 0)
        H5Oclose(box);
}

void plu_frame_cell_read(plu_frame_cell *cell, plu_h5 *h5, plu_summed *summed, long k)
{
    const hsize_t start[3] = {(hsize_t)k, 0, 0}, count[3] = {1, 3, 3};
    if (h5->status != PLU_OK || cell->edges < 0)
        return;
    plu_h5_read_part(h5, cell->edges, path, H5T_NATIVE_DOUBLE, 3, start, count, cell->box.edge);
    plu_summed_add(summed, h5, cell->set, H5T_NATIVE_DOUBLE, 1, 9, cell->box.edge);
    if (h5->status != PLU_OK)
        return;
    double across[3];
    plu_cross(cell->box.edge[1], cell->box.edge[2], across);
    const double volume = plu_dot(cell->box.edge[0], across);
    if (!(volume > 0.0 && isfinite(volume)))
        plu_h5_damaged(h5, "damaged: the cell has no volume");
}

void plu_frame_cell_name_images(const plu_frame_data *frame, plu_contact_row *row)
{
    const plu_cell_box *cell = &frame->cell;
    plu_space space;
    if (!cell->given || frame->contacts <= 0)
        return;
    plu_space_make(&space, cell->origin, cell->edge, cell->periodic);
    for (int i = 0; i < frame->contacts; i++) {
        plu_contact_row *c = &row[i];
        if (!plu_side_is_sphere(c->a) || plu_side_sphere(c->a) >= frame->bodies || c->b < 0 ||
            c->b >= frame->bodies)
            continue;
        const int a = plu_side_sphere(c->a);
        const double length = frame->radius[a] + frame->radius[c->b] + c->gap;
        const double way[3] = {length * c->normal[0], length * c->normal[1], length * c->normal[2]};
        c->a = plu_side_of_image(
            a, plu_image_on_way(&space, frame->position[a], frame->position[c->b], way));
    }
}
