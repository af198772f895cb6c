/* Contact problems as files: the public functions. Two formats are read and written: FCLIB (HDF5;
 * V. Acary, M. Bremond, T. Koziara & F. Perignon, FCLIB: a collection of discrete 3D frictional
 * contact problems, INRIA 2014) and the texts of Siconos. The first bytes tell which it is.
 *
 *   read    HDF5 signature? fclib.c : siconos.c  --> parts --> build.c --> problem
 *   write   can the format hold it (refusal)? --> NAME.part --> on the disk --> renamed to NAME
 *
 *                        Coulomb      rolling      needs bodies
 *   FCLIB local            x
 *   FCLIB global           x                            x
 *   FCLIB global rolling                x               x
 *   Siconos local          x            x
 *   Siconos global         x            x               x */
#include "io/h5/system_file.h"
#include "io/problem/file_parts.h"
#include "problem/spheres.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *plu_problem_format_name(plu_problem_format format)
{
    switch (format) {
    case PLU_FCLIB_LOCAL:
        return "FCLIB, local";
    case PLU_FCLIB_GLOBAL:
        return "FCLIB, global";
    case PLU_FCLIB_GLOBAL_ROLLING:
        return "FCLIB, global, rolling friction";
    case PLU_SICONOS_LOCAL:
        return "Siconos text, local";
    case PLU_SICONOS_GLOBAL:
        return "Siconos text, global";
    }
    return "unknown";
}

/* Files that cannot be opened are none: the text reader says why. */
static bool is_hdf5(const char *path)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char start[8] = {0};
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const bool found = file >= 0 && pread(file, start, sizeof start, 0) == (ssize_t)sizeof start &&
                       memcmp(start, signature, sizeof start) == 0;
    if (file >= 0)
        close(file);
    return found;
}

plu_status plu_contact_problem_read(plu_contact_problem **problem, const char *path, plu_error *err)
{
    *problem = NULL;
    return is_hdf5(path) ? plu_fclib_read(problem, path, err)
                         : plu_siconos_read(problem, path, err);
}

void plu_contact_problem_facts(const plu_contact_problem *problem, plu_problem_facts *facts)
{
    *facts = (plu_problem_facts){
        .format = problem->format,
        .rows = plu_outer_rows(problem),
        .planar = problem->planar,
        .rolling = problem->rows >= 5,
        .contacts = problem->contacts,
        .freedom = problem->freedom,
        .bodies = problem->body.bodies,
        .blocks = problem->w.start[problem->contacts],
        .symmetric = problem->symmetric,
        .has_guess = problem->has_guess,
        .has_solution = problem->solution != NULL,
        .spheres = plu_is_spheres(problem),
    };
    snprintf(facts->title, sizeof facts->title, "%s", problem->title);
}

/* --- A problem to a file: which formats can hold it, and the file's name at the end --- */

/* Why a problem has no such form; NULL: it has. */
static const char *refusal(const plu_contact_problem *p, plu_problem_format format)
{
    if (p->rows == 7)
        return "it has pivoting friction (contacts.pivoting_friction), which no format of contact "
               "problems supports";
    const bool global = format != PLU_FCLIB_LOCAL && format != PLU_SICONOS_LOCAL;
    if (global && p->body.bodies == 0)
        return p->rows == 5 ? "it has no bodies, which the global formats need; write it as "
                              "Siconos text, local"
                            : "it has no bodies, which the global formats need; write it in a "
                              "local format";
    if (format == PLU_FCLIB_LOCAL && p->rows == 5)
        return p->body.bodies > 0 ? "FCLIB has no local form with rolling friction; write it as "
                                    "FCLIB, global, rolling friction or as Siconos text"
                                  : "FCLIB has no local form with rolling friction; write it as "
                                    "Siconos text";
    if (format == PLU_FCLIB_GLOBAL && p->rows == 5)
        return "it has rolling friction; write it as FCLIB, global, rolling friction";
    if (format == PLU_FCLIB_GLOBAL_ROLLING && p->rows == 3)
        return "it has no rolling friction; write it as FCLIB, global";
    return NULL;
}

/* On disk, then under its name. */
static plu_status write_finish(const char *part, const char *path, plu_error *err)
{
    const int file = open(part, O_RDONLY | O_CLOEXEC);
    const bool safe = file >= 0 && fsync(file) == 0;
    if (!safe)
        plu_fail(err, PLU_IO, "cannot write %s: %s", path, strerror(errno));
    if (file >= 0)
        close(file);
    if (!safe)
        return PLU_IO;
    if (rename(part, path) != 0)
        return plu_fail(err, PLU_IO, "cannot rename %s to %s: %s", part, path, strerror(errno));
    return PLU_OK;
}

plu_status plu_contact_problem_write(const plu_contact_problem *problem, const char *path,
                                     plu_problem_format format, const char *title, plu_error *err)
{
    static const char *const siconos[] = {"2\n", "3\n", "5\n", NULL};
    const char *why = refusal(problem, format);
    if (why)
        return plu_fail(err, PLU_BAD_INPUT, "%s: cannot write the problem as %s: %s", path,
                        plu_problem_format_name(format), why);
    const size_t size = strlen(path) + sizeof ".part";
    char *part = malloc(size);
    if (!part)
        return plu_fail(err, PLU_IO, "out of memory");
    snprintf(part, size, "%s.part", path);
    plu_status status = plu_fresh_clear(part, siconos, err);
    if (status != PLU_OK) {
        free(part);
        return status;
    }
    if (format == PLU_SICONOS_LOCAL || format == PLU_SICONOS_GLOBAL)
        status = plu_siconos_write(problem, part, path, format == PLU_SICONOS_GLOBAL, err);
    else
        status = plu_fclib_write(problem, part, path, format, title ? title : problem->title, err);
    if (status == PLU_OK)
        status = write_finish(part, path, err);
    if (status != PLU_OK)
        unlink(part);
    free(part);
    return status;
}
