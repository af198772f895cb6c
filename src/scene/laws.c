/* Materials by their names, and the laws of their pairs. A law is required where spheres can meet:
 * of a pair of materials a, b of which
 *
 *     both have spheres       a = b: two spheres at least
 *     one has spheres         and a boundary is of the other
 *
 * A feeder or packing counts as two spheres or more unless it has one alone. The message names the
 * entries that meet, and what to write. */
#include "base/memory.h"
#include "base/words.h"
#include "pluvia/body.h"
#include "pluvia/boundary.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "scene/reader.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int plu_scene_material(const plu_scene *scene, const char *name)
{
    for (int m = 0; m < scene->materials_count; m++)
        if (*name && strcmp(scene->materials[m].name, name) == 0)
            return m;
    return -1;
}

int plu_scene_boundary(const plu_scene *scene, const char *name)
{
    for (int b = 0; b < scene->boundaries_count; b++)
        if (*name && strcmp(scene->boundaries[b].name, name) == 0)
            return b;
    return -1;
}

int plu_find_material(plu_reader *reader, const config_setting_t *setting, const char *name)
{
    const plu_scene *scene = reader->scene;
    char known[512] = "";
    const int found = plu_scene_material(scene, name);
    if (found >= 0)
        return found;
    for (int m = 0; m < scene->materials_count; m++) {
        if (!*scene->materials[m].name)
            continue;
        plu_names_add(known, sizeof known, scene->materials[m].name);
    }
    char path[256];
    if (setting && *name) /* else missing or wrong, which is reported */
        plu_complain(reader, plu_setting_place(reader, setting),
                     "%s: unknown material \"%s\" (known: %s)",
                     plu_setting_path(setting, path, sizeof path), name, *known ? known : "none");
    return -1;
}

int plu_material_of_spheres(plu_reader *reader, const config_setting_t *setting, const char *name)
{
    char path[256];
    const int m = plu_find_material(reader, setting, name);
    const config_setting_t *materials = config_lookup(&reader->config, "materials");
    if (m >= 0 &&
        !config_setting_get_member(config_setting_get_elem(materials, (unsigned)m), "density"))
        plu_complain(
            reader, plu_setting_place(reader, setting),
            "%s: the material \"%s\" needs a density (kg/m^3), because spheres are made of it",
            plu_setting_path(setting, path, sizeof path), name);
    return m;
}

/* What is made of a material: how many spheres (2: two or more), and which is the first. */
typedef struct use {
    int spheres;
    const char *spheres_list; /* "bodies" or "feeders" */
    int spheres_index;
    int boundary; /* -1: none */
} use;

static size_t pair(int materials, int a, int b)
{
    return (size_t)a * (size_t)materials + (size_t)b;
}

/* Resolves the names of the laws and marks the pairs that have one; false when a law is unclear. */
static bool resolve(plu_reader *reader, int *law_of)
{
    plu_scene *scene = reader->scene;
    const int materials = scene->materials_count;
    bool clear = true;
    for (int i = 0; i < scene->laws_count; i++) {
        plu_contact_law *law = &scene->laws[i];
        for (int k = 0; k < 2; k++) {
            law->material[k] = plu_scene_material(scene, law->between[k]);
            clear = clear && law->material[k] >= 0;
            if (law->material[k] < 0 && *law->between[k])
                plu_complain(reader, plu_entry_place(reader, "contacts", i, "between"),
                             "contacts[%d].between: unknown material \"%s\"", i, law->between[k]);
        }
        const int a = law->material[0], b = law->material[1];
        if (a < 0 || b < 0)
            continue;
        if (law_of[pair(materials, a, b)] > 0)
            plu_complain(
                reader, plu_entry_place(reader, "contacts", i, "between"),
                "contacts[%d]: the law between \"%s\" and \"%s\" is already given by contacts[%d]",
                i, law->between[0], law->between[1], law_of[pair(materials, a, b)] - 1);
        else
            law_of[pair(materials, a, b)] = law_of[pair(materials, b, a)] = i + 1;
    }
    return clear;
}

