"""The table of a file of results, as it stands in README.md. Standard library only."""
import csv
import statistics

QUALITY = 0.01  # overlap over d that is accepted
HEAD = ["task", "program", "law", "step (s)", "of (s)", "processor s", "ratio", "overlap/d", "deepest", "height/d",
        "unsupported", "≤ 1 %"]


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def number(row, name):
    return float(row[name]) if row.get(name) else None  # files of before lack some columns


def percent(ratio):
    if ratio is None:
        return ""
    return f"{100 * ratio:.2g} %" if ratio >= 1e-4 else "< 0.01 %"  # pluvia tells the weight to 1e-4


def line(runs, pluvia, longest):
    """A line of the table, from all runs of a program in a task; `pluvia` is its rate there."""
    last = runs[-1]
    rates = sorted(number(r, "cpu_per_simulated") for r in runs)
    rate = statistics.median(rates)
    about = f" ({rates[0]:.3g} to {rates[-1]:.3g})" if len(rates) > 1 else ""
    simulated = number(last, "simulated_s")
    if last["task"].startswith("pile") and simulated < 0.9 * longest:
        about += ", first part only"
    worst = max(number(r, "overlap_worst_moment") for r in runs)
    deepest = max(number(r, "overlap_end") for r in runs)
    unsupported = [u for u in (number(r, "unsupported") for r in runs) if u is not None]
    return [last["task"], last["program"], last["model"], f"{number(last, 'step_s'):.2g}",
            f"{simulated:.2g}", f"{rate:.3g}{about}", f"{rate / pluvia:.3g}" if pluvia else "",
            percent(worst), percent(deepest), f"{number(last, 'mean_height'):.2f}",
            percent(max(unsupported)) if unsupported else "", "yes" if worst <= QUALITY else "no"]


def table(rows):
    lines = {}
    for row in rows:
        lines.setdefault((row["task"], row["program"]), []).append(row)
    text = ["| " + " | ".join(HEAD) + " |", "| --- " * len(HEAD) + "|"]
    for (task, program), runs in lines.items():
        done = [r for r in runs if not r["failure"]]
        if done:
            same = [r for r in lines.get((task, "pluvia"), []) if not r["failure"]]
            pluvia = statistics.median(number(r, "cpu_per_simulated") for r in same) if same else None
            longest = max(number(r, "simulated_s") for r in rows if r["task"] == task and not r["failure"])
            cells = line(done, pluvia, longest)
        else:
            cells = [task, program, f"left out: {runs[-1]['failure']}"] + [""] * (len(HEAD) - 3)
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text)


def summary(rows):
    """A line a task: seconds of each program for a simulated second, and how often as long as pluvia takes."""
    names = ["pluvia-2ms", "pluvia-then", "liggghts", "lammps"]
    text = ["| task | pluvia now (s) | at 2 ms (s) | pluvia then (s) | LIGGGHTS (s) | LAMMPS (s) | limit of the machine (s) |",
            "| --- " * 7 + "|"]
    for task in dict.fromkeys(row["task"] for row in rows):
        of = {name: [r for r in rows if (r["task"], r["program"]) == (task, name) and not r["failure"]]
              for name in ["pluvia", *names]}
        if not of["pluvia"]:
            continue
        now = statistics.median(number(r, "cpu_per_simulated") for r in of["pluvia"])
        cells = [task, f"{now:.3g}", *(against(of[name], now) for name in names)]
        limit = [number(r, "limit_per_simulated") for r in of["pluvia"] if number(r, "limit_per_simulated")]
        cells.append(f"{statistics.median(limit):.2g}, {statistics.median(limit) / now:.0%}" if limit else "")
        text.append("| " + " | ".join(cells) + " |")
    return "\n".join(text)


def against(runs, now):
    """Seconds and ratio, and the worst overlap where it is more than what counts as equal."""
    if not runs:
        return ""
    rate = statistics.median(number(r, "cpu_per_simulated") for r in runs)
    worst = max(number(r, "overlap_worst_moment") for r in runs)
    return f"{rate:.3g}, {rate / now:.3g} ×" + ("" if worst <= QUALITY else f" (overlaps {percent(worst)})")
