#!/usr/bin/python3
"""Makes the contact problems of tests/data/problems: pluvia runs a few small scenes and dumps a step.

    tests/data/make_problems.py [build/release/src/cli/pluvia]
    tests/data/make_problems.py --heaps N FOLDER     N heaps of blocks with much friction, for tests/solvers/heaps.py

Run again only if a scene or the file format changes; the files are part of the tests as they are.
"""
import os
import math
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLUVIA = sys.argv[1] if len(sys.argv) > 1 else str(HERE.parents[1] / "build/release/src/cli/pluvia")

SCENE = """
seed = 1;
time: {{ step = 1e-3; end = {end}; }};
solver: {{ tolerance = 1e-8; max_iterations = 3000; }};
output: {{ interval = {end}; dump_problems = "every"; dump_every = {steps}; }};
materials = ( {{ name = "grain"; density = 1300.0; }}, {{ name = "wall"; }} );
contacts = ( {{ between = ["grain", "grain"]; friction = {mu}; rolling_friction = {mu_r}; restitution = {e}; }},
             {{ between = ["grain", "wall"]; friction = {mu}; rolling_friction = {mu_r}; restitution = {e}; }} );
boundaries = ( {boundary} );
bodies = ( {bodies} );
"""
FLOOR = '{ plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "wall"; }'
BOX = '{ box: { lower = [-0.05, -0.05, 0]; upper = [0.05, 0.05, 1]; }; material = "wall"; }'


def packing(count, box, radius):
    return f'{{ packing: {{ count = {count}; box = {box}; }}; material = "grain"; radius = {radius}; }}'


def pyramid(layers):
    """Spheres in square layers, each lying on four of the one below: hyperstatic."""
    r, spheres = 0.01, []
    for k in range(layers):
        n = layers - k
        for i in range(n):
            for j in range(n):
                x, y = (2 * i - n + 1) * r, (2 * j - n + 1) * r
                spheres.append(f'{{ position = [{x!r}, {y!r}, {r + k * r * 2**0.5!r}]; material = "grain"; radius = {r}; }}')
    return ", ".join(spheres)


COLUMN = "[[-0.03, -0.03, 0], [0.03, 0.03, 0.2]]"
# name: boundary, bodies, mu, mu_r (m), e, time of the step
PROBLEMS = {
    "sphere_on_plane": (FLOOR, '{ position = [0, 0, 0.01]; velocity = [0.3, 0, 0]; material = "grain"; radius = 0.01; }',
                        0.3, 1e-3, 0.0, 0.002),
    "falling_heap": (FLOOR, packing(60, COLUMN, 0.008), 0.5, 1e-3, 0.0, 0.15),
    "heap_at_rest": (FLOOR, packing(60, COLUMN, 0.008), 0.5, 1e-3, 0.0, 1.5),
    "pyramid": (FLOOR, pyramid(4), 0.4, 1e-2, 0.0, 0.2),
    "box_of_two_sizes": (BOX, packing(50, "[[-0.05, -0.05, 0], [0.05, 0.05, 0.2]]", "[0.006, 0.012]"), 0.4, 1e-3, 0.4, 0.2),
    "coulomb_falling": (FLOOR, packing(60, COLUMN, 0.008), 0.5, 0.0, 0.0, 0.15),
    "coulomb_pyramid": (FLOOR, pyramid(4), 0.4, 0.0, 0.0, 0.2),
    "frictionless_box": (BOX, packing(50, "[[-0.05, -0.05, 0], [0.05, 0.05, 0.2]]", 0.009), 0.0, 0.0, 0.0, 0.3),
}


def make(name, folder):
    boundary, bodies, mu, mu_r, e, end = PROBLEMS[name]
    scene = folder / f"{name}.cfg"
    scene.write_text(SCENE.format(boundary=boundary, bodies=bodies, mu=mu, mu_r=mu_r, e=e, end=end, steps=round(end * 1000)))
    subprocess.run([PLUVIA, "run", "-q", scene, "-o", folder / f"{name}.h5md"], check=True)
    (dumped,) = (folder / f"{name}.problems").iterdir()
    contacts = dumped.stem.split("-")[-1]
    os.replace(dumped, HERE / "problems" / f"{name}-nc-{contacts}.hdf5")
    print(f"{name}: {contacts} contacts")


