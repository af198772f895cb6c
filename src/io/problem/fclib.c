/* The files of FCLIB, the library of frictional contact problems: HDF5 with the groups
 * fclib_local, fclib_global or fclib_global_rolling, and beside them solution and guesses.
 *
 *   fclib_local/          spacedim  W/ {nzmax m n nz p i x}  vectors/ {q mu}       info/
 *   fclib_global/         spacedim  M/ H/                    vectors/ {f w mu}     info/
 *   fclib_global_rolling/ the same with                      vectors/ {mu_r}
 *   guesses/1/ {r u}      solution/ {r u v}
 *
 *   u = W r + q (local);   M v = H r + f,  u = H^T v + w (global);   r and u: normal component
 * first
 *
 * pluvia adds the vector "length" with L of each contact, which others do not read. */
#include "io/problem/fclib_h5.h"
#include "io/problem/file_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    plu_problem_format format;
} groups[] = {
    {"fclib_global_rolling", PLU_FCLIB_GLOBAL_ROLLING},
    {"fclib_global", PLU_FCLIB_GLOBAL},
    {"fclib_local", PLU_FCLIB_LOCAL},
};
enum { GROUPS = sizeof groups / sizeof *groups };

static const char *fclib_below(char path[64], const char *group, const char *name)
{
    snprintf(path, 64, "%s/%s", group, name);
    return path;
}

/* Number of rows a contact; a rolling problem may give the dimension of space instead. In the plane
 * it has three, which the length of w says. */
static int read_rows(plu_fclib *f, const char *group, plu_problem_format format)
{
    char path[64];
    const int d = plu_fclib_int(f, fclib_below(path, group, "spacedim"));
    const bool rolling = format == PLU_FCLIB_GLOBAL_ROLLING;
    if (f->h5.status == PLU_OK && d != 3 && d != 2 && (!rolling || d != 5))
        plu_h5_damaged(&f->h5, "%s is %d; it must be %s", path, d,
                       rolling ? "2, 3 or 5" : "2 or 3");
    if (!rolling || f->h5.status != PLU_OK)
        return d;
    const int contacts = plu_fclib_length(f, fclib_below(path, group, "vectors/mu"));
    const int n = plu_fclib_length(f, fclib_below(path, group, "vectors/w"));
    return d < 5 && n == 3 * (long long)contacts ? 3 : 5;
}

/* Further unknowns, without friction, that pluvia has no solver for. */
static void refuse_bilateral(plu_fclib *f, const char *group)
{
    static const char *const names[] = {"V", "R", "G", "vectors/s", "vectors/b"};
    char path[64];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (f->h5.status == PLU_OK && plu_fclib_has(f, fclib_below(path, group, names[k])))
            plu_h5_damaged(
                &f->h5, "it has bilateral constraints (%s), which pluvia does not support", path);
}

static double *optional(plu_fclib *f, const char *path, int count)
{
    return f->h5.status == PLU_OK && plu_fclib_has_data(f, path) ? plu_fclib_reals(f, path, count)
                                                                 : NULL;
}

/* Whether pluvia wrote this, as its description says. */
static bool is_ours(plu_fclib *f, const char *group)
{
    char path[64], text[32];
    plu_fclib_text(f, fclib_below(path, group, "info/description"), text, sizeof text);
    return strncmp(text, PLU_FCLIB_WRITTEN_BY, strlen(PLU_FCLIB_WRITTEN_BY)) == 0;
}

/* Some programs have exchanged rows and columns of their triplets; `swapped`, found with H, then
 * holds for M, too. */
static void read_problem(plu_fclib *f, const char *group, plu_problem_parts *p)
{
    char path[64];
    f->ours = is_ours(f, group);
    p->rows = read_rows(f, group, p->format);
    p->contacts = plu_fclib_length(f, fclib_below(path, group, "vectors/mu"));
    if (f->h5.status == PLU_OK && p->contacts == 0)
        plu_h5_damaged(&f->h5, "it has no contacts");
    if (f->h5.status != PLU_OK)
        return;
    const int n = p->rows * p->contacts;
    p->mu = plu_fclib_reals(f, path, p->contacts);
    if (p->format == PLU_FCLIB_LOCAL) {
        p->q = plu_fclib_reals(f, fclib_below(path, group, "vectors/q"), n);
        plu_fclib_matrix(f, fclib_below(path, group, "W"), n, n, NULL, &p->w);
    } else {
        bool swapped = false;
        p->freedom = plu_fclib_length(f, fclib_below(path, group, "vectors/f"));
        if (f->h5.status == PLU_OK && p->freedom == 0)
            plu_h5_damaged(&f->h5, "%s is empty", path);
        p->f = plu_fclib_reals(f, path, p->freedom);
        p->q = plu_fclib_reals(f, fclib_below(path, group, "vectors/w"), n);
        plu_fclib_matrix(f, fclib_below(path, group, "H"), p->freedom, n, &swapped, &p->h);
        plu_fclib_matrix(f, fclib_below(path, group, "M"), p->freedom, p->freedom, &swapped, &p->m);
    }
    const char *rolling = fclib_below(path, group, "vectors/mu_r");
    if (p->rows != 2 && (p->format == PLU_FCLIB_GLOBAL_ROLLING || plu_fclib_has(f, rolling)))
        p->mu_r = plu_fclib_reals(f, rolling, p->contacts);
    else if (plu_fclib_has(f, rolling))
        plu_h5_damaged(
            &f->h5,
            "it has rolling friction (%s) and 2 rows a contact; that takes 3 in the plane "
            "(normal, tangent, moment) or 5 in space",
            rolling);
    if (plu_fclib_has(f, fclib_below(path, group, "vectors/length")))
        p->length = plu_fclib_reals(f, path, p->contacts);
    p->guess = optional(f, "guesses/1/r", n);
    p->best = optional(f, "solution/r", n);
    plu_fclib_text(f, fclib_below(path, group, "info/title"), p->title, sizeof p->title);
}

/* The rolling form first: a file may contain a second group for programs that do not know rolling.
 */
static void read_file(plu_fclib *f, plu_problem_parts *p)
{
    for (int k = 0; k < GROUPS && f->h5.status == PLU_OK; k++)
        if (plu_fclib_has(f, groups[k].name)) {
            p->format = groups[k].format;
            refuse_bilateral(f, groups[k].name);
            read_problem(f, groups[k].name, p);
            return;
        }
    plu_h5_damaged(&f->h5, "an HDF5 file, but not a contact problem of FCLIB: it contains none of "
                           "the groups fclib_local, fclib_global, fclib_global_rolling");
}

plu_status plu_fclib_read(plu_contact_problem **problem, const char *path, plu_error *err)
{
    plu_problem_parts p = {.name = path};
    plu_fclib f = {.h5 = {.path = path, .on_bad = PLU_BAD_INPUT, .status = PLU_OK, .err = err}};
    const plu_h5_quiet quiet = plu_h5_quiet_begin(path);
    f.file = plu_h5_open(&f.h5, &f.bytes);
    p.bytes = f.bytes;
    read_file(&f, &p);
    if (f.file >= 0)
        H5Fclose(f.file);
    plu_h5_quiet_end(quiet);
    plu_status status = f.h5.status;
    if (status == PLU_OK)
        status = plu_problem_build(problem, &p, err);
    plu_problem_parts_free(&p);
    return status;
}
