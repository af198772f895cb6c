/* Scenes with size distributions, mixtures and streams of grains: what they mean, the overrides of
 * their keys, the way back to text, and what is wrong in them. */
#include "scene_files.h"

#include "pluvia/body.h"
#include "pluvia/feeder.h"
static const char grains[] = /* lines are counted below */
    "time: { step = 1e-3; end = 2.0; };\n"
    "materials = ( { name = \"a\"; density = 2000.0; }, { name = \"b\"; density = 500.0; } );\n"
    "contacts = ( { between = [\"a\", \"a\"]; friction = 0.3; }, { between = [\"a\", \"b\"]; "
    "friction "
    "= 0.3; }, { between = [\"b\", \"b\"]; friction = 0.3; } );\n"
    "bodies = (\n"
    "  { packing: { count = 9; box = [[0, 0, 0], [1, 1, 1]]; }; material = \"a\";\n"
    "    radius: { sieves = [[0.002, 0], [0.004, 0.25], [0.008, 1]]; }; },\n"
    "  { packing: { count = 9; box = [[2, 0, 0], [3, 1, 1]]; };\n"
    "    mixture = ( { material = \"a\"; share = 3; radius = [0.01, 0.02]; },\n"
    "      { material = \"b\"; share = 1; radius: { distribution = \"lognormal\"; median = 0.01;\n"
    "        sigma = 0.5; range = [0.005, 0.03]; by = \"mass\"; stratified = false; }; } ); } );\n"
    "feeders = (\n"
    "  { inlet: { mass_flow = 2; start = 1; stop = 3; area: { box: { center = [0, 0, 5]; size = "
    "[1, 2, 0];\n"
    "      normal = [0, 3, 4]; }; }; }; velocity = [0, 0, -1]; material = \"a\"; radius = 0.01; "
    "},\n"
    "  { inlet: { rate = 8; mass = 2; area: { line: { from = [0, 0, 1]; to = [0, 1, 1]; }; }; };\n"
    "    mixture = ( { material = \"a\"; share = 1; radius = 0.01; } ); } );\n";

static plu_status read_with(const char *override)
{
    write_file("grains.cfg", grains);
    return read_file("grains.cfg", &override, override ? 1 : 0);
}

static void check_values(void)
{
    const plu_size_spec *sieves = &scene.bodies[0].sizes;
    assert_int_equal(sieves->kind, PLU_SIEVES);
    assert_int_equal(sieves->by, PLU_BY_MASS);
    assert_int_equal(sieves->sieves_count, 3);
    assert_near(sieves->sieves[1][0], 0.004, 0.0);
    assert_near(sieves->sieves[1][1], 0.25, 0.0);
    assert_true(sieves->stratified);
    assert_near(scene.bodies[0].radius[0], 0.001, 0.0); /* openings are diameters */
    assert_near(scene.bodies[0].radius[1], 0.004, 0.0);
    assert_int_equal(scene.bodies[1].mixture_count, 2);
    const plu_mixture_part *part = scene.bodies[1].mixture;
    assert_int_equal(part[0].material, 0);
    assert_int_equal(part[0].sizes.kind, PLU_RANGE);
    assert_near(part[0].radius[1], 0.02, 0.0);
    assert_near(part[0].share, 3.0, 0.0);
    assert_int_equal(part[1].material, 1);
    assert_int_equal(part[1].sizes.kind, PLU_LOGNORMAL);
    assert_int_equal(part[1].sizes.by, PLU_BY_MASS);
    assert_false(part[1].sizes.stratified);
    assert_near(part[1].sizes.median, 0.01, 0.0);
    assert_near(part[1].radius[1], 0.03, 0.0);
    const plu_feeder_spec *box = &scene.feeders[0], *line = &scene.feeders[1];
    assert_int_equal(box->kind, PLU_INLET);
    assert_int_equal(box->area.kind, PLU_AREA_BOX);
    assert_near(box->mass_flow - box->rate, 2.0, 0.0);
    assert_near(box->stop - box->start, 2.0, 0.0);
    assert_near(box->area.normal[1], 0.6, 1e-15);
    assert_near(box->area.direction[0], 1.0, 1e-15);
    assert_int_equal(line->area.kind, PLU_AREA_LINE);
    assert_near(line->area.ends[1][1], 1.0, 0.0);
    assert_near(line->mass, 2.0, 0.0);
    assert_int_equal(line->mixture_count, 1);
}

