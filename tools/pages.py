#!/usr/bin/python3
"""Writes numbers of runs into README.md and other pages: the pile over seeds, the bin, boundaries that move, the
lifted cylinder, Figures 4 and 5, the calibration, the comparison with other programs (tests/bench/peers), orders of
convergence (tests/physics/order.csv), errors of long steps (tests/bench/step_errors.csv), Newton's method on stored
problems and heaps of much friction (newton.py and heaps.py of tests/solvers), the builds of tools/matrix.sh.

    tools/pages.py             writes them into the pages from the files that are kept beside the scenes
    tools/pages.py --check     only says whether the pages have them; exit code 1: they do not
    tools/pages.py --make      runs the program first and keeps new files (8 minutes of one core)

A place in a page is marked "<!-- tools/pages.py NAME -->...<!-- end -->". The files of Figures 4 and 5 and of
the bin are kept by tools/paper/figure4.py, figure5.py and tools/bin.py with --keep, those of scenes with boundaries that move by tools/moving.py --make, those of element tests by tools/element.py --make. Standard library only, but for --make: python3-matplotlib for the picture."""
import argparse
import csv
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import matrix
from wrap import WIDTH, wrapped

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCENES = ROOT / "scenes"
BIN, MOVING, LIFTED = SCENES / "bin.csv", SCENES / "moving.csv", SCENES / "campaigns/lifted.csv"
ELEMENT = SCENES / "element.csv"
SEEDS, FIGURE4 = SCENES / "pile/seeds.csv", SCENES / "paper/figure4.csv"
PEERS = ROOT / "tests/bench/peers/results.csv"
ORDER = ROOT / "tests/physics/order.csv"
RULES = ROOT / "tests/bench/step_errors.csv"
NEWTON, HEAPS = ROOT / "tests/solvers/newton.csv", ROOT / "tests/solvers/heaps.csv"
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


def bin_filled():
    rows = read(BIN)
    return (f"at rest after {span(rows, 'rest', '.1f')} s, on {span(rows, 'contacts', '.0f')} contacts (seeds 1 to "
            f"{len(rows)})")


def bin_opened():
    rows = read(BIN)
    return (f"{span(rows, 'flow', '.2f')} kg/s run out between 20 and 80 % of the mass, and after "
            f"{span(rows, 'empty', '.1f')} s the bin is empty (seeds 1 to {len(rows)})")


def of_seeds(table, scene, number, unit=1.0):
    with open(table, newline="", encoding="utf-8") as file:
        return [float(row["value"]) / unit for row in csv.DictReader(file) if (row["scene"], row["number"]) == (scene, number)]


def moving(scene, number, form, unit=1.0):
    """The span of a number of a scene over its seeds, as "36.2 to 37.1", or once where both are the same."""
    values = of_seeds(MOVING, scene, number, unit)
    ends = [f"{end(values):{form}}" for end in (min, max)]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def sheared(scene):
    """Numbers of a sheared bed: mean and deviation of seeds, and between what its four parts lie."""
    mu, stress, solid = (of_seeds(ELEMENT, scene, number) for number in ("tau / sigma_n, critical", "sigma_n (kPa)", "solid fraction, critical"))
    least, most = (of_seeds(ELEMENT, scene, f"... {end} of four parts") for end in ("least", "largest"))
    return (f"from 1 s on a steady stress ratio of {statistics.mean(mu):.3f} ± {statistics.stdev(mu):.3f} (mean ± deviation of "
            f"{len(mu)} seeds; quarters of that time {min(least):.2f} to {max(most):.2f}), at a normal stress of "
            f"{min(stress):.3f} to {max(stress):.3f} kPa and a solid fraction of {min(solid):.3f} to {max(solid):.3f}")


def element(scene, number, form):
    """The span of a number over seeds."""
    values = of_seeds(ELEMENT, scene, number)
    return f"{min(values):{form}} to {max(values):{form}}"


def triaxial():
    scene = "triaxial"
    return (f"{element(scene, 'sigma_r (kPa)', '.1f')} kPa on the sides, in single steps off by up to "
            f"{max(of_seeds(ELEMENT, scene, 'sigma_r off its mean, largest (%)')):.1f} %; a friction angle of at most "
            f"{element(scene, 'phi, peak (degrees)', '.1f')} degrees, in the critical state {element(scene, 'phi, critical (degrees)', '.1f')} degrees "
            f"(smooth walls); void ratio {element(scene, 'void ratio at the start', '.2f')} at the start, "
            f"{element(scene, 'void ratio, critical', '.2f')} in the critical state; {element(scene, 'steps not converged (%)', '.1f')} % of the "
            f"steps not converged (seeds 1 to {len(of_seeds(ELEMENT, scene, 'sigma_r (kPa)'))})")


