/* Contact problems as files: the public functions. */
#include "io/problem/file_parts.h"
#include "problem/spheres.h"
#include <fcntl.h>
#include <stdio.h>
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
