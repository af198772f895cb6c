/* Meshes: the first byte of the input says whether the rest is STL or OBJ. */
#include "base/vec3.h"
#include "input.h"
#include "judge.h"
#include "pluvia/tool/mesh.h"
#include "shape/mesh_read.h"
#include "shape/part_tree.h"
#include "shape/shape.h"
#include <math.h>
#include <stdint.h>

static void a_sentence(plu_status status, const plu_error *err)
{
    require(status == PLU_BAD_INPUT && err->text[0] && !strchr(err->text, '\n'));
}

/* Each triangle is found where it is, by a distance that is a number and a normal of length 1. */
static void look_at_parts(plu_mesh *mesh)
{
    const plu_boundary_spec spec = {.kind = PLU_MESH, .mesh = mesh};
    plu_parts parts = {0};
    plu_part_tree tree;
    require(plu_shape_of(PLU_MESH)->make(&spec, &parts) == NULL && parts.status == PLU_OK);
    require(plu_part_tree_make(&tree, parts.part, parts.count, NULL) == PLU_OK);
    const plu_mesh_report *r = plu_mesh_reported(mesh);
    for (int t = 0; t < parts.count && t < 64; t++) {
        const double *corner = plu_mesh_corners(mesh)[plu_mesh_triangles(mesh)[t][0]];
        const double sphere[4] = {corner[0], corner[1], corner[2], 1e-3 * r->longest};
        double normal[3];
        const double gap = plu_part_gap(&parts.part[t], sphere, normal);
        require(isfinite(gap) && fabs(plu_norm(normal) - 1.0) < 1e-6);
        plu_part_search search = plu_parts_near(sphere, sphere[3]);
        bool found = false;
        for (int p; (p = plu_part_next(&tree, &search)) >= 0;)
            found = found || p == t;
        require(found);
    }
    plu_part_tree_free(&tree);
    free(parts.part);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    char *bytes = malloc(size); /* one for the kind, which becomes the NUL behind the rest */
    require(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    bytes[size - 1] = '\0';
    plu_triangles read = {0};
    plu_error err = {0};
    plu_status status = data[0] % 2 ? plu_triangles_obj(&read, bytes, &err)
                                    : plu_triangles_stl(&read, bytes, size - 1, &err);
    plu_mesh *mesh = NULL;
    free(bytes);
    if (status == PLU_OK)
        status = plu_mesh_make(&mesh, read.corners, (const double(*)[3])read.corner, read.triangles,
                               (const int(*)[3])read.triangle, &err);
    plu_triangles_free(&read);
    if (status != PLU_OK) {
        a_sentence(status, &err);
        return 0;
    }
    const plu_mesh_report *r = plu_mesh_reported(mesh);
    require(r->triangles > 0 && r->triangles + r->dropped == r->given && r->shortest > 0.0);
    look_at_parts(mesh);
    plu_mesh_free(mesh);
    return 0;
}
