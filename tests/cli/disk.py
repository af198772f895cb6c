"""What a run does when the disk or the folder fails it: a sentence, exit code 5, whole frames."""
import os
import pathlib
import random
import resource
import shutil
import socket
import subprocess
import time
import unittest

import h5py

from command import FALL, PATIENCE, PLUVIA, Case
from kill import with_fault

NO_SPACE, BROKEN = 28, 5  # errno: ENOSPC, EIO
ENDLESS = FALL.replace("end = 0.05", "end = 1e6").replace("interval = 0.01", "interval = 0.002")
MANY = FALL.replace("end = 0.05", "end = 0.4").replace(
    "interval = 0.01;", "interval = 0.002; checkpoint_interval = 0.05; contacts = true;").replace(
    "position = [0, 0, 0.05];", "lattice: { counts = [5, 5, 5]; spacing = 0.021; origin = [0, 0, 0.02]; };")


class Disk(Case):
    def check_readable(self, path="a.h5md"):
        with h5py.File(self.folder / path) as file:
            particles = file["particles/trajectory"]
            frames = len(particles["position/step"])
            for name in ["position", "velocity", "state"]:
                self.assertEqual(len(particles[name]["value"][:frames]), frames)
        self.assertEqual(self.info(path)["frames"], frames)
        return frames

    def continue_to_the_end(self):
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", "-q")
        self.pluvia("run", "a.cfg", "-o", "b.h5md", "-q")
        with h5py.File(self.folder / "a.h5md") as a, h5py.File(self.folder / "b.h5md") as b:
            for name in ["position/value", "position/step", "orientation/value"]:
                path = "particles/trajectory/" + name
                self.assertEqual(a[path][()].tobytes(), b[path][()].tobytes(), name)

    def test_writes_that_fail(self):
        """At any call of those that take space, for the reasons that systems give."""
        self.write("a.cfg", MANY)
        log = self.folder / "calls"
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", env=with_fault(0, 0, "", log))
        calls = [line.split() for line in log.read_text().splitlines()]
        taking = [int(n) for n, name, path in calls if name in ["pwrite", "fallocate"]]
        draw = random.Random(1)
        chosen = draw.sample(taking, 10)
        chosen += draw.sample([int(n) for n, _, path in calls if path.endswith("checkpoint.h5.part")], 4)
        for number in chosen[::3] if os.environ.get("SANITIZED") else chosen:
            for path in set(self.folder.glob("a.*")) - {self.folder / "a.cfg"}:
                path.unlink()
            why, words = draw.choice([(NO_SPACE, "no space left on device"), (BROKEN, "Input/output error")])
            if calls[number - 1][1] == "fallocate":
                why, words = NO_SPACE, "no space left on device"
            _, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", code=5, env=with_fault(why, number))
            self.assertIn(words.lower(), err.lower())
            self.assertEqual(len(err.splitlines()), 1, err)
            if (self.folder / "a.h5md").exists():
                self.check_readable()
                self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", "-q", env=with_fault(0, 0))
                self.assertEqual(self.info("a.h5md")["frames"], 201)
        self.assertFalse(list(self.folder.glob("*.part")))

    def test_the_last_frame_fails(self):
        """Which is known after it has been handed over, when the run is over."""
        self.write("a.cfg", FALL)
        log = self.folder / "calls"
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", env=with_fault(0, 0, "a.xdmf", log))
        writes = [n for n, name, _ in (line.split() for line in log.read_text().splitlines()) if name == "pwrite"]
        self.remove_results()
        out, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", code=5, env=with_fault(BROKEN, writes[-1], "a.xdmf"))
        self.assertRegex(err, "cannot write the sidecar .*: Input/output error")
        self.assertIn("failed", out)
        self.assertEqual(self.info("a.h5md")["state"], "failed")

    def test_a_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", disk],
                          capture_output=True).returncode != 0:
            self.skipTest("may not mount a small disk")
        self.addCleanup(lambda: subprocess.run(["umount", disk]))
        self.write("a.cfg", MANY)
        _, err = self.pluvia("run", "a.cfg", "-o", "disk/a.h5md", "-q", code=5)
        self.assertIn("no space left on device", err.lower())
        self.assertGreater(self.check_readable("disk/a.h5md"), 3)
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        self.pluvia("run", "a.cfg", "-o", "disk/a.h5md", "--restart", "auto", "-q")
        for path in disk.glob("a.*"):
            shutil.copy(path, self.folder)
        self.continue_to_the_end()

    def test_a_limit_on_the_size_of_files(self):
        self.write("a.cfg", MANY)
        limit = 2000000
        process = self.start("run", "a.cfg", "-o", "a.h5md", "-q", preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (limit, limit)))
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 5, err)
        self.assertIn("File too large", err)
        self.assertGreater(self.check_readable(), 3)
        self.continue_to_the_end()

    def remove_results(self):
        for path in set(self.folder.glob("a.*")) - {self.folder / "a.cfg"}:
            path.unlink()

    def run_until_there(self, name, **options):
        """Starts a run that never ends by itself and waits for its first frames."""
        self.write("a.cfg", ENDLESS)
        self.remove_results()
        process = self.start("run", "a.cfg", "-o", name, "-q", **options)
        self.wait_for_frames(process, pathlib.Path(name).with_suffix(".xdmf"), 2)
        return process

    def test_the_folder_is_removed(self):
        process = self.run_until_there("out/a.h5md")
        shutil.rmtree(self.folder / "out")
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 5, err)
        self.assertIn("out/a.h5md does not exist any more", err)

    def test_the_folder_is_moved(self):
        process = self.run_until_there("out/a.h5md")
        (self.folder / "out").rename(self.folder / "elsewhere")
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 5, err)
        self.assertIn("moved or removed", err)
        self.assertGreater(self.check_readable("elsewhere/a.h5md"), 1)

    def test_another_file_takes_the_name(self):
        process = self.run_until_there("a.h5md")
        self.write("b", "mine")
        (self.folder / "b").rename(self.folder / "a.h5md")
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 5, err)
        self.assertIn("another file replaced", err)
        self.assertEqual((self.folder / "a.h5md").read_text(), "mine")

    def test_a_reader_holds_the_file(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--until", "0.02", "-q")
        before = {p.name: p.read_bytes() for p in self.folder.glob("a.*")}
        with h5py.File(self.folder / "a.h5md") as file:
            _, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", code=5)
            self.assertIn("another program uses the file", err)
            self.assertEqual(len(file["particles/trajectory/position/step"]), 3)
        self.assertEqual({p.name: p.read_bytes() for p in self.folder.glob("a.*")}, before)
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "--restart", "auto", "-q")

    def test_two_runs_at_once(self):
        for env in {}, {"HDF5_USE_FILE_LOCKING": "FALSE"}:  # as where a file system has no locks
            env = {**os.environ, **env}
            process = self.run_until_there("a.h5md", env=env)
            for words in [], ["--force"], ["--restart", "auto"]:
                _, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", *words, code=7, env=env)
                self.assertIn(f"process {process.pid} on {socket.gethostname()}", err)
            process.kill()  # its lock stays, and does not count
            process.communicate(timeout=PATIENCE)
            self.assertTrue((self.folder / "a.h5md.lock").exists())
            self.pluvia("run", "a.cfg", "-o", "a.h5md", "--force", "-q", "--until", "0.01", env=env)
            self.assertFalse((self.folder / "a.h5md.lock").exists())

    def test_runs_that_begin_together(self):
        """Of four one wins and is whole, also where a killed run has left its lock."""
        self.write("a.cfg", FALL.replace("end = 0.05", "end = 0.5"))
        for words, locks in [([], "TRUE"), (["--restart", "auto"], "TRUE"), ([], "FALSE")]:
            self.remove_results()
            self.write("a.h5md.lock", f"process 999999999 on {socket.gethostname()}\n")
            env = {**os.environ, "HDF5_USE_FILE_LOCKING": locks}
            runs = [self.start("run", "a.cfg", "-o", "a.h5md", "-q", *words, env=env) for _ in range(4)]
            said = [run.communicate(timeout=PATIENCE)[1] for run in runs]
            codes = [run.returncode for run in runs]
            self.assertIn(0, codes, said)
            for code, err in zip(codes, said):
                # who came after its end found the result: complete, or not to be replaced
                self.assertIn(code, [0, 7] if words else [0, 7, 5], err)
                self.assertRegex(err, {0: "^", 5: "a.h5md exists", 7: r"process \d+ on "}[code])
            self.assertEqual(self.info("a.h5md")["state"], "complete")
            self.assertEqual(self.check_readable(), 51)
            self.assertFalse([n for n in self.files() if n.endswith((".part", ".lock"))])

    def test_locks_and_parts_of_others(self):
        """What is no lock and no part of a run, or a link to a file of the user, is neither written nor removed."""
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", "--until", "0.02", "-s", "output.checkpoint_interval=0.01")
        text = "precious\n" * 20
        begun = f"process 999999999 on {socket.gethostname()}\n"
        hand = {
            "own": lambda at, mine: at.write_text(text),
            "symbolic": lambda at, mine: at.symlink_to(mine),
            "dangling": lambda at, mine: at.symlink_to(self.folder / "nowhere"),
            "hard": lambda at, mine: at.hardlink_to(mine),
            "pipe": lambda at, mine: os.mkfifo(at),
        }
        fresh = ["--force", "-s", "output.checkpoint_interval=0.01"]
        restart = ["--restart", "auto", "--until", "0.04", "-s", "output.checkpoint_interval=0.01"]
        places = [("a.h5md.lock", fresh), ("a.h5md.lock", restart), ("a.h5md.part", fresh), ("a.xdmf.part", fresh),
                  ("a.checkpoint.h5.part", fresh), ("a.xdmf.part", restart), ("a.checkpoint.h5.part", restart)]
        for locks in "TRUE", "FALSE":
            env = {**os.environ, "HDF5_USE_FILE_LOCKING": locks}
            for name, words in places if locks == "TRUE" else places[:2]:
                for kind, make in hand.items():
                    mine, at = self.folder / "mine", self.folder / name
                    for content in [text, begun] if (kind, locks) == ("hard", "TRUE") and ".lock" in name else [text]:
                        mine.write_text(content)
                        make(at, mine)
                        before = {p.name: (p.lstat().st_ino, p.is_fifo() or p.read_bytes())
                                  for p in self.folder.iterdir() if p.exists()}
                        with self.subTest(name=name, kind=kind, words=words, locks=locks):
                            _, err = self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", *words, code=5, env=env)
                            self.assertRegex(err, r"^pluvia: a\.[^\n]* (is not a lock file of pluvia|is there already)[^\n]* -o[^\n]*\n$")
                            self.assertIn(name, err)
                            self.assertEqual({p.name: (p.lstat().st_ino, p.is_fifo() or p.read_bytes())
                                              for p in self.folder.iterdir() if p.exists()}, before)
                        at.unlink(missing_ok=True)
        self.write("a.h5md.lock", "")  # a run that was killed before it had signed
        self.write("a.h5md.part", "")
        (self.folder / "a.checkpoint.h5.part").write_bytes(bytes(4096))
        self.write("a.xdmf.part", '<?xml version="1.0"?>')
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", *restart)
        self.write("a.h5md.lock", "proc")
        self.pluvia("run", "a.cfg", "-o", "a.h5md", "-q", *fresh)
        self.assertFalse([n for n in self.files() if n.endswith((".part", ".lock"))])

    def test_parts_of_problems(self):
        self.write("a.cfg", FALL.replace("rolling_friction = 1e-3;", "rolling_friction = 1e-3; pivoting_friction = 0.0;"))
        words = ["run", "a.cfg", "-o", "a.h5md", "-q", "--force", "--until", "0.2", "-s", "output.dump_problems=every"]
        self.pluvia(*words)
        name = next(n for n in self.files() if n.startswith("a.problems/"))
        mine, part = self.folder / "mine", self.folder / f"{name}.part"
        mine.write_text("precious")
        for make in part.symlink_to, part.hardlink_to:
            make(mine)
            _, err = self.pluvia(*words, code=5)
            self.assertIn(f"{name}.part, under which", err)
            self.assertEqual(part.read_text(), "precious")
            part.unlink()
        part.write_bytes(b"\x89HDF\r\n\x1a\n cut off")
        self.pluvia(*words)
        self.assertFalse(part.exists())

    def test_no_permission(self):
        self.write("a.cfg", FALL)
        self.pluvia("run", "a.cfg", "-o", "out/a.h5md", "--until", "0.02", "-q")
        as_nobody = []
        if os.geteuid() == 0:
            if not shutil.which("setpriv"):
                self.skipTest("root may write everywhere")
            as_nobody = ["setpriv", "--reuid", "65534", "--clear-groups"]
            # The command may lie where others may not go.
            shutil.copy(PLUVIA, self.folder / "pluvia")
        else:
            shutil.copy(PLUVIA, self.folder / "pluvia")
        (self.folder / "out").chmod(0o555)
        self.folder.chmod(0o555)
        self.addCleanup(lambda: [self.folder.chmod(0o755), (self.folder / "out").chmod(0o755)])
        before = {p.name: p.read_bytes() for p in (self.folder / "out").iterdir()}
        for words in [["-o", "out/b.h5md"], ["-o", "new/b.h5md"], ["-o", "out/a.h5md", "--restart", "auto"],
                      ["-o", "out/a.h5md", "--force"]]:
            done = subprocess.run([*as_nobody, "./pluvia", "run", "a.cfg", *words], cwd=self.folder,
                                  capture_output=True, text=True, timeout=PATIENCE)
            if words[-1] == "auto" and not as_nobody:
                continue  # the owner may still write into his files
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertIn("ermission denied", done.stderr)
        done = subprocess.run([*as_nobody, "./pluvia", "run", "a.cfg", "-o", "out/a.h5md", "--until", "0.02", "--restart",
                               "auto"], cwd=self.folder, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr)  # complete, which needs no writing
        self.assertIn("is complete", done.stderr)
        self.assertEqual({p.name: p.read_bytes() for p in (self.folder / "out").iterdir()}, before)


if __name__ == "__main__":
    unittest.main()
