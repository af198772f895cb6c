/* pluvia render: pictures of a trajectory.
 *
 *   words --> plu_render_options (read_view) --> frames --> scene, for the walls (read_scene)
 *         --> plu_render_create --> one picture (plu_movie_picture) or all (plu_movie_make)
 *
 * Only the words are understood here; the library draws (pluvia/tool/render.h), and render_movie.c
 * writes films. A trajectory whose scene cannot be read is drawn without walls, with a message:
 * a picture of the bodies is better than none. --scene stands in for it. */
#include "pluvia/tool/render.h"
#include "cli/base/commands.h"
#include "cli/base/process.h"
#include "cli/base/run_scene.h"
#include "cli/base/text.h"
#include "cli/export/render_movie.h"
#include "pluvia/scene.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    AT,
    STAGE,
    MOVIE,
    RATE,
    OUTPUT,
    FORCE,
    COLOR,
    RANGE,
    MARKS,
    CHAINS,
    ARROWS,
    ARROW_LENGTH,
    FROM,
    ZOOM,
    DISTANCE,
    ALL,
    LOOK_AT,
    SIZE,
    PLAIN,
    BALLS,
    HIDE,
    SOLID,
    WALLS,
    CUT,
    THREADS,
    SCENE
};

static const plu_option options[] = {
    [AT] = {0, "at", "T", NULL, "the frame nearest to this time (s); default: the last one"},
    [STAGE] = {0, "stage", "NAME", NULL,
               "the end of a stage, by its name or number from 0; with --movie: all\n"
               "its frames"},
    [MOVIE] = {0, "movie", NULL, NULL,
               "all frames: a film for -o NAME.mp4 or NAME.webm (needs ffmpeg),\n"
               "NAME-0001.png, ... for -o NAME.png"},
    [RATE] = {0, "rate", "N", "25", "frames per second of a film"},
    [OUTPUT] = {'o', "output", "FILE", NULL, "where to write: a .png file"},
    [FORCE] = PLU_OPTION_FORCE,
    [COLOR] = {0, "color", "QUANTITY", NULL,
               "none, species, speed, angular_velocity, coordination, mode,\n"
               "force (its largest), net_force, torque, pressure, deviator,\n"
               "dissipation, release, height, radius or mass, or an entry of a\n"
               "column, such as velocity.x, force.z or stress.zz; default:\n"
               "species if there are several, otherwise none"},
    [RANGE] = {0, "range", "LOW,HIGH", NULL, "values at the ends of the color bar"},
    [MARKS] = {0, "marks", NULL, NULL, "checkered spheres, which show their rotation"},
    [CHAINS] = {0, "chains", NULL, NULL,
                "contact forces as rods, thicker for larger forces; small spheres"},
    [ARROWS] = {0, "arrows", "VECTOR", NULL,
                "arrows at the spheres: velocity, angular_velocity, force (the sum\n"
                "of its contacts) or torque; small spheres"},
    [ARROW_LENGTH] = {0, "arrow-length", "X", "1",
                      "times longer; at 1 the longest is 6 radii long"},
    [FROM] = {0, "from", "AZIMUTH,ELEVATION", NULL,
              "direction of the camera, in degrees (default: -75,22); azimuth 0\n"
              "is the x axis, 90 the y axis; the elevation is below 90"},
    [ZOOM] = {0, "zoom", "X", "1", "times larger"},
    [DISTANCE] = {0, "distance", "M", NULL,
                  "from the camera to the point in the middle (m), for pictures at\n"
                  "the same scale; default: all spheres fit into the picture"},
    [ALL] = {0, "all", NULL, NULL,
             "the picture contains every sphere; otherwise spheres far from most\n"
             "others, such as some that rolled away, may lie outside"},
    [LOOK_AT] = {0, "look-at", "X,Y,Z", NULL, "point in the middle (m)"},
    [SIZE] = {0, "size", "WxH", "1200x900", "pixels"},
    [PLAIN] = {0, "plain", NULL, NULL, "no legend, no time"},
    [BALLS] = {0, "balls", "X", NULL, "factor on the radius of the drawn spheres"},
    [HIDE] = {0, "hide", "NAME,...", NULL,
              "boundaries that are not drawn, such as a lid above the spheres"},
    [SOLID] = {0, "solid", NULL, NULL,
               "draws walls between the camera and the spheres; otherwise only\ntheir outlines"},
    [WALLS] = {0, "walls", "OPACITY", NULL,
               "draws all walls, those in front and tubes too, as clear as glass:\n"
               "0 (not seen) to 1 (solid)"},
    [CUT] = {0, "cut", "NX,NY,NZ,D", NULL,
             "a cutting plane: no spheres where NX x + NY y + NZ z > D (m);\n"
             "0,-1,0,0 shows those with y > 0"},
    [THREADS] = {'j', "threads", "N", "0", "number of threads; 0: as many as there are processors"},
    [SCENE] = {0, "scene", "SCENE", NULL,
               "the scene of the run, for its walls, if the scene in the file\n"
               "cannot be read; an error if the two scenes differ"},
};

