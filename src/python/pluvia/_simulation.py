"""A run of a scene, step by step."""
from __future__ import annotations

import dataclasses
import os
import weakref
from typing import Any, Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import checked, misspelt
from ._bodies import Bodies, three
from ._library import PluviaError, UsageError, call, ffi, fields, lib, text
from ._fields import Fields, of_view
from ._problem import Problem
from ._progress import Progress, is_shown
from ._record import Record, hdf5
from ._scene import Scene
from ._solvers import Solver, Solvers
from ._stages import Stages
from ._trajectory import Trajectory, as_arguments
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


def _fixed(values: Any) -> np.ndarray:
    """A copy that cannot be written, so that nobody takes an entry of it for one of the simulation."""
    array = np.array(list(values))
    array.flags.writeable = False
    return array


CONTACT = np.dtype([("a", "i4"), ("part", "i4"), ("b", "i4"), ("point", "f8", 3), ("normal", "f8", 3), ("gap", "f8"),
                    ("normal_impulse", "f8"), ("tangential_impulse", "f8", 3), ("moment_impulse", "f8", 3),
                    ("velocity", "f8", 3), ("mode", "u1")])
SAME = (CONTACT.names or ())[2:]  # columns that are as the library has them in plu_contact_row
FIELDS = ("a", "b", "point", "normal", "gap", "impulse_normal", "impulse_tangent", "impulse_moment", "velocity", "mode")
LAYOUT: Any = {"names": ["side", *SAME], "formats": ["i4", *(CONTACT[name] for name in SAME)],
               "offsets": [ffi.offsetof("plu_contact_row", field) for field in FIELDS], "itemsize": ffi.sizeof("plu_contact_row")}
ROW: np.dtype[Any] = np.dtype(LAYOUT)


