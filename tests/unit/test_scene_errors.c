/* What is wrong in a scene is said in one sentence, with the place. */
#include "scene_files.h"

#include "pluvia/material.h"
#include <sys/stat.h>

/* libconfig 1.5 loses the text of a string when a syntax error follows it; not ours to free. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig.so";
}

/* A change of the scene that is right, and the message that it must give. */
typedef struct mistake {
    const char *find, *by, *message;
} mistake;

static const mistake mistakes[] = {
    /* numbers */
    {"step = 1e-3", "step = 0", "pile.cfg:2: time.step must be > 0 or \"auto\" (s) (found 0)"},
    {"step = 1e-3", "step = -1e-3",
     "pile.cfg:2: time.step must be > 0 or \"auto\" (s) (found -0.001)"},
    {"step = 1e-3", "step = nan", "pile.cfg:2: nan is not a number"},
    {"step = 1e-3", "step = -inf", "pile.cfg:2: -inf is not a number"},
    {"step = 1e-3", "step = 1e999", "pile.cfg:2: the number 1e999 is too large"},
    {"step = 1e-3", "step = .", "pile.cfg:2: . is not a number"},
    {"step = 1e-3", "step = 1ms", "pile.cfg:2: 1ms is not a number"},
    {"step = 1e-3", "step = \"a\"",
     "pile.cfg:2: time.step must be a number > 0 or \"auto\" (s) (found \"a\")"},
    {"end = 2.0;", "", "pile.cfg:2: time.end is missing: a number > 0 (s)"},
    {"end = 2.0", "end = 2.0; theta = 0.4", "time.theta must be from 0.5 to 1 (found 0.4)"},
    {"end = 2.0", "end = 2.0; theta = 1.01", "time.theta must be from 0.5 to 1 (found 1.01)"},
    {"end = 2.0", "end = 2.0; forecast = \"look\"",
     "time.forecast must be a number from 0 to 1 or \"touch\" (found \"look\")"},
    {"end = 2.0", "end = 2.0; forecast = 1.5",
     "time.forecast must be from 0 to 1 or \"touch\" (found 1.5)"},
    {"end = 2.0", "end = 2.0; forecast = -1",
     "time.forecast must be from 0 to 1 or \"touch\" (found -1)"},
    {"end = 2.0", "end = 2.0; forecast = true", "time.forecast must be a number from 0 to 1 or"},
    {"end = 2.0", "end = 2.0; forecast = \"touch\"", ""},
    {"tolerance = 1e-4", "tolerance = 0", "solver.tolerance must be > 0 (found 0)"},
    {"density = 1300.0", "density = -1.5", "pile.cfg:3: materials[0].density must be > 0"},
    {"density = 1300.0", "density = NaN", "pile.cfg:3: NaN is not a number"},
    {"friction = 0.3", "friction = -0.3",
     "pile.cfg:5: contacts[0].friction must be >= 0 (found -0.3)"},
    {"restitution = 0.5", "restitution = 1.1",
     "pile.cfg:6: contacts[1].restitution must be from 0 to 1"},
    {"restitution = 0.5", "restitution = -0.1",
     "pile.cfg:6: contacts[1].restitution must be from 0"},
    {"radius = 0.01", "radius = 0", "pile.cfg:8: bodies[0].radius must be > 0 (m) (found 0)"},
    {"radius = 0.01", "radius = nan", "pile.cfg:8: nan is not a number"},
    {"radius = 0.01", "radius = [2, 1]", "pile.cfg:8: bodies[0].radius: the smallest radius"},
    {"radius = 0.01", "radius = [-2, 1]", "pile.cfg:8: bodies[0].radius must be"},
    {"count = 25", "count = 3000000000", "pile.cfg:9: the integer 3000000000 is too large"},
    {"count = 25", "count = -2147483649", "pile.cfg:9: the integer -2147483649 is too large"},
    {"count = 25", "count = 0xFFFFFFFF", "pile.cfg:9: the integer 0xFFFFFFFF is too large"},
    {"count = 25", "count = 9999999999999999999L", "pile.cfg:9: the integer 9999999999999999999L"},
    {"count = 25", "count = 3000000000L", "pile.cfg:9: feeders[0].pluviation.count must be >= 1"},
    {"count = 25", "count = 2.5", "pluviation.count must be an integer >= 1 (found 2.5)"},
    {"tolerance = 1e-4", "min_iterations = 3000",
     "pile.cfg:13: solver.max_iterations must be >= solver.min_iterations = 3000 (found 1000)"},
    {"title", "seed = -1; title", "pile.cfg:1: seed must be >= 0 (found -1)"},
    {"title", "gravity = [0, 0, 0]; title", ""},
    {"step", "until_rest = 1; step", ""},
    {"solver:", "gravity = [0, 0]; solver:",
     "gravity must be 3 numbers [x, y, z] from -1e+06 to 1e+06 (m/s^2)"},
    /* methods */
    {"title", "method = \"smooth\"; title",
     "pile.cfg:1: method must be \"nonsmooth\" or \"penalty\" (found \"smooth\")"},
    {"title", "method = \"penalty\"; title", "pile.cfg:5: contacts[0].normal_stiffness is missing"},
    {"title", "method = \"penalty\"; title",
     "pile.cfg:6: contacts[1].restitution does not exist with method"},
    {"restitution = 0.5", "restitution_law = \"energy\"; restitution = 0.5", ""},
    {"restitution = 0.5", "restitution_law = \"energy\"; restitution = 0.0", ""},
    {"restitution = 0.5", "restitution_law = \"poisson\"; restitution = 0.5",
     "pile.cfg:6: contacts[1].restitution_law must be \"newton\" or \"energy\" (found "
     "\"poisson\")"},
    {"friction = 0.3", "friction = 0.3; rolling_damping = 0.5",
     "pile.cfg:5: contacts[0].rolling_damping needs method = \"penalty\""},
    {"friction = 0.2", "friction_dynamic = 0.2; friction = 0.2",
     "pile.cfg:6: contacts[1].friction_dynamic needs method"},
    {"friction = 0.3", "friction = 0.3; normal_stiffness = 0",
     "pile.cfg:5: contacts[0].normal_stiffness must be > 0 (N/m) (found 0)"},
    {"friction = 0.3", "friction = 0.3; normal_damping = 1.5",
     "pile.cfg:5: contacts[0].normal_damping must be from 0 to 1 (found 1.5)"},
    /* structure */
    {"time:", "tim:", "pile.cfg:2: unknown key \"tim\"; did you mean \"time\"?"},
    {"friction = 0.3", "frictoin = 0.3",
     "pile.cfg:5: unknown key \"frictoin\" in contacts[0]; did you mean \"friction\"?"},
    {"friction = 0.3", "mu = 0.3", "known keys: between friction"},
    {"title", "step = 1; title", "pile.cfg:1: unknown key \"step\"; there is a key \"time.step\""},
    {"time: { step = 1e-3; end = 2.0; }", "time = 3", "pile.cfg:2: time must be a group"},
    {"bodies = (", "bodies = ( 3,", "pile.cfg:8: bodies[0] must be a group { ... } (found 3)"},
    {"domain: {", "domain: { outside = \"kepe\";",
     "must be \"remove\" or \"keep\" (found \"kepe\")"},
    {"domain: {", "domain: { box = 1;", "pile.cfg:12: a key of this line is given twice"},
    {"[1, 1.5, 1]", "[1, -1.5, 1]", "pile.cfg:12: domain.box: each coordinate of the lower corner"},
    {"[1, 1.5, 1]", "[1, 1]", "pile.cfg:12: domain.box must be two corners"},
    {"position", "lattice: { counts = [1, 1, 0]; spacing = 1; }; position",
     "pile.cfg:8: bodies[0] needs exactly one of position, lattice, packing, file, run, reserve "
     "(found"},
    {"position = [0, 0, 0.5];", "", "pile.cfg:8: bodies[0] needs exactly one of position"},
    {"position = [0, 0, 0.5]", "lattice: { counts = [1, 1, 0]; spacing = 1; }",
     "bodies[0].lattice.counts must be 3 integers [nx, ny, nz] >= 1 (found 0)"},
    {"position = [0, 0, 0.5]", "lattice: { counts = [9999, 9999, 9999]; spacing = 1; }",
     "bodies[0]: more than 2147483647 spheres"},
    {"position = [0, 0, 0.5]", "packing: { count = 2; }", "needs exactly one of box, cylinder"},
    {"position = [0, 0, 0.5]", "run: { }", "bodies[0].run.path is missing"},
    {"position = [0, 0, 0.5]", "run: { path = \"a.h5md\"; }",
     "pile.cfg:8: bodies[0].material: the spheres keep their materials of the run; remove this "
     "key"},
    {"position = [0, 0, 0.5]", "run: { path = \"a.h5md\"; keep = [\"spin\"]; }",
     "pile.cfg:8: bodies[0].radius: spheres of a run keep their radii; remove this key"},
    {"position = [0, 0, 0.5]", "run: { path = \"a.h5md\"; keep = [\"mass\"]; }",
     "bodies[0].run.keep must be a list of \"velocity\", \"spin\", \"impulses\", \"material\", "
     "\"cell\" or \"boundaries\""},
    {"position = [0, 0, 0.5]", "run: { path = \"a.h5md\"; at = -1; }",
     "pile.cfg:8: bodies[0].run.at must be >= 0 or \"end\" (s) (found -1)"},
    {"interval = 0.06", "rate = 1; interval = 1", "pluviation needs exactly one of interval, rate"},
    {"square = 0.02;", "", "pile.cfg:10: feeders[0].pluviation.footprint needs exactly one of"},
    {"radius = 0.01;", "", "pile.cfg:8: bodies[0].radius is missing: a number or"},
    /* geometry */
    {"normal = [0, 0, 2]", "normal = [0, 0, 0.0]",
     "pile.cfg:7: boundaries[0].plate.normal has length 0"},
    {"normal = [0, 0, 2]", "direction = [0, 0, 1]", "boundaries[0].plate.direction is parallel"},
    {"normal = [0, 0, 2]", "direction = [0, 0, 0]", "boundaries[0].plate.direction has length 0"},
    {"plate: { size = [1.2, 1]; normal = [0, 0, 2]; }",
     "box: { lower = [0, 0, 0]; upper = [1, -1, 1]; }",
     "boundaries[0].box: y of upper must be above y of lower (found -1 and 0)"},
    {"plate: { size = [1.2, 1]; normal = [0, 0, 2]; }",
     "box: { lower = [0, 0, 0]; upper = [1, 1, 1]; faces = []; }",
     "boundaries[0].box.faces must be"},
    {"plate: { size = [1.2, 1]; normal = [0, 0, 2]; }", "cone: { radii = [0, 0]; height = 1; }",
     "pile.cfg:7: boundaries[0].cone.radii are both 0"},
    {"plate: { size = [1.2, 1]; normal = [0, 0, 2]; }",
     "cone: { radii = [0, 1]; height = 1; axis = [0, 0, 0]; }",
     "boundaries[0].cone.axis has length 0"},
    {"plate: { size = [1.2, 1]; normal = [0, 0, 2]; }",
     "cylinder: { radius = 1; height = 1; axis = [0, 0, 0]; }",
     "boundaries[0].cylinder.axis has length 0"},
    {"plate: { size = [1.2, 1]; normal = [0, 0, 2]; }", "sphere: { radius = 0; }",
     "boundaries[0].sphere.radius must be > 0 (m)"},
    /* names */
    {"name = \"plate\"", "name = \"grain\"",
     "pile.cfg:4: materials[1].name: the name \"grain\" is already used by"},
    {"name = \"plate\"", "name = \"\"", "pile.cfg:4: materials[1].name must be text"},
    {"[\"grain\", \"plate\"]", "[\"grain\", \"glass\"]",
     "pile.cfg:6: contacts[1].between: unknown material \"glass\""},
    {"[\"grain\", \"plate\"]", "[\"grain\", \"grain\"]",
     "pile.cfg:6: contacts[1]: the law between \"grain\" and \"grain\" is already given by"},
    {"friction = 0.3; }", "friction = 0.3; }, { between = [\"plate\", \"grain\"]; friction = 1; }",
     "pile.cfg:6: contacts[2]: the law between \"grain\" and \"plate\" is already given by"},
    {"material = \"plate\"", "material = \"glass\"",
     "pile.cfg:7: boundaries[0].material: unknown material \"glass\" (known: \"grain\", "
     "\"plate\")"},
    {"material = \"grain\"; radius = 0.01; } );\nf", "material = \"plate\"; radius = 0.01; } );\nf",
     "pile.cfg:8: bodies[0].material: the material \"plate\" needs a density"},
    {"{ between = [\"grain\", \"grain\"]; friction = 0.3; },\n", "",
     "pile.cfg:7: no contact law between \"grain\" and \"grain\", but spheres of bodies[0] can "
     "meet "
     "each other: add { between = [\"grain\", \"grain\"]; friction = ...; } to contacts"},
    {",\n             { between = [\"grain\", \"plate\"]; friction = 0.2; restitution = 0.5; }", "",
     "pile.cfg:7: no contact law between \"grain\" and \"plate\", but spheres of bodies[0] can "
     "meet "
     "boundaries[0]"},
    {"material = \"plate\"; }",
     "material = \"plate\"; name = \"p\"; }, { plane: {}; name = \"p\"; "
     "material = \"plate\"; }",
     "boundaries[1].name: the name \"p\" is already used by boundaries[0]"},
    {"position = [0, 0, 0.5]", "file: { path = \"none.csv\"; }",
     "pile.cfg:8: bodies[0].file.path: none.csv: no such file"},
    {"position = [0, 0, 0.5]", "file: { path = \".\"; }", "bodies[0].file.path: . is a directory"},
    /* syntax */
    {"step = 1e-3", "step 1e-3", "pile.cfg:2: syntax error at or before \"time: {"},
    {"title =", "title", "pile.cfg:1: a text stands where no value is expected: is a \"=\" or"},
    {"step = 1e-3", "step = ", "pile.cfg:2: syntax error"},
    {"end = 2.0; };", "end = 2.0;", "pile.cfg:2: \"{\" is never closed"},
    {"end = 2.0; };", "end = 2.0; } };", "pile.cfg:2: \"}\" closes no bracket"},
    {"[1, 1.5, 1]", "[1, 1.5, 1)", "pile.cfg:12: \")\" cannot close the \"[\" of pile.cfg:12"},
    {"\"Pile\"", "\"Pile", "pile.cfg:1: this text has no closing double quote"},
    {"solver:", "/* solver:", "pile.cfg:13: this comment has no closing */"},
    {"\"Pile\"", "Pile", "pile.cfg:1: Pile is not a value: text needs double quotes, \"Pile\""},
    {"solver:", "$solver:", "pile.cfg:13: \"$\" has no meaning in a scene"},
    {"solver:", "\xc3\xa9 = 1; solver:", "pile.cfg:13: unexpected byte 0xc3 outside of text"},
    /* includes */
    {"title", "@include \"none.cfg\"\ntitle", "pile.cfg:1: none.cfg: no such file"},
    {"title", "@include \"pile.cfg\"\ntitle", "pile.cfg:1: pile.cfg includes itself"},
    {"title", "@include \".\"\ntitle", "pile.cfg:1: .: is a directory, not a scene file"},
    {"title", "@include none.cfg\ntitle", "pile.cfg:1: \"@\": an include needs a line"},
};

