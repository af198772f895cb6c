/* Makes the checksums of the trajectories and checkpoints that are named fit what is in them
 * (reseal.h). */
#include "reseal.h"
#include "io/run/checkpoint.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether it is a checkpoint, whose seal then is that of what is in it. */
static bool reseal_checkpoint(const char *path)
{
    char text[PLU_SEAL] = "";
    struct stat about;
    uint64_t hash;
    const int file = open(path, O_RDWR);
    const bool is = file >= 0 && read(file, text, sizeof text) == sizeof text &&
                    strncmp(text, "pluvia checkpoint", 17) == 0;
    if (is && fstat(file, &about) == 0 && plu_seal_hash(file, &hash)) {
        plu_seal_text(text, (long long)about.st_size, hash);
        if (pwrite(file, text, sizeof text, 0) != (ssize_t)sizeof text)
            perror(path);
    }
    if (file >= 0)
        close(file);
    return is;
}

int main(int count, char **words)
{
    for (int k = 1; k < count; k++)
        if (!reseal_checkpoint(words[k]))
            reseal(words[k]);
    return 0;
}
