"""What mutate.py keeps: mutants.csv, one row a change that no test notices, with the reason; mutants_count.csv, how many
there were; and the tables that tests/README.md has of them."""
import csv
import pathlib
import sys

import mutants

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
from wrap import wrapped  # noqa: E402

KILLED, SURVIVED, SAME, UNBUILT = "noticed", "unnoticed", "the same code", "do not compile"
VERDICTS = [KILLED, SURVIVED, SAME, UNBUILT]
HERE = pathlib.Path(__file__).parent
LEFT, COUNT = HERE / "mutants.csv", HERE / "mutants_count.csv"
LEFT_COLUMNS = ["scope", "file", "mark", "rule", "text", "new", "reason"]
COUNT_COLUMNS = ["scope", *VERDICTS]
BEGIN, END = "<!-- faults/mutate.py --page -->\n", "\n<!-- end -->"


def read(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def write(path, columns, rows):
    part = path.with_suffix(".part")
    with open(part, "w", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    part.rename(path)


def row_of(scope, mutant, reasons):
    return {"scope": scope, "file": mutant.file, "mark": mutant.mark, "rule": mutant.rule, "text": mutant.text,
            "new": " ".join(mutant.new.split()), "reason": reasons.get(mutant.mark, "")}


def keep_scope(scope, results, again):
    """Takes the results of one file, or of one sample, into both tables; `again`: only what was unnoticed was tried."""
    left, counts = read(LEFT), {row["scope"]: row for row in read(COUNT)}
    reasons = {row["mark"]: row["reason"] for row in left}
    tried = {mutant.mark for mutant, _, _ in results}
    rows = [row for row in left if row["scope"] != scope or (again and row["mark"] not in tried)]
    fresh = [row_of(scope, mutant, reasons) for mutant, verdict, _ in results if verdict == SURVIVED]
    if again:
        now = counts[scope]
        gone = len(results) - len(fresh)
        now[KILLED], now[SURVIVED] = int(now[KILLED]) + gone, int(now[SURVIVED]) - gone
    else:
        counts[scope] = {"scope": scope} | {kind: sum(verdict == kind for _, verdict, _ in results) for kind in VERDICTS}
    write(LEFT, LEFT_COLUMNS, sorted(rows + fresh, key=lambda row: (row["scope"].startswith("sample"), row["scope"], row["file"])))
    write(COUNT, COUNT_COLUMNS, sorted(counts.values(), key=lambda row: (row["scope"].startswith("sample"), row["scope"])))
    return [row for row in fresh if not row["reason"]]


def keep(results, sample, again):
    """`sample`: its name, or None: each file for itself. Returns what has no reason."""
    scopes = {}
    for one in results:
        scopes.setdefault(sample or one[0].file, []).append(one)
    return [row for scope, some in scopes.items() for row in keep_scope(scope, some, again)]


def share(row):
    changes = int(row[KILLED]) + int(row[SURVIVED])
    return f"{100.0 * int(row[SURVIVED]) / changes:.1f} %" if changes else "-"


def line(name, row):
    return f"| {name} | {int(row[KILLED]) + int(row[SURVIVED])} | {row[KILLED]} | {row[SURVIVED]} | {share(row)} | {row[SAME]} |"


def page():
    counts = read(COUNT)
    files = [row for row in counts if not row["scope"].startswith("sample")]
    total = {kind: sum(int(row[kind]) for row in files) for kind in VERDICTS}
    text = ["| changes of | all | noticed | unnoticed | share | the same code, not counted |", "| --- | --- | --- | --- | --- | --- |"]
    text += [line(f"`{row['scope'].removeprefix('src/')}`", row) for row in files]
    text += [line("these files", total)]
    text += [line(row["scope"], row) for row in counts if row["scope"].startswith("sample")]
    text += ["", "Unnoticed in these files, and why:", ""]
    for row in read(LEFT):
        if not row["scope"].startswith("sample"):
            text.append(wrapped(f"- `{row['file'].removeprefix('src/')}`: `{row['text']}` → {row['rule']}: `{row['new'] or ' '}`. "
                                f"*Reason:* {row['reason'] or '**none known**'}"))
    return "\n".join(text)


def write_page(root):
    place = root / "tests/README.md"
    before, rest = place.read_text().split(BEGIN)
    place.write_text(before + BEGIN + page() + END + rest.split(END, 1)[1])


def complaints(root):
    said, known = [], {}
    for row in read(LEFT):
        if row["scope"].startswith("sample"):
            continue
        name = row["file"]
        if name not in known:
            known[name] = {one.mark for one in mutants.mutants_of(name, (root / name).read_text())} if (root / name).exists() else set()
        if row["mark"] not in known[name]:
            said.append(f"tests/faults/mutants.csv: {name} has changed where it says \"{row['text']}\": tests/faults/mutate.py {name}")
        elif not row["reason"]:
            said.append(f"tests/faults/mutants.csv: {name}: no test notices {row['rule']} {row['new']} in \"{row['text']}\", without a reason")
    if (root / "tests/README.md").read_text().split(BEGIN)[-1].split(END)[0] != page():
        said.append("tests/README.md is not what tests/faults/mutate.py --page makes")
    return said
