/* The light that a point of a surface reflects to the eye:
 *
 *   exposure albedo (e open + (1 - e) (S sun (n . s) + open (u sky + (1 - u) ground)))
 *     + S gloss (n . h)^40
 *
 * with the normal n, the direction s of the sun and the share S of its disc that is not hidden, u =
 * (1 + n_z) / 2, `open` the share of the sky that is not hidden, e the share of light that comes
 * from anywhere alike, and h half-way between sun and eye (J. F. Blinn, SIGGRAPH 1977). */
#include "render/shade.h"
#include <string.h>

static const double sun_radius = 0.06; /* rad: softness of shadows */
static const double sun_light = 0.68, sky_light = 0.40, ground_light = 0.20, exposure = 1.13;
static const float paper[3] = {1.0f, 1.0f, 1.0f}; /* background */

static void normalize(double a[3])
{
    const double s = 1.0 / plu_norm(a);
    for (int k = 0; k < 3; k++)
        a[k] *= s;
}

/* Places the sun above and to the left of the camera, so that shadows fall to the right and are
 * visible. */
static void place_sun(plu_studio *studio, const plu_camera *camera)
{
    const double *right = camera->right;
    const double front[3] = {right[1], -right[0], 0.0}; /* level, towards the camera */
    for (int k = 0; k < 3; k++)
        studio->sun[k] = 0.35 * front[k] - 0.65 * right[k];
    studio->sun[2] += 1.1;
    normalize(studio->sun);
    plu_frame(studio->sun, studio->sun_u, studio->sun_v);
}

typedef struct surface {
    double point[3], normal[3], albedo[3];
    double gloss, even; /* even: share of the light that does not depend on where it comes from */
} surface;

/* x in the frame of a body: the inverse of its rotation. */
static void into_body(const double q[4], const double x[3], double y[3])
{
    const double v[3] = {-q[1], -q[2], -q[3]};
    double a[3], b[3];
    plu_cross(v, x, a);
    plu_cross(v, a, b);
    for (int k = 0; k < 3; k++)
        y[k] = x[k] + 2.0 * (q[0] * a[k] + b[k]);
}

/* Marks a sphere: of its eight octants, alternate ones are light. */
static void mark(const double q[4], surface *s)
{
    double y[3];
    into_body(q, s->normal, y);
    if ((y[0] > 0.0) ^ (y[1] > 0.0) ^ (y[2] > 0.0))
        for (int k = 0; k < 3; k++)
            s->albedo[k] = 0.25 * s->albedo[k] + 0.75 * 0.92;
}

static void on_ball(const plu_model *model, int i, surface *s)
{
    plu_sub(s->point, model->ball[i].c, s->normal);
    normalize(s->normal);
    for (int k = 0; k < 3; k++)
        s->albedo[k] = model->balls_rgb[i][k];
    if (model->orientation)
        mark(model->orientation[model->body[i]], s);
    s->gloss = 0.10;
}

/* The normal of a cone: at its foot against the axis, else the way from the axis and, by the slope
 * of the mantle, along it. */
static void on_tip(const plu_rod *cone, const double axis[3], double at, double normal[3])
{
    const double length = plu_norm(axis);
    if (at < 1e-9)
        memset(normal, 0, 3 * sizeof *normal);
    plu_add_scaled(normal, (at < 1e-9 ? -1.0 : cone->r / length) / length, axis);
    normalize(normal);
}

static void on_rod(const plu_model *model, int i, surface *s)
{
    const plu_rod *rod = &model->rod[i];
    double axis[3];
    plu_sub(rod->b, rod->a, axis);
    plu_sub(s->point, rod->a, s->normal);
    const double length = plu_dot(axis, axis);
    const double at = length > 0.0 ? plu_dot(s->normal, axis) / length : 0.0;
    plu_add_scaled(s->normal, -plu_min(plu_max(at, 0.0), 1.0), axis);
    normalize(s->normal);
    if (rod->tip)
        on_tip(rod, axis, at, s->normal);
    for (int k = 0; k < 3; k++)
        s->albedo[k] = model->rods_rgb[i][k];
}

