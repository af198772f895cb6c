/* What the method of a scene allows, needs and settles by itself. With springs ("penalty"):
 *
 *     needs      normal_stiffness k_N
 *     refuses    restitution, cohesion, strength, pivoting friction, dumped problems
 *     fills in   k_T = 2/7 k_N: a solid sphere has 1/m_T = 1/m + r^2/I = 7/2 1/m along the surface,
 *                so that both springs have one period
 *     settles    theta = 1, forecast 0, no projection: semi-implicit Euler
 *
 * Values that are filled in go into the tree as well, which is the scene that a result stores. */
#include "pluvia/material.h"
#include "pluvia/solving.h"
#include "pluvia/writing.h"
#include "scene/reader.h"
#include <string.h>

static config_setting_t *entry_of(const plu_reader *reader, int law)
{
    config_setting_t *list = config_lookup(&reader->config, "contacts");
    return config_setting_get_elem(list, (unsigned)law);
}

static void refuse_springs(plu_reader *reader, int law)
{
    const plu_key *contacts = plu_key_find("contacts");
    for (const plu_key *key = plu_key_next(contacts, NULL); key; key = plu_key_next(contacts, key))
        if (key->penalty && config_setting_get_member(entry_of(reader, law), plu_key_name(key)))
            plu_complain(
                reader, plu_entry_place(reader, "contacts", law, plu_key_name(key)),
                "contacts[%d].%s needs method = \"penalty\": remove the key, or set the method",
                law, plu_key_name(key));
}

/* A default that depends on other keys; the scene with its defaults filled in shows it too. */
static void fill_in(plu_reader *reader, config_setting_t *entry, const char *name, double *value,
                    double otherwise)
{
    if (!entry || config_setting_get_member(entry, name))
        return;
    config_setting_t *added = config_setting_add(entry, name, CONFIG_TYPE_FLOAT);
    if (!added || !config_setting_set_float(added, otherwise))
        reader->status = PLU_IO;
    *value = otherwise;
}

static void check_springs(plu_reader *reader, int law)
{
    plu_contact_law *l = &reader->scene->laws[law];
    config_setting_t *entry = entry_of(reader, law);
    if (!config_setting_get_member(entry, "normal_stiffness"))
        plu_complain(reader, plu_entry_place(reader, "contacts", law, NULL),
                     "contacts[%d].normal_stiffness is missing: method = \"penalty\" needs a "
                     "number > 0 (N/m)",
                     law);
    if (l->restitution != 0.0)
        plu_complain(reader, plu_entry_place(reader, "contacts", law, "restitution"),
                     "contacts[%d].restitution does not exist with method = \"penalty\"; give "
                     "normal_damping instead (0.3 is a restitution of 0.45)",
                     law);
    fill_in(reader, entry, "friction_dynamic", &l->friction_dynamic, l->friction);
    if (l->friction_dynamic > l->friction)
        plu_complain(reader, plu_entry_place(reader, "contacts", law, "friction_dynamic"),
                     "contacts[%d].friction_dynamic must be at most friction = %g (found %g)", law,
                     l->friction, l->friction_dynamic);
    fill_in(reader, entry, "normal_damping", &l->normal_damping, 0.3);
    fill_in(reader, entry, "tangential_stiffness", &l->tangential_stiffness,
            2.0 / 7.0 * l->normal_stiffness);
    fill_in(reader, entry, "tangential_damping", &l->tangential_damping, l->normal_damping);
    fill_in(reader, entry, "rolling_damping", &l->rolling_damping, l->tangential_damping);
}

static void method_settle(plu_reader *reader, const char *name, double *value, double fixed)
{
    config_setting_t *time = config_lookup(&reader->config, "time"), *added = NULL;
    *value = fixed;
    if (!time)
        return;
    (void)config_setting_remove(time, name);
    added = config_setting_add(time, name, CONFIG_TYPE_FLOAT);
    if (!added || !config_setting_set_float(added, fixed))
        reader->status = PLU_IO;
}

