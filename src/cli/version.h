/* version.h: what `pluvia --version` prints. */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

/* The version on a line of its own; how it was built; then the libraries that the program is linked
 * with, a line each: name, version, license (an SPDX expression); last the license of the program
 * as linked. On standard output. */
void plu_print_version(void);

#endif