/* Also of the text that a result keeps. */
static void values(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        if (round == 0 ? read_with(NULL) : read_file("again.cfg", NULL, 0))
            fail_msg("%s", err.text);
        check_values();
        write_file("again.cfg", scene.resolved);
    }
    const char *whole = "bodies.0.radius=0.02";
    assert_int_equal(read_file("grains.cfg", &whole, 1), PLU_OK);
    assert_int_equal(scene.bodies[0].sizes.kind, PLU_RANGE);
    assert_near(scene.bodies[0].radius[1], 0.02, 0.0);
}

static void overrides(void **state)
{
    (void)state;
    static const struct {
        const char *set, *message; /* NULL: it is right */
    } tries[] = {
        {"bodies.0.radius.by=number", NULL},
        {"bodies.1.mixture.1.radius.sigma=0.25", NULL},
        {"bodies.1.mixture[*].share=2", NULL},
        {"bodies.0.radius={ distribution = \"power\"; exponent = 2; range = [0.001, 0.01]; }",
         NULL},
        {"feeders.0.inlet.mass_flow=3.5", NULL},
        {"feeders.0.inlet.area.box.size=[1, 1, 1]", NULL},
        {"feeders.*.mixture.0.radius.sieves=[[1, 0], [2, 1]]",
         "radius is a single value in this scene"},
        {"bodies.0.packing.fill.solid_fraction=0.3",
         "bodies[0].packing: count and fill exclude each other; remove one of them"},
        {"bodies.1.mixture.2.share=2", "mixture has no entry 2: it has 2"},
        {"bodies.1.mixture.0.radius.sigma=1",
         "radius is a single value in this scene, not a group"},
        {"bodies.1.mixture.1.radius.sgma=1",
         "unknown key \"sgma\" in bodies.mixture.radius; did you"},
        {"bodies.1.mixture.1.radius.sigma=-1", "bodies[1].mixture[1].radius.sigma must be > 0"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        const plu_status status = read_with(tries[i].set);
        if (status != (tries[i].message ? PLU_BAD_INPUT : PLU_OK))
            fail_msg("%s: %s", tries[i].set, err.text);
        if (tries[i].message)
            expect(tries[i].message);
        if (i == 1)
            assert_near(scene.bodies[1].mixture[1].sizes.sigma, 0.25, 0.0);
        if (i == 2)
            assert_near(scene.bodies[1].mixture[0].share + scene.bodies[1].mixture[1].share, 4, 0);
    }
}

static const struct {
    const char *find, *by, *message;
} mistakes[] = {
    {"[0.004, 0.25]", "[0.001, 0.25]",
     "grains.cfg:6: bodies[0].radius.sieves: openings must rise from one sieve to the next"},
    {"[0.004, 0.25]", "[0.004, 1.25]",
     "the fraction passing must not decrease from one sieve to the next"},
    {"[0.008, 1]", "[0.008, 100]",
     "grains.cfg:6: bodies[0].radius.sieves: the fraction passing must"},
    {"[0.002, 0], ", "", "bodies[0].radius.sieves: the fraction passing must be 0 at the first"},
    {"[0.002, 0], ", "[0, 0], ", "bodies[0].radius.sieves: openings must be > 0"},
    {"[0.002, 0], [0.004, 0.25], ", "", "bodies[0].radius.sieves must be a list of 2 to 32 pairs"},
    {"[0.002, 0], ", "[0.002], ", "bodies[0].radius.sieves must be a list of 2 to 32 pairs"},
    {"[0.002, 0], ", "[1e-9, 0], ",
     "bodies[0].radius: radii differ by more than a factor of 1e+06"},
    {"sieves = ", "range = [1, 2]; sieves = ",
     "grains.cfg:6: bodies[0].radius.range cannot be combined with sieves"},
    {"sieves = ", "distribution = \"normal\"; sieves = ",
     "grains.cfg:6: bodies[0].radius needs exactly one of distribution, sieves (found more than "
     "one)"},
    {"distribution = \"lognormal\"", "distribution = \"weibull\"",
     "grains.cfg:9: bodies[1].mixture[1].radius.distribution must be \"uniform\", \"power\""},
    {"sigma = 0.5;", "",
     "grains.cfg:9: bodies[1].mixture[1].radius.sigma is missing: distribution = \"lognormal\" "
     "needs it"},
    {"sigma = 0.5;", "sigma = 0.5; mean = 1.0;",
     "radius.mean cannot be combined with distribution = \"lognormal\""},
    {"range = [0.005, 0.03]", "range = [0.03, 0.03]",
     "grains.cfg:10: bodies[1].mixture[1].radius.range: the smallest radius must be below the "
     "largest"},
    {"sigma = 0.5", "sigma = 1e-9", "radius.sigma is too small to tell radii apart"},
    {"range = [0.005, 0.03]", "range = [5, 6]",
     "radius.range is more than 8 sigma from the median"},
    {"material = \"b\"; share", "material = \"c\"; share",
     "grains.cfg:9: bodies[1].mixture[1].material: unknown material \"c\""},
    {"share = 3", "share = 0", "grains.cfg:8: bodies[1].mixture[0].share must be > 0"},
    {"    mixture", "    radius = 1; mixture",
     "grains.cfg:8: bodies[1].radius cannot be combined with mixture, whose parts have this key "
     "themselves"},
    {", { name = \"b\"; density = 500.0; }", ", { name = \"b\"; }",
     "grains.cfg:9: bodies[1].mixture[1].material: the material \"b\" needs a density"},
    {", { between = [\"b\", \"b\"]; friction = 0.3; }", "",
     "no contact law between \"b\" and \"b\", but spheres of bodies[1] can meet each other"},
    {"material = \"a\";\n", "\n", "grains.cfg:5: bodies[0].material is missing"},
    {"start = 1; stop = 3;", "",
     "grains.cfg:12: feeders[0].inlet never ends: give count, mass or stop"},
    {"stop = 3", "stop = 1",
     "grains.cfg:12: feeders[0].inlet.stop must be after start = 1 s (found 1)"},
    {"mass_flow = 2;", "mass_flow = 2; rate = 3;",
     "grains.cfg:12: feeders[0].inlet needs exactly one of rate, mass_flow (found more than one)"},
    {"mass_flow = 2;", "mass_flow = -2;",
     "grains.cfg:12: feeders[0].inlet.mass_flow must be > 0 (kg/s)"},
    {"normal = [0, 3, 4]", "normal = [0, 0, 0]",
     "grains.cfg:13: feeders[0].inlet.area.box.normal has length 0: it must give a direction"},
    {"normal = [0, 3, 4]", "direction = [0, 0, 2]",
     "grains.cfg:13: feeders[0].inlet.area.box.direction is parallel to the normal"},
    {"size = [1, 2, 0]", "size = [1, -2, 0]", "feeders[0].inlet.area.box.size must be 3 numbers"},
    {"line: { from = [0, 0, 1]; to = [0, 1, 1]; };", "",
     "grains.cfg:14: feeders[1].inlet.area needs exactly one of disc, box, line"},
    {"count = 9;", "count = 9; fill: { solid_fraction = 0.3; };",
     "grains.cfg:5: bodies[0].packing: count and fill exclude each other; remove one of them"},
    {"count = 9;", "fill: { solid_fraction = 0.3; height = 2; };",
     "grains.cfg:5: bodies[0].packing.fill.height must be at most the height of the region, 1 m"},
    {"count = 9;", "fill: { solid_fraction = 1.5; };",
     "grains.cfg:5: bodies[0].packing.fill.solid_fraction must be"},
    {"count = 9;", "", "grains.cfg:5: bodies[0].packing.count is missing"},
};

static void single_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        char *text = replaced(grains, mistakes[i].find, mistakes[i].by);
        write_file("grains.cfg", text);
        free(text);
        assert_int_equal(read_file("grains.cfg", NULL, 0), PLU_BAD_INPUT);
        expect(mistakes[i].message);
        if (err.count != 1)
            fail_msg("more than one sentence: %s", err.text);
    }
}

static int run(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(overrides),
        cmocka_unit_test(single_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void)
{
    return run_in_folder(run);
}
