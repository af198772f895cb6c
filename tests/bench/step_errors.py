#!/usr/bin/python3
"""What steps of 4 to 0.25 ms do to scenes that differ, and which rules name them: the table of src/machinery.md ("Rules of the step").

    tests/bench/step_errors.py                 runs all cases and writes step_errors.csv (10 minutes of one core)
    tests/bench/step_errors.py --cases bowl    prints those alone

An error is that of one number of the scene, against a closed form or a step of 1/16 ms; of beds, which are chaotic, the mean over
seeds against that at 1/8 ms, with its standard error. Where a run ends before its time the code is said. Needs numpy and h5py."""
import argparse
import csv
import dataclasses
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).with_suffix(".csv")
STEPS = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4]
FIELDS = ["case", "step", "error", "standard_error", "rules", "check", "code"]
DENSITY, G = 2500.0, 9.81


def head(end, gravity=G, interval=None):
    return (f"time: {{ step = STEP; end = {end!r}; }};\noutput: {{ interval = {interval or end!r}; contacts = false; }};\n"
            f"gravity = [0, 0, {-gravity!r}];\nallow_overlap = true;\n")


def laws(friction=0.0, restitution=0.0, cohesion=0.0):
    law = f"friction = {friction!r}; restitution = {restitution!r};"
    return (f'materials = ( {{ name = "g"; density = {DENSITY!r}; }}, {{ name = "w"; }} );\ncontacts = ( {{ between = ["g", "g"]; {law} '
            f'cohesion = {cohesion!r}; }}, {{ between = ["g", "w"]; {law} }} );\n')


def walls(*texts):
    return "boundaries = ( " + ", ".join(f'{{ {text} material = "w"; }}' for text in texts) + " );\n"


def ball(place, velocity=(0, 0, 0), spin=(0, 0, 0)):
    return (f"{{ position = {list(map(float, place))}; velocity = {list(map(float, velocity))}; "
            f'angular_velocity = {list(map(float, spin))}; radius = 0.01; material = "g"; }}')


def lattice(counts, spacing, origin, radius):
    return (f'{{ lattice: {{ counts = {counts}; spacing = {spacing!r}; origin = {origin}; jitter = 2e-4; }}; radius = {radius!r}; '
            'material = "g"; }')


def bodies(*entries):
    return "bodies = ( " + ",\n  ".join(entries) + " );\n"


def tube(radius, axis="z"):
    center, along = ("[0, -0.5, 0]", "[0, 1, 0]") if axis == "y" else ("[0, 0, -0.5]", "[0, 0, 1]")
    return f"cylinder: {{ center = {center}; axis = {along}; radius = {radius!r}; height = 1; bottom = false; }};"


@dataclasses.dataclass
class Run:
    code: int
    text: str
    check: str
    x: object = None
    v: object = None
    w: object = None

    def named(self):
        return sorted(set(re.findall(r"step too long +(\w+): ", self.text)))

    def foreseen(self):
        return sorted(set(re.findall(r"too long \((\w+)\)", self.check)))


def run(program, text):
    with tempfile.TemporaryDirectory() as folder:
        scene, out = pathlib.Path(folder, "scene.cfg"), pathlib.Path(folder, "out.h5md")
        scene.write_text(text)
        check = subprocess.run([program, "check", scene], capture_output=True, text=True, check=False)
        done = subprocess.run([program, "run", scene, "-o", out, "-j", "1", "--progress", "none"], capture_output=True, text=True,
                              check=False)
        found = Run(done.returncode, done.stdout + done.stderr, check.stdout + check.stderr)
        if found.code == 0:
            with h5py.File(out) as file:
                of = file["particles/trajectory"]
                found.x, found.v, found.w = (of[f"{name}/value"][:] for name in ("position", "velocity", "angular_velocity"))
        return found


def speed(r):
    return float(np.linalg.norm(r.v[-1][0]))


def energy(low):
    """Per mass of the first sphere, above its lowest place."""
    return lambda r: float(0.5 * (r.v[-1][0]**2).sum() + 2e-5 * (r.w[-1][0]**2).sum() + G * (r.x[-1][0][2] - low))


def place(axis):
    return lambda r: float(r.x[-1][0][axis])


