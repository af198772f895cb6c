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
    return extension(output, ".png") ||
           (movie && (extension(output, ".mp4") || extension(output, ".webm")));
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

static plu_status make_film(const char *pictures, const char *film, int rate, plu_error *err)
{
    char rate_word[16], filter[] = "pad=ceil(iw/2)*2:ceil(ih/2)*2", *codec = "libx264";
    char program[] = "ffmpeg", y[] = "-y", level[] = "-loglevel", error[] = "error";
    char r[] = "-framerate", i[] = "-i", vf[] = "-vf", cv[] = "-c:v", crf[] = "-crf", q[] = "20";
    char pixels[] = "-pix_fmt", yuv[] = "yuv420p", vp9[] = "libvpx-vp9", x264[] = "libx264";
    char from[PLU_PATH + 16], to[PLU_PATH];
    codec = extension(film, ".webm") ? vp9 : x264;
    snprintf(rate_word, sizeof rate_word, "%d", rate);
    snprintf(from, sizeof from, "%s", pictures);
    snprintf(to, sizeof to, "%s", film);
    char *words[] = {program, y,  level, error, r, rate_word, i,   from, vf,
                     filter,  cv, codec, crf,   q, pixels,    yuv, to,   NULL};
    const int code = run_program(words);
    if (code == 127)
        return plu_fail(err, PLU_IO,
                        "the pictures %s are made, but not %s: ffmpeg is not installed (Debian: "
                        "apt-get install ffmpeg)",
                        pictures, film);
    if (code != 0)
        return plu_fail(err, PLU_IO, "the pictures %s are made, but ffmpeg failed on %s", pictures,
                        film);
    return PLU_OK;
}

plu_status plu_movie_make(plu_render *render, const plu_render_options *view, const char *output,
                          int rate, plu_error *err)
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
        status = plu_picture_write(&picture, path, err);
        plu_picture_free(&picture);
        if (status != PLU_OK)
            return status;
    }
    snprintf(pattern, sizeof pattern, "%.*s-%%04d.png", stem, output);
    return extension(output, ".png") ? PLU_OK : make_film(pattern, output, rate, err);
}
