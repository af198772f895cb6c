/* Writes a small corpus for each fuzzer into the folder that is named: problems in all text
 * formats, the scenes of the project, overrides, campaigns, meshes, and for HDF5 inputs of zeros,
 * which stand for right files. */
#include "pluvia/problem.h"
#include "small_run.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static const char *const texts[] = {
    /* dense, in space; in the plane; with rolling friction */
    "3\n1\n0\n3\n3\n3\t3\n2 0 0\n0 3 0.5\n0 0.5 3\n-1 0.5 0\n0.3\n1\n",
    "2\n2\n0\n4\n4\n4\t4\n2 0 1 0\n0 3 0 1\n1 0 2 0\n0 1 0 3\n-1 0.5 0 1\n0.3 0\n",
    "5\n1\n0\n5\n5\n5\t5\n2 0 0 0 0\n0 3 0 0 1\n0 0 3 -1 0\n0 0 -1 9 0\n0 1 0 0 9\n"
    "-1 0.5 0 1 0\n0.3\n0.01\nlength\n0.5\n",
    /* sparse blocks */
    "3\n2\n1\n6\n6\n3\n2\n2\n3\t6\n3\t6\n3\n3\n0\t2\t3\n1\t0\t1\n"
    "0\n0\n0\n1\n0\n0\n0\n0\n0\n0\n1\n2\n0\n0\n0\n3\n0\n0\n0\n4\n2\n2\n0\n0\n0\n3\n0\n0\n0\n4\n"
    "-1 0 1 2 3 4\n0.1 0.2\n",
    /* CSparse by columns */
    "3\n1\n2\n3\n3\n2\nCSparse Version 3.1.9\n3-by-3, nzmax: 4 nnz: 4, 1-norm: 3\n"
    "    col 0 : locations 0 to 0\n      0 : 2\n    col 1 : locations 1 to 2\n      1 : 3\n"
    "      2 : 0.5\n    col 2 : locations 3 to 3\n      2 : 3\n-1 0 1\n0.5\n",
    /* global: bodies, and one that has to be factorized */
    "3\n1\n2\n6\n6\n1\nCSparse Version 3.1.9\ntriplet: 6-by-6, nzmax: 6 nnz: 6\n"
    "    0 0 : 2\n    1 1 : 2\n    2 2 : 2\n    3 3 : 1\n    4 4 : 1\n    5 5 : 1\n"
    "0\n6\n3\n6\t3\n0 0 1 0 0 0\n1 0 0 0 1 0\n0 1 0 1 0 0\n1 2 3 4 5 6\n0 0 0\n0.5\n",
    "2\n1\n0\n3\n3\n3\t3\n2 1 0\n1 2 1\n0 1 2\n0\n3\n2\n3\t2\n1 0 0\n0 1 0\n1 2 3\n0 0\n0.5\n",
};

/* Files of spheres and tables of motions; the first byte is the kind (fuzz_csv.c). */
static const char *const tables[] = {
    ("0x,y,z,radius,vx,vy,vz,wx,wy,wz,time\n0,0,1,0.01,1,2,3,4,5,6,0\n1e-3, 2 "
     ",3.5,0.02,-1,0,0,0,0,0,0.5\n"),
    "1# spheres\n\nz, x, y\r\n1,2,3\r\n# one more\n4,5,6\r\n",
    "2t,x,y,z,angle\n0,0,0,0,0\n0.1,1e-3,0,-1e-3,0.1\n0.25,0,0,0,-0.2\n",
    "3t, share\n0, 0\n0.1, 1\n0.3, -0.5\n",
};

static int put(const char *folder, const char *kind, int number, const char *bytes, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, kind);
    mkdir(path, 0777);
    snprintf(path, sizeof path, "%s/%s/%d", folder, kind, number);
    FILE *file = fopen(path, "wb");
    if (!file)
        return 1;
    const int short_write = fwrite(bytes, 1, size, file) != size;
    return fclose(file) != 0 || short_write;
}

/* The same problem as the writers put it. */
static int rewrite(const char *folder, int number)
{
    char from[512], to[512];
    plu_contact_problem *problem;
    plu_problem_facts facts;
    snprintf(from, sizeof from, "%s/siconos/%d", folder, number);
    snprintf(to, sizeof to, "%s/siconos/%d-written", folder, number);
    if (plu_contact_problem_read(&problem, from, NULL) != PLU_OK)
        return 1;
    plu_contact_problem_facts(problem, &facts);
    const plu_status status = plu_contact_problem_write(
        problem, to, facts.bodies > 0 ? PLU_SICONOS_GLOBAL : PLU_SICONOS_LOCAL, NULL, NULL);
    plu_contact_problem_destroy(problem);
    return status != PLU_OK;
}

static const char *const overrides[] = {
    "time.end=2.5\ncontacts.0.friction=0.1\ncontacts.*.friction=1",
    "boundaries.0.plate.size=[1, 2]\nbodies.1.velocity=[0, 0, -1.5]",
    "solver.name=gs\nsolver.criterion=\"natural-map\"\nseed=99999999999L",
    "output.quantities=[\"force\"]\ndomain.box=[[-1,-1,-1],[1,1,1]]\ntitle=\"a=b\"",
};

