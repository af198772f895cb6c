/* What spheres are colored by: a table of quantities, each with a function from a frame to a value
 * a sphere, and those that need contacts (forces, coordination, stress) with one that is called
 * for each of them. An entry of a vector or tensor is asked for by its name: velocity.x,
 * stress.zz.
 *
 *   {.name = "speed", .unit = "m/s", .of = of_velocity, .needs = "what the scene must write"}
 *
 *   from_zero   the color bar begins at 0
 *   tail        few have values far beyond the others: the bar ends where 98 % of them do
 *   grains      computed from contacts where the file does not have the column
 * (plu_grains_complete)
 *
 * A function returns false where the frame lacks what it needs; the message then says `needs`. */
#include "render/quantity.h"
#include "base/vec3.h"
#include <string.h>

static bool of_none(const plu_frame_data *frame, double *value)
{
    for (int i = 0; i < frame->bodies; i++)
        value[i] = NAN;
    return true;
}

static bool of_species(const plu_frame_data *frame, double *value)
{
    for (int i = 0; i < frame->bodies; i++)
        value[i] = frame->species[i];
    return true;
}

static bool norms(const double (*vector)[3], int bodies, double *value)
{
    for (int i = 0; vector && i < bodies; i++)
        value[i] = plu_norm(vector[i]);
    return vector != NULL;
}

static bool of_velocity(const plu_frame_data *frame, double *value)
{
    return norms(frame->velocity, frame->bodies, value);
}

static bool of_spin(const plu_frame_data *frame, double *value)
{
    return norms(frame->angular_velocity, frame->bodies, value);
}

static bool of_height(const plu_frame_data *frame, double *value)
{
    for (int i = 0; i < frame->bodies; i++)
        value[i] = frame->position[i][2];
    return true;
}

static bool of_radius(const plu_frame_data *frame, double *value)
{
    for (int i = 0; i < frame->bodies; i++)
        value[i] = frame->radius[i];
    return true;
}

/* Called for each contact with a force, once for each of its bodies. */
typedef void each(double *value, int body, const plu_contact_row *row, double dt);

static bool over_contacts(const plu_frame_data *frame, double *value, each *visit)
{
    for (int i = 0; i < frame->bodies; i++)
        value[i] = 0.0;
    for (int i = 0; i < frame->contacts; i++) {
        const plu_contact_row *row = &frame->contact[i];
        if (row->impulse_normal <= 0.0)
            continue;
        if (plu_side_is_sphere(row->a) && plu_side_sphere(row->a) < frame->bodies)
            visit(value, plu_side_sphere(row->a), row, frame->dt);
        if (row->b >= 0 && row->b < frame->bodies)
            visit(value, row->b, row, frame->dt);
    }
    return frame->contacts >= 0;
}

static void count(double *value, int body, const plu_contact_row *row, double dt)
{
    (void)row;
    (void)dt;
    value[body] += 1.0;
}

static void highest_mode(double *value, int body, const plu_contact_row *row, double dt)
{
    (void)dt;
    value[body] = plu_max(value[body], row->mode);
}

static void largest_force(double *value, int body, const plu_contact_row *row, double dt)
{
    value[body] = plu_max(value[body], row->impulse_normal / dt);
}

static bool of_coordination(const plu_frame_data *frame, double *value)
{
    if (frame->contacts >= 0 || !frame->coordination)
        return over_contacts(frame, value, count);
    for (int i = 0; i < frame->bodies; i++)
        value[i] = frame->coordination[i];
    return true;
}

static bool of_mode(const plu_frame_data *frame, double *value)
{
    return over_contacts(frame, value, highest_mode);
}

static bool of_force(const plu_frame_data *frame, double *value)
{
    return over_contacts(frame, value, largest_force);
}

static bool of_net_force(const plu_frame_data *frame, double *value)
{
    return norms(frame->force, frame->bodies, value);
}

static bool of_torque(const plu_frame_data *frame, double *value)
{
    return norms(frame->torque, frame->bodies, value);
}

static bool of_dissipation(const plu_frame_data *frame, double *value)
{
    for (int i = 0; frame->dissipation && i < frame->bodies; i++)
        value[i] = frame->dissipation[i];
    return frame->dissipation != NULL;
}

