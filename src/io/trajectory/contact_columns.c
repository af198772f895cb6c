/* Columns of /contacts, one row of a table each with put_NAME (to the file) and take_NAME (back).
 * Vectors are in the frame (n, t1, t2) of the contact in the file, in the world's in memory:
 *
 *     x = x_n n + x_1 t1 + x_2 t2 ,   t1 stored as `tangent` ,   t2 = n x t1
 *
 *            n              b is a sphere, a another one or part of a boundary; n points from a to
 * b, |   t2         impulses act on b b (|) /
 *            +---- t1
 *         a ( )
 *
 * A reader goes through the columns in order: `normal` before those that need it, `tangent` handed
 * on to those that follow. A new column is a row of the list in the header, a put and a take. */
#include "io/trajectory/contact_columns.h"
#include "base/vec3.h"
#include <string.h>

static void copy3(double out[3], const double in[3])
{
    memcpy(out, in, 3 * sizeof *out);
}

/* The components of a vector in the frame of the contact. */
static void in_frame(const plu_contact_row *row, const double x[3], double out[3])
{
    double t1[3], t2[3];
    plu_frame(row->normal, t1, t2);
    out[0] = plu_dot(x, row->normal);
    out[1] = plu_dot(x, t1);
    out[2] = plu_dot(x, t2);
}

/* The vector in the world frame of the tangential components c[1], c[2]. */
static void tangential(const double normal[3], const double t1[3], const double c[3], double out[3])
{
    double t2[3];
    plu_cross(normal, t1, t2);
    for (int i = 0; i < 3; i++)
        out[i] = c[1] * t1[i] + c[2] * t2[i];
}

static void put_body(const plu_contact_row *row, double *out)
{
    out[0] = plu_side_to_file(row->a);
    out[1] = row->b;
}

static void take_body(const double *x, const double *t1, plu_contact_row *row)
{
    (void)t1;
    row->a = plu_side_from_file((int)x[0], 0);
    row->b = (int)x[1];
}

static void put_point(const plu_contact_row *row, double *out)
{
    copy3(out, row->point);
}

static void take_point(const double *x, const double *t1, plu_contact_row *row)
{
    (void)t1;
    copy3(row->point, x);
}

static void put_normal(const plu_contact_row *row, double *out)
{
    copy3(out, row->normal);
}

static void take_normal(const double *x, const double *t1, plu_contact_row *row)
{
    (void)t1;
    copy3(row->normal, x);
}

/* plu_frame chooses t1 from the normal alone: the same normal has the same frame in each file. */
static void put_tangent(const plu_contact_row *row, double *out)
{
    double t2[3];
    plu_frame(row->normal, out, t2);
}

/* Nothing to take: readers hand it to the columns after it as t1. */
static void take_tangent(const double *x, const double *t1, plu_contact_row *row)
{
    (void)x;
    (void)t1;
    (void)row;
}

static void put_gap(const plu_contact_row *row, double *out)
{
    out[0] = row->gap;
}

static void take_gap(const double *x, const double *t1, plu_contact_row *row)
{
    (void)t1;
    row->gap = x[0];
}

static void put_impulse(const plu_contact_row *row, double *out)
{
    in_frame(row, row->impulse_tangent, out);
    out[0] = row->impulse_normal;
}

static void take_impulse(const double *x, const double *t1, plu_contact_row *row)
{
    row->impulse_normal = x[0];
    tangential(row->normal, t1, x, row->impulse_tangent);
}

static void put_moment(const plu_contact_row *row, double *out)
{
    in_frame(row, row->impulse_moment, out);
}

static void take_moment(const double *x, const double *t1, plu_contact_row *row)
{
    tangential(row->normal, t1, x, row->impulse_moment);
    plu_add_scaled(row->impulse_moment, x[0], row->normal); /* m_P */
}

static void put_velocity(const plu_contact_row *row, double *out)
{
    in_frame(row, row->velocity, out);
}

static void take_velocity(const double *x, const double *t1, plu_contact_row *row)
{
    tangential(row->normal, t1, x, row->velocity);
    plu_add_scaled(row->velocity, x[0], row->normal);
}

static void put_status(const plu_contact_row *row, double *out)
{
    out[0] = row->mode;
}

static void take_status(const double *x, const double *t1, plu_contact_row *row)
{
    (void)t1;
    row->mode = (unsigned char)x[0];
}

static void put_law(const plu_contact_row *row, double *out)
{
    out[0] = row->law;
}

static void take_law(const double *x, const double *t1, plu_contact_row *row)
{
    (void)t1;
    row->law = (int)x[0];
}

#define FACTS(NAME, name, dataset, components, unit, type)                                         \
    {dataset, components, unit, type, put_##name, take_##name},
const plu_contact_column_facts plu_contact_columns[PLU_CONTACT_COLUMNS] = {
    PLU_CONTACT_COLUMN_ROWS(FACTS)};
