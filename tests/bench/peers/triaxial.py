#!/usr/bin/python3
"""A dense sample of 1,000 grains under 100 kPa, strained with an inertial number of 2e-4, by pluvia and by Yade: processor seconds of
one thread for the same strain, and the stress, void ratio and overlap by which the two are seen to be of equal quality.

    tests/bench/peers/triaxial.py -o triaxial.csv                  # to 20 %, three seeds: half an hour of one core, most of it Yade's
    tests/bench/peers/triaxial.py -o triaxial.csv --strain 0.02    # the first 2 %: three minutes
    tests/bench/peers/triaxial.py --page triaxial.csv              # only the tables of these results

Both begin with the sample that the first stage of scenes/dense.cfg has pressed. A row of the file is a part of a run: means over
half a percent of strain. Runs that the file has are not made again, but for those to a smaller strain."""
import argparse
import csv
import json
import math
import os
import pathlib
import re
import sys
import tempfile

import h5py
import numpy as np
from scipy.spatial import cKDTree

from programs import HERE, ROOT, Failed, call, debian_version
from tasks import TOUCHES, bound
from triaxial_page import PART, key, page, read

STRESS, RATE = 100e3, 0.3  # Pa, 1/s: as in scenes/dense.cfg
FRAMES = 10                # states in a row
SHEAR = """
gravity = [0, 0, 0];
time: {{ step = 1e-4; end = {end!r}; }};
allow_overlap = true;
materials = ( {{ name = "grain"; density = 2650.0; }} );
contacts = ( {{ between = ["grain", "grain"]; friction = 0.5; rolling_friction = 1e-4; }} );
cell: {{ size = {size}; stress = [{stress!r}, {stress!r}, 0]; strain_rate = [0, 0, {rate!r}]; }};
bodies = ( {{ file: {{ path = "start.csv"; }}; material = "grain"; }} );
output: {{ interval = {interval!r}; quantities = ["position"]; }};
"""
YADE = dict(young=2e8, damping=0.2, fraction=0.5, load=0.005)
COLUMNS = ["program", "version", "model", "seed", "step_s", "to_strain", "cpu_s", "strain", "ratio", "void", "overlap"]


def cell_of(path, frames):
    """Centers, edges and stresses of these frames of a result."""
    with h5py.File(path) as file:
        body = file["particles/trajectory"]
        size = body["box/edges/value"][frames][..., range(3), range(3)]
        stress = np.stack([file[f"observables/cell_stress_{a}{a}/value"][frames] for a in "xyz"], axis=-1)
        return body["position/value"][frames], size, stress, body["radius"][:]


def sample(options, seed, folder):
    """Writes start.csv; returns radii and edges."""
    call([options.pluvia, "run", ROOT / "scenes/dense.cfg", "--until", 0.1, "-s", f"seed={seed}", "-o", "press.h5md", "-j", 1,
          "--progress", "none"], folder, options.limit)
    x, size, _, radius = cell_of(folder / "press.h5md", -1)
    np.savetxt(folder / "start.csv", np.column_stack([x, radius]), "%.17g", ",", comments="", header="x,y,z,radius")
    return radius, size.tolist()


def run_pluvia(options, size, seconds, frames, folder):
    (folder / "scene.cfg").write_text(SHEAR.format(end=seconds, size=size, stress=STRESS, rate=-RATE, interval=seconds / frames))
    said, cpu = call([options.pluvia, "run", "scene.cfg", "-o", "a.h5md", "-j", 1, "--progress", "none"], folder, options.limit)
    x, edges, stress, _ = cell_of(folder / "a.h5md", slice(None))
    step = float(re.search(r"steps of ([\d.e-]+) s", said)[1])
    return x, edges, stress, {"model": "rigid", "step_s": step, "cpu_s": cpu}


