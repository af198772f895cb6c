/* The narrow phase. A first look at all candidates marks and counts those that are contacts, so
 * that the second, at these alone, writes each contact where it belongs in lists of the right
 * length and carries its impulse over while it is in cache. Where candidates are so few that there
 * is one chunk of them, one look writes them one after the other.
 *
 *     candidates   . x . . x x . x | . . x . . . x .      x: a contact, by the first look
 *     marks        0 1 0 0 1 1 0 1 | 0 0 1 0 0 0 1 0      one bit each
 *     first        0               | 4                    sum of the counts of chunks before
 *     contacts     x x x x           x x                  the second look, each chunk by itself
 *
 * The list has the order of the candidates for any number of threads. A look computes the gap g and
 * the approach u_N of a pair, which is a contact if it may touch within the step (look.h):
 *
 *     g + h u_N <= min(0.03 q r, 2 h v_max) + (|v_a| + |v_b|) q h / 4 + |g| h^2
 *
 * (src/theory.md, "Touch"): its way by the velocities at the start, and what these may change by.
 */
#include "base/memory.h"
#include "base/stop.h"
#include "base/team.h"
#include "detect/look.h"
#include "detect/look_lanes.h"
#include "detect/match.h"
#include <limits.h>

enum { WORD = 64, CHUNK = 64 }; /* candidates to a word of marks, words to a chunk */

static size_t words_for(size_t candidates)
{
    return (candidates + WORD - 1) / WORD;
}

/* At least one, for extra pairs. */
static size_t chunks_for(size_t words)
{
    return words > CHUNK ? (words + CHUNK - 1) / CHUNK : 1;
}

/* The candidates of a word: walls begin a new one after those of the pairs of spheres. */
static const plu_pair *candidates_of(const plu_detector *d, size_t word, int *count, bool *walls)
{
    const size_t spheres = words_for(d->spheres.count);
    *walls = word >= spheres;
    const plu_pairs *all = *walls ? &d->walls : &d->spheres;
    const size_t from = (*walls ? word - spheres : word) * WORD;
    *count = all->count - from < WORD ? (int)(all->count - from) : WORD;
    return all->pair + from;
}

/* Asks for the spheres of a word that comes later. */
PLU_FETCH void fetch_spheres(const plu_detector *d, size_t word)
{
    int count;
    bool walls;
    const plu_pair *pair = candidates_of(d, word, &count, &walls);
    for (int k = 0; !walls && k < count; k++) {
        const int a = plu_pair_sphere(pair[k]);
        plu_fetch(d->world->spheres.at[a]);
        plu_fetch(d->world->spheres.at[pair[k].b]);
        plu_fetch(plu_sphere_velocity(d->world, a));
        plu_fetch(plu_sphere_velocity(d->world, pair[k].b));
    }
}

static uint64_t touching(plu_detector *d, size_t word)
{
    int count;
    bool walls;
    const plu_pair *pair = candidates_of(d, word, &count, &walls);
    if (!walls)
        return PLU_ISA_BEST(plu_touching)(&d->sight, pair, count);
    plu_contact contact[WORD];
    return plu_touching_walls(d, (size_t)(pair - d->walls.pair), count, contact);
}

/* Writes the contacts of a word; returns how many. */
static int write_contacts(const plu_detector *d, size_t word, plu_contact *contact)
{
    int count, found = 0;
    bool walls;
    const plu_pair *pair = candidates_of(d, word, &count, &walls);
    plu_pair touch[WORD];
    for (uint64_t left = d->touching[word]; left; left &= left - 1)
        touch[found++] = pair[__builtin_ctzll(left)];
    if (!walls && found > 0)
        PLU_ISA_BEST(plu_touch)(&d->sight, touch, found, contact);
    for (int k = 0; walls && k < found; k++)
        plu_look_at_wall(&d->sight, touch[k], &contact[k]);
    return found;
}

static size_t end_of(size_t chunk, size_t words)
{
    return words - chunk * CHUNK < CHUNK ? words : (chunk + 1) * CHUNK;
}

/* Where the extra pairs of a chunk begin: those before its first candidate belong to the chunk
 * before, and the last chunk with pairs of spheres has all the rest. */
static size_t extra_of(const plu_detector *d, size_t chunk)
{
    const size_t from = chunk * CHUNK * WORD;
    if (chunk == 0)
        return 0;
    return from < d->spheres.count ? plu_pair_place(&d->extra, d->spheres.pair[from])
                                   : d->extra.count;
}

static int count_extra(const plu_detector *d, size_t chunk)
{
    const size_t end = extra_of(d, chunk + 1);
    plu_contact c;
    int count = 0;
    for (size_t k = extra_of(d, chunk); k < end; k++)
        count += plu_look_at_spheres(&d->sight, d->extra.pair[k], &c);
    return count;
}

static bool stands_before(const plu_world *w, const plu_contact *c, const plu_contact *other)
{
    return plu_contact_key(w, c) < plu_contact_key(w, other);
}

/* Puts the contacts of the extra pairs of a chunk among those from begin to end - 1: from behind,
 * so that each contact is moved once. They end at `to` then. */
