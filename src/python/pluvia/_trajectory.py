"""Trajectories (H5MD) by h5py, and the commands that make and measure them."""
from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import checked, needed
from ._fields import Fields, of_frames
from ._library import KINDS, FileError, InputError, PluviaError, UsageError, call, ffi, in_python, lib
from ._record import hdf5
from ._scene import assigned

BY_FRAME = ("offset", "step", "time", "dt")
# What `pluvia measure` calls the change per second of the sums of sensors; "": none.
SENSOR_SUMS = {"mass": "mass_rate", "grains": "grain_rate", "mass_time": "mean_mass", "grain_time": "mean_grains", "first": "",
               **{f"angular_impulse_{axis}": f"moment_{axis}" for axis in "xyz"}, **{f"impulse_{axis}": f"force_{axis}" for axis in "xyz"}}
AXES = {3: "xyz", 4: "wxyz", 9: ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz")}


def _table(columns: dict[str, Any]) -> Any:
    """As a pandas frame; as it is without pandas."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def _add(columns: dict[str, Any], name: str, value: Any) -> None:
    """The columns of an array of numbers, vectors, quaternions or tensors, a row each."""
    if value.ndim == 1:
        columns[name] = value
        return
    for k, part in enumerate(AXES[value.shape[1]]):
        columns[f"{name}_{part}"] = value[:, k]


class Trajectory:
    """A .h5md file; output/README.md of pluvia says what is in it. F frames, N bodies.

    Datasets are those of h5py: they are read when they are indexed.
    """

    @checked
    def __init__(self, path: str | os.PathLike[str]) -> None:
        h5py = needed("h5py")
        self.path = pathlib.Path(path)
        if not self.path.exists():
            raise FileError(f"{path}: no such file")
        if self.path.is_dir():
            raise InputError(f"{path} is a directory, not a trajectory of pluvia")
        if self.path.is_file() and not h5py.is_hdf5(path):
            raise InputError(f"{path} is not a trajectory of pluvia, because it is not an HDF5 file")
        try:
            self.file = h5py.File(path, "r")
            self._bodies = self.file["particles/trajectory"]
            self.time = self._bodies["position/time"][:]
        except OSError as problem:
            if "lock file" in str(problem):
                raise FileError(f"{path} is being written; close() the Simulation that does, or wait until its run ends") from None
            raise FileError(f"{path}: {problem}") from None
        except KeyError:
            raise InputError(f"{path} is not a trajectory of pluvia") from None

    def __len__(self) -> int:
        return len(self.time)

    @checked
    def frame(self, frame: int, stage: str | int | None = None) -> int:
        """The number of a frame from 0; negative ones count from the end, as -1: the last one. Of a stage: among its frames."""
        if stage is not None:
            chosen = self._frames_of(stage)
            try:
                return chosen[frame]
            except IndexError:
                raise UsageError(f'stage "{stage}" has {len(chosen)} frames; there is no frame {frame!r}') from None
        try:
            return range(len(self))[frame]
        except IndexError:
            raise UsageError(f"{self.path} has {len(self)} frames, 0 to {len(self) - 1} (-1: the last one); "
                             f"there is no frame {frame!r}") from None

    def __repr__(self) -> str:
        return f"<Trajectory {self.path}: {len(self)} frames" + (f", 0 to {self.time[-1]:g} s>" if len(self) else ">")

    def __dir__(self) -> list[str]:
        """For completion also what the file has of the bodies."""
        return [*super().__dir__(), *(self._bodies if self.file else ())]

    def _opened(self) -> None:
        if not self.file:
            raise UsageError(f"{self.path} is closed; Trajectory({str(self.path)!r}) opens it again")

    def __enter__(self) -> Trajectory:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.file.close()

    def __getattr__(self, name: str) -> Any:
        """position, velocity [F, N, 3], radius [N], state [F, N], ...: what `pluvia info` lists of the bodies."""
        if name.startswith("_") or name in ("file", "path", "time"):  # what __init__ has not come to
            raise AttributeError(name)
        self._opened()
        if name not in self._bodies:
            raise AttributeError(f"{self.path} contains no {name} (it has {', '.join(sorted(self._bodies))})")
        item = self._bodies[name]
        return item["value"] if hasattr(item, "keys") else item

    @property
    def observables(self) -> Any:
        """What the file holds by frame, as a pandas frame over time (s); a dictionary of arrays without pandas."""
        self._opened()
        columns = {"time": self.time}
        for name, item in self.file.get("observables", {}).items():
            value = item["value"][:len(self.time)]
            if value.ndim == 1:
                columns[name] = value
        table = _table(columns)
        return table if table is columns else table.set_index("time")

    @checked
    def bodies(self, frame: int = -1) -> Any:
        """The bodies of a frame (-1: the last one), a row each: position_x, position_y, position_z, radius, state and what else the
        file holds of them, as a pandas frame; a dictionary of arrays without pandas."""
        self._opened()
        columns, frame = {}, self.frame(frame)
        for name, item in self._bodies.items():
            if name in ("box", "image"):
                continue
            value = item["value"][frame] if hasattr(item, "keys") else item[:]
            _add(columns, name, value)
        return _table(columns)

    @checked
    def grains(self, frame: int = -1) -> Any:
        """Numbers that contacts give each body of a frame (-1: the last one), a row each: force_x, ..., torque_x, ..., stress_xx, ...
        (Pa, mean in the sphere, compression positive), dissipation (W), coordination, as a pandas frame; a dictionary of arrays without
        pandas. What the file holds of them (output.quantities), and otherwise by its contacts (output.contacts)."""
        self._opened()
        frames, data, room = ffi.new("plu_frames **"), ffi.new("plu_frame_data *"), ffi.new("plu_grain_columns *")
        frame, columns = self.frame(frame), {}
        call(lib.plu_frames_open, frames, os.fsencode(self.path))
        try:
            call(lib.plu_frames_read, frames[0], frame, data)
            call(lib.plu_grains_complete, room, data)
            for name, width in ("force", 3), ("torque", 3), ("stress", 9), ("dissipation", 1), ("coordination", 1):
                rows = getattr(data, name)
                if rows == ffi.NULL:
                    continue
                kind = np.intc if name == "coordination" else np.float64
                size = data.bodies * width * np.dtype(kind).itemsize
                values = np.frombuffer(ffi.buffer(rows, size), kind).copy() if size else np.zeros(0, kind)
                _add(columns, name, values if width == 1 else values.reshape(-1, width))
        finally:
            lib.plu_grain_columns_free(room)
            lib.plu_frames_close(frames[0])
        if not columns:
            raise InputError(f"{self.path} contains no contacts; run the scene with output.contacts = true")
        return _table(columns)

    @checked
    def network(self, frame: int = -1, *, stage: str | int | None = None) -> Any:
        """The contact force network of a frame (-1: the last one), of all or of those of a stage by its name or number, a row for each contact that bears a force: bodies a and b, a -1 for a
        boundary and its name in `boundary`, normal_force (negative: it attracts), tangential_force, force_x, ... and moment_x, ... on b,
        point_x, ..., normal_x, ... from a to b, gap, mode (1 sticks, 2 slides, 3 rolls, 4 both), as a pandas frame; a dictionary of
        arrays without pandas. Needs output.contacts = true in the scene."""
        frame = self.frame(frame, stage)
        rows, step = self.contacts(frame), self.file["contacts/dt"][frame]
        impulse, moment, normal, tangent = rows["impulse"], rows["moment_impulse"], rows["normal"], rows["tangent"]
        used = (impulse != 0).any(axis=1) | (moment != 0).any(axis=1)
        basis = np.stack([normal, tangent, np.cross(normal, tangent)], axis=1)
        a, b = rows["body"].T
        columns: dict[str, Any] = {"a": np.where(a < 0, -1, a)[used], "b": b[used], "boundary": self._boundaries()(a[used]),
                                   "mode": rows["status"][used], "normal_force": impulse[used, 0] / step,
                                   "tangential_force": np.linalg.norm(impulse[used, 1:], axis=1) / step}
        for name, value in {"force": (impulse[:, None] @ basis)[:, 0] / step, "moment": (moment[:, None] @ basis)[:, 0] / step,
                            "point": rows["point"], "normal": normal, "gap": rows["gap"]}.items():
            _add(columns, name, value[used])
        return _table(columns)

    def _boundaries(self) -> Any:
        """Names of boundaries by the numbers that contacts have for their parts, "" for bodies."""
        parts, names = [], []
        for name, wall in self.file.get("walls", {}).items():
            first = wall.attrs["first_part"] if "first_part" in wall.attrs else min(wall.attrs.get("parts", [-1]))
            if first >= 0:
                parts.append(int(first))
                names.append(name)
        order = np.argsort(parts)
        starts, known = np.array(parts, dtype=int)[order], np.array(names + [""], dtype=object)

        def find(a: Any) -> Any:
            at = np.searchsorted(starts, -1 - a, side="right") - 1
            return np.where(a < 0, known[np.append(order, len(names)).astype(int)[at]], "")
        return find

    @checked
    def contacts(self, frame: int = -1) -> dict[str, Any]:
        """Columns of the contacts of a frame (-1: the last one); needs output.contacts = true in the scene."""
        self._opened()
        if "contacts" not in self.file:
            raise InputError(f"{self.path} contains no contacts; run the scene with output.contacts = true")
        group = self.file["contacts"]
        frame = self.frame(frame)
        rows = slice(*group["offset"][frame:frame + 2])
        return {name: item[rows] for name, item in group.items() if name not in BY_FRAME}

    @property
    def materials(self) -> list[str]:
        """Names, in the order of `species`."""
        self._opened()
        return [name.decode() for name in self.file["parameters/pluvia/materials"][:]]

    @property
    def stages(self) -> list[dict[str, Any]]:
        """Of the run: name, begun, ended (s), first and last frame of each; -1 and None where it did not come to it."""
        return json.loads(command("info", str(self.path), "--json")).get("stages", [])

    @checked
    def sensors(self, *, rates: bool = False) -> Any:
        """What the sensors of the scene have summed up (include/pluvia/sensor.h), columns as out_mass (kg), over time (s), as a pandas
        frame; a dictionary of arrays without pandas. rates: means between each frame and the one before instead, with the names of
        `pluvia measure`: out_mass_rate (kg/s), out_grain_rate (1/s), of a box hopper_mean_mass (kg), hopper_mean_grains, of a boundary
        lid_force_x (N), lid_moment_x (N m)."""
        self._opened()
        found = {name[len("sensor_"):]: item["value"][:len(self.time)] for name, item in self.file.get("observables", {}).items()
                 if name.startswith("sensor_")}
        if not found:
            raise InputError(f"{self.path} contains no sensors; give the scene some: sensors = ( {{ name = \"out\"; plane: {{ ... }}; }} )")
        time = self.time
        if rates:
            found = {_rate_name(name, found): np.diff(value) / np.diff(time) for name, value in found.items()}
            found.pop("", None)
            time = time[1:]
        table = _table({"time": time, **found})
        return table if isinstance(table, dict) else table.set_index("time")

    @checked
    def fields(self, along: str = "z", *, at: float | None = None, start: float | None = None, end: float | None = None,
               width: float | None = None, spacing: float | None = None, region: ArrayLike | None = None,
               material: str | None = None, stage: str | int | None = None) -> Fields:
        """Continuous fields by coarse graining, as `pluvia fields` has them: along "x", "y", "z", "xy", ..., "xyz", means over the other
        directions, at the frame nearest to `at` (s; None: the last) or as means over those from `start` to `end` or of a stage (`start` and
        `end` then count from its beginning). width (m): a grain
        is spread over twice that (None: the largest diameter); spacing of the nodes (m; None: half the width); region: corners
        of a box [2, 3] (m; None: the periodic cell, or the box around the spheres); material: only spheres of it."""
        self._opened()
        if at is not None and (start is not None or end is not None or stage is not None):
            raise UsageError("fields: at excludes stage, start and end")
        stages = self._frames_of(stage, start, end) if stage is not None else None

        def choose(times: np.ndarray) -> list[int]:
            if stages is not None:
                return stages
            if start is None and end is None:
                return [nearest(times, times[-1] if at is None else at)]
            low, high = -np.inf if start is None else start, np.inf if end is None else end
            chosen = np.flatnonzero((times >= low) & (times <= high))
            if len(chosen) == 0:
                raise UsageError(f"fields: no frame is between start and end; they are from {times[0]:g} to {times[-1]:g} s")
            return [int(k) for k in chosen]
        with hdf5():
            return of_frames(str(self.path), choose, self.materials, along, width, spacing, region, material)

    def _frames_of(self, stage: str | int, start: float | None = None, end: float | None = None) -> list[int]:
        """Of a stage, by its name or number from 0; only those from `start` to `end`, which count from its beginning."""
        known = self.stages
        found = [s for k, s in enumerate(known) if stage in (k, s["name"])]
        if not found:
            raise UsageError(f'the run has no stage "{stage}"; it has {", ".join(s["name"] for s in known) or "none"}')
        if found[0]["first"] < 0:
            raise UsageError(f'the run did not come to stage "{found[0]["name"]}"')
        begun, blur = found[0]["begun"], 1e-9
        chosen = [k for k in range(found[0]["first"], found[0]["last"] + 1)
                  if (start is None or self.time[k] - begun >= start - blur) and (end is None or self.time[k] - begun <= end + blur)]
        if not chosen:
            raise UsageError(f'no frame of stage "{found[0]["name"]}" is between start and end; it lasted {found[0]["ended"] - begun:g} s')
        return chosen

    @checked
    def graph(self, frame: int = -1, *, stage: str | int | None = None) -> Any:
        """The contacts of a frame (-1: the last one), of all or of those of a stage by its name or number, that bear a force as a networkx Graph; needs output.contacts = true in the scene. Nodes:
        numbers of bodies, with position (m) and radius (m), and names of boundaries; edges: force (N, normal, the sum where two have
        several contacts), contacts (how many). The same as a table: network()."""
        networkx = needed("networkx")
        frame = self.frame(frame, stage)
        found = self.contacts(frame)
        dt, names = float(self.file["contacts/dt"][frame]), self._boundaries()(found["body"][:, 0]).tolist()
        state, position, radius = self.state[frame], self.position[frame], self.radius[:]
        graph = networkx.Graph()
        for k in np.flatnonzero(state == 1):
            graph.add_node(int(k), position=position[k], radius=float(radius[k]))
        for (a, b), name, impulse in zip(found["body"].tolist(), names, found["impulse"][:, 0].tolist()):
            if not impulse > 0.0:
                continue
            side = a if a >= 0 else name or f"part {-1 - a}"
            before = graph.get_edge_data(side, b, {"force": 0.0, "contacts": 0})
            graph.add_edge(side, b, force=before["force"] + impulse / dt, contacts=before["contacts"] + 1)
        return graph

    @checked
    def measure(self, at: float | None = None) -> dict[str, Any]:
        """Numbers of a frame (the one nearest to `at` s; None: the last): pile, packing, energy, solver, contacts, stress."""
        words = ["measure", str(self.path), "--json"] + ([] if at is None else ["--at", repr(at)])
        return json.loads(command(*words))["frame"]


def _rate_name(name: str, names: Any) -> str:
    """What `pluvia measure` calls the change per second of a sum of a sensor; "": it has no such number."""
    sensor, part = next((name[:-len(end) - 1], end) for end in SENSOR_SUMS if name.endswith(f"_{end}"))
    if part in ("mass", "grains") and f"{sensor}_mass_time" in names:  # what is in a box
        return ""
    return f"{sensor}_{SENSOR_SUMS[part]}" if SENSOR_SUMS[part] else ""


def nearest(times: np.ndarray, at: float) -> int:
    """The frame nearest to `at`, which lies among them, or beyond the last by at most half the distance of frames there."""
    reach = [abs(times[i] - times[j]) / 2 * (1 + 1e-9) if len(times) > 1 else 1e-9 * abs(times[0]) for i, j in ((0, 1 % len(times)), (-1, -2 % len(times)))]
    if not times[0] - reach[0] <= at <= times[-1] + reach[1]:
        raise UsageError(f"no frame is near {at:g} s; they are from {times[0]:g} to {times[-1]:g} s")
    return int(np.argmin(np.abs(times - at)))


def executable() -> str:
    """The command pluvia: PLUVIA_COMMAND, that of the same build folder, or that of PATH."""
    built = pathlib.Path(__file__).parents[2] / "cli/pluvia"
    found = os.environ.get("PLUVIA_COMMAND") or (str(built) if built.is_file() else shutil.which("pluvia"))
    if not found:
        raise FileError("the command pluvia is not found: add it to PATH, or name it in PLUVIA_COMMAND")
    return found


def command(*words: object, progress: bool = False) -> str:
    """What `pluvia WORDS` prints; what goes wrong is an exception with its sentence."""
    messages = b""
    with tempfile.TemporaryFile() as out:
        with subprocess.Popen([executable(), *map(str, words)], stdout=out, stderr=subprocess.PIPE) as done:
            assert done.stderr is not None
            errors = done.stderr.fileno()
            while chunk := os.read(errors, 4096):
                messages += chunk
                if progress:
                    print(chunk.decode("utf-8", "replace"), end="", file=sys.stderr, flush=True)
        out.seek(0)
        printed = out.read().decode()
    if done.returncode not in (0, 1):
        sentence = re.sub("^pluvia: ", "", messages.decode("utf-8", "replace").strip(), flags=re.MULTILINE)
        raise KINDS.get(done.returncode, PluviaError)(sentence)
    return printed


# Options of the command that messages of a run name, as arguments of `run`.
ARGUMENTS = {"--restart auto": "restart=True", "--force": "force=True", "-o": "another output", "option --output": "output",
             "--output": "output", "--threads": "threads"}


def as_arguments(sentence: str) -> str:
    for option, argument in ARGUMENTS.items():
        sentence = re.sub(rf"(?<![\w-]){option}(?![\w-])", argument, sentence)
    return in_python(sentence).replace("another output to write elsewhere", "another output")


@checked
def run(scene: str | os.PathLike[str], output: str | os.PathLike[str] | None = None, *, changes: Mapping[str, Any] | None = None,
        progress: bool | None = None, force: bool = False, restart: bool = False, threads: int | None = None) -> Trajectory:
    """Runs a scene file into a trajectory, with checkpoints, as `pluvia run` does. `changes`: keys and values that replace those of
    the scene. `progress`: its messages; None: in a terminal only. A trajectory that exists is kept unless `force` (start again)
    or `restart` (continue its run, or start where there is none). `threads`: None: all processors."""
    if threads is not None and threads < 1:
        raise UsageError(f"run: threads is {threads!r}; it must be a whole number, at least 1, or None for all processors")
    needed("h5py")  # before the run, not after it
    words: list[object] = ["run", scene, *(f"-s{text}" for text in assigned(changes or {}))]
    words += ["-o", output] if output else []
    words += ["--force"] if force else []
    words += ["--restart", "auto"] if restart else []
    words += ["-j", threads] if threads else []
    shown = sys.stderr.isatty() if progress is None else progress
    try:
        command(*words, *([] if shown else ["-q"]), progress=shown)
    except PluviaError as problem:
        raise type(problem)(as_arguments(str(problem))) from None
    if output is None:
        output = pathlib.Path("output") / (pathlib.Path(scene).stem + ".h5md")
    return Trajectory(output)


@checked
def measure(path: str | os.PathLike[str], at: float | None = None) -> dict[str, Any]:
    """Trajectory.measure of a file."""
    with Trajectory(path) as trajectory:
        return trajectory.measure(at)