def run_yade(options, size, seconds, frames, folder):
    job = dict(YADE, size=size, density=2650.0, friction=0.5, rolling=1e-4, stress=STRESS, rate=RATE, seconds=seconds, frames=frames)
    (folder / "job.json").write_text(json.dumps(job))
    call(["yade", "-n", "-x", "-j1", HERE / "yade_triaxial_job.py", "job.json"], folder, options.limit)
    got = np.load(folder / "result.npz")
    model = f"E = {YADE['young']:.0e} Pa, damping {YADE['damping']}"
    return got["x"], got["size"], got["stress"], {"model": model, "step_s": float(got["step"]), "cpu_s": float(got["cpu"])}


def version_of_pluvia(options):
    said, _ = call([options.pluvia, "--version"], pathlib.Path("."), options.limit)
    return said.split()[1]


PROGRAMS = {"pluvia": (run_pluvia, version_of_pluvia), "yade": (run_yade, lambda options: debian_version("yade"))}


def overlap(x, size, radius):
    """What 99.9 % of the contacts do not exceed, over the smaller diameter."""
    x = np.mod(x, size)
    x[x >= size] = 0.0
    i, j = cKDTree(x, boxsize=size).query_pairs(2.001 * radius.max(), output_type="ndarray").reshape(-1, 2).T
    apart = x[i] - x[j]
    apart -= size * np.round(apart / size)
    gaps = (np.linalg.norm(apart, axis=1) - radius[i] - radius[j]) / (2 * np.minimum(radius[i], radius[j]))
    return bound(np.maximum(-gaps[gaps <= TOUCHES], 0.0))


def rows_of(x, size, stress, radius):
    """A row for each part of the strain, without its first state."""
    solid = (4 / 3 * math.pi * radius**3).sum()
    for first in range(1, len(x), FRAMES):
        part = slice(first, min(first + FRAMES, len(x)))
        yield {"strain": 1 - size[part, 2][-1] / size[0, 2], "ratio": stress[part, 2].mean() / stress[part, :2].mean(),
               "void": size[part].prod(axis=1).mean() / solid - 1, "overlap": max(map(overlap, x[part], size[part], [radius] * FRAMES))}


def run_missing(options):
    old = read(options.output) if options.output.exists() else []
    done = {key(row) for row in old}
    seconds = -math.log(1 - options.strain) / RATE
    frames = FRAMES * round(options.strain / PART)
    for seed in options.seeds:
        for name in options.programs:
            if (name, str(seed), options.strain) in done:
                continue
            run, version = PROGRAMS[name]
            try:
                with tempfile.TemporaryDirectory(prefix="peers-") as folder:
                    radius, size = sample(options, seed, pathlib.Path(folder))
                    x, edges, stress, about = run(options, size, seconds, frames, pathlib.Path(folder))
                    about |= {"program": name, "version": version(options), "seed": seed, "to_strain": options.strain}
                    old += [{k: text(v) for k, v in (about | row).items()} for row in rows_of(x, edges, stress, radius)]
                    write(options.output, old)
            except Failed as failure:
                sys.exit(f"{name}, seed {seed}: {failure}")
            print(f"{name}, seed {seed}: {about['cpu_s']:.1f} s to {options.strain:.0%}", file=sys.stderr, flush=True)


def text(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def write(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("-o", "--output", type=pathlib.Path, help="the file of runs, which is continued")
    add("--strain", type=float, default=0.2, help="where runs end (%(default)s)")
    add("--seeds", type=int, nargs="+", default=[1, 2, 3], help="samples (1 2 3)")
    add("--programs", nargs="+", choices=PROGRAMS, default=list(PROGRAMS), help="of: " + " ".join(PROGRAMS))
    add("--pluvia", default=str(ROOT / "build/release/src/cli/pluvia"), help="the command (%(default)s)")
    add("--limit", type=float, default=7200.0, help="wall seconds of a run (%(default)s)")
    add("--page", type=pathlib.Path, metavar="CSV", help="run nothing: the tables of these results")
    options = parser.parse_args()
    if options.page:
        print(page(read(options.page)))
    elif options.output:
        options.pluvia = os.path.abspath(options.pluvia)
        run_missing(options)
        print(page(read(options.output)))
    else:
        parser.error("give --output or --page")


if __name__ == "__main__":
    main()
