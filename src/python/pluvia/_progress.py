"""How far a run is: a bar of tqdm where that is installed, otherwise a line on standard error."""
from __future__ import annotations

import importlib.util
import sys
import time
from typing import Any


def in_notebook() -> bool:
    """Whether this Python is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def is_shown(progress: bool | None) -> bool:
    """None: where somebody looks, in a terminal and in a notebook."""
    return (sys.stderr.isatty() or in_notebook()) if progress is None else progress


def _bar(total: float, begun: float) -> Any:
    """A bar of tqdm, as a widget where a notebook has these; None without tqdm."""
    if importlib.util.find_spec("tqdm") is None:
        return None
    widgets = in_notebook() and importlib.util.find_spec("ipywidgets") is not None
    tqdm = importlib.import_module("tqdm.notebook" if widgets else "tqdm").tqdm
    return tqdm(total=total, initial=begun, unit="s", bar_format="{l_bar}{bar}| {n:.4g} of {total:.4g} s [{elapsed}<{remaining}{postfix}]",
                file=None if widgets else sys.stderr)


class Progress:
    """Shows the simulated time up to `end` (s); to be used in a `with`."""

    INTERVAL = 0.2  # s

    def __init__(self, begun: float, end: float, shown: bool) -> None:
        self._end, self._now, self._shown = end, begun, shown
        self._bar = _bar(end, begun) if shown else None
        self._last = time.monotonic()
        self._written = False

    def __enter__(self) -> Progress:
        return self

    def show(self, now: float, contacts: int) -> None:
        """Now and then."""
        if not self._shown or time.monotonic() - self._last < self.INTERVAL:
            return
        self._last = time.monotonic()
        if self._bar is not None:
            self._bar.set_postfix_str(f"{contacts} contacts", refresh=False)
            self._move(now)
        else:
            self._written = True
            print(f"\r{now:.4g} of {self._end:g} s, {contacts} contacts ", end="", file=sys.stderr, flush=True)

    def _move(self, now: float) -> None:
        self._bar.update(now - self._now)
        self._now = now

    def done(self, now: float) -> None:
        """At the end of the run."""
        if self._bar is not None:
            self._move(now)
        elif self._shown:
            self._written = False
            print(f"\r{now:.4g} of {self._end:g} s: done" + " " * 20, file=sys.stderr)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._written:
            print(file=sys.stderr)  # what is raised begins a line of its own
