"""What the figures of the paper share: the options of the command, running a campaign, its table, the
comparison. The paper: V. Acary and F. Bourrier, Coulomb friction with rolling resistance as a cone
complementarity problem, European Journal of Mechanics A/Solids 85 (2021)."""
import argparse
import csv
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "scenes/paper"
sys.path.insert(0, str(ROOT / "tools"))
import plots  # noqa: E402  (what the plot scripts share lies one folder up)


class Figure:
    """One figure: its options, its folder, its plot and numbers, its comparison."""

    def __init__(self, name, summary):
        parser = argparse.ArgumentParser(description=summary)
        parser.add_argument("-j", "--cores", type=int, default=len(os.sched_getaffinity(0)),
                            help="cores to use in all (default: those of the machine)")
        parser.add_argument("-o", "--output", type=pathlib.Path, default=ROOT / "output/paper" / name,
                            help=f"folder of the results (default: output/paper/{name})")
        parser.add_argument("--pluvia", metavar="COMMAND",
                            help="the command (default: that in build/release, else that in PATH)")
        parser.add_argument("--campaign", type=pathlib.Path, default=KEPT / f"{name}.cfg", metavar="FILE",
                            help=f"another campaign with the same columns (default: scenes/paper/{name}.cfg)")
        parser.add_argument("--keep", action="store_true",
                            help=f"copy {name}.png and the tables into scenes/paper/")
        self.name = name
        self.arguments = parser.parse_args()
        self.folder = self.arguments.output
        self.command = find_pluvia(self.arguments.pluvia)
        self.breaches = 0
        self.made = []
        self.begin = time.monotonic()
        self.folder.mkdir(parents=True, exist_ok=True)

    def pluvia(self, *words):
        """Runs the command; what it says goes to stderr. A failure ends the script."""
        line = [*self.command, *map(str, words)]
        done = subprocess.run(line, stdout=sys.stderr, check=False)
        if done.returncode:
            plots.fail(f"{shlex.join(line)} ended with {done.returncode}")

    def sweep(self):
        """Runs the campaign or goes on with it; the columns of its table."""
        self.pluvia("sweep", self.arguments.campaign, "-o", self.folder, "-j", self.arguments.cores)
        return read_table(self.folder / "table.csv")

    def axes(self, rows, columns, size):
        """A figure in the look of all plots, and its axes as an array of rows x columns."""
        return plots.figure(argparse.Namespace(size=None, title=None), rows, columns, size)

    def save(self, made, colors=0):
        """Writes NAME.png; with a palette of so many colors where it holds pictures."""
        path = self.folder / f"{self.name}.png"
        self.made.append(path)
        plots.save(made, argparse.Namespace(output=path))
        if colors:
            from PIL import Image  # comes with matplotlib
            picture = Image.open(path).convert("RGB").quantize(colors, kmeans=3)
            picture.save(path, optimize=True)

    def write_table(self, columns, name=None):
        """The numbers that are kept: a dictionary of equally long columns, as NAME.csv."""
        self.made.append(self.folder / f"{name or self.name}.csv")
        with open(self.made[-1], "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(zip(*([short(value) for value in column] for column in columns.values())))

    def compare(self, what, found, limit, unit=""):
        """Prints how large an error is and how large it may be; a larger one fails the figure."""
        good = bool(found <= limit)
        self.breaches += not good
        print(f"{what:<58} {found:9.2e} {unit:<4} (at most {limit:.1e})  {'ok' if good else 'FAILED'}")

    def expect(self, what, holds):
        """Prints whether something holds; what does not fails the figure."""
        self.breaches += not holds
        print(f"{what:<58} {'ok' if holds else 'FAILED'}")

    def end(self):
        """Keeps what is asked for, says where things are, ends the script with 0 or 1."""
        if self.arguments.keep:
            KEPT.mkdir(exist_ok=True)
            self.made = [pathlib.Path(shutil.copy(path, KEPT)) for path in self.made]
        print(f"{', '.join(map(str, self.made))}; {time.monotonic() - self.begin:.0f} s")
        sys.exit(1 if self.breaches else 0)


def find_pluvia(given):
    """The words of the command: as given, or the build of tools/quickstart.sh, or what PATH has."""
    built = ROOT / "build/release/src/cli/pluvia"
    if given:
        return shlex.split(given)
    if built.exists():
        return [str(built)]
    if not shutil.which("pluvia"):
        plots.fail(f"there is neither {built} nor pluvia in PATH; run tools/quickstart.sh or give --pluvia")
    return ["pluvia"]


def read_table(path):
    """The columns of a table as a dictionary of arrays: numbers where all are numbers (nothing is NAN)."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        plots.fail(f"{path} holds no case")
    table = {}
    for name in rows[0]:
        words = [row[name] for row in rows]
        try:
            table[name] = np.array([float(word) if word else np.nan for word in words])
        except ValueError:
            table[name] = np.array(words)
    return table


def short(value):
    """A number with ten digits, which is what numbers in the tree have; text as it is."""
    return f"{value:.10g}" if isinstance(value, (int, float, np.number)) else value
