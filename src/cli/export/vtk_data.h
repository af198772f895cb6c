/* vtk_data.h: VTK XML PolyData of one piece (VTK file formats, "XML file formats"). Arrays are in
 * base64 within the text: ParaView and OVITO read that, but OVITO neither appended data nor
 * integers of other than 32 and 64 bits, nor does it know a file whose field data come first. */
#ifndef CLI_EXPORT_VTK_DATA_H
#define CLI_EXPORT_VTK_DATA_H

#include <stddef.h>
#include <stdio.h>

typedef enum plu_vtk_type {
    PLU_VTK_FLOAT32,
    PLU_VTK_FLOAT64,
    PLU_VTK_INT32,
    PLU_VTK_INT64
} plu_vtk_type;

/* The head of a file, up to its arrays. */
typedef struct plu_vtk_size {
    size_t points, verts, lines, polys;
} plu_vtk_size;
void plu_vtk_begin(FILE *out, plu_vtk_size size);

/* An array of `rows` rows of `components` numbers of this type, in the order and bytes of this
 * machine, which is little endian wherever pluvia is built. */
void plu_vtk_array(FILE *out, plu_vtk_type type, const char *name, int components, size_t rows,
                   const void *numbers);

/* Connectivity and offsets of cells with `corners` points each, 0, 1, 2, ... in this order; `kind`:
 * "Verts", "Lines" or "Polys". */
void plu_vtk_cells(FILE *out, const char *kind, size_t cells, int corners);

/* The end of a file; `time` (s): NULL: it is the same at all times. */
void plu_vtk_end(FILE *out, const double *time);

#endif
