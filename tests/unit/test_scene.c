/* What a scene means: values, defaults, includes, overrides, and the way back to text. */
#include "scene_files.h"

#include "pluvia/body.h"
#include "pluvia/cell.h"
#include "pluvia/feeder.h"
#include "pluvia/material.h"
#include "pluvia/outline.h"
#include "pluvia/solving.h"
#include "pluvia/tool/keys.h"
#include "pluvia/writing.h"
#include "shape/shape.h"
#include <sys/stat.h>

static char page[4096]; /* path of scenes/reference.md */

static const char rich[] =
    "title = \"All \\\"kinds\\\"\"; seed = 5000000000L; gravity = (0, 1.5, -9);\n"
    "stabilization = \"none\"; slop = 2e-3; allow_overlap = true;\n"
    "time: { step = 1e-4; end = 3; theta = 1; forecast = 0.25; until_rest = 1e-6; }\n"
    "materials = ({ name = \"a\"; density = 2500; }, { name = \"b\"; density = 1000.5; },\n"
    "             { name = \"w\"; });\n"
    "contacts = ({ between = [\"a\", \"b\"]; friction = 0; rolling_friction = 0.125; },\n"
    "            { between = [\"a\", \"a\"]; friction = 1; }, { between = (\"b\", \"b\"); friction "
    "= 2; },\n"
    "            { between = [\"w\", \"a\"]; friction = 3; }, { between = [\"w\", \"b\"]; friction "
    "= 4; });\n"
    "boundaries = ({ plane: { center = [0, 0, -1]; normal = [3, 0, 4]; }; material = \"w\"; },\n"
    "  { plate: { size = [1, 2]; normal = [0, 0, 5]; direction = [3, 4, 7]; }; material = \"w\"; "
    "},\n"
    "  { disc: { radius = 0.5; }; material = \"w\"; name = \"lid\"; },\n"
    "  { box: { lower = [-1, -2, -3]; upper = [1, 2, 3.5]; faces = [\"x-\", \"z+\"]; };\n"
    "    material = \"w\"; },\n"
    "  { cylinder: { radius = 2; height = 3; bottom = false; }; material = \"w\"; },\n"
    "  { plane: {}; material = \"w\"; });\n"
    "bodies = ({ position = [1, 2.5, 3]; radius = 0.1; material = \"a\"; velocity = [1, 0, 0];\n"
    "            angular_velocity = [0, 2, 0]; },\n"
    "  { lattice: { counts = [2, 3, 4]; spacing = 0.3; origin = [1, 1, 1]; jitter = 0.01; };\n"
    "    radius = [0.05, 0.1]; material = \"b\"; },\n"
    "  { packing: { count = 7; box = ([0, 0, 0], [1, 1, 1]); }; radius = 0.1; material = \"b\"; "
    "},\n"
    "  { packing: { count = 8; cylinder: { center = [0, 0, 1]; radius = 1; height = 2; }; };\n"
    "    radius = 0.1; material = \"b\"; },\n"
    "  { file: { path = \"balls.csv\"; }; material = \"a\"; });\n"
    "feeders = ({ pluviation: { count = 3; rate = 8; start = 1; height = 2; center = [1, 2];\n"
    "             footprint: { disc = 0.5; }; }; radius = 1e-2; material = \"a\"; });\n"
    "domain: { box = [[-9, -9, -9], [9, 9, 9]]; outside = \"keep\"; };\n"
    "solver: { name = \"x\"; local = \"y\"; criterion = \"natural-map\"; tolerance = 1e-9;\n"
    "  min_iterations = 6; max_iterations = 0x10; on_failure = \"stop\"; momentum = false;\n"
    "  anderson_after = 0; islands = false; };\n"
    "output: { interval = 0.1; quantities = [\"velocity\", \"force\"]; contacts = true;\n"
    "  precision = \"float32\"; compression = 0; };\n";

static void read_fine(const char *text)
{
    if (read_text(text) != PLU_OK) {
        fprintf(stderr, "%s\n", err.text);
        fail();
    }
    assert_int_equal(err.count, 0);
}

static void same3(const double *got, double x, double y, double z)
{
    assert_near(got[0], x, 0.0);
    assert_near(got[1], y, 0.0);
    assert_near(got[2], z, 0.0);
}

