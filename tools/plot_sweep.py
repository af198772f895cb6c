#!/usr/bin/python3
"""A measure of a campaign over one of its axes: every case, and the mean over cases (seeds, other axes) with
its standard error."""
import math
import pathlib

import numpy as np

import plots

OWN = ("case", "status", "exit", "reason", "inputs_hash", "wall_seconds", "cpu_seconds", "threads")


def read(path):
    """The columns of a table of a campaign (table.csv, or the folder that holds it) as numbers; NAN where there is none."""
    path = pathlib.Path(path)
    if path.is_dir():
        path = path / "table.csv"
    rows = plots.table(path, "case", "pluvia sweep")
    return {name: np.array([number(row[name]) for row in rows]) for name in rows[0] if name not in OWN}


def number(text):
    try:
        return float(text)
    except ValueError:
        return math.nan


def column(table, name, option):
    if name not in table:
        plots.fail(f"{option}: the table has no column {name} (it has {', '.join(table)})")
    if not np.isfinite(table[name]).any():
        plots.fail(f"{option}: no case has a number in column {name}")
    return table[name]


def means(x, y):
    """For each x: the mean of y and its standard error, 0 for a single case."""
    places = np.unique(x)
    groups = [y[x == place] for place in places]
    errors = [group.std(ddof=1) / math.sqrt(len(group)) if len(group) > 1 else 0.0 for group in groups]
    return places, np.array([group.mean() for group in groups]), np.array(errors)


def main():
    parser = plots.options(__doc__, "sweep.png", reads=("table", "FOLDER", "what pluvia sweep wrote"))
    parser.add_argument("-x", required=True, metavar="AXIS", help="name of an axis of the campaign")
    parser.add_argument("-y", required=True, metavar="MEASURE", help="name of a measure of the campaign")
    parser.add_argument("--xlabel", metavar="TEXT", help="what is written along the axis, with its unit (default: the name)")
    parser.add_argument("--ylabel", metavar="TEXT", help="the same of the measure")
    arguments = parser.parse_args()
    table = read(arguments.table)
    x, y = column(table, arguments.x, "option -x"), column(table, arguments.y, "option -y")
    known = np.isfinite(x) & np.isfinite(y)
    if not known.any():
        plots.fail(f"no case has both {arguments.x} and {arguments.y}")
    if not known.all():
        print(f"{np.count_nonzero(~known)} of {len(known)} cases have no {arguments.y} and are left out")
    x, y = x[known], y[known]
    made, ((axis,),) = plots.figure(arguments, 1, 1, (4.8, 3.2))
    axis.plot(x, y, ".", color=plots.SKY, label="each case")
    places, mean, error = means(x, y)
    axis.errorbar(places, mean, yerr=error, color=plots.BLUE, marker="o", markersize=4, capsize=2, label="mean")
    if places[0] > 0 and places[-1] >= 20 * places[0]:
        axis.set_xscale("log")
    axis.set_xlabel(arguments.xlabel or arguments.x)
    axis.set_ylabel(arguments.ylabel or arguments.y)
    axis.legend(fontsize="small")
    plots.save(made, arguments)


if __name__ == "__main__":
    main()
