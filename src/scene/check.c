#include "base/vec3.h"
#include "scene/reader.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A direction within a plate keeps at least this part of its length. */
#define TOO_PARALLEL 1e-6

static const char *const kinds[] = {[PLU_PLANE] = "plane",
                                    [PLU_PLATE] = "plate",
                                    [PLU_DISC] = "disc",
                                    [PLU_BOX] = "box",
                                    [PLU_CYLINDER] = "cylinder"};

plu_place plu_entry_place(const plu_reader *reader, const char *list, int index, const char *name)
{
    config_setting_t *entries = config_lookup(&reader->config, list);
    config_setting_t *entry = entries ? config_setting_get_elem(entries, (unsigned)index) : NULL;
    config_setting_t *member = entry && name ? config_setting_lookup(entry, name) : NULL;
    return plu_setting_place(reader, member ? member : entry);
}

static plu_place place_of(const plu_reader *reader, const char *path)
{
    return plu_setting_place(reader, config_lookup(&reader->config, path));
}

static void check_materials(plu_reader *reader)
{
    const plu_scene *scene = reader->scene;
    for (int i = 1; i < scene->materials_count; i++)
        for (int j = 0; j < i; j++)
            if (*scene->materials[i].name &&
                strcmp(scene->materials[i].name, scene->materials[j].name) == 0) {
                plu_complain(reader, plu_entry_place(reader, "materials", i, "name"),
                             "materials[%d].name: \"%s\" is the name of materials[%d] already", i,
                             scene->materials[i].name, j);
                break;
            }
}

/* The index of the material that an entry names, -1 after a complaint. */
static int find_material(plu_reader *reader, const char *list, int index, const char *name)
{
    const plu_scene *scene = reader->scene;
    char known[512] = "";
    for (int m = 0; m < scene->materials_count; m++) {
        if (strcmp(scene->materials[m].name, name) == 0)
            return m;
        if (!*scene->materials[m].name)
            continue;
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s\"%s\"", used ? ", " : "",
                 scene->materials[m].name);
    }
    if (*name) /* else it is missing or wrong, which was said */
        plu_complain(reader, plu_entry_place(reader, list, index, "material"),
                     "%s[%d].material: there is no material \"%s\" (known: %s)", list, index, name,
                     *known ? known : "none");
    return -1;
}

static int material_of_spheres(plu_reader *reader, const char *list, int index, const char *name)
{
    const int m = find_material(reader, list, index, name);
    const config_setting_t *materials = config_lookup(&reader->config, "materials");
    if (m >= 0 &&
        !config_setting_get_member(config_setting_get_elem(materials, (unsigned)m), "density"))
        plu_complain(reader, plu_entry_place(reader, list, index, "material"),
                     "%s[%d].material: the material \"%s\" needs a density (kg/m^3), for spheres "
                     "are made of it",
                     list, index, name);
    return m;
}

/* Whether the scene gives the key `name` of a boundary. */
static bool has(const plu_reader *reader, int index, const char *name)
{
    const config_setting_t *list = config_lookup(&reader->config, "boundaries");
    return config_setting_lookup(config_setting_get_elem(list, (unsigned)index), name) != NULL;
}

static void normalise(plu_reader *reader, plu_boundary_spec *b, int index)
{
    char name[32];
    snprintf(name, sizeof name, "%s.normal", kinds[b->kind]);
    /* scaled first: squares of tiny or huge numbers leave the range of doubles */
    const double largest = fmax(fabs(b->normal[0]), fmax(fabs(b->normal[1]), fabs(b->normal[2])));
    if (largest == 0.0) {
        plu_complain(reader, plu_entry_place(reader, "boundaries", index, name),
                     "boundaries[%d].%s has length 0: it must point somewhere", index, name);
        return;
    }
    for (int k = 0; k < 3; k++)
        b->normal[k] /= largest;
    const double length = plu_norm(b->normal);
    for (int k = 0; k < 3; k++)
        b->normal[k] /= length;
}

/* The direction of a plate's first edge, made a unit vector in the plate. */
static void straighten(plu_reader *reader, plu_boundary_spec *b, int index)
{
    const double given =
        fmax(fabs(b->direction[0]), fmax(fabs(b->direction[1]), fabs(b->direction[2])));
    const plu_place place = plu_entry_place(reader, "boundaries", index, "plate.direction");
    if (!has(reader, index, "plate.direction"))
        return;
    if (given == 0.0) {
        plu_complain(reader, place, "boundaries[%d].plate.direction has length 0", index);
        return;
    }
    for (int k = 0; k < 3; k++)
        b->direction[k] /= given;
    const double before = plu_norm(b->direction);
    plu_add_scaled(b->direction, -plu_dot(b->direction, b->normal), b->normal);
    const double length = plu_norm(b->direction);
    if (!(length > TOO_PARALLEL * before)) {
        plu_complain(reader, place,
                     "boundaries[%d].plate.direction is parallel to the normal: it must point "
                     "along an edge of the plate",
                     index);
        return;
    }
    for (int k = 0; k < 3; k++)
        b->direction[k] /= length;
}