static void defaults(void **state)
{
    (void)state;
    read_fine("time: { step = 0.5; end = 1; };");
    assert_string_equal(scene.title, "");
    assert_int_equal(scene.seed, 1);
    same3(scene.gravity, 0.0, 0.0, -9.81);
    assert_int_equal(scene.stabilization, PLU_PROJECTION);
    assert_near(scene.slop, 1e-3, 0.0);
    assert_near(scene.theta, 0.5, 0.0);
    assert_near(scene.forecast, PLU_TOUCH, 0.0);
    assert_near(scene.until_rest, 0.0, 0.0);
    assert_false(scene.allow_overlap || scene.has_domain);
    assert_string_equal(scene.solver->name, "gs");
    assert_string_equal(scene.solver->local, "exact");
    assert_int_equal(scene.solver->criterion, PLU_VELOCITY);
    assert_near(scene.solver->tolerance, 0.1, 0.0);
    assert_int_equal(scene.solver->min_iterations, 5);
    assert_int_equal(scene.solver->max_iterations, 1000);
    assert_int_equal(scene.solver->anderson_after, 100);
    assert_int_equal(scene.solver->on_failure, PLU_WARN);
    assert_true(scene.solver->momentum && scene.solver->islands);
    assert_near(scene.output->interval, 0.01, 0.0);
    assert_int_equal(scene.output->quantities,
                     PLU_OUT_VELOCITY | PLU_OUT_ANGULAR_VELOCITY | PLU_OUT_ORIENTATION);
    assert_false(scene.output->contacts || scene.output->float32);
    assert_int_equal(scene.output->compression, 1);
    assert_int_equal(scene.materials_count + scene.laws_count + scene.boundaries_count +
                         scene.bodies_count + scene.feeders_count,
                     0);
}

static void read_rich(void)
{
    write_file("balls.csv", "x,y,z,radius\n0,0,0,1\n");
    read_fine(rich);
}

static void every_value(void **state)
{
    (void)state;
    read_rich();
    assert_string_equal(scene.title, "All \"kinds\"");
    assert_true(scene.seed == UINT64_C(5000000000));
    same3(scene.gravity, 0.0, 1.5, -9.0);
    assert_int_equal(scene.stabilization, PLU_NONE);
    assert_true(scene.allow_overlap && scene.has_domain);
    assert_near(scene.theta, 1.0, 0.0);
    assert_near(scene.materials[1].density, 1000.5, 0.0);
    assert_near(scene.materials[2].density, 0.0, 0.0);
    assert_int_equal(scene.laws[3].material[0], 2);
    assert_int_equal(scene.laws[3].material[1], 0);
    assert_near(scene.laws[0].rolling_friction, 0.125, 0.0);
    same3(scene.domain[1], 9.0, 9.0, 9.0);
    assert_int_equal(scene.outside, PLU_KEEP);
    assert_int_equal(scene.solver->criterion, PLU_NATURAL_MAP);
    assert_int_equal(scene.solver->max_iterations, 16);
    assert_int_equal(scene.solver->anderson_after, 0);
    assert_int_equal(scene.solver->on_failure, PLU_STOP);
    assert_int_equal(scene.output->quantities, PLU_OUT_VELOCITY | PLU_OUT_FORCE);
    assert_true(scene.output->float32 && scene.output->contacts);
    const plu_feeder_spec *feeder = &scene.feeders[0];
    assert_near(feeder->interval, 0.125, 0.0);
    assert_near(feeder->disc, 0.5, 0.0);
    assert_near(feeder->square, 0.0, 0.0);
    assert_near(feeder->center[1], 2.0, 0.0);
}

static void boundaries(void **state)
{
    (void)state;
    read_rich();
    const plu_boundary_spec *b = scene.boundaries;
    const plu_boundary_kind kinds[] = {PLU_PLANE, PLU_PLATE, PLU_DISC, PLU_BOX, PLU_CYLINDER};
    const int lines[] = {9, 10, 11, 12, 14, 15};
    const char *const names[] = {"plane-1", "plate-1", "lid", "box-1", "cylinder-1", "plane-2"};
    for (int i = 0; i < 6; i++) {
        assert_int_equal(b[i].kind, kinds[i % 5]);
        assert_string_equal(b[i].name, names[i]);
        assert_int_equal(b[i].material, 2);
        assert_int_equal(b[i].where.line, lines[i]);
    }
    assert_near(b[0].normal[0], 0.6, 1e-15);
    assert_near(b[0].normal[2], 0.8, 1e-15);
    same3(b[1].normal, 0.0, 0.0, 1.0);
    assert_near(b[1].direction[0], 0.6, 1e-15);
    assert_near(b[1].direction[1], 0.8, 1e-15);
    assert_near(b[1].direction[2], 0.0, 1e-15);
    assert_near(b[1].size[1], 2.0, 0.0);
    same3(b[3].box[1], 1.0, 2.0, 3.5);
    assert_int_equal(b[3].faces, PLU_FACE_XMIN | PLU_FACE_ZMAX);
    assert_false(b[4].bottom);
    same3(b[5].normal, 0.0, 0.0, 1.0);
}

