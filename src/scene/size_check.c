/* Sizes and mixtures: which keys a distribution takes, and what depends on more than one of them.
 *
 *     sieves    passing |        .---1     openings rise, the fraction that passes does not fall,
 *                       |    .--'          from 0 at the first to 1 at the last; radii are half the
 *                       |0--'              openings
 *     normal, lognormal                    the range comes within 8 sigma of the middle: elsewhere
 *                                          there are no grains
 *
 * A distribution by mass is of sieves, by number of all others, unless `by` says so. */
#include "pluvia/body.h"
#include "pluvia/feeder.h"
#include "scene/reader.h"
#include <math.h>
#include <string.h>

/* Radii of one scene differ by no more, and bounds are no further from the middle of a bell. */
static const double ratio_most = 1e6, widths_most = 8.0;

/* Width of a bell over its middle. */
static const double narrowest = 1e-6;

/* A group in place of a radius. */
typedef struct sized {
    plu_reader *reader;
    const config_setting_t *group;
    char path[256];
} sized;

static const config_setting_t *key_of(const sized *s, const char *name)
{
    return config_setting_get_member(s->group, name);
}

/* The place of a key, or of the group without it. */
static plu_place place_of(const sized *s, const char *name)
{
    const config_setting_t *key = key_of(s, name);
    return plu_setting_place(s->reader, key ? key : s->group);
}

/* Which keys a kind needs; all others but `by` and `stratified` it refuses. */
static void check_keys(const sized *s, const char *kind, const char *needs)
{
    static const char *const names[] = {"range", "exponent", "mean", "median", "sigma"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const bool needed = strstr(needs, names[k]) != NULL, given = key_of(s, names[k]) != NULL;
        if (needed && !given)
            plu_complain(s->reader, place_of(s, names[k]), "%s.%s is missing: %s needs it", s->path,
                         names[k], kind);
        else if (given && !needed)
            plu_complain(s->reader, place_of(s, names[k]), "%s.%s cannot be combined with %s",
                         s->path, names[k], kind);
    }
}

static void check_sieves(const sized *s, plu_size_spec *sizes)
{
    const int count = sizes->sieves_count;
    const plu_place place = place_of(s, "sieves");
    const char *wrong = NULL;
    for (int k = 1; k < count && !wrong; k++) {
        const double *a = sizes->sieves[k - 1], *b = sizes->sieves[k];
        wrong = !(a[0] > 0.0)  ? "openings must be > 0"
                : b[0] <= a[0] ? "openings must rise from one sieve to the next"
                : b[1] < a[1]  ? "the fraction passing must not decrease from one sieve to the next"
                               : NULL;
    }
    if (count > 1 && !wrong && (sizes->sieves[0][1] != 0.0 || sizes->sieves[count - 1][1] != 1.0))
        wrong = "the fraction passing must be 0 at the first sieve and 1 at the last";
    if (wrong)
        plu_complain(s->reader, place, "%s.sieves: %s", s->path, wrong);
    sizes->range[0] = 0.5 * sizes->sieves[0][0];
    sizes->range[1] = 0.5 * sizes->sieves[count > 0 ? count - 1 : 0][0];
}

/* A bell that has nothing between its bounds. */
static void check_bell(const sized *s, const plu_size_spec *sizes)
{
    const bool normal = sizes->kind == PLU_NORMAL;
    const double middle = normal ? sizes->mean : log(sizes->median);
    const double low = normal ? sizes->range[0] : log(sizes->range[0]);
    const double high = normal ? sizes->range[1] : log(sizes->range[1]);
    const double reach = widths_most * sizes->sigma;
    if (sizes->sigma < narrowest * (normal ? middle : 1.0))
        plu_complain(s->reader, place_of(s, "sigma"),
                     "%s.sigma is too small to tell radii apart; for one size write radius = R",
                     s->path);
    else if (low > middle + reach || high < middle - reach)
        plu_complain(s->reader, place_of(s, "range"),
                     "%s.range is more than %g sigma from the %s, where there are no grains",
                     s->path, widths_most, normal ? "mean" : "median");
}

static void check_kind(const sized *s, const plu_size_spec *sizes)
{
    static const char *const kinds[] = {[PLU_UNIFORM] = "distribution = \"uniform\"",
                                        [PLU_POWER] = "distribution = \"power\"",
                                        [PLU_NORMAL] = "distribution = \"normal\"",
                                        [PLU_LOGNORMAL] = "distribution = \"lognormal\"",
                                        [PLU_SIEVES] = "sieves"};
    static const char *const needs[] = {[PLU_UNIFORM] = "range",
                                        [PLU_POWER] = "range exponent",
                                        [PLU_NORMAL] = "range mean sigma",
                                        [PLU_LOGNORMAL] = "range median sigma",
                                        [PLU_SIEVES] = ""};
    check_keys(s, kinds[sizes->kind], needs[sizes->kind]);
}

