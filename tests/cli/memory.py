"""The memory of a long run does not grow."""
import os
import subprocess
import sys
import unittest

from command import LAWS, PLUVIA, Case

# Spheres come, bounce about in a box without a lid on one side, leave; contacts come and go.
FEW = """
time: { step = 1e-3; end = 1000.0; };
output: { interval = 0.25; contacts = true; checkpoint_interval = 1.0; };
limits: { on_limit = "warn"; };
gravity = [0.0, 0.0, -9.81];
boundaries = ( { box: { lower = [-0.03, -0.03, 0]; upper = [0.03, 0.03, 0.2]; }; material = "plate"; } );
feeders = ( { pluviation: { count = 12; interval = 8.0; height = 0.15; footprint: { square = 0.02; }; };
              material = "grain"; radius = [0.005, 0.01]; } );
""" + LAWS.replace("rolling_friction = 1e-3", "rolling_friction = 1e-3; restitution = 0.5")


class Memory(Case):
    def grows_less_than(self, most, *words, until):
        """The most memory (kB) of a short and of a long run. Processors report their pages late, so where the long one has more it
        tries again, twice, and the least counts of each."""
        first, last = [], []
        for _ in range(3):
            for peaks, end in zip((first, last), until):
                peaks.append(self.peak("-o", f"{end}.h5md", *words, "--until", end))
            if min(last) - min(first) < most:
                break
        self.assertLess(min(last) - min(first), most, (first, last))
        return min(first), min(last)

    def peak(self, *words):
        process = subprocess.Popen([PLUVIA, "run", "a.cfg", "-j", "1", "-q", "--force", *words], cwd=self.folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = status
        self.assertEqual(status, 0)
        return usage.ru_maxrss

    def test_flat_over_1e5_steps(self):
        """From 1e5 steps on: until then spheres still come (the last one at 88 s), and with them the most that meets at a time, and what
        HDF5 keeps, grow."""
        self.write("a.cfg", FEW)
        first, last = self.grows_less_than(512, "-s", "output.interval=1000", until=("100", "220"))
        print(f"{first} kB after 1e5 steps, {last} kB after 2.2e5 (220 checkpoints)", file=sys.stderr)

    def test_frames(self):
        """HDF5 remembers where its chunks are; its cache of that has an end, of 32 MiB."""
        self.write("a.cfg", FEW)
        first, last = self.grows_less_than(32 << 10, "-s", "output.interval=0.01", until=("4", "20"))
        print(f"{first} kB after 400 frames, {last} kB after 2000", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
