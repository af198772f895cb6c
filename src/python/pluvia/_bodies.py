"""The bodies of a run that lasts: arrays of what they are, and what calls do to them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._arguments import checked, misspelt
from ._library import UsageError, call, ffi, lib
from ._turns import in_turn

if TYPE_CHECKING:
    from ._simulation import Simulation


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


class Bodies:
    """All bodies of a run, N of them, as they are now: arrays on the memory of the library, without a copy. They change with
    every step; copy what is to be kept."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __setattr__(self, name: str, value: Any) -> None:
        known = name.startswith("_") or hasattr(type(self), name)
        if not known and type(self) is Bodies:  # a misspelt name would do nothing
            raise AttributeError(misspelt(self, name))
        super().__setattr__(name, value)

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
    def state(self) -> np.ndarray:
        """[N]: 0 waits to be released or added, 1 active, 3 removed."""
        return self._array("state", 1, np.uint8)[:, 0]

    @property
    def active(self) -> np.ndarray:
        """[N], bool: not waiting to be released, not removed (a new array)."""
        state = self.state
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
        lib.plu_stepper_forces(self._simulation._stepper, _rows(out))
        return out

    @checked
    @in_turn
    def set_velocity(self, body: int, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None) -> None:
        """Sets them (m/s, rad/s) for one active body; None: as it is."""
        call(lib.plu_stepper_set_velocity, self._simulation._stepper, body, three("set_velocity: velocity", velocity),
             three("set_velocity: angular_velocity", angular_velocity))

    @checked
    @in_turn
    def set_load(self, body: int, force: ArrayLike | None = None, moment: ArrayLike | None = None) -> None:
        """The force (N) and the moment (N m) that act on a body in every step from now on; None: none."""
        call(lib.plu_stepper_set_load, self._simulation._stepper, body, three("set_load: force", force), three("set_load: moment", moment))

    @property
    @in_turn
    def load_force(self) -> np.ndarray:
        """[N, 3], N: of set_loads and set_drag, in the last step (a new array): times the step the momentum that bodies got from
        outside, exactly; with the opposite sign it is that of the fluid that drags them."""
        out = np.zeros((len(self), 3))
        lib.plu_stepper_loads(self._simulation._stepper, _rows(out))
        return out

    @property
    @in_turn
    def spare(self) -> np.ndarray:
        """Numbers of the bodies that can be added: those of a reserve of the scene first, then those that were removed."""
        return self._spare()

    def _spare(self) -> np.ndarray:
        world, state = self._simulation._world, self.state
        waiting = [b for b in np.flatnonzero(state == lib.PLU_WAITING) if lib.plu_world_is_spare(world, int(b))]
        return np.array([*waiting, *np.flatnonzero(state == lib.PLU_REMOVED)], np.intc)

    def _chosen(self, where: str, bodies: Any) -> np.ndarray:
        """Numbers of bodies, or a mask [N], as numbers; whether they exist the library checks."""
        array = np.asarray(bodies)
        if array.dtype == bool:
            if array.shape != (len(self),):
                raise UsageError(f"{where}: bodies is a mask of the shape {list(array.shape)}; it must have one entry for each of the "
                                 f"{len(self)} bodies")
            return np.flatnonzero(array).astype(np.intc)
        if array.size == 0 and array.ndim == 1:
            return np.zeros(0, np.intc)
        if array.dtype.kind not in "iu" or array.ndim > 1 or np.any(np.abs(array.astype(float)) > 2**31 - 1):
            raise UsageError(f"{where}: bodies must be numbers of bodies, as [0, 3, 4], or a mask [{len(self)}] of True and False")
        return np.ascontiguousarray(array.reshape(-1), np.intc)

    def _all_or(self, where: str, bodies: Any) -> tuple[int, Any]:
        """How many bodies, and their numbers for the library; NULL: all."""
        if bodies is None:
            return len(self), ffi.NULL
        chosen = self._chosen(where, bodies)
        return len(chosen), _numbers(chosen)

    @checked
    @in_turn
    def set_velocities(self, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None, *, bodies: Any = None) -> None:
        """Sets velocities (m/s, rad/s; None: as they are): [n, 3], a row for each of `bodies` (numbers or a mask; None: all), or [3] for all
        of them alike. Of all bodies, those that are not active or are fixed are left as they are."""
        count, chosen = self._all_or("set_velocities", bodies)
        call(lib.plu_stepper_set_velocities, self._simulation._stepper, count, chosen, _rows_of("set_velocities: velocity", velocity, count),
             _rows_of("set_velocities: angular_velocity", angular_velocity, count))

    @checked
    @in_turn
    def set_loads(self, force: ArrayLike | None = None, moment: ArrayLike | None = None, *, bodies: Any = None) -> None:
        """Forces (N) and moments (N m) that act in every step from now on (None: none): [n, 3], a row for each of `bodies` (numbers or a
        mask; None: all), or [3] for all of them alike. Bodies with a load do not sleep.

        >>> from pluvia import Scene, Simulation
        >>> simulation = Simulation(Scene(
        ...     time={"step": 1e-3, "end": 1.0}, gravity=[0, 0, 0], materials=[{"name": "glass", "density": 2500.0}],
        ...     contacts=[{"between": ["glass", "glass"], "friction": 0.5}],
        ...     bodies=[{"lattice": {"counts": [2, 1, 1], "spacing": 1.0}, "radius": 0.1, "material": "glass"}]))
        >>> simulation.bodies.set_loads([[0, 0, 1.0], [0, 0, 2.0]] * simulation.bodies.mass[:, None])
        >>> info = simulation.step(100)
        >>> simulation.bodies.velocity[:, 2].round(6)
        array([0.1, 0.2])
        """
        count, chosen = self._all_or("set_loads", bodies)
        call(lib.plu_stepper_set_loads, self._simulation._stepper, count, chosen, _rows_of("set_loads: force", force, count),
             _rows_of("set_loads: moment", moment, count))

    @checked
    @in_turn
    def set_drag(self, coefficient: ArrayLike, velocity: ArrayLike = (0.0, 0.0, 0.0), *, bodies: Any = None) -> None:
        """A drag in every step from now on, beside the loads: coefficient (kg/s, a number or [n]) times (velocity - that of the body);
        velocity of the fluid [3] or [n, 3] (m/s). No coefficient is too large for the step. `bodies` as in set_loads;
        set_drag(0): none. What it came to in the last step: load_force."""
        count, chosen = self._all_or("set_drag", bodies)
        numbers = np.asarray(coefficient, float)
        if numbers.shape not in ((), (count,)):
            raise UsageError(f"set_drag: coefficient has the shape {list(numbers.shape)}; it must be a number or [{count}]")
        drags = np.ascontiguousarray(np.broadcast_to(numbers, (count,)))
        call(lib.plu_stepper_set_drags, self._simulation._stepper, count, chosen, ffi.from_buffer("double[]", drags),
             _rows_of("set_drag: velocity", velocity, count))

    def _edit(self, function: Any, count: int, *arguments: Any) -> None:
        call(function, self._simulation._stepper, count, *arguments)
        if count > 0:
            self._simulation._edited = self._simulation.steps

    @checked
    @in_turn
    def add(self, position: ArrayLike, velocity: ArrayLike | None = None, angular_velocity: ArrayLike | None = None, *,
            radius: float | None = None, material: str | None = None) -> np.ndarray:
        """Adds bodies at places that are free: position [3] or [n, 3] (m), velocities (m/s, rad/s; None: 0) alike. Returns their numbers.
        They come from a reserve of the scene, with its sizes, or are bodies that were removed; radius (m), material: only such.

        >>> from pluvia import Scene, Simulation
        >>> simulation = Simulation(Scene(
        ...     time={"step": 1e-3, "end": 1.0}, materials=[{"name": "glass", "density": 2500.0}],
        ...     contacts=[{"between": ["glass", "glass"], "friction": 0.5}],
        ...     bodies=[{"reserve": {"count": 10}, "radius": 0.1, "material": "glass"}]))
        >>> simulation.bodies.add([[0, 0, 1.0], [0, 0, 2.0]])
        array([0, 1], dtype=int32)
        >>> simulation.bodies.remove([0])
        >>> int(simulation.bodies.active.sum()), len(simulation.bodies.spare)
        (1, 9)
        """
        places = np.asarray(position, float)
        if places.ndim not in (1, 2) or places.shape[-1] != 3:
            raise UsageError(f"add: position has the shape {list(places.shape)}; it must be [3] or [n, 3]")
        count = 1 if places.ndim == 1 else len(places)
        chosen = self._found_spare(count, radius, material)
        self._edit(lib.plu_stepper_add, count, _numbers(chosen), _rows_of("add: position", places, count),
                   _rows_of("add: velocity", velocity, count), _rows_of("add: angular_velocity", angular_velocity, count))
        return chosen

    def _found_spare(self, count: int, radius: float | None, material: str | None) -> np.ndarray:
        spare, names = self._spare(), self._simulation.scene.materials
        if material is not None:
            if material not in names:
                raise UsageError(f'add: unknown material "{material}" (known: {", ".join(names)})')
            spare = spare[self.material[spare] == names.index(material)]
        if radius is not None:
            spare = spare[np.isclose(self.radius[spare], radius, rtol=1e-6, atol=0.0)]
        if len(spare) < count:
            such = (f" of radius {radius:g} m" if radius is not None else "") + (f' of "{material}"' if material is not None else "")
            raise UsageError(f"add: {count} bodies{such} are asked for, and {len(spare)} can be added; give the scene a reserve: "
                             'bodies = ( { reserve: { count = ...; }; radius = ...; material = ...; } )')
        return spare[:count]

    @checked
    @in_turn
    def move(self, bodies: Any, position: ArrayLike, orientation: ArrayLike | None = None) -> None:
        """Moves active bodies (numbers or a mask) to places that are free, at once: position [n, 3] (m), orientation [n, 4] (unit quaternions,
        scalar first; None: as they are). Velocities stay."""
        chosen = self._chosen("move", bodies)
        self._edit(lib.plu_stepper_move, len(chosen), _numbers(chosen),
                   _rows_of("move: position", position, len(chosen)), _rows_of("move: orientation", orientation, len(chosen), 4))

    @in_turn
    def remove(self, bodies: Any) -> None:
        """Removes active bodies (numbers or a mask); they can be added again."""
        chosen = self._chosen("remove", bodies)
        self._edit(lib.plu_stepper_remove, len(chosen), _numbers(chosen))

    @in_turn
    def freeze(self, bodies: Any) -> None:
        """Fixes active bodies (numbers or a mask) where they are, as bodies.fixed of a scene: they no longer touch boundaries and each other."""
        self._fix("freeze", bodies, True)

    @in_turn
    def unfreeze(self, bodies: Any) -> None:
        """Lets bodies go that are fixed; they start from rest."""
        self._fix("unfreeze", bodies, False)

    def _fix(self, where: str, bodies: Any, fixed: bool) -> None:
        chosen = self._chosen(where, bodies)
        self._edit(lib.plu_stepper_fix, len(chosen), _numbers(chosen), fixed)


def _numbers(array: np.ndarray) -> Any:
    """For the library; keeps the array."""
    return ffi.from_buffer("int[]", array)


def _rows(array: np.ndarray) -> Any:
    return ffi.from_buffer(f"double[][{array.shape[1]}]", array)


def _rows_of(where: str, values: ArrayLike | None, count: int, columns: int = 3) -> Any:
    """Rows for the library; NULL: none."""
    if values is None:
        return ffi.NULL
    array = np.asarray(values, float)
    if array.shape not in ((columns,), (count, columns)):
        raise UsageError(f"{where} has the shape {list(array.shape)}; it must be [{columns}] or [{count}, {columns}]")
    return _rows(np.ascontiguousarray(np.broadcast_to(array, (count, columns))))


def three(where: str, values: ArrayLike | None) -> Any:
    if values is None:
        return ffi.NULL
    array = np.asarray(values, float)
    if array.shape != (3,):
        raise UsageError(f"{where} is {array.tolist()}; it must be three numbers [x, y, z]")
    return ffi.new("double[3]", array.tolist())
