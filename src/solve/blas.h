/* blas.h: the dense kernels under UMFPACK and CHOLMOD.
 *
 * Both do their own work in an order that depends on the matrix alone; what they hand to the BLAS
 * is that library's affair. The reference BLAS of Debian has no threads. OpenBLAS, which a machine
 * may have put in its place (update-alternatives), cuts products up by the number of its threads,
 * and with them the last bits. pluvia uses the BLAS for nothing else, so it runs on one thread:
 * results then do not depend on how many there are. */
#ifndef SOLVE_BLAS_H
#define SOLVE_BLAS_H

/* Tells OpenBLAS, where it is the one in use, to use one thread. Cheap; to be called before a
 * factorisation. */
void plu_blas_use_one_thread(void);

#endif
