/* Fields of nodes as files: a table in CSV, and an image for ParaView (VTK XML ImageData, .vti).
 *
 *   x_m,y_m,z_m,number_per_m3,solid_fraction,density_kg_per_m3,velocity_x_m_per_s,...
 *   0,0,0.005,1.2e+06,0.61,1525,0.01,...
 *
 * A column of a node is a row of `columns`: name, unit, number of components, place in the struct.
 * Unknown numbers (a velocity where there is no mass) are empty in CSV and nan in VTK. Along axes
 * in which fields do not vary there is one node, whose cell is as wide as the region. */
#include "cli/measure/fields.h"
#include <math.h>
#include <stddef.h>

/* What a node has, in the order of the columns. */
typedef struct column {
    const char *name, *unit;
    int components; /* 1, 3 or 9 */
    size_t at;
} column;

#define FIELD(name, unit, components)                                                              \
    {                                                                                              \
#name, unit, components, offsetof(plu_coarse_node, name)                                   \
    }

static const column columns[] = {FIELD(number, "per_m3", 1),
                                 FIELD(solid_fraction, "", 1),
                                 FIELD(density, "kg_per_m3", 1),
                                 FIELD(velocity, "m_per_s", 3),
                                 FIELD(temperature, "m2_per_s2", 1),
                                 FIELD(contact_stress, "Pa", 9),
                                 FIELD(kinetic_stress, "Pa", 9),
                                 FIELD(contacts, "per_m3", 1),
                                 FIELD(fabric, "", 9)};
enum { COLUMNS = sizeof columns / sizeof *columns };

static const char *ending(int components, int i)
{
    static const char *const of_vector[] = {"_x", "_y", "_z"};
    static const char *const of_tensor[] = {"_xx", "_xy", "_xz", "_yx", "_yy",
                                            "_yz", "_zx", "_zy", "_zz"};
    return components == 9 ? of_tensor[i] : components == 3 ? of_vector[i] : "";
}

static const double *numbers_of(const plu_coarse_node *node, const column *c)
{
    return (const double *)(const void *)((const char *)node + c->at);
}

void plu_fields_csv(FILE *out, const plu_coarse *fields)
{
    fprintf(out, "x_m,y_m,z_m");
    for (int c = 0; c < COLUMNS; c++)
        for (int i = 0; i < columns[c].components; i++)
            fprintf(out, ",%s%s%s%s", columns[c].name, ending(columns[c].components, i),
                    columns[c].unit[0] ? "_" : "", columns[c].unit);
    fputc('\n', out);
    for (long k = 0; k < fields->nodes; k++) {
        const plu_coarse_node node = plu_coarse_at(fields, k);
        fprintf(out, "%.12g,%.12g,%.12g", node.position[0], node.position[1], node.position[2]);
        for (int c = 0; c < COLUMNS; c++)
            for (int i = 0; i < columns[c].components; i++) {
                const double number = numbers_of(&node, &columns[c])[i];
                fputc(',', out);
                if (!isnan(number))
                    fprintf(out, "%.12g", number);
            }
        fputc('\n', out);
    }
}

/* Text: fields are small, and every reader of VTK files takes it. */
static void array(FILE *out, const plu_coarse *fields, const column *c)
{
    fprintf(out,
            "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
            c->name, c->components);
    for (long k = 0; k < fields->nodes; k++) {
        const plu_coarse_node node = plu_coarse_at(fields, k);
        for (int i = 0; i < c->components; i++)
            fprintf(out, "%.9g%c", numbers_of(&node, c)[i], i + 1 < c->components ? ' ' : '\n');
    }
    fprintf(out, "</DataArray>\n");
}

void plu_fields_vti(FILE *out, const plu_coarse *fields)
{
    const plu_coarse_grid *g = &fields->grid;
    double origin[3], spacing[3];
    const plu_coarse_node first = plu_coarse_at(fields, 0);
    for (int i = 0; i < 3; i++) {
        origin[i] = first.position[i];
        spacing[i] = g->along[i] ? g->spacing[i] : g->over.upper[i] - g->over.lower[i];
    }
    fprintf(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
                 "byte_order=\"LittleEndian\">\n");
    fprintf(out,
            "<ImageData WholeExtent=\"0 %d 0 %d 0 %d\" Origin=\"%.12g %.12g %.12g\" "
            "Spacing=\"%.12g %.12g %.12g\">\n",
            g->size[0] - 1, g->size[1] - 1, g->size[2] - 1, origin[0], origin[1], origin[2],
            spacing[0], spacing[1], spacing[2]);
    fprintf(out, "<Piece Extent=\"0 %d 0 %d 0 %d\">\n<PointData>\n", g->size[0] - 1, g->size[1] - 1,
            g->size[2] - 1);
    for (int c = 0; c < COLUMNS; c++)
        array(out, fields, &columns[c]);
    fprintf(out, "</PointData>\n</Piece>\n</ImageData>\n</VTKFile>\n");
}
