"""Inputs that nobody writes: tables, meshes and problems with small changes, and checkpoints whose seal is right and whose
numbers are not. Each is taken or refused in words; none crashes, hangs or ends a run without a word."""
import os
import random
import shutil
import subprocess
import unittest

import h5py
import numpy

from command import PATIENCE, PLUVIA, ROOT, Case

# Numbers may ask for more memory than there is, which AddressSanitizer would call a fault of its own.
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":allocator_may_return_null=1"
CHANGES = int(os.environ.get("CHANGES", 15))  # of each file; more for a longer look
ODD = [b"nan", b"inf", b"-1", b"0", b"1e308", b"1e-320", b"-0", b"99999999999999999999", b"0x10", b"", b",", b"\n", b"\r\n", b"\0",
       b'"', b"\xff\xfe", b" ", b"1,2", b"1e", b"--1"]

SCENE = """
time: { step = 1e-3; end = 0.02; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "wall"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.5; rolling_friction = 1e-4; }, { between = ["grain", "wall"]; friction = 0.5; } );
"""


def changed(data, chance):
    """One to three small changes: of bytes, of words, of lines."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(data) + 1)
        how = chance.randrange(6)
        if how == 0:
            data = data[:at] + bytes([chance.randrange(256)]) + data[at + 1:]
        elif how == 1:
            data = data[:at] + data[at + chance.randint(1, 40):]
        elif how == 2:
            data = data[:at] + chance.choice(ODD) + data[at:]
        elif how == 3:
            data = data[:at]
        else:
            lines = data.split(b"\n")
            line = chance.randrange(len(lines))
            words = lines[line].replace(b",", b" , ").split(b" ")
            if how == 4:
                words[chance.randrange(len(words))] = chance.choice(ODD)
                lines[line] = b" ".join(words).replace(b" , ", b",")
            else:
                lines.insert(chance.randrange(len(lines)), lines[line])
            data = b"\n".join(lines)
    return data


class Altered(Case):
    def said(self, *words, codes=(0, 3)):
        """Its exit code: 0, or one of these with something said. What a reader calls a crash is one."""
        process = subprocess.run([PLUVIA, *words], cwd=self.folder, capture_output=True, timeout=PATIENCE)
        err = process.stderr.decode(errors="replace")
        self.assertIn(process.returncode, codes, err)
        self.assertNotIn("crash", err)
        if process.returncode:
            self.assertRegex(err, "^pluvia: [^\n]+\n")
        return process.returncode


class Inputs(Altered):
    def try_all(self, name, data, command):
        """Some of the changed files are taken and some are refused, or the changes would say nothing."""
        codes = []
        for number in range(CHANGES):
            with self.subTest(name=name, number=number):
                (self.folder / name).write_bytes(changed(data, random.Random(f"{name} {number}")))
                codes.append(self.said(*command))
        self.assertIn(3, codes)

    def boundary(self, name, data, key):
        self.write("a.cfg", SCENE + f"""boundaries = ( {{ {key}; material = "wall"; }} );
            bodies = ( {{ position = [0, 0, 5]; radius = 0.01; material = "grain"; }} );""")
        self.try_all(name, data, ["run", "a.cfg", "-q", "--force", "-o", "a.h5md"])

    def test_spheres(self):
        self.write("a.cfg", SCENE + 'bodies = ( { file: { path = "s.csv"; }; material = "grain"; } ); allow_overlap = true;')
        self.try_all("s.csv", (ROOT / "tests/data/bits/late.csv").read_bytes(), ["run", "a.cfg", "-q", "--force", "-o", "a.h5md"])

    def test_motions(self):
        self.boundary("m.csv", (ROOT / "tests/data/bits/path.csv").read_bytes(), 'plane: {}; motion: { table = "m.csv"; }')

    def test_shares(self):
        self.boundary("s.csv", (ROOT / "tests/data/bits/share.csv").read_bytes(),
                      'plane: {}; servo: { mass = 1.0; force = 1.0; table = "s.csv"; }')

    def test_obj(self):
        self.boundary("m.obj", (ROOT / "tests/data/bits/tetra.obj").read_bytes(), 'mesh: { file = "m.obj"; }')

    def test_stl(self):
        corners = numpy.array([[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 0, 0], [0, 1, 0]]])
        text = "solid a\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % tuple(p) for p in one)
                                     + "endloop\nendfacet\n" for one in corners) + "endsolid a\n"
        rows = numpy.zeros(2, dtype=[("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("more", "<u2")])
        rows["corner"] = corners
        self.boundary("t.stl", text.encode(), 'mesh: { file = "t.stl"; }')
        self.boundary("b.stl", b"binary".ljust(80) + numpy.uint32(2).tobytes() + rows.tobytes(), 'mesh: { file = "b.stl"; }')

    def test_problems(self):
        self.write("a.cfg", SCENE + """boundaries = ( { plane: {}; material = "wall"; } );
            bodies = ( { lattice: { counts = [2, 1, 2]; spacing = 0.02; origin = [0, 0, 0.01]; }; radius = 0.01; material = "grain"; } );""")
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "-s", "output.contacts=true", "-s", "contacts.*.rolling_friction=0")
        self.pluvia("export", "a.h5md", "--to", "siconos", "--form", "local", "-o", "p.dat")
        data = (self.folder / "p.dat").read_bytes()
        self.try_all("q.dat", data, ["solve", "q.dat", "--max-iterations", "50"])


class Checkpoints(Altered):
    """A seal says that a file is as it was written, not that a run can go on from it."""

    def prepare(self):
        self.write("a.cfg", SCENE + """boundaries = ( { plane: {}; material = "wall"; motion: { velocity = [0.01, 0, 0]; start = 0.005; }; },
            { plane: { center = [0, 0, 0.06]; normal = [0, 0, -1]; }; material = "wall"; servo: { mass = 0.1; force = 1.0; }; } );
            bodies = ( { lattice: { counts = [2, 2, 2]; spacing = 0.0205; origin = [0, 0, 0.0102]; }; radius = 0.01; material = "grain"; } );
            feeders = ( { pluviation: { count = 3; interval = 5e-3; height = 0.05; center = [0.1, 0]; footprint: { disc = 0.01; }; }; radius = 0.005; material = "grain"; } );
            sensors = ( { name = "low"; plane: { center = [0, 0, 0.01]; normal = [0, 0, -1]; }; } );""")
        self.pluvia("run", "a.cfg", "-q", "-o", "a.h5md", "--until", "0.012")

    def go_on(self, change):
        """Exit code of a run that goes on from a checkpoint in which `change(file)` changed something."""
        for name in "a.h5md", "a.checkpoint.h5":
            shutil.copy(self.folder / name, self.folder / name.replace("a.", "b."))
        with h5py.File(self.folder / "b.checkpoint.h5", "r+") as file:
            change(file)
        self.reseal("b.checkpoint.h5")
        # 5: more contacts than there is memory for; 6: a limit of the run
        return self.said("run", "a.cfg", "-q", "-o", "b.h5md", "--restart", "b.checkpoint.h5", codes=(0, 3, 5, 6))

    def arrays(self):
        found = []
        with h5py.File(self.folder / "a.checkpoint.h5") as file:
            file.visititems(lambda name, item: found.append((name, item.dtype, item.shape)) if isinstance(item, h5py.Dataset) else None)
        return found

    def test_resealed_as_it_is(self):
        self.assertEqual(self.go_on(lambda file: None), 0)

    def test_numbers_that_cannot_be(self):
        arrays = self.arrays()
        self.assertGreater(len(arrays), 20)
        refused = 0
        for number, (name, kind, shape) in enumerate(arrays):
            if 0 in shape or kind.kind not in "fiu":
                continue
            values = [float("nan"), 1e300, -1.0] if kind.kind == "f" else [-1, 2**31 - 1, 1 << (8 * kind.itemsize - 2)]
            for k, value in enumerate(values if CHANGES > 15 else [values[number % 3]]):
                with self.subTest(name=name, value=value):
                    def change(file):
                        data = file[name][...]
                        data.reshape(-1)[random.Random(number + k).randrange(data.size)] = numpy.array(value).astype(kind)
                        file[name][...] = data
                    code = self.go_on(change)
                    if value != value or value == -1.0 and name.endswith("speed"):
                        self.assertEqual(code, 3)
                    refused += code == 3
        self.assertGreater(refused, len(arrays) // 5)

    def test_arrays_of_other_shapes(self):
        """Missing, shorter, of another type, in place of each other."""
        for number, (name, kind, shape) in enumerate(self.arrays()):
            def change(file):
                data = file[name][...]
                del file[name]
                if number % 3 == 0 and data.size and data.ndim:
                    file[name] = data.reshape(-1)[1:]
                elif number % 3 == 1 and kind.kind in "fiu":
                    file[name] = data.astype("f4" if kind.kind != "f" else "i8")
            with self.subTest(name=name): # words are for messages and for comparing: the bodies go on without
                self.assertIn(self.go_on(change), [3] if name.startswith("state/") else [0, 3])


if __name__ == "__main__":
    unittest.main()
