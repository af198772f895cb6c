"""One scene written in two ways has one result.

In other units: lengths 2^a, times 2^b and masses 2^c times as large. Powers of two leave all digits of a double as they
are, so each number of the trajectory must be its like times the powers of its unit, bit for bit. A constant in the
program that hides a length, a time or a mass (a "small" overlap of 1e-6 m, a "slow" grain of 1e-3 m/s) breaks this."""
import csv
import itertools
import re
import unittest

import h5py
import numpy

from command import ROOT, Case

# Powers of length, time and mass, as scenes and as H5MD write them.
UNITS = {"m": (1, 0, 0), "m^2": (2, 0, 0), "s": (0, 1, 0), "kg": (0, 0, 1), "m/s": (1, -1, 0), "m/s^2": (1, -2, 0), "1/s": (0, -1, 0),
         "Hz": (0, -1, 0), "rad": (0, 0, 0), "rad/s": (0, -1, 0), "N": (1, -2, 1), "N/m": (0, -2, 1), "N m/rad": (2, -2, 1),
         "Pa": (-1, -2, 1), "kg/m^3": (-3, 0, 1), "kg/s": (0, -1, 1), "kg m+2": (2, 0, 1), "J": (2, -2, 1), "m s-1": (1, -1, 0),
         "N s": (1, -1, 1), "N m s": (2, -1, 1), "N m": (2, -2, 1), "kg s": (0, 1, 1), "": (0, 0, 0)}

# Of data sets without an attribute of their own, by the last part of their name that is not "value".
NAMED = {"position": "m", "velocity": "m/s", "angular_velocity": "rad/s", "force": "N", "moment": "N m", "stress": "Pa", "vertices": "m",
         "time": "s", "edges": "m"}
COLUMNS = {"t": "s", "time": "s", "x": "m", "y": "m", "z": "m", "radius": "m", "vx": "m/s", "vy": "m/s", "vz": "m/s", "wx": "rad/s",
           "wy": "rad/s", "wz": "rad/s", "angle": "rad", "share": ""}
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
# What was asked for and sums over bytes; a measure of the literature that adds numbers of different units.
LEFT_OUT = re.compile(r"parameters/pluvia/|observables/solver_natural_map/")


def factor(unit, scale):
    return 2.0 ** sum(a * b for a, b in zip(UNITS[unit], scale))


def scaled_scene(text, scale):
    """Of a scene in which each number has its unit at the end of its line, as the trajectory stores it."""
    lines, mean = [], False
    for line in text.splitlines():
        body, _, unit = line.partition(" # ")
        key, equals, values = body.partition(" = ")
        by = [factor(unit, scale)]
        if key.strip() == "sieves":  # pairs of a size and a share
            by = [factor("m", scale), 1.0]
        if key.strip() == "sigma" and mean:  # of a normal distribution; of a lognormal one it has no unit
            by = [factor("m", scale)]
        mean = key.strip() == "mean"
        if by != [1.0]:
            turn = itertools.cycle(by)
            values = NUMBER.sub(lambda number: repr(float(number[0]) * next(turn)), values)
        lines.append(key + equals + values)
    return "\n".join(lines) + "\n"


def scaled_table(path, target, scale):
    with open(path) as file:
        rows = [row for row in csv.reader(file) if row and not row[0].startswith("#")]
    by = [factor(COLUMNS[name], scale) for name in rows[0]]
    with open(target, "w") as file:
        csv.writer(file).writerows([rows[0]] + [[repr(float(x) * f) for x, f in zip(row, by)] for row in rows[1:]])


def unit_of(name, data):
    if "unit" in data.attrs:
        return data.attrs["unit"].decode()
    parts = [part for part in name.split("/") if part != "value"]
    return NAMED.get(parts[-1], "")


FOLDER = ROOT / "tests/data/bits"


class Equivalent(Case):
    def of(self, trajectory):
        """The resolved scene; the numbers and the unit of each data set."""
        found = {}

        def visit(path, data):
            if isinstance(data, h5py.Dataset) and not LEFT_OUT.match(path) and data.dtype.kind in "fiu":
                found[path] = (numpy.asarray(data[()]), unit_of(path, data))

        with h5py.File(self.folder / trajectory) as file:
            file.visititems(visit)
            return file["parameters/pluvia/scene_resolved"][()].decode(), found

    def run_scaled(self, path, scale):
        for p in FOLDER.glob("*.csv"):
            (self.folder / p.name).write_bytes(p.read_bytes())
        # pow() is not exact: sizes that are drawn by it would differ in their last digit.
        scene = re.sub(r"radius: \{[^{}]*distribution[^{}]*range = (\[[^]]*\])[^{}]*\}", r"radius = \1", path.read_text())
        scene = re.sub(r"radius: \{ sieves[^{}]*\}", "radius = [0.003, 0.004]", scene)
        self.write("a.cfg", scene)
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--force", "-q", "-s", "output.contacts=true", "-s", "output.boundaries=true")
        text, one = self.of("a.h5md")
        for p in FOLDER.glob("*.csv"):
            scaled_table(p, self.folder / p.name, scale)
        self.write("b.cfg", scaled_scene(text, scale))
        self.pluvia("run", "b.cfg", "-o", "b.h5md", "--force", "-q")
        return one, self.of("b.h5md")[1]

    def test_in_other_units(self):
        for p in [*FOLDER.glob("*.obj"), *FOLDER.glob("*.inc")]:
            (self.folder / p.name).write_bytes(p.read_bytes())
        scales = [(3, 1, 2), (-5, 3, -7), (9, 0, 11), (0, -6, 0)]
        scenes = sorted(FOLDER.glob("*.cfg"))
        self.assertGreater(len(scenes), 15)
        for number, path in enumerate(scenes):
            scale = scales[number % len(scales)]
            one, other = self.run_scaled(path, scale)
            with self.subTest(scene=path.stem, scale=scale):
                self.assertEqual(one.keys(), other.keys())
                self.assertEqual([f"{name} ({unit})" for name, (data, unit) in one.items()
                                  if not self.is_same(data, other[name][0], factor(unit, scale))], [])

    def is_same(self, one, other, by):
        if one.shape != other.shape or one.dtype.kind != "f":
            return numpy.array_equal(one, other)
        one = one * by
        tiny = (abs(one) < 1e-290) & (abs(other) < 1e-290)  # denormal numbers have fewer digits
        return numpy.array_equal(numpy.where(tiny, 0.0, one), numpy.where(tiny, 0.0, other), equal_nan=True)


if __name__ == "__main__":
    unittest.main()
