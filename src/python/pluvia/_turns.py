"""One call of an object of the library at a time, and functions of one's own that the library calls: what they raise passes by
the library, which is C, and reaches who called it."""
from __future__ import annotations

import contextlib
import functools
import threading
from typing import Any, Callable, Iterator, TypeVar

from ._library import UsageError, call, ffi, lib


class Raised:
    """What functions of one's own have raised since the last call of the library."""

    def __init__(self) -> None:
        self._first: BaseException | None = None

    def _keep(self, problem: BaseException) -> None:
        if self._first is None:
            self._first = problem

    def failed(self, kind: type[BaseException], problem: BaseException | None, _trace: Any) -> None:
        """For what is raised where no function can catch it: before its first line, as by Ctrl-C while the library was at work."""
        self._keep(problem if problem is not None else kind())

    def callback(self, kind: str, function: Callable[..., Any]) -> Any:
        """The function for the library, which gets a failure where it raises."""
        def called(*arguments: Any) -> int:
            try:
                function(*arguments)
            except BaseException as problem:  # pylint: disable=broad-except
                self._keep(problem)
                return lib.PLU_USAGE
            return lib.PLU_OK
        return ffi.callback(kind, called, error=lib.PLU_USAGE, onerror=self.failed)

    def call(self, function: Callable[..., int], *arguments: Any) -> None:
        """`call`, but what a function of one's own has raised comes first, whatever the library made of it."""
        self._first = None
        try:
            call(function, *arguments)
        except Exception:
            if self._first is None:
                raise
        first, self._first = self._first, None
        if first is not None:
            raise first from None


class Turn:
    """Lets one call in at a time, and calls of the functions that it calls (`guests`)."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._lock = threading.Lock()
        self._guest: int | None = None  # the thread that runs such a function

    @contextlib.contextmanager
    def taken(self, name: str, alone: bool = False) -> Iterator[None]:
        """For the time of a call; `alone`: not from within another one either."""
        guest = self._guest == threading.get_ident()
        if (guest and alone) or (not guest and not self._lock.acquire(blocking=False)):
            raise UsageError(f"{name}: this {self._what} is in use, by another thread or by a call that has called this function; "
                             "one at a time")
        try:
            yield
        finally:
            if not guest:
                self._lock.release()

    @contextlib.contextmanager
    def guests(self) -> Iterator[None]:
        """While a function runs that the call has called, between two pieces of its work."""
        self._guest = threading.get_ident()
        try:
            yield
        finally:
            self._guest = None


F = TypeVar("F", bound=Callable[..., Any])


def in_turn(method: F) -> F:
    """A method of an object that has a Turn, or of a part of a simulation."""
    @functools.wraps(method)
    def one(self: Any, *arguments: Any, **named: Any) -> Any:
        turn: Turn = getattr(self, "_simulation", self)._turn
        with turn.taken(method.__name__):
            return method(self, *arguments, **named)
    return one  # type: ignore[return-value]
