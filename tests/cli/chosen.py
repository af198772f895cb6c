"""Steps that the run chooses (time.step = "auto", the default): bits for threads and restarts, frames, refusals."""
import re
import unittest

import h5py
import numpy

from command import Case

# A bed, and a ball that hits it at 100 m/s after 35 ms.
BED = """
time: { end = 0.078; };
output: { interval = 0.006; };
materials = ( { name = "g"; density = 2500.0; }, { name = "w"; } );
contacts = ( { between = ["g", "g"]; friction = 0.4; restitution = 0.3; }, { between = ["g", "w"]; friction = 0.4; } );
boundaries = ( { box: { lower = [-0.05, -0.05, 0]; upper = [0.05, 0.05, 1]; }; material = "w"; } );
bodies = ( { lattice: { counts = [8, 8, 4]; spacing = 0.0105; origin = [-0.037, -0.037, 0.006]; jitter = 1e-4; };
             radius = 0.005; material = "g"; },
           { position = [0.001, 0, 3.55]; velocity = [0, 0, -100]; radius = 0.005; material = "g"; } );
"""
# Two boundaries that move, grains that are fed.
FED = """
time: { end = 0.4; };
output: { interval = 0.02; };
materials = ( { name = "g"; density = 2500.0; }, { name = "w"; } );
contacts = ( { between = ["g", "g"]; friction = 0.4; rolling_friction = 1e-4; }, { between = ["g", "w"]; friction = 0.4; } );
boundaries = ( { box: { lower = [-0.03, -0.03, 0]; upper = [0.03, 0.03, 0.3]; }; material = "w";
                 motion: { vibration: { amplitude = [0, 0, 1e-3]; frequency = 30.0; }; start = 0.1; }; },
               { plate: { center = [0, 0, 0.02]; normal = [1, 0, 0]; size = [0.05, 0.02]; }; material = "w";
                 motion: { axis = [0, 0, 1]; center = [0, 0, 0.02]; rate = 20.0; }; } );
feeders = ( { pluviation: { count = 100; rate = 400.0; height = 0.2; footprint: { square = 0.04; }; };
              material = "g"; radius = [0.003, 0.004]; } );
"""
PRESSED = """
time: { end = 0.05; };
output: { interval = 0.01; };
gravity = [0, 0, 0];
materials = ( { name = "g"; density = 2650.0; } );
contacts = ( { between = ["g", "g"]; friction = 0.3; } );
cell: { periodic = ["x", "y", "z"]; size = [0.03, 0.03, 0.03]; stress = [1e4, 1e4, 1e4]; };
bodies = ( { lattice: { counts = [6, 6, 6]; spacing = 0.0049; jitter = 2e-4; }; radius = [0.0018, 0.0022]; material = "g"; } );
"""


def state_hash(out):
    return re.search(r"state hash +(\w+)", out).group(1)


