/* The angle of repose.
 *
 * A heap is a cone if its surface has one slope. Its horizontal section at height z is then a disc
 * of radius R(z) = a - b z, with b = cot(angle), and the centers of the spheres at that height are
 * spread evenly over it. The mean square distance of a disc's points from its middle is half the
 * square of its radius, so that at each height, whatever the number of spheres there,
 *
 *        <2 rho^2 / R(z)^2 - 1> = 0                    o
 *                                                    ooo|o        R
 *   with rho the distance of a center from          oooo|ooo <------->
 *   the axis. a and b are those for which          ooooo|oooo
 *   the sums over all spheres of                  ======|======
 *
 *        v g (2 rho^2 / R^2 - 1)   and   v g (2 rho^2 / R^2 - 1) z
 *
 * vanish: the method of moments (Hansen 1982, Econometrica 50, 1029). v is the volume of a sphere.
 * There is no surface to be defined between spheres, which is what makes slopes of height maps
 * depend on diameters: the statement is about the centers at a height that is given. How densely
 * they lie there (layers on the floor, looser below the surface) does not matter, as long as it is
 * the same all over the disc. Centers end a constant depth below the surface, which is a cone of
 * the same angle.
 *
 * Tip and toe. The tip of a heap is blunt and its toe runs out, and both are few spheres: the
 * weight g grows from 0 at the base to 1 at 20 % of the height of the heap, and falls from 1 at
 * 80 % to 0 at its top. It depends on z alone, so that it adds no bias. Strays are left out: only
 * the largest group of spheres that touch each other counts (floors.h).
 *
 * The error. The sums are split by sectors of azimuth around the axis, the center of volume. If J
 * is the matrix of derivatives of both sums and s_k the sums of sector k, then the covariance of
 * (a, b) is J^-1 (sum s_k s_k^T) J^-T (White 1980, Econometrica 48, 817), times n / (n - 2) for n
 * sectors with two parameters. It contains what makes a heap irregular around its axis. */
#include "base/memory.h"
#include "base/vec3.h"
#include "measure/floors.h"
#include "measure/view.h"
#include <stdlib.h>

#define FULL_TURN 6.283185307179586476925
enum { STEPS = 100 };
static const double layer = 1.5; /* diameters: what is lower lies side by side */
static const double ramp = 0.2;  /* of the height: tip and toe */
static const double flank = 1.0; /* diameters: the least width of a slope that can be told */

/* A sphere by its height above the base (m), distance from the axis (m) and weight v g. */
typedef struct point {
    double z, rho, weight;
    int sector;
} point;

typedef struct fitting {
    point *point;
    int count;
    double mean_radius; /* m, of spheres: the least radius of a section */
    double a, b;        /* R(z) = a - b z */
} fitting;

static double section(const fitting *f, double z)
{
    return plu_max(f->a - f->b * z, f->mean_radius);
}

/* What a sphere adds to the first sum; to the second it adds z times that. */
static double part(const fitting *f, const point *p)
{
    const double ratio = p->rho / section(f, p->z);
    return p->weight * (2.0 * ratio * ratio - 1.0);
}

/* J for the mean of the parts, where 2 rho^2 = R^2: -d(part)/da = 2 weight / R. */
static void derivatives(const fitting *f, double j[3])
{
    j[0] = j[1] = j[2] = 0.0;
    for (int k = 0; k < f->count; k++) {
        const point *p = &f->point[k];
        const double slope = 2.0 * p->weight / section(f, p->z);
        j[0] += slope;
        j[1] += slope * p->z;
        j[2] += slope * p->z * p->z;
    }
}

/* x = J^-1 s for parameters (a, -b). */
static void solve(const double j[3], const double s[2], double x[2])
{
    const double determinant = j[0] * j[2] - j[1] * j[1];
    x[0] = (j[2] * s[0] - j[1] * s[1]) / determinant;
    x[1] = (j[0] * s[1] - j[1] * s[0]) / determinant;
}

/* Newton's method with the mean of J, from three halves of the mean distance at all heights, the
 * radius of a disc (least squares). False: there is no slope. */
static bool fit(fitting *f)
{
    double n = 0.0, z = 0.0, r = 0.0, zz = 0.0, zr = 0.0;
    for (int k = 0; k < f->count; k++) {
        const point *p = &f->point[k];
        n += p->weight;
        z += p->weight * p->z;
        r += p->weight * 1.5 * p->rho;
        zz += p->weight * p->z * p->z;
        zr += p->weight * p->z * 1.5 * p->rho;
    }
    f->b = -(n * zr - z * r) / (n * zz - z * z);
    f->a = (r + f->b * z) / n;
    for (int step = 0; step < STEPS; step++) {
        double j[3], s[2] = {0.0, 0.0}, x[2];
        derivatives(f, j);
        for (int k = 0; k < f->count; k++) {
            const double sum = part(f, &f->point[k]);
            s[0] += sum;
            s[1] += sum * f->point[k].z;
        }
        solve(j, s, x);
        f->a += x[0];
        f->b -= x[1];
        if (!isfinite(f->a) || !isfinite(f->b))
            return false;
        if (fabs(x[1]) <= 1e-12 * (1.0 + fabs(f->b)))
            return f->b > 0.0;
    }
    return false;
}