/* Shapes with an axis, and spheres. */
static void curved_boundaries(void **state)
{
    (void)state;
    read_fine("time: { step = 1e-3; end = 1; };\n"
              "materials = ({ name = \"w\"; });\n"
              "boundaries = ({ cylinder: { radius = 1; height = 2; }; material = \"w\"; },\n"
              "  { cylinder: { axis = [0, 3, 4]; radius = 1; height = 2; }; material = \"w\"; },\n"
              "  { cone: { axis = [0, 0, -2]; radii = [1, 0]; height = 3; }; material = \"w\"; },\n"
              "  { sphere: { center = [1, 2, 3]; radius = 4; }; material = \"w\"; },\n"
              "  { sphere: { radius = 4; inside = true; }; material = \"w\"; });\n");
    const plu_boundary_spec *b = scene.boundaries;
    same3(b[0].axis, 0.0, 0.0, 1.0);
    assert_true(b[0].bottom);
    assert_near(b[1].axis[1], 0.6, 1e-15);
    assert_near(b[1].axis[2], 0.8, 1e-15);
    same3(b[2].axis, 0.0, 0.0, -1.0);
    assert_true(b[2].radii[0] == 1.0 && b[2].radii[1] == 0.0 && b[2].height == 3.0);
    assert_false(b[2].bottom);
    same3(b[3].center, 1.0, 2.0, 3.0);
    assert_true(b[3].radius == 4.0 && !b[3].inside && b[4].inside);
    assert_string_equal(b[4].name, "sphere-2");
    assert_string_equal(b[2].name, "cone-1");
}

static void bodies(void **state)
{
    (void)state;
    read_rich();
    const plu_body_spec *b = scene.bodies;
    const plu_body_kind kinds[] = {PLU_SPHERE, PLU_LATTICE, PLU_PACKING, PLU_PACKING, PLU_FILE};
    for (int i = 0; i < 5; i++)
        assert_int_equal(b[i].kind, kinds[i]);
    same3(b[0].position, 1.0, 2.5, 3.0);
    same3(b[0].angular_velocity, 0.0, 2.0, 0.0);
    assert_near(b[0].radius[0], 0.1, 0.0);
    assert_near(b[0].radius[1], 0.1, 0.0);
    assert_int_equal(b[1].counts[0] * 100 + b[1].counts[1] * 10 + b[1].counts[2], 234);
    assert_near(b[1].radius[0], 0.05, 0.0);
    assert_near(b[1].radius[1], 0.1, 0.0);
    assert_near(b[2].cylinder_radius, 0.0, 0.0);
    same3(b[2].box[1], 1.0, 1.0, 1.0);
    assert_near(b[3].cylinder_height, 2.0, 0.0);
    assert_near(b[4].radius[0], 0.0, 0.0);
    assert_string_equal(b[4].path, "balls.csv");
}

static void forget_places(plu_scene *s)
{
    s->step_where = s->output->position_error_where = (plu_where){0, 0};
    s->solver->name_where = s->solver->local_where = s->solver->fallback_where = (plu_where){0, 0};
    for (int i = 0; i < s->materials_count; i++)
        s->materials[i].where = (plu_where){0, 0};
    for (int i = 0; i < s->laws_count; i++)
        s->laws[i].where = (plu_where){0, 0};
    for (int i = 0; i < s->boundaries_count; i++)
        s->boundaries[i].where = (plu_where){0, 0};
    for (int i = 0; i < s->bodies_count; i++)
        s->bodies[i].where = (plu_where){0, 0};
    for (int i = 0; i < s->feeders_count; i++)
        s->feeders[i].where = (plu_where){0, 0};
}