static void insert_extra(const plu_detector *d, size_t chunk, int begin, int end, int to)
{
    plu_contact *contact = d->now.contact, c;
    for (size_t k = extra_of(d, chunk + 1); to > end; k--) {
        if (!plu_look_at_spheres(&d->sight, d->extra.pair[k - 1], &c))
            continue;
        while (end > begin && stands_before(d->world, &c, &contact[end - 1]))
            contact[--to] = contact[--end];
        contact[--to] = c;
    }
}

/* Marks the contacts; first[chunk + 1]: their number in a chunk. */
static void mark(plu_detector *d, size_t words)
{
#pragma omp for schedule(static) nowait
    for (size_t chunk = 0; chunk < chunks_for(words); chunk++) {
        d->first[chunk + 1] = 0;
        if (plu_stops(d->world->stop))
            continue;
        int count = count_extra(d, chunk);
        for (size_t word = chunk * CHUNK; word < end_of(chunk, words); word++) {
            if (word + 1 < words)
                fetch_spheres(d, word + 1);
            d->touching[word] = touching(d, word);
            count += __builtin_popcountll(d->touching[word]);
        }
        d->first[chunk + 1] = count;
    }
}

static void write_marked(plu_detector *d, size_t words, bool *same)
{
#pragma omp for schedule(static) nowait
    for (size_t chunk = 0; chunk < chunks_for(words); chunk++) {
        int at = d->first[chunk];
        if (plu_stops(d->world->stop))
            continue;
        for (size_t word = chunk * CHUNK; word < end_of(chunk, words); word++) {
            if (word + 1 < words)
                fetch_spheres(d, word + 1);
            at += write_contacts(d, word, d->now.contact + at);
        }
        const int begin = d->first[chunk], end = d->first[chunk + 1];
        insert_extra(d, chunk, begin, at, end);
        if (!plu_match(d->world, &d->before, &d->now, begin, end)) {
#pragma omp atomic write
            *same = false;
        }
    }
}

/* Finds the contacts of a word and writes them; returns how many. */
static int find_contacts(plu_detector *d, size_t word, plu_contact *contact)
{
    int count, found = 0;
    bool walls;
    const plu_pair *pair = candidates_of(d, word, &count, &walls);
    if (!walls)
        return PLU_ISA_BEST(plu_find)(&d->sight, pair, count, contact);
    plu_contact near[WORD];
    for (uint64_t left = plu_touching_walls(d, (size_t)(pair - d->walls.pair), count, near); left;
         left &= left - 1)
        contact[found++] = near[__builtin_ctzll(left)];
    return found;
}

/* All contacts in one pass, where there is one chunk. */
static plu_status find_at_once(plu_detector *d, size_t words, bool *same, plu_error *err)
{
    const size_t most = d->spheres.count + d->walls.count + d->extra.count;
    const plu_status s = plu_contacts_reserve(&d->now, most, err);
    if (s != PLU_OK)
        return s;
    int end = 0;
    for (size_t word = 0; word < words; word++)
        end += find_contacts(d, word, d->now.contact + end);
    d->now.count = end + count_extra(d, 0);
    insert_extra(d, 0, 0, end, d->now.count);
    *same = plu_match(d->world, &d->before, &d->now, 0, d->now.count) &&
            d->now.count == d->before.count;
    return PLU_OK;
}

/* From the number of contacts of each chunk to that of its first one. */
static plu_status add_up(plu_detector *d, size_t chunks, plu_error *err)
{
    size_t sum = d->first[0] = 0;
    for (size_t c = 1; c <= chunks; c++) {
        sum += (size_t)d->first[c];
        if (sum > INT_MAX)
            return plu_fail(err, PLU_IO, "a step has more than %d contacts, which is the limit",
                            INT_MAX);
        d->first[c] = (int)sum;
    }
    d->now.count = (int)sum;
    return PLU_OK;
}

static plu_status find_in_two(plu_detector *d, size_t words, bool *same, plu_error *err)
{
    const size_t chunks = chunks_for(words);
    const bool many = plu_many(words, PLU_FEW_CANDIDATES / WORD);
    plu_status s =
        plu_reserve(&d->touching, &d->touching_capacity, words, sizeof *d->touching, 0, err);
    if (s == PLU_OK)
        s = plu_reserve(&d->first, &d->first_capacity, chunks + 1, sizeof *d->first, 0, err);
    if (s != PLU_OK)
        return s;
    PLU_TEAM(many, mark(d, words));
    s = plu_stops(d->world->stop) ? plu_world_given_up(d->world, err) : add_up(d, chunks, err);
    if (s == PLU_OK)
        s = plu_contacts_reserve(&d->now, (size_t)d->now.count, err);
    if (s != PLU_OK)
        return s;
    *same = d->now.count == d->before.count;
    PLU_TEAM(many, write_marked(d, words, same));
    return plu_stops(d->world->stop) ? plu_world_given_up(d->world, err) : PLU_OK;
}

plu_status plu_narrow(plu_detector *d, bool *same, plu_error *err)
{
    const size_t words = words_for(d->spheres.count) + words_for(d->walls.count);
    const plu_status s = chunks_for(words) == 1 ? find_at_once(d, words, same, err)
                                                : find_in_two(d, words, same, err);
    if (s == PLU_OK && !*same)
        plu_match_walls(d->world, &d->before, &d->now);
    return s;
}