/* `count` numbers, separated by `between`; the word has to end after the last one. */
static bool read_numbers(const char *word, char between, int count, double *number)
{
    for (int i = 0; i < count; i++) {
        char *end;
        number[i] = strtod(word, &end);
        if (end == word || !isfinite(number[i]) || *end != (i + 1 < count ? between : '\0'))
            return false;
        word = end + 1;
    }
    return true;
}

static plu_status read_list(const plu_arguments *arguments, int option, char between, int count,
                            double *number, plu_error *err)
{
    const char *word = plu_argument(arguments, option);
    if (!word || read_numbers(word, between, count, number))
        return PLU_OK;
    return plu_fail(err, PLU_USAGE, "option --%s: \"%s\" is not of the form %s",
                    options[option].name, word, options[option].value);
}

static plu_status read_view(const plu_arguments *arguments, plu_render_options *view,
                            plu_error *err)
{
    double from[2] = {view->azimuth, view->elevation}, size[2] = {view->width, view->height};
    long threads = 0;
    plu_status status = read_list(arguments, FROM, ',', 2, from, err);
    if (status == PLU_OK)
        status = read_list(arguments, SIZE, 'x', 2, size, err);
    if (status == PLU_OK)
        status = read_list(arguments, LOOK_AT, ',', 3, view->target, err);
    if (status == PLU_OK)
        status = read_list(arguments, RANGE, ',', 2, view->range, err);
    if (status == PLU_OK)
        status = plu_argument_positive(arguments, ZOOM, &view->zoom, err);
    if (status == PLU_OK)
        status = read_list(arguments, CUT, ',', 4, view->cut, err);
    if (status == PLU_OK && plu_argument(arguments, DISTANCE))
        status = plu_argument_positive(arguments, DISTANCE, &view->distance, err);
    if (status == PLU_OK)
        status = read_list(arguments, WALLS, ',', 1, &view->walls, err);
    if (status == PLU_OK)
        status = plu_argument_positive(arguments, ARROW_LENGTH, &view->arrow_length, err);
    if (status == PLU_OK && plu_argument(arguments, BALLS))
        status = plu_argument_positive(arguments, BALLS, &view->ball_size, err);
    if (status == PLU_OK)
        status = plu_argument_integer(arguments, THREADS, 0, 1024, &threads, err);
    if (status != PLU_OK)
        return status;
    view->azimuth = from[0];
    view->elevation = from[1];
    /* Sizes that make no sense are left to the library, which says what is allowed; the limits here
     * only keep the conversion to int defined. */
    view->width = (int)fmin(fmax(size[0], 0.0), 1e6);
    view->height = (int)fmin(fmax(size[1], 0.0), 1e6);
    view->threads = (int)threads;
    view->all = plu_argument_given(arguments, ALL);
    view->has_target = plu_argument_given(arguments, LOOK_AT);
    view->has_range = plu_argument_given(arguments, RANGE);
    view->has_cut = plu_argument_given(arguments, CUT);
    view->solid = plu_argument_given(arguments, SOLID);
    view->color = plu_argument(arguments, COLOR);
    view->marks = plu_argument_given(arguments, MARKS);
    view->chains = plu_argument_given(arguments, CHAINS);
    view->has_walls = plu_argument_given(arguments, WALLS);
    view->arrows = plu_argument(arguments, ARROWS);
    view->hide = plu_argument(arguments, HIDE);
    view->legend = !plu_argument_given(arguments, PLAIN);
    return PLU_OK;
}

/* A film has all frames from `first` to `last`, a picture the last one. */
static plu_status choose_frames(const plu_arguments *arguments, plu_frames *frames,
                                plu_render_options *view, plu_error *err)
{
    const long count = plu_frames_count(frames);
    if (count == 0)
        return plu_fail(err, PLU_BAD_INPUT, "%s contains no frames", arguments->operands[0]);
    const bool movie = plu_argument_given(arguments, MOVIE),
               one = plu_argument_given(arguments, AT);
    const char *path = arguments->operands[0];
    if (one && (movie || plu_argument_given(arguments, STAGE)))
        return plu_fail(err, PLU_USAGE, "options --at and --%s exclude each other",
                        movie ? "movie" : "stage");
    long from = 0, to = count;
    plu_status status = PLU_OK;
    if (plu_argument_given(arguments, STAGE))
        status = plu_stage_argument(arguments, STAGE, frames, path, &from, &to, err);
    view->last = to - 1;
    view->first = movie ? from : view->last;
    if (one) {
        status = plu_frame_argument(arguments, AT, frames, path, &view->last, err);
        view->first = view->last;
    }
    return status;
}

