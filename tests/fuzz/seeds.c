/* Writes a small corpus for each fuzzer into the folder that is named: problems in all text
 * formats, and for FCLIB inputs of zeros, which stand for right files. */
#include "pluvia/problem.h"
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
    /* global: bodies, and one that has to be factorised */
    "3\n1\n2\n6\n6\n1\nCSparse Version 3.1.9\ntriplet: 6-by-6, nzmax: 6 nnz: 6\n"
    "    0 0 : 2\n    1 1 : 2\n    2 2 : 2\n    3 3 : 1\n    4 4 : 1\n    5 5 : 1\n"
    "0\n6\n3\n6\t3\n0 0 1 0 0 0\n1 0 0 0 1 0\n0 1 0 1 0 0\n1 2 3 4 5 6\n0 0 0\n0.5\n",
    "2\n1\n0\n3\n3\n3\t3\n2 1 0\n1 2 1\n0 1 2\n0\n3\n2\n3\t2\n1 0 0\n0 1 0\n1 2 3\n0 0\n0.5\n",
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

int main(int count, char **arguments)
{
    const char zeros[64] = "";
    int failed = count != 2;
    for (size_t k = 0; !failed && k < sizeof texts / sizeof *texts; k++)
        failed = put(arguments[1], "siconos", (int)k, texts[k], strlen(texts[k])) ||
                 rewrite(arguments[1], (int)k);
    for (int kind = 0; !failed && kind < 3; kind++) {
        char bytes[sizeof zeros];
        memcpy(bytes, zeros, sizeof bytes);
        bytes[0] = (char)kind;
        failed = put(arguments[1], "fclib", kind, bytes, sizeof bytes);
    }
    return failed;
}
