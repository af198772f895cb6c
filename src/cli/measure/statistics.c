/* The standard error of a mean of values that hang together in time (a stress that wanders for many
 * frames) is not sd / sqrt(n). Means over blocks of 2, 4, 8, ... values are less and less
 * dependent, so that sd / sqrt(number) of such means grows with the blocks until they are
 * independent, and stays: H. Flyvbjerg and H. G. Petersen, "Error estimates on averages of
 * correlated data", Journal of Chemical Physics 91 (1989), eqs. 26 to 28.
 *
 *     values   | . . . . . . . . |   n      sd / sqrt(n)
 *     pairs    |  .   .   .   .  |   n/2    larger, if neighbors are alike
 *     fours    |    .       .    |   n/4    ...
 *
 * The largest over blockings that leave at least LEAST_BLOCKS means is taken: with fewer the
 * estimate is noise itself. */
#include "cli/measure/statistics.h"
#include "pluvia/tool/paths.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    [PLU_STATISTIC_MEAN] = "mean",    [PLU_STATISTIC_ERROR] = "error",
    [PLU_STATISTIC_DEVIATION] = "sd", [PLU_STATISTIC_LEAST] = "min",
    [PLU_STATISTIC_LARGEST] = "max",  [PLU_STATISTIC_SLOPE] = "slope",
    [PLU_STATISTIC_RATE] = "rate"};
_Static_assert(sizeof names / sizeof *names == PLU_STATISTICS, "a word for each");

enum { LEAST_BLOCKS = 8 };

const char *plu_statistic_name(plu_statistic statistic)
{
    return names[statistic];
}

static double mean_of(const double *x, long count)
{
    double sum = 0.0;
    for (long i = 0; i < count; i++)
        sum += (x[i] - x[0]); /* values that are all alike have exactly that mean */
    return x[0] + sum / (double)count;
}

/* The variance: squares of the values about their mean, summed and divided by count - 1. */
static double variance_of(const double *x, long count)
{
    const double mean = mean_of(x, count);
    double sum = 0.0;
    for (long i = 0; i < count; i++)
        sum += (x[i] - mean) * (x[i] - mean);
    return sum / (double)(count - 1);
}

/* `x` is overwritten by means of blocks. */
static double error_of(double *x, long count)
{
    double largest = sqrt(variance_of(x, count) / (double)count);
    for (long n = count / 2; n >= LEAST_BLOCKS; n /= 2) {
        for (long i = 0; i < n; i++)
            x[i] = 0.5 * (x[2 * i] + x[2 * i + 1]);
        largest = fmax(largest, sqrt(variance_of(x, n) / (double)n));
    }
    return largest;
}

/* Least squares; NAN where all times are one. */
static double slope_of(const double *t, const double *x, long count)
{
    const double t0 = mean_of(t, count), x0 = mean_of(x, count);
    double tt = 0.0, tx = 0.0;
    for (long i = 0; i < count; i++) {
        tt += (t[i] - t0) * (t[i] - t0);
        tx += (t[i] - t0) * (x[i] - x0);
    }
    return tt > 0.0 ? tx / tt : NAN;
}

/* Each value by the time since the one before; that of the first one is the second's unless there
 * is a value before it. Where all times are alike it is the mean of the values to the last bit. */
static double mean_over_time(const double *t, const double *x, long count, bool since)
{
    static const double alike = 1e-6;
    const double first = since ? t[0] - t[-1] : t[count > 1] - t[0];
    double sum = 0.0, all = 0.0, own = 0.0;
    bool even = true;
    long known = 0;
    for (long i = 0; i < count; i++) {
        const double weight = i > 0 ? t[i] - t[i - 1] : first;
        if (isnan(x[i]))
            continue;
        own = known++ > 0 ? own : weight;
        even &= fabs(weight - own) <= alike * own;
        sum += weight * x[i];
        all += weight;
    }
    return even || !(all > 0.0) ? NAN : sum / all;
}

/* From the first value to the last: what a sum grew by over the time that this took. */
static double rate_of(const double *t, const double *x, long count)
{
    const double time = t[count - 1] - t[0];
    return time > 0.0 ? (x[count - 1] - x[0]) / time : NAN;
}

