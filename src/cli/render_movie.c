#include "render_movie.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the extension begins; NULL: there is none of the given name. */
static const char *extension(const char *path, const char *name)
{
    const size_t length = strlen(path), end = strlen(name);
    return length > end && strcmp(path + length - end, name) == 0 ? path + length - end : NULL;
}

bool plu_movie_suits(const char *output, bool movie)
{
    return extension(output, ".png") || (!movie && plu_output_goes_through(output)) ||
           (movie && plu_movie_is_film(output));
}

bool plu_movie_is_film(const char *output)
{
    return output && (extension(output, ".mp4") || extension(output, ".webm"));
}

plu_status plu_movie_picture(const plu_picture *picture, const char *path,
                             const plu_output_rule *rule, plu_error *err)
{
    plu_output output;
    plu_output_rule mine = *rule;
    mine.kind = PLU_OUTPUT_PICTURE; /* also where it is one of a film */
    plu_status status = plu_output_begin(&output, path, &mine, err);
    const char *name = status == PLU_OK ? plu_output_name(&output, err) : NULL;
    if (status == PLU_OK)
        status = name ? plu_picture_write(picture, name, err) : PLU_IO;
    return plu_output_end(&output, status, err);
}

/* Runs ffmpeg, whose words are an array that ends with NULL; its exit status, -1: not started. */
static int run_program(char *const *words)
{
    int status = -1;
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_RDWR);
        if (nowhere >= 0)
            dup2(nowhere, STDIN_FILENO);
        execvp(words[0], words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static plu_status make_film(const char *pictures, const char *film, int rate,
                            const plu_output_rule *rule, plu_error *err)
{
    char rate_word[16], filter[] = "pad=ceil(iw/2)*2:ceil(ih/2)*2", *codec = "libx264";
    char program[] = "ffmpeg", y[] = "-y", level[] = "-loglevel", error[] = "error";
    char r[] = "-framerate", i[] = "-i", vf[] = "-vf", cv[] = "-c:v", crf[] = "-crf", q[] = "20";
    char pixels[] = "-pix_fmt", yuv[] = "yuv420p", vp9[] = "libvpx-vp9", x264[] = "libx264";
    char from[PLU_PATH + 16], to[PLU_PATH + 8], format[] = "-f", mp4[] = "mp4", webm[] = "webm";
    char *const kind = extension(film, ".webm") ? webm : mp4; /* its name does not tell */
    plu_output output;
    plu_status status = plu_output_begin(&output, film, rule, err);
    const char *name = status == PLU_OK ? plu_output_name(&output, err) : NULL;
    if (!name)
        return plu_output_end(&output, status == PLU_OK ? PLU_IO : status, err);
    codec = extension(film, ".webm") ? vp9 : x264;
    snprintf(rate_word, sizeof rate_word, "%d", rate);
    snprintf(from, sizeof from, "%s", pictures);
    snprintf(to, sizeof to, "%s", name);
    char *words[] = {program, y,     level, error, r,      rate_word, i,      from, vf, filter,
                     cv,      codec, crf,   q,     pixels, yuv,       format, kind, to, NULL};
    const int code = run_program(words);
    if (code == 127)
        status = plu_fail(err, PLU_IO,
                          "the pictures %s are made, but not %s: ffmpeg is not installed (Debian: "
                          "apt-get install ffmpeg)",
                          pictures, film);
    else if (code != 0)
        status = plu_fail(err, PLU_IO, "the pictures %s are made, but ffmpeg failed on %s",
                          pictures, film);
    return plu_output_end(&output, status, err);
}

plu_status plu_movie_make(plu_render *render, const plu_render_options *view, const char *output,
                          int rate, const plu_output_rule *rule, plu_error *err)
{
    char pattern[PLU_PATH + 16], path[PLU_PATH + 16];
    const char *dot = strrchr(output, '.');
    const int stem = (int)(dot - output);
    if (stem >= PLU_PATH)
        return plu_fail(err, PLU_USAGE, "option --output: the name is too long");
    for (long k = view->first; k <= view->last; k++) {
        plu_picture picture;
        snprintf(path, sizeof path, "%.*s-%04ld.png", stem, output, k - view->first + 1);
        plu_status status = plu_render_frame(render, k, &picture, err);
        if (status != PLU_OK)
            return status;
        status = plu_movie_picture(&picture, path, rule, err);
        plu_picture_free(&picture);
        if (status != PLU_OK)
            return status;
    }
    snprintf(pattern, sizeof pattern, "%.*s-%%04d.png", stem, output);
    return extension(output, ".png") ? PLU_OK : make_film(pattern, output, rate, rule, err);
}
