"""The stages of a scene that a Simulation goes through, as `pluvia run` does."""
from __future__ import annotations

from typing import Any, Callable

from ._library import call, ffi, lib, text


class Stages:
    """Of a scene without stages: one that does not end."""

    def __init__(self, scene: Any, world: Any, stepper: Any, log: Any, record: Any) -> None:
        self._kept = (scene, world, stepper, log, record)
        self._record = record
        self._scene = scene._c
        self._run = ffi.new("plu_stage_run *", {"scene": scene._c, "world": world, "stepper": stepper, "record": record, "log": log})

    @property
    def there(self) -> bool:
        return self._scene.stages_count > 0

    @property
    def present(self) -> str | None:
        return text(self._scene.stages[self._record.stage].name) if self.there else None

    @property
    def are_over(self) -> bool:
        """Or all is at rest, as time.until_rest of a scene without stages says."""
        return bool(self._record.at_rest != 0)

    def enter(self) -> None:
        """The stage of the record, whose state is loaded next."""
        if self._record.stage > 0:
            call(lib.plu_stage_run_enter, self._run, False)

    def step(self, info: Any, at_end: Callable[[], None]) -> bool:
        """After a step: whether another stage has begun, or the last one is over; before that, at its end, calls `at_end`."""
        if not self.there:
            self._record.until_rest = self._scene.until_rest
            self._record.at_rest = lib.plu_stage_run_rests(self._run)
        if not self.there or self.are_over:
            return False
        if not lib.plu_stage_run_over(self._run, info):
            call(lib.plu_stage_run_overdue, self._run, info)
            return False
        at_end()
        if self._record.stage + 1 == self._scene.stages_count:
            self._record.at_rest = 1
        else:
            call(lib.plu_stage_run_next, self._run)
        return True
