"""Files of runs that are continued, and the tables made from them: the frame of step_limit.py and inertial.py."""
import argparse
import csv
import math
import pathlib
import statistics

ROOT = pathlib.Path(__file__).resolve().parents[3]


class Rows:
    """The rows of a file by the values of its first columns, which say which run a row is of. Each new row is written at once."""

    def __init__(self, path, fields, keys):
        self.path = pathlib.Path(path)
        if not self.path.exists():
            self.path.write_text(",".join(fields) + "\n")
        with self.path.open(newline="") as file:
            self.done = {tuple(row[name] for name in fields[:keys]) for row in csv.DictReader(file)}

    def has(self, *key):
        return tuple(map(str, key)) in self.done

    def add(self, key, values):
        with self.path.open("a") as file:
            csv.writer(file, lineterminator="\n").writerow([*key, *values])
        self.done.add(tuple(map(str, key)))


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def spread(values):
    """Mean and its standard error; one value has none."""
    return statistics.mean(values), statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else math.nan


def with_error(value, error, form, sign=""):
    return f"{value:{sign}{form}}" + ("" if math.isnan(error) else f" ± {error:{form}}")


def table(lines):
    """In Markdown; the first line is its head."""
    head, *others = lines
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, ["---"] * len(head), *others])


def main(about, run_missing, page, seeds, add=None):
    """The command: --csv calls run_missing(options), --page prints page(path). `add`: of further options."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/src/cli/pluvia"))
    parser.add_argument("--csv", help="the file of runs, which is continued")
    parser.add_argument("--seeds", type=int, default=seeds)
    parser.add_argument("--page", metavar="CSV", help="print the table")
    if add:
        add(parser)
    options = parser.parse_args()
    if options.page:
        print(page(options.page))
    elif options.csv:
        run_missing(options)
    else:
        parser.error("give --csv or --page")