static void check_box(plu_reader *reader, const plu_boundary_spec *boundary, int index)
{
    const double *lower = boundary->box[0], *upper = boundary->box[1];
    const bool given = has(reader, index, "box.lower") && has(reader, index, "box.upper");
    for (int k = 0; k < 3; k++)
        if (given && !(lower[k] < upper[k])) {
            plu_complain(reader, plu_entry_place(reader, "boundaries", index, "box.upper"),
                         "boundaries[%d].box: %c of upper must be above %c of lower (found %g and "
                         "%g)",
                         index, "xyz"[k], "xyz"[k], upper[k], lower[k]);
            return;
        }
}

static void name_boundary(plu_reader *reader, int index)
{
    plu_boundary_spec *all = reader->scene->boundaries, *b = &all[index];
    int number = 1;
    for (int i = 0; i < index; i++)
        number += all[i].kind == b->kind;
    if (!*b->name)
        snprintf(b->name, sizeof b->name, "%s-%d", kinds[b->kind], number);
    for (int i = 0; i < index; i++)
        if (strcmp(all[i].name, b->name) == 0) {
            plu_complain(reader, plu_entry_place(reader, "boundaries", index, "name"),
                         "boundaries[%d].name: \"%s\" is the name of boundaries[%d] already", index,
                         b->name, i);
            return;
        }
}

static void check_boundaries(plu_reader *reader)
{
    for (int i = 0; i < reader->scene->boundaries_count; i++) {
        plu_boundary_spec *b = &reader->scene->boundaries[i];
        b->material = find_material(reader, "boundaries", i, b->material_name);
        if (!has(reader, i, kinds[b->kind])) /* it is of no kind, which was said */
            continue;
        name_boundary(reader, i);
        if (b->kind == PLU_PLANE || b->kind == PLU_PLATE || b->kind == PLU_DISC)
            normalise(reader, b, i);
        if (b->kind == PLU_PLATE)
            straighten(reader, b, i);
        if (b->kind == PLU_BOX)
            check_box(reader, b, i);
    }
}

/* Makes the path of a CSV file relative to the working folder, as the scene file's own path is. */
static void check_file(plu_reader *reader, plu_body_spec *body, int index)
{
    const plu_place place = plu_entry_place(reader, "bodies", index, "file.path");
    const char *from = reader->scene->path, *slash = strrchr(from, '/');
    const int folder = slash && body->path[0] != '/' ? (int)(slash - from) + 1 : 0;
    char path[2 * PLU_PATH];
    struct stat info;
    if (!*body->path || reader->stored)
        return;
    snprintf(path, sizeof path, "%.*s%s", folder, from, body->path);
    if (strlen(path) >= sizeof body->path)
        plu_complain(reader, place, "bodies[%d].file.path is too long", index);
    else if (stat(path, &info) != 0)
        plu_complain(reader, place, "bodies[%d].file.path: %s: no such file", index, path);
    else if (S_ISDIR(info.st_mode))
        plu_complain(reader, place, "bodies[%d].file.path: %s is a directory", index, path);
    else
        strcpy(body->path, path);
}

static double spheres_of(const plu_body_spec *body)
{
    if (body->kind == PLU_LATTICE)
        return (double)body->counts[0] * body->counts[1] * body->counts[2];
    return body->kind == PLU_PACKING ? body->count : 1.0;
}

static void check_spheres(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    double spheres = 0.0;
    for (int i = 0; i < scene->bodies_count; i++) {
        plu_body_spec *body = &scene->bodies[i];
        body->material = material_of_spheres(reader, "bodies", i, body->material_name);
        if (body->kind == PLU_FILE)
            check_file(reader, body, i);
        spheres += spheres_of(body);
        if (spheres > INT_MAX) {
            plu_complain(reader, plu_entry_place(reader, "bodies", i, NULL),
                         "bodies[%d]: more than %d spheres", i, INT_MAX);
            spheres = 0.0;
        }
    }
    for (int i = 0; i < scene->feeders_count; i++) {
        plu_feeder_spec *feeder = &scene->feeders[i];
        feeder->material = material_of_spheres(reader, "feeders", i, feeder->material_name);
        spheres += feeder->count;
        if (spheres > INT_MAX) {
            plu_complain(reader, plu_entry_place(reader, "feeders", i, NULL),
                         "feeders[%d]: more than %d spheres", i, INT_MAX);
            spheres = 0.0;
        }
    }
}

void plu_check(plu_reader *reader)
{
    const plu_scene *scene = reader->scene;
    if (scene->solver.min_iterations > scene->solver.max_iterations)
        plu_complain(reader, place_of(reader, "solver.max_iterations"),
                     "solver.max_iterations must be >= solver.min_iterations = %d (found %d)",
                     scene->solver.min_iterations, scene->solver.max_iterations);
    if (scene->until_rest > 0.0 && plu_norm(scene->gravity) == 0.0)
        plu_complain(reader, place_of(reader, "time.until_rest"),
                     "time.until_rest compares with m g d: it needs gravity");
    check_materials(reader);
    check_boundaries(reader);
    check_spheres(reader);
    plu_check_laws(reader);
    plu_check_method(reader);
}