static bool of_pressure(const plu_frame_data *frame, double *value)
{
    for (int i = 0; frame->stress && i < frame->bodies; i++)
        value[i] = (frame->stress[i][0] + frame->stress[i][4] + frame->stress[i][8]) / 3.0;
    return frame->stress != NULL;
}

/* The equivalent stress of von Mises of the symmetric part: sqrt(3/2 s : s), s its deviator. */
static bool of_deviator(const plu_frame_data *frame, double *value)
{
    for (int i = 0; frame->stress && i < frame->bodies; i++) {
        const double *s = frame->stress[i], p = (s[0] + s[4] + s[8]) / 3.0;
        double sum = 0.0;
        for (int k = 0; k < 9; k++) {
            const double entry = 0.5 * (s[k] + s[3 * (k % 3) + k / 3]) - (k % 4 == 0 ? p : 0.0);
            sum += entry * entry;
        }
        value[i] = sqrt(1.5 * sum);
    }
    return frame->stress != NULL;
}

static const double *column_of_position(const plu_frame_data *frame)
{
    return &frame->position[0][0];
}

static const double *column_of_velocity(const plu_frame_data *frame)
{
    return frame->velocity ? &frame->velocity[0][0] : NULL;
}

static const double *column_of_spin(const plu_frame_data *frame)
{
    return frame->angular_velocity ? &frame->angular_velocity[0][0] : NULL;
}

static const double *column_of_force(const plu_frame_data *frame)
{
    return frame->force ? &frame->force[0][0] : NULL;
}

static const double *column_of_torque(const plu_frame_data *frame)
{
    return frame->torque ? &frame->torque[0][0] : NULL;
}

static const double *column_of_stress(const plu_frame_data *frame)
{
    return frame->stress ? &frame->stress[0][0] : NULL;
}

static const double *column_of_mass(const plu_frame_data *frame)
{
    return frame->mass;
}

static const char *const modes[] = {"no contact", "stick", "slide", "roll", "slide and roll", NULL};

static const char with_contacts[] = "output.contacts = true";
static const char with_velocity[] = "\"velocity\" in output.quantities";
static const char with_spin[] = "\"angular_velocity\" in output.quantities";
static const char with_force[] = "\"force\" in output.quantities or output.contacts = true";
static const char with_torque[] = "\"torque\" in output.quantities or output.contacts = true";
static const char with_stress[] = "\"stress\" in output.quantities or output.contacts = true";