def mean_height(r):
    return float(r.x[len(r.x) // 4:, :, 2].mean()) - 0.01


def kinetic(r):
    return float((r.v[len(r.v) // 3:]**2).sum(2).mean())


def swing(radius, angle, friction, end=10.0):
    """In a bowl; its energy should be that of the start."""
    way, a = radius - 0.01, math.radians(angle)
    text = (head(end) + laws(friction) + walls(f"sphere: {{ radius = {radius!r}; inside = true; }};") +
            bodies(ball((-way * math.sin(a), 0, -way * math.cos(a)))))
    return text, energy(-way), G * way * (1 - math.cos(a))


def hanging(angle):
    a = math.radians(angle)
    text = head(10.0) + laws(0.0, 0.0, 1.0) + 'bodies = ( ' + ball((0.02 * math.sin(a), 0, -0.02 * math.cos(a))) + \
        ', { position = [0, 0, 0]; radius = 0.01; material = "g"; fixed = true; } );\n'
    return text, energy(-0.02), G * 0.02 * (1 - math.cos(a))


def loops(radius, velocity):
    way = radius - 0.01
    return (head(2.0) + laws() + walls(tube(radius, "y")) + bodies(ball((0, 0, -way), (velocity, 0, 0))), energy(-way),
            0.5 * velocity**2)


def ring(count, rate):
    """Bonded, turning as a whole; the farthest neighbors, in diameters."""
    radius, angles = 0.01 / math.sin(math.pi / count), 2 * math.pi * np.arange(count) / count
    text = head(1.0, 0.0) + laws(0.5, 0.0, 300.0) + bodies(*(
        ball((radius * math.cos(a), radius * math.sin(a), 0), (-rate * radius * math.sin(a), rate * radius * math.cos(a), 0),
             (0, 0, rate)) for a in angles))
    return text, lambda r: float(np.linalg.norm(r.x[-1] - np.roll(r.x[-1], 1, axis=0), axis=1).max()) / 0.02, 1.0


def shaken(frequency, over):
    swings = f"amplitude = [0, 0, {over * G / (2 * math.pi * frequency)**2!r}]; frequency = {frequency!r};"
    return (head(10.0, interval=0.004) + laws(0.3) + walls(f"plate: {{ size = [1, 1]; }}; motion: {{ vibration: {{ {swings} }}; }};") +
            bodies(ball((0, 0, 0.01))), mean_height, None)


def rocking(frequency, amplitude):
    return (head(1.0) + laws(0.5) + walls("plate: { size = [2, 2]; }; motion: { axis = [0, 1, 0]; rocking: { "
                                          f"amplitude = {amplitude!r}; frequency = {frequency!r}; }}; }};") +
            bodies(ball((0.1, 0, 0.01))), place(0), None)


def paddle(rate):
    blade = f"plate: {{ center = [0.15, 0, 0]; normal = [0, 1, 0]; size = [0.3, 0.2]; }}; motion: {{ axis = [0, 0, 1]; center = [0, 0, 0]; rate = {rate!r}; }};"
    return head(0.2, 0.0) + laws() + walls(blade) + bodies(ball((0.05, 0.03, 0))), speed, None


def circle():
    return head(1.0, 0.0) + laws() + walls(tube(0.05)) + bodies(ball((0.04, 0, 0), (0, 2, 0))), speed, 2.0


def down(friction):
    return (head(0.3) + laws(friction) + walls("sphere: { radius = 0.1; };") +
            bodies(ball((0.11 * math.sin(0.2), 0, 0.11 * math.cos(0.2)))), place(0), None)


def gallery():
    """Off a tube again and again, with e = 1: the angular momentum."""
    return (head(1.0, 0.0) + laws(0.0, 1.0) + walls(tube(0.05)) + bodies(ball((0, 0.03, 0), (1, 0, 0))),
            lambda r: float(r.x[-1][0][1] * r.v[-1][0][0] - r.x[-1][0][0] * r.v[-1][0][1]), 0.03)


def three():
    """A ball hits two that touch nearly, with e = 0.8: where it goes (rad)."""
    return (head(0.05, 0.0) + laws(0.2, 0.8) + bodies(ball((-0.1, 0.003, 0), (5, 0, 0)), ball((0, 0.01002, 0)), ball((0, -0.01002, 0))),
            lambda r: float(math.atan2(r.v[-1][0][1], r.v[-1][0][0])), None)


def column():
    """Five balls above each other fall on a floor, e = 0.7: the energy of all."""
    text = head(0.2) + laws(0.3, 0.7) + walls("plane: {};") + bodies(*(ball((0, 0, 0.11 + 0.022 * k)) for k in range(5)))
    return text, lambda r: float((0.5 * (r.v[-1]**2).sum(1) + G * (r.x[-1][:, 2] - 0.01)).sum()), None


def shaken_bed():
    swings = "vibration: { amplitude = [0, 0, 1.86e-3]; frequency = 20; };"
    return (head(0.6, interval=0.006) + laws(0.3, 0.7) +
            walls(f"box: {{ lower = [-0.03, -0.03, 0]; upper = [0.03, 0.03, 0.3]; }}; motion: {{ {swings} }};") +
            bodies(lattice([5, 5, 3], 0.0105, [-0.021, -0.021, 0.006], 0.005)), kinetic, None)


def heap():
    return (head(2.0) + laws(0.5) + walls("plane: {};") + bodies(lattice([5, 5, 8], 0.0105, [-0.02, -0.02, 0.006], 0.005)),
            lambda r: float(r.x[-1][:, 2].mean()), None)


def drum(rate):
    turns = f"motion: {{ axis = [0, 1, 0]; rate = {rate!r}; }};"
    parts = ["cylinder: { center = [0, -0.02, 0]; axis = [0, 1, 0]; radius = 0.05; height = 0.04; bottom = false; }; ",
             "disc: { center = [0, -0.02, 0]; normal = [0, 1, 0]; radius = 0.05; }; ",
             "disc: { center = [0, 0.02, 0]; normal = [0, -1, 0]; radius = 0.05; }; "]
    return (head(3.0, interval=0.02) + laws(0.5) + walls(*(part + turns for part in parts)) +
            bodies(lattice([6, 4, 7], 0.0082, [-0.02, -0.0125, -0.03], 0.0038)), lambda r: float(r.x[len(r.x) // 3:, :, 0].mean()), None)


def mixer(rate):
    blade = f"plate: {{ center = [0, 0, 0.02]; normal = [0, 1, 0]; size = [0.07, 0.02]; }}; motion: {{ axis = [0, 0, 1]; rate = {rate!r}; }};"
    return (head(2.0, interval=0.02) + laws(0.4) + walls("cylinder: { radius = 0.05; height = 0.2; };", blade) +
            bodies(lattice([7, 7, 6], 0.0088, [-0.0265, -0.0265, 0.005], 0.004)), kinetic, None)


def pressed():
    """Isotropically, at 100 kPa: the mean distance of its grains from their middle."""
    cell = 'cell: { periodic = ["x", "y", "z"]; size = [0.035, 0.035, 0.035]; stress = [1e5, 1e5, 1e5]; };\n'
    return (head(0.2, 0.0) + cell + laws(0.3) + bodies(lattice([6, 6, 6], 0.0055, [0.002, 0.002, 0.002], 0.0025)),
            lambda r: float(np.sqrt(((r.x[-1] - r.x[-1].mean(0))**2).sum(1).mean())), None)


CASES = {  # name: the scene, its number and what that should be (None: that of a short step); seeds
    "circle in a tube, 2 m/s": (circle, 1),
    "swing of 60° in a bowl of 5 cm, 10 s": (lambda: swing(0.05, 60, 0.0), 1),
    "swing of 20° in a bowl of 3 cm, 10 s": (lambda: swing(0.03, 20, 0.0), 1),
    "swing of 60° in a bowl of 10 cm, rolling, 10 s": (lambda: swing(0.1, 60, 1e4), 1),
    "swing of 20° below a bond, 10 s": (lambda: hanging(20), 1),
    "loops in a ring of 5 cm, 3.5 m/s": (lambda: loops(0.05, 3.5), 1),
    "bonded pair, 100 rad/s": (lambda: ring(2, 100), 1),
    "bonded ring of 12, 100 rad/s": (lambda: ring(12, 100), 1),
    "rolls down a sphere, place after 0.3 s": (lambda: down(1e4), 1),
    "balls off a tube, e = 1, 1 m/s": (gallery, 1),
    "ball hits two, 5 m/s, e = 0.8": (three, 1),
    "five balls above each other fall, e = 0.7: energy": (column, 1),
    "75 in a shaken box, e = 0.7": (shaken_bed, 4),
    "ball on a plate, 30 Hz, 1.5 g": (lambda: shaken(30.0, 1.5), 1),
    "ball on a plate that rocks at 10 Hz": (lambda: rocking(10.0, 0.01), 1),
    "paddle at 30 rad/s": (lambda: paddle(30.0), 1),
    "heap of 200 falls: height": (heap, 4),
    "drum, 3 rad/s: lever of the bed": (lambda: drum(3.0), 3),
    "mixer, 10 rad/s: energy": (lambda: mixer(10.0), 3),
    "cell at 100 kPa: width": (pressed, 3),
}


def numbers(program, case, seeds, step):
    text, number, _ = case()
    runs = [run(program, f"seed = {seed};\n" + text.replace("STEP", repr(step))) for seed in range(1, seeds + 1)]
    good = [number(r) for r in runs if r.code == 0]
    return runs, good


def measure(program, name):
    case, seeds = CASES[name]
    right = case()[2]
    if right is None:
        right = statistics.mean(numbers(program, case, seeds, 6.25e-5 if seeds == 1 else 1.25e-4)[1])
    rows = []
    for step in STEPS:
        runs, good = numbers(program, case, seeds, step)
        error = statistics.mean(good) / right - 1 if len(good) == seeds else math.nan
        spread = statistics.stdev(good) / math.sqrt(seeds) / abs(right) if len(good) == seeds > 1 else 0.0
        named = sorted({rule for r in runs for rule in r.named()})
        foreseen = sorted({rule for r in runs for rule in r.foreseen()})
        rows.append([name, step, f"{error:.1e}", f"{spread:.0e}" if spread else "", " ".join(named), " ".join(foreseen),
                     max(r.code for r in runs)])
        print(*rows[-1], sep=",", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/src/cli/pluvia"))
    parser.add_argument("--cases", help="part of their names (all, which are kept)")
    arguments = parser.parse_args()
    rows = [row for name in CASES if (arguments.cases or "") in name for row in measure(arguments.program, name)]
    if not arguments.cases:
        with open(TABLE, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([FIELDS, *rows])
    return 0


if __name__ == "__main__":
    sys.exit(main())
