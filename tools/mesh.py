#!/usr/bin/env python3
"""Makes meshes for boundaries: a slope with a runout and hills, a drum with lifters, a hopper. Binary STL, in meters;
the defaults are the meshes of scenes/meshes.

    tools/mesh.py terrain -o terrain.stl --slope 40 --hills 0.02 --seed 7
    tools/mesh.py drum -o drum.stl --lifters 8
    tools/mesh.py hopper -o hopper.stl --facets 64"""
import argparse
import math
import random
import struct
import sys


def fail(text):
    sys.exit(f"mesh.py: {text}")


def grid(rows):
    """Triangles between rows of as many points each; counterclockwise seen against row direction x point direction."""
    for row, after in zip(rows, rows[1:]):
        for a, b, c, d in zip(row, after, after[1:], row[1:]):
            yield a, b, c
            yield a, c, d


def hills(height, wavelength, seed):
    """A smooth random height over x and y: 24 waves in random directions, `height` their standard deviation."""
    draw = random.Random(seed)
    waves = []
    for _ in range(24):
        angle, length = draw.uniform(0, 2 * math.pi), wavelength * draw.uniform(1, 3)
        waves.append((2 * math.pi * math.cos(angle) / length, 2 * math.pi * math.sin(angle) / length,
                      draw.uniform(0, 2 * math.pi)))
    return lambda x, y: height * math.sqrt(2 / 24) * sum(math.cos(a * x + b * y + c) for a, b, c in waves)


def terrain(o):
    """A slope that ends at x = 0, z = 0 in an arc, the runout beyond, and a channel that leads down."""
    angle, arc = math.radians(o.slope), o.arc
    turn = arc * math.tan(angle / 2)  # from the arc's ends to where slope and runout would meet
    bump = hills(o.hills, o.wavelength, o.seed)

    def height(x, y):
        if x > turn:
            z = 0.0
        elif x > -turn * math.cos(angle):
            z = arc - math.sqrt(arc**2 - (turn - x)**2)
        else:
            z = -x * math.tan(angle)
        return z + o.channel * (2 * y / o.width)**2 + bump(x, y)

    columns, lines = math.ceil((o.length + o.runout) / o.cell), math.ceil(o.width / o.cell)
    rows = []
    for i in range(columns + 1):
        x = -o.length + (o.length + o.runout) * i / columns
        points = [(x, o.width * (j / lines - 0.5)) for j in range(lines + 1)]
        rows.append([(x, y, height(x, y)) for x, y in points])
    return grid(rows)


def ring(o):
    """The profile of a drum in the order of its angle, lifters included."""
    half = o.lifter[0] / 2 / o.radius
    bars = [2 * math.pi * k / o.lifters for k in range(o.lifters)]
    corners = []
    for bar in bars:
        inner, top = 0.6 * half * o.radius / (o.radius - o.lifter[1]), o.radius - o.lifter[1]
        inner = min(inner, 0.9 * half)  # so that rays from the axis leave the drum once
        corners += [(bar - half, o.radius), (bar - inner, top), (bar + inner, top), (bar + half, o.radius)]
    for k in range(o.facets):
        angle = 2 * math.pi * k / o.facets
        if all(abs(math.remainder(angle - bar, 2 * math.pi)) > half + 1e-6 for bar in bars):
            corners.append((angle, o.radius))
    return [(r * math.sin(angle), r * math.cos(angle)) for angle, r in sorted(corners)]


def drum(o):
    """About the axis y, from y = 0 on, closed at both ends, with bars along its inside."""
    if o.lifters and o.lifter[0] / 2 >= math.pi * o.radius / o.lifters or o.lifter[1] >= o.radius:
        fail("the lifters do not fit into the drum")
    circle = ring(o)
    circle.append(circle[0])
    lines = max(1, round(o.length / (2 * math.pi * o.radius / o.facets)))
    rows = [[(x, o.length * k / lines, z) for x, z in circle] for k in range(lines + 1)]
    yield from grid(rows)
    for row, turned in (rows[0], False), (rows[-1], True):
        middle = (0.0, row[0][1], 0.0)
        for a, b in zip(row, row[1:]):
            yield (middle, b, a) if turned else (middle, a, b)


def hopper(o):
    """A cone about z that opens upward from z = 0, and a tube on it."""
    levels = [(o.opening, 0.0), (o.radius, o.cone), (o.radius, o.cone + o.tube)]
    if o.tube == 0:
        levels.pop()
    rows = []
    for r, z in levels:
        angles = [2 * math.pi * (k % o.facets) / o.facets for k in range(o.facets + 1)]
        rows.append([(r * math.cos(a), r * math.sin(a), z) for a in angles])
    return grid(rows)


def write_stl(path, name, triangles):
    parts = []
    for a, b, c in triangles:
        u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
        n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        size = math.hypot(*n)
        if size > 0:
            parts.append(struct.pack("<12fH", *(x / size for x in n), *a, *b, *c, 0))
    head = f"made by tools/mesh.py: {name}".encode()
    try:
        with open(path, "wb") as out:
            out.write(head.ljust(80) + struct.pack("<I", len(parts)) + b"".join(parts))
    except OSError as error:
        fail(f"{path}: {error.strerror}")
    print(f"{path}: {len(parts)} triangles")


def positive(text):
    value = float(text)
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} must be above zero")
    return value


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
shapes = parser.add_subparsers(dest="shape", required=True)
for make in terrain, drum, hopper:
    shape = shapes.add_parser(make.__name__, help=make.__doc__, description=make.__doc__,
                              formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    shape.set_defaults(make=make)
    shape.add_argument("-o", "--output", required=True, metavar="FILE")
    add = shape.add_argument
    if make is terrain:
        add("--slope", type=positive, default=35.0, metavar="DEGREES", help="angle of the slope")
        add("--length", type=positive, default=1.5, metavar="M", help="of the slope along x")
        add("--runout", type=positive, default=1.5, metavar="M", help="of the level part along x")
        add("--width", type=positive, default=0.9, metavar="M", help="along y")
        add("--arc", type=positive, default=0.8, metavar="M", help="radius between slope and runout")
        add("--channel", type=float, default=0.12, metavar="M", help="how much the sides are higher than the middle")
        add("--hills", type=float, default=0.008, metavar="M", help="standard deviation of the height")
        add("--wavelength", type=positive, default=0.2, metavar="M", help="of the shortest hills")
        add("--cell", type=positive, default=0.06, metavar="M", help="edge of the squares that are divided")
        add("--seed", type=int, default=1, help="of the hills")
    elif make is drum:
        add("--radius", type=positive, default=0.1, metavar="M", help="of the drum")
        add("--length", type=positive, default=0.05, metavar="M", help="of the drum along y")
        add("--facets", type=int, default=72, help="around it")
        add("--lifters", type=int, default=8, help="their number")
        add("--lifter", type=positive, nargs=2, default=[0.008, 0.012], metavar=("WIDTH", "HEIGHT"), help="in m; the height is towards the axis, where they are narrower")
    else:
        add("--opening", type=positive, default=0.035, metavar="M", help="radius below")
        add("--radius", type=positive, default=0.1, metavar="M", help="radius above")
        add("--cone", type=positive, default=0.12, metavar="M", help="height of the cone")
        add("--tube", type=float, default=0.12, metavar="M", help="height of the tube on it; 0: none")
        add("--facets", type=int, default=64, help="around it")
options = parser.parse_args()
if getattr(options, "facets", 3) < 3:
    fail("option --facets: at least 3")
if getattr(options, "lifters", 0) < 0:
    fail("option --lifters: at least 0")
write_stl(options.output, options.shape, options.make(options))
