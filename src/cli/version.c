/* What `pluvia --version` prints: the version, how the program was built, which optional parts it
 * has and lacks, and a line for each library it is linked with:
 *
 *   name       version  license (an SPDX expression)
 *   HDF5       1.10.8   BSD-3-Clause
 *
 * Only HDF5 is asked for its version at run time, as libpng is; the others give it as numbers of
 * their headers, so that these are the versions the program was compiled with. */
#include "cli/base/commands.h"
#include "pluvia/status.h"
#include <hdf5.h>
#ifdef PLU_ISAL
#include <isa-l.h>
#endif
#include <libconfig.h>
#ifdef PLU_PNG
#include <png.h>
#endif
#include <stdio.h>
#include <suitesparse/amd.h>
#include <suitesparse/klu.h>
#include <zlib.h>

static void line(const char *name, unsigned major, unsigned minor, unsigned patch,
                 const char *license)
{
    char version[48];
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, patch);
    printf("  %-10s %-8s %s\n", name, version, license);
}

void plu_print_version(void)
{
    unsigned h5[3] = {0};
    (void)H5get_libversion(&h5[0], &h5[1], &h5[2]);
    printf("pluvia %s\n", plu_version());
    printf("built %s\n", PLU_BUILD);
    printf("with: %s\n", *PLU_WITH ? PLU_WITH : "nothing optional");
    printf("without: %s\n", *PLU_WITHOUT ? PLU_WITHOUT : "nothing");
    printf("Apache-2.0; linked with\n");
    line("AMD", AMD_MAIN_VERSION, AMD_SUB_VERSION, AMD_SUBSUB_VERSION, "BSD-3-Clause");
    line("HDF5", h5[0], h5[1], h5[2], "BSD-3-Clause");
    line("KLU", KLU_MAIN_VERSION, KLU_SUB_VERSION, KLU_SUBSUB_VERSION, "LGPL-2.1-or-later");
    line("libconfig", LIBCONFIG_VER_MAJOR, LIBCONFIG_VER_MINOR, LIBCONFIG_VER_REVISION,
         "LGPL-2.1-or-later");
#ifdef PLU_ISAL
    line("libisal", ISAL_MAJOR_VERSION, ISAL_MINOR_VERSION, ISAL_PATCH_VERSION, "BSD-3-Clause");
#endif
#ifdef PLU_PNG
    const unsigned png = png_access_version_number();
    line("libpng", png / 10000, png / 100 % 100, png % 100, "libpng-2.0");
#endif
    line("zlib", ZLIB_VER_MAJOR, ZLIB_VER_MINOR, ZLIB_VER_REVISION, "Zlib");
    printf("The program as linked is under Apache-2.0; nothing in it is under the GPL.\n");
}
