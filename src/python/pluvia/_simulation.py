"""A run of a scene, step by step."""
from __future__ import annotations

import dataclasses
import os
import sys
import time
from typing import Any, Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._arguments import checked
from ._library import UsageError, call, ffi, fields, lib, text
from ._problem import Problem
from ._scene import Scene
from ._solvers import Solver, Solvers
from ._turns import Turn, in_turn


@dataclasses.dataclass(frozen=True)
class Step:
    """What a step came to: `info` of the library (include/pluvia/step.h), SI."""
    contacts: int
    wall_contacts: int
    pairs: int
    islands: int
    colors: int
    iterations: int
    updates: int
    residual_scaled: float
    residual_natural: float
    velocity_error: float
    sinking_speed: float
    converged: bool
    tolerance: float
    missed: float
    penetration: float
    penetration_ratio: float
    yielding: int
    yield_depth: float
    errors: dict[str, float]


class _Memory:  # pylint: disable=too-few-public-methods
    """Memory of the library for numpy, which keeps this object as the base of its array, and with it what owns the memory: an
    array may outlive the Simulation that it was taken from."""

    def __init__(self, pointer: Any, shape: tuple[int, ...], dtype: np.dtype[Any], owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str,
                                    "data": (int(ffi.cast("uintptr_t", pointer)), True)}


def view(pointer: Any, shape: tuple[int, ...], dtype: DTypeLike, owner: Any) -> np.ndarray:
    """Memory of the library, which `owner` keeps, as an array that cannot be written."""
    kind = np.dtype(dtype)
    return np.empty(shape, kind) if 0 in shape else np.asarray(_Memory(pointer, shape, kind, owner))


def _fixed(values: Any) -> np.ndarray:
    """A copy that cannot be written, so that nobody takes an entry of it for one of the simulation."""
    array = np.array(list(values))
    array.flags.writeable = False
    return array


