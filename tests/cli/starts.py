"""Scenes that start from another run (bodies.run)."""
import csv
import json
import re
import unittest

import h5py
import numpy

from command import LAWS, ROOT, Case, numbers_only

# A bin is filled, until all is at rest.
FILL = """
seed = 2;
time: { step = 1e-3; end = 3.0; until_rest = 1e-6; };
output: { interval = 0.1; contacts = true; };
materials = ( { name = "grain"; density = 2500.0; }, { name = "steel"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.4; rolling_friction = 1e-4; },
             { between = ["grain", "steel"]; friction = 0.3; rolling_friction = 1e-4; } );
boundaries = ( { name = "bin"; box: { lower = [0, 0, 0]; upper = [0.06, 0.06, 0.4];
                 faces = ["x-", "x+", "y-", "y+"]; }; material = "steel"; },
               { name = "gate"; plate: { center = [0.03, 0.03, 0]; size = [0.2, 0.2]; }; material = "steel"; },
               { name = "ground"; plane: { center = [0, 0, -0.1]; }; material = "steel"; } );
"""
PACKING = """
bodies = ( { packing: { count = 200; box = [[0, 0, 0], [0.06, 0.06, 0.3]]; }; material = "grain";
             radius = [0.004, 0.005]; } );
"""
RUN = """
bodies = ( { run: { path = "output/fill.h5md"; }; } );
"""
GATE = re.search(r'\{ name = "gate".*', FILL)[0] + "\n"
NEVER = FILL.replace(" until_rest = 1e-6;", "").replace("end = 3.0", "end = 0.1")


def state_hash(out):
    return re.search(r"state hash +([0-9a-f]{16})", out)[1]


def particles(path, name, frame):
    with h5py.File(path) as file:
        item = file[f"particles/trajectory/{name}"]
        return item[frame] if frame is not None else item[()]


def observable(path, name):
    with h5py.File(path) as file:
        return file[f"observables/{name}/value"][()]


class Filled(Case):
    results = None  # of the bin, filled once for all tests

    def setUp(self):
        super().setUp()
        self.write("fill.cfg", FILL + PACKING)
        self.filled = self.folder / "output/fill.h5md"
        if not Filled.results:
            self.pluvia("run", "fill.cfg", "-j", 1)
            Filled.results = {p.name: p.read_bytes() for p in self.filled.parent.iterdir()}
        self.filled.parent.mkdir(exist_ok=True)
        for name, content in Filled.results.items():
            (self.filled.parent / name).write_bytes(content)

    def refuse(self, scene, text, code=3):
        self.write("bad.cfg", scene)
        err = self.pluvia("check", "bad.cfg", code=code)[1]
        self.assertIn(text, err)
        self.assertEqual(len(err.splitlines()), 1, err)


class Rest(Filled):
    """The scene that the bed came to rest in."""

    def test_spheres_are_those_of_the_last_frame(self):
        self.write("again.cfg", NEVER + RUN)
        self.pluvia("run", "again.cfg")
        path = self.folder / "output/again.h5md"
        for name in ["position", "velocity", "angular_velocity", "orientation"]:
            there, here = particles(self.filled, name + "/value", -1), particles(path, name + "/value", 0)
            self.assertEqual(there.tobytes(), here.tobytes(), name)
        for name in ["radius", "species", "mass"]:
            self.assertEqual(particles(self.filled, name, None).tobytes(), particles(path, name, None).tobytes())

    def test_rest_stays_rest(self):
        """Spheres move as in the run that goes on (where none sleeps, for none does at a start), and the floor carries
        the weight from the first step on. Without impulses they move more."""
        awake = "solver: { quiet = false; };"
        self.write("fill.cfg", awake + FILL + PACKING)
        self.write("again.cfg", awake + NEVER + RUN)
        self.pluvia("run", "fill.cfg", "--force")
        start, end = particles(self.filled, "position/value", -1), self.info(self.filled)["end"]
        self.pluvia("run", "again.cfg", "-s", "output.interval=1e-3")
        self.pluvia("run", "again.cfg", "-o", "cold.h5md", "-s", 'bodies[0].run.keep=["velocity", "spin", "material"]')
        load = observable(self.folder / "output/again.h5md", "boundary_load")
        self.pluvia("run", "fill.cfg", "--restart", "auto", "-s", "time.until_rest=0", "--until", end + 0.1)

        def moved(path):
            return numpy.abs(particles(path, "position/value", -1) - start).max()
        again, cold = moved(self.folder / "output/again.h5md"), moved(self.folder / "cold.h5md")
        self.assertLess(again, 1.001 * moved(self.filled))
        self.assertLess(again, 0.1 * cold)
        self.assertLess(numpy.abs(load[1:] - 1.0).max(), 1e-3)

    def test_impulses_spare_sweeps(self):
        sweeps = {}
        for name, keep in [("with", ["velocity", "spin", "impulses", "material"]), ("without", ["velocity", "spin", "material"])]:
            self.write(name + ".cfg", NEVER + RUN)
            out, err = self.pluvia("run", name + ".cfg", "-s", "time.end=0.001", "-s",
                                   f"bodies[0].run.keep={json.dumps(keep)}")
            sweeps[name] = observable(self.folder / f"output/{name}.h5md", "solver_iterations")[-1]
            self.assertEqual("without impulses" in err, name == "without", err)
        self.assertLess(2 * sweeps["with"], sweeps["without"], sweeps)

    def test_a_file_without_contacts_says_so(self):
        self.pluvia("run", "fill.cfg", "-s", "output.contacts=false", "--force")
        self.write("again.cfg", NEVER + RUN)
        self.assertIn("without impulses: the file contains no contacts", self.pluvia("check", "again.cfg")[0])


