"""A signal ends the present step, keeps the file readable and gives its own exit code."""
import pathlib
import re
import signal
import time
import unittest

import h5py

from command import ENDLESS, FALL, PATIENCE, ROOT, Case
from kill import with_fault


class Signals(Case):
    def interrupt(self, number):
        self.write("endless.cfg", ENDLESS)
        process = self.start("run", "endless.cfg", "-o", "a.h5md")
        self.wait_for_frames(process, "a.xdmf", 2)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    @staticmethod
    def wait_until_taken(process, number):
        """Until the process has taken the signal: a second one that comes before is the same to the system."""
        waits = re.compile(r"^(?:SigPnd|ShdPnd):\s*([0-9a-f]+)", re.M)
        while any(int(mask, 16) >> number - 1 & 1
                  for mask in waits.findall(pathlib.Path(f"/proc/{process.pid}/status").read_text())):
            time.sleep(0.02)

    def check_readable(self):
        info = self.info("a.h5md")
        self.assertEqual(info["state"], "interrupted")
        self.assertGreater(info["frames"], 1)
        with h5py.File(self.folder / "a.h5md") as file:
            position = file["particles/trajectory/position"]
            self.assertEqual(position["value"].shape[0], info["frames"])
            # The step in which the signal came is the last frame, whatever the interval.
            self.assertEqual(position["time"][-1], info["end"])
            self.assertGreater(position["step"][-1], position["step"][-2])
        self.assertEqual(self.files(), ["a.checkpoint.h5", "a.h5md", "a.xdmf", "endless.cfg"])

    def test_interrupt(self):
        code, out, err = self.interrupt(signal.SIGINT)
        self.assertEqual(code, 130, err)
        self.assertIn("interrupted", err)
        self.assertIn("interrupted", out)
        self.check_readable()

    def test_terminate(self):
        code, _, err = self.interrupt(signal.SIGTERM)
        self.assertEqual(code, 143, err)
        self.check_readable()

    def test_a_step_that_does_not_end(self):
        """It is given up, and the run ends with the step before: at its time limit, and by a signal."""
        scene = (ROOT / "scenes/vibrated.cfg").read_text()
        self.write("long.cfg", scene.replace("step = 5e-4", "step = 5.0"))
        _, err = self.pluvia("run", "long.cfg", "-q", "-o", "a.h5md", "--max-time", "0.5", code=75)
        self.assertIn("stopped by --max-time, in a step that did not end, which was given up; everything", err)
        process = self.start("run", "long.cfg", "-q", "-o", "b.h5md")
        self.wait_until(process, (self.folder / "b.h5md").exists)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 143, err)
        self.assertIn("interrupted, in a step that did not end", err)
        for name in "a", "b":
            self.assertEqual(self.info(f"{name}.h5md")["state"], "interrupted")
            self.assertEqual(self.info(f"{name}.h5md")["frames"], 1)
            self.pluvia("info", "--verify", f"{name}.h5md")
            self.pluvia("info", "--verify", f"{name}.checkpoint.h5")
        _, err = self.pluvia("run", "long.cfg", "-q", "-o", "a.h5md", "--restart", "auto", "--max-time", "0.5", code=75)
        self.assertIn("which was given up", err)

    def test_a_second_signal_ends_at_once(self):
        """Also where the first one finds the program in a call that does not return."""
        self.write("fall.cfg", FALL)
        log = self.folder / "calls"
        process = self.start("run", "fall.cfg", "-o", "a.h5md", "-s", "output.checkpoint_interval=0.02",
                             env=with_fault("hang", 3, "rename", log))
        self.wait_until(process, lambda: log.exists() and len(log.read_text().splitlines()) >= 3)
        process.send_signal(signal.SIGINT)
        self.wait_until_taken(process, signal.SIGINT)
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, -signal.SIGINT)
        self.pluvia("run", "fall.cfg", "-o", "a.h5md", "--restart", "auto")
        self.assertEqual(self.info("a.h5md")["frames"], 6)

    def test_kill_leaves_a_file_that_opens(self):
        code, _, _ = self.interrupt(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        with h5py.File(self.folder / "a.h5md") as file:
            self.assertGreater(file["particles/trajectory/position/value"].shape[0], 1)
        self.assertEqual(self.info("a.h5md")["state"], "running")


if __name__ == "__main__":
    unittest.main()