static void single_mistakes(void **state)
{
    (void)state;
    assert_int_equal(read_text(right), PLU_OK);
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char *text = replaced(right, mistakes[i].find, mistakes[i].by);
        const plu_status status = read_text(text);
        free(text);
        if (!*mistakes[i].message) { /* allowed on its own */
            assert_int_equal(status, PLU_OK);
            continue;
        }
        if (status != PLU_BAD_INPUT)
            fprintf(stderr, "no error for: %s\n", mistakes[i].by);
        assert_int_equal(status, PLU_BAD_INPUT);
        expect(mistakes[i].message);
        assert_null(scene.text); /* the scene is empty */
        assert_int_equal(scene.bodies_count, 0);
    }
}

static void bounces_with_energy(void **state)
{
    (void)state;
    char *law =
        replaced(right, "restitution = 0.5", "restitution = 0.5; restitution_law = \"energy\"");
    char *number = replaced(law, "end = 2.0", "end = 2.0; forecast = 0.5");
    char *penalty = replaced(law, "title", "method = \"penalty\"; title");
    assert_int_equal(read_text(number), PLU_BAD_INPUT);
    expect("pile.cfg:6: contacts[1].restitution_law = \"energy\" needs time.forecast = \"touch\" "
           "(found 0.5)");
    assert_int_equal(read_text(penalty), PLU_BAD_INPUT);
    expect("pile.cfg:6: contacts[1].restitution_law = \"energy\" needs method = \"nonsmooth\"");
    free(law);
    free(number);
    free(penalty);
}

