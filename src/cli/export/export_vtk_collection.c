/* Collections of VTK files. */
#include "cli/export/export_vtk.h"
#include <string.h>

void plu_vtk_escape(FILE *out, const char *text)
{
    for (; *text; text++)
        if (strchr("&<>\"", *text))
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

void plu_vtk_collection_begin(FILE *out)
{
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          out);
}

void plu_vtk_collection_add(FILE *out, double time, int part, const char *file)
{
    fprintf(out, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"", time, part);
    plu_vtk_escape(out, file);
    fputs("\"/>\n", out);
}

void plu_vtk_collection_end(FILE *out)
{
    fputs("</Collection>\n</VTKFile>\n", out);
}
