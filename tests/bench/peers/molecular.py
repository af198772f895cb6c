"""LAMMPS and LIGGGHTS: explicit codes of one family, with one input language.

The bound of the rolling moment is in both a coefficient times R_eff F_n, with R_eff = R/2 between
two spheres and R at a wall.
"""
import re
import shutil

import numpy as np

from programs import Answer, call, debian_version
from tasks import DENSITY, DIAMETER, FRICTION, GRAVITY, MASS, RADIUS

# Box faces that follow the spheres (m): cells for neighbours cost where there is nothing, too.
REGION = "region all block -0.1 0.1 -0.1 0.1 -0.01 0.3 units box\ncreate_box {types} all\n"

DUMP = "dump 1 all custom {every} frames id x y z\ndump_modify 1 sort id format {format}\n"


class MolecularDynamics:
    """What both have in common. `pour` and `bed` are stiffness and time step (s) of these tasks:
    so stiff that overlaps stay below 1 % of d, in impacts of 1.9 m/s and at the foot of a bed."""

    def __init__(self):
        self.command = shutil.which(self.binary)

    def version(self):
        return self.command and debian_version(self.name)

    def write_bed(self, path, task, start):
        tops = task.side, task.side, start[:, 2].max() + DIAMETER
        with open(path, "w") as file:
            file.write(f"start\n\n{len(start)} atoms\n{self.types} atom types\n\n")
            for axis, top in zip("xyz", tops):
                file.write(f"{-RADIUS} {top + RADIUS} {axis}lo {axis}hi\n")
            file.write("\nAtoms\n\n")
            for i, (x, y, z, _) in enumerate(start):
                file.write(f"{i + 1} 1 {DIAMETER} {DENSITY} {x:.12g} {y:.12g} {z:.12g}\n")

    def pouring(self, start, steps, step):
        """A run up to each release, which creates a sphere."""
        text, now = "", 0
        for i, (x, y, z, time) in enumerate(start):
            due = round(time / step)
            if due >= steps:
                break
            if due > now:
                text += f"run {due - now}{self.briefly}\n"
            text += (f"create_atoms 1 single {x:.12g} {y:.12g} {z:.12g} units box\n"
                     f"set atom {i + 1} diameter {DIAMETER} density {DENSITY}\n")
            now = due
        return text + f"run {steps - now}\n"

    def run(self, task, start, seconds, frames, folder, limit):
        stiffness, step = self.pour if task.state == "pour" else self.bed
        steps = max(1, round(seconds / step))
        every = max(1, steps // frames)
        steps -= steps % every
        walls = ["zplane 0"] + [f"{a}plane {at:.12g}" for a in "xy" for at in (0, task.side) if task.side]
        write = DUMP.format(every=every, format=self.format)
        if task.state == "pour":
            place, history = REGION.format(types=self.types), write + self.pouring(start, steps, step)
        else:
            self.write_bed(folder / "start.data", task, start)
            unseen = f"run {steps}\nreset_timestep 0\n" if task.state == "rest" else ""
            place, history = "read_data start.data\n", f"{unseen}{write}run {steps}\n"
        (folder / "in").write_text(self.head + place + self.law(task, stiffness, step, walls) + history)

        out, cpu = call([self.command, "-in", "in", "-log", "none"], folder, limit)
        times = [float(t) for t in re.findall(r"^Loop time of (\S+)", out, re.M)]
        wall = times[-1] if task.state == "rest" else sum(times)
        return Answer(wall, cpu, steps * step, step, self.model.format(stiffness),
                      read_dump(folder / "frames", len(start)))


def read_dump(path, count):
    frames = []
    with open(path) as file:
        for line in file:
            if not line.startswith("ITEM: NUMBER OF ATOMS"):
                continue
            rows = int(next(file))
            for _ in range(5):
                next(file)
            data = np.array([next(file).split() for _ in range(rows)], dtype=float).reshape(rows, 4)
            frames.append(np.full((count, 3), np.nan))
            frames[-1][data[:, 0].astype(int) - 1] = data[:, 1:]
    return np.array(frames)


class Lammps(MolecularDynamics):
    """Linear springs at 0.9 of critical damping, given by velocity: the coefficient of `tsuji` for
    walls is converted again at each run command. Rolling friction is a spring with a slider."""

    name, binary, types = "lammps", "lmp", 1
    pour, bed = (2e5, 1.6e-5), (1e5, 2e-5)
    model = "Hooke, k = {:.0e} N/m"
    format, briefly = "line '%d %.12g %.12g %.12g'", " post no"

    head = """
units si
atom_style sphere
atom_modify map array
boundary m m f
newton off
comm_modify vel yes
"""

    def law(self, task, stiffness, step, walls):
        tangential = 2 / 7 * stiffness

        def contact(mass, rolling):
            damping = 0.9 * 2 * (mass * stiffness) ** 0.5
            return (f"hooke {stiffness} {damping:.4g} damping velocity "
                    f"tangential linear_history {tangential:.6g} 1.0 {FRICTION} "
                    f"rolling sds {tangential:.6g} 2.0 {rolling:g}")
        text = f"""
neighbor {0.1 * DIAMETER} bin
neigh_modify delay 0 every 1 check yes
pair_style granular
pair_coeff * * {contact(MASS / 2, 2 * task.rolling / RADIUS)}
timestep {step}
fix move all nve/sphere
fix weight all gravity {GRAVITY} vector 0 0 -1
thermo 1000000
thermo_modify lost warn
"""
        for k, wall in enumerate(walls):
            plane, at = wall.split()
            sides = f"{at} NULL" if at == "0" else f"NULL {at}"
            text += (f"fix wall{k} all wall/gran granular {contact(MASS, task.rolling / RADIUS)} "
                     f"{plane} {sides}\n")
        return text


class Liggghts(MolecularDynamics):
    """Hertz springs, the least restitution that it takes (0.06), rolling friction epsd2. Type 2
    stands for the walls."""

    name, binary, types = "liggghts", "liggghts", 2
    pour, bed = (3e8, 2e-5), (1e8, 4e-5)
    model = "Hertz, E = {:.0e} Pa"
    format, briefly = "'%d %.12g %.12g %.12g'", ""

    head = """
units si
atom_style granular
atom_modify map array
boundary m m f
newton off
communicate single vel yes
"""

    def law(self, task, stiffness, step, walls):
        wall = task.rolling / RADIUS
        contact = "model hertz tangential history rolling_friction epsd2"
        text = f"""
neighbor {0.1 * DIAMETER} bin
neigh_modify delay 0
fix m1 all property/global youngsModulus peratomtype {stiffness} {stiffness}
fix m2 all property/global poissonsRatio peratomtype 0.3 0.3
fix m3 all property/global coefficientRestitution peratomtypepair 2 {"0.06 " * 4}
fix m4 all property/global coefficientFriction peratomtypepair 2 {f"{FRICTION} " * 4}
fix m5 all property/global coefficientRollingFriction peratomtypepair 2 {2 * wall} {wall} {wall} {wall}
pair_style gran {contact}
pair_coeff * *
timestep {step}
fix move all nve/sphere
fix weight all gravity {GRAVITY} vector 0.0 0.0 -1.0
thermo 1000000
thermo_modify lost warn norm no
"""
        for k, place in enumerate(walls):
            text += f"fix wall{k} all wall/gran {contact} primitive type 2 {place}\n"
        return text