/* Neither springs nor files of contact problems know pivoting friction. */
static void pivoting(void **state)
{
    (void)state;
    char *law = replaced(right, "restitution = 0.5", "restitution = 0; pivoting_friction = 1e-4");
    char *penalty = replaced(law, "title", "method = \"penalty\"; title");
    char *dump = replaced(law, "title", "output: { dump_problems = \"unconverged\"; }; title");
    char *below = replaced(law, "= 1e-4", "= -1e-4");
    assert_int_equal(read_text(law), PLU_OK);
    assert_near(scene.laws[1].pivoting_friction, 1e-4, 0.0);
    plu_scene_free(&scene);
    assert_int_equal(read_text(penalty), PLU_BAD_INPUT);
    expect("pile.cfg:6: contacts[1].pivoting_friction needs method = \"nonsmooth\"");
    assert_int_equal(read_text(dump), PLU_BAD_INPUT);
    expect("output.dump_problems: a contact law of the scene has pivoting friction");
    assert_int_equal(read_text(below), PLU_BAD_INPUT);
    expect("contacts[1].pivoting_friction must be");
    free(law);
    free(penalty);
    free(dump);
    free(below);
}

static void all_in_one_go(void **state)
{
    (void)state;
    assert_int_equal(read_text("tim: { step = 1; };\n"
                               "title = 3;\n"
                               "time: { step = -1; end = 0; };\n"
                               "gravity = [0, 0, 0];\n"
                               "materials = ( { name = \"a\"; density = true; } );\n"
                               "bodies = ( { material = \"b\"; position = [0, 0]; } );\n"),
                     PLU_BAD_INPUT);
    assert_string_equal(
        err.text,
        "pile.cfg:1: unknown key \"tim\"; did you mean \"time\"?\n"
        "pile.cfg:2: title must be text in double quotes (found 3)\n"
        "pile.cfg:3: time.step must be > 0 or \"auto\" (s) (found -1)\n"
        "pile.cfg:3: time.end must be > 0 (s) (found 0)\n"
        "pile.cfg:5: materials[0].density must be a number > 0 (kg/m^3) (found true)\n"
        "pile.cfg:6: bodies[0].position must be 3 numbers [x, y, z] (m) (found a list of 2 "
        "values)\n"
        "pile.cfg:6: bodies[0].radius is missing: a number or [smallest, largest] > 0 (m), or a "
        "group { ... }\n"
        "pile.cfg:6: bodies[0].material: unknown material \"b\" (known: \"a\")");
    assert_int_equal(err.count, 8);
    /* two names that are missing are not one name */
    assert_int_equal(read_text("time: { step = 1; end = 2; };\n"
                               "materials = ( { } );\n"
                               "bodies = ( { position = [0, 0, 0]; radius = 1; } );\n"),
                     PLU_BAD_INPUT);
    expect("pile.cfg:2: materials[0].name is missing: text in double quotes, not empty\n"
           "pile.cfg:3: bodies[0].material is missing: text in double quotes, not empty");
    assert_int_equal(read_text("time: { step = 1; end = 2; until_rest = 1e-3; };\n"
                               "gravity = [0, 0, 0];\n"),
                     PLU_BAD_INPUT);
    expect("pile.cfg:1: time.until_rest needs gravity, because it compares energies with m g d");
}