/* A flat wall has squares of a known width, which show the scale. */
static void on_flat(const plu_model *model, int i, surface *s)
{
    const plu_flat *flat = &model->flat[i];
    double from[3];
    plu_sub(s->point, flat->center, from);
    const double x = floor(plu_dot(from, flat->u) / model->tile),
                 y = floor(plu_dot(from, flat->v) / model->tile);
    const double white = fmod(fabs(x + y), 2.0) < 0.5 ? 0.79 : 0.725;
    memcpy(s->normal, flat->normal, sizeof s->normal);
    s->even = flat->normal[2] < 0.5 ? 0.7 : 0.0; /* walls of a container stay light */
    for (int k = 0; k < 3; k++)
        s->albedo[k] = white;
}

/* Of a mesh the side is seen that faces the ray; containers stay light. */
static void on_facet(const plu_model *model, int i, const plu_ray *ray, surface *s)
{
    const plu_facet *facet = &model->facet[i];
    plu_cross(facet->edge[0], facet->edge[1], s->normal);
    normalize(s->normal);
    const double side = plu_dot(s->normal, ray->d) > 0.0 ? -1.0 : 1.0;
    for (int k = 0; k < 3; k++) {
        s->normal[k] *= side;
        s->albedo[k] = 0.75;
    }
    s->even = facet->front || facet->clear ? 0.7 : 0.0;
}

/* Points of the sun's disc on a spiral that fills it evenly, each turned like the pixel. */
static void fill_disc(plu_studio *studio)
{
    const double golden = 2.399963229728653; /* rad */
    for (int all = 1; all <= PLU_LIGHTS; all++)
        for (int i = 0; i < all; i++) {
            const double r = sun_radius * sqrt((i + 0.5) / all);
            studio->disc[all][i][0] = r * cos(golden * i);
            studio->disc[all][i][1] = r * sin(golden * i);
        }
}

/* The share of the sun's disc that is visible from the surface. */
static double sunlight(const plu_studio *studio, const surface *s, const plu_lights *lights,
                       bool *partly)
{
    int seen = 0;
    plu_ray ray;
    memcpy(ray.o, s->point, sizeof ray.o);
    plu_add_scaled(ray.o, studio->near, s->normal);
    for (int i = lights->first; i < lights->first + lights->count; i++) {
        const double *p = studio->disc[lights->all][i];
        const double x = lights->turn[0] * p[0] - lights->turn[1] * p[1];
        const double y = lights->turn[1] * p[0] + lights->turn[0] * p[1];
        for (int k = 0; k < 3; k++)
            ray.d[k] = studio->sun[k] + x * studio->sun_u[k] + y * studio->sun_v[k];
        normalize(ray.d);
        seen += !plu_cells_any(&studio->cells, &ray, studio->near);
    }
    *partly = seen > 0 && seen < lights->count;
    return (double)seen / lights->count;
}

static void light(const plu_studio *studio, const plu_ray *ray, const surface *s,
                  const plu_lights *lights, double rgb[3], bool *partly)
{
    const double facing = plu_dot(s->normal, studio->sun);
    const double sun = facing > 0.0 ? sunlight(studio, s, lights, partly) : 0.0;
    const double open = plu_cells_open(&studio->cells, s->point, s->normal, studio->reach);
    const double up = 0.5 + 0.5 * s->normal[2];
    const double ambient = (sky_light * up + ground_light * (1.0 - up)) * open;
    double half[3];
    plu_sub(studio->sun, ray->d, half);
    normalize(half);
    const double shine = plu_max(plu_dot(half, s->normal), 0.0);
    const double gloss = s->gloss > 0.0 && sun > 0.0 ? s->gloss * sun * pow(shine, 40.0) : 0.0;
    for (int k = 0; k < 3; k++)
        rgb[k] = s->albedo[k] * exposure *
                     (s->even * open + (1.0 - s->even) * (sun * sun_light * facing + ambient)) +
                 gloss;
}

