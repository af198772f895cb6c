/* The nearest known word to a misspelt one: Levenshtein's distance with exchanged neighbors (F. J.
 * Damerau, Commun. ACM 7 (1964) 171), by a table d[i][j] of the first i letters of one against the
 * first j of the other,
 *
 *     d[i][j] = min( d[i-1][j-1] + (a_i != b_j) ,  d[i-1][j] + 1 ,  d[i][j-1] + 1 ,
 *                    d[i-2][j-2] + 1 where the last two letters are exchanged )
 *
 * A plural is at distance 1. What a user is likely to have meant is offered, what is far is not. */
#include "scene/describe.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LETTERS = 63 };

static int smallest(int a, int b)
{
    return a < b ? a : b;
}

int plu_word_is_plural(const char *many, const char *one)
{
    const size_t n = strlen(one), m = strlen(many);
    if (n > 1 && m == n + 2 && one[n - 1] == 'y' && strcmp(many + n - 1, "ies") == 0)
        return strncmp(one, many, n - 1) == 0;
    return n > 1 && m == n + 1 && many[n] == 's' && strncmp(one, many, n) == 0;
}

int plu_word_distance(const char *a, const char *b)
{
    if (plu_word_is_plural(a, b) || plu_word_is_plural(b, a))
        return 1;
    const size_t n = strnlen(a, LETTERS), m = strnlen(b, LETTERS);
    int table[LETTERS + 1][LETTERS + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = (int)(i + j);
                continue;
            }
            int best = table[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = smallest(best, 1 + smallest(table[i - 1][j], table[i][j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smallest(best, 1 + table[i - 2][j - 2]);
            table[i][j] = best;
        }
    return table[n][m];
}

int plu_word_near(const char *word, const char *known)
{
    return plu_word_distance(word, known) <= 1 + (int)strnlen(word, LETTERS) / 4;
}

/* `best`, or a key of the group that is nearer. Of a stage also what it may change. */
static const plu_key *nearest_of(const plu_key *group, bool staged, const char *name,
                                 const plu_key *best)
{
    int distance = best ? plu_word_distance(name, plu_key_name(best)) : LETTERS;
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key)) {
        const int d = plu_word_distance(name, plu_key_name(key));
        if (d < distance && plu_word_near(name, plu_key_name(key)) &&
            (!staged || plu_key_staged(key))) {
            best = key;
            distance = d;
        }
    }
    return best;
}

static const plu_key *nearest_in(const plu_key *group, const char *name)
{
    const plu_key *best = nearest_of(group, false, name, NULL);
    return strcmp(group->path, "stages") == 0 ? nearest_of(plu_keys, true, name, best) : best;
}

static const plu_key *elsewhere(const char *name)
{
    for (const plu_key *key = plu_keys + 1; key->path; key++)
        if (strcmp(plu_key_name(key), name) == 0)
            return key;
    return NULL;
}

/* The keys of a campaign (campaign_read.c) that no scene has. */
static const char of_campaigns[] = " scene set axes where measures targets threads keep ";

static const char campaigns_advice[] =
    "it is a key of campaigns, which \"pluvia sweep\" and \"pluvia calibrate\" read";

/* Whether `name` is one of the words. */
static bool is_word(const char *words, const char *name)
{
    const size_t length = strlen(name);
    if (length == 0 || strchr(name, ' '))
        return false;
    const char *found = strstr(words + 1, name); /* they begin with a space */
    while (found && !(found[-1] == ' ' && found[length] == ' '))
        found = strstr(found + 1, name);
    return found != NULL;
}

static const char *key_tried(const plu_key *group, const char *name);

int plu_word_of_campaigns(const char *name)
{
    return is_word(of_campaigns, name);
}

const char *plu_key_hint(const plu_key *group, const char *name, char *text, size_t size)
{
    const plu_key *near = nearest_in(group, name), *other = elsewhere(name);
    const char *tried = key_tried(group, name);
    if (!tried && !*group->path && is_word(of_campaigns, name))
        tried = campaigns_advice;
    if (tried) {
        snprintf(text, size, ": %s", tried);
        return text;
    }
    if (near && (!other || plu_word_distance(name, plu_key_name(near)) <= 1)) {
        snprintf(text, size, "; did you mean \"%s\"?", plu_key_name(near));
        return text;
    }
    const bool at_top = other && strcmp(other->path, name) == 0;
    if (other && !at_top) {
        snprintf(text, size, "; there is a key \"%s\"", other->path);
        return text;
    }
    int used =
        snprintf(text, size, "; %sknown keys:", at_top ? "it is a key of the scene itself; " : "");
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        if (used >= 0 && (size_t)used < size)
            used += snprintf(text + used, size - (size_t)used, " %s", plu_key_name(key));
    return text;
}

const char *plu_keys_staged(const plu_key *group, char *text, size_t size)
{
    size_t used = 0;
    snprintf(text, size, "nothing");
    for (const plu_key *key = plu_key_next(group, NULL); key; key = plu_key_next(group, key))
        if (plu_key_staged(key) && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     plu_key_name(key));
    return text;
}

/* Keys that other programs have and people try here. Each gets a sentence of its own: the nearest
 * spelling of "mesh" would be of no help. */

static const struct {
    const char *group; /* the group and all below it; "": anywhere */
    const char *names; /* with blanks between and around */
    const char *advice;
} tried[] = {
    {"boundaries", " velocity angular_velocity moving motion rotation speed omega ",
     "a boundary is moved by its motion: motion = { velocity = [1.0, 0.0, 0.0]; } or { rate = "
     "1.0; }; \"pluvia help boundaries.motion\" explains it"},
    {"boundaries", " servo stress pressure force load ",
     "a force or a stress moves a boundary by a servo: servo = { mass = 1.0; stress = 1e4; } or { "
     "mass = 1.0; force = 100.0; }"},
    {"boundaries", " stl obj triangles mesh_file ",
     "triangles of an STL or OBJ file are a boundary: mesh = { file = \"NAME.stl\"; }"},
    {"boundaries", " axis ",
     "it belongs to the shape, the motion or the servo: cylinder = { axis = [1.0, 0.0, 0.0]; ... "
     "}"},
    {"boundaries", " position point origin ",
     "the place of a boundary is the center of its shape: plane = { center = [0.0, 0.0, 0.0]; "
     "normal "
     "= [0.0, 0.0, 1.0]; }"},
    {"boundaries", " friction rolling_friction restitution ",
     "laws belong to pairs of materials: contacts = ( { between = [\"A\", \"B\"]; ... } )"},
    {"", " periodic periodicity ",
     "periodic directions belong to a cell: cell = { size = [1.0, 1.0, 1.0]; periodic = [\"x\", "
     "\"y\"]; }"},
    {"", " servo servos pressure ",
     "a force or a stress moves a boundary by its servo: boundaries = ( { servo: { mass = 1.0; "
     "stress = 1e4; }; ... } )"},
    {"", " mesh meshes stl obj triangles geometry ",
     "triangles of an STL or OBJ file are a boundary: boundaries = ( { mesh: { file = "
     "\"NAME.stl\"; }; "
     "... } )"},
    {"", " psd size_distribution distribution gradation sizes diameter diameters ",
     "sizes are given by radius = R, by radius = [smallest, largest] (uniform), or by a "
     "distribution: radius = { distribution = ...; } or radius = { sieves = ...; }"},
    {"", " drag fluid viscosity air wind buoyancy damping ",
     "there is no fluid: bodies move in a vacuum unless a program drags them (bodies.set_drag in "
     "Python, pluvia/control.h in C), and lose energy in contacts alone (friction, "
     "rolling_friction, restitution in \"contacts\"; the limits are in src/README.md)"},
    {"", " mpi cluster nodes ranks distributed gpu cuda processes ",
     "a run uses the cores of one machine (pluvia run --threads N); many runs are a campaign, also "
     "on a cluster (pluvia sweep --slurm N; pluvia help sweep)"},
    {"", " fixed static frozen kinematic immobile ",
     "bodies with fixed = true do not move; walls and other objects are boundaries"},
    {"", " mass masses ", "the mass follows from the radius and from the density of the material"},
    {"", " inertia ", "bodies are solid spheres, whose moment of inertia is 2/5 m r^2"},
    {"", " shape clump clumps polyhedron polyhedra multisphere ellipsoid ellipsoids cube cubes ",
     "bodies are spheres; rolling_friction in contacts stands for other shapes (the limits are in "
     "src/README.md)"},
    {"", " cohesion adhesion ", "attraction is a key of contacts, cohesion (N)"},
    {"materials", " young young_modulus youngs_modulus stiffness poisson poisson_ratio ",
     "bodies are rigid; stiffnesses belong to contacts, with method = \"penalty\""},
    {"bodies.packing.cylinder", " axis normal direction ",
     "the cylinder of a packing is upright; within a lying drum fill a box that fits into it, or a "
     "lattice"},
    {"materials", " friction rolling_friction restitution ",
     "laws belong to pairs of materials: contacts = ( { between = [\"A\", \"B\"]; ... } )"},
    {"", " dt timestep time_step ", "the time step is time = { step = ...; }"},
};

static const char *key_tried(const plu_key *group, const char *name)
{
    if (!name[0] || strchr(name, ' '))
        return NULL;
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        const size_t depth = strlen(tried[k].group);
        const char next =
            strncmp(group->path, tried[k].group, depth) == 0 ? group->path[depth] : '?';
        if (is_word(tried[k].names, name) && (depth == 0 || next == '\0' || next == '.'))
            return tried[k].advice;
    }
    return NULL;
}

const char *plu_word_tried(const char *word)
{
    char name[64] = "";
    for (size_t i = 0; word[i] && i + 1 < sizeof name; i++)
        name[i] = (char)tolower((unsigned char)word[i]);
    if (!name[0] || strchr(name, ' '))
        return NULL;
    for (int anywhere = 1; anywhere >= 0; anywhere--) /* what holds anywhere first */
        for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
            if ((tried[k].group[0] == '\0') == anywhere && is_word(tried[k].names, name))
                return tried[k].advice;
    return is_word(of_campaigns, name) ? campaigns_advice : NULL;
}