/* The resolved text, read again, gives the same bytes in every field that comes from the scene. */
static void round_trip(void)
{
    plu_scene first;
    char *again = strdup(scene.resolved);
    forget_places(&scene);
    memcpy(&first, &scene, sizeof first);
    memset(&scene, 0, sizeof scene);
    read_fine(again);
    forget_places(&scene);
    assert_memory_equal(&first, &scene, offsetof(plu_scene, cell));
    assert_memory_equal(first.cell, scene.cell, sizeof *first.cell);
    assert_memory_equal(first.solver, scene.solver, sizeof *first.solver);
    assert_memory_equal(first.limits, scene.limits, sizeof *first.limits);
    assert_memory_equal(first.output, scene.output, sizeof *first.output);
#define SAME(array, count)                                                                         \
    assert_memory_equal(first.array, scene.array, sizeof *first.array *(size_t)scene.count)
    SAME(materials, materials_count);
    SAME(laws, laws_count);
    SAME(boundaries, boundaries_count);
    SAME(bodies, bodies_count);
    SAME(feeders, feeders_count);
    assert_string_equal(first.resolved, scene.resolved);
    plu_scene_free(&first);
    free(again);
}

static void round_trips(void **state)
{
    (void)state;
    read_fine("time: { step = 0.1; end = 1; };");
    round_trip();
    read_fine(right);
    round_trip();
    read_rich();
    round_trip();
    char text[200];
    const double numbers[] = {1.0 / 3.0, 5e-324, 1.7976931348623157e308, 1e22, 4e9, 0.1, 123456789};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(text, sizeof text, "time: { step = 1e-3; end = %.17e; }; title = \"\\x01\\\\\";",
                 numbers[i]);
        read_fine(text);
        assert_near(scene.end, numbers[i], 0.0);
        round_trip();
    }
}

static void includes(void **state)
{
    (void)state;
    char *text = replaced(right,
                          "materials = ( { name = \"grain\"; density = 1300.0; },\n"
                          "              { name = \"plate\"; } );\n",
                          "  @include \"part/materials.cfg\"  # shared\n");
    mkdir("part", 0700);
    write_file("part/materials.cfg", "materials = (\n@include \"two.cfg\"\n);");
    write_file("part/two.cfg", "\xef\xbb\xbf{ name = \"grain\"; density = 7.0; },\r\n"
                               "/* @include \"none.cfg\"\n@include \"none.cfg\" */\r\n"
                               "{ name = \"plate\"; }");
    write_file("part/unused.cfg", "");
    read_fine(text);
    char where[200];
    assert_int_equal(scene.files_count, 3);
    plu_scene_where(&scene, scene.materials[1].where, where, sizeof where);
    assert_string_equal(where, "part/two.cfg:4");
    plu_scene_where(&scene, scene.laws[0].where, where, sizeof where);
    assert_string_equal(where, "pile.cfg:4");
    assert_near(scene.materials[0].density, 7.0, 0.0);
    char *joined = strdup(scene.text); /* stands on its own, with nothing left to include */
    assert_null(strstr(joined, "\n  @include \"part"));
    assert_non_null(strstr(joined, "[\"grain\", \"grain\"]"));
    assert_int_equal(rename("part/materials.cfg", "part/gone.cfg"), 0);
    read_fine(joined);
    assert_near(scene.materials[0].density, 7.0, 0.0);
    free(joined);
    free(text);
}

/* Each kind of error has a size of its own at which a step counts as solved. */
static void tolerance_goes_with_the_criterion(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        plu_criterion criterion;
        double tolerance;
    } row[] = {{"", PLU_VELOCITY, 0.1},
               {"solver: {}; ", PLU_VELOCITY, 0.1},
               {"solver: { tolerance = 0.5; }; ", PLU_VELOCITY, 0.5},
               {"solver: { criterion = \"weight\"; }; ", PLU_WEIGHT, 1e-2},
               {"solver: { criterion = \"scaled\"; }; ", PLU_SCALED, 1e-2},
               {"solver: { criterion = \"natural-map\"; }; ", PLU_NATURAL_MAP, 1e-2},
               {"solver: { criterion = \"scaled\"; tolerance = 0.1; }; ", PLU_SCALED, 0.1}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[256], again[8192];
        snprintf(text, sizeof text, "time: { step = 0.5; end = 1; }; %s", row[i].text);
        read_fine(text);
        assert_int_equal(scene.solver->criterion, row[i].criterion);
        assert_near(scene.solver->tolerance, row[i].tolerance, 0.0);
        snprintf(again, sizeof again, "%s", scene.resolved);
        read_fine(again); /* defaults filled in: the same scene */
        assert_int_equal(scene.solver->criterion, row[i].criterion);
        assert_near(scene.solver->tolerance, row[i].tolerance, 0.0);
        assert_near(scene.forecast, PLU_TOUCH, 0.0);
    }
}