def squeeze():
    """A sphere of mass 1 and radius 1 between two plates that approach: no solution. Dense Siconos text, three rows."""
    rows = []  # y = H^T v with v = (velocity, angular velocity) of the sphere, the plates at -z and +z
    for n, t1, t2 in [((0, 0, 1), (1, 0, 0), (0, 1, 0)), ((0, 0, -1), (1, 0, 0), (0, -1, 0))]:
        for d in (n, t1, t2):  # moment of d at the contact point -n: (-n) x d
            moment = [-(n[1] * d[2] - n[2] * d[1]), -(n[2] * d[0] - n[0] * d[2]), -(n[0] * d[1] - n[1] * d[0])]
            rows.append(list(d) + moment)
    inverse = [1, 1, 1, 2.5, 2.5, 2.5]
    w = [[sum(a * b * m for a, b, m in zip(x, y, inverse)) for y in rows] for x in rows]
    lines = ["3", "2", "0", "6", "6", "6 6"] + [" ".join(f"{w[i][j]:g}" for i in range(6)) for j in range(6)]
    lines += ["-1 0 0 -1 0 0", "0.3 0.3"]
    (HERE / "problems" / "squeezed_unsolvable.dat").write_text("\n".join(lines) + "\n")


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def frame(n):
    """n and two directions normal to it."""
    least = min(range(3), key=lambda i: abs(n[i]))
    t = cross(n, [float(i == least) for i in range(3)])
    t = [x / math.hypot(*t) for x in t]
    return n, t, cross(n, t)


def heap(seed, path, bodies=33, contacts=150, most=2.0):
    """Blocks thrown into a cube: the size and friction of Cadoux's poster (198 velocities, 150 contacts, mu up to 2), which
    does not say what his problem was. A seventh of the contacts is with the ground, the others are between the nearest
    pairs, at points off the line of centers. Siconos text, global."""
    draw = random.Random(seed)
    place, m, f, h, mu = [], [], [], [], []
    for k in range(bodies):
        place.append([draw.uniform(0, 2) for _ in range(3)])
        mass = draw.uniform(0.5, 2.0)
        inertia = [mass] * 3 + [mass * draw.uniform(0.02, 0.1) for _ in range(3)]
        m += [(6 * k + i, 6 * k + i, x) for i, x in enumerate(inertia)]
        f += [x * (draw.uniform(-0.5, 0.5) - (i == 2)) for i, x in enumerate(inertia)]
    pairs = sorted(((a, b) for b in range(bodies) for a in range(b)), key=lambda pair: math.dist(place[pair[0]], place[pair[1]]))
    ground = contacts // 7
    for c in range(contacts):
        a, b = (None, c % bodies) if c < ground else pairs[c - ground]
        between = [y - x for x, y in zip(place[a], place[b])] if a is not None else [0.0, 0.0, 0.6]
        length = math.hypot(*between)
        directions = frame([x / length for x in between])
        arm = [x / 2 + draw.uniform(-0.1, 0.1) for x in between]
        for body, sign, lever in ((a, -1.0, arm), (b, 1.0, [x - y for x, y in zip(arm, between)])):
            if body is not None:
                h += [(6 * body + i, 3 * c + j, sign * x) for j, d in enumerate(directions)
                      for i, x in enumerate([*d, *cross(lever, d)]) if x != 0.0]
        mu.append(draw.uniform(0, most))

    def matrix(entries, rows, columns):
        return (f"2\n{rows}\n{columns}\n1\nCSparse Version 3.2.0\ntriplet: {rows}-by-{columns}, nzmax: {len(entries)} nnz: {len(entries)}\n"
                + "".join(f"{i} {j} : {x!r}\n" for i, j, x in entries))
    text = f"3\n{contacts}\n" + matrix(m, 6 * bodies, 6 * bodies) + matrix(h, 6 * bodies, 3 * contacts)
    path.write_text(text + "\n".join(" ".join(map(repr, x)) for x in (f, [0.0] * (3 * contacts), mu)) + "\n")


def main():
    if PLUVIA == "--heaps":
        for seed in range(1, int(sys.argv[2]) + 1):
            heap(seed, pathlib.Path(sys.argv[3]) / f"heap-{seed}.dat")
        return
    squeeze()
    with tempfile.TemporaryDirectory(dir=HERE) as folder:
        for name in PROBLEMS:
            make(name, pathlib.Path(folder))


if __name__ == "__main__":
    main()