class Bodies:
    """All bodies of a run, N of them, as they are now: arrays on the memory of the library, without a copy. They change with
    every step; copy what is to be kept."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __len__(self) -> int:
        return self._view().count

    def _view(self) -> Any:
        return lib.plu_world_bodies(self._simulation._world)

    def _array(self, name: str, columns: int, dtype: DTypeLike = float) -> np.ndarray:
        v = self._view()
        return view(getattr(v, name), (v.count, columns), dtype, self._simulation._world)

    @property
    def position(self) -> np.ndarray:
        """[N, 3], m."""
        return self._array("position", 4)[:, :3]

    @property
    def radius(self) -> np.ndarray:
        """[N], m."""
        return self._array("position", 4)[:, 3]

    @property
    def velocity(self) -> np.ndarray:
        """[N, 3], m/s."""
        return self._array("velocity", 8)[:, :3]

    @property
    def angular_velocity(self) -> np.ndarray:
        """[N, 3], rad/s, world frame."""
        return self._array("velocity", 8)[:, 3:6]

    @property
    def mass(self) -> np.ndarray:
        """[N], kg (a new array)."""
        return 1.0 / self._array("velocity", 8)[:, 6]

    @property
    def orientation(self) -> np.ndarray:
        """[N, 4], unit quaternions, scalar first."""
        return self._array("orientation", 4)

    @property
    def material(self) -> np.ndarray:
        """[N], indices into Scene.materials."""
        return self._array("species", 1, np.intc)[:, 0]

    @property
    def active(self) -> np.ndarray:
        """[N], bool: not waiting to be released, not removed (a new array)."""
        state = self._array("state", 1, np.uint8)[:, 0]
        return (state != lib.PLU_WAITING) & (state != lib.PLU_REMOVED)

    @property
    @in_turn
    def fixed(self) -> np.ndarray:
        """[N], bool: does not move, or only as the scene says (a new array)."""
        world = self._simulation._world
        return np.array([lib.plu_world_is_fixed(world, b) for b in range(len(self))], dtype=bool)

    @property
    @in_turn
    def force(self) -> np.ndarray:
        """[N, 3], N: of contacts, in the last step (a new array)."""
        out = np.zeros((len(self), 3))
        lib.plu_stepper_forces(self._simulation._stepper, ffi.cast("double (*)[3]", ffi.from_buffer(out)))
        return out

    @checked
    @in_turn
    def set_velocity(self, body: int, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None) -> None:
        """Sets them (m/s, rad/s) for one active body; None: as it is."""
        call(lib.plu_stepper_set_velocity, self._simulation._stepper, body, _three("set_velocity: velocity", velocity), _three("set_velocity: angular_velocity", angular_velocity))

    @checked
    @in_turn
    def set_load(self, body: int, force: ArrayLike | None = None, moment: ArrayLike | None = None) -> None:
        """The force (N) and the moment (N m) that act on a body in every step from now on; None: none."""
        call(lib.plu_stepper_set_load, self._simulation._stepper, body, _three("set_load: force", force), _three("set_load: moment", moment))


def _three(where: str, values: ArrayLike | None) -> Any:
    if values is None:
        return ffi.NULL
    array = np.asarray(values, float)
    if array.shape != (3,):
        raise UsageError(f"{where} is {array.tolist()}; it must be three numbers [x, y, z]")
    return ffi.new("double[3]", array.tolist())


CONTACT = np.dtype([("a", "i4"), ("part", "i4"), ("b", "i4"), ("point", "f8", 3), ("normal", "f8", 3), ("gap", "f8"),
                    ("normal_impulse", "f8"), ("tangential_impulse", "f8", 3), ("moment_impulse", "f8", 3),
                    ("velocity", "f8", 3), ("mode", "u1")])


class Simulation:
    """A run of a scene, step by step, in memory. (`pluvia.run` writes a trajectory, with checkpoints.)

    before, after: functions of the simulation that are called before and after each step; what they raise ends the step. One call
    at a time: a second thread, and a step within a step, get a UsageError. solvers: names and functions of
    solvers of one's own (see Problem.solve), which the scene names in `solver.name`.

    >>> simulation = Simulation(Scene(text='''
    ...     time: { step = 1e-3; end = 0.5; };  gravity = [0, 0, -10.0];
    ...     materials = ( { name = "glass"; density = 2500.0; } );
    ...     contacts = ( { between = ["glass", "glass"]; friction = 0.5; } );
    ...     boundaries = ( { plane: {}; material = "glass"; } );
    ...     bodies = ( { position = [0, 0, 0.1]; radius = 0.1; velocity = [1, 0, 0]; material = "glass"; } );
    ... '''))
    >>> info = simulation.step(500)
    >>> simulation.bodies.velocity[0].round(6) + 0.0          # 5/7 of the speed, once it rolls
    array([0.714286, 0.      , 0.      ])
    """

    @checked
    def __init__(self, scene: Scene | str | os.PathLike[str], *, before: Callable[[Simulation], Any] | None = None,
                 after: Callable[[Simulation], Any] | None = None, solvers: Mapping[str, Solver] | None = None) -> None:
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        if self.scene._c.stages_count > 0:
            raise UsageError("Simulation: the scene has stages, which only pluvia.run goes through; remove `stages` to step through it")
        self._extensions = Solvers(solvers or {})
        self._turn = Turn("Simulation")
        self._log = ffi.new("plu_log *")
        self.messages: list[str] = []
        self._keeps = False
        self._write = ffi.callback("void(void *, plu_log_level, const char *)",
                                   lambda _, level, line: self.messages.append(text(line)), onerror=self._extensions.raised.failed)
        self._log.write = self._write
        world, stepper = ffi.new("plu_world **"), ffi.new("plu_stepper **")
        start = ffi.new("plu_start *")
        try:  # the spheres of other runs that the scene starts from
            call(lib.plu_start_read, start, self.scene._c)
            call(lib.plu_world_create_from, world, self.scene._c, start)
            self._world = ffi.gc(world[0], lib.plu_world_destroy)
            call(lib.plu_stepper_create_with, stepper, self._world, self.scene._c, self._extensions.c, self._log)
            self._stepper = ffi.gc(stepper[0], lib.plu_stepper_destroy)
            if any(start.entry[k].read for k in range(start.entries)):
                call(lib.plu_stepper_start, self._stepper, start)
        finally:
            lib.plu_start_free(start)
        self.bodies = Bodies(self)
        if before is not None or after is not None:
            self._call_before = self._call(before)
            self._call_after = self._call(after)
            lib.plu_stepper_set_calls(self._stepper, self._call_before, self._call_after, ffi.NULL)

    def _call(self, given: Callable[[Simulation], Any] | None) -> Any:
        if given is None:
            return ffi.NULL
        function = given

        def called(*_: Any) -> None:
            with self._turn.guests():
                function(self)
        return self._extensions.raised.callback("plu_step_call", called)

    def __repr__(self) -> str:
        return f"<Simulation of {len(self.bodies)} bodies at {self.time:g} of {self.scene.end:g} s>"

    @property
    def time(self) -> float:
        """s."""
        return lib.plu_world_time(self._world)

    @property
    def steps(self) -> int:
        return lib.plu_world_steps(self._world)

    @checked
    def step(self, count: int = 1) -> Step:
        """Takes `count` steps of length scene.step; what the last one came to. Raises what `before` and `after` raise."""
        if count < 1:
            raise UsageError(f"step: {count} steps; it must be at least 1")
        info = ffi.new("plu_step_info *")
        with self._turn.taken("step", alone=True):
            for _ in range(count):
                self._extensions.raised.call(lib.plu_step, self._stepper, info)
        return Step(**fields(info[0]))

    @checked
    @in_turn
    def natural_map(self) -> float:
        """The natural map of the last step, as in the literature (SI; the largest over the islands). A step leaves it out, as NaN in
        `Step.residual_natural`, unless it is the criterion, for it takes about as long as a sweep. NaN where no step was made yet."""
        info = ffi.new("plu_step_info *")
        info.residual_natural = float("nan")
        lib.plu_stepper_natural(self._stepper, info)
        return info.residual_natural

    @checked
    def run(self, until: float | None = None, *, progress: bool | None = None) -> Step | None:
        """Steps up to `until` (s; None: the end of the scene); what the last step came to, None where it is that time already.
        `progress`: a line that tells the time, in a terminal and in a notebook; None: in a terminal only."""
        until = self.scene.end if until is None else until
        if not np.isfinite(until):
            raise UsageError(f"run: until {until} s")
        steps = round(until / self.scene.step) - self.steps
        if steps < 0:
            raise UsageError(f"run: until {until:g} s, but the simulation is at {self.time:g} s already")
        shown = sys.stderr.isatty() if progress is None else progress
        info, last = None, time.monotonic()
        for _ in range(steps):
            info = self.step()
            if shown and time.monotonic() - last > 0.2:
                last = time.monotonic()
                print(f"\r{self.time:.4g} of {until:g} s, {info.contacts} contacts ", end="", file=sys.stderr, flush=True)
        if shown and steps > 0:
            print(f"\r{self.time:.4g} of {until:g} s: done" + " " * 20, file=sys.stderr)
        return info

    @property
    @in_turn
    def contacts(self) -> np.ndarray:
        """The contacts of the last step that touch, a structured array (a copy): a (body, or -1: a boundary, of which
        `part` is the number of the part), b (body), point [3] (m), normal [3] (from a to b), gap (m), normal_impulse (N s), tangential_impulse [3]
        (N s, on b), moment_impulse [3] (N m s), velocity [3] (m/s), mode (0 open, 1 stick, 2 slide, 3 roll, 4 both)."""
        row, out = ffi.new("plu_contact_row *"), []
        for i in range(lib.plu_stepper_contacts(self._stepper)):
            if not lib.plu_stepper_touches(self._stepper, i):
                continue
            lib.plu_stepper_contact(self._stepper, i, row)
            side = row.a.coded  # include/pluvia/side.h
            body = side & (lib.PLU_SIDE_SPHERES - 1) if side >= 0 else -1
            out.append((body, -1 - side if side < 0 else -1, row.b, tuple(row.point), tuple(row.normal), row.gap, row.impulse_normal,
                        tuple(row.impulse_tangent), tuple(row.impulse_moment), tuple(row.velocity), row.mode))
        return np.array(out, CONTACT)

    @property
    @in_turn
    def energy(self) -> dict[str, float]:
        """translation, rotation, potential (J)."""
        return fields(lib.plu_world_energy(self._world))

    @property
    @in_turn
    def totals(self) -> dict[str, Any]:
        """Sums over the run (include/pluvia/step.h, plu_totals): steps, unconverged, work_friction, ..."""
        return fields(lib.plu_stepper_totals(self._stepper)[0])

    @property
    def cell_edges(self) -> np.ndarray:
        """[3, 3], m: the edges of the periodic cell, one per row, as they are now."""
        edges = ffi.new("double[3][3]")
        if not lib.plu_world_cell(self._world, edges):
            raise UsageError("cell_edges: the scene has no cell")
        return np.array([list(row) for row in edges])

    @property
    @in_turn
    def cell_stress(self) -> np.ndarray:
        """[3, 3], Pa: the stress in the periodic cell after the last step, of contacts and of motion relative to the cell, made
        symmetric; pressure is positive."""
        if not lib.plu_world_cell(self._world, ffi.new("double[3][3]")):
            raise UsageError("cell_stress: the scene has no cell")
        stress = ffi.new("double[3][3]")
        lib.plu_stepper_cell_stress(self._stepper, stress)
        return np.array([list(row) for row in stress])

    def _boundary(self, name: str) -> int:
        index = lib.plu_scene_boundary(self.scene._c, name.encode())
        if index < 0:
            raise UsageError(f'unknown boundary "{name}" (known: {", ".join(self.scene.boundaries)})')
        return index

    @checked
    @in_turn
    def boundary_force(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Force (N) and moment (N m) of the bodies on the boundary of that name in the last step, [3] each."""
        force, moment = ffi.new("double[3]"), ffi.new("double[3]")
        lib.plu_stepper_boundary_force(self._stepper, self._boundary(name), force, moment)
        return np.array(list(force)), np.array(list(moment))

    @checked
    def boundary_place(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Where a boundary is: the center of its motion [3] (m), and by which unit quaternion [4] it is turned, scalar first."""
        place = lib.plu_world_boundary(self._world, self._boundary(name))
        return np.array(list(place.position)), np.array(list(place.rotation))

    @checked
    @in_turn
    def drive(self, name: str, velocity: ArrayLike | None = (0.0, 0.0, 0.0), rate: float = 0.0,
              belt: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Has a boundary move so from now on, in place of what the scene says: velocity (m/s), rate about the axis of its motion
        (rad/s), belt (m/s: of the surface alone). velocity None: as the scene says. The scene gives it a motion, which may be
        empty.

        >>> simulation = Simulation(Scene(
        ...     time={"step": 1e-3, "end": 1.0}, materials=[{"name": "glass", "density": 2500.0}],
        ...     contacts=[{"between": ["glass", "glass"], "friction": 0.5}],
        ...     boundaries=[{"name": "floor", "plane": {}, "motion": {}, "material": "glass"}],
        ...     bodies=[{"position": [0, 0, 0.1], "radius": 0.1, "material": "glass"}]))
        >>> simulation.drive("floor", velocity=[0, 0, 0.2])
        >>> info = simulation.step(500)
        >>> simulation.bodies.velocity[0].round(6) + 0.0
        array([0. , 0. , 0.2])
        >>> simulation.boundary_place("floor")[0].round(9)
        array([0.    , 0.    , 0.0999])
        """
        drive = ffi.NULL
        if velocity is not None:
            drive = ffi.new("plu_drive *", {
                "velocity": _three("drive: velocity", velocity), "rate": float(rate), "belt": _three("drive: belt", belt)})
        call(lib.plu_stepper_drive_boundary, self._stepper, self._boundary(name), drive)

    @property
    def gravity(self) -> np.ndarray:
        """[3], m/s^2. May be set as a whole (the array that is returned cannot be written): all that sleeps wakes, and what the
        potential energy changes by counts as inserted.

        >>> simulation = Simulation(Scene(
        ...     time={"step": 1e-3, "end": 1.0}, materials=[{"name": "glass", "density": 2500.0}],
        ...     contacts=[{"between": ["glass", "glass"], "friction": 0.5}],
        ...     boundaries=[{"plane": {}, "material": "glass"}],
        ...     bodies=[{"position": [0, 0, 0.1], "radius": 0.1, "material": "glass"}]))
        >>> simulation.gravity = [0, 0, 5.0]
        >>> info = simulation.step(100)
        >>> simulation.bodies.velocity[0].round(6) + 0.0
        array([0. , 0. , 0.5])
        """
        out = ffi.new("double[3]")
        lib.plu_stepper_gravity(self._stepper, out)
        return _fixed(out)

    @gravity.setter
    @checked
    @in_turn
    def gravity(self, value: ArrayLike) -> None:
        call(lib.plu_stepper_set_gravity, self._stepper, _three("gravity", value))

    @in_turn
    def keep_problems(self) -> None:
        """From the next step on keeps what `problem` needs."""
        lib.plu_stepper_keep_start(self._stepper)
        self._keeps = True

    @in_turn
    def problem(self) -> Problem:
        """The contact problem of the last step, without contacts of sleeping bodies; needs keep_problems() before it."""
        if not self._keeps:
            raise UsageError("problem: call keep_problems() before the step")
        problem = ffi.new("plu_contact_problem **")
        call(lib.plu_stepper_problem, self._stepper, problem)
        return Problem._of(problem[0])
