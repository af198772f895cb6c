"""Contact problems: from files, from arrays, of steps."""
from __future__ import annotations

import dataclasses
import os
import pathlib
from typing import Any, Mapping

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import checked, fitted
from ._library import FileError, InputError, UsageError, call, ffi, lib, text
from ._solvers import Solver, Solvers, block_matrix, sparse
from ._turns import Turn

FORMATS = {"fclib": "PLU_FCLIB_LOCAL", "fclib-global": "PLU_FCLIB_GLOBAL", "fclib-global-rolling": "PLU_FCLIB_GLOBAL_ROLLING",
           "siconos": "PLU_SICONOS_LOCAL", "siconos-global": "PLU_SICONOS_GLOBAL"}


@dataclasses.dataclass(frozen=True)
class Solution:
    """r, u: impulses and relative velocities, [contacts, rows], in the units of the problem; natural, scaled: residuals."""
    r: np.ndarray
    u: np.ndarray
    solver: str
    converged: bool
    iterations: int
    seconds: float
    natural: float
    scaled: float
    note: str


class Problem:
    """u = W r + q with Coulomb friction and, with mu_r, rolling friction. Rows of a contact: normal, tangents (1 or 2), moments
    (2, with rolling friction).

    A sphere of 2 kg is thrown at 3 m/s along the ground, on which it would sink by 0.1 m/s:

    >>> import numpy as np
    >>> problem = Problem(np.eye(3) / 2.0, [-0.1, 3.0, 0.0], mu=0.2)
    >>> problem.solve(tolerance=1e-12).r.round(9) + 0.0
    array([[ 0.2 , -0.04,  0.  ]])
    """

    @checked
    def __init__(self, W: Any, q: ArrayLike, mu: ArrayLike, mu_r: ArrayLike | None = None, *,
                 planar: bool = False) -> None:
        """W: scipy sparse matrix or array [n, n]; q [n]; mu: a number or [contacts]; mu_r (a length) alike, with 5 rows a
        contact; else 3. In the plane 3 (normal, tangent, moment) and 2. Everything is copied."""
        q = np.ascontiguousarray(q, float).ravel()
        rows = (2 if planar else 3) if mu_r is None else (3 if planar else 5)
        if q.size == 0 or q.size % rows:
            raise UsageError(f"q has {q.size} numbers, not a multiple of {rows}")
        contacts = q.size // rows
        start, column, block = _blocks(W, rows, contacts)
        arrays = ffi.new("plu_problem_arrays *", {"rows": rows, "contacts": contacts})
        mu = _by_contact("mu", mu, contacts)
        kept = [q, start, column, block, mu]
        arrays.q, arrays.mu = ffi.cast("double *", ffi.from_buffer(q)), ffi.cast("double *", ffi.from_buffer(mu))
        arrays.start, arrays.column = ffi.cast("int *", ffi.from_buffer(start)), ffi.cast("int *", ffi.from_buffer(column))
        arrays.block = ffi.cast("double *", ffi.from_buffer(block))
        if mu_r is not None:
            kept.append(_by_contact("mu_r", mu_r, contacts))
            arrays.mu_r = ffi.cast("double *", ffi.from_buffer(kept[-1]))
        made = ffi.new("plu_contact_problem **")
        call(lib.plu_contact_problem_of_arrays, made, arrays)
        self._own(made[0])

    def _own(self, pointer: Any) -> None:
        self._c = ffi.gc(pointer, lib.plu_contact_problem_destroy)
        self._turn = Turn("Problem")

    @classmethod
    def _of(cls, pointer: Any) -> Problem:
        self = cls.__new__(cls)
        self._own(pointer)
        return self

    @classmethod
    @checked
    def read(cls, path: str | os.PathLike[str]) -> Problem:
        """A problem of a file: FCLIB (HDF5) or the text formats of Siconos."""
        made = ffi.new("plu_contact_problem **")
        call(lib.plu_contact_problem_read, made, os.fsencode(path))
        return cls._of(made[0])

    @checked
    def write(self, path: str | os.PathLike[str], format: str | None = None, title: str = "", *, overwrite: bool = False) -> None:
        """Writes it, with the solution where there is one: "fclib", "fclib-global", "fclib-global-rolling", "siconos" or
        "siconos-global" (global ones need bodies). None: "fclib", which does not know rolling friction; with rolling friction
        "fclib-global-rolling" if it has bodies, else "siconos". A file that exists is kept unless `overwrite`."""
        format = self._format() if format is None else format
        if format not in FORMATS:
            raise UsageError(f'unknown format "{format}" (known: {", ".join(FORMATS)})')
        if not overwrite and pathlib.Path(path).exists():
            raise FileError(f"{path} exists; overwrite=True replaces it")
        try:
            with self._turn.taken("write"):
                call(lib.plu_contact_problem_write, self._c, os.fsencode(path), getattr(lib, FORMATS[format]), title.encode())
        except InputError as problem:
            raise InputError(f'{problem} (format="{self._format()}")' if format != self._format() else str(problem)) from None

    def _format(self) -> str:
        """One that can hold it."""
        if not self._facts.rolling:
            return "fclib"
        return "fclib-global-rolling" if self._facts.bodies > 0 else "siconos"

    def __repr__(self) -> str:
        return f"<Problem of {self.contacts} contacts, {self.rows} rows each>"

    @property
    def _facts(self) -> Any:
        facts = ffi.new("plu_problem_facts *")
        lib.plu_contact_problem_facts(self._c, facts)
        return facts

    @property
    def rows(self) -> int:
        """3, 5 (rolling friction) or 7 (pivoting) a contact, in the plane 2 or 3 (rolling friction)."""
        return self._facts.rows

    @property
    def contacts(self) -> int:
        return self._facts.contacts

    @property
    def W(self) -> Any:
        """[n, n]: scipy matrix of blocks, dense without scipy (a copy)."""
        facts = self._facts
        start, column = np.empty(facts.contacts + 1, np.intc), np.empty(facts.blocks, np.intc)
        block = np.empty((facts.blocks, facts.rows, facts.rows))
        lib.plu_contact_problem_w(self._c, ffi.cast("int *", ffi.from_buffer(start)),
                                  ffi.cast("int *", ffi.from_buffer(column)), ffi.cast("double *", ffi.from_buffer(block)))
        return block_matrix(start, column, block, facts.rows)

    @property
    def q(self) -> np.ndarray:
        """[rows * contacts] (a copy)."""
        out = np.empty(self.rows * self.contacts)
        call(lib.plu_contact_problem_q, self._c, ffi.cast("double *", ffi.from_buffer(out)))
        return out

    @property
    def mu(self) -> np.ndarray:
        """[contacts] (a copy)."""
        return self._friction()[0]

    @property
    def mu_r(self) -> np.ndarray:
        """[contacts], a length (a copy)."""
        return self._friction()[1]

    def _friction(self) -> np.ndarray:
        out = np.zeros((3, self.contacts))
        lib.plu_contact_problem_friction(self._c, *(ffi.cast("double *", ffi.from_buffer(out[k])) for k in range(3)))
        return out

    @checked
    def solve(self, solver: str = "gs", *, tolerance: float = 1e-8, max_iterations: int = 0, max_seconds: float = 0.0,
              local: str | None = None, fallback: str | None = None, scaled: bool = False, from_zero: bool = False,
              associated: bool = False, solvers: Mapping[str, Solver] | None = None) -> Solution:
        """Solves it. `solver`: a name that `pluvia help solve` lists, or of `solvers`, functions f(view, p) by name
        (ProblemView). Not reaching the tolerance is a result: Solution.converged."""
        own = Solvers(solvers or {})
        kept = [ffi.new("char[]", name.encode()) if name else ffi.NULL for name in (solver, local, fallback)]
        request = ffi.new("plu_solve_request *", {
            "solver": kept[0], "local": kept[1], "fallback": kept[2], "tolerance": tolerance, "max_iterations": max_iterations,
            "max_seconds": max_seconds, "scaled": scaled, "from_zero": from_zero, "associated": associated,
            "extensions": own.c})
        report = ffi.new("plu_solve_report *")
        rows, contacts = self.rows, self.contacts
        r, u = np.empty((contacts, rows)), np.empty((contacts, rows))
        with self._turn.taken("solve"):
            own.raised.call(lib.plu_contact_problem_solve, self._c, request, report)
            call(lib.plu_contact_problem_solution, self._c, ffi.cast("double *", ffi.from_buffer(r)),
                 ffi.cast("double *", ffi.from_buffer(u)))
        found = Solution(r, u, text(report.solver), report.converged, report.iterations, report.seconds, report.natural,
                         report.scaled, text(report.proof) if report.unsolvable else text(report.note))
        lib.plu_solve_report_free(report)
        return found