/* Standard error of b. */
static double error_of(const fitting *f, int sectors)
{
    double sum[PLU_SECTORS][2] = {{0.0, 0.0}}, j[3], square = 0.0;
    if (sectors < 3)
        return NAN;
    for (int k = 0; k < f->count; k++) {
        const double one = part(f, &f->point[k]);
        sum[f->point[k].sector][0] += one;
        sum[f->point[k].sector][1] += one * f->point[k].z;
    }
    derivatives(f, j);
    for (int s = 0; s < sectors; s++) {
        double x[2];
        solve(j, sum[s], x);
        square += x[1] * x[1];
    }
    return sqrt(square * sectors / (sectors - 2.0));
}

static double cube(double x)
{
    return x * x * x;
}

/* Lists the spheres of the largest group above the base, by volume; the weights are volumes. */
static plu_status choose(int *chosen, int *count, const plu_view *view, double base, plu_error *err)
{
    int *group = plu_alloc((size_t)view->bodies, sizeof *group, err), best = -1;
    double *volume = plu_alloc((size_t)view->bodies, sizeof *volume, err);
    plu_status status = group && volume ? plu_touching_groups(group, view, err) : PLU_IO;
    *count = 0;
    for (int pass = 0; pass < 2 && status == PLU_OK; pass++)
        for (int b = 0; b < view->bodies; b++) {
            const double *x = plu_view_position(view, b), r = plu_view_radius(view, b);
            if (group[b] < 0 || plu_view_fixed(view, b) || !(x[2] > base) ||
                !isfinite(x[0] + x[1] + x[2]) || !(r > 0.0) || !isfinite(r))
                continue;
            if (pass == 1 && group[b] == best)
                chosen[(*count)++] = b;
            else if (pass == 0)
                volume[group[b]] += cube(r);
            if (pass == 0 && (best < 0 || volume[group[b]] > volume[best]))
                best = group[b];
        }
    free(group);
    free(volume);
    return status;
}

static void find_axis(plu_repose *repose, double *mean_radius, const plu_view *view, double base,
                      const int *chosen)
{
    double sum = 0.0, moment[2] = {0.0, 0.0};
    *mean_radius = 0.0;
    for (int k = 0; k < repose->spheres; k++) {
        const double *x = plu_view_position(view, chosen[k]), r = plu_view_radius(view, chosen[k]);
        sum += cube(r);
        *mean_radius += r / repose->spheres;
        repose->height = plu_max(repose->height, x[2] + r - base);
        for (int i = 0; i < 2; i++)
            moment[i] += cube(r) * x[i];
    }
    for (int i = 0; i < 2; i++)
        repose->axis[i] = moment[i] / sum;
}

static void place(point *p, const plu_repose *repose, const plu_view *view, double base, int body)
{
    const double *x = plu_view_position(view, body), r = plu_view_radius(view, body);
    const double from[2] = {x[0] - repose->axis[0], x[1] - repose->axis[1]};
    const double turn = atan2(from[1], from[0]) / FULL_TURN, z = (x[2] - base) / repose->height;
    const int sector = (int)((turn < 0.0 ? turn + 1.0 : turn) * repose->sectors);
    p->z = x[2] - base;
    p->rho = hypot(from[0], from[1]);
    p->weight = cube(r) * plu_max(0.0, plu_min(1.0, plu_min(z, 1.0 - z) / ramp));
    p->sector = sector < repose->sectors ? sector : 0;
}

static plu_status measure(plu_repose *repose, const plu_view *view, double base, const int *chosen,
                          plu_error *err)
{
    fitting f = {.count = repose->spheres};
    find_axis(repose, &f.mean_radius, view, base, chosen);
    if (repose->height < 2.0 * layer * f.mean_radius) {
        repose->none = "no heap: a layer lower than 1.5 d";
        return PLU_OK;
    }
    f.point = plu_alloc((size_t)f.count, sizeof *f.point, err);
    if (!f.point)
        return PLU_IO;
    for (int k = 0; k < f.count; k++)
        place(&f.point[k], repose, view, base, chosen[k]);
    if (!fit(&f)) {
        repose->none = "no heap: it does not get narrower upwards";
    } else if (f.b * repose->height < 2.0 * flank * f.mean_radius) {
        repose->none = "no heap: flat on top, its flank is narrower than 1 d";
    } else { /* d angle = sin^2 d cot */
        repose->none = NULL;
        repose->angle = atan2(1.0, f.b);
        repose->error = error_of(&f, repose->sectors) / (1.0 + f.b * f.b);
        repose->radius = f.a;
    }
    free(f.point);
    return PLU_OK;
}

plu_status plu_measure_repose(plu_repose *repose, const plu_view *view, double base, int sectors,
                              plu_error *err)
{
    *repose = (plu_repose){
        .axis = {NAN, NAN}, .sectors = sectors, .angle = NAN, .error = NAN, .radius = NAN};
    repose->none = "no heap: nothing lies on something level";
    int *chosen = plu_alloc((size_t)view->bodies, sizeof *chosen, err);
    plu_status status = chosen ? choose(chosen, &repose->spheres, view, base, err) : PLU_IO;
    if (status == PLU_OK && repose->spheres > 0)
        status = measure(repose, view, base, chosen, err);
    free(chosen);
    return status;
}
