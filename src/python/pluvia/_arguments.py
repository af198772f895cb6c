"""Arguments of the functions of this package: converted as their annotations say; what does not fit is a UsageError with one
sentence, before anything of it reaches the library."""
from __future__ import annotations

import difflib
import functools
import importlib
import inspect
import numbers
import os
import re
from typing import Any, Callable, Mapping, Sequence, TypeVar

import numpy as np

from ._library import UsageError


def needed(name: str) -> Any:
    """The module of another package, which not all of this one needs."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as problem:
        package = name.partition(".")[0]
        if (problem.name or "").partition(".")[0] != package:
            raise
        raise ModuleNotFoundError(f"this needs the Python package {package} (on Debian: python3-{package})", name=package) from None


def misspelt(thing: Any, name: str) -> str:
    """What is wrong with setting an attribute that a thing does not have."""
    near = difflib.get_close_matches(name, [known for known in dir(type(thing)) if not known.startswith("_")], 1)
    return f"{type(thing).__name__} has no attribute {name!r}" + (f"; did you mean {near[0]!r}?" if near else "")


F = TypeVar("F", bound=Callable[..., Any])
LARGEST = 2**31 - 1  # of an int in C


class _Unfit(Exception):
    """The value is not of this kind."""


def _real(value: Any) -> float:
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, numbers.Real):
        raise _Unfit
    return float(value)


def _whole(value: Any) -> int:
    real = _real(value)
    if real != real or abs(real) > LARGEST or real != int(real):
        raise _Unfit
    return int(real)


def _flag(value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)) and not (isinstance(value, int) and value in (0, 1)):
        raise _Unfit
    return bool(value)


def _word(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise _Unfit
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _Unfit from None
    return value


def _path(value: Any) -> Any:
    name = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    if not isinstance(name, str) or not name or "\0" in name:
        raise _Unfit
    return value


def _numbers(value: Any) -> np.ndarray:
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "biuf":
            raise _Unfit
        return np.asarray(array, float)
    except (TypeError, ValueError):
        raise _Unfit from None


def _of(kind: Any) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if not (callable(value) if kind is None else isinstance(value, kind)):
            raise _Unfit
        return value
    return check


def _list(value: Any) -> Any:
    if not isinstance(value, Sequence) or isinstance(value, (str, bytes)):
        raise _Unfit
    return value


def _named(name: str) -> Callable[[Any], Any]:
    """An object of a class of this package."""
    def check(value: Any) -> Any:
        if not any(kind.__name__ == name and kind.__module__.startswith("pluvia.") for kind in type(value).__mro__):
            raise _Unfit
        return value
    return check


# By the annotation of a parameter, without what is in brackets: what it must be, and what makes it that.
KINDS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "None": ("None", _of(type(None))), "int": ("a whole number", _whole), "float": ("a number", _real),
    "bool": ("True or False", _flag), "str": ("a text", _word), "path": ("a path", _path), "ArrayLike": ("numbers", _numbers),
    "Mapping": ("a dictionary", _of(Mapping)), "Sequence": ("a list", _list), "Callable": ("a function", _of(None)),
    "Scene": ("a Scene", _named("Scene")), "Trajectory": ("a Trajectory", _named("Trajectory"))}


def _kinds(annotation: str) -> list[str]:
    annotation = annotation.replace("str | os.PathLike[str]", "path")
    while "[" in annotation:
        annotation = re.sub(r"\[[^\[\]]*\]", "", annotation)
    return annotation.split(" | ")


def fitted(where: str, annotation: str, value: Any) -> Any:
    """The value as one of the kinds that the annotation names; `where` begins the sentence, as "solve: tolerance"."""
    kinds = _kinds(annotation)
    for kind in sorted(kinds, key="None".__ne__):
        try:
            return KINDS[kind][1](value)
        except _Unfit:
            pass
    ours = type(value).__module__.startswith("pluvia.")
    given = f"a {type(value).__name__}" if ours else " ".join(repr(value).split())
    given = given if len(given) <= 60 else given[:57] + "..."
    hint = "; Simulation(scene).run() runs a Scene in memory" if given == "a Scene" else ""
    raise UsageError(f"{where} is {given}; it must be {' or '.join(KINDS[kind][0] for kind in kinds)}{hint}")


def checked(function: F) -> F:
    """Converts the arguments of the function; what is annotated Any, and the object that it belongs to, are left."""
    signature = inspect.signature(function)
    name = function.__qualname__.replace(".__init__", "").rpartition(".")[2]
    wanted = {p.name: p.annotation for p in signature.parameters.values()
              if p.kind is not p.VAR_KEYWORD and p.annotation not in ("Any", p.empty)}

    @functools.wraps(function)
    def converted(*arguments: Any, **named: Any) -> Any:
        try:
            given = signature.bind(*arguments, **named)
        except TypeError:
            return function(*arguments, **named)  # Python's own sentence: what is missing or unknown
        for parameter, value in given.arguments.items():
            if parameter in wanted:
                given.arguments[parameter] = fitted(f"{name}: {parameter}", wanted[parameter], value)
        return function(*given.args, **given.kwargs)
    return converted  # type: ignore[return-value]
