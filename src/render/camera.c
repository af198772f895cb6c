#include "render/camera.h"

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

/* The least distance from which all corners of the box are inside the picture. */
static double fit(const plu_camera *camera, const plu_box *box, const double target[3],
                  const double slope[2])
{
    double distance = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        double q[3];
        for (int k = 0; k < 3; k++)
            q[k] = (corner >> k & 1 ? box->high[k] : box->low[k]) - target[k];
        const double x = fabs(plu_dot(q, camera->right)), y = fabs(plu_dot(q, camera->up));
        const double near = plu_max(x / slope[0], y / slope[1]) + plu_dot(q, camera->back);
        distance = plu_max(distance, near);
    }
    return distance;
}

void plu_camera_aim(plu_camera *camera, const plu_render_options *options, const plu_box *box,
                    double margin)
{
    const double width = options->width - margin, height = options->height;
    const double side = plu_min(width, height);
    camera->pixel = 2.0 * tan(half_angle) / side;
    camera->middle[0] = width / 2.0;
    camera->middle[1] = height / 2.0;
    set_axes(camera, options->azimuth, options->elevation);
    double target[3];
    for (int k = 0; k < 3; k++)
        target[k] = options->has_target ? options->target[k] : (box->low[k] + box->high[k]) / 2.0;
    const double full = 0.94 / 2.0 * camera->pixel; /* 6 % of the picture stay empty */
    const double slope[2] = {full * width, full * height};
    /* A target given by the user does not change the distance, at which the whole box is seen. */
    double middle[3];
    for (int k = 0; k < 3; k++)
        middle[k] = (box->low[k] + box->high[k]) / 2.0;
    const double distance =
        options->distance > 0.0 ? options->distance : fit(camera, box, middle, slope);
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