static const plu_coloring quantities[] = {
    {.name = "none", .title = "", .unit = "", .help = "one color", .of = of_none},
    {.name = "species", .title = "material", .unit = "", .help = "the material", .of = of_species},
    {.name = "speed",
     .also = "velocity",
     .title = "speed",
     .unit = "m/s",
     .help = "how fast the center moves",
     .from_zero = true,
     .of = of_velocity,
     .needs = with_velocity},
    {.name = "angular_velocity",
     .title = "angular velocity",
     .unit = "rad/s",
     .help = "how fast the sphere turns",
     .from_zero = true,
     .of = of_spin,
     .needs = with_spin},
    {.name = "coordination",
     .title = "contacts",
     .unit = "",
     .help = "number of contacts that carry force",
     .from_zero = true,
     .whole = true,
     .of = of_coordination,
     .needs = "output.contacts = true or \"coordination\" in output.quantities"},
    {.name = "mode",
     .title = "contact mode",
     .unit = "",
     .help = "mode of its contacts: stick, slide, roll or both; the last of these that occurs",
     .kinds = modes,
     .of = of_mode,
     .needs = with_contacts},
    {.name = "force",
     .title = "normal force",
     .unit = "N",
     .help = "largest normal force of its contacts",
     .from_zero = true,
     .tail = true,
     .of = of_force,
     .needs = with_contacts},
    {.name = "net_force",
     .title = "net contact force",
     .unit = "N",
     .help = "the sum of its contact forces",
     .from_zero = true,
     .of = of_net_force,
     .tail = true,
     .grains = true,
     .needs = with_force},
    {.name = "torque",
     .title = "torque",
     .unit = "N m",
     .help = "the torque of its contacts",
     .from_zero = true,
     .of = of_torque,
     .tail = true,
     .grains = true,
     .needs = with_torque},
    {.name = "pressure",
     .also = "stress",
     .title = "pressure",
     .unit = "Pa",
     .help = "a third of the trace of the mean stress in the sphere",
     .from_zero = true,
     .of = of_pressure,
     .tail = true,
     .grains = true,
     .needs = with_stress},
    {.name = "deviator",
     .title = "deviatoric stress",
     .unit = "Pa",
     .help = "the equivalent stress of von Mises of the mean stress in the sphere",
     .from_zero = true,
     .of = of_deviator,
     .tail = true,
     .grains = true,
     .needs = with_stress},
    {.name = "dissipation",
     .title = "dissipation",
     .unit = "W",
     .help = "what friction and rolling friction take from it",
     .from_zero = true,
     .of = of_dissipation,
     .tail = true,
     .grains = true,
     .needs = "\"dissipation\" in output.quantities"},
    {.name = "release",
     .title = "released at",
     .unit = "s",
     .help = "time of the first frame that contains the sphere"},
    {.name = "height", .title = "height", .unit = "m", .help = "z of the center", .of = of_height},
    {.name = "radius", .title = "radius", .unit = "m", .help = "the radius", .of = of_radius},
    {.name = "mass",
     .title = "mass",
     .unit = "kg",
     .help = "the mass",
     .column = column_of_mass,
     .width = 1},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

/* Entries of columns. */
#define ENTRY(of_, name_, unit_, width_, place_, grains_, needs_)                                  \
    {                                                                                              \
        .name = (name_), .title = (name_), .unit = (unit_), .column = (of_), .width = (width_),    \
        .place = (place_), .tail = (grains_), .grains = (grains_), .needs = (needs_)               \
    }
#define ENTRIES(of_, name_, unit_, grains_, needs_)                                                \
    ENTRY(of_, name_ ".x", unit_, 3, 0, grains_, needs_),                                          \
        ENTRY(of_, name_ ".y", unit_, 3, 1, grains_, needs_),                                      \
        ENTRY(of_, name_ ".z", unit_, 3, 2, grains_, needs_)
#define STRESS(name_, place_)                                                                      \
    ENTRY(column_of_stress, "stress." name_, "Pa", 9, place_, true, with_stress)
static const plu_coloring entries[] = {
    ENTRIES(column_of_position, "position", "m", false, ""),
    ENTRIES(column_of_velocity, "velocity", "m/s", false, with_velocity),
    ENTRIES(column_of_spin, "angular_velocity", "rad/s", false, with_spin),
    ENTRIES(column_of_force, "force", "N", true, with_force),
    ENTRIES(column_of_torque, "torque", "N m", true, with_torque),
    STRESS("xx", 0),
    STRESS("xy", 1),
    STRESS("xz", 2),
    STRESS("yx", 3),
    STRESS("yy", 4),
    STRESS("yz", 5),
    STRESS("zx", 6),
    STRESS("zy", 7),
    STRESS("zz", 8),
};
enum { ENTRY_COUNT = sizeof entries / sizeof *entries };

static const plu_vector vectors[] = {
    {"velocity", "m/s", with_velocity, false, column_of_velocity},
    {"angular_velocity", "rad/s", with_spin, false, column_of_spin},
    {"force", "N", with_force, true, column_of_force},
    {"torque", "N m", with_torque, true, column_of_torque},
};
enum { VECTORS = sizeof vectors / sizeof *vectors };

const plu_coloring *plu_coloring_at(int i)
{
    return i >= 0 && i < QUANTITIES ? &quantities[i] : NULL;
}

const plu_coloring *plu_coloring_find(const char *name)
{
    for (int i = 0; i < QUANTITIES; i++)
        if (strcmp(quantities[i].name, name) == 0 ||
            (quantities[i].also && strcmp(quantities[i].also, name) == 0))
            return &quantities[i];
    for (int i = 0; i < ENTRY_COUNT; i++)
        if (strcmp(entries[i].name, name) == 0)
            return &entries[i];
    return NULL;
}

bool plu_quantity_values(const plu_coloring *quantity, const plu_frame_data *frame, double *value)
{
    if (quantity->of)
        return quantity->of(frame, value);
    const double *column = quantity->column(frame);
    for (int i = 0; column && i < frame->bodies; i++)
        value[i] = column[(size_t)i * (size_t)quantity->width + (size_t)quantity->place];
    return column != NULL;
}

const plu_vector *plu_vector_find(const char *name)
{
    for (int i = 0; i < VECTORS; i++)
        if (strcmp(vectors[i].name, name) == 0)
            return &vectors[i];
    return NULL;
}
