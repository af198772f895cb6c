"""What the tests of the command share: a case with a folder of its own, and small scenes."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PLUVIA = os.environ["PLUVIA"]
PARTS = os.environ.get("PARTS", "render portfolio").split()  # what is optional, and in this build
# How long (s) a test waits for what takes milliseconds, or a minute: no test expects a machine to be fast, and one that
# waits for ever is ended by meson.
PATIENCE = 900
SANITIZED = bool(os.environ.get("SANITIZED"))  # this build has sanitizers
ROOT = pathlib.Path(__file__).resolve().parents[2]
# Whoever starts the tests in the background or by nohup has these ignored, and so would the command.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

LAWS = """
materials = ( { name = "grain"; density = 1300.0; }, { name = "plate"; } );
contacts = ( { between = ["grain", "grain"]; friction = 0.3; rolling_friction = 1e-3; },
             { between = ["grain", "plate"]; friction = 0.3; rolling_friction = 1e-3; } );
"""

FLOOR = """
boundaries = ( { plane: { center = [0, 0, 0]; normal = [0, 0, 1]; }; material = "plate"; } );
"""

SPHERE = """
bodies = ( { position = [0, 0, 0.05]; material = "grain"; radius = 0.01; } );
"""

# One sphere falls on a floor; 50 steps, 6 frames.
FALL = """
time: { step = 1e-3; end = 0.05; };
gravity = [0.0, 0.0, -9.81];
output: { interval = 0.01; };
""" + LAWS + FLOOR + SPHERE

# The same for ever: what ends it is a signal.
ENDLESS = FALL.replace("end = 0.05", "end = 1e6")

# 150 spheres fall into a narrow box.
BOX = """
time: { step = 1e-3; end = 0.3; };
materials = ( { name = "g"; density = 2500.0; } );
contacts = ( { between = ["g", "g"]; friction = 0.4; rolling_friction = 1e-4; restitution = 0.2; } );
boundaries = ( { box: { lower = [-0.02, -0.02, 0]; upper = [0.02, 0.02, 0.5]; }; material = "g"; } );
bodies = ( { packing: { count = 150; box = [[-0.02, -0.02, 0], [0.02, 0.02, 0.4]]; };
             material = "g"; radius = 0.005; } );
"""


def shipped(campaigns):
    """The scenes in the tree, or its campaigns: these name a base scene."""
    files = sorted(ROOT.glob("scenes/**/*.cfg"))
    return [p for p in files if bool(re.search(r"^scene\s*=", p.read_text(), re.M)) == campaigns]


def needs(part):
    """A test that is skipped in a build without this part (meson_options.txt)."""
    return unittest.skipUnless(part in PARTS, f"this build was configured with -D{part}=disabled")


def numbers_only(test):
    """A test that is skipped in a build with sanitizers, because they add nothing: it compares numbers of long runs, whose code
    other tests run with the sanitizers in less time."""
    return unittest.skipIf(SANITIZED, "others run this code with the sanitizers in less time")(test)


def in_turn(kinds, number):
    """All kinds of a check; with sanitizers the one whose turn it is, where each takes the same way through the program but for
    its own few lines."""
    return [kinds[number % len(kinds)]] if SANITIZED else kinds


class Case(unittest.TestCase):
    """Each test runs in a folder of its own, self.folder, which is empty or has what prepare makes."""

    def prepare(self):
        """Makes the files that all tests of a class begin with: once, each test has a copy of them."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="pluvia-")
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        of_all = type(self)
        if "prepared" in vars(of_all):
            shutil.copytree(of_all.prepared, self.folder, dirs_exist_ok=True)
            return
        self.prepare()
        if any(self.folder.iterdir()):
            kept = tempfile.TemporaryDirectory(prefix="pluvia-")
            of_all.addClassCleanup(kept.cleanup)
            of_all.prepared = shutil.copytree(self.folder, kept.name, dirs_exist_ok=True)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def start(self, *words, **options):
        """The command as a process, with the folder as its working folder."""
        return subprocess.Popen([PLUVIA, *map(str, words)], cwd=self.folder, text=True,
                                stdout=subprocess.PIPE, stderr=options.pop("stderr", subprocess.PIPE),
                                **options)

    def wait_until(self, process, happened, what="what is waited for"):
        """Until it has; fails if the process ends before, or if it takes too long."""
        end = time.monotonic() + PATIENCE
        while not happened():
            self.assertIsNone(process.poll(), f"the run ended before {what}")
            self.assertLess(time.monotonic(), end, f"the run took too long: {what}")
            time.sleep(0.02)

    def wait_for_frames(self, process, sidecar, count):
        """Until a run that goes on has written so many frames."""
        path = self.folder / sidecar
        self.wait_until(process, lambda: path.exists() and path.read_text(errors="replace").count("<Time ") >= count,
                        f"its frame {count}")

    def pluvia(self, *words, code=0, **options):
        """Runs the command, checks its exit code; returns what it wrote to stdout and stderr. A test that draws ends here in a
        build without pictures."""
        if words[:1] == ("render",) and "render" not in PARTS and code != 2:
            raise unittest.SkipTest("this build was configured with -Drender=disabled")
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, code, f"pluvia {' '.join(map(str, words))}\n{out}{err}")
        return out, err

    def reseal(self, path):
        """Makes the checksums of a trajectory fit what was changed in it."""
        subprocess.run([os.environ["RESEAL"], path], cwd=self.folder, check=True, timeout=PATIENCE)

    def info(self, path):
        """The object that pluvia info --json prints."""
        return json.loads(self.pluvia("info", "--json", path)[0])

    def files(self):
        """All files below the folder, as relative paths."""
        return sorted(str(p.relative_to(self.folder)) for p in self.folder.rglob("*") if p.is_file())