static void add_spheres(use *uses, int material, int many, const char *list, int index)
{
    if (material < 0)
        return;
    if (uses[material].spheres == 0) {
        uses[material].spheres_list = list;
        uses[material].spheres_index = index;
    }
    uses[material].spheres += many;
    if (uses[material].spheres > 2)
        uses[material].spheres = 2;
}

/* Spheres of an entry, of which there are `many` (2: two or more). */
static void add_grains(use *uses, int material, const plu_mixture_part *mixture, int parts,
                       int many, const char *list, int index)
{
    for (int k = 0; k < parts; k++)
        add_spheres(uses, mixture[k].material, many, list, index);
    if (parts == 0)
        add_spheres(uses, material, many, list, index);
}

static void count_uses(const plu_scene *scene, use *uses)
{
    for (int m = 0; m < scene->materials_count; m++)
        uses[m].boundary = -1;
    for (int i = 0; i < scene->bodies_count; i++) {
        const plu_body_spec *body = &scene->bodies[i];
        const bool one =
            body->kind == PLU_SPHERE ||
            ((body->kind == PLU_PACKING || body->kind == PLU_RESERVE) && body->count == 1) ||
            (body->kind == PLU_LATTICE && body->counts[0] == 1 && body->counts[1] == 1 &&
             body->counts[2] == 1);
        add_grains(uses, body->material, body->mixture, body->mixture_count, one ? 1 : 2, "bodies",
                   i);
    }
    for (int i = 0; i < scene->feeders_count; i++) {
        const plu_feeder_spec *feeder = &scene->feeders[i];
        add_grains(uses, feeder->material, feeder->mixture, feeder->mixture_count,
                   feeder->count == 1 ? 1 : 2, "feeders", i);
    }
    for (int i = scene->boundaries_count - 1; i >= 0; i--)
        if (scene->boundaries[i].material >= 0)
            uses[scene->boundaries[i].material].boundary = i;
}

/* Spheres of material `a` meet spheres or a boundary of material `b`. */
static void complain_of_pair(plu_reader *reader, const use *uses, int a, int b, bool spheres)
{
    const plu_scene *scene = reader->scene;
    const char *list = spheres ? uses[b].spheres_list : "boundaries";
    const int index = spheres ? uses[b].spheres_index : uses[b].boundary;
    const char *first = scene->materials[a].name, *second = scene->materials[b].name;
    char with[64] = "each other";
    if (a != b || !spheres)
        snprintf(with, sizeof with, "%s[%d]", list, index);
    plu_complain(reader,
                 plu_entry_place(reader, uses[a].spheres_list, uses[a].spheres_index, "material"),
                 "no contact law between \"%s\" and \"%s\", but spheres of %s[%d] can meet %s: add "
                 "{ between = [\"%s\", \"%s\"]; friction = ...; } to contacts",
                 first, second, uses[a].spheres_list, uses[a].spheres_index, with, first, second);
}

/* Two materials without a law: can they meet? */
static void check_pair(plu_reader *reader, const use *uses, int a, int b)
{
    if (a == b ? uses[a].spheres > 1 : uses[a].spheres > 0 && uses[b].spheres > 0)
        complain_of_pair(reader, uses, a, b, true);
    else if (uses[a].spheres > 0 && uses[b].boundary >= 0)
        complain_of_pair(reader, uses, a, b, false);
    else if (uses[b].spheres > 0 && uses[a].boundary >= 0)
        complain_of_pair(reader, uses, b, a, false);
}

void plu_check_laws(plu_reader *reader)
{
    const plu_scene *scene = reader->scene;
    const int materials = scene->materials_count;
    int *law_of = plu_alloc((size_t)materials * (size_t)materials, sizeof *law_of, NULL);
    use *uses = plu_alloc((size_t)materials, sizeof *uses, NULL);
    if (!law_of || !uses) {
        reader->status = PLU_IO;
    } else if (resolve(reader, law_of)) {
        count_uses(scene, uses);
        for (int a = 0; a < materials; a++)
            for (int b = a; b < materials; b++)
                if (law_of[pair(materials, a, b)] == 0)
                    check_pair(reader, uses, a, b);
    }
    free(law_of);
    free(uses);
}
