/* Periodic cells: the grid gets, beside the spheres, images of those near the border, and what it
 * finds is named by sides. Of two images with opposite vectors one does, for the other one finds
 * the same pairs from their other sphere.
 *
 * The image of sphere a by the vector S is at x_a + H S; the columns of H are the edges a, b, c.
 *
 *      ________________          ________________       c' = c - f a  spans the same lattice:
 *      \   \           \   -->   /   /           /      H S = S_a a + S_c c
 *     c \   \           \     c'/   /           /           = (S_a + f S_c) a + S_c c'
 *        \___\___________\     /___/___________/
 *
 * So where a sheared cell sets its edge c back by f edges a, S_a grows by f S_c; and where a and b
 * leave the cell and come back at x - H s_a and x - H s_b, S grows by s_a - s_b: the distance
 * x_b - x_a - H S of the pair stays what it was, and so does its contact with all that it stores
 * (plu_detector_follow). Lees and Edwards, J. Phys. C 5 (1972) 1921. */
#include "base/memory.h"
#include "base/vec3.h"
#include "detect/detector.h"
#include "detect/match.h"
#include <stdlib.h>
#include <string.h>

/* An image of a sphere, listed behind the spheres. */
static plu_status add_image(plu_detector *d, int *count, int sphere, int image, const double at[4],
                            plu_error *err)
{
    const size_t k = (size_t)*count, listed = (size_t)d->images_count;
    plu_status s = plu_reserve(&d->member, &d->capacity_member, k + 1, sizeof *d->member, 1, err);
    if (s == PLU_OK)
        s = plu_reserve(&d->sphere, &d->capacity_sphere, k + 1, sizeof *d->sphere, 1, err);
    if (s == PLU_OK)
        s = plu_reserve(&d->images, &d->images_capacity, listed + 1, sizeof *d->images, 1, err);
    if (s != PLU_OK)
        return s;
    d->member[k] = d->world->spheres.count + d->images_count;
    memcpy(d->sphere[k], at, 4 * sizeof *at);
    plu_add_scaled(d->sphere[k], 1.0, d->world->space.shift[image]);
    d->images[d->images_count++] = plu_side_of_image(sphere, image);
    ++*count;
    return PLU_OK;
}

/* Whether the image of a sphere at the fractions f may meet a sphere in the cell, `reach` (in
 * fractions too) around it. */
static bool comes_near(const double f[3], int image, const double reach[3])
{
    int s[3];
    plu_image_vector(image, s);
    for (int k = 0; k < 3; k++)
        if (f[k] + s[k] < -reach[k] || f[k] + s[k] > 1.0 + reach[k])
            return false;
    return true;
}

static plu_status list_images(plu_detector *d, int *count, plu_error *err)
{
    const plu_space *space = &d->world->space;
    const int real = *count;
    double largest = 0.0;
    plu_status s = PLU_OK;
    for (int k = 0; k < real; k++)
        largest = plu_max(largest, d->sphere[k][3]);
    for (int k = 0; k < real && s == PLU_OK; k++) {
        double at[4], f[3], reach[3];
        bool inside = true;
        memcpy(at, d->sphere[k], sizeof at); /* the array may move */
        for (int i = 0; i < 3; i++) {
            f[i] = space->periodic[i] ? plu_space_fraction(space, i, at) : 0.5;
            reach[i] = (at[3] + largest) / space->height[i];
            inside &= !space->periodic[i] || (f[i] >= reach[i] && f[i] <= 1.0 - reach[i]);
        }
        for (int rank = PLU_IMAGE_CENTER + 1; rank < PLU_IMAGES && !inside && s == PLU_OK; rank++) {
            const int image = plu_image_of_rank(rank);
            if (plu_space_has_image(space, image) && comes_near(f, image, reach))
                s = add_image(d, count, d->member[k], image, at, err);
        }
    }
    return s;
}

static int opposite(int image)
{
    return plu_image_of_rank(2 * PLU_IMAGE_CENTER - plu_image_rank(image));
}

/* The candidate of a sphere and an image: a is the sphere with the smaller number. */
static plu_pair name_pair(int sphere, plu_side image)
{
    const int other = plu_side_sphere(image);
    return sphere < other ? (plu_pair){plu_side_pack(plu_side_of_image(
                                           sphere, opposite(plu_side_image(image)))),
                                       other}
                          : (plu_pair){plu_side_pack(image), sphere};
}

static uint64_t order_of(plu_pair pair)
{
    return (uint64_t)plu_pair_sphere(pair) << 31 | (uint64_t)pair.b << PLU_RANK_BITS |
           (uint64_t)plu_image_rank(plu_pair_image(pair));
}

static int by_order(const void *x, const void *y)
{
    const uint64_t a = order_of(*(const plu_pair *)x), b = order_of(*(const plu_pair *)y);
    return (a > b) - (a < b);
}

/* Pairs of two spheres stay in their order, in front; those with images go to `found`. A sphere
 * never touches its own image, for cells are wide enough (world/cell.c). */
