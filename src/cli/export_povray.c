/* A scene for POV-Ray: the spheres of one frame, the boundaries, a camera and a lamp. */
#include "export.h"
#include "run_scene.h"
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
            "  location <%.9g,%.9g,%.9g> look_at <%.9g,%.9g,%.9g> }\n",
            middle[0] + 0.9 * size, middle[1] - 1.8 * size, middle[2] + 1.0 * size, middle[0],
            middle[1], middle[2]);
    fprintf(out,
            "light_source { <%.9g,%.9g,%.9g> rgb 1 area_light <%.9g,0,0>, <0,%.9g,0>, 5, 5 "
            "adaptive 1 jitter }\n"
            "light_source { <%.9g,%.9g,%.9g> rgb 0.35 shadowless }\n",
            middle[0] - 2.0 * size, middle[1] - 3.0 * size, middle[2] + 5.0 * size, size, size,
            middle[0] + 3.0 * size, middle[1] - 2.0 * size, middle[2] + 2.0 * size);
}

/* Colours that remain distinct for colour-blind eyes (Okabe & Ito 2008), by material. */
static void write_materials(FILE *out, const plu_scene *scene)
{
    static const char *const colours[] = {
        "0.902,0.624,0.000", "0.337,0.706,0.914", "0.000,0.620,0.451", "0.941,0.894,0.259",
        "0.000,0.447,0.698", "0.835,0.369,0.000", "0.800,0.475,0.655", "0.600,0.600,0.600"};
    for (int m = 0; m < scene->materials_count; m++)
        fprintf(out,
                "#declare Material%d = texture { pigment { srgb <%s> } finish { ambient 0.05 "
                "diffuse 0.8 specular 0.25 roughness 0.02 } };\n",
                m, colours[m % 8]);
    fputs("#declare Wall = texture { pigment { rgb 0.75 } finish { ambient 0.05 diffuse 0.8 } };\n"
          "#declare Glass = texture { pigment { rgbt <0.8,0.85,0.9,0.85> } };\n",
          out);
}

/* Unit vectors along the edges of a plate: `direction`, where the scene names none x, made normal
 * to the normal; y where that leaves nothing. */
static void edges(const plu_boundary_spec *w, double u[3], double v[3])
{
    static const double axes[2][3] = {{1, 0, 0}, {0, 1, 0}};
    const double *n = w->normal, *d = w->direction;
    const double *choice[3] = {d, axes[0], axes[1]};
    double length = 0.0;
    for (int k = 0; k < 3 && !(length > 1e-6); k++) {
        const double *c = choice[k], along = c[0] * n[0] + c[1] * n[1] + c[2] * n[2];
        for (int i = 0; i < 3; i++)
            u[i] = c[i] - along * n[i];
        length = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    }
    for (int i = 0; i < 3; i++)
        u[i] /= length;
    for (int i = 0; i < 3; i++)
        v[i] = n[(i + 1) % 3] * u[(i + 2) % 3] - n[(i + 2) % 3] * u[(i + 1) % 3];
}

static void write_plate(FILE *out, const plu_boundary_spec *w)
{
    double u[3], v[3];
    edges(w, u, v);
    static const int corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    fputs("polygon { 5", out);
    for (int k = 0; k < 5; k++) {
        fputs(", <", out);
        for (int i = 0; i < 3; i++)
            fprintf(out, "%s%.9g", i ? "," : "",
                    w->center[i] + 0.5 * corner[k % 4][0] * w->size[0] * u[i] +
                        0.5 * corner[k % 4][1] * w->size[1] * v[i]);
        fputc('>', out);
    }
    fputs(" texture { Wall } }\n", out);
}

static void write_boundary(FILE *out, const plu_boundary_spec *w)
{
    const double *c = w->center, *n = w->normal;
    switch (w->kind) {
    case PLU_PLANE:
        fprintf(out, "plane { <%.9g,%.9g,%.9g>, %.9g texture { Wall } }\n", n[0], n[1], n[2],
                c[0] * n[0] + c[1] * n[1] + c[2] * n[2]);
        break;
    case PLU_PLATE:
        write_plate(out, w);
        break;
    case PLU_DISC:
        fprintf(out, "disc { <%.9g,%.9g,%.9g>, <%.9g,%.9g,%.9g>, %.9g texture { Wall } }\n", c[0],
                c[1], c[2], n[0], n[1], n[2], w->radius);
        break;
    case PLU_BOX:
        fprintf(out,
                "box { <%.9g,%.9g,%.9g>, <%.9g,%.9g,%.9g> hollow texture { Glass } no_shadow }\n",
                w->box[0][0], w->box[0][1], w->box[0][2], w->box[1][0], w->box[1][1], w->box[1][2]);
        break;
    case PLU_CYLINDER:
        fprintf(out,
                "cylinder { <%.9g,%.9g,%.9g>, <%.9g,%.9g,%.9g>, %.9g open hollow texture { Glass } "
                "no_shadow }\n",
                c[0], c[1], c[2], c[0], c[1], c[2] + w->height, w->radius);
        if (w->bottom)
            fprintf(out, "disc { <%.9g,%.9g,%.9g>, <0,0,1>, %.9g texture { Wall } }\n", c[0], c[1],
                    c[2], w->radius);
        break;
    }
}

static plu_status write_document(const plu_export *export, FILE *out, const void *user,
                                 plu_error *err)
{
    const plu_scene *scene = user;
    plu_frame_data f;
    const plu_status status = plu_frames_read(export->frames, export->frame, &f, err);
    if (status != PLU_OK)
        return status;
    const box b = bounds(&f);
    write_view(out, &b);
    write_materials(out, scene);
    for (int w = 0; w < scene->boundaries_count; w++)
        write_boundary(out, &scene->boundaries[w]);
    for (int k = 0; k < f.bodies; k++)
        if (f.state[k] == PLU_ACTIVE)
            fprintf(out, "sphere { <%.9g,%.9g,%.9g>, %.9g texture { Material%d } }\n",
                    f.position[k][0], f.position[k][1], f.position[k][2], f.radius[k],
                    f.species[k]);
    return PLU_OK;
}

plu_status plu_export_povray(const plu_export *export, plu_error *err)
{
    plu_scene scene = {0};
    plu_status status = plu_run_scene_read(&scene, export->source, err);
    if (status == PLU_OK)
        status = plu_export_stream(export, export->output, PLU_OUTPUT_OTHER, write_document, &scene,
                                   err);
    plu_scene_free(&scene);
    return status;
}