static const char *const campaigns[] = {
    "title = \"t\"; scene = \"s\"; set = [\"time.end=2\"]; keep = \"last\"; threads = 2;\n"
    "axes = ( { key = [\"a\", \"b\"]; name = [\"x\", \"y\"]; values = ([1, 2], [3, 4], 5); },\n"
    "         { key = \"c\"; log_range = [1e-2, 1]; count = 3; }, { seeds = [3, 7]; } );\n"
    "where = [\"x < c\", \"seed != 3\"]; measures = [\"pile.height\"];\n",
    "scene = \"s\"; axes = ( { key = \"contacts.*.friction\"; range = [0.1, 0.9]; count = 3; },\n"
    "  { key = \"contacts.*.rolling_friction\"; log_range = [1e-4, 1]; count = 4; }, { seeds = 2; "
    "} );\n"
    "targets = ( { measure = \"m\"; value = 9e1; error = 5.0; } );\n",
    "scene = \"s\"; axes = ( { key = \"materials.0.density\"; range = [1, 9]; count = 5; } );\n"
    "targets = ( { measure = \"m\"; value = 9e1; error = 5; }, { measure = \"n\"; value = 3; error "
    "= 9; } );\n",
};

/* Behind the kind (tests/fuzz/fuzz_mesh.c). */
static const char *const meshes[] = {
    "0solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1e0 0\n"
    "endloop\nendfacet\nfacet normal 0 0 1\nouter loop\nvertex 1 0 0\nvertex 1 1 0.5\n"
    "vertex 0 1 0\nendloop\nendfacet\nendsolid a\n",
    "1# a\no b\nv 0 0 0\nv 1 0 0 1.0\nv 1 1 0\nv 0 1 .5\nvn 0 0 1\nvt 0 0\nf 1 2 3 4\n"
    "f 1/1/1 3//1 -1/1\n",
};

/* A binary file of two triangles. */
static int put_binary_mesh(const char *folder)
{
    static const float corner[2][12] = {{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0},
                                        {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 0}};
    char bytes[1 + 84 + 2 * 50] = "0binary";
    bytes[81] = 2;
    for (int t = 0; t < 2; t++)
        memcpy(bytes + 85 + 50 * t, corner[t], sizeof corner[t]);
    return put(folder, "mesh", 99, bytes, sizeof bytes);
}

/* Every scene of the project. */
static int put_scenes(const char *folder)
{
    static char text[1 << 16];
    static const char *const places[] = {PLU_SCENES, PLU_SCENES "/pile", PLU_SCENES "/box"};
    int number = 0, failed = put(folder, "scene", number++, small_scene, sizeof small_scene - 1);
    for (int k = 0; k < 3; k++) {
        DIR *place = opendir(places[k]);
        for (struct dirent *e; place && !failed && (e = readdir(place)) != NULL;) {
            char path[512];
            snprintf(path, sizeof path, "%s/%.200s", places[k], e->d_name);
            FILE *file = strstr(e->d_name, ".cfg") ? fopen(path, "rb") : NULL;
            if (!file)
                continue;
            failed = put(folder, "scene", number++, text, fread(text, 1, sizeof text, file));
            fclose(file);
        }
        if (place)
            closedir(place);
    }
    return failed || number < 4;
}

int main(int count, char **arguments)
{
    const char zeros[64] = "";
    int failed = count != 2;
    for (size_t k = 0; !failed && k < sizeof texts / sizeof *texts; k++)
        failed = put(arguments[1], "siconos", (int)k, texts[k], strlen(texts[k])) ||
                 rewrite(arguments[1], (int)k);
    for (size_t k = 0; !failed && k < sizeof tables / sizeof *tables; k++)
        failed = put(arguments[1], "csv", (int)k, tables[k], strlen(tables[k]));
    for (int kind = 0; !failed && kind < 3; kind++) {
        char bytes[sizeof zeros];
        memcpy(bytes, zeros, sizeof bytes);
        bytes[0] = (char)kind;
        failed = put(arguments[1], "fclib", kind, bytes, sizeof bytes) ||
                 put(arguments[1], "trajectory", kind, zeros, (size_t)kind * 8) ||
                 put(arguments[1], "checkpoint", kind, zeros, (size_t)kind * 8);
    }
    for (size_t k = 0; !failed && k < sizeof overrides / sizeof *overrides; k++)
        failed = put(arguments[1], "overrides", (int)k, overrides[k], strlen(overrides[k]));
    for (size_t k = 0; !failed && k < sizeof campaigns / sizeof *campaigns; k++)
        failed = put(arguments[1], "campaign", (int)k, campaigns[k], strlen(campaigns[k]));
    for (size_t k = 0; !failed && k < sizeof meshes / sizeof *meshes; k++)
        failed = put(arguments[1], "mesh", (int)k, meshes[k], strlen(meshes[k]));
    failed = failed || put_binary_mesh(arguments[1]) || put_scenes(arguments[1]);
    return failed;
}
