"""A scene: from a file, from a text, or from values by the keys of scenes."""
from __future__ import annotations

import os
from typing import Any, Mapping

import numpy as np

from ._arguments import checked, fitted
from ._library import UsageError, call, ffi, lib, text as text_of, texts


def written(value: Any) -> str:
    """A value in the syntax of scenes."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + fitted("a value", "str", value).replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, np.ndarray):
        return written(value.tolist())
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(written(v) for v in value) + "]"
    if isinstance(value, (int, np.integer)):
        return str(int(value)) + ("L" if abs(int(value)) > 2147483647 else "")
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    raise UsageError(f"{value!r} is no value of a scene: a number, a text, True or False, or a list of these" +
                     ('; changes have keys with dots, as {"time.step": 1e-3}' if isinstance(value, Mapping) else ""))


def assigned(changes: Mapping[str, Any]) -> list[str]:
    """KEY=VALUE of each change, in the syntax of scenes."""
    return [f"{fitted('changes: a key', 'str', key)}={written(value)}" for key, value in changes.items()]


def _is_group_list(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


class _Draft:
    """Values by keys (include/pluvia/draft.h); what the library refuses it says when the scene is made."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        made = ffi.new("plu_draft **")
        call(lib.plu_draft_create, made)
        self.c = ffi.gc(made[0], lib.plu_draft_destroy)
        for key, value in values.items():
            self._set(key, value)

    def _set(self, path: str, value: Any) -> None:
        key = fitted("a key", "str", path)
        if isinstance(value, Mapping) and value:
            for name, inner in value.items():
                self._set(f"{key}.{name}", inner)
        elif _is_group_list(value):
            for index, inner in enumerate(value):
                self._set(f"{key}[{index}]", inner)
        elif isinstance(value, (float, np.floating)):
            lib.plu_draft_set_real(self.c, key.encode(), float(value))
        elif isinstance(value, str):
            lib.plu_draft_set_text(self.c, key.encode(), fitted(key, "str", value).encode())
        elif isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype == float:
            numbers = np.ascontiguousarray(value)
            lib.plu_draft_set_reals(self.c, key.encode(), len(numbers), ffi.cast("double *", ffi.from_buffer(numbers)))
        else:
            lib.plu_draft_set(self.c, key.encode(), ("{}" if isinstance(value, Mapping) else written(value)).encode())


class Scene:
    """A scene: of a file, of a text as a file would have it, or of values by the keys of scenes (scenes/reference.md).

    >>> scene = Scene(text='''
    ...     time: { step = 1e-3; end = 0.5; };
    ...     materials = ( { name = "glass"; density = 2500.0; } );
    ...     contacts = ( { between = ["glass", "glass"]; friction = 0.3; } );
    ...     boundaries = ( { name = "floor"; plane: {}; material = "glass"; } );
    ...     bodies = ( { position = [0, 0, 0.1]; radius = 0.1; velocity = [1, 0, 0]; material = "glass"; } );
    ... ''', changes={"time.step": 2e-3})
    >>> scene.step, scene.materials, scene.boundaries
    (0.002, ['glass'], ['floor'])

    The same by values; groups are dictionaries, lists of groups are lists of them, and positions may come from numpy:

    >>> again = Scene(time={"step": 2e-3, "end": 0.5},
    ...               materials=[{"name": "glass", "density": 2500.0}],
    ...               contacts=[{"between": ["glass", "glass"], "friction": 0.3}],
    ...               boundaries=[{"name": "floor", "plane": {}, "material": "glass"}],
    ...               bodies=[{"position": np.array([0, 0, 0.1]), "radius": 0.1, "velocity": [1, 0, 0], "material": "glass"}])
    >>> again.step, again.materials, again.boundaries
    (0.002, ['glass'], ['floor'])
    """

    @checked
    def __init__(self, path: str | os.PathLike[str] | None = None, *, text: str | None = None,
                 changes: Mapping[str, Any] | None = None, **values: Any) -> None:
        """`changes`: keys and values that replace those of the scene, as with `pluvia run -s`. Raises InputError, FileError."""
        if (path is not None) + (text is not None) + bool(values) != 1:
            raise UsageError("Scene: either a path, text=..., or values (time={...}, bodies=[...], ...) are needed")
        self._c = ffi.gc(ffi.new("plu_scene *"), lib.plu_scene_free)
        self._given: dict[str, Any] = {"path": path, "text": text, "changes": dict(changes or {}), **values}
        if values:
            draft = _Draft({**values, **(changes or {})})
            call(lib.plu_draft_scene, draft.c, self._c, ffi.NULL, b"scene")
            return
        words, self._kept = texts(assigned(changes or {}))
        if text is None:
            call(lib.plu_scene_read, self._c, os.fsencode(path or ""), words, len(self._kept))
        else:
            call(lib.plu_scene_read_text, self._c, b"scene", text.encode(), words, len(self._kept))

    def _again(self) -> Scene:
        """The same scene once more, for a run that changes it."""
        again = Scene(**self._given)
        if again.resolved != self.resolved:
            raise UsageError(f"{text_of(self._c.path)} has changed since this Scene was made of it; make another one")
        return again

    def __repr__(self) -> str:
        return f"<Scene{f' {self.title!r}' if self.title else ''}: {self.end:g} s in steps of {self.step:g} s>"

    @property
    def title(self) -> str:
        return text_of(self._c.title)

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
    def materials(self) -> list[str]:
        """Names, in the order of `bodies.material`."""
        return [text_of(self._c.materials[k].name) for k in range(self._c.materials_count)]

    @property
    def boundaries(self) -> list[str]:
        """Names, in the order of the scene."""
        return [text_of(self._c.boundaries[k].name) for k in range(self._c.boundaries_count)]

    @property
    def stages(self) -> list[str]:
        """Names, in the order of the scene."""
        return [text_of(self._c.stages[k].name) for k in range(self._c.stages_count)]

    @property
    def resolved(self) -> str:
        """The scene as a text with every default filled in; of a file, that is to be saved."""
        return text_of(self._c.resolved)