/* What a run may go on with: the same scene, but for how long it takes and the like. */
static void comparisons(void **state)
{
    (void)state;
    static const char begun[] = "time: { step = 0.5; end = 1; }; title = \"t\"; ";
    static const char domain[] = "domain: { box = [[-1, -1, -1], [1, 1, 1]]; }; ";
    static const char grain[] = "materials = ({ name = \"a\"; density = 1000; }); ";
    static const struct {
        const char *before, *now;
        bool allowed;
        const char *said;
    } row[] = {
        {"", "", true, ""},
        {"", domain, false, "domain was absent when the run began"},
        {domain, "", false, "domain was a group when the run began and is absent now"},
        {"slop = 1e-3; ", "slop = 2e-3; ", false, "slop was 0.001 when the run began and is 0.002"},
        {"", grain, false, "materials"},
        {"solver: { max_iterations = 7; }; ", "solver: { max_iterations = 8; }; ", true, ""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[512], changes[256];
        snprintf(text, sizeof text, "%s%s", begun, row[i].before);
        read_fine(text);
        char *before = strdup(scene.resolved);
        snprintf(text, sizeof text, "%s%s", begun, row[i].now);
        read_fine(text);
        const plu_status status =
            plu_scene_compare(before, scene.resolved, changes, sizeof changes, &err);
        assert_int_equal(status, row[i].allowed ? PLU_OK : PLU_BAD_INPUT);
        if (!row[i].allowed && !strstr(err.text, row[i].said))
            fail_msg("\"%s\" does not say \"%s\"", err.text, row[i].said);
        free(before);
    }
}

/* Springs take what is not given from what is; landings and their settings are not theirs. */
static void springs(void **state)
{
    (void)state;
    static const char *const text =
        "time: { step = 1e-5; end = 1; }; method = \"penalty\";\n"
        "materials = ({ name = \"a\"; density = 1000; });\n"
        "contacts = ({ between = [\"a\", \"a\"]; friction = 0.5; normal_stiffness = 7e4; %s});\n";
    static const struct {
        const char *given;
        double mu_d, kt, cn, ct, cr;
    } row[] = {
        {"", 0.5, 2e4, 0.3, 0.3, 0.3},
        {"friction_dynamic = 0.25; normal_damping = 0.125; ", 0.25, 2e4, 0.125, 0.125, 0.125},
        {"tangential_stiffness = 1e4; tangential_damping = 0.0; ", 0.5, 1e4, 0.3, 0.0, 0.0},
        {"tangential_damping = 0.75; rolling_damping = 0.5; ", 0.5, 2e4, 0.3, 0.75, 0.5}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char scene_text[512];
        snprintf(scene_text, sizeof scene_text, text, row[i].given);
        read_fine(scene_text);
        const plu_contact_law *law = &scene.laws[0];
        assert_near(law->friction_dynamic, row[i].mu_d, 0.0);
        assert_near(law->tangential_stiffness, row[i].kt, 1e-11);
        assert_near(law->normal_damping, row[i].cn, 0.0);
        assert_near(law->tangential_damping, row[i].ct, 0.0);
        assert_near(law->rolling_damping, row[i].cr, 0.0);
        assert_near(scene.theta, 1.0, 0.0);
        assert_near(scene.forecast, 0.0, 0.0);
        assert_int_equal(scene.stabilization, PLU_NONE);
    }
}

static void overrides(void **state)
{
    (void)state;
    static const char *const list[] = {"time.end=2.5",
                                       "contacts.0.friction=0.25",
                                       "contacts.*.rolling_friction = 1e-3",
                                       "solver.criterion=natural-map",
                                       "title=a = b",
                                       "gravity=[0,0,-1.5]",
                                       "output.contacts=true",
                                       "feeders[0].pluviation.footprint.square=4",
                                       "bodies.0.velocity=(1,2,3)",
                                       "boundaries=( { plane: {}; material = \"plate\"; } )",
                                       "time.end=4"};
    const int count = sizeof list / sizeof *list;
    write_file("pile.cfg", right);
    assert_int_equal(read_file("pile.cfg", list, count), PLU_OK);
    assert_near(scene.end, 4.0, 0.0); /* the last one holds */
    assert_near(scene.laws[0].friction, 0.25, 0.0);
    assert_near(scene.laws[1].friction, 0.2, 0.0);
    assert_near(scene.laws[0].rolling_friction, 1e-3, 0.0);
    assert_near(scene.laws[1].rolling_friction, 1e-3, 0.0);
    assert_int_equal(scene.solver->criterion, PLU_NATURAL_MAP);
    assert_near(scene.solver->tolerance, 1e-4, 0.0);
    assert_string_equal(scene.title, "a = b");
    same3(scene.gravity, 0.0, 0.0, -1.5);
    assert_true(scene.output->contacts);
    assert_near(scene.feeders[0].square, 4.0, 0.0);
    same3(scene.bodies[0].velocity, 1.0, 2.0, 3.0);
    assert_int_equal(scene.boundaries[0].kind, PLU_PLANE);
    assert_int_equal(scene.overrides_count, count);
    assert_string_equal(scene.overrides[0], "time.end=2.5");
    char where[200];
    plu_scene_where(&scene, scene.boundaries[0].where, where, sizeof where);
    assert_memory_equal(where, "-s boundaries=", 14);
    round_trip();
}

static char *printed(const char *key, plu_status *status)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    memset(&err, 0, sizeof err);
    *status = PLU_OK;
    if (key)
        *status = plu_scene_help(key, out, &err);
    else
        plu_scene_reference(out);
    fclose(out);
    return text;
}

