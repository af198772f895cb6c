#!/usr/bin/python3
"""Numbers in scenes/README.md that come from runs: the pile over seeds, Figure 4, the calibration.

    tools/pages.py             writes them into the page from the files that are kept beside the scenes
    tools/pages.py --check     only says whether the page has them; exit code 1: it does not
    tools/pages.py --make      runs the program first and keeps new files (5 minutes of one core)

A place in the page is marked "<!-- tools/pages.py NAME -->...<!-- end -->". Figure 4's file is kept by
tools/paper/figure4.py --keep. Standard library only, but for --make: python3-matplotlib for the picture."""
import argparse
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCENES = ROOT / "scenes"
PAGE = SCENES / "README.md"
SEEDS, FIGURE4 = SCENES / "pile/seeds.csv", SCENES / "paper/figure4.csv"
ANSWER, PICTURE = SCENES / "campaigns/repose.txt", ROOT / "tools/gallery/calibration.png"


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def span(rows, column, form):
    values = [row[column] for row in rows]
    return f"{min(values):{form}} to {max(values):{form}}"


def pile():
    rows = read(SEEDS)
    return (f"a pile of {span(rows, 'pile.height_ratio', '.1f')} d with {span(rows, 'pile.bottom', '.0f')} spheres at "
            f"the bottom, at {span(rows, 'pile.mean_radius', '.1f')} d from their middle in the mean (seeds 1 to "
            f"{len(rows)})")


def figure4():
    rows = read(FIGURE4)
    rolling = sorted({row["mu_r"] for row in rows})
    lines = ["", "| μ | " + " | ".join(f"height/d, mean radius/d at μ_r = {value:g} m" for value in rolling) + " |",
             "| --- " * (1 + len(rolling)) + "|"]
    for friction in sorted({row["mu"] for row in rows}):
        cells = [f"{row['height']:.2f}, {row['mean_radius']:.2f}" for value in rolling for row in rows
                 if (row["mu"], row["mu_r"]) == (friction, value)]
        lines.append(f"| {friction} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def answer():
    return ANSWER.read_text(encoding="utf-8").splitlines()


def calibration():
    shown = answer()
    begin = next(k for k, line in enumerate(shown) if line.startswith("points"))
    return "\n" + "\n".join(["```", "$ pluvia calibrate scenes/campaigns/repose.cfg", *shown[begin:], "```"]) + "\n"


def cases():
    return answer()[0].split()[1].rstrip(":")


PLACES = {"pile": pile, "figure4": figure4, "calibration": calibration, "cases": cases, "cases again": cases}


def page():
    """The page with all numbers as the files have them."""
    text = PAGE.read_text(encoding="utf-8")
    for name, make in PLACES.items():
        place = re.compile(rf"(<!-- tools/pages.py {name} -->).*?(<!-- end -->)", re.DOTALL)
        text, found = place.subn(lambda match: match[1] + make() + match[2], text)
        if found != 1:
            sys.exit(f"{PAGE}: {found} places for {name}, not one")
    return text


def make(program):
    """Runs the two campaigns and keeps what the page shows of them."""
    with tempfile.TemporaryDirectory() as folder:
        for name in "pile/seeds.cfg", "campaigns/repose.cfg":
            command = "calibrate" if "repose" in name else "sweep"
            done = subprocess.run([program, command, SCENES / name, "-o", f"{folder}/{command}"], text=True,
                                  stdout=subprocess.PIPE, check=True)
            if command == "calibrate":
                keep = [line for line in done.stdout.splitlines() if folder not in line and "wall time" not in line]
                ANSWER.write_text("\n".join(keep) + "\n", encoding="utf-8")
                subprocess.run([ROOT / "tools/plot_calibration.py", f"{folder}/calibrate", "-o", PICTURE], check=True)
        keep_columns(f"{folder}/sweep/table.csv")


def keep_columns(path):
    """Of the table of a sweep what does not depend on the day."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = ["seed", *(name for name in rows[0] if name.startswith("pile."))]
    with open(SEEDS, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--make", action="store_true")
    words = parser.parse_args()
    if words.make:
        make(words.pluvia)
    text = page()
    if words.check:
        return 0 if text == PAGE.read_text(encoding="utf-8") else 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
