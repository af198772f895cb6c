/* What a run computes does not depend on clocks, which only tell how long it took: the same bits
 * where all of them stand still. (Where a limit of processor time is set, Linux reads that of a
 * process in ticks, between which it stands still.) */
#include "memory.h"
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static bool stands_still;

/* In place of that of the system, in all of this program. */
int clock_gettime(clockid_t clock, struct timespec *t)
{
    if (!stands_still)
        return (int)syscall(SYS_clock_gettime, clock, t);
    *t = (struct timespec){.tv_sec = 1000};
    return 0;
}

static run *open_scene(const char *name)
{
    char path[PLU_PATH];
    snprintf(path, sizeof path, BITS_SCENES "/%s.cfg", name);
    return run_of_file(path);
}

/* Of so many steps: what a checkpoint has but times, and how steps were solved. */
static uint64_t sum_of(run *r, int steps)
{
    uint64_t sum = 14695981039346656037u;
    double solved[4] = {0};
    for (int k = 0; k < steps; k++) {
        run_step(r);
        solved[0] += r->info.iterations;
        solved[1] += (double)r->info.updates;
        solved[2] += r->info.converged;
        solved[3] += r->info.residual_scaled;
    }
    memory *m = memory_save(r);
    for (int i = 0; i <= m->count; i++) {
        const bool last = i == m->count;
        const unsigned char *at = last ? (const unsigned char *)solved : m->arrays[i].data;
        if (!last && strstr(m->arrays[i].name, "seconds"))
            continue;
        for (size_t k = 0; k < (last ? sizeof solved : m->arrays[i].bytes); k++)
            sum = (sum ^ at[k]) * 1099511628211u; /* FNV-1a */
    }
    memory_free(m);
    run_close(r);
    return sum;
}

/* A lattice that is strained as fast as nothing lets it, for which steps have no solution. */
static run *strained(void)
{
    return run_open("time: { step = 1e-3; end = 1; };\ngravity = [0, 0, 0];\n" RUN_MATERIALS(
        "2500.0", "0", "0",
        "0") "cell: { size = [0.04, 0.04, 0.04]; strain_rate = [0, 0, -1e-9]; };\nbodies = ( { "
             "lattice: { counts = [2, 2, 2]; spacing = 0.02; origin = [0.01, 0.01, 0.01]; }; "
             "radius "
             "= 0.01; material = \"grain\"; } );\n");
}

static void clocks_do_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"", "hasty", "jams", "pressed", "squeezed", "unsolved"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        uint64_t sum[2];
        for (int still = 0; still < 2; still++) {
            run *r = k == 0 ? strained() : open_scene(names[k]);
            stands_still = still == 1;
            sum[still] = sum_of(r, k == 0 ? 2 : 60);
            stands_still = false;
        }
        if (sum[0] != sum[1])
            fail_msg("\"%s\" depends on the clock", names[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(clocks_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