static void one_sphere_never_meets_itself(void **state)
{
    (void)state;
    static const char text[] =
        "time: { step = 1; end = 2; };\nmaterials = ( { name = \"a\"; density = 1; } );\n"
        "bodies = ( { material = \"a\"; position = [0, 0, 0]; radius = 1; } );\n";
    assert_int_equal(read_text(text), PLU_OK);
    char *wall =
        replaced(text, "bodies", "boundaries = ( { plane: {}; material = \"a\"; } );\nbodies");
    assert_int_equal(read_text(wall), PLU_BAD_INPUT);
    expect("pile.cfg:4: no contact law between \"a\" and \"a\", but spheres of bodies[0] can meet "
           "boundaries[0]");
    free(wall);
}

static void wrong_files(void **state)
{
    (void)state;
    assert_int_equal(read_file("none.cfg", NULL, 0), PLU_IO);
    assert_string_equal(err.text, "none.cfg: no such file");
    assert_int_equal(read_file(".", NULL, 0), PLU_BAD_INPUT);
    assert_string_equal(err.text, ".: is a directory, not a scene file");
    assert_int_equal(read_text(""), PLU_BAD_INPUT);
    expect("pile.cfg:1: time.end is missing");
    write_bytes("pile.cfg", "a = 1;\nb\0c", 10);
    assert_int_equal(read_file("pile.cfg", NULL, 0), PLU_BAD_INPUT);
    expect("pile.cfg:2: the file contains a zero byte");
    FILE *file = fopen("huge.cfg", "wb");
    assert_int_equal(ftruncate(fileno(file), 100 << 20), 0);
    fclose(file);
    assert_int_equal(read_file("huge.cfg", NULL, 0), PLU_BAD_INPUT);
    assert_string_equal(err.text, "huge.cfg: the scene is larger than 64 MiB");
}