def dense():
    def of(number, form):
        return element("dense", number, form)

    return (f"void ratio {of('void ratio at the start', '.3f')} after the pressing; a peak of {of('phi, peak (degrees)', '.1f')} degrees at an axial "
            f"strain of {of('... at a strain of', '.3f')} with a dilatancy angle of {of('psi there (degrees)', '.1f')} degrees, and "
            f"{of('phi, critical (degrees)', '.1f')} degrees beyond 15 %, at a void ratio of {of('void ratio, critical', '.3f')}, where volume still "
            f"grows (dv/da {of('dv/da, critical', '.2f')}); {of('steps not converged (%)', '.2f')} % of the steps not converged "
            f"(seeds 1 to {len(of_seeds(ELEMENT, 'dense', 'sigma_r (kPa)'))})")


def drum():
    return (f"the bed leans by {moving('drum', 'angle of the bed (degrees)', '.1f')} degrees from 3 s on; its moment on the "
            f"drum is its weight times its lever ({moving('drum', 'moment on the drum over weight times lever', '.2f')} "
            f"times that), {moving('drum', 'power (W)', '.0f', 1e-3)} mW")


def conveyor():
    return (f"{moving('conveyor', 'spheres on the belt', '.0f')} spheres on 0.4 m of the belt (rate times length over speed: "
            f"133), at {moving('conveyor', 'their speed (m/s)', '.3f')} m/s; the belt takes "
            f"{moving('conveyor', 'power (W)', '.1f', 1e-3)} mW, "
            f"{moving('conveyor', 'power over kinetic energy', '.2f')} times the kinetic energy that they get (slip takes the other half)")


def vibrated():
    return (f"the large sphere lies at the bottom at first, comes to the top after "
            f"{moving('vibrated', 'at the top of the others after (s)', '.0f')} s and is "
            f"{moving('vibrated', 'its top above theirs in the last second (m)', '.0f', 1e-3)} mm above the others in the last second")


def terrain():
    return (f"at rest after {moving('terrain', 'at rest after (s)', '.1f')} s on the level part: half of them beyond "
            f"x = {moving('terrain', 'half of them beyond (m)', '.2f')} m, 5 % beyond "
            f"{moving('terrain', '5 % of them beyond (m)', '.2f')} m (the slope ends at about 0.25 m); "
            f"{moving('terrain', 'over the edges', '.0f')} fall over the edges of the mesh and leave the domain")


def hopper_mesh():
    return (f"a bed up to z = {moving('hopper_mesh', 'top of the bed (m)', '.0f', 1e-3)} mm; "
            f"{moving('hopper_mesh', 'flow (kg/s)', '.2f')} kg/s run out between 20 and 80 % of the mass, and "
            f"{moving('hopper_mesh', 'empty after (s)', '.2f')} s after the gate the hopper is empty")


def lifted():
    rows = read(LIFTED)
    angles = [f"{spread([row['pile.angle'] for row in rows if row['speed'] == speed], 1)} degrees at {1000 * speed:g} mm/s"
              for speed in sorted({row["speed"] for row in rows})]
    return f"angle of repose over the pulling speed: {', '.join(angles)} (mean ± deviation of five seeds)"


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