plu_statistics plu_statistics_of(const double *time, const double *value, long count, bool since)
{
    plu_statistics s = {.of = {NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
    double *known = malloc(2 * (size_t)(count > 0 ? count : 1) * sizeof *known);
    if (!known)
        return s;
    double *at = known + count;
    for (long i = 0; i < count; i++)
        if (!isnan(value[i])) {
            known[s.count] = value[i];
            at[s.count++] = time[i];
        }
    if (s.count > 0) {
        const double over_time = mean_over_time(time, value, count, since);
        s.of[PLU_STATISTIC_MEAN] = isnan(over_time) ? mean_of(known, s.count) : over_time;
        s.of[PLU_STATISTIC_LEAST] = s.of[PLU_STATISTIC_LARGEST] = known[0];
    }
    for (long i = 1; i < s.count; i++) {
        s.of[PLU_STATISTIC_LEAST] = fmin(s.of[PLU_STATISTIC_LEAST], known[i]);
        s.of[PLU_STATISTIC_LARGEST] = fmax(s.of[PLU_STATISTIC_LARGEST], known[i]);
    }
    if (s.count > 1) {
        s.of[PLU_STATISTIC_DEVIATION] = sqrt(variance_of(known, s.count));
        s.of[PLU_STATISTIC_SLOPE] = slope_of(at, known, s.count);
        s.of[PLU_STATISTIC_RATE] = rate_of(at, known, s.count);
        s.of[PLU_STATISTIC_ERROR] = error_of(known, s.count);
    }
    if (since && s.count > 0 && !isnan(value[-1]) && !isnan(value[count - 1]))
        s.of[PLU_STATISTIC_RATE] = rate_of(time - 1, value - 1, count + 1);
    free(known);
    return s;
}

/* --- the words --- */

bool plu_is_statistic(const char *text)
{
    return strchr(text, '(') != NULL;
}

/* The next word up to one of `ends`, without blanks around it; *at moves to that end. */
static void take_word(const char **at, const char *ends, char *word, size_t size)
{
    *at += strspn(*at, " \t");
    size_t length = strcspn(*at, ends);
    const char *end = *at + length;
    while (length > 0 && isspace((unsigned char)(*at)[length - 1]))
        length--;
    snprintf(word, size, "%.*s", (int)length, *at);
    *at = end;
}

/* A time; or a word, where `stage` is not NULL. */
static bool read_time(const char **at, double *time, char *stage)
{
    char word[PLU_NAME], *end;
    (*at)++; /* the comma */
    take_word(at, ",)", word, sizeof word);
    const double read = strtod(word, &end);
    if (end != word && !*end && isfinite(read)) {
        *time = read;
        return true;
    }
    if (stage)
        memcpy(stage, word, sizeof word);
    return stage && *word;
}

static bool known_statistic(const char *word, plu_statistic *statistic)
{
    for (int i = 0; i < PLU_STATISTICS; i++)
        if (strcmp(word, names[i]) == 0) {
            *statistic = (plu_statistic)i;
            return true;
        }
    return false;
}

/* "mean(stress.ratio, 2, 5)" or "mean(pile.height, fill, 1)": statistic, name, stage, from, to. */
plu_status plu_asked_read(plu_asked *asked, const char *text, plu_error *err)
{
    char word[64];
    const char *at = text;
    *asked = (plu_asked){.window = {-INFINITY, INFINITY, false}};
    take_word(&at, "(", word, sizeof word);
    if (!known_statistic(word, &asked->statistic))
        return plu_fail(err, PLU_BAD_INPUT,
                        "\"%s\": there is no statistic \"%s\"; there are mean, error, sd, min, "
                        "max, slope and rate",
                        text, word);
    at += *at == '(';
    take_word(&at, ",)", asked->name, sizeof asked->name);
    bool fine = asked->name[0] != '\0';
    if (fine && *at == ',')
        fine = read_time(&at, &asked->window.from, asked->stage);
    if (fine && *at == ',' && *asked->stage)
        fine = read_time(&at, &asked->window.from, NULL);
    if (fine && *at == ',')
        fine = read_time(&at, &asked->window.to, NULL);
    fine = fine && *at == ')';
    at += fine + (fine ? strspn(at + 1, " \t") : 0);
    if (!fine || *at)
        return plu_fail(err, PLU_BAD_INPUT,
                        "\"%s\" is not STATISTIC(NAME), STATISTIC(NAME, FROM), STATISTIC(NAME, "
                        "FROM, TO) with times in s, or with a stage before them, from whose "
                        "beginning they count, such as \"%s(stress.ratio, 2, 5)\"",
                        text, names[asked->statistic]);
    if (!(asked->window.from <= asked->window.to))
        return plu_fail(err, PLU_BAD_INPUT, "\"%s\": the window ends before it begins", text);
    return PLU_OK;
}

char *plu_asked_text(const plu_asked *asked, char *text, size_t size)
{
    const plu_window *w = &asked->window;
    int length = snprintf(text, size, "%s(%s", names[asked->statistic], asked->name);
    if (length < (int)size && *asked->stage)
        length += snprintf(text + length, size - (size_t)length, ",%s", asked->stage);
    if (length < (int)size && (isfinite(w->from) || isfinite(w->to)))
        length += snprintf(text + length, size - (size_t)length, ",%.15g",
                           isfinite(w->from) ? w->from : 0.0);
    if (length < (int)size && isfinite(w->to))
        length += snprintf(text + length, size - (size_t)length, ",%.15g", w->to);
    if (length < (int)size)
        snprintf(text + length, size - (size_t)length, ")");
    return text;
}
