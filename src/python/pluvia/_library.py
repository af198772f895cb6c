"""The shared library by cffi, its errors as exceptions."""
from __future__ import annotations

import os
import pathlib
import re
from typing import Any, Callable, Iterable

import cffi

from ._headers import DECLARATIONS, VERSION

ffi: Any = cffi.FFI()
ffi.cdef(DECLARATIONS)
ffi.cdef("void free(void *memory);")


class PluviaError(Exception):
    """What the library or the command says went wrong: the same sentence as on the command line."""


class UsageError(PluviaError, ValueError):
    """A name that does not exist, an argument out of range."""


class InputError(PluviaError, ValueError):
    """An invalid scene or input file."""


class NotConverged(PluviaError):
    """A tolerance was not reached where the scene makes that an error."""


class FileError(PluviaError, OSError):
    """A file that is missing, cannot be read or written; memory."""


class Breakdown(PluviaError, ArithmeticError):
    """A velocity is not finite."""


class Held(PluviaError):
    """Another run writes the same result."""


KINDS = {2: UsageError, 3: InputError, 4: NotConverged, 5: FileError, 6: Breakdown, 7: Held}  # plu_status


def _beside() -> str | None:
    """The library that came in the same wheel (tools/wheel.sh) or lies in the same build folder, or None."""
    package = pathlib.Path(__file__).parent
    for place in package.parent / ".pluvia.mesonpy.libs", package.parents[1]:
        path = place / f"libpluvia.so.{VERSION}"
        if path.exists():
            return str(path)
    return None


def _open() -> Any:
    name = os.environ.get("PLUVIA_LIBRARY") or _beside() or f"libpluvia.so.{'.'.join(VERSION.split('.')[:2])}"
    try:
        library = ffi.dlopen(name)
    except OSError as problem:
        raise ImportError(f"{problem}: install the library, or name it in PLUVIA_LIBRARY") from None
    found = ffi.string(library.plu_version()).decode()
    if found != VERSION:
        raise ImportError(f"{name} is version {found}, this package is of version {VERSION}")
    return library


lib = _open()
libc = ffi.dlopen(None)  # for texts that the library has its caller free


def call(function: Callable[..., int], *arguments: Any) -> None:
    """Calls a function of the library whose last argument is a plu_error; a failure is an exception."""
    error = ffi.new("plu_error *")
    status = function(*arguments, error)
    if status != lib.PLU_OK:
        raise KINDS.get(status, PluviaError)(in_python(text(error.text)))


def in_python(sentence: str) -> str:
    """A message about a changed key, with the argument of Python in place of the option -s."""
    return re.sub(r"^-s ", "changes: ", sentence, flags=re.MULTILINE)


def text(chars: Any) -> str:
    """A text of the library."""
    return ffi.string(chars).decode("utf-8", "replace") if chars != ffi.NULL else ""


def texts(words: Iterable[object]) -> tuple[Any, list[Any]]:
    """An array of C strings, and what must be kept while it is used."""
    kept = [ffi.new("char[]", str(word).encode()) for word in words]
    return (ffi.new("char *[]", kept) if kept else ffi.NULL), kept


def fields(struct: Any) -> dict[str, Any]:
    """A C struct as a dictionary, and those within it; arrays of numbers become lists."""
    out = {}
    for name, field in ffi.typeof(struct).fields:
        value = getattr(struct, name)
        kind = field.type.kind
        out[name] = list(value) if kind == "array" else fields(value) if kind == "struct" else value
    return out
