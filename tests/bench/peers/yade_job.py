"""Run by yade itself: yade -n -x -j1 yade_job.py job.json (programs.py writes it)."""
import json
import sys

import numpy as np

job = json.load(open(sys.argv[1]))
start = np.load("start.npy")
radius, side = job["radius"], job["side"]

O.materials.append(CohFrictMat(
    young=job["young"], poisson=0.3, density=job["density"], frictionAngle=np.arctan(job["friction"]),
    isCohesive=False, momentRotationLaw=True, alphaKr=2.0, alphaKtw=0.0, etaRoll=job["rolling"] / radius))


def wall(center, half):
    """A thick box: spheres on utils.wall() get no rolling friction."""
    O.bodies.append(utils.box(center, half, fixed=True))


THICK = 2 * radius
if side:
    half, top = side / 2, side
    wall((half, half, -THICK), (side, side, THICK))
    for at in (-THICK, side + THICK):
        wall((at, half, top), (THICK, side, 2 * top))
        wall((half, at, top), (side, THICK, 2 * top))
else:
    wall((0, 0, -THICK), (1, 1, THICK))

O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Box_Aabb()]),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom6D(), Ig2_Box_Sphere_ScGeom6D()],
                    [Ip2_CohFrictMat_CohFrictMat_CohFrictPhys()],
                    [Law2_ScGeom6D_CohFrictPhys_CohesionMoment(always_use_moment_law=True,
                                                               useIncrementalForm=True)]),
    NewtonIntegrator(gravity=(0, 0, -job["gravity"]), damping=job["damping"]),
]

spheres = []


def release(row):
    body = utils.sphere(tuple(row[:3]), radius)
    body.state.vel = (0, 0, -job["speed"])
    spheres.append(O.bodies.append(body))


def positions():
    x = np.full((len(start), 3), np.nan)
    for i, number in enumerate(spheres):
        x[i] = O.bodies[number].state.pos
    return x


def advance(steps):
    """O.run naps while it waits, which is long where steps are few."""
    if steps > 20:
        O.run(steps, True)
    else:
        for _ in range(steps):
            O.step()


release(start[0])
O.dt = job["fraction"] * utils.PWaveTimeStep()
due = [round(t / O.dt) for t in start[:, 3]]
while len(spheres) < len(start) and due[len(spheres)] == 0:
    release(start[len(spheres)])

steps = max(1, round(job["seconds"] / O.dt))
if job["warm"]:
    advance(steps)
first = O.iter

keep = [round(k * steps / job["frames"]) for k in range(job["frames"] + 1)]
frames = [positions()]
for k in sorted(set(keep[1:] + [d for d in due if 0 < d < steps])):
    advance(first + k - O.iter)
    if k in keep:
        frames.append(positions())
    while len(spheres) < len(start) and due[len(spheres)] <= k:
        release(start[len(spheres)])

force = sum(O.forces.f(number)[2] for number in spheres)  # of contacts: gravity is not among them
np.savez("result.npz", frames=np.array(frames), simulated=(first + steps) * O.dt, step=O.dt, force=force)