class Opened(Filled):
    def setUp(self):
        super().setUp()
        self.scene = NEVER.replace(GATE, "").replace("end = 0.1", "end = 0.2") + RUN
        self.write("open.cfg", self.scene)

    def test_it_runs_out(self):
        self.pluvia("run", "open.cfg")
        z = particles(self.folder / "output/open.h5md", "position/value", -1)[:, 2]
        self.assertLess(z.mean(), particles(self.filled, "position/value", -1)[:, 2].mean() - 0.05)

    def test_impulses_with_what_is_gone_are_dropped(self):
        with h5py.File(self.filled) as file:
            rows = slice(*file["contacts/offset"][-2:])
            gate = -1 - file["walls/gate"].attrs["parts"][0]
            total, dropped = rows.stop - rows.start, (file["contacts/body"][rows, 0] == gate).sum()
        self.assertGreater(dropped, 5)
        out = self.pluvia("check", "open.cfg")[0]
        end = self.info(self.filled)["end"]
        self.assertIn(f"200 spheres of output/fill.h5md at t = {end:.9g} s, impulses of {total - dropped} of {total} ", out)

    def test_same_bits_for_any_threads(self):
        hashes = {state_hash(self.pluvia("run", "open.cfg", "-j", j, "--force")[0]) for j in [1, 2, 5]}
        self.assertEqual(len(hashes), 1)

    def test_it_goes_on_without_the_run(self):
        whole = state_hash(self.pluvia("run", "open.cfg", "-o", "whole.h5md")[0])
        self.pluvia("run", "open.cfg", "-o", "parts.h5md", "--until", "0.1")
        self.filled.rename(self.folder / "elsewhere.h5md")
        parts = state_hash(self.pluvia("run", "open.cfg", "-o", "parts.h5md", "--restart", "auto")[0])
        self.assertEqual(whole, parts)
        err = self.pluvia("run", "open.cfg", "-o", "new.h5md", "--restart", "auto", code=3)[1]
        self.assertIn("open.cfg:12: output/fill.h5md: no such file", err)

    def test_a_run_that_has_changed_meanwhile(self):
        self.pluvia("run", "open.cfg", "-o", "parts.h5md", "--until", "0.1")
        self.pluvia("run", "fill.cfg", "-s", "seed=9", "--force")
        err = self.pluvia("run", "open.cfg", "-o", "parts.h5md", "--restart", "auto", code=3)[1]
        self.assertIn("the run from which it starts", err)

    def test_a_problem_of_a_frame(self):
        self.pluvia("run", "open.cfg", "-s", "output.contacts=true")
        self.filled.unlink()
        self.pluvia("export", "output/open.h5md", "--to", "problem", "--at", "0.1", "-o", "p.hdf5")

    def test_its_file_is_not_written(self):
        self.assertIn("which this command reads", self.pluvia("run", "open.cfg", "-o", "output/fill.h5md", "--force", code=2)[1])

    def test_with_a_boulder_a_feeder_and_twice(self):
        more = """bodies = ( { position = [0.03, 0.03, 0.3]; material = "grain"; radius = 0.02; },
            { run: { path = "output/fill.h5md"; }; },
            { run: { path = "output/low.h5md"; at = 0.0; }; } );
            feeders = ( { pluviation: { count = 3; rate = 100; height = 0.35; center = [0.03, 0.03]; footprint: { square = 0.02; }; };
                          material = "grain"; radius = 0.004; } );"""
        self.write("low.cfg", FILL.replace("end = 3.0", "end = 0.01") + """
            bodies = ( { position = [0.2, 0.2, -0.05]; material = "grain"; radius = 0.01; velocity = [1, 0, 0]; } );""")
        self.pluvia("run", "low.cfg")
        self.write("more.cfg", NEVER.replace(GATE, "") + more)
        self.assertIn("1 sphere of output/low.h5md at t = 0 s", self.pluvia("check", "more.cfg")[0])
        hashes = {state_hash(self.pluvia("run", "more.cfg", "-j", j, "--force")[0]) for j in [1, 3]}
        self.assertEqual(len(hashes), 1)
        path = self.folder / "output/more.h5md"
        self.assertEqual(particles(path, "radius", None)[0], 0.02)
        self.assertEqual(particles(path, "velocity/value", 0)[201].tolist(), [1.0, 0.0, 0.0])


