"""Run by yade itself: yade -n -x -j1 yade_triaxial_job.py job.json (triaxial.py writes it). Springs are loaded first, off
the clock; then the cell is strained along z while its sides keep their stress."""
import json
import resource
import sys

import numpy as np

job = json.load(open(sys.argv[1]))
start = np.loadtxt("start.csv", delimiter=",", skiprows=1)

O.periodic = True
O.cell.setBox(*job["size"])
for x, y, z, radius in start:
    # Of two bodies the smaller of etaRoll R counts, which is the same length for all so. Nothing resists twisting: unless that
    # is said, it does so without limit.
    grain = O.materials.append(CohFrictMat(
        young=job["young"], poisson=0.3, density=job["density"], frictionAngle=np.arctan(job["friction"]),
        isCohesive=False, momentRotationLaw=True, alphaKr=2.0, alphaKtw=0.0, etaRoll=job["rolling"] / radius))
    O.bodies.append(utils.sphere((x, y, z), radius, material=grain))

triaxial = PeriTriaxController(
    dynCell=True, mass=sum(b.state.mass for b in O.bodies), goal=3 * (-job["stress"],), stressMask=7, globUpdate=1,
    maxStrainRate=3 * (10.0,), maxUnbalanced=1e30, relStressTol=1e-9, absStressTol=0.0)
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb()]),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom6D()], [Ip2_CohFrictMat_CohFrictMat_CohFrictPhys()],
                    [Law2_ScGeom6D_CohFrictPhys_CohesionMoment(always_use_moment_law=True, useIncrementalForm=True)]),
    triaxial,
    NewtonIntegrator(damping=job["damping"]),
]
O.dt = job["fraction"] * utils.PWaveTimeStep()


def processor_time():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def frame():
    rows = [b.state.pos for b in O.bodies]
    return np.array(rows), np.array(O.cell.size), -np.array(getStress())


def advance(steps):
    """O.run naps while it waits."""
    O.run(steps, True)


advance(max(1, round(job["load"] / O.dt)))
loaded = frame()
triaxial.stressMask = 3
triaxial.goal = (-job["stress"], -job["stress"], -10.0)  # a strain that is not reached
triaxial.maxStrainRate = (10.0, 10.0, job["rate"])
steps = max(1, round(job["seconds"] / O.dt))
first, begun = O.iter, processor_time()
frames = [loaded]
for k in range(1, job["frames"] + 1):
    advance(first + round(k * steps / job["frames"]) - O.iter)
    frames.append(frame())
cpu = processor_time() - begun
x, size, stress = (np.array(part) for part in zip(*frames))
np.savez("result.npz", x=x, size=size, stress=stress, step=O.dt, cpu=cpu, simulated=steps * O.dt)
