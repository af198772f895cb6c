/* Contact laws of pairs of materials as a symmetric table, and what of them holds for the whole
 * world (whether anything bounces, coheres, pivots, lands). A law is required where two materials
 * can meet: of two kinds of spheres, of spheres and a boundary, or of one kind with more than one
 * sphere.
 *
 *           glass  steel        laws[a m + b] = laws[b m + a], m materials; index -1: no law
 *   glass   law 0  law 1        required: what can meet and has none is an error that names both,
 *   steel   law 1    -          with the line to be written
 *
 * Whether a contact lands depends on law and scene: forecast "touch", and no bounce by Newton's
 * law. */
#include "base/memory.h"
#include "base/vec3.h"
#include "fill/build.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/material.h"
#include <stdlib.h>

void plu_laws_fill(plu_world *world)
{
    const plu_scene *scene = world->scene;
    world->lands = world->curves = world->rebounds = false;
    world->bounces = world->coheres = world->pivots = false;
    for (int pair = 0; pair < world->materials * world->materials; pair++)
        world->laws[pair].index = -1;
    for (int l = 0; l < scene->laws_count; l++) {
        const plu_contact_law *law = &scene->laws[l];
        const int a = law->material[0], b = law->material[1];
        const bool rebounds = law->restitution_law == PLU_ENERGY && law->restitution != 0.0;
        const bool lands = scene->forecast == PLU_TOUCH && (law->restitution == 0.0 || rebounds);
        const plu_pair_law pair = {.friction = law->friction,
                                   .rolling_friction = law->rolling_friction,
                                   .pivoting_friction = law->pivoting_friction,
                                   .restitution = law->restitution,
                                   .cohesion = law->cohesion,
                                   .cohesion_range = law->cohesion_range,
                                   .strength = law->strength,
                                   .lands = lands,
                                   .rebounds = lands && rebounds,
                                   .index = l};
        world->lands |= lands;
        world->curves = scene->forecast == PLU_TOUCH;
        world->rebounds |= pair.rebounds;
        world->bounces |= law->restitution != 0.0;
        world->coheres |= law->cohesion > 0.0;
        world->pivots |= law->pivoting_friction > 0.0;
        world->laws[a * world->materials + b] = world->laws[b * world->materials + a] = pair;
    }
}

static plu_status require(const plu_build *build, plu_where at, int a, int b)
{
    if (plu_world_law(build->world, a, b)->index >= 0)
        return PLU_OK;
    const plu_material *materials = build->scene->materials;
    char where[PLU_PATH + 32];
    return plu_error_add(
        build->err, PLU_BAD_INPUT,
        "%s: no contact law between \"%s\" and \"%s\", which can meet; add one to `contacts`: "
        "{ between = [\"%s\", \"%s\"]; ... }",
        plu_scene_where(build->scene, at, where, sizeof where), materials[a].name,
        materials[b].name, materials[a].name, materials[b].name);
}

/* Which materials are there, and as what. */
typedef struct material_use {
    int bodies;
    bool wall;
    plu_where where; /* of the first entry that makes bodies of it */
} material_use;

static void add_use(const plu_build *build, material_use *use, int entry, int bodies)
{
    if (use->bodies == 0)
        use->where = plu_build_entry_where(build, entry);
    use->bodies += bodies;
}

/* Spheres of a run keep the materials that they had. */
static void find_uses(const plu_build *build, material_use *uses)
{
    const plu_scene *scene = build->scene;
    for (int e = 0; e < build->entries; e++) {
        const int first = build->first[e], count = build->first[e + 1] - first;
        const bool one = e >= scene->bodies_count || scene->bodies[e].kind != PLU_FROM_RUN;
        const int *species = one            ? NULL
                             : build->known ? build->known->species + first
                                            : build->start->entry[e].species;
        for (int k = 0; species && k < count; k++)
            add_use(build, &uses[species[k]], e, 1);
        for (int k = 0; one && k < build->gradings[e].parts_count; k++)
            add_use(build, &uses[build->gradings[e].parts[k].material], e, count);
    }
    for (int b = 0; b < scene->boundaries_count; b++)
        uses[scene->boundaries[b].material].wall = true;
}

/* What spheres of material `a` need: a density, and a law with everything that they can meet. */
static plu_status check_material(const plu_build *build, int a, const material_use *uses)
{
    const plu_material *material = &build->scene->materials[a];
    plu_status status = PLU_OK;
    if (!(material->density > 0.0)) {
        char where[PLU_PATH + 32];
        plu_scene_where(build->scene, uses[a].where, where, sizeof where);
        status = plu_error_add(build->err, PLU_BAD_INPUT,
                               "%s: material \"%s\" has no density, which spheres need", where,
                               material->name);
    }
    for (int b = 0; b < build->scene->materials_count; b++) {
        const bool reported = b < a && uses[b].bodies > 0; /* when b was checked */
        const bool meets = uses[b].wall || uses[b].bodies > (a == b ? 1 : 0);
        if (meets && !reported && require(build, uses[a].where, a, b) != PLU_OK)
            status = PLU_BAD_INPUT;
    }
    return status;
}

plu_status plu_build_laws(plu_build *build)
{
    plu_world *world = build->world;
    const size_t materials = (size_t)build->scene->materials_count;
    world->materials = build->scene->materials_count;
    world->laws = plu_alloc(materials * materials, sizeof *world->laws, build->err);
    material_use *uses = plu_alloc(materials, sizeof *uses, build->err);
    if (!world->laws || !uses) {
        free(uses);
        return PLU_IO;
    }
    plu_laws_fill(world);
    find_uses(build, uses);
    plu_status status = PLU_OK;
    for (int a = 0; a < world->materials; a++)
        if (uses[a].bodies > 0 && check_material(build, a, uses) != PLU_OK)
            status = PLU_BAD_INPUT;
    free(uses);
    return status;
}