static plu_status read_scene(const plu_arguments *arguments, plu_frames *frames, plu_scene *scene,
                             plu_error *err)
{
    const char *path = plu_argument(arguments, SCENE);
    if (path)
        return plu_given_scene_read(scene, path, arguments->operands[0], err);
    if (plu_run_scene_read(scene, arguments->operands[0], frames, err) != PLU_OK) {
        plu_message("drawn without walls, because the scene of the run cannot be read (give it by "
                    "--scene): %.*s",
                    (int)strcspn(err->text, "\n"), err->text);
        *err = (plu_error){0};
    }
    return PLU_OK;
}

static plu_status draw(const plu_arguments *arguments, plu_frames *frames,
                       const plu_render_options *view, const plu_output_rule *rule, plu_error *err)
{
    plu_scene scene = {0};
    plu_render *render = NULL;
    plu_picture picture = {0};
    long rate = 25;
    const char *output = plu_argument(arguments, OUTPUT);
    plu_status status = plu_argument_integer(arguments, RATE, 1, 240, &rate, err);
    if (status == PLU_OK)
        status = read_scene(arguments, frames, &scene, err);
    if (status == PLU_OK)
        status = plu_render_create(&render, frames, &scene, view, err);
    if (status == PLU_OK && plu_argument_given(arguments, MOVIE)) {
        status = plu_movie_make(render, view, output, (int)rate, rule, err);
    } else if (status == PLU_OK) {
        status = plu_render_frame(render, view->first, &picture, err);
        if (status == PLU_OK)
            status = plu_movie_picture(&picture, output, rule, err);
        plu_picture_free(&picture);
    }
    plu_render_destroy(render);
    plu_scene_free(&scene);
    return status;
}

static plu_status check_output(const plu_arguments *arguments, const plu_output_rule *rule,
                               plu_error *err)
{
    const char *path = plu_argument(arguments, OUTPUT);
    if (!path)
        return plu_fail(err, PLU_USAGE, "option --output is required: the file to write");
    if (plu_movie_suits(path, plu_argument_given(arguments, MOVIE)))
        return plu_output_check(path, rule, err);
    return plu_fail(err, PLU_USAGE, "option --output: \"%s\" does not end with .png%s", path,
                    plu_argument_given(arguments, MOVIE) ? ", .mp4 or .webm" : "");
}

static int render_run(const plu_arguments *arguments)
{
    plu_error err = {0};
    plu_frames *frames = NULL;
    plu_render_options view = plu_render_defaults();
    const char *inputs[2] = {arguments->operands[0], plu_argument(arguments, SCENE)};
    const plu_output_rule rule = {
        plu_movie_is_film(plu_argument(arguments, OUTPUT)) ? PLU_OUTPUT_OTHER : PLU_OUTPUT_PICTURE,
        plu_argument_given(arguments, FORCE), inputs, 2};
    plu_status status = check_output(arguments, &rule, &err);
    if (status == PLU_OK)
        status = read_view(arguments, &view, &err);
    if (status == PLU_OK)
        status = plu_frames_open(&frames, arguments->operands[0], &err);
    if (status == PLU_OK)
        status = choose_frames(arguments, frames, &view, &err);
    if (status == PLU_OK)
        status = draw(arguments, frames, &view, &rule, &err);
    plu_frames_close(frames);
    if (status != PLU_OK)
        plu_message_error(&err);
    return status != PLU_OK && plu_stop_signal() ? 128 + plu_stop_signal() : (int)status;
}

const plu_command plu_command_render = {
    .name = "render",
    .operands = "FILE.h5md",
    .least = 1,
    .most = 1,
    .summary = "draw a trajectory: a picture or a film",
    .examples =
        "pluvia render output/pile.h5md -o pile.png                       the end\n"
        "pluvia render output/pile.h5md --at 5 --color speed -o a.png\n"
        "pluvia render output/pile.h5md --chains --from 30,10 --zoom 2 -o b.png\n"
        "pluvia render output/pile.h5md --arrows velocity --walls 0.2 --cut 0,-1,0,0 -o c.png\n"
        "pluvia render output/pile.h5md --movie --marks -o pile.mp4",
    .options = options,
    .options_count = sizeof options / sizeof *options,
    .run = render_run,
};
