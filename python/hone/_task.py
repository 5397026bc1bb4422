"""A task made of a function, as `hone task new` makes it: hone.task(...)"""

from __future__ import annotations

import inspect
import os
import tempfile
import textwrap
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Union

from ._html import facts
from ._program import Error, call

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Task:
    """The folder of a task; it stands wherever a task is asked for."""

    folder: Path
    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __fspath__(self) -> str:
        return str(self.folder)

    def _repr_html_(self) -> str:
        return facts(f"task {self.folder}") + "".join(facts(note) for note in self.notes)


def task(
    folder: PathLike | None = None,
    *,
    reference: Callable[..., Any],
    inputs: Callable[..., Any] | str,
    kernel: PathLike | None = None,
    seconds: float | None = None,
) -> Task:
    """Writes the folder of a task that computes what `reference` computes.

    `reference` is a function of torch or NumPy; `inputs` a function that draws example inputs, or
    Python that does, such as "torch.randn(4096, 1000)". `kernel`: a .cu, .cl or .py file to begin
    with. The functions are copied, with the modules, functions and plain values that they name.
    """
    name = reference.__name__
    place = Path(os.fspath(folder) if folder is not None else name)
    text = source_of([reference] if isinstance(inputs, str) else [reference, inputs])
    if not isinstance(inputs, str) and inputs.__name__ != "example_inputs":
        text += f"\n\nexample_inputs = {inputs.__name__}\n"
    with tempfile.TemporaryDirectory(prefix="hone-task-") as scratch:
        file = Path(scratch, "reference.py")
        file.write_text(text, encoding="utf-8")
        named = f"{file}:{name}"
        words = ["task", "new", str(place), "--from", os.fspath(kernel) if kernel else named]
        if kernel:
            words += ["--reference", named]
        if isinstance(inputs, str):
            words += ["--example", inputs]
        if seconds is not None:
            words += ["--reference-seconds", str(seconds)]
        _, json, notes = call(words)
    return Task(place, tuple(json["written"]), tuple(notes))


def source_of(functions: list[Callable[..., Any]]) -> str:
    """Python that defines the functions and all that they name."""
    imports: dict[str, str] = {}
    values: dict[str, str] = {}
    sources: dict[str, str] = {}
    for function in functions:
        _collect(function, imports, values, sources)
    parts = [*imports.values(), *values.values(), *("\n\n" + text for text in sources.values())]
    return "\n".join(parts)


def _collect(
    function: Any, imports: dict[str, str], values: dict[str, str], sources: dict[str, str]
) -> None:
    if not isinstance(function, types.FunctionType) or function.__name__ == "<lambda>":
        raise Error(f"{function!r}: a reference is a function written with def", 2, "usage")
    name = function.__name__
    if name in sources:
        return
    if function.__closure__:
        raise Error(
            f"{name} uses variables of the function that it stands in: write it by itself",
            2,
            "usage",
        )
    sources[name] = ""  # its place; it may name itself
    try:
        text = textwrap.dedent(inspect.getsource(function)).rstrip()
    except OSError as error:
        raise Error(f"the source of {name} cannot be read: {error}", 2, "usage") from None
    for used in _names_of(function.__code__):
        if used in function.__globals__:
            _collect_name(name, used, function.__globals__[used], imports, values, sources)
    sources[name] = text


def _names_of(code: types.CodeType) -> list[str]:
    nested = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    return [*code.co_names, *(name for each in nested for name in _names_of(each))]


def _collect_name(
    function: str,
    name: str,
    value: Any,
    imports: dict[str, str],
    values: dict[str, str],
    sources: dict[str, str],
) -> None:
    if isinstance(value, types.ModuleType):
        imports[name] = f"import {value.__name__} as {name}"
    elif isinstance(value, types.FunctionType) and _is_local(value):
        _collect(value, imports, values, sources)
    elif isinstance(value, (int, float, str, bool, bytes, type(None))):
        values[name] = f"{name} = {value!r}"
    elif getattr(value, "__module__", None) and getattr(value, "__name__", None) == name:
        imports[name] = f"from {value.__module__} import {name}"
    else:
        raise Error(
            f"{function} names {name}, which is a {type(value).__name__}: give the functions only "
            "modules, functions, numbers and texts, or write them to a file and use "
            "`hone task new --from FILE.py:FUNCTION`",
            2,
            "usage",
        )


def _is_local(function: types.FunctionType) -> bool:
    """Whether it is the user's own, of a file that is not installed."""
    file = getattr(function.__code__, "co_filename", "")
    return "site-packages" not in file and "dist-packages" not in file and "/lib/python" not in file
