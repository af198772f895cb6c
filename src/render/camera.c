#include "render/camera.h"
#include <string.h>

static const double half_angle = 0.23; /* rad: half the angle of view along the shorter side */

static void set_axes(plu_camera *camera, double azimuth, double elevation)
{
    const double degree = acos(-1.0) / 180.0;
    const double a = azimuth * degree, e = elevation * degree;
    const double back[3] = {cos(e) * cos(a), cos(e) * sin(a), sin(e)};
    const double right[3] = {-sin(a), cos(a), 0.0};
    for (int k = 0; k < 3; k++) {
        camera->back[k] = back[k];
        camera->right[k] = right[k];
    }
    plu_cross(back, right, camera->up);
}

void plu_camera_turn(plu_camera *camera, plu_fit *fit, const plu_render_options *options,
                     double margin, double foot)
{
    const double width = options->width - margin, height = options->height - foot;
    camera->pixel = 2.0 * tan(half_angle) / plu_min(width, height);
    camera->middle[0] = width / 2.0;
    camera->middle[1] = height / 2.0;
    set_axes(camera, options->azimuth, options->elevation);
    const double full = 0.94 / 2.0 * camera->pixel; /* 6 % of the picture stay empty */
    *fit = (plu_fit){.slope = {full * width, full * height}, .back = {-INFINITY, INFINITY}};
    for (int k = 0; k < 4; k++) {
        const double *side = k < 2 ? camera->right : camera->up;
        fit->most[k] = -INFINITY;
        for (int i = 0; i < 3; i++)
            fit->normal[k][i] =
                camera->back[i] + (k & 1 ? -1.0 : 1.0) * side[i] / fit->slope[k / 2];
    }
}

void plu_fit_ball(plu_fit *fit, const plu_camera *camera, const double x[3], double r)
{
    const double back = plu_dot(camera->back, x);
    for (int k = 0; k < 4; k++)
        fit->most[k] =
            plu_max(fit->most[k], plu_dot(fit->normal[k], x) + plu_norm(fit->normal[k]) * r);
    fit->back[0] = plu_max(fit->back[0], back + r);
    fit->back[1] = plu_min(fit->back[1], back - r);
}

/* With the target in the middle of both pairs of planes, those that are farther apart say how far
 * away the eye is. */
void plu_camera_aim(plu_camera *camera, const plu_fit *fit, const plu_render_options *options)
{
    const double back = isfinite(fit->back[0]) ? (fit->back[0] + fit->back[1]) / 2.0 : 0.0;
    double target[3], distance = 0.0;
    for (int i = 0; i < 3; i++)
        target[i] = back * camera->back[i];
    for (int k = 0; k < 2 && isfinite(fit->back[0]); k++) {
        const double *most = &fit->most[2 * k];
        const double aside = fit->slope[k] * (most[0] - most[1]) / 2.0;
        plu_add_scaled(target, aside, k == 0 ? camera->right : camera->up);
        distance = plu_max(distance, (most[0] + most[1]) / 2.0 - back);
    }
    if (options->has_target) /* it does not change the distance */
        memcpy(target, options->target, sizeof target);
    if (options->distance > 0.0)
        distance = options->distance;
    camera->pixel /= options->zoom;
    for (int k = 0; k < 3; k++) {
        camera->focus[k] = target[k];
        camera->eye[k] = target[k] + distance * camera->back[k];
    }
}

plu_ray plu_camera_ray(const plu_camera *camera, double x, double y)
{
    plu_ray ray;
    const double right = (x - camera->middle[0]) * camera->pixel;
    const double up = (camera->middle[1] - y) * camera->pixel;
    const double s = 1.0 / sqrt(1.0 + right * right + up * up);
    for (int k = 0; k < 3; k++) {
        ray.o[k] = camera->eye[k];
        ray.d[k] = s * (right * camera->right[k] + up * camera->up[k] - camera->back[k]);
    }
    return ray;
}
