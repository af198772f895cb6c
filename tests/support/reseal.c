/* Makes the checksums of the trajectories that are named fit what is in them (reseal.h). */
#include "reseal.h"

int main(int count, char **words)
{
    for (int k = 1; k < count; k++)
        reseal(words[k]);
    return 0;
}
