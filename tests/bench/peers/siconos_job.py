#!/usr/bin/python3
"""Spheres poured on a plane by the Python runner of Siconos: siconos_job.py job.json.

Lengths are in cm and masses in sphere masses: its error measure depends on units, and in meters
its rolling friction solver gives up.
"""
import json
import sys

import h5py
import numpy as np
import siconos.kernel as kernel
import siconos.numerics as numerics
from siconos.io.mechanics_run import MechanicsHdf5Runner
from siconos.mechanics.collision.bullet import SiconosBulletOptions
from siconos.mechanics.collision.tools import Contactor

CM = 100.0
job = json.load(open(sys.argv[1]))
start = np.load("start.npy")
count = len(start)
start = start[start[:, 3] < job["seconds"]]
radius, gravity = job["radius"] * CM, job["gravity"] * CM
margin = 2e-5 * radius

with MechanicsHdf5Runner(io_filename="siconos.hdf5", mode="w", verbose=False) as io:
    io.add_primitive_shape("ball", "Sphere", (radius,), insideMargin=margin, outsideMargin=margin)
    half, thick = 60 * radius, 4 * radius
    io.add_convex_shape("floor", [(x, y, z) for x in (-half, half) for y in (-half, half)
                                  for z in (-thick, 0.0)], outsideMargin=margin)
    for i, (x, y, z, release) in enumerate(start):
        io.add_object(f"ball-{i}", [Contactor("ball")], translation=[x * CM, y * CM, z * CM],
                      velocity=[0.0] * 6, mass=1.0, inertia=[0.4 * radius ** 2] * 3,
                      time_of_birth=release)
    io.add_object("ground", [Contactor("floor")], translation=[0, 0, 0])
    io.add_Newton_impact_rolling_friction_nsl("law", e=0.0, mu=job["friction"],
                                              mu_r=job["rolling"] * CM)

options = kernel.solver_options_create(numerics.SICONOS_ROLLING_FRICTION_3D_NSGS)
options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000
options.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-4
options.iparam[numerics.SICONOS_FRICTION_3D_NSGS_FREEZING_CONTACT] = 20
options.iparam[numerics.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = 2
one = kernel.solver_options_get_internal_solver(options, 0)
one.dparam[numerics.SICONOS_DPARAM_TOL] = 1e-12
one.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = 1000

bullet = SiconosBulletOptions()
bullet.contactBreakingThreshold = 0.02

steps = round(job["seconds"] / job["step"])
with MechanicsHdf5Runner(io_filename="siconos.hdf5", mode="r+", verbose=False) as io:
    io.run(with_timer=False, gravity_scale=1, t0=0, T=job["seconds"], h=job["step"], theta=1.0,
           Newton_max_iter=1, solver_options=options, bullet_options=bullet,
           set_external_forces=lambda body: body.setFExtPtr([0, 0, -gravity * body.scalarMass()]),
           constraint_activation_threshold=1e-8 * CM, verbose=False, verbose_progress=False,
           output_frequency=max(1, steps // job["frames"]))

with h5py.File("siconos.hdf5") as file:
    rows = file["data/dynamic"][:]  # time, object, x, y, z, ...
times = np.unique(rows[:, 0])
frames = np.full((len(times), count, 3), np.nan)
for k, t in enumerate(times):
    now = rows[rows[:, 0] == t]
    frames[k, now[:, 1].astype(int) - 1] = now[:, 2:5] / CM
np.savez("result.npz", frames=frames, simulated=steps * job["step"], step=job["step"])
