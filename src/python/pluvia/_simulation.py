"""A scene and a run of it, step by step."""
import dataclasses
import sys
import time

import numpy as np

from ._library import UsageError, call, ffi, fields, lib, text, texts
from ._problem import Problem
from ._solvers import Solvers


def assigned(changes):
    """KEY=VALUE of each change, in the syntax of scenes."""
    def value(v):
        if isinstance(v, bool):
            return "true" if v else "false"
        if isinstance(v, str):
            return '"' + v.replace("\\", "\\\\").replace('"', '\\"') + '"'
        if isinstance(v, (list, tuple, np.ndarray)):
            return "[" + ", ".join(value(x) for x in v) + "]"
        if isinstance(v, (int, np.integer)):
            return str(int(v))
        return repr(float(v))
    return [f"{key}={value(v)}" for key, v in changes.items()]


class Scene:
    """A scene: of a file, or of a text as a file would have it.

    >>> scene = Scene(text='''
    ...     time: { step = 1e-3; end = 0.5; };
    ...     materials = ( { name = "glass"; density = 2500.0; } );
    ...     contacts = ( { between = ["glass", "glass"]; friction = 0.3; } );
    ...     boundaries = ( { name = "floor"; plane: {}; material = "glass"; } );
    ...     bodies = ( { position = [0, 0, 0.1]; radius = 0.1; velocity = [1, 0, 0]; material = "glass"; } );
    ... ''', changes={"time.step": 2e-3})
    >>> scene.step, scene.materials, scene.boundaries
    (0.002, ['glass'], ['floor'])
    """

    def __init__(self, path=None, *, text=None, changes=None):
        """`changes`: keys and values that replace those of the scene, as with `pluvia run -s`. Raises InputError, FileError."""
        if (path is None) == (text is None):
            raise UsageError("Scene: either a path or text=... is needed")
        self._c = ffi.gc(ffi.new("plu_scene *"), lib.plu_scene_free)
        words, self._kept = texts(assigned(changes or {}))
        if text is None:
            call(lib.plu_scene_read, self._c, str(path).encode(), words, len(self._kept))
        else:
            call(lib.plu_scene_read_text, self._c, b"scene", text.encode(), words, len(self._kept))

    @property
    def title(self) -> str:
        return text(self._c.title)

    @property
    def step(self) -> float:
        """h (s)."""
        return self._c.step

    @property
    def end(self) -> float:
        """Duration (s)."""
        return self._c.end

    @property
    def gravity(self) -> np.ndarray:
        """[3], m/s^2."""
        return np.array(list(self._c.gravity))

    @property
    def materials(self) -> list:
        """Names, in the order of `bodies.material`."""
        return [text(self._c.materials[k].name) for k in range(self._c.materials_count)]

    @property
    def boundaries(self) -> list:
        """Names, in the order of the scene."""
        return [text(self._c.boundaries[k].name) for k in range(self._c.boundaries_count)]


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


def view(pointer, shape, dtype):
    """Memory of the library as an array that cannot be written."""
    dtype = np.dtype(dtype)
    count = int(np.prod(shape))
    if count == 0:
        return np.empty(shape, dtype)
    array = np.frombuffer(ffi.buffer(pointer, count * dtype.itemsize), dtype).reshape(shape)
    array.flags.writeable = False
    return array


class Bodies:
    """All bodies of a run, N of them, as they are now: arrays on the memory of the library, without a copy. They change with
    every step; copy what is to be kept."""

    def __init__(self, simulation):
        self._simulation = simulation

    def __len__(self):
        return self._view().count

    def _view(self):
        return lib.plu_world_bodies(self._simulation._world)

    def _array(self, name, columns, dtype=float):
        v = self._view()
        return view(getattr(v, name), (v.count, columns), dtype)

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
    def force(self) -> np.ndarray:
        """[N, 3], N: of contacts, in the last step (a new array)."""
        out = np.zeros((len(self), 3))
        lib.plu_stepper_forces(self._simulation._stepper, ffi.cast("double (*)[3]", ffi.from_buffer(out)))
        return out

    def set_velocity(self, body: int, velocity=None, angular_velocity=None) -> None:
        """Sets them (m/s, rad/s) for one active body; None: as it is."""
        call(lib.plu_stepper_set_velocity, self._simulation._stepper, body, _three(velocity), _three(angular_velocity))

    def set_load(self, body: int, force=None, moment=None) -> None:
        """The force (N) and the moment (N m) that act on a body in every step from now on; None: none."""
        call(lib.plu_stepper_set_load, self._simulation._stepper, body, _three(force), _three(moment))


