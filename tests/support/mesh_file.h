/* mesh_file.h: meshes that tests write, which are read as those of users. */
#ifndef SUPPORT_MESH_FILE_H
#define SUPPORT_MESH_FILE_H

#include "near.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A mesh file in the folder of temporary files. */
typedef struct mesh_file {
    char path[64];
    FILE *file;
} mesh_file;

static inline mesh_file begin_mesh(void)
{
    mesh_file m = {.path = "/tmp/pluvia-test-XXXXXX.obj"};
    m.file = fdopen(mkstemps(m.path, 4), "w");
    assert_non_null(m.file);
    return m;
}

static inline void mesh_corner(mesh_file *m, double x, double y, double z)
{
    fprintf(m->file, "v %.17g %.17g %.17g\n", x, y, z);
}

#define MESH_PI 3.14159265358979323846

/* A tube of `facets` rectangles along y, radius 0.1, its lowest line in the middle of a facet. */
static inline mesh_file tube(int facets)
{
    mesh_file m = begin_mesh();
    for (int k = 0; k < facets; k++)
        for (int end = -1; end < 2; end += 2) {
            const double angle = 2.0 * MESH_PI * (k + 0.5) / facets;
            mesh_corner(&m, 0.1 * sin(angle), 0.5 * end, 0.1 - 0.1 * cos(angle));
        }
    for (int k = 0; k < facets; k++) {
        const int a = 2 * k + 1, b = a + 1, c = 2 * ((k + 1) % facets) + 1, d = c + 1;
        fprintf(m.file, "f %d %d %d\nf %d %d %d\n", a, b, d, a, d, c);
    }
    fclose(m.file);
    return m;
}

/* The lower half of a sphere around (0, 0, `radius`): `around` corners on each of `rings` circles.
 */
static inline mesh_file bowl(double radius, int around, int rings)
{
    mesh_file m = begin_mesh();
    mesh_corner(&m, 0.0, 0.0, 0.0);
    for (int j = 1; j <= rings; j++)
        for (int i = 0; i < around; i++) {
            const double up = 0.5 * MESH_PI * j / rings, angle = 2.0 * MESH_PI * (i + 0.5) / around;
            mesh_corner(&m, radius * sin(up) * cos(angle), radius * sin(up) * sin(angle),
                        radius - radius * cos(up));
        }
    for (int i = 0; i < around; i++)
        fprintf(m.file, "f 1 %d %d\n", 2 + i, 2 + (i + 1) % around);
    for (int k = 0; k < (rings - 1) * around; k++) {
        const int i = k % around, a = 2 + k, b = 2 + k - i + (i + 1) % around;
        fprintf(m.file, "f %d %d %d\nf %d %d %d\n", a, a + around, b + around, a, b + around, b);
    }
    fclose(m.file);
    return m;
}

#endif
