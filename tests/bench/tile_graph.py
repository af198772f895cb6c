#!/usr/bin/env python3
"""What threads gain if tiles wait for their neighbors instead of barriers: a model.

Each FILE holds the tiles of one step, written by `bench CASE --tiles FILE`. The model lets threads sweep them: with a barrier after
each group; tile by tile in the same order, each after the tiles before it that share a body with it; and so over several passes
without a barrier between these. A free thread takes the next tile in the order. `slow`: one thread at half speed. The table holds
the speed-up over one thread.
"""
import argparse
import csv
import heapq
import os

BLOCK = 0.16  # us, two sweeps of sixteen contacts
COLOR = 0.03  # us, two visits of a color besides its blocks
TILE = 0.3  # us, taking a tile, and the first rows that were not prefetched
LOOK = 0.05  # us, looking whether a tile before is done


def barrier(threads):
    """Microseconds that a barrier takes after the last thread has arrived."""
    return 0.0 if threads == 1 else 0.5 + 0.25 * threads.bit_length()


def read(path):
    """Tiles of the largest island: (group, microseconds, tiles before it)."""
    islands = {}
    with open(path, encoding='utf-8') as file:
        for row in csv.DictReader(file):
            time = BLOCK * int(row['blocks']) + COLOR * int(row['colors']) + TILE
            before = [int(k) for k in row['before'].split()]
            islands.setdefault(row['island'], []).append((int(row['group']), time, before))
    return max(islands.values(), key=len, default=[])


def speeds(threads, slow):
    """Time factor of each thread."""
    return [2.0 if slow and k == 0 else 1.0 for k in range(threads)]


def by_groups(tiles, passes, factor):
    """Microseconds with a barrier after each group; free threads take the next tile of the group."""
    now = 0.0
    for _ in range(passes):
        for group in sorted({t[0] for t in tiles}):
            free = [(now, k) for k in range(len(factor))]
            for tile in (t for t in tiles if t[0] == group):
                at, k = heapq.heappop(free)
                heapq.heappush(free, (at + tile[1] * factor[k], k))
            now = max(free)[0] + barrier(len(factor))
    return now


def by_graph(tiles, passes, factor, overlap):
    """Microseconds if a tile waits for its neighbors alone; without `overlap` a barrier ends a pass."""
    after = [list(t[2]) for t in tiles]  # neighbors of either side
    for number, tile in enumerate(tiles):
        for other in tile[2]:
            after[other].append(number)
    now, done = 0.0, [0.0] * len(tiles)
    free = [(0.0, k) for k in range(len(factor))]
    for _ in range(passes):
        for number, (_, time, before) in enumerate(tiles):
            at, k = heapq.heappop(free)
            start = max([at] + [done[i] for i in after[number]] + [done[number]]) + LOOK * len(before)
            done[number] = start + time * factor[k]
            heapq.heappush(free, (done[number], k))
        now = max(free)[0] + barrier(len(factor))
        if not overlap:
            free = [(now, k) for k in range(len(factor))]
            done = [now] * len(tiles)
    return now


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('files', nargs='+', metavar='FILE')
    parser.add_argument('--threads', type=int, nargs='+', default=[2, 4, 16, 64])
    parser.add_argument('--passes', type=int, default=4)
    options = parser.parse_args()
    print('| tiles of | tiles | ms a pass | threads | barriers | neighbors | over passes | slow: barriers | neighbors | over passes |')
    print('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |')
    for path in options.files:
        tiles = read(path)
        whole = options.passes * sum(t[1] for t in tiles)
        for threads in options.threads:
            cells = []
            for slow in False, True:
                factor = speeds(threads, slow)
                times = (by_groups(tiles, options.passes, factor), by_graph(tiles, options.passes, factor, False),
                         by_graph(tiles, options.passes, factor, True))
                cells += [f'{whole / t:.2f}' for t in times]
            name = os.path.splitext(os.path.basename(path))[0]
            print(f'| {name} | {len(tiles)} | {1e-3 * whole / options.passes:.2f} | {threads} | {" | ".join(cells)} |')


if __name__ == '__main__':
    main()
