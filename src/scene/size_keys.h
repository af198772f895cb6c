/* size_keys.h: the keys of a size distribution and of a mixture; rows of the table in keys.c, which
 * includes them in its places. */
/* clang-format off */
#define SIZE_KEYS(path, type) \
{path ".distribution", ONE_OF(CHOICE), AT(type, sizes.kind), .choices = distributions, \
 .help = "Distribution of radii between the bounds of `range`: \"uniform\", \"power\" (density " \
         "r^-exponent), \"normal\" (mean, sigma), \"lognormal\" (median, sigma)."}, \
{path ".sieves", ONE_OF(PAIRS), AT(type, sizes.sieves), NOT_NEGATIVE, \
 .count_offset = offsetof(type, sizes.sieves_count), \
 .help = "Grading curve, [[opening, fraction passing], ...], with openings in m, which are " \
         "diameters of spheres: [[0.002, 0], [0.004, 0.3], [0.008, 1]]. Between two sieves it is " \
         "linear in the logarithm of the size."}, \
{path ".by", OPTIONAL(CHOICE), AT(type, sizes.by), .choices = shares, \
 .help = "What the distribution counts; by default \"mass\" for sieves, otherwise \"number\". " \
         "Parts beyond the bounds are cut off, and the remaining fractions are scaled to a sum " \
         "of 1."}, \
{path ".range", OPTIONAL(REAL), AT(type, sizes.range), .count = 2, POSITIVE, .unit = "m", \
 .help = "Smallest and largest radius; needed with `distribution`."}, \
{path ".exponent", OPTIONAL(REAL), AT(type, sizes.exponent), WITHIN(-20.0, 20.0), \
 .help = "Exponent of a power law."}, \
{path ".mean", OPTIONAL(REAL), AT(type, sizes.mean), POSITIVE, .unit = "m", \
 .help = "Mean radius of a normal distribution before it is cut off at the bounds."}, \
{path ".median", OPTIONAL(REAL), AT(type, sizes.median), POSITIVE, .unit = "m", \
 .help = "Median radius of a lognormal distribution before it is cut off at the bounds: the " \
         "median by number or by mass, as `by` says."}, \
{path ".sigma", OPTIONAL(REAL), AT(type, sizes.sigma), POSITIVE, \
 .help = "Standard deviation of the radius in m (normal) or of its natural logarithm (lognormal)."}, \
{path ".stratified", DEFAULT(BOOL, "true"), AT(type, sizes.stratified), \
 .help = "Stratified sampling: of N spheres each comes from another Nth of the distribution, so " \
         "that the fractions passing scatter less. false: each is drawn independently."}

#define MIXTURE_KEYS(path, type) \
{path ".mixture", PLU_KEY_LIST, PLU_OPTIONAL, .offset = offsetof(type, mixture), \
 .count_offset = offsetof(type, mixture_count), .size = sizeof(plu_mixture_part), \
 .where_offset = offsetof(plu_mixture_part, where), \
 .help = "Grains of several materials and sizes, instead of `material` and `radius`."}, \
{path ".mixture.material", REQUIRED(TEXT), AT(plu_mixture_part, material_name), NOT_EMPTY, \
 .help = "Name of the material, which must have a density."}, \
{path ".mixture.share", REQUIRED(REAL), AT(plu_mixture_part, share), POSITIVE, \
 .help = "Share of this part, relative to the sum of all shares."}, \
{path ".mixture.radius", REQUIRED(RADIUS), AT(plu_mixture_part, radius), POSITIVE, .unit = "m", \
 .help = "As the key `radius` of an entry."}, \
SIZE_KEYS(path ".mixture.radius", plu_mixture_part), \
{path ".mixture_by", OPTIONAL(CHOICE), AT(type, mixture_by), .choices = shares, \
 .help = "What the shares of `mixture` count; by default \"mass\"."}
/* clang-format on */
