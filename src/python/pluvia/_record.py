"""What a Simulation writes: a trajectory with checkpoints, from which it goes on by the same bits."""
from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import sys
import threading
import time
import warnings
from typing import Any, Iterator

from ._library import FileError, Held, InputError, PluviaError, UsageError, call, ffi, lib, text

_writing = threading.RLock()


@contextlib.contextmanager
def hdf5() -> Iterator[None]:
    """HDF5 has one user at a time in a process, h5py included."""
    h5py = sys.modules.get("h5py")
    with _writing, getattr(getattr(h5py, "_objects", None), "phil", contextlib.nullcontext()):
        yield


def _steps(seconds: float, step: float) -> int:
    return max(1, round(seconds / step))


def _threads() -> int:
    given = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(given) if given.isdigit() and int(given) > 0 else os.cpu_count() or 1


def _provenance(changes: str) -> tuple[Any, list[Any]]:
    """And the texts that it points to, to be kept while it is used."""
    kept = [ffi.new("char[]", b"pluvia.Simulation in Python"), ffi.new("char[]", changes.encode())]
    return ffi.new("plu_provenance *", {"command": kept[0], "threads": _threads(), "changes": kept[1] if changes else ffi.NULL}), kept


def _take_lock(path: str) -> Any:
    lock = ffi.new("plu_run_lock **")
    try:
        call(lib.plu_run_lock_take, lock, path.encode())
    except Held as problem:
        if f"process {os.getpid()} " not in str(problem):
            raise
        gc.collect()  # a simulation that nobody has any longer lets go
        try:
            call(lib.plu_run_lock_take, lock, path.encode())
        except Held:
            raise Held(f"{path} is being written by another Simulation of this Python; close() that one") from None
    return ffi.gc(lock[0], lib.plu_run_lock_release)


