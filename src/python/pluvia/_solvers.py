"""Solvers of one's own as Python functions."""
from __future__ import annotations

from typing import Any, Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from ._arguments import checked, fitted
from ._library import UsageError, call, ffi, lib
from ._turns import Raised

try:
    from scipy import sparse
except ImportError:
    sparse = None


def block_matrix(start: np.ndarray, column: np.ndarray, block: np.ndarray, rows: int) -> Any:
    """W as a scipy matrix of blocks, or dense without scipy."""
    contacts = len(start) - 1
    if sparse is not None:
        return sparse.bsr_matrix((block, column, start), shape=(rows * contacts, rows * contacts))
    out = np.zeros((contacts, rows, contacts, rows))
    for c in range(contacts):
        for k in range(start[c], start[c + 1]):
            out[c, :, column[k]] += block[k]
    return out.reshape(rows * contacts, rows * contacts)


def _copy(pointer: Any, shape: tuple[int, ...], kind: DTypeLike) -> np.ndarray:
    """A copy of memory of the library that nobody takes for the original: it cannot be written."""
    size = np.dtype(kind).itemsize * int(np.prod(shape))
    return np.frombuffer(bytes(ffi.buffer(pointer, size)), kind).reshape(shape)


class ProblemView:
    """What a solver of one's own sees: y = W p + q. Valid until it returns; its arrays cannot be written.

    rows: 3 (Coulomb friction), 5 (rolling) or 7 (pivoting) a contact; contacts; q [rows * contacts]; slope [contacts, 3]:
    |r_T| <= slope[0] r_N, of m_R slope[1], of m_P slope[2]; W: scipy matrix of blocks (dense without scipy)."""
    rows: int
    contacts: int
    q: np.ndarray
    slope: np.ndarray
    W: Any

    def __init__(self, view: Any, run: Any) -> None:
        self.rows, self.contacts, self._run = view.rows, view.contacts, run
        start = _copy(view.start, (view.contacts + 1,), np.intc)
        column = _copy(view.column, (start[-1],), np.intc)
        block = _copy(view.block, (start[-1], view.rows, view.rows), float)
        self.W = block_matrix(start, column, block, view.rows)
        if sparse is None:
            self.W.flags.writeable = False
        self.q = _copy(view.q, (view.rows * view.contacts,), float)
        self.slope = _copy(view.slope, (view.contacts, 3), float)

    def _end(self) -> None:
        """Leaves nothing to read where the library has freed the problem."""
        self.__dict__.clear()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or self.__dict__:
            raise AttributeError(f"ProblemView has no {name}")
        raise UsageError(f"{name}: this ProblemView ended with its solver; copy what is to be kept")

    @checked
    def stop(self, p: ArrayLike, iterations: int) -> bool:
        """To be called after each iteration, and with 0 before the first: True: return now. Keeps the best p of all calls,
        which is the result."""
        numbers = np.ascontiguousarray(p)
        if numbers.shape != self.q.shape:
            raise UsageError(f"p has the shape {numbers.shape}, not {self.q.shape} as q")
        return lib.plu_solve_run_stop(self._run, ffi.cast("double *", ffi.from_buffer(numbers)), iterations)


Solver = Callable[[ProblemView, np.ndarray], Any]


class Solvers:
    """Named functions f(view, p): view is a ProblemView, p [rows * contacts] the impulses to start from, to be improved,
    and handed to view.stop after each iteration until that is True; what never was counts for nothing, and is an error. Islands of a step are solved by several threads; Python runs one function at a time."""

    def __init__(self, functions: Mapping[str, Solver]) -> None:
        made = ffi.new("plu_extensions **")
        call(lib.plu_extensions_create, made)
        self.c = ffi.gc(made[0], lib.plu_extensions_destroy)
        self.raised = Raised()
        self._kept: list[Any] = []
        for name, function in functions.items():
            word = fitted("solvers: a name", "str", name).encode()
            self._kept.append(self._callback(fitted(f"solvers: {name}", "Callable", function)))
            call(lib.plu_extensions_add_solver, self.c, word, self._kept[-1], ffi.NULL)

    def _callback(self, function: Solver) -> Any:
        def solve(_user: Any, pointer: Any, run: Any, p: Any, _error: Any) -> None:
            view = ProblemView(pointer, run)
            try:
                function(view, np.frombuffer(ffi.buffer(p, 8 * view.rows * view.contacts), float).copy())
            finally:
                view._end()
        return self.raised.callback("plu_own_solver", solve)