class Chosen(Case):
    def test_same_bits(self):
        for name, scene, until in [("bed", BED, [0.018, 0.036, 0.054]), ("fed", FED, [0.1, 0.22]), ("pressed", PRESSED, [0.02])]:
            with self.subTest(name):
                path = self.write(name + ".cfg", scene)
                whole = self.pluvia("run", path, "-j", 1, "-o", "whole.h5md", "--force")[0]
                self.assertEqual(state_hash(self.pluvia("run", path, "-j", 3, "-o", "three.h5md", "--force")[0]), state_hash(whole))
                self.assertLess(float(re.search(r"energy balance +(\S+)", whole).group(1)), 1e-8)
                for k, end in enumerate(until):
                    self.pluvia("run", path, "-j", 1 + k % 2, "-o", "parts.h5md", "--until", end,
                                *(["--force"] if k == 0 else ["--restart", "auto"]))
                last = self.pluvia("run", path, "-j", 1, "-o", "parts.h5md", "--restart", "auto")[0]
                self.assertEqual(state_hash(last), state_hash(whole))
                for word in ("steps chosen", "sweeps", "energy balance", "interpenetration"):
                    of = [next(line for line in out.splitlines() if line.startswith(word)).split(", 0")[0] for out in (whole, last)]
                    self.assertEqual(of[0].split(", ")[0], of[1].split(", ")[0])
                with h5py.File(self.folder / "whole.h5md") as one, h5py.File(self.folder / "parts.h5md") as two:
                    for item in ("position", "velocity"):
                        place = f"particles/trajectory/{item}/value"
                        self.assertTrue(numpy.array_equal(one[place][:], two[place][:]), item)

    def test_frames_are_met_exactly(self):
        path = self.write("bed.cfg", BED.replace("interval = 0.006", "interval = 0.007").replace("end = 0.078", "end = 0.07"))
        out, err = self.pluvia("run", path, "-o", "bed.h5md")
        self.assertNotIn("multiple", err)
        with h5py.File(self.folder / "bed.h5md") as file:
            times = file["particles/trajectory/position/time"][:]
        self.assertLess(abs(times - 0.007 * numpy.arange(11)).max(), 1e-15)
        self.assertRegex(out, r"steps chosen +mean .* s, shortest .* s; [1-9]\d* more were too long")

    def test_the_end_is_met_exactly(self):
        """Also where it is no multiple of the interval; another end may then need other steps, which is said."""
        path = self.write("bed.cfg", BED.replace("end = 0.078", "end = 0.04"))
        out, err = self.pluvia("run", path, "-o", "bed.h5md")
        self.assertNotIn("multiple", err)
        self.assertIn("simulated         0.04 s in ", out)
        err = self.pluvia("run", path, "-o", "bed.h5md", "--until", 0.047, "--restart", "auto", code=3)[1]
        self.assertRegex(err, r"its longest step is 0.002 s, but 0.001 s by the scene now: choose a time.end")

    def test_forces_are_those_of_the_last_part(self):
        """A ball at rest presses on the plate by its weight, whatever the part was."""
        path = self.write("rest.cfg", """
            time: { end = 0.1; }; output: { interval = 0.1; contacts = true; };
            materials = ( { name = "g"; density = 2500.0; }, { name = "w"; } );
            contacts = ( { between = ["g", "w"]; friction = 0.4; }, { between = ["g", "g"]; friction = 0.4; } );
            boundaries = ( { plane: {}; material = "w"; motion: { vibration: { amplitude = [0, 1e-9, 0]; frequency = 25.0; }; }; } );
            bodies = ( { position = [0, 0, 0.01]; radius = 0.01; material = "g"; } );""")
        self.pluvia("run", path, "-o", "rest.h5md")
        with h5py.File(self.folder / "rest.h5md") as file:
            force = file["contacts/impulse"][-1, 0] / file["contacts/dt"][-1]
            self.assertLess(file["contacts/dt"][-1], 1e-3)
        weight = 2500 * 4 / 3 * numpy.pi * 0.01**3 * 9.81
        self.assertLess(abs(force / weight - 1), 1e-3)

    def test_default(self):
        path = self.write("bed.cfg", BED)
        self.assertIn('step = "auto"', self.pluvia("check", "--defaults", path)[0])
        self.assertIn('time.step = "auto": steps of at most 0.003 s', self.pluvia("check", path)[0])

    def test_what_is_refused(self):
        law = 'friction = 0.4; restitution = 0.3; restitution_law = "energy";'
        for scene, said in [(BED.replace("friction = 0.4; restitution = 0.3;", law), 'bed.cfg:5: .*restitution_law = "energy" needs a number'),
                            (BED.replace("interval = 0.006;", 'interval = 0.006; dump_problems = "every";'), "dump_problems needs a number"),
                            (BED.replace("end = 0.078;", "end = 0.078; smallest = 1;"), "time.smallest = 1 s is longer"),
                            (BED.replace("end = 0.078;", 'end = 0.078; step = "fast";'), "time.step")]:
            with self.subTest(said):
                self.assertRegex(self.pluvia("check", self.write("bed.cfg", scene), code=3)[1], said)


if __name__ == "__main__":
    unittest.main()
