"""The table on standard output, and rows of a CSV file."""
import csv
import math
import time

HEAD = ["case", "what is measured", "value", "limit", "verdict", "sweeps a step", "processor s",
        "steps not converged"]
COLUMNS = ["label", "date", "program", "settings", "case", "what", "value", "limit", "verdict", "sweeps",
           "seconds", "not_converged", "steps", "exit_codes"]


def number(value):
    return "-" if math.isnan(value) else f"{value:.3g}"


def costs(check):
    steps = sum(run.steps for run in check.runs)
    codes = sorted({run.code for run in check.runs} - {0})
    note = f" (exit {', '.join(map(str, codes))})" if codes else ""
    return [f"{check.sweeps:.1f}" if check.sweeps == check.sweeps else "-", f"{check.seconds:.2f}",
            f"{check.missed} of {steps}{note}"]


def print_head():
    print("| " + " | ".join(HEAD) + " |\n" + "| --- " * len(HEAD) + "|", flush=True)


def print_checks(checks):
    """Of one case; what runs cost stands in the first row that is about them."""
    seen = set()
    for check in checks:
        new = not seen.issuperset(check.runs)
        seen.update(check.runs)
        cells = [check.case, check.what, number(check.value), number(check.limit),
                 check.verdict, *(costs(check) if new else ["", "", ""])]
        print("| " + " | ".join(cells) + " |", flush=True)


def write_rows(path, checks, label, version, settings):
    fresh = not path.exists() or path.stat().st_size == 0
    with open(path, "a", newline="") as file:
        writer = csv.writer(file)
        if fresh:
            writer.writerow(COLUMNS)
        for c in checks:
            writer.writerow([label, time.strftime("%Y-%m-%d"), version, settings, c.case, c.what,
                             f"{c.value:.6g}", c.limit, c.verdict, f"{c.sweeps:.4g}", f"{c.seconds:.3f}",
                             c.missed, sum(r.steps for r in c.runs), " ".join(str(r.code) for r in c.runs)])


PAGE = ["case", "verdict", "checks", "nearest to its limit", "value", "limit", "sweeps a step", "processor s",
        "steps not converged"]


def page(path):
    """A line for each case of a CSV file: its verdict, and the check that is nearest to its limit."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    text = ["| " + " | ".join(PAGE) + " |", "| --- " * len(PAGE) + "|"]
    for case in dict.fromkeys(row["case"] for row in rows):
        checks = [row for row in rows if row["case"] == case]
        verdicts = {row["verdict"] for row in checks}
        verdict = next((v for v in ("WRONG", "said so", "no reference", "right") if v in verdicts))
        worst = max(checks, key=lambda row: float(row["value"]) / float(row["limit"]))
        first = checks[0]
        cells = [case, verdict, str(len(checks)), worst["what"], number(float(worst["value"])),
                 number(float(worst["limit"])), f"{float(first['sweeps']):.1f}", f"{float(first['seconds']):.2f}",
                 f"{first['not_converged']} of {first['steps']}"]
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text)


def summary(checks):
    counts = {v: sum(c.verdict == v for c in checks) for v in ("right", "said so", "WRONG",
                                                                  "no reference")}
    text = ", ".join(f"{n} {verdict}" for verdict, n in counts.items() if n or verdict != "no reference")
    seconds = sum({id(run): run.seconds for c in checks for run in c.runs}.values())
    return f"\n{len(checks)} checks: {text}; {seconds:.0f} s of processor time"