def _three(values):
    if values is None:
        return ffi.NULL
    array = np.asarray(values, float)
    if array.shape != (3,):
        raise UsageError(f"{values!r} is not three numbers [x, y, z]")
    return ffi.new("double[3]", array.tolist())


CONTACT = np.dtype([("a", "i4"), ("part", "i4"), ("b", "i4"), ("point", "f8", 3), ("normal", "f8", 3), ("gap", "f8"),
                    ("normal_impulse", "f8"), ("tangential_impulse", "f8", 3), ("moment_impulse", "f8", 3),
                    ("velocity", "f8", 3), ("mode", "u1")])


class Simulation:
    """A run of a scene, step by step, in memory. (`pluvia.run` writes a trajectory, with checkpoints.)

    before, after: functions of the simulation that are called before and after each step. solvers: names and functions of
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

    def __init__(self, scene, *, before=None, after=None, solvers=None):
        self.scene = scene if isinstance(scene, Scene) else Scene(scene)
        self._extensions = Solvers(solvers or {})
        self._log = ffi.new("plu_log *")
        self.messages, self._keeps = [], False
        self._write = ffi.callback("void(void *, plu_log_level, const char *)",
                                   lambda _, level, line: self.messages.append(text(line)))
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
        self._before, self._after, self._raised = before, after, None
        if before or after:
            self._call_before = self._call(before)
            self._call_after = self._call(after)
            lib.plu_stepper_set_calls(self._stepper, self._call_before, self._call_after, ffi.NULL)

    def _call(self, function):
        if not function:
            return ffi.NULL

        def called(_user, _stepper, _info, _error):
            try:
                function(self)
            except BaseException as problem:  # pylint: disable=broad-except
                self._raised = problem
                return lib.PLU_USAGE
            return lib.PLU_OK
        return ffi.callback("plu_step_call", called)

    @property
    def time(self) -> float:
        """s."""
        return lib.plu_world_time(self._world)

    @property
    def steps(self) -> int:
        return lib.plu_world_steps(self._world)

    def step(self, count: int = 1) -> Step:
        """Takes `count` steps of length scene.step; what the last one came to. Raises what `before` and `after` raise."""
        if count != int(count) or count < 1:
            raise UsageError(f"step: {count} steps; a whole number, at least 1")
        info = ffi.new("plu_step_info *")
        for _ in range(int(count)):
            try:
                call(lib.plu_step, self._stepper, info)
            except Exception:
                raised, self._raised = self._raised or self._extensions.raised(), None
                if raised:
                    raise raised from None
                raise
        return Step(**fields(info[0]))

    def run(self, until: float = None, *, progress: bool = None) -> Step:
        """Steps up to `until` (s; None: the end of the scene). `progress`: a line that tells the time, in a terminal and in a
        notebook; None: in a terminal only."""
        until = self.scene.end if until is None else until
        if not np.isfinite(until):
            raise UsageError(f"run: until {until} s")
        steps = round(until / self.scene.step) - self.steps
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
    def energy(self) -> dict:
        """translation, rotation, potential (J)."""
        return fields(lib.plu_world_energy(self._world))

    @property
    def totals(self) -> dict:
        """Sums over the run (include/pluvia/step.h, plu_totals): steps, unconverged, work_friction, ..."""
        return fields(lib.plu_stepper_totals(self._stepper)[0])

    def boundary_force(self, name: str):
        """Force (N) and moment (N m) of the bodies on the boundary of that name in the last step, [3] each."""
        if name not in self.scene.boundaries:
            raise UsageError(f'unknown boundary "{name}" (known: {", ".join(self.scene.boundaries)})')
        force, moment = ffi.new("double[3]"), ffi.new("double[3]")
        lib.plu_stepper_boundary_force(self._stepper, self.scene.boundaries.index(name), force, moment)
        return np.array(list(force)), np.array(list(moment))

    def keep_problems(self) -> None:
        """From the next step on keeps what `problem` needs."""
        lib.plu_stepper_keep_start(self._stepper)
        self._keeps = True

    def problem(self) -> Problem:
        """The contact problem of the last step; needs keep_problems() before it."""
        if not self._keeps:
            raise UsageError("problem: call keep_problems() before the step")
        problem = ffi.new("plu_contact_problem **")
        call(lib.plu_stepper_problem, self._stepper, problem)
        return Problem._of(problem[0])
