/* Local solvers "quartic-angle" and "quartic-alpha" (cone/quartic.h): take-off, stick, then all
 * sliding solutions through the roots of a polynomial, the most exact of which is taken. */
#include "cone/quartic.h"
#include "local/contact.h"
#include <string.h>

typedef int enumeration(const double w[9], const double q[3], double mu,
                        double p[PLU_SLIDING_CANDIDATES][3]);

static bool enumerate(enumeration *sliding, const double *w, const double *q, double mu, double *p)
{
    const plu_local_contact c = {3, w, q, {mu, 0.0}};
    double found[PLU_SLIDING_CANDIDATES][3];
    if (plu_contact_is_simple(&c, p))
        return true;
    if (mu == 0.0) {
        p[0] = -q[0] / w[0];
        p[1] = p[2] = 0.0;
        return true;
    }
    double least = 0.0;
    int best = -1;
    const int count = sliding(w, q, mu, found);
    for (int i = 0; i < count; i++) {
        const double error = plu_contact_error(&c, found[i]);
        if (best < 0 || error < least) {
            best = i;
            least = error;
        }
    }
    if (best < 0)
        return false;
    memcpy(p, found[best], 3 * sizeof *p);
    return least <= PLU_CONTACT_SOLVED;
}

bool plu_contact_quartic_angle(int rows, const double *w, const double *q, const double *mu,
                               double *p, double *state)
{
    (void)rows, (void)state;
    return enumerate(plu_sliding_by_angle, w, q, mu[0], p);
}

bool plu_contact_quartic_alpha(int rows, const double *w, const double *q, const double *mu,
                               double *p, double *state)
{
    (void)rows, (void)state;
    return enumerate(plu_sliding_by_alpha, w, q, mu[0], p);
}