def figure4_plain():
    with open(SCENES / "paper/figure4_plain.csv", newline="", encoding="utf-8") as file:
        rows = [{name.split(".")[-1]: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    lines = ["", "| μ | μ_r (m) | height/d, mean radius/d | by the default solver | steps not converged, of 20,000 |", "| --- | --- | --- | --- | --- |"]
    for row in rows:
        other = next(kept for kept in read(FIGURE4) if (kept["mu"], kept["mu_r"]) == (row["mu"], row["mu_r"]))
        lines.append(f"| {row['mu']} | {row['mu_r']} | {row['height_ratio']:.2f}, {row['mean_radius']:.2f} | "
                     f"{other['height']:.2f}, {other['mean_radius']:.2f} | {row['unconverged_steps']:.0f} |")
    return "\n".join(lines) + "\n"


def figure5(name=""):
    return read(SCENES / f"paper/figure5{name}.csv")


def figure5_cost():
    rows = figure5()
    seconds, open_steps = [row["cpu"] for row in rows], sum(row["unconverged"] for row in rows)
    return (f"{len(rows)} piles of 250 spheres, {sum(seconds) / 60:.0f} min of processor time, {min(seconds):.1f} to "
            f"{max(seconds):.0f} s a pile; {open_steps:.0f} of more than 10⁷ steps did not converge")


def figure5_minutes():
    return f"{sum(row['cpu'] for row in figure5()) / 60:.0f}"


def figure5_moving():
    return f"{sum(row['time'] > 59.9 for row in figure5())} piles"


def faster(program):
    """Processor time of a program over that of pluvia: least and most of the tasks in which both keep overlaps below 1 %."""
    with open(PEERS, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if not row["failure"]]
    good = [row for row in rows if float(row["overlap_worst_moment"]) <= 0.01]
    rates = {name: {task: statistics.median(float(row["cpu_per_simulated"]) for row in good
                                            if (row["task"], row["program"]) == (task, name))
                    for task in {row["task"] for row in good if row["program"] == name}} for name in ("pluvia", program)}
    ratios = [rate / rates["pluvia"][task] for task, rate in rates[program].items() if task in rates["pluvia"]]
    return f"{min(ratios):.0f} to {max(ratios):.0f} times as long ({len(ratios)} tasks)"


def level(values, digits=2):
    return f"{statistics.mean(values):.{digits}f} ± {statistics.stdev(values) / math.sqrt(len(values)):.{digits}f}"


def slope(pairs):
    """Change of the second number a decade of the first, by least squares, with its standard error."""
    x = [math.log10(pair[0]) for pair in pairs]
    middle, mean = statistics.mean(x), statistics.mean(pair[1] for pair in pairs)
    squares = sum((a - middle) ** 2 for a in x)
    rate = sum((a - middle) * pair[1] for a, pair in zip(x, pairs)) / squares
    rest = sum((pair[1] - mean - rate * (a - middle)) ** 2 for a, pair in zip(x, pairs))
    return f"{rate:+.2f} ± {math.sqrt(rest / (len(pairs) - 2) / squares):.2f}"


def single_layers(rows):
    """The largest mu_r up to which no sphere lies on another."""
    last = math.nan
    for rolling in sorted({row["mu_r"] for row in rows}):
        if any(row["height"] > 1.1 for row in rows if row["mu_r"] == rolling):
            break
        last = rolling
    return re.sub("e-0", "e-", f"{last:.1e}")


def figure5_third():
    """The third regime: beyond mu_r = 2 mu R, as in tools/paper/figure5.py."""
    lines = ["", "  | μ | height/d | mean radius/d | height/d a decade | single layers up to μ_r (m) |",
             "  | --- | --- | --- | --- | --- |"]
    for friction in sorted({row["mu"] for row in figure5()}):
        rows = [row for row in figure5() if row["mu"] == friction]
        third = [row for row in rows if row["mu_r"] > 2 * friction * 0.01]
        lines.append(f"  | {friction} | {level([row['height'] for row in third])} | "
                     f"{level([row['radius'] for row in third])} | "
                     f"{slope([(row['mu_r'], row['height']) for row in third])} | {single_layers(rows)} |")
    return "\n".join(lines) + "\n  "


def figure5_more():
    """How much higher piles of the third regime are for mu = 0.7 than for 0.5."""
    heights = [[row["height"] for row in figure5() if row["mu"] == friction and row["mu_r"] > 2 * friction * 0.01]
               for friction in (0.5, 0.7)]
    error = math.hypot(*(statistics.stdev(values) / math.sqrt(len(values)) for values in heights))
    return f"{statistics.mean(heights[1]) - statistics.mean(heights[0]):.2f} ± {error:.2f} d"


def spread(values, digits=2):
    return f"{statistics.mean(values):.{digits}f} ± {statistics.stdev(values):.{digits}f}"


def figure5_projection():
    """The paper's local solver and criterion beside the exact one."""
    lines = ["", "  | μ_r (m) | height/d: projection | exact, e_s = 1e-3 | mean radius/d: projection | exact, e_s = 1e-3 "
             "| processor s a pile |", "  | --- | --- | --- | --- | --- | --- |"]
    projection = figure5("_projection")
    for rolling in sorted({row["mu_r"] for row in projection}):
        both = [[row for row in rows if row["mu"] == 0.3 and math.isclose(row["mu_r"], rolling, rel_tol=1e-3)]
                for rows in (projection, figure5())]
        cells = [spread([row[name] for row in rows]) for name in ("height", "radius") for rows in both]
        seconds = ", ".join(f"{statistics.mean(row['cpu'] for row in rows):.1f}" for rows in both)
        lines.append(f"  | {rolling:.2g} | {' | '.join(cells)} | {seconds} |")
    return "\n".join(lines) + "\n  "


def figure5_sixty():
    """Piles of 60 spheres beside those of Siconos."""
    lines = ["", "  | μ, μ_r (m) | height/d: Siconos | pluvia | mean radius/d: Siconos | pluvia |",
             "  | --- | --- | --- | --- | --- |"]
    for theirs in figure5("_theirs"):
        ours = [row for row in figure5("_siconos") if (row["mu"], row["mu_r"]) == (theirs["mu"], theirs["mu_r"])]
        cells = [f"{theirs[name]:.2f} | {spread([row[name] for row in ours])}" for name in ("height", "radius")]
        lines.append(f"  | {theirs['mu']}, {theirs['mu_r']:.0e} | {' | '.join(cells)} |".replace("e-0", "e-"))
    return "\n".join(lines) + "\n  "


def answer():
    return ANSWER.read_text(encoding="utf-8").splitlines()


def calibration():
    shown = answer()
    begin = next(k for k, line in enumerate(shown) if line.startswith("points"))
    return "\n" + "\n".join(["```", "$ pluvia calibrate scenes/campaigns/repose.cfg", *shown[begin:], "```"]) + "\n"


def cases():
    return answer()[0].split()[1].rstrip(":")


LETTERS = {"travel": "T", "turning": "U", "crowd": "C", "chain": "H", "swing": "W", "spin": "S", "period": "F", "pressure": "P", "overlap": "O"}


def rules():
    """The table of tests/bench/step_errors.py: a line a case, at each step the error and what names it."""
    with open(RULES, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    steps = list(dict.fromkeys(row["step"] for row in rows))
    letters = ", ".join(f"{letter} {rule}" for rule, letter in LETTERS.items())
    lines = [f"\nRules: {letters}.\n", "| scene | " + " | ".join(f"{float(step) * 1e3:g} ms" for step in steps) + " |", "| --- " * (len(steps) + 1) + "|"]
    for name in dict.fromkeys(row["case"] for row in rows):
        cells = []
        for row in rows:
            if row["case"] == name:
                error = f"ends with {row['code']}" if row["code"] != "0" else row["error"]
                if row["standard_error"]:
                    error += f" ± {row['standard_error']}"
                cells.append(error + (f" ({', '.join(LETTERS[rule] for rule in row['rules'].split())})" if row["rules"] else ""))
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def order():
    """The table of tests/physics/test_order.c."""
    with open(ORDER, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n" + "".join(f"| {' | '.join(row)} |\n" for row in lines)


def newton(plain):
    """Factorizations of the ways of Newton's method, the residual where one does not get there, "singular" where the matrix
    was; problems that all solve in fewer than 8 are left out."""
    with open(NEWTON, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["way"].startswith("plain ") == plain or row["way"] == "primal-dual"]
    ways, problems = ([*dict.fromkeys(row[name] for row in rows)] for name in ("way", "problem"))
    found = {(row["way"], row["problem"]): row for row in rows}

    def cell(row):
        error = f"{float(row['scaled']):.0e}"
        return row["factorizations"] if row["solved"] == "1" else f"{error} singular" if row["singular"] == "1" else error

    def easy(problem):
        return all(found[way, problem]["solved"] == "1" and int(found[way, problem]["factorizations"]) < 8 for way in ways)

    tables = [ways] if not plain else [ways[:5], [ways[0], *ways[5:]]]  # lines of the page keep short
    return "\n" + "\n".join(newton_table(plain, some, problems, found, cell, easy) for some in tables)


def newton_table(plain, ways, problems, found, cell, easy):
    heads = [re.sub("^plain ", "", way) if plain and way != "primal-dual" else "by proximal steps" if plain else way for way in ways]
    lines = [["problem", *heads], ["---"] * (1 + len(ways))]
    lines += [[problem, *(cell(found[way, problem]) for way in ways)] for problem in problems if not easy(problem)]
    lines.append(["**solved**", *(f"{sum(found[way, problem]['solved'] == '1' for problem in problems)} of {len(problems)}" for way in ways)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def heaps():
    """Least, median and most of iterations and factorizations of the heaps that a way solves."""
    with open(HEAPS, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    lines = [["", "solved", "iterations (convex: programs)", "factorizations", "s", "worst residual of the others"], ["---"] * 6]
    for way in dict.fromkeys(row["way"] for row in rows):
        some = [row for row in rows if row["way"] == way]
        good = [row for row in some if row["solved"] == "1"]
        spans = []
        for name, form in ("iterations", ".0f"), ("factorizations", ".0f"), ("seconds", ".2f"):
            values = [float(row[name]) for row in good]
            spans.append(", ".join(f"{value:{form}}" for value in (min(values), statistics.median(values), max(values))) if values else "")
        rest = [float(row["scaled"]) for row in some if row["solved"] == "0"]
        lines.append([way, f"{len(good)} of {len(some)}", *spans, f"{max(rest):.0e}" if rest else ""])
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def builds():
    return "\n" + matrix.table(matrix.read(matrix.KEPT)) + "\n"


PAGES = {ROOT / "README.md": {"figure5 minutes": figure5_minutes, "liggghts": lambda: faster("liggghts"),
                              "lammps": lambda: faster("lammps"), "yade": lambda: faster("yade")},
         SCENES / "README.md": {"pile": pile, "bin filled": bin_filled, "bin opened": bin_opened, "drum": drum, "conveyor": conveyor,
                                "vibrated": vibrated, "terrain": terrain, "hopper_mesh": hopper_mesh, "lifted": lifted,
                                "shear": lambda: sheared("shear"), "shear_cell": lambda: sheared("shear_cell"), "triaxial": triaxial,
                                "dense": dense},
         ROOT / "tests/README.md": {"matrix": builds},
         ROOT / "src/theory.md": {"order": order},
         ROOT / "src/machinery.md": {"rules": rules},
         ROOT / "tests/solvers/README.md": {"newton": lambda: newton(False), "newton plain": lambda: newton(True), "heaps": heaps},
         SCENES / "campaigns.md": {"calibration": calibration, "cases": cases, "cases again": cases},
         SCENES / "paper.md": {"figure4": figure4, "figure4 plain": figure4_plain, "figure5 cost": figure5_cost, "figure5 moving": figure5_moving,
                               "figure5 third": figure5_third, "figure5 more": figure5_more,
                               "figure5 projection": figure5_projection, "figure5 sixty": figure5_sixty}}


def filled(page_file, tool, places):
    """The page with what each place, a name and a function, is to hold."""
    text = page_file.read_text(encoding="utf-8")
    for name, make in places.items():
        place = re.compile(rf"(<!-- {tool} {name} -->).*?(<!-- end -->)", re.DOTALL)
        text, found = place.subn(lambda match: match[1] + make() + match[2], text)
        if found != 1:
            sys.exit(f"{page_file}: {found} places for {name}, not one")
    return in_lines(text)


def in_lines(text):
    """Paragraphs and list items with numbers that have become too long are wrapped anew, always alike."""
    lines = []
    for paragraph in re.split(r"(\n\n+|\n(?=- ))", text):
        long = "<!-- tools/" in paragraph and "|" != paragraph[:1] and any(len(line) > WIDTH for line in paragraph.split("\n"))
        lines.append(wrapped(paragraph, "  " if paragraph.startswith("- ") else "") if long else paragraph)
    return "".join(lines)


def made():
    """The pages with all numbers as the files have them: file and text of each."""
    return [(page, filled(page, "tools/pages.py", places)) for page, places in PAGES.items()]


def make(program):
    """Runs the campaigns and keeps what the pages show of them."""
    with tempfile.TemporaryDirectory() as folder:
        run = {"text": True, "stdout": subprocess.PIPE, "check": True}
        done = subprocess.run([program, "calibrate", SCENES / "campaigns/repose.cfg", "-o", f"{folder}/calibrate"], **run)
        keep = [line for line in done.stdout.splitlines() if folder not in line and "wall time" not in line]
        ANSWER.write_text("\n".join(keep) + "\n", encoding="utf-8")
        subprocess.run([ROOT / "tools/plot_calibration.py", f"{folder}/calibrate", "-o", PICTURE], check=True)
        for name, inputs, kept in ("pile/seeds", ["seed"], SEEDS), ("campaigns/lifted", ["speed", "seed"], LIFTED):
            subprocess.run([program, "sweep", SCENES / f"{name}.cfg", "-o", f"{folder}/{name}"], **run)
            keep_columns(f"{folder}/{name}/table.csv", inputs, kept)


def keep_columns(path, inputs, kept):
    """Of the table of a sweep what does not depend on the day; of a velocity its part along z."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row.update({name: row[name].strip("[]").split(",")[-1].strip() for name in inputs})
    columns = [*inputs, *(name for name in rows[0] if name.startswith("pile."))]
    with open(kept, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def keep(page_file, text, check):
    """Writes a page, or only says whether it is as it should be: the exit code."""
    if check:
        return 0 if text == page_file.read_text(encoding="utf-8") else 1
    page_file.write_text(text, encoding="utf-8")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pluvia", default=ROOT / "build/release/src/cli/pluvia")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--make", action="store_true")
    words = parser.parse_args()
    if words.make:
        make(words.pluvia)
    return max([keep(page, text, words.check) for page, text in made()])


if __name__ == "__main__":
    sys.exit(main())