static void wrong_includes(void **state)
{
    (void)state;
    write_file("one.cfg", "title = \"x\";\n@include \"two.cfg\"\n");
    write_file("two.cfg", "\n\n@include \"one.cfg\"\nseed = -1;\n");
    assert_int_equal(read_file("one.cfg", NULL, 0), PLU_BAD_INPUT);
    assert_string_equal(err.text, "two.cfg:3: one.cfg includes itself");
    write_file("two.cfg", "\nseed = -1;\n");
    assert_int_equal(read_file("one.cfg", NULL, 0), PLU_BAD_INPUT);
    expect("two.cfg:2: seed must be >= 0 (found -1)");
    write_file("two.cfg", "\nseed 1;");
    assert_int_equal(read_file("one.cfg", NULL, 0), PLU_BAD_INPUT);
    expect("two.cfg:2: syntax error");
    for (int i = 0; i < 12; i++) {
        char name[32], text[64];
        snprintf(name, sizeof name, "deep%d.cfg", i);
        snprintf(text, sizeof text, "@include \"deep%d.cfg\"\n", i + 1);
        write_file(name, text);
    }
    assert_int_equal(read_file("deep0.cfg", NULL, 0), PLU_BAD_INPUT);
    assert_string_equal(err.text, "deep10.cfg:1: includes are nested more than 10 deep");
}

