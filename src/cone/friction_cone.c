#include "cone/friction_cone.h"

void plu_rolling_cone_project(double p[5], double a, double b)
{
    const double t = hypot(p[PLU_T1], p[PLU_T2]), s = hypot(p[PLU_R1], p[PLU_R2]);
    const double n = plu_cone_normal(p[PLU_N], t, s, a, b);
    const double ft = plu_disk_factor(t, a * n), fs = plu_disk_factor(s, b * n);
    p[PLU_N] = n;
    p[PLU_T1] *= ft;
    p[PLU_T2] *= ft;
    p[PLU_R1] *= fs;
    p[PLU_R2] *= fs;
}

void plu_pivoting_cone_project(double p[7], double a, double b, double c)
{
    const double t = hypot(p[PLU_T1], p[PLU_T2]), s = hypot(p[PLU_R1], p[PLU_R2]);
    const double n = plu_cone_normal_pivoting(p[PLU_N], t, s, fabs(p[5]), a, b, c);
    const double slide = plu_disk_factor(t, a * n), roll = plu_disk_factor(s, b * n);
    p[PLU_N] = n;
    for (int i = 0; i < 2; i++) {
        p[PLU_T1 + i] *= slide;
        p[PLU_R1 + i] *= roll;
    }
    p[5] = plu_into_interval(p[5], c * n);
    p[6] = 0.0;
}

void plu_modified_velocity(const double y[5], double a, double b, double y_hat[5])
{
    for (int i = 0; i < PLU_COMPONENTS; i++)
        y_hat[i] = y[i];
    y_hat[PLU_N] +=
        plu_lift(a, hypot(y[PLU_T1], y[PLU_T2])) + plu_lift(b, hypot(y[PLU_R1], y[PLU_R2]));
}

void plu_natural_map(const double p[5], const double y[5], double a, double b, double rho,
                     double f[5])
{
    double y_hat[5], x[5];
    plu_modified_velocity(y, a, b, y_hat);
    for (int i = 0; i < PLU_COMPONENTS; i++)
        x[i] = p[i] - rho * y_hat[i];
    plu_rolling_cone_project(x, a, b);
    for (int i = 0; i < PLU_COMPONENTS; i++)
        f[i] = p[i] - x[i];
}
