"""results.csv, one row a fault, and the list that tests/README.md has of it."""
import csv
import fcntl
import os
import pathlib
import sys

import faults

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from wrap import wrapped  # noqa: E402

PATH = pathlib.Path(__file__).with_name("results.csv")
COLUMNS = ["name", "mark", "verdict", "found"]
CAUGHT, ACCIDENT, PASSED, UNBUILT = "caught", "caught by accident", "passed", "does not compile"
BEGIN, END = "<!-- faults/run.py --page -->\n", "\n<!-- end -->"


def verdict(fault, failed):
    """`failed`: {test: [cases]}, None where nothing could be built."""
    found = "; ".join(f"{test}: {', '.join(cases[:3])}" for test, cases in (failed or {}).items())
    if failed is None:
        how = UNBUILT
    elif not failed:
        how = PASSED
    else:
        how = CAUGHT if set(failed) & set(fault.tests) else ACCIDENT
    return {"name": fault.name, "mark": fault.mark, "verdict": how, "found": found}


def read():
    if not PATH.exists():
        return {}
    with open(PATH, newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def keep(row):
    """Takes the row into the file, in the order of the faults; what is no fault any more goes."""
    folder = os.open(PATH.parent, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)  # two runs may be under way, each with a folder of its own
    try:
        rows = read() | {row["name"]: row}
        part = PATH.with_suffix(".part")
        with open(part, "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows[fault.name] for fault in faults.ALL if fault.name in rows)
        part.rename(PATH)
    finally:
        os.close(folder)


def is_current(fault):
    row = read().get(fault.name)
    return row is not None and row["mark"] == fault.mark and row["verdict"] == CAUGHT


def table():
    rows = read()
    tried = [fault for fault in faults.ALL if fault.name in rows]
    caught = sum(rows[fault.name]["verdict"] == CAUGHT for fault in tried)
    files = len({fault.file for fault in tried})
    text = [f"{len(tried)} faults in {files} files, {caught} caught by the test that is meant to. Each: file, fault → test: cases that failed.", ""]
    for fault in tried:
        row = rows[fault.name]
        found = row["found"] if row["verdict"] == CAUGHT else f"**{row['verdict']}** {row['found']}".strip()
        text.append(wrapped(f"- `{fault.file.removeprefix('src/')}`: {fault.what} → {found}"))
    return "\n".join(text)


def write_page(root):
    page = root / "tests/README.md"
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + table() + END + rest.split(END, 1)[1])


def complaints(root):
    said = []
    rows = read()
    for fault in faults.ALL:
        row = rows.get(fault.name)
        if row is None or row["mark"] != fault.mark:
            said.append(f"tests/faults: {fault.name} is not in results.csv as it is now: "
                        f"tests/faults/run.py {fault.name}")
        elif row["verdict"] != CAUGHT:
            said.append(f"tests/faults: {fault.name} was {row['verdict']}")
    shown = (root / "tests/README.md").read_text().split(BEGIN)[-1].split(END)[0]
    if shown != table():
        said.append("tests/README.md is not what tests/faults/run.py --page makes")
    return said