class Simulation:
    """A run of a scene, step by step, in memory or into a trajectory. (`pluvia.run` does the same by the command.)

    before, after: functions of the simulation that are called before and after each step; what they raise ends the step. Bodies are
    best added, moved, removed and frozen in `before`: contacts and forces are not known from then on until the next step. One call
    at a time: a second thread, and a step within a step, get a UsageError. solvers: names and functions of
    solvers of one's own (see Problem.solve), which the scene names in `solver.name`.

    output: a trajectory that the run writes, frames and checkpoints as the scene says in `output`; `close` ends it, as leaving a `with`
    does. One that exists is kept unless force=True (start again) or restart=True: go on from its last checkpoint by the same bits,
    with loads, drags and what was added, moved, removed and frozen; functions are to be given again.

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
                 after: Callable[[Simulation], Any] | None = None, solvers: Mapping[str, Solver] | None = None,
                 output: str | os.PathLike[str] | None = None, force: bool = False, restart: bool = False) -> None:
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        if self.scene.stages:  # which change the scene
            self.scene = self.scene._again()
        self._extensions = Solvers(solvers or {})
        self._turn = Turn("Simulation")
        if output is None and (force or restart):
            raise UsageError("Simulation: force and restart are about an output; name one")
        if force and restart:
            raise UsageError("Simulation: force starts again and restart goes on; choose one")
        self._record: Record | None = None
        self._edited = -1  # the step after which bodies were added, moved, removed or frozen
        self._in_call = False  # a function of one's own has raised, not the step
        self._log = ffi.new("plu_log *")
        self.messages: list[str] = []
        self._keeps = False
        self._write = ffi.callback("void(void *, plu_log_level, const char *)",
                                   lambda _, level, line: self.messages.append(text(line)), onerror=self._extensions.raised.failed)
        self._log.write = self._write
        world, stepper = ffi.new("plu_world **"), ffi.new("plu_stepper **")
        start = ffi.new("plu_start *")
        try:  # the spheres of other runs that the scene starts from
            with hdf5():
                call(lib.plu_start_read, start, self.scene._c)
            call(lib.plu_world_create_from, world, self.scene._c, start)
            self._world = ffi.gc(world[0], lib.plu_world_destroy)
            if len(self.scene.stages) > 1:
                call(lib.plu_world_try_stages, self._world, self.scene._c)
            call(lib.plu_stepper_create_with, stepper, self._world, self.scene._c, self._extensions.c, self._log)
            self._stepper = ffi.gc(stepper[0], lib.plu_stepper_destroy)
            if any(start.entry[k].read for k in range(start.entries)):
                call(lib.plu_stepper_start, self._stepper, start)
        finally:
            lib.plu_start_free(start)
        self.bodies = Bodies(self)
        self._run_record = ffi.new("plu_run_record *")
        self._stages = Stages(self.scene, self._world, self._stepper, self._log, self._run_record)
        if before is not None or after is not None:
            self._call_before = self._call(before)
            self._call_after = self._call(after)
            lib.plu_stepper_set_calls(self._stepper, self._call_before, self._call_after, ffi.NULL)
        if output is not None:
            self._write_to(os.fspath(output), force, restart)

    def _write_to(self, path: str, force: bool, restart: bool) -> None:
        try:
            self._record = Record(path, self.scene, self._world, self._stepper, self._stages, self._run_record)
            self._record.begin(force, restart)
        except PluviaError as problem:
            own = "; close() each Trajectory of it in this Python" if "another program uses the file" in str(problem) else ""
            raise type(problem)(as_arguments(str(problem)) + own) from None
        self._end = weakref.finalize(self, self._record.close)  # also where nobody closes it

    def __setattr__(self, name: str, value: Any) -> None:
        known = name.startswith("_") or hasattr(type(self), name) or name in ("scene", "messages", "bodies")
        if not known and type(self) is Simulation:  # a misspelt name would do nothing
            raise AttributeError(misspelt(self, name))
        super().__setattr__(name, value)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @in_turn
    def close(self) -> None:
        """Ends what the run writes, with a last frame and a checkpoint; the simulation itself goes on in memory."""
        if self._record is not None:
            self._end.detach()
            self._record.close()
            self._record = None

    @in_turn
    def save(self) -> None:
        """Writes a checkpoint now, from which restart=True goes on."""
        if self._record is None:
            raise UsageError("save: the simulation writes no trajectory; Simulation(scene, output=...) does")
        self._record.save()

    def _call(self, given: Callable[[Simulation], Any] | None) -> Any:
        if given is None:
            return ffi.NULL
        function = given

        def called(*_: Any) -> None:
            self._in_call = True
            with self._turn.guests():
                function(self)
            self._in_call = False
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
        """Takes `count` steps of length scene.step, fewer where the run comes to its end (`is_over`) on the way; a call after that goes on. What the last
        one came to. Raises what `before` and `after` raise."""
        if count < 1:
            raise UsageError(f"step: {count} steps; it must be at least 1")
        info = ffi.new("plu_step_info *")
        with self._turn.taken("step", alone=True):
            was_over = self.is_over
            for _ in range(count):
                self._make_step(info)
                if not was_over and self.is_over:
                    break
        return Step(**fields(info[0]))

    def _make_step(self, info: Any) -> None:
        before, self._in_call = self.steps, False
        try:
            self._extensions.raised.call(lib.plu_step, self._stepper, info)
        except BaseException:
            if self._record is not None and not self._in_call:
                self._record.fail()
            elif self.steps > before:  # the step was made, `after` raised
                self._note(info)
            raise
        self._note(info)

    def _note(self, info: Any) -> None:
        """After a step: its frame, the next stage, a checkpoint, if they are due."""
        record = self._record
        if record is not None:
            record.note(info)
        if self._stages.step(info, record.end_stage if record is not None else lambda: None) and record is not None:
            record.plan()
        if record is not None:
            record.save_if_due()

    @property
    def stage(self) -> str | None:
        """The name of the present stage; None where the scene has none. `run` ends with the last one."""
        return self._stages.present

    @property
    def is_over(self) -> bool:
        """Whether the run has come to its end, at which `run` stops: time.end, the end of its last stage, or rest by time.until_rest."""
        return self._stages.are_over or self.steps >= round(self.scene.end / self.scene.step)

    @property
    def dt(self) -> float:
        """s: length of the last step, or of the last part of it where the run chooses its steps: impulses of `contacts` over it are forces."""
        return lib.plu_world_step(self._world)

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
        """Steps up to `until` (s; None: the end of the scene), or to the end of its last stage, or to rest (time.until_rest); what the last step came to, None where
        it is there already.
        `progress`: a bar of tqdm, or a line without it, on standard error; None: in a terminal and in a notebook only."""
        until = self.scene.end if until is None else until
        if not np.isfinite(until):
            raise UsageError(f"run: until {until} s")
        steps = round(until / self.scene.step) - self.steps
        if steps < 0:
            raise UsageError(f"run: until {until:g} s, but the simulation is at {self.time:g} s already")
        info = None
        with Progress(self.time, until, is_shown(progress) and steps > 0) as shown:
            for _ in range(steps):
                if self._stages.are_over:
                    break
                info = self.step()
                shown.show(self.time, info.contacts)
            shown.done(self.time)
        return info

    @property
    @in_turn
    def contacts(self) -> np.ndarray:
        """The contacts of the last step that touch, a structured array (a copy): a (body, or -1: a boundary, of which
        `part` is the number of the part), b (body), point [3] (m), normal [3] (from a to b), gap (m), normal_impulse (N s), tangential_impulse [3]
        (N s, on b), moment_impulse [3] (N m s), velocity [3] (m/s), mode (0 open, 1 stick, 2 slide, 3 roll, 4 both)."""
        rows = np.frombuffer(ffi.buffer(self._contact_rows()), ROW)
        out = np.zeros(len(rows), CONTACT)
        for name in SAME:
            out[name] = rows[name]
        sphere = rows["side"] >= 0  # include/pluvia/side.h
        out["a"] = np.where(sphere, rows["side"] & (lib.PLU_SIDE_SPHERES - 1), -1)
        out["part"] = np.where(sphere, -1, -1 - rows["side"])
        return out

    def _contact_rows(self) -> Any:
        """plu_contact_row[] of those that touch."""
        stepper = self._stepper
        touching = [i for i in range(lib.plu_stepper_contacts(stepper)) if lib.plu_stepper_touches(stepper, i)]
        rows = ffi.new("plu_contact_row[]", len(touching))
        for k, i in enumerate(touching):
            lib.plu_stepper_contact(stepper, i, rows + k)
        return rows

    @property
    @in_turn
    def sensors(self) -> dict[str, dict[str, float]]:
        """By name what each sensor of the scene has summed up since the start (include/pluvia/sensor.h), as {"out": {"mass": 0.2 (kg), "grains": 31,
        "first": 0.15 (s)}}."""
        out, scene = {}, self.scene._c
        for k in range(scene.sensors_count):
            kind = scene.sensors[k].kind
            out[text(scene.sensors[k].name)] = {
                text(lib.plu_sensor_number_name(kind, i)): lib.plu_stepper_sensor(self._stepper, k, i)
                for i in range(lib.plu_sensor_numbers(kind))}
        return out

    @checked
    @in_turn
    def fields(self, along: str = "z", *, width: float | None = None, spacing: float | None = None, region: ArrayLike | None = None,
               material: str | None = None) -> Fields:
        """Density, velocity, stress, temperature, fabric as continuous fields by coarse graining, as they are now; arguments and
        result as of Trajectory.fields."""
        view = ffi.new("plu_view *", lib.plu_view_world(self._world))
        rows = self._contact_rows()
        if lib.plu_stepper_contacts(self._stepper) > 0 or self.steps > 0:
            lib.plu_view_contacts(view, rows, len(rows), self.dt)
        return of_view(view, self.scene.materials, along, width, spacing, region, material)

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
                "velocity": three("drive: velocity", velocity), "rate": float(rate), "belt": three("drive: belt", belt)})
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
        call(lib.plu_stepper_set_gravity, self._stepper, three("gravity", value))

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
        if lib.plu_stepper_contacts(self._stepper) == 0 and self._edited == self.steps:
            raise UsageError("problem: bodies were added, moved, removed or frozen after the last step; it is known after the next one")
        problem = ffi.new("plu_contact_problem **")
        call(lib.plu_stepper_problem, self._stepper, problem)
        return Problem._of(problem[0])
