/* Films and series of pictures. A film is made by ffmpeg, a process that reads the pixels from a
 * pipe:
 *
 *  pictures ---- pipe ----> ffmpeg ----> NAME.part, renamed when it has ended well
 *     <--- pipe ---- why it could not be started: closed by a successful exec
 *
 * The pipe must not be inherited by ffmpeg itself, which would wait for its own end.
 *
 * Pictures are drawn in sheaves: the library draws several at once in threads of its own, then they
 * are written in order, into the film, or in parallel into NAME-0001.png, NAME-0002.png, ...
 *
 * ffmpeg gets "rawvideo" of rgb24, so that no picture is compressed twice, and pads odd sizes to
 * even ones, which the coding of colors in yuv420p needs. */
#include "cli/export/render_movie.h"
#include "cli/base/process.h"
#include "cli/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
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

/* --- ffmpeg, which reads the pixels of one picture after the other from a pipe --- */

typedef struct film {
    const char *name;
    plu_output output;
    pid_t process;
    int pipe; /* its standard input */
} film;

/* In the child process: executes ffmpeg; on failure writes the reason to the pipe `failed`. */
static void become(char *const *words, int input, int failed)
{
    signal(SIGPIPE, SIG_DFL);
    dup2(input, STDIN_FILENO);
    execvp(words[0], words);
    const int why = errno;
    if (write(failed, &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

/* Two pipes: one for pixels, one through which a child that cannot become ffmpeg sends errno.
 * Reading from the latter returns nothing as soon as exec has succeeded and closed it. */
static plu_status movie_start(film *f, char *const *words, plu_error *err)
{
    int input[2], failed[2], why = 0;
    if (pipe(input) != 0)
        return plu_fail(err, PLU_IO, "cannot start ffmpeg: %s", strerror(errno));
    if (pipe(failed) != 0) {
        close(input[0]);
        close(input[1]);
        return plu_fail(err, PLU_IO, "cannot start ffmpeg: %s", strerror(errno));
    }
    fcntl(failed[1], F_SETFD, FD_CLOEXEC); /* ends when ffmpeg has begun */
    fcntl(input[1], F_SETFD, FD_CLOEXEC);  /* or it would wait for its own end */
    f->process = fork();
    if (f->process == 0)
        become(words, input[0], failed[1]);
    if (f->process < 0)
        why = errno;
    close(input[0]);
    close(failed[1]);
    const bool begun = why == 0 && read(failed[0], &why, sizeof why) <= 0;
    close(failed[0]);
    f->pipe = input[1];
    if (begun)
        return PLU_OK;
    close(f->pipe);
    if (f->process > 0)
        waitpid(f->process, NULL, 0);
    return plu_fail(err, PLU_IO,
                    "%s needs ffmpeg, which %s (Debian: apt-get install ffmpeg); -o NAME.png "
                    "writes the pictures",
                    f->name, why == ENOENT ? "is not installed" : "cannot be started");
}

/* execvp takes pointers to char: the words are arrays, so that no constant is cast. */
static plu_status open_film(film *f, const char *output, const plu_render_options *view, int rate,
                            const plu_output_rule *rule, plu_error *err)
{
    const bool webm = extension(output, ".webm") != NULL;
    char program[] = "ffmpeg", y[] = "-y", level[] = "-loglevel", error[] = "error";
    char fi[] = "-f", raw[] = "rawvideo", pi[] = "-pix_fmt", rgb[] = "rgb24", s[] = "-s";
    char r[] = "-framerate", i[] = "-i", stdin_[] = "pipe:0", vf[] = "-vf", cv[] = "-c:v";
    char filter[] = "pad=ceil(iw/2)*2:ceil(ih/2)*2", crf[] = "-crf", q[] = "20", yuv[] = "yuv420p";
    char vp9[] = "libvpx-vp9", x264[] = "libx264", mp4[] = "mp4", webm_[] = "webm";
    char rate_word[16], size[32], to[PLU_PATH + 32];
    snprintf(rate_word, sizeof rate_word, "%d", rate);
    snprintf(size, sizeof size, "%dx%d", view->width, view->height);
    *f = (film){.name = output};
    plu_status status = plu_output_begin(&f->output, output, rule, err);
    const char *name = status == PLU_OK ? plu_output_name(&f->output, err) : NULL;
    if (!name)
        return plu_output_end(&f->output, status == PLU_OK ? PLU_IO : status, err);
    snprintf(to, sizeof to, "file:%s", name); /* whatever it begins with */
    char *words[] = {program, y,      level, error,  fi, raw,
                     pi,      rgb,    s,     size,   r,  rate_word,
                     i,       stdin_, vf,    filter, cv, webm ? vp9 : x264,
                     crf,     q,      pi,    yuv,    fi, webm ? webm_ : mp4,
                     to,      NULL};
    return movie_start(f, words, err);
}

static plu_status add_picture(film *f, const plu_picture *picture, plu_error *err)
{
    const size_t size = 3 * (size_t)picture->width * (size_t)picture->height;
    /* A pipe may take less than it is given. */
    for (size_t done = 0; done < size;) {
        const ssize_t written = write(f->pipe, picture->rgb + done, size - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return plu_fail(err, PLU_IO, "ffmpeg ended before %s was made", f->name);
        done += (size_t)written;
    }
    return PLU_OK;
}

/* Renames the film when it is complete; else removes it. */
static plu_status close_film(film *f, plu_status status, plu_error *err)
{
    int code = -1;
    close(f->pipe);
    while (waitpid(f->process, &code, 0) < 0 && errno == EINTR)
        continue;
    if (status == PLU_OK && !(WIFEXITED(code) && WEXITSTATUS(code) == 0))
        status = plu_fail(err, PLU_IO, "ffmpeg failed on %s", f->name);
    return plu_output_end(&f->output, status, err);
}

/* --- all frames --- */

/* Shows the progress: on a terminal one line that is rewritten, else a line for each tenth. */
static void show_progress(long done, long all)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\rpicture %ld of %ld%s", done, all, done == all ? "\n" : "");
    else if (all >= 20 && 10 * done / all > 10 * (done - 1) / all)
        plu_message("picture %ld of %ld", done, all);
}

/* Pictures that are drawn before they are written. */
typedef struct sheaf {
    long first, count, all; /* numbers begin with 1 */
    plu_picture *picture;
} sheaf;

/* Picture number k of a film without a film. */
static plu_status write_file(const plu_picture *picture, const char *output, long k,
                             const plu_output_rule *rule, plu_error *err)
{
    const int stem = (int)(strrchr(output, '.') - output);
    char path[PLU_PATH + 32];
    if (snprintf(path, sizeof path, "%.*s-%04ld.png", stem, output, k) >= PLU_PATH)
        return plu_fail(err, PLU_USAGE, "option --output: the name is too long");
    return plu_movie_picture(picture, path, rule, err);
}

/* To compress a picture takes a tenth of the time to draw it. */
static plu_status write_files(const sheaf *s, const char *output, const plu_output_rule *rule,
                              int threads, plu_error *err)
{
    plu_status status = PLU_OK;
    long failed = s->count; /* the first that did */
    (void)threads;          /* used by OpenMP only */
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
    for (long i = 0; i < s->count; i++) {
        plu_error why = {0};
        const plu_status own = s->picture[i].rgb
                                   ? write_file(&s->picture[i], output, s->first + i, rule, &why)
                                   : PLU_OK;
        if (own != PLU_OK) {
#pragma omp critical
            if (i < failed) {
                failed = i;
                status = own;
                *err = why;
            }
        }
    }
    return status;
}

/* Up to the first picture that could not be drawn, so that the film has no gap. */
static plu_status write_film(const sheaf *s, film *f, plu_error *err)
{
    plu_status status = PLU_OK;
    for (long i = 0; i < s->count && status == PLU_OK && s->picture[i].rgb; i++)
        status = add_picture(f, &s->picture[i], err);
    return status;
}

/* Into the film or, without one, into files of their own. A signal to stop ends it between
 * pictures, so that no half-written film stays; what ffmpeg says of the same signal counts for
 * nothing. */
static plu_status draw_all(plu_render *render, const plu_render_options *view, const char *output,
                           film *f, const plu_output_rule *rule, plu_error *err)
{
    enum { EACH = 4, MOST = 64 }; /* pictures for each that is being drawn, and at most */
    const int at_once = plu_render_at_once(render);
    const long room = at_once == 1 ? 1 : EACH * at_once < MOST ? EACH * at_once : MOST;
    sheaf s = {.first = 1, .all = view->last - view->first + 1};
    plu_status status = PLU_OK;
    s.picture = calloc((size_t)room, sizeof *s.picture);
    if (!s.picture)
        return plu_fail(err, PLU_IO, "out of memory");
    for (; status == PLU_OK && s.first <= s.all; s.first += s.count) {
        plu_error why = {0};
        s.count = s.all - s.first + 1 < room ? s.all - s.first + 1 : room;
        const plu_status drawn =
            plu_render_frames(render, view->first + s.first - 1, s.count, s.picture, &why);
        status = f ? write_film(&s, f, err) : write_files(&s, output, rule, at_once, err);
        for (long i = 0; i < s.count; i++) {
            plu_picture_free(&s.picture[i]);
            if (status == PLU_OK && drawn == PLU_OK)
                show_progress(s.first + i, s.all);
        }
        if (status == PLU_OK && drawn != PLU_OK) {
            status = drawn;
            *err = why;
        }
        /* Tested after a whole sheaf: every picture that is written is complete. */
        if (plu_stop_signal() && s.first + s.count <= s.all)
            status = plu_fail(err, PLU_IO, "interrupted after picture %ld of %ld%s",
                              s.first + s.count - 1, s.all, f ? "; no film is kept" : "");
    }
    free(s.picture);
    return status;
}

plu_status plu_movie_make(plu_render *render, const plu_render_options *view, const char *output,
                          int rate, const plu_output_rule *rule, plu_error *err)
{
    film f;
    plu_stop_listen();
    if (extension(output, ".png"))
        return draw_all(render, view, output, NULL, rule, err);
    struct sigaction before, ignored = {.sa_handler = SIG_IGN}; /* of an ffmpeg that ends early */
    sigaction(SIGPIPE, &ignored, &before);
    plu_status status = open_film(&f, output, view, rate, rule, err);
    if (status == PLU_OK)
        status = close_film(&f, draw_all(render, view, output, &f, rule, err), err);
    sigaction(SIGPIPE, &before, NULL);
    return status;
}
