#!/usr/bin/python3
"""Debian's Siconos (python3-siconos) on a problem that pluvia exported, and on the solution that pluvia found.

    pluvia export RUN.h5md --to siconos -o p.dat          (a text, local)
    pluvia export RUN.h5md --to problem -o p.hdf5 && pluvia solve p.hdf5 --tolerance 1e-12 -o solved.hdf5
    tests/solvers/with_siconos.py p.dat solved.hdf5 [--sweeps 20000]

Prints a JSON object: the error that Siconos finds in pluvia's impulses and how far one of its own sweeps moves them; then
whether and in how many sweeps it solves the problem from zero (NSGS, to 1e-10), to which error, and how far its impulses
are from pluvia's over the largest of them."""
import argparse
import json

import h5py
import numpy
import siconos.numerics as numerics


def start(path):
    """Reader, driver and solver by the number of rows of a contact, the first word of the file; the problem."""
    with open(path, encoding="utf-8") as file:
        rows = int(file.readline())
    read, driver, solver = {
        3: (numerics.frictionContact_new_from_filename, numerics.fc3d_driver, numerics.SICONOS_FRICTION_3D_NSGS),
        5: (numerics.rollingFrictionContact_new_from_filename, numerics.rolling_fc3d_driver,
            numerics.SICONOS_ROLLING_FRICTION_3D_NSGS)}[rows]
    return read(path), driver, solver


def solve(path, force, velocity, sweeps):
    """In place, from what the vectors hold: whether it is solved, sweeps and error."""
    problem, driver, solver = start(path)
    options = numerics.SolverOptions(solver)
    options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-10
    options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = sweeps
    failed = driver(problem, force, velocity, options)
    return {"solved": failed == 0, "sweeps": int(options.iparam[numerics.SICONOS_IPARAM_ITER_DONE]),
            "error": float(options.dparam[numerics.SICONOS_DPARAM_RESIDU])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem")
    parser.add_argument("solution")
    parser.add_argument("--sweeps", type=int, default=20000)
    words = parser.parse_args()
    with h5py.File(words.solution) as file:
        force, velocity = (file[f"solution/{name}"][:].ravel() for name in ("r", "u"))

    def apart(other):
        return float(abs(other - force).max() / abs(force).max())

    moved = force.copy()
    judged = solve(words.problem, moved, velocity.copy(), 1)
    own = numpy.zeros_like(force)
    theirs = solve(words.problem, own, numpy.zeros_like(force), words.sweeps)
    print(json.dumps({"of ours": judged["error"], "moved by": apart(moved), **theirs, "apart": apart(own)}))


if __name__ == "__main__":
    main()
