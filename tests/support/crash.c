/* Loaded into the command: a read of numbers by HDF5 crashes, as HDF5 1.10 itself does on some
 * damaged files; which ones depends on its version.
 *
 *   CRASH=segv, abort  an access to no memory, or a failed check of the heap
 *   CRASH_FILE=END     only in files whose name ends so
 *   CRASH_AT=N         the N-th such read, from 1 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <hdf5.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int is_meant(hid_t dataset)
{
    static int reads;
    const char *at = getenv("CRASH_AT"), *file = getenv("CRASH_FILE");
    char name[4096] = "";
    H5Fget_name(dataset, name, sizeof name);
    const size_t length = strlen(name), end = strlen(file);
    return end <= length && strcmp(name + length - end, file) == 0 && ++reads == atoi(at);
}

herr_t H5Dread(hid_t dataset, hid_t type, hid_t in_memory, hid_t in_file, hid_t how, void *data)
{
    herr_t (*real)(hid_t, hid_t, hid_t, hid_t, hid_t, void *);
    *(void **)&real = dlsym(RTLD_NEXT, "H5Dread");
    if (is_meant(dataset)) {
        if (strcmp(getenv("CRASH"), "abort") == 0)
            abort();
        raise(SIGSEGV);
    }
    return real(dataset, type, in_memory, in_file, how, data);
}