def _by_contact(name: str, value: ArrayLike, contacts: int) -> np.ndarray:
    """A number for each contact; one number counts for all."""
    numbers = np.asarray(value, float)
    if numbers.size not in (1, contacts) or numbers.ndim > 1:
        raise UsageError(f"{name} has the shape {numbers.shape}: it takes one number, or one for each of the {contacts} contacts")
    return np.broadcast_to(numbers, (contacts,)).copy()


def _blocks(W: Any, rows: int, contacts: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """start, column, block of W."""
    n = rows * contacts
    if sparse is not None and sparse.issparse(W):
        if W.dtype.kind not in "biuf":
            raise UsageError(f"Problem: W has entries of type {W.dtype}; they must be real numbers")
        if W.shape != (n, n):
            raise UsageError(f"W is {W.shape[0]} x {W.shape[1]}, not {n} x {n}")
        blocks = sparse.bsr_matrix(W.tocsr(), blocksize=(rows, rows))
        blocks.sort_indices()
        return (blocks.indptr.astype(np.intc), blocks.indices.astype(np.intc), np.ascontiguousarray(blocks.data, float))
    dense = fitted("Problem: W", "ArrayLike", W)
    if dense.shape != (n, n):
        raise UsageError(f"W is {' x '.join(map(str, dense.shape))}, not {n} x {n}")
    parts = dense.reshape(contacts, rows, contacts, rows).transpose(0, 2, 1, 3)
    used = (parts != 0).any(axis=(2, 3)) | np.eye(contacts, dtype=bool)
    start = np.concatenate(([0], used.sum(axis=1).cumsum())).astype(np.intc)
    return start, np.nonzero(used)[1].astype(np.intc), np.ascontiguousarray(parts[used])