class Record:
    """The trajectory PATH of a run and its checkpoints. It keeps the stepper and what that needs."""

    def __init__(self, path: str, scene: Any, world: Any, stepper: Any, stages: Any, run: Any) -> None:
        self.path, self._scene, self._world, self._stepper = path, scene, world, stepper
        c = scene._c
        self._stages, self._run = stages, run
        self.plan()
        interval = c.output.checkpoint_interval
        self._checkpoint_every = _steps(interval, c.step) if 0 < interval < c.end else 0
        self._trajectory: Any = ffi.NULL
        self._framed = -1
        self._info: Any = None  # of the last step
        self._spoilt = False
        self._checkpointed = time.monotonic()
        self._process = os.getpid()
        self._lock = _take_lock(path)

    def plan(self) -> None:
        """Steps between frames, which each stage may have its own number of."""
        c = self._scene._c
        whole = c.output.interval >= c.end and not self._stages.there
        self._every = _steps(c.end if whole else c.output.interval, c.step)

    def begin(self, force: bool, restart: bool) -> None:
        """Creates the trajectory, or goes on with that which is there: then the stepper is set to its last checkpoint."""
        try:
            self._begin(force, restart)
        except BaseException:
            with hdf5():
                lib.plu_trajectory_close(self._trajectory, lib.PLU_RUN_FAILED, ffi.new("plu_error *"))
            ffi.release(self._lock)
            raise

    def _begin(self, force: bool, restart: bool) -> None:
        with hdf5():
            if restart and os.path.exists(self.path) and not self._is_killed_early():
                self._go_on()
                return
            force = force or restart and os.path.exists(self.path)
            provenance, _kept = _provenance("")
            self._trajectory = self._opened(lib.plu_trajectory_create, self.path.encode(), force, self._scene._c, self._world,
                                            self._stepper, provenance)
            self._frame(ffi.NULL)

    def _is_killed_early(self) -> bool:
        """Whether the run was killed or failed before its first checkpoint: then it begins anew, with a warning."""
        newest, previous = ffi.new("char[]", lib.PLU_PATH), ffi.new("char[]", lib.PLU_PATH)
        call(lib.plu_checkpoint_names, self.path.encode(), newest, previous)
        if any(os.path.exists(ffi.string(name)) for name in (newest, previous)):
            return False
        info = ffi.new("plu_trajectory_info *")
        call(lib.plu_trajectory_info_read, info, self.path.encode())
        state = text(info.state)
        if state in ("complete", "interrupted"):  # then it had one, which somebody removed
            return False
        self._is_of_scene()
        warnings.warn(f"{self.path}: the run {'failed' if state == 'failed' else 'was killed'} before its first checkpoint: it begins "
                      f"anew, and its frames up to t = {info.end:g} s are replaced", RuntimeWarning, stacklevel=2)
        return True

    def _is_of_scene(self) -> None:
        """Raises where the trajectory is that of another scene."""
        began, changes = ffi.new("char **"), ffi.new("char[]", 8192)
        call(lib.plu_trajectory_scene, began, True, self.path.encode())
        try:
            call(lib.plu_scene_compare, began[0], self._scene._c.resolved, changes, 8192)
        except InputError as problem:
            raise InputError(f"{self.path} belongs to another scene: {problem}") from None
        finally:
            ctypes.CDLL(None).free(ctypes.c_void_p(int(ffi.cast("uintptr_t", began[0]))))

    def _opened(self, function: Any, *arguments: Any) -> Any:
        made = ffi.new("plu_trajectory **")
        call(function, made, *arguments)
        return made[0]

    def _checkpoint(self) -> Any:
        """The newest one, or the one before where that is damaged."""
        newest, previous = ffi.new("char[]", lib.PLU_PATH), ffi.new("char[]", lib.PLU_PATH)
        call(lib.plu_checkpoint_names, self.path.encode(), newest, previous)
        names = [name for name in (newest, previous) if os.path.exists(ffi.string(name))]
        if not names:
            raise InputError(f"{self.path} has no checkpoint to go on from; use force=True to start again")
        for name in names:
            checkpoint = ffi.gc(ffi.new("plu_checkpoint *"), lib.plu_checkpoint_close)
            try:
                call(lib.plu_checkpoint_open, checkpoint, name)
                return checkpoint
            except InputError:
                if name is names[-1]:
                    raise
        return None

    def _go_on(self) -> None:
        checkpoint = self._checkpoint()
        changes = ffi.new("char[]", 8192)
        try:
            call(lib.plu_scene_compare, checkpoint.scene, self._scene._c.resolved, changes, 8192)
        except InputError as problem:
            raise InputError(f"{self.path} belongs to another scene: {problem}") from None
        call(lib.plu_checkpoint_record, checkpoint, self._run)
        self._stages.enter()
        self.plan()
        call(lib.plu_checkpoint_load, checkpoint, self._stepper, self._run)
        step = lib.plu_world_steps(self._world)
        self._trajectory = self._opened(lib.plu_trajectory_continue, self.path.encode(), self._scene._c, self._world, self._stepper)
        call(lib.plu_checkpoint_adopt, self.path.encode(), checkpoint.path, self._scene._c, self._world, self._stepper, self._run)
        if not self._stages.there:  # a later end may bring frames where none were due
            self._run.frames = step // self._every + 1
            self._run.framed = (self._run.frames - 1) * self._every
        frames, self._framed = self._run.frames, self._run.framed
        provenance, _kept = _provenance(text(changes))
        call(lib.plu_trajectory_cut, self._trajectory, frames, self._framed, provenance)

    def _frame(self, info: Any, lasts: bool = True) -> None:
        """`lasts`: a run that goes on from here has it, too."""
        call(lib.plu_trajectory_frame, self._trajectory, info)
        self._framed = lib.plu_world_steps(self._world)
        if lasts:
            self._run.frames += 1
            self._run.framed = self._framed

    def note(self, info: Any) -> None:
        """After a step: writes a frame if one is due."""
        self._info = info
        if (lib.plu_world_steps(self._world) - self._run.staged) % self._every == 0:
            self.end_stage()

    def end_stage(self) -> None:
        """Writes the frame of this step, if it has none."""
        if self._framed != lib.plu_world_steps(self._world):
            with hdf5():
                lib.plu_stepper_natural(self._stepper, self._info)
                self._frame(self._info)

    def save_if_due(self) -> None:
        """After a step."""
        step, wall = lib.plu_world_steps(self._world), self._scene._c.output.checkpoint_wall_interval
        if (self._checkpoint_every > 0 and step % self._checkpoint_every == 0) or (0 < wall <= time.monotonic() - self._checkpointed):
            with hdf5():
                self._save()

    def fail(self) -> None:
        """After a step that went wrong: its state is of no use."""
        self._spoilt = True

    def save(self) -> None:
        """A checkpoint now."""
        if self._spoilt:
            raise UsageError("save: the last step failed, and its state is not kept")
        with hdf5():
            self._save()

    def _save(self) -> None:
        call(lib.plu_trajectory_sync, self._trajectory)
        call(lib.plu_checkpoint_write, self.path.encode(), self._scene._c, self._world, self._stepper, self._run)
        self._checkpointed = time.monotonic()

    def close(self) -> None:
        """The last frame, a checkpoint, and how the run ended. Once."""
        if self._trajectory == ffi.NULL or os.getpid() != self._process:  # a fork of the process ends nothing
            return
        trajectory, kept = self._trajectory, None
        step, end = lib.plu_world_steps(self._world), round(self._scene._c.end / self._scene._c.step)
        state = lib.PLU_RUN_FAILED if self._spoilt else lib.PLU_RUN_COMPLETE if step >= end or self._stages.are_over else lib.PLU_RUN_INTERRUPTED
        with hdf5():
            try:
                if not self._spoilt:
                    if self._framed != step and self._info is not None:
                        lib.plu_stepper_natural(self._stepper, self._info)
                        self._frame(self._info, False)
                    self._save()
            except PluviaError as problem:
                kept, state = problem, lib.PLU_RUN_FAILED
            self._trajectory = ffi.NULL
            try:
                call(lib.plu_trajectory_close, trajectory, state)
            except FileError as problem:
                kept = kept or problem
            ffi.release(self._lock)
        if kept is not None:
            raise kept
