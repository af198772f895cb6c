#!/usr/bin/python3
"""Prints the table of builds of tools/matrix.sh, and which of them failed. Called by that script.

    tools/matrix.py ROWS.csv [NAME...]       NAMEs are builds that were not made, because their compiler is not here
    tools/matrix.py --keep ROWS.csv          puts the rows into tests/matrix.csv, where they replace those of the same builds

The exit code is 1 if a build failed, a test failed, or a build computes other bits than the first. Standard library only."""
import csv
import pathlib
import sys

KEPT = pathlib.Path(__file__).resolve().parents[1] / "tests/matrix.csv"

COLUMNS = {"build": "build", "system": "system", "compiler": "compiler", "hdf5": "HDF5", "openmp": "OpenMP", "built": "built",
           "warnings": "warnings", "suites": "tests", "passed": "passed", "failed": "failed", "skipped": "skipped", "revision": "revision",
           "hash": "hash of states"}


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def table(rows):
    lines = ["| " + " | ".join(COLUMNS.values()) + " |", "| --- " * len(COLUMNS) + "|"]
    for row in rows:
        cells = dict(row, suites=row["suites"] or "none")
        lines.append("| " + " | ".join(cells[name] for name in COLUMNS) + " |")
    return "\n".join(lines)


def complaints(rows):
    """One line each."""
    for row in rows:
        if row["built"] != "yes":
            yield f"{row['build']}: was not built"
            continue
        if row["failed"] != "0":
            yield f"{row['build']}: tests failed: {row['failed']}"
        if row["hash"] != rows[0]["hash"]:
            yield f"{row['build']}: computes {row['hash']}, {rows[0]['build']} {rows[0]['hash']}"


def keep(rows):
    old = read(KEPT) if KEPT.exists() else []
    made = {row["build"] for row in rows}
    rows = [row for row in old if row["build"] not in made] + rows
    rows.sort(key=lambda row: (row["system"], row["build"].startswith("clang"), row["build"]))
    with open(KEPT, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 0 if len(sys.argv) > 1 else 2
    if sys.argv[1] == "--keep":
        return keep(read(sys.argv[2]))
    rows = read(sys.argv[1])
    print(table(rows))
    if sys.argv[2:]:
        print("not here: " + ", ".join(sys.argv[2:]))
    said = list(complaints(rows))
    print(*said, sep="\n", end="\n" if said else "", file=sys.stderr)
    return 1 if said or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
