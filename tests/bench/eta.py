#!/usr/bin/python3
"""How often is what `pluvia run` says of the time left within a factor of two of what it takes?

    tests/bench/eta.py [--csv eta.csv] [SCENE...]      by default shipped scenes of some seconds; run one by one on a quiet machine

Times of the progress bar, five a second, while a run has two seconds and more to go: they are rounded to seconds."""
import argparse
import csv
import pathlib
import re
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENES = ["box/settle", "fill", "stages", "oedometer", "triaxial", "shear_cell", "drum", "pile/pile60"]
LEFT = re.compile(r"/[\d.e+-]+s [<>~]?(?:(\d+):)?(\d+):(\d\d) ")


def moments(program, scene, folder):
    """Times since the start and what the bar says is left (s), and the whole time."""
    words = [program, "run", ROOT / f"scenes/{scene}.cfg", "-o", folder / "a.h5md", "-j", "1", "--force", "--progress", "bar"]
    begun, told, text = time.monotonic(), [], ""
    with subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, bufsize=1) as process:
        while piece := process.stderr.read(1):
            if piece not in "\r\n":
                text += piece
                continue
            found = LEFT.search(text)
            text = ""
            if found:
                hours, minutes, seconds = (int(part or 0) for part in found.groups())
                told.append((time.monotonic() - begun, 3600 * hours + 60 * minutes + seconds))
    return told, time.monotonic() - begun


def share(told, whole):
    """Moments that count, and the share of those within a factor of two; half a second is rounding."""
    pairs = [(left, whole - at) for at, left in told if whole - at > 2]
    return len(pairs), sum(0.5 * real - 0.5 <= left <= 2 * real + 0.5 for left, real in pairs) / max(len(pairs), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", metavar="SCENE", help="names in scenes/")
    parser.add_argument("--program", default=str(ROOT / "build/release/src/cli/pluvia"), help="the command (%(default)s)")
    parser.add_argument("--csv", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for scene in options.scenes or SCENES:
            told, whole = moments(options.program, scene, pathlib.Path(folder))
            count, right = share(told, whole)
            rows.append([scene, f"{whole:.1f}", count, f"{right:.2f}"])
            print("{}: {} s, {} moments, {} within a factor of two".format(*rows[-1]), flush=True)
    if options.csv:
        with open(options.csv, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([["scene", "seconds", "moments", "within_two"], *rows])


if __name__ == "__main__":
    main()