static void help_has(const char *key, const char *part)
{
    plu_status status;
    char *text = printed(key, &status);
    assert_int_equal(status, PLU_OK);
    assert_non_null(strstr(text, part));
    free(text);
}

static void help(void **state)
{
    (void)state;
    help_has("time.step", "a number > 0 or \"auto\" (s); default \"auto\"");
    help_has("contacts[0].restitution", "from 0 to 1");
    help_has("contacts.*.restitution", "default 0.0");
    help_has("time", "until_rest");
    help_has("boundaries.plate", "direction");
    for (int kind = 0; kind < PLU_BOUNDARY_KINDS; kind++) {
        char key[64];
        const char *name = plu_shape_of((plu_boundary_kind)kind)->name;
        snprintf(key, sizeof key, "boundaries.%s", name);
        help_has(key, name);
        help_has("boundaries", name);
    }
    help_has("scene", "gravity");
    plu_status status;
    free(printed("time.stp", &status));
    assert_int_equal(status, PLU_USAGE);
    expect("\"time.step\"");
    free(printed("restituton", &status));
    expect("\"contacts.restitution\"");
    free(printed("qqqqqqqqqqqq", &status));
    assert_int_equal(status, PLU_USAGE);
}

/* scenes/reference.md holds what the table says now (`pluvia help --reference` prints it). */
static void reference(void **state)
{
    (void)state;
    plu_status status;
    char *table = printed(NULL, &status);
    FILE *file = fopen(page, "rb");
    assert_non_null(file);
    static char text[200000];
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    static const char begin[] = "<!-- reference: begin -->\n";
    char *start = strstr(text, begin), *end = strstr(text, "<!-- reference: end -->");
    assert_true(start && end);
    *end = '\0';
    assert_string_equal(start + strlen(begin), table);
    free(table);
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),   cmocka_unit_test(every_value),
        cmocka_unit_test(boundaries), cmocka_unit_test(curved_boundaries),
        cmocka_unit_test(bodies),     cmocka_unit_test(round_trips),
        cmocka_unit_test(includes),   cmocka_unit_test(tolerance_goes_with_the_criterion),
        cmocka_unit_test(springs),    cmocka_unit_test(comparisons),
        cmocka_unit_test(overrides),  cmocka_unit_test(help),
        cmocka_unit_test(reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    char path[sizeof page];
    const char *slash = strrchr(__FILE__, '/');
    snprintf(path, sizeof path, "%.*s../../scenes/reference.md",
             slash ? (int)(slash - __FILE__) + 1 : 0, __FILE__);
    char *whole = realpath(path, NULL);
    snprintf(page, sizeof page, "%s", whole ? whole : path);
    free(whole);
    return run_in_folder(run);
}
