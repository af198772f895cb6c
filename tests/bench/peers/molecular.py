"""LAMMPS and LIGGGHTS: explicit codes of one family, with one input language.

The bound of the rolling moment is in both a coefficient times R_eff F_n, with R_eff = R/2 between
two spheres and R at a wall.
"""
import shutil

import numpy as np

from programs import Answer, call, debian_version
from tasks import DENSITY, DIAMETER, FRICTION, GRAVITY, RADIUS

MASS = DENSITY * np.pi / 6 * DIAMETER ** 3  # of d = 2 cm

# Box faces that follow the spheres (m): cells for neighbors cost where there is nothing, too.
REGION = "region all block -0.1 0.1 -0.1 0.1 -0.01 0.3 units box\ncreate_box {types} all\n"

DUMP = "dump 1 all custom {every} frames id x y z\ndump_modify 1 sort id format {format}\n"
FORCE = "write_dump all custom end id fz modify sort id\n"


def downwards(task):
    return " ".join(f"{g / GRAVITY:.12g}" for g in task.gravity)


class MolecularDynamics:
    """What both have in common. Stiffness and time step (s) of piles (`pour`), beds and flows (`bed`),
    64,000 that fall together (`deep`) and radii 1:4 (`mixed`): so stiff that overlaps stay below 1 % of d."""

    def __init__(self):
        self.command = shutil.which(self.binary)

    def version(self):
        return self.command and debian_version(self.name)

    def write_bed(self, path, task, start):
        largest = start.radius.max()
        lower, upper = start.x.min(axis=0) - largest, start.x.max(axis=0) + 5 * largest
        for k, axis in enumerate("xy"):
            if axis in task.walls:
                lower[k], upper[k] = np.array(task.walls[axis]) + [-largest, largest]
        lower[2] = -largest
        with open(path, "w") as file:
            file.write(f"start\n\n{len(start.x)} atoms\n{self.types} atom types\n\n")
            for k, axis in enumerate("xyz"):
                file.write(f"{lower[k]:.12g} {upper[k]:.12g} {axis}lo {axis}hi\n")
            file.write("\nAtoms\n\n")
            for i, (x, y, z) in enumerate(start.x):
                file.write(f"{i + 1} 1 {2 * start.radius[i]:.12g} {DENSITY} {x:.12g} {y:.12g} {z:.12g}\n")
            file.write("\nVelocities\n\n")
            for i, row in enumerate(np.hstack([start.v, start.w])):
                file.write(f"{i + 1} " + " ".join(f"{value:.12g}" for value in row) + "\n")

    def pouring(self, start, steps, step):
        """A run up to each release, which creates a sphere."""
        text, now = "", 0
        for i, (x, y, z) in enumerate(start.x):
            due = round(start.time[i] / step)
            if due >= steps:
                break
            if due > now:
                text += f"run {due - now}{self.briefly}\n"
            text += (f"create_atoms 1 single {x:.12g} {y:.12g} {z:.12g} units box\n"
                     f"set atom {i + 1} diameter {DIAMETER} density {DENSITY}\n")
            now = due
        return text + f"run {steps - now}\n"

    @staticmethod
    def kind(task):
        if task.state == "pour":
            return "pour"
        if len(set(task.radii)) > 1:
            return "mixed"
        return "deep" if task.state == "fall" and task.count > 50000 else "bed"

    def run(self, task, start, seconds, frames, folder, limit):
        stiffness, step = getattr(self, self.kind(task))
        steps = max(1, round(seconds / step))
        every = max(1, steps // frames)
        steps -= steps % every
        walls = ["zplane 0"] + [f"{axis}plane {at:.12g}" for axis, ends in task.walls.items() for at in ends]
        write = DUMP.format(every=every, format=self.format)
        unseen = task.state == "rest" and seconds > 0
        if task.state == "pour":
            place, history = REGION.format(types=self.types), write + self.pouring(start, steps, step)
        else:
            self.write_bed(folder / "start.data", task, start)
            loading = f"run {steps}\nreset_timestep 0\n" if unseen else ""
            place, history = "read_data start.data\n", f"{loading}{write}run {steps}\n"
        (folder / "in").write_text(self.head + place + self.law(task, stiffness, step, walls) + history
                                   + FORCE)

        _, cpu = call([self.command, "-in", "in", "-log", "none"], folder, limit)
        force = np.loadtxt(folder / "end", skiprows=9, ndmin=2)[:, 1].sum()  # with gravity
        weight = -task.gravity[2] * start.mass.sum()
        return Answer(cpu, steps * step * (2 if unseen else 1), step, self.model.format(stiffness),
                      read_dump(folder / "frames", len(start.x)), abs(force) / weight)


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
    walls is converted again at each run command. It has to do for unequal spheres (half of critical).
    Rolling friction is a spring with a slider."""

    name, binary, types = "lammps", "lmp", 1
    pour, bed, deep, mixed = (2e5, 1.6e-5), (1e5, 2e-5), (1e5, 2e-5), (1e5, 7e-6)
    model = "Hooke, k = {:.2g} N/m"
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
        equal = len(set(task.radii)) == 1

        def contact(mass, rolling):
            damping = 0.9 * 2 * (mass * stiffness) ** 0.5
            normal = f"{damping:.4g} damping velocity" if equal else "0.05 damping tsuji"
            resists = f" rolling sds {tangential:.6g} 2.0 {rolling:g}" if rolling else ""
            return (f"hooke {stiffness} {normal} "
                    f"tangential linear_history {tangential:.6g} 1.0 {FRICTION}{resists}")
        text = f"""
neighbor {0.2 * task.radii[0]} bin
neigh_modify delay 0 every 1 check yes
pair_style granular
pair_coeff * * {contact(MASS / 2, 2 * task.rolling / RADIUS)}
timestep {step}
fix move all nve/sphere
fix weight all gravity {GRAVITY} vector {downwards(task)}
thermo 1000000
thermo_modify lost warn
"""
        for k, wall in enumerate(walls):
            plane, at = wall.split()
            sides = f"{at} NULL" if float(at) == 0 else f"NULL {at}"
            text += (f"fix wall{k} all wall/gran granular {contact(MASS, task.rolling / RADIUS)} "
                     f"{plane} {sides}\n")
        return text


class Liggghts(MolecularDynamics):
    """Hertz springs, the least restitution that it takes (0.06), rolling friction epsd2. Type 2
    stands for the walls."""

    name, binary, types = "liggghts", "liggghts", 2
    pour, bed, deep, mixed = (3e8, 2e-5), (1e8, 4e-5), (1.5e8, 3.2e-5), (1e8, 1.7e-5)
    model = "Hertz, E = {:.2g} Pa"
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
        contact = "model hertz tangential history" + " rolling_friction epsd2" * (wall > 0)
        text = f"""
neighbor {0.2 * task.radii[0]} bin
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
fix weight all gravity {GRAVITY} vector {downwards(task)}
thermo 1000000
thermo_modify lost warn norm no
"""
        for k, place in enumerate(walls):
            text += f"fix wall{k} all wall/gran {contact} primitive type 2 {place}\n"
        return text