plu_status plu_studio_build(plu_studio *studio, const plu_model *model, const plu_camera *camera,
                            plu_error *err)
{
    *studio = (plu_studio){.model = model};
    place_sun(studio, camera);
    fill_disc(studio);
    studio->near = 1e-5 * model->size;
    studio->reach = 4.0 * model->size;
    studio->haze = 3.0 * plu_norm((double[]){camera->eye[0] - camera->focus[0],
                                             camera->eye[1] - camera->focus[1],
                                             camera->eye[2] - camera->focus[2]});
    return plu_cells_build(&studio->cells, model->ball, model->balls, model->rod, model->rods,
                           model->clear > 0.0 ? model->outlines : model->lines, model->facet,
                           model->facets, err);
}

void plu_studio_free(plu_studio *studio)
{
    plu_cells_free(&studio->cells);
}

/* The number of the nearest object; *t: its distance. */
static int shade_look(const plu_studio *studio, const plu_ray *ray, double near, double *t)
{
    const plu_model *model = studio->model;
    *t = INFINITY;
    int hit = -1;
    for (int i = 0; i < model->flats; i++) {
        const double at = plu_ray_flat(ray, &model->flat[i], near);
        if (at < *t) {
            *t = at;
            hit = model->balls + model->rods + model->facets + i;
        }
    }
    const int item = plu_cells_first(&studio->cells, ray, near, t);
    return item >= 0 ? item : hit;
}

/* Whether what a ray hits is of a boundary, but for the lines. */
static bool is_wall(const plu_model *model, int hit)
{
    const int rod = hit - model->balls;
    return rod >= model->rods || (rod >= model->lines && rod < model->outlines);
}

/* The light of what is hit at distance t; returns how much of it reaches the eye through haze. */
static double shade_hit(const plu_studio *studio, const plu_ray *ray, int hit, double t,
                        const plu_lights *lights, double back[3], bool *partly)
{
    const plu_model *model = studio->model;
    surface s = {.gloss = 0.0};
    memcpy(s.point, ray->o, sizeof s.point);
    plu_add_scaled(s.point, t, ray->d);
    const int rod = hit - model->balls, facet = rod - model->rods, flat = facet - model->facets;
    if (flat >= 0)
        on_flat(model, flat, &s);
    else if (facet >= 0)
        on_facet(model, facet, ray, &s);
    else if (rod >= 0)
        on_rod(model, rod, &s);
    else
        on_ball(model, hit, &s);
    light(studio, ray, &s, lights, back, partly);
    return flat >= 0 && isinf(model->flat[flat].half[0])
               ? exp(-plu_max(t / studio->haze - 0.33, 0.0) * 2.0)
               : 1.0; /* planes without end fade into the paper */
}

int plu_shade(const plu_studio *studio, const plu_ray *ray, const plu_lights *lights, float rgb[3],
              bool *partly)
{
    enum { LAYERS = 16 }; /* of clear walls, one behind the other */
    const plu_model *model = studio->model;
    double sum[3] = {0.0, 0.0, 0.0}, left = 1.0, near = 0.0;
    int first = -1;
    *partly = false;
    for (int layer = 0; layer < LAYERS && left > 1e-3; layer++) {
        double t, back[3];
        bool edge = false;
        const int hit = shade_look(studio, ray, near, &t);
        if (hit < 0)
            break;
        const double seen = is_wall(model, hit) ? 1.0 - model->clear : 1.0;
        const double clear = shade_hit(studio, ray, hit, t, lights, back, &edge);
        for (int k = 0; k < 3; k++)
            sum[k] += left * seen * (clear * back[k] + (1.0 - clear) * paper[k]);
        first = first < 0 ? hit : first;
        *partly = *partly || edge;
        left *= 1.0 - seen;
        near = t + studio->near;
    }
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)(sum[k] + left * paper[k]);
    return first;
}
