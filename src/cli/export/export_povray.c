/* A scene for POV-Ray: the spheres of one frame, the boundaries, a camera and a lamp. POV-Ray is
 * left-handed with y up; the camera has sky z and a mirrored `right`, which makes pictures as those
 * of coordinates that are right-handed with z up. The camera looks at the middle of the box around
 * the spheres from (0.9, -1.8, 1) of its largest edge.
 *
 *   camera { perspective sky <0,0,1> right <-4/3,0,0> angle 35 location <...> look_at <...> }
 *   light_source { ... }
 *   #declare Material0 = texture { ... };
 *   plane { <0,0,1>, 0 texture { Wall } }
 *   sphere { <0.01,0.02,0.5>, 0.005 texture { Material0 } }
 *
 * Pieces of boundaries become plane, disc, polygon, cylinder, cone, sphere or triangle. Containers
 * are of glass so that one sees into them, but for the bottom. */
#include "cli/base/run_scene.h"
#include "cli/export/export.h"
#include "pluvia/boundary.h"
#include "pluvia/outline.h"
#include "pluvia/scene.h"
#include <math.h>
#include <string.h>

typedef struct box {
    double lower[3], upper[3];
} box;

/* Around the active spheres; a box of 1 m without. */
static box bounds(const plu_frame_data *f)
{
    box b = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (int k = 0; k < f->bodies; k++)
        for (int i = 0; f->state[k] == PLU_ACTIVE && i < 3; i++) {
            b.lower[i] = fmin(b.lower[i], f->position[k][i] - f->radius[k]);
            b.upper[i] = fmax(b.upper[i], f->position[k][i] + f->radius[k]);
        }
    if (isnan(b.lower[0]))
        b = (box){{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    return b;
}

/* POV-Ray is left-handed with y up; a mirrored `right` and `sky` make it right-handed with z up. */
static void write_view(FILE *out, const box *b)
{
    double middle[3], size = 0.0;
    for (int i = 0; i < 3; i++) {
        middle[i] = 0.5 * (b->lower[i] + b->upper[i]);
        size = fmax(size, b->upper[i] - b->lower[i]);
    }
    fprintf(out,
            "// pluvia: lengths in m; render with  povray +W1200 +H900 +A FILE\n"
            "#version 3.7;\nglobal_settings { assumed_gamma 1.0 }\nbackground { rgb 1 }\n"
            "camera { perspective sky <0,0,1> right <-4/3,0,0> angle 35\n"
            "  location <%.15g,%.15g,%.15g> look_at <%.15g,%.15g,%.15g> }\n",
            middle[0] + 0.9 * size, middle[1] - 1.8 * size, middle[2] + 1.0 * size, middle[0],
            middle[1], middle[2]);
    fprintf(out,
            "light_source { <%.15g,%.15g,%.15g> rgb 1 area_light <%.15g,0,0>, <0,%.15g,0>, 5, 5 "
            "adaptive 1 jitter }\n"
            "light_source { <%.15g,%.15g,%.15g> rgb 0.35 shadowless }\n",
            middle[0] - 2.0 * size, middle[1] - 3.0 * size, middle[2] + 5.0 * size, size, size,
            middle[0] + 3.0 * size, middle[1] - 2.0 * size, middle[2] + 2.0 * size);
}

/* Colors that remain distinct for color-blind eyes (Okabe & Ito 2008), by material. */
static void write_materials(FILE *out, const plu_scene *scene)
{
    static const char *const colors[] = {
        "0.902,0.624,0.000", "0.337,0.706,0.914", "0.000,0.620,0.451", "0.941,0.894,0.259",
        "0.000,0.447,0.698", "0.835,0.369,0.000", "0.800,0.475,0.655", "0.600,0.600,0.600"};
    for (int m = 0; m < scene->materials_count; m++)
        fprintf(out,
                "#declare Material%d = texture { pigment { srgb <%s> } finish { ambient 0.05 "
                "diffuse 0.8 specular 0.25 roughness 0.02 } };\n",
                m, colors[m % 8]);
    fputs("#declare Wall = texture { pigment { rgb 0.75 } finish { ambient 0.05 diffuse 0.8 } };\n"
          "#declare Glass = texture { pigment { rgbt <0.8,0.85,0.9,0.85> } };\n",
          out);
}

/* A polygon of POV-Ray repeats its first corner at the end: five points. */
static void write_rectangle(FILE *out, const plu_piece *p, const char *texture)
{
    static const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    const double *n = p->axis, *u = p->edge;
    fputs("polygon { 5", out);
    for (int k = 0; k < 5; k++) {
        fputs(", <", out);
        for (int i = 0; i < 3; i++) {
            const double v = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
            fprintf(out, "%s%.15g", i ? "," : "",
                    p->center[i] + corner[k % 4][0] * p->half[0] * u[i] +
                        corner[k % 4][1] * p->half[1] * v);
        }
        fputc('>', out);
    }
    fprintf(out, " %s }\n", texture);
}

/* An infinite plane is given by its normal and its distance from the origin. */
static void write_sheet(FILE *out, const plu_piece *p, const char *texture)
{
    const double *c = p->center, *n = p->axis;
    if (isinf(p->half[0]))
        fprintf(out, "plane { <%.15g,%.15g,%.15g>, %.15g %s }\n", n[0], n[1], n[2],
                c[0] * n[0] + c[1] * n[1] + c[2] * n[2], texture);
    else if (p->round)
        fprintf(out, "disc { <%.15g,%.15g,%.15g>, <%.15g,%.15g,%.15g>, %.15g %s }\n", c[0], c[1],
                c[2], n[0], n[1], n[2], p->half[0], texture);
    else
        write_rectangle(out, p, texture);
}

/* Open: a tube without lids. */
static void write_mantle(FILE *out, const plu_piece *p, const char *texture)
{
    const double *a = p->center, h = p->height;
    const double b[3] = {a[0] + h * p->axis[0], a[1] + h * p->axis[1], a[2] + h * p->axis[2]};
    if (p->radius[0] == p->radius[1])
        fprintf(out,
                "cylinder { <%.15g,%.15g,%.15g>, <%.15g,%.15g,%.15g>, %.15g open hollow %s }\n",
                a[0], a[1], a[2], b[0], b[1], b[2], p->radius[0], texture);
    else
        fprintf(out,
                "cone { <%.15g,%.15g,%.15g>, %.15g, <%.15g,%.15g,%.15g>, %.15g open hollow %s }\n",
                a[0], a[1], a[2], p->radius[0], b[0], b[1], b[2], p->radius[1], texture);
}

static void write_triangle(FILE *out, const plu_piece *p, const char *texture)
{
    fputs("triangle { ", out);
    for (int k = 0; k < 3; k++)
        fprintf(out, "%s<%.15g,%.15g,%.15g>", k ? ", " : "", p->corner[k][0], p->corner[k][1],
                p->corner[k][2]);
    fprintf(out, " %s }\n", texture);
}

/* Containers are of glass, but for what their bodies lie on. */
static void write_piece(void *user, const plu_piece *p)
{
    FILE *out = user;
    static const char wall[] = "texture { Wall }", glass[] = "texture { Glass } no_shadow";
    const double *c = p->center, *n = p->axis;
    switch (p->kind) {
    case PLU_SHEET:
        write_sheet(out, p, p->container && n[2] < 0.5 ? glass : wall);
        break;
    case PLU_MANTLE:
        write_mantle(out, p, glass);
        break;
    case PLU_GLOBE:
        fprintf(out, "sphere { <%.15g,%.15g,%.15g>, %.15g %s %s }\n", c[0], c[1], c[2],
                p->radius[0], p->container ? "hollow" : "", p->container ? glass : wall);
        break;
    case PLU_TRIANGLE:
        write_triangle(out, p, wall);
        break;
    }
}

static plu_status write_document(const plu_export *export, FILE *out, const void *user,
                                 plu_error *err)
{
    const plu_scene *scene = user;
    plu_frame_data f;
    const plu_status status = plu_frames_read(export->frames, export->first, &f, err);
    if (status != PLU_OK)
        return status;
    const box b = bounds(&f);
    write_view(out, &b);
    write_materials(out, scene);
    for (int w = 0; w < scene->boundaries_count; w++)
        if (w < f.boundaries)
            plu_boundary_outline_at(&scene->boundaries[w], &f.place[w], write_piece, out);
        else
            plu_boundary_outline(&scene->boundaries[w], write_piece, out);
    for (int k = 0; k < f.bodies; k++)
        if (f.state[k] == PLU_ACTIVE)
            fprintf(out, "sphere { <%.15g,%.15g,%.15g>, %.15g texture { Material%d } }\n",
                    f.position[k][0], f.position[k][1], f.position[k][2], f.radius[k],
                    f.species[k]);
    return PLU_OK;
}

plu_status plu_export_povray(const plu_export *export, plu_error *err)
{
    plu_scene scene = {0};
    plu_status status = plu_run_scene_read(&scene, export->source, NULL, err);
    if (status == PLU_OK)
        status = plu_export_stream(export, export->output, PLU_OUTPUT_OTHER, write_document, &scene,
                                   err);
    plu_scene_free(&scene);
    return status;
}