static void wrong_overrides(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"time.stp=1", "-s time.stp=1: unknown key \"stp\" in time; did you mean \"step\"?"},
        {"time.step", "an override has the form KEY=VALUE"},
        {"=3", "-s =3: "},
        {"", "an override has the form KEY=VALUE"},
        {"time.step=", "-s time.step=: "},
        {"time.step=-1", "-s time.step=-1: time.step must be > 0 or \"auto\" (s) (found -1)"},
        {"time.step=nan",
         "-s time.step=nan: time.step must be a number > 0 or \"auto\" (s) (found \"nan\")"},
        {"time.step=1; end = 3", "\"1; end = 3\" is not a value"},
        {"seed=3000000000", "-s seed=3000000000: the integer 3000000000 is too large"},
        {"contacts.7.friction=1", "contacts has no entry 7: it has 2 entries, counted from 0"},
        {"contacts.friction=1", "contacts is a list: write contacts.0.KEY"},
        {"contacts.*.friction=-1", "-s contacts.*.friction=-1: contacts[1].friction must be >= 0"},
        {"gravity.3=0", "unknown key \"3\" in gravity; it is a single value"},
        {"domain.box=[[0,0,0],[1,1", "-s domain.box=[[0,0,0],[1,1: \"[\" is never closed"},
        {"boundaries.0.disc.radius=1", "boundaries[0] needs exactly one of"},
        {"solver={}}", "\"}\" closes no bracket"},
        {"gravity=@include \"x\"", "an include needs a line of its own"},
        {"bodies.99999999999999999999.radius=1", "bodies has no entry"},
        {"solver.criterion....=sharp",
         "must be \"velocity\", \"weight\", \"scaled\" or \"natural-map\""},
        {"limits.on_limit=explode", "limits.on_limit must be \"warn\" or \"stop\""},
        {"contacts.0=5", "-s contacts.0=5: contacts[0] must be a group"},
    };
    write_file("pile.cfg", right);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_int_equal(read_file("pile.cfg", &pairs[i][0], 1), PLU_BAD_INPUT);
        expect(pairs[i][1]);
    }
}