class Wrong(Filled):
    def test_files(self):
        scene = NEVER + RUN
        self.refuse(scene.replace("fill.h5md", "no.h5md"), "bad.cfg:13: output/no.h5md: no such file; run its scene first")
        self.refuse(scene.replace("output/fill.h5md", "output"), "bad.cfg:13: output: a directory, not a trajectory")
        self.refuse(scene.replace("output/fill.h5md", "fill.cfg"), "bad.cfg:13: fill.cfg: a scene, not a trajectory of pluvia")
        self.refuse(scene.replace("fill.h5md", "fill.checkpoint.h5"), "a checkpoint, from which only its own run can continue")
        whole = self.filled.read_bytes()
        for share in [0.0, 0.1, 0.5, 0.99]:
            (self.folder / "cut.h5md").write_bytes(whole[:int(share * len(whole))])
            self.refuse(scene.replace("output/fill", "cut"), "bad.cfg:13: cut.h5md: ")

    def test_times(self):
        at = RUN.replace('fill.h5md"', 'fill.h5md"; at = %s')
        self.refuse(NEVER + at % "0.25", "bad.cfg:13: output/fill.h5md: no frame at t = 0.25 s; nearest: 0.2 s and 0.3 s")
        self.refuse(NEVER + at % "99.0", "no frame at t = 99 s; nearest: ")
        self.write("good.cfg", NEVER + at % "0.2" + "allow_overlap = true;")
        self.assertIn("200 spheres of output/fill.h5md at t = 0.2 s", self.pluvia("check", "good.cfg")[0])

    def test_a_run_that_did_not_end(self):
        with h5py.File(self.filled, "r+") as file:
            state = file["parameters/pluvia"].attrs.get_id("state")
            state.write(numpy.array(b"running", dtype=state.dtype))
        self.refuse(NEVER + RUN, "its run is not complete (running); to start from its last frame set at = ")

    def test_layouts(self):
        def change(value):
            with h5py.File(self.filled, "r+") as file:
                file["parameters/pluvia"].attrs.modify("schema", numpy.int32(value))
        change(3)
        self.refuse(NEVER + RUN, "with layout 3; this program reads layouts 1 to 2")
        change(1)
        self.write("old.cfg", NEVER + RUN)
        self.assertIn("200 spheres", self.pluvia("check", "old.cfg")[0])

    def test_materials(self):
        renamed = (NEVER + RUN).replace('"grain"', '"sand"')
        self.refuse(renamed, 'its spheres have the material "grain", which the scene does not have (it has "sand", "steel")')
        self.write("sand.cfg", renamed.replace('fill.h5md"; };', 'fill.h5md"; keep = ["impulses"]; }; material = "sand"; velocity = [0, 0, 1];'))
        self.pluvia("run", "sand.cfg", "-s", "materials[0].density=5000.0")
        path = self.folder / "output/sand.h5md"
        self.assertTrue(numpy.allclose(particles(path, "mass", None), 2.0 * particles(self.filled, "mass", None), rtol=1e-12))
        self.assertEqual(set(particles(path, "velocity/value", 0)[:, 2]), {1.0})

    def test_numbers_that_no_sphere_has(self):
        for name, value in [("position", numpy.nan), ("velocity", numpy.inf), ("orientation", 0.0)]:
            self.filled.write_bytes(self.results["fill.h5md"])
            with h5py.File(self.filled, "r+") as file:
                file[f"particles/trajectory/{name}/value"][-1, 7] = value
            self.refuse(NEVER + RUN, "differs from its checksum")
            self.reseal(self.filled)
            self.refuse(NEVER + RUN, "damaged: sphere 7 has impossible values at t = ")

    def test_more_overlap_than_the_slop(self):
        scene = (NEVER + RUN).replace("center = [0.03, 0.03, 0];", "center = [0.03, 0.03, 0.001];")
        self.write("bad.cfg", scene)
        self.assertRegex(self.pluvia("check", "bad.cfg", code=3)[1], r'sphere \d+ overlaps boundary "gate"')
        self.pluvia("check", "bad.cfg", "-s", "allow_overlap=true")