static bool is_bell(const plu_size_spec *sizes)
{
    return (sizes->kind == PLU_NORMAL && sizes->mean > 0.0 && sizes->sigma > 0.0) ||
           (sizes->kind == PLU_LOGNORMAL && sizes->median > 0.0 && sizes->sigma > 0.0);
}

/* `setting` is what stands for a radius, or NULL. The bounds become `radius`. */
static void check_sizes(plu_reader *reader, const config_setting_t *setting, plu_size_spec *sizes,
                        double radius[2])
{
    if (!setting || !config_setting_is_group(setting))
        return;
    sized s = {.reader = reader, .group = setting};
    plu_setting_path(setting, s.path, sizeof s.path);
    if (key_of(&s, "sieves"))
        sizes->kind = PLU_SIEVES;
    if (sizes->kind == PLU_RANGE) /* no kind, which is reported */
        return;
    if (!sizes->by)
        sizes->by = sizes->kind == PLU_SIEVES ? PLU_BY_MASS : PLU_BY_NUMBER;
    check_kind(&s, sizes);
    if (sizes->kind == PLU_SIEVES)
        check_sieves(&s, sizes);
    const double a = sizes->range[0], b = sizes->range[1];
    if (!(a > 0.0 && b > 0.0)) /* missing or wrong, which is reported */
        return;
    if (sizes->kind != PLU_SIEVES && !(a < b))
        plu_complain(reader, place_of(&s, "range"),
                     "%s.range: the smallest radius must be below the largest; for one size write "
                     "radius = R",
                     s.path);
    else if (b > ratio_most * a)
        plu_complain(reader, place_of(&s, sizes->kind == PLU_SIEVES ? "sieves" : "range"),
                     "%s: radii differ by more than a factor of %g", s.path, ratio_most);
    else if (is_bell(sizes))
        check_bell(&s, sizes);
    radius[0] = a;
    radius[1] = b;
}

/* The grains of an entry of bodies or feeders: sizes and mixture. */
typedef struct grains {
    const char *list;
    int index;
    plu_size_spec *sizes;
    double *radius;
    plu_mixture_part *mixture;
    int mixture_count;
} grains;

static void check_mixture(plu_reader *reader, const grains *g, const config_setting_t *entry)
{
    const config_setting_t *list = config_setting_get_member(entry, "mixture");
    static const char *const instead[] = {"material", "radius", "file", "run"};
    if (!list)
        return;
    for (size_t k = 0; k < sizeof instead / sizeof *instead; k++) {
        const config_setting_t *other = config_setting_get_member(entry, instead[k]);
        if (other)
            plu_complain(reader, plu_setting_place(reader, other),
                         "%s[%d].%s cannot be combined with mixture%s", g->list, g->index,
                         instead[k], k < 2 ? ", whose parts have this key themselves" : "");
    }
    if (g->mixture_count == 0)
        plu_complain(reader, plu_setting_place(reader, list), "%s[%d].mixture is empty", g->list,
                     g->index);
    for (int k = 0; k < g->mixture_count; k++) {
        plu_mixture_part *part = &g->mixture[k];
        const config_setting_t *setting = config_setting_get_elem(list, (unsigned)k);
        if (!config_setting_is_group(setting)) /* reported */
            continue;
        const config_setting_t *material = config_setting_get_member(setting, "material");
        part->material = plu_material_of_spheres(reader, material, part->material_name);
        check_sizes(reader, config_setting_get_member(setting, "radius"), &part->sizes,
                    part->radius);
    }
}

static void check_grains(plu_reader *reader, const grains *g)
{
    const config_setting_t *list = config_lookup(&reader->config, g->list);
    const config_setting_t *entry = config_setting_get_elem(list, (unsigned)g->index);
    if (!config_setting_is_group(entry)) /* reported */
        return;
    check_mixture(reader, g, entry);
    check_sizes(reader, config_setting_get_member(entry, "radius"), g->sizes, g->radius);
}

void plu_check_sizes(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    for (int i = 0; i < scene->bodies_count; i++) {
        plu_body_spec *b = &scene->bodies[i];
        check_grains(reader,
                     &(grains){"bodies", i, &b->sizes, b->radius, b->mixture, b->mixture_count});
    }
    for (int i = 0; i < scene->feeders_count; i++) {
        plu_feeder_spec *f = &scene->feeders[i];
        check_grains(reader,
                     &(grains){"feeders", i, &f->sizes, f->radius, f->mixture, f->mixture_count});
    }
}