/* Whatever stands in the file: a status and, where it is not PLU_OK, a sentence. */
static void damaged(void **state)
{
    (void)state;
    static const char letters[] = "{}[]()=;:,\"\\/*#@.-+019eLnx \n\r\xff";
    const size_t length = strlen(right);
    char text[sizeof right];
    unsigned random = 12345;
    int refused = 0;
    for (int round = 0; round < 4000; round++) {
        memcpy(text, right, sizeof right);
        size_t size = length;
        for (int change = 0; change <= round % 3; change++) {
            random = random * 1664525u + 1013904223u;
            const size_t at = (random >> 8) % length;
            random = random * 1664525u + 1013904223u;
            text[at] = letters[(random >> 8) % (sizeof letters - 1)];
        }
        if (round % 4 == 0)
            size = (random >> 10) % length;
        write_bytes("pile.cfg", text, size);
        const plu_status status = read_file("pile.cfg", NULL, 0);
        assert_true(status == PLU_OK || status == PLU_BAD_INPUT);
        assert_true((status == PLU_OK) == (err.count == 0) && (status == PLU_OK) == !*err.text);
        refused += status != PLU_OK;
    }
    assert_in_range(refused, 2000, 3999);
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_mistakes),
        cmocka_unit_test(bounces_with_energy),
        cmocka_unit_test(pivoting),
        cmocka_unit_test(all_in_one_go),
        cmocka_unit_test(one_sphere_never_meets_itself),
        cmocka_unit_test(wrong_files),
        cmocka_unit_test(wrong_includes),
        cmocka_unit_test(wrong_overrides),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return run_in_folder(run);
}
