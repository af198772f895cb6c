"""What the plot scripts share: options, reading a trajectory, the look of a figure."""
import argparse
import csv
import os
import pathlib
import re
import subprocess
import sys

import numpy as np

# Okabe and Ito, "Color universal design" (2008): apart also for the color-blind.
BLUE, ORANGE, GREEN, RED, PURPLE, SKY = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9"
GRAY = "#6E6E6E"
EXACT = {"color": "black", "linestyle": (0, (1, 2.5)), "linewidth": 1.6}  # dotted: a closed form


def fail(message):
    sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {message}")


def program():
    """The command: $PLUVIA, that of this tree, or the one in the path."""
    built = pathlib.Path(__file__).resolve().parents[1] / "build/release/src/cli/pluvia"
    return os.environ.get("PLUVIA") or (str(built) if built.exists() else "pluvia")


def asked(path, *words):
    """What the command writes for `pluvia COMMAND WORDS`; its message ends the script."""
    try:
        done = subprocess.run([program(), *map(str, words)], capture_output=True, text=True, check=False)
    except OSError as problem:
        fail(f"cannot run {program()}: {problem.strerror}; set PLUVIA to the command")
    if done.returncode:
        fail(done.stderr.strip() or f"{program()} failed on {path}")
    return done.stdout


class Trajectory:
    """A .h5md file. What it does not hold ends the script with a sentence that says what to do."""

    def __init__(self, path):
        try:
            import h5py
        except ImportError:
            fail("needs h5py (Debian: apt-get install python3-h5py)")
        self.path = path
        if not os.path.exists(path):
            fail(f"{path}: no such file; give the .h5md file that pluvia run wrote")
        if not os.access(path, os.R_OK):
            fail(f"{path} cannot be read: permission denied")
        if not h5py.is_hdf5(path):
            fail(f"{path} is not a trajectory of pluvia: it is no HDF5 file")
        try:
            self.file = h5py.File(path, "r")
            particles = self.file["particles/trajectory"]
            times = particles["position/time"]
            self.frames = min(len(particles["position/step"]), len(times))
            self.time = times[:self.frames]
        except OSError:
            fail(f"{path} cannot be read: it is cut off, or a run is writing it")
        except KeyError:
            fail(f"{path} is not a trajectory of pluvia: it contains no spheres")
        if self.frames == 0:
            fail(f"{path} contains no frames")

    def bodies(self, name):
        """Frames x bodies x components, or what never changes of each body."""
        group = self.file["particles/trajectory"]
        if name not in group:
            fail(f'{self.path} holds no {name}; run the scene with "{name}" in output.quantities')
        moving = group[name]
        return moving["value"] if hasattr(moving, "keys") else moving[...]

    def observable(self, name):
        if name not in self.file.get("observables", {}):
            fail(f"{self.path} holds no observable {name}")
        return self.file[f"observables/{name}/value"][:self.frames]

    def contacts(self, frame):
        """The columns of the contacts of one frame, as a dictionary."""
        if "contacts" not in self.file:
            fail(f"{self.path} contains no contacts; run the scene with output.contacts = true")
        group = self.file["contacts"]
        rows = slice(*group["offset"][frame:frame + 2])
        columns = ["body", "normal", "impulse", "moment_impulse", "status", "law"]
        found = {name: group[name][rows] for name in columns}
        found["dt"] = group["dt"][frame]
        return found

    def scene(self):
        """The text of the scene with every default."""
        text = self.file["parameters/pluvia/scene_resolved"][()]
        return re.sub(r"#.*", "", text.decode() if isinstance(text, bytes) else text)

    def nearest(self, time):
        """The frame nearest to a time; the last one for None."""
        return self.frames - 1 if time is None else int(np.argmin(abs(self.time - time)))


def table(path, column, maker):
    """The rows of a table that the command `maker` writes, as dictionaries of texts; `column` is one that it has."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    except OSError as problem:
        fail(f"cannot read {path}: {problem.strerror}; {maker} writes it")
    if not rows or column not in rows[0]:
        fail(f"{path} is no table of {maker}")
    return rows


def options(summary, default, at=False, reads=("trajectory", "FILE.h5md", "what pluvia run wrote")):
    """Reads the words of the command line: FILE.h5md (or what `reads` says), -o, --size, --title and, if
    asked, --at."""
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument(reads[0], metavar=reads[1], help=reads[2])
    parser.add_argument("-o", "--output", default=default,
                        help="file to write; its extension says what: .png, .pdf or .svg (default: %(default)s)")
    parser.add_argument("--size", metavar="WxH", help="inches (default: as suits the figure)")
    parser.add_argument("--title", help="above the figure (default: none)")
    if at:
        parser.add_argument("--at", type=float, metavar="T",
                            help="the frame nearest to this time in s (default: the last one)")
    return parser


def figure(arguments, rows, columns, size):
    """A figure and its axes as an array of rows x columns; imports matplotlib without a display."""
    try:
        import matplotlib
    except ImportError:
        fail("needs matplotlib (Debian: apt-get install python3-matplotlib)")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    pyplot.rcParams.update({
        "font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "axes.spines.top": False,
        "axes.spines.right": False, "legend.frameon": False, "lines.linewidth": 1.4,
        "axes.axisbelow": True, "svg.hashsalt": "pluvia",
    })
    if arguments.size:
        try:
            size = tuple(float(word) for word in arguments.size.split("x"))
            assert len(size) == 2 and min(size) > 0
        except (ValueError, AssertionError):
            fail(f'option --size: "{arguments.size}" is not of the form WxH')
    made, axes = pyplot.subplots(rows, columns, figsize=size, squeeze=False, constrained_layout=True)
    if arguments.title:
        made.suptitle(arguments.title)
    return made, axes


def save(made, arguments):
    if pathlib.Path(arguments.output).suffix not in (".png", ".pdf", ".svg"):
        fail(f'option --output: "{arguments.output}" does not end with .png, .pdf or .svg')
    os.environ.setdefault("SOURCE_DATE_EPOCH", "0")  # the same figure gives the same file
    try:
        made.savefig(arguments.output, dpi=150)
    except OSError as problem:
        fail(f"cannot write {arguments.output}: {problem.strerror}")