class AsItWas(Case):
    def test_the_same_contacts_as_in_the_run(self):
        """A ball that rests in a cone, which has three parts, finds the contacts that it had: nobody listed them anew, so
        nothing bore it, and it fell through the cone."""
        scene = "time: { step = 1e-3; end = 0.3; };" + LAWS + """
            boundaries = ( { cone: { center = [0, 0, 0]; radii = [0.01, 0.01]; height = 0.05; }; material = "plate"; } );
            output: { interval = 0.1; contacts = true; }; bodies = ( %s );"""
        self.write("a.cfg", scene % '{ position = [0, 0, 0.062]; radius = 0.012; material = "grain"; }')
        self.write("b.cfg", scene % '{ run: { path = "a.h5md"; }; }')
        for name in "a", "b":
            self.pluvia("run", f"{name}.cfg", "-q", "-o", f"{name}.h5md")
        heights = [self.pluvia("measure", f"{name}.h5md", "--columns", "rolling.z")[0].split()[-1] for name in ("a", "b")]
        self.assertAlmostEqual(float(heights[1]), float(heights[0]), delta=1e-6)


class Campaign(Filled):
    def test_cases_depend_on_the_run(self):
        self.write("open.cfg", NEVER.replace(GATE, "") + RUN)
        self.write("sweep.cfg", """scene = "open.cfg"; measures = ["bed.z"];
            axes = ( { key = "bodies[0].run.at"; values = ["end", 0.0]; } );""")
        self.pluvia("sweep", "sweep.cfg", "-o", "out")
        self.assertIn("2 done (0 now)", self.pluvia("sweep", "sweep.cfg", "-o", "out")[0])
        with open(self.folder / "out/table.csv", newline="", encoding="utf-8") as file:
            heights = [row["bed.z"] for row in csv.DictReader(file)]
        self.assertNotEqual(*heights)
        self.pluvia("run", "fill.cfg", "-s", "seed=5", "--force")
        self.assertEqual(self.pluvia("sweep", "sweep.cfg", "-o", "out", "--dry-run")[0].count(" changed "), 2)


class Shipped(Case):
    @numbers_only
    def test_fill_then_open(self):
        """scenes/fill.cfg and scenes/open.cfg with an eighth of the grains: they run out at a rate that is that of
        Beverloo's law within 30 % (a bed as low as this one does not cover the opening for long)."""
        self.pluvia("run", ROOT / "scenes/fill.cfg", "-s", "bodies[0].packing.count=400")
        filled = self.folder / "output/fill.h5md"
        self.pluvia("run", ROOT / "scenes/open.cfg", "-s", f"bodies[0].run.path={filled}", "--until", "0.7")
        opened = self.folder / "output/open.h5md"
        self.assertTrue(numpy.all(particles(filled, "position/value", -1)[:, 2] > 0.003))
        below = particles(opened, "position/value", None)[:, :, 2] < 0.0
        self.assertTrue(numpy.all(below[-1]))
        mass = below @ particles(opened, "mass", None)
        times = particles(opened, "position/time", None)
        middle = (mass > 0.2 * mass[-1]) & (mass < 0.8 * mass[-1])
        flow = numpy.polyfit(times[middle], mass[middle], 1)[0]
        self.assertAlmostEqual(flow / 1.4, 1.0, delta=0.3)


if __name__ == "__main__":
    unittest.main()
