/* version.h: what `pluvia --version` prints. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* The version on a line of its own, then the libraries that the program is linked with, a line
 * each: name, version, license (an SPDX expression). On standard output. */
void plu_print_version(void);

#endif