/* Bounces that begin with a landing. */
static void check_restitution(plu_reader *reader, int law)
{
    const plu_scene *scene = reader->scene;
    if (scene->laws[law].restitution_law != PLU_ENERGY)
        return;
    const plu_place at = plu_entry_place(reader, "contacts", law, "restitution_law");
    if (scene->method == PLU_PENALTY)
        plu_complain(reader, at,
                     "contacts[%d].restitution_law = \"energy\" needs method = \"nonsmooth\": "
                     "remove the key, or set the method",
                     law);
    else if (scene->forecast != PLU_TOUCH)
        plu_complain(reader, at,
                     "contacts[%d].restitution_law = \"energy\" needs time.forecast = \"touch\" "
                     "(found %g)",
                     law, scene->forecast);
}

/* Springs know no attraction, and none acts against pivoting. */
static void refuse_with_springs(plu_reader *reader, int law, const char *key, double value)
{
    if (value > 0.0)
        plu_complain(
            reader, plu_entry_place(reader, "contacts", law, key),
            "contacts[%d].%s needs method = \"nonsmooth\": remove the key, or set the method", law,
            key);
}

/* A range without an attraction has no effect. */
static void check_range(plu_reader *reader, int law)
{
    const plu_contact_law *l = &reader->scene->laws[law];
    if (l->cohesion_range > 0.0 && l->cohesion == 0.0)
        plu_complain(reader, plu_entry_place(reader, "contacts", law, "cohesion_range"),
                     "contacts[%d].cohesion_range has no effect, because `cohesion` is 0: give "
                     "both, or remove it",
                     law);
}

static void refuse_dump(plu_reader *reader, const char *why)
{
    if (reader->scene->output->dump != PLU_DUMP_NONE)
        plu_complain(
            reader,
            plu_setting_place(reader, config_lookup(&reader->config, "output.dump_problems")),
            "output.dump_problems: %s", why);
}

void plu_check_method(plu_reader *reader)
{
    plu_scene *scene = reader->scene;
    fill_in(reader, config_lookup(&reader->config, "solver"), "tolerance",
            &scene->solver->tolerance, scene->solver->criterion == PLU_VELOCITY ? 0.1 : 1e-2);
    const char *given = "";
    config_lookup_string(&reader->config, "method", &given);
    if (strcmp(given, scene->method == PLU_PENALTY ? "penalty" : "nonsmooth") != 0)
        return; /* an unknown method, which is reported */
    for (int law = 0; law < scene->laws_count; law++) {
        if (!config_setting_is_group(entry_of(reader, law)))
            continue; /* reported */
        check_range(reader, law);
        if (scene->method == PLU_PENALTY) {
            const plu_contact_law *l = &scene->laws[law];
            refuse_with_springs(reader, law, "cohesion", l->cohesion);
            refuse_with_springs(reader, law, "strength", l->strength);
            refuse_with_springs(reader, law, "pivoting_friction", l->pivoting_friction);
            check_springs(reader, law);
        } else {
            refuse_springs(reader, law);
        }
        check_restitution(reader, law);
    }
    bool pivots = false;
    for (int law = 0; law < scene->laws_count; law++)
        pivots |= scene->laws[law].pivoting_friction > 0.0;
    if (pivots && scene->method != PLU_PENALTY)
        refuse_dump(reader, "a contact law of the scene has pivoting friction, which no format of "
                            "contact problems supports");
    if (scene->method != PLU_PENALTY)
        return;
    refuse_dump(reader, "method = \"penalty\" has no contact problems");
    /* contacts where bodies touch, positions by the new velocity: semi-implicit Euler */
    method_settle(reader, "theta", &scene->theta, 1.0);
    method_settle(reader, "forecast", &scene->forecast, 0.0);
    scene->stabilization = PLU_NONE;
    config_setting_t *stabilization = config_lookup(&reader->config, "stabilization");
    if (stabilization)
        config_setting_set_string(stabilization, "none");
}
