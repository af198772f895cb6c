"""A killed run loses no frame, and goes on to the same bits. Most kills are put at chosen calls of
the operating system (support/faults.c), where files are half written; some come at any time."""
import os
import pathlib
import random
import re
import signal
import subprocess
import tempfile
import time
import unittest

import h5py

from command import LAWS, PATIENCE, PLUVIA, Case

# 90 frames, so that the trees of all datasets get a second node; four checkpoints.
RAIN = """
seed = 3;
time: { step = 1e-3; end = 0.09; };
output: { interval = 0.001; contacts = true; checkpoint_wall_interval = 0.0; checkpoint_interval = 0.02; };
boundaries = ( { plate: { size = [0.05, 0.05]; }; material = "plate"; } );
feeders = ( { pluviation: { count = 25; interval = 0.004; height = 0.05; footprint: { square = 0.03; }; };
              material = "grain"; radius = [0.005, 0.01]; velocity = [0, 0, -1]; } );
domain: { box = [[-1, -1, -0.02], [1, 1, 1]]; };
""" + LAWS


def share(count):
    """Of so many kills a third with the sanitizers, which look at what runs do with the files that are left."""
    return count // 3 if os.environ.get("SANITIZED") else count


FIXED = ["species", "mass", "radius", "inertia"]  # a row a body
A_FRAME = ["step", "time", "dt"]                  # of /contacts; its other columns have a row a contact


def with_fault(kind, at, on="", log=""):
    env = dict(os.environ, LD_PRELOAD=os.environ["FAULTS"], FAULT=str(kind), FAULT_AT=str(at),
               FAULT_ON=on, OMP_NUM_THREADS="1")
    if log:
        env["FAULT_LOG"] = str(log)
    env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
    return env


class Kill(Case):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="pluvia-")
        cls.addClassCleanup(holder.cleanup)
        cls.reference = pathlib.Path(holder.name)
        (cls.reference / "rain.cfg").write_text(RAIN)
        log = cls.reference / "calls"
        out = subprocess.run([PLUVIA, "run", "rain.cfg", "-o", "a.h5md"], cwd=cls.reference, check=True,
                             capture_output=True, text=True, env=with_fault(0, 0, "", log)).stdout
        cls.hash = cls.hash_of(out)
        cls.calls = [line.split() for line in log.read_text().splitlines()]
        cls.data = {}
        with h5py.File(cls.reference / "a.h5md") as file:
            file.visititems(lambda name, item: cls.data.update({name: item[()]})
                            if isinstance(item, h5py.Dataset) and not name.startswith("parameters") else None)

    @staticmethod
    def hash_of(out):
        return re.search(r"state hash +([0-9a-f]{16})", out)[1]

    def setUp(self):
        super().setUp()
        self.write("rain.cfg", RAIN)
        self.kills = 0

    def run_into(self, env, *words):
        """True when the run was killed, False when it came to its end before."""
        process = self.start("run", "rain.cfg", "-o", "a.h5md", "-q", *words, env=env)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertIn(process.returncode, [0, -signal.SIGKILL], err)
        self.kills += process.returncode != 0
        return process.returncode != 0

    def check_frames(self, what):
        """What is in the file is what belongs there; the sidecar counts the frames that were flushed."""
        if not (self.folder / "a.h5md").exists():
            return
        sidecar = self.folder / "a.xdmf"
        flushed = sidecar.read_text().count('<Grid Name="frame-') if sidecar.exists() else 0
        with h5py.File(self.folder / "a.h5md") as file:
            clock = file["particles/trajectory/position"]
            frames = min(len(clock["step"]), len(clock["time"]))
            if "goes on" not in what:  # a file that was cut back has fewer frames than its old sidecar
                self.assertGreaterEqual(frames, flushed, what)
            for name, whole in self.data.items():
                folder, last = name.split("/")[0], name.split("/")[-1]
                rows = (len(whole) if last in FIXED else frames + 1 if last == "offset"
                        else file["contacts/offset"][frames] if folder == "contacts" and last not in A_FRAME
                        else frames)
                self.assertEqual(file[name][:rows].tobytes(), whole[:rows].tobytes(),
                                 f"{what}: {name} in {frames} frames")
        self.assertGreaterEqual(self.info("a.h5md")["frames"], frames, what)

    def check_end(self, what):
        out, err = self.pluvia("run", "rain.cfg", "-o", "a.h5md", "--restart", "auto", env=with_fault(0, 0))
        if "is complete" in err:  # killed after its end
            self.assertEqual(self.info("a.h5md")["state"], "complete", what)
        else:
            self.assertEqual(self.hash_of(out), self.hash, what)
        self.check_frames(what + ", goes on")
        with h5py.File(self.folder / "a.h5md") as file:
            self.assertEqual(len(file["particles/trajectory/position/step"]),
                             len(self.data["contacts/step"]), what)
        for path in self.folder.glob("a.*"):
            path.unlink()

    def kill_at(self, kind, number, again=None):
        _, name, path = self.calls[number - 1]
        what = f"{kind} at call {number}, {name} {pathlib.Path(path).name}"
        self.assertTrue(self.run_into(with_fault(kind, number)), what)
        self.check_frames(what)
        if again:
            what += f", goes on, {kind} at call {again}"
            self.run_into(with_fault(kind, again), "--restart", "auto")
            self.check_frames(what)
        self.check_end(what)

    def test_any_call(self):
        draw = random.Random(5)
        for number in draw.sample(range(1, len(self.calls) + 1), share(16)):
            self.kill_at("kill", number)
        for number in draw.sample(range(1, len(self.calls) + 1), share(8)):
            self.kill_at("tear", number)
        self.assertEqual(self.kills, share(16) + share(8))

    def test_restart_killed_too(self):
        draw = random.Random(6)
        for again in draw.sample(range(1, 400), share(12)):
            self.kill_at("kill", draw.randrange(len(self.calls) // 3, len(self.calls)), again)
        self.assertGreaterEqual(self.kills, share(12))

    def test_while_a_checkpoint_is_written_and_renamed(self):
        writes = [int(n) for n, name, path in self.calls if path.endswith("checkpoint.h5.part")]
        for number in random.Random(7).sample(writes, share(6)):
            self.kill_at("kill", number)
        renames = [int(n) for n, name, path in self.calls if name == "rename"]
        self.assertGreaterEqual(len(renames), 8)
        for number in renames[:share(8)]:
            self.kill_at("kill", number)

    def test_while_a_node_is_divided(self):
        """All calls of the frame in which the index of most datasets gets its second node."""
        frame, largest = None, 0
        ends = [int(n) for n, _, path in self.calls if path.endswith("a.xdmf")]  # the sidecar is written after each frame
        self.assertGreaterEqual(len(ends), 2 * len(self.data["contacts/step"]) - 2)
        for before, after in zip(ends, ends[1:]):
            inside = [p for _, _, p in self.calls[before:after - 1] if p.endswith("a.h5md")]
            if len(inside) > largest:
                frame, largest = before + 1, len(inside)
        for number in random.Random(8).sample(range(frame, frame + largest), share(10)):
            self.kill_at("kill", number)

    def test_any_time(self):
        draw = random.Random()
        for _ in range(6):
            words = ["run", "rain.cfg", "-o", "a.h5md", "-q", "--restart", "auto"]
            process = self.start(*words, "-s", "output.checkpoint_interval=0.002")
            time.sleep(draw.uniform(0.0, 0.4))
            process.kill()
            process.communicate(timeout=PATIENCE)
            self.check_frames("killed at some time, goes on")
        self.check_end("killed at some time")


if __name__ == "__main__":
    unittest.main()