static plu_status take_images(plu_detector *d, plu_error *err)
{
    plu_pairs *pairs = &d->spheres;
    const int spheres = d->world->spheres.count;
    size_t kept = 0;
    d->found.count = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        const plu_pair p = pairs->pair[k];
        if (p.b < spheres) {
            pairs->pair[kept++] = p;
            continue;
        }
        if (p.a >= spheres || plu_side_sphere(d->images[p.b - spheres]) == p.a)
            continue;
        const plu_status s = plu_reserve(&d->found.pair, &d->found.capacity, d->found.count + 1,
                                         sizeof *d->found.pair, 1, err);
        if (s != PLU_OK)
            return s;
        d->found.pair[d->found.count++] = name_pair(p.a, d->images[p.b - spheres]);
    }
    pairs->count = kept;
    return PLU_OK;
}

plu_status plu_name_images(plu_detector *d, plu_error *err)
{
    plu_status s = take_images(d, err);
    plu_pairs *all = &d->spheres, *found = &d->found;
    if (s != PLU_OK || found->count == 0)
        return s;
    qsort(found->pair, found->count, sizeof *found->pair, by_order);
    s = plu_reserve(&all->pair, &all->capacity, all->count + found->count, sizeof *all->pair, 1,
                    err);
    if (s != PLU_OK)
        return s;
    size_t old = all->count, fresh = found->count, to = all->count += found->count;
    while (fresh) {
        const bool old_last =
            old && order_of(all->pair[old - 1]) > order_of(found->pair[fresh - 1]);
        all->pair[--to] = old_last ? all->pair[--old] : found->pair[--fresh];
    }
    return PLU_OK;
}

plu_status plu_list_images(plu_detector *d, int *count, plu_error *err)
{
    d->images_count = 0;
    memcpy(d->listed_shift, d->world->space.shift, sizeof d->listed_shift);
    return d->world->space.kind == PLU_OPEN_SPACE ? PLU_OK : list_images(d, count, err);
}

double plu_cell_moved(const plu_detector *d)
{
    const plu_space *space = &d->world->space;
    double most = 0.0;
    for (int image = 0; image < PLU_IMAGES && space->moves; image++) {
        double way[3];
        plu_sub(space->shift[image], d->listed_shift[image], way);
        if (plu_space_has_image(space, image))
            most = plu_max(most, plu_norm(way));
    }
    return most;
}

/* The side of a when a and b were wrapped; false where it is too far to have a number. */
static bool follow(const plu_world *w, plu_side *a, int b)
{
    const int *sa = w->wrapped[plu_side_owner(w, *a)], *sb = w->wrapped[plu_owner(&w->spheres, b)];
    int s[3];
    plu_image_vector(plu_side_image(*a), s);
    s[0] += w->flip * s[2];
    for (int k = 0; k < 3; k++)
        s[k] += sa[k] - sb[k];
    const int image = plu_image_of_vector(s);
    if (image >= 0)
        *a = plu_side_of_image(plu_side_sphere(*a), image);
    return image >= 0;
}

static bool was_wrapped(const plu_world *w, int body)
{
    const int *s = w->wrapped[body];
    return s[0] != 0 || s[1] != 0 || s[2] != 0;
}

/* Puts contact k where it belongs among those before it: contacts of the same two spheres, whose
 * order another set of edges may change. */
static void sort_in(plu_contacts *list, int k)
{
    for (; k > 0 && list->key[k - 1] > list->key[k]; k--) {
        const plu_contact c = list->contact[k];
        const uint64_t key = list->key[k];
        const plu_impulse p = list->impulse[k];
        list->contact[k] = list->contact[k - 1];
        list->contact[k - 1] = c;
        list->key[k] = list->key[k - 1];
        list->key[k - 1] = key;
        list->impulse[k] = list->impulse[k - 1];
        list->impulse[k - 1] = p;
        if (list->rebounds) {
            const plu_rebound r = list->rebound[k];
            list->rebound[k] = list->rebound[k - 1];
            list->rebound[k - 1] = r;
        }
    }
}

/* Where edges stay as they are so does the order: contacts of the same spheres change alike. */
static void follow_contacts(plu_detector *d)
{
    const plu_world *w = d->world;
    plu_contacts *list = &d->now;
    for (int k = 0; k < list->count; k++) {
        plu_contact *c = &list->contact[k];
        if (plu_side_is_part(c->a) || !(w->flip || was_wrapped(w, plu_side_owner(w, c->a)) ||
                                        was_wrapped(w, plu_owner(&w->spheres, c->b))))
            continue;
        if (follow(w, &c->a, c->b))
            list->key[k] = plu_contact_key(w, c);
        sort_in(list, k);
    }
}

void plu_detector_follow(plu_detector *d)
{
    const plu_world *w = d->world;
    if (w->wraps == 0 && w->flip == 0)
        return;
    follow_contacts(d);
    d->built &= w->flip == 0;
    if (!d->built || d->generation != w->generation)
        return;
    for (int i = 0; i < w->spheres.count; i++) {
        const int body = plu_owner(&w->spheres, i);
        for (int k = 0; k < 3 && was_wrapped(w, body); k++)
            plu_add_scaled(d->origin[i], -w->wrapped[body][k], w->space.edge[k]);
    }
    for (size_t k = 0; k < d->spheres.count; k++) {
        plu_pair *p = &d->spheres.pair[k];
        plu_side a = plu_side_of_pair(*p);
        if (was_wrapped(w, plu_side_owner(w, a)) || was_wrapped(w, plu_owner(&w->spheres, p->b))) {
            d->built &= follow(w, &a, p->b);
            p->a = plu_side_pack(a);
        }
    }
}
