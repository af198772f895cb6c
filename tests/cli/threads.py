"""The same bits for any number of threads: the state hash and every dataset of the file."""
import os
import re
import unittest

import h5py
import numpy

from command import FALL, LAWS, Case

# A block of 20,280 spheres settles in a box: more bodies and contacts than any loop of the library
# wants before it uses several threads.
CROWD = """
seed = 3;
time: { step = 1e-3; end = 0.06; };
gravity = [1.0, 0.0, -9.81];
output: { interval = 0.02; contacts = true;
          quantities = ["position", "velocity", "angular_velocity", "orientation", "force"]; };
boundaries = ( { box: { lower = [0, 0, 0]; upper = [0.53, 0.53, 1.0];
                        faces = ["x-", "x+", "y-", "y+", "z-"]; }; material = "plate"; } );
bodies = ( { lattice: { counts = [26, 26, 30]; spacing = 0.0202; origin = [0.0125, 0.0125, 0.0101];
                        jitter = 0.0; };
             material = "grain"; radius = [0.0098, 0.01]; } );
""" + LAWS


def datasets(path):
    """Every dataset but those that say how the run was made."""
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and not name.startswith("parameters"):
            found[name] = item[()]

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


# The same with springs, pressed together from the start.
SOFT = 'method = "penalty"; allow_overlap = true;\n' + CROWD.replace(
    "step = 1e-3; end = 0.06", "step = 1e-4; end = 0.004").replace(
    "interval = 0.02", "interval = 2e-3").replace("spacing = 0.0202", "spacing = 0.0197").replace(
    "friction = 0.3;", "friction = 0.3; friction_dynamic = 0.2; normal_stiffness = 1e4;")


class Threads(Case):
    def test_same_bits(self):
        self.check_same_bits(CROWD)

    def test_same_bits_with_springs(self):
        self.check_same_bits(SOFT)

    def spin_counts(self, command, *words, **variables):
        """What libgomp says that it goes by, once for each start of the program."""
        environment = {name: value for name, value in os.environ.items()
                       if name not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
        _, err = self.pluvia(command, *words, env=environment | {"OMP_DISPLAY_ENV": "verbose"} | variables)
        return re.findall(r"GOMP_SPINCOUNT = '(\d+)'", err)

    def test_waiting_threads_soon_sleep(self):
        """Unless the user has said how they wait."""
        self.write("fall.cfg", FALL)
        run = ["run", "fall.cfg", "--force"]
        usual = self.spin_counts("solvers")
        if len(usual) != 1:
            self.skipTest("another library than libgomp")
        if os.sysconf("SC_NPROCESSORS_ONLN") == 1:
            self.skipTest("one processor: nobody waits")
        self.assertGreater(int(usual[0]), 2000)
        self.assertEqual(self.spin_counts(*run), usual + ["2000"])
        self.assertEqual(self.spin_counts(*run, GOMP_SPINCOUNT="7"), ["7"])
        self.assertEqual(self.spin_counts(*run, OMP_WAIT_POLICY="active"),
                         self.spin_counts("solvers", OMP_WAIT_POLICY="active"))

    def check_same_bits(self, scene):
        self.write("crowd.cfg", scene)
        hashes, first = set(), None
        for threads in [1, 2, 3, 8, None]:  # None: as many as are fastest, which is tried during the run
            words = ["-j", threads] if threads else []
            out, _ = self.pluvia("run", "crowd.cfg", "-o", "a.h5md", "--force", *words)
            hashes.add(re.search(r"state hash +([0-9a-f]{16})", out)[1])
            found = datasets(self.folder / "a.h5md")
            self.assertGreater(found["observables/contacts/value"][-1], 16384)
            if first is None:
                first = found
            self.assertEqual(set(found), set(first))
            for name, value in found.items():
                same = numpy.asarray(value).tobytes() == numpy.asarray(first[name]).tobytes()
                self.assertTrue(same, f"{name} differs between 1 and {threads} threads")
        self.assertEqual(len(hashes), 1)

    def test_another_seed_is_another_state(self):
        self.write("crowd.cfg", CROWD)
        hashes = set()
        for seed in [3, 4]:
            out, _ = self.pluvia("run", "crowd.cfg", "--until", "0.01", "--force", "-s", f"seed={seed}")
            hashes.add(re.search(r"state hash +([0-9a-f]{16})", out)[1])
        self.assertEqual(len(hashes), 2)


if __name__ == "__main__":
    unittest.main()
