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
    return over_contacts(frame, value, count);
}

static bool of_mode(const plu_frame_data *frame, double *value)
{
    return over_contacts(frame, value, highest_mode);
}

static bool of_force(const plu_frame_data *frame, double *value)
{
    return over_contacts(frame, value, largest_force);
}

static const char *const modes[] = {"no contact", "stick", "slide", "roll", "slide and roll", NULL};

static const char with_contacts[] = "output.contacts = true";

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
     .needs = "\"velocity\" in output.quantities"},
    {.name = "angular_velocity",
     .title = "angular velocity",
     .unit = "rad/s",
     .help = "how fast the sphere turns",
     .from_zero = true,
     .of = of_spin,
     .needs = "\"angular_velocity\" in output.quantities"},
    {.name = "coordination",
     .title = "contacts",
     .unit = "",
     .help = "number of contacts that carry force",
     .from_zero = true,
     .whole = true,
     .of = of_coordination,
     .needs = with_contacts},
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
     .of = of_force,
     .needs = with_contacts},
    {.name = "release",
     .title = "released at",
     .unit = "s",
     .help = "time of the first frame that contains the sphere"},
    {.name = "height", .title = "height", .unit = "m", .help = "z of the center", .of = of_height},
    {.name = "radius", .title = "radius", .unit = "m", .help = "the radius", .of = of_radius},
};
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

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
    return NULL;
}
