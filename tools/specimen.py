"""The specimen of an element test: what tools/element.py reads of a trajectory.

A specimen is what walls or the sides of a periodic cell enclose. For every frame it has the lengths of its edges, its volume
and the stress on its faces:

    periodic cell    edges of the frame; stress of all contacts (observables cell_stress_..), compression positive
    walls            the nearest flat walls on both sides of the grains, whatever they are called: flat pieces of planes, plates,
                     discs and boxes whose normal lies along an axis. Stress: force of the grains over the present cross-section;
                     of two walls that of the one that moves (the piston), of both or none the mean
    tube             a cylinder along the axis: cross-section pi R^2; its normal stress needs output.contacts = true

Cells that are periodic along some axes take the others from walls."""
import re

import numpy as np

from plots import Trajectory, fail

AXES = "xyz"
SHEET, MANTLE, PIECE = 0, 1, 17  # rows of `outline` of a wall (output/README.md)
STRAIGHT = 0.9999
MOVES = 1e-9  # of the length of an edge

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\](){};:=,]|[^\s\[\](){};:=,"]+')


def settings(text):
    """A resolved scene (libconfig) as dictionaries, lists, numbers, texts and booleans."""
    words = TOKEN.findall(text)
    place = 0

    def value():
        nonlocal place
        word = words[place]
        place += 1
        if word == "{":
            made = {}
            while words[place] != "}":
                name, place = words[place], place + 2  # behind = or :
                made[name] = value()
                place += words[place] in ";,"
            place += 1
            return made
        if word in "([":
            rows = []
            while words[place] not in ")]":
                rows.append(value())
                place += words[place] == ","
            place += 1
            return rows
        if word.startswith('"'):
            return word[1:-1]
        return word == "true" if word in ("true", "false") else float(word.rstrip("L"))

    words += ["}"]
    words.insert(0, "{")
    return value()


class Wall:
    """A flat face of a boundary, or a mantle, in all frames."""

    def __init__(self, name, piece, shift, force):
        self.name, self.kind = name, int(piece[0])
        self.center, self.normal = piece[3:6] + shift, piece[6:9]  # frames x 3, 3
        self.half, self.radius, self.force = piece[12:14], piece[15], force


class Specimen:
    def __init__(self, path, axis="z", top=None, bottom=None):
        self.run = Trajectory(path)
        self.path, self.time, self.axis = path, self.run.time, AXES.index(axis)
        self.scene = settings(self.run.scene())
        self.file = self.run.file
        here = self.run.bodies("state")[:self.run.frames] == 1
        radius, mass = self.run.bodies("radius"), self.run.bodies("mass")
        self.solid = (here * (4 / 3 * np.pi * radius**3)).sum(axis=1)
        self.diameter, self.density = 2 * (here[-1] * radius).sum() / max(here[-1].sum(), 1), mass[0] / (4 / 3 * np.pi * radius[0]**3)
        self.bodies = here
        if not here[-1].any():
            fail(f"{path} holds no grains")
        self.middle = self.run.bodies("position")[self.run.frames - 1][here[-1]].mean(axis=0)
        self.length = np.full((self.run.frames, 3), np.nan)
        self.tensor = np.full((self.run.frames, 3, 3), np.nan)
        self.walls, self.faces, self.tube = [], {}, None
        self.sides = self._cell()
        if len(self.sides) < 3:
            self._walls(top, bottom)
        if self.file["particles/trajectory/position/step"][0] == 0:  # before the first step nothing is pressed
            self.tensor[0] = np.nan
        self.volume = self.length.prod(axis=1) if self.tube is None else self.length[:, self.axis] * np.pi * self.tube.radius**2
        self.void = self.volume / np.where(self.solid > 0, self.solid, np.nan) - 1  # runs may begin empty
        self.unconverged = self.run.observable("unconverged_steps")
        made = "made_steps" in self.file["observables"]  # files of older versions count steps of the scene alone, not their parts
        self.steps = self.run.observable("made_steps") if made else self.file["particles/trajectory/position/step"][:self.run.frames]

    def _cell(self):
        """Directions in which the specimen is periodic; takes lengths, and stresses if all three are."""
        box = self.file["particles/trajectory/box"]
        periodic = [k for k in range(3) if box.attrs["boundary"][k] == b"periodic"]
        if periodic:
            edges = box["edges/value"][:self.run.frames]
            for k in periodic:
                self.length[:, k] = edges[:, k, k]
        if len(periodic) == 3:
            for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
                part = self.run.observable(f"cell_stress_{AXES[i]}{AXES[j]}").astype(float)
                self.tensor[:, i, j] = self.tensor[:, j, i] = part
        return periodic

    def _walls(self, top, bottom):
        if "boundaries" not in self.file:
            fail(f"{self.path} holds no forces on walls; run the scene with output.boundaries = true")
        group, frames = self.file["boundaries"], self.run.frames
        names = [name.decode() for name in group["names"][:]]
        place, force = group["position/value"][:frames], group["force/value"][:frames]
        there, turn = group["state/value"][:frames], group["rotation/value"][:frames]
        for k, name in enumerate(names):
            rows = self.file[f"walls/{name}"].attrs.get("outline", []) if name in self.file["walls"] else []
            if not there[-1, k]:
                continue
            spec = next((b for b in self.scene.get("boundaries", []) if b.get("name") == name), {})
            start, belt = spec.get("start", {}), self._belt(name, spec.get("motion", {}))  # start: where another run left it
            shift = place[:, k] - place[0, k] + start.get("shift", np.zeros(3))
            for piece in np.reshape(rows, (-1, PIECE)):
                wall = Wall(name, piece, shift, force[:, k])
                wall.single = len(rows) == PIECE
                wall.turns = start.get("angle", 0.0) != 0 or np.abs(turn[:, k] - turn[0, k]).max() > 1e-12
                wall.belt = belt
                self.walls.append(wall)
        for name in (top, bottom):
            if name is not None and name not in names:
                fail(f'{self.path} has no wall "{name}"; it has {", ".join(names)}')
        mantles = [w for w in self.walls if w.kind == MANTLE and abs(w.normal[self.axis]) > STRAIGHT]
        if mantles:
            self.tube = min(mantles, key=lambda w: w.radius)
        for k in range(3):
            if k not in self.sides and (self.tube is None or k == self.axis):
                self._face(k, *(top, bottom) if k == self.axis else (None, None))
        self._stresses()

    def _belt(self, name, motion):
        """Way of the surface of a conveyor belt by the time of each frame: by the motion of the scene, and from where a stage gives
        another one by that, whose times count from the beginning of the stage."""
        way, since, given = np.zeros((len(self.time), 3)), -np.inf, 0.0
        for spec, begun in [*self.stages(), ({}, np.inf)]:
            start, stop = given + motion.get("start", 0.0), given + (motion.get("stop", 0.0) or np.inf)
            start, stop = max(start, since), min(stop, begun)
            if stop > start:
                way += np.outer(np.clip(self.time, start, stop) - start, motion.get("belt", [0.0, 0.0, 0.0]))
            changed = next((b for b in spec.get("boundaries", []) if b.get("name") == name and ("motion" in b or "servo" in b)), None)
            if changed is not None:
                motion, since, given = changed.get("motion", {}), begun, begun
        return way

    def _face(self, k, top, bottom):
        """The nearest walls below and above the grains along axis k."""
        found = []
        for side, name in ((-1, bottom), (1, top)):
            near = [w for w in self.walls if w.kind == SHEET and abs(w.normal[k]) > STRAIGHT
                    and side * (w.center[-1, k] - self.middle[k]) > 0 and name in (None, w.name)]
            if not near:
                fail(f"{self.path}: no flat wall {'above' if side > 0 else 'below'} the grains along {AXES[k]}"
                     + (f' is called "{name}"' if name else "") + f"; it has {', '.join(dict.fromkeys(w.name for w in self.walls))}"
                     " (--axis, --top, --bottom)")
            found.append(min(near, key=lambda w: abs(w.center[-1, k] - self.middle[k])))
            if found[-1].turns:
                fail(f"{self.path}: wall {found[-1].name} turns; a specimen has faces that keep their direction")
        self.faces[k] = found
        self.length[:, k] = found[1].center[:, k] - found[0].center[:, k]

    def pistons(self, k):
        """Of the two walls along axis k whose force is known those that move, or both."""
        known = [(w, side) for w, side in zip(self.faces[k], (-1, 1)) if w.single]
        moving = [(w, side) for w, side in known if np.ptp(w.center[:, k]) > MOVES * self.length[0, k]]
        return moving or known

    def area(self, k):
        if self.tube is not None:
            return np.pi * self.tube.radius**2
        return np.prod([self.length[:, i] for i in range(3) if i != k], axis=0)

    def _stresses(self):
        for k in self.faces:
            for i in range(3):
                parts = [side * w.force[:, i] / self.area(k) for w, side in self.pistons(k)]
                if parts:
                    self.tensor[:, i, k] = np.mean(parts, axis=0)
        if self.tube is not None and "contacts" in self.file:
            part = self.file[f"walls/{self.tube.name}"].attrs["parts"]
            for frame in range(1, self.run.frames):
                now = self.run.contacts(frame)
                on = np.isin(-1 - now["body"][:, 0], part) & (abs(now["normal"][:, self.axis]) < 0.5)
                stress = now["impulse"][on, 0].sum() / now["dt"] / (2 * np.pi * self.tube.radius * self.length[frame, self.axis])
                for k in range(3):
                    if k != self.axis:
                        self.tensor[frame, k, k] = stress

    def normal(self, k):
        return self.tensor[:, k, k]

    def lateral(self):
        """Mean normal stress across the axis, of the directions in which it is known."""
        rows = np.array([self.normal(k) for k in range(3) if k != self.axis])
        known = ~np.isnan(rows[:, 1:]).all(axis=1)
        return rows[known].mean(axis=0) if known.any() else np.full(self.run.frames, np.nan)

    def middle_stress(self):
        """Axial stress of both walls along the axis, where both are known: that half way between them."""
        faces = self.faces.get(self.axis, [])
        known = [side * w.force[:, self.axis] for w, side in zip(faces, (-1, 1)) if w.single]
        return np.mean(known, axis=0) / self.area(self.axis) if len(known) == 2 else self.normal(self.axis)

    def balance(self):
        """Stress on the wall below over that on the wall above, 1 where nothing is accelerated; nan where only one is known."""
        faces = self.faces.get(self.axis, [])
        if len(faces) < 2 or not all(w.single for w in faces):
            return np.full(self.run.frames, np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            return -faces[0].force[:, self.axis] / faces[1].force[:, self.axis]

    def shear(self, test):
        """Shear strain and shear stress on the faces across the axis, along the direction of the largest shear: arrays of
        frames. Both are positive in the direction in which the shear begins in `test`, the frames of that."""
        if len(self.sides) == 3:
            self.way, strain, stress = 0, self.cell_shear(), -self.tensor[:, 0, 2]  # grains hold the upper ones back
        else:
            below, above = self.faces[self.axis]
            way = above.center + above.belt - below.center - below.belt
            mid = (self.length[1:, self.axis] + self.length[:-1, self.axis]) / 2
            strains = np.vstack([np.zeros(3), np.cumsum(np.diff(way, axis=0) / mid[:, None], axis=0)])
            k = self.way = max((k for k in range(3) if k != self.axis), key=lambda k: np.ptp(strains[test, k]))
            strain, stress = strains[:, k], -self.tensor[:, k, self.axis]
        tested = strain[test] - strain[test[0]]
        if not np.ptp(tested) > 0:
            fail(f"{self.path}: nothing is sheared from {self.time[test[0]]:g} to {self.time[test[-1]]:g} s")
        begin = tested[np.argmax(abs(tested) > 0.02 * np.ptp(tested))]
        return np.sign(begin) * strain, np.sign(begin) * stress

    def cell_shear(self):
        """Shear strain of the cell, which stages may give other rates."""
        rate, begun, strain = self.scene.get("cell", {}).get("shear_rate", 0.0), self.time[0], self.time * 0.0
        for spec, start in [*self.stages(), ({}, self.time[-1])]:
            strain += rate * (np.clip(self.time, begun, start) - begun)
            rate, begun = spec.get("cell", {}).get("shear_rate", rate), start
        return strain

    def below(self):
        """Where the lower face across the axis is, by frames."""
        if self.axis in self.faces:
            return self.faces[self.axis][0].center[:, self.axis]
        return np.full(len(self.time), self.file["particles/trajectory/box"].attrs["origin"][self.axis])

    def stages(self):
        """The settings of each stage of the scene and the time at which it began; of those that began."""
        specs = self.scene.get("stages", [])
        if not specs:
            return []
        number = self.run.observable("stage").astype(int)  # a frame at the end of a stage is the last one of it
        before = [np.flatnonzero(number < k) for k in range(number[-1] + 1)]  # none: the run goes on from another one
        return [(specs[k], self.time[b[-1] if len(b) else 0]) for k, b in enumerate(before)]

    def loading(self):
        """When the scene goes over from stresses to motions: with the latest stage that strains the cell or moves a boundary, if
        there is one, else the time of the latest stop of a servo, or 0."""
        for spec, begun in reversed(self.stages()):
            rates = spec.get("cell", {})
            if any(np.any(rates.get(name, 0.0)) for name in ("strain_rate", "shear_rate")) or any("motion" in b for b in spec.get("boundaries", [])):
                return begun
        stops = [b["servo"]["stop"] for b in self.scene.get("boundaries", []) if "servo" in b and "stop" in b["servo"]]
        return max([t for t in stops if t < self.time[-1]], default=self.time[0])

    def says(self):
        """What the specimen is made of."""
        along = [f"{AXES[k]}: {w[0].name} to {w[1].name}" for k, w in sorted(self.faces.items())]
        along += [f"{AXES[k]}: periodic" for k in self.sides]
        return ", ".join(along + ([f"tube: {self.tube.name}"] if self.tube else []))
