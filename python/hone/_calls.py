"""The commands as functions. Their options are those of the command line."""

from __future__ import annotations

import os
from typing import Any, Callable, Mapping, Sequence, Union

from . import _results as results
from ._program import call
from ._task import Task

PathLike = Union[str, "os.PathLike[str]"]
TaskLike = Union[Task, PathLike]
Progress = Union[bool, Callable[[str], None]]  # what hone says: printed, or given to a function


def _words(**options: Any) -> list[str]:
    """Options as the command line has them; None and False are left out."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        elif isinstance(value, Mapping):
            words += [w for key, each in value.items() for w in (option, f"{key}={each}")]
        elif isinstance(value, (list, tuple)):
            words += [w for each in value for w in (option, os.fspath(each))]
        else:
            words += [option, str(value)]
    return words


def evaluate(
    task: TaskLike,
    candidate: PathLike,
    *,
    case: str | None = None,
    depth: str = "screen",
    set: Mapping[str, int] | None = None,
    time_limit: float | None = None,
    quick: bool = False,
    record: bool = True,
    device: str | None = None,
    archive: PathLike | None = None,
    progress: Progress = False,
) -> results.Evaluation:
    """Is the candidate right and honest, and how fast is it? (`hone eval`)"""
    words = ["eval", os.fspath(task), os.fspath(candidate), "--depth", depth]
    words += _words(case=case, set=set, time_limit=time_limit, quick=quick, no_record=not record)
    words += _words(device=device, archive=archive)
    _, json, notes = call(words, progress)
    return results.evaluation_from(json, notes)


def compare(
    task: TaskLike,
    a: PathLike,
    b: PathLike,
    *,
    case: str | None = None,
    depth: str = "screen",
    margin: float | None = None,
    max_seconds: float | None = None,
    record: bool = True,
    device: str | None = None,
    archive: PathLike | None = None,
    progress: Progress = False,
) -> results.Comparison:
    """Is b faster than a, and how sure is that? (`hone compare`)"""
    words = ["compare", os.fspath(task), os.fspath(a), os.fspath(b), "--depth", depth]
    words += _words(case=case, margin=margin, max_seconds=max_seconds, no_record=not record)
    words += _words(device=device, archive=archive)
    _, json, notes = call(words, progress)
    return results.comparison_from(json, notes)


def profile(
    task: TaskLike,
    candidate: PathLike,
    *,
    case: str | None = None,
    set: Mapping[str, int] | None = None,
    tool: Sequence[str] | None = None,
    energy: bool = False,
    device: str | None = None,
    archive: PathLike | None = None,
    progress: Progress = False,
) -> results.Profile:
    """What limits the candidate, what to do, and what that should gain. (`hone profile`)"""
    words = ["profile", os.fspath(task), os.fspath(candidate)]
    words += _words(case=case, set=set, tool=tool, energy=energy, device=device, archive=archive)
    _, json, notes = call(words, progress)
    return results.profile_from(json, notes)


def tune(
    task: TaskLike,
    candidate: PathLike,
    *,
    out: PathLike | None = None,
    max_evals: int | None = None,
    max_minutes: float | None = None,
    case: str | None = None,
    fresh: bool = False,
    force: bool = False,
    device: str | None = None,
    archive: PathLike | None = None,
    progress: Progress = False,
) -> results.Tuning:
    """The fastest point of the candidate's [tune] table. (`hone tune`)

    The same call goes on where it was interrupted.
    """
    words = ["tune", os.fspath(task), os.fspath(candidate)]
    words += _words(out=out, max_evals=max_evals, max_minutes=max_minutes, case=case, fresh=fresh)
    words += _words(force=force, device=device, archive=archive)
    _, json, notes = call(words, progress)
    return results.tuning_from(json, notes)


def run(
    task: TaskLike,
    *,
    llm: str | None = None,
    seeds: Sequence[PathLike] | None = None,
    strategy: str | None = None,
    write: str | None = None,
    attempts: int | None = None,
    max_usd: float | None = None,
    max_candidates: int | None = None,
    max_minutes: float | None = None,
    device: str | None = None,
    archive: PathLike | None = None,
    progress: Progress = False,
    **options: Any,
) -> results.Run:
    """Models write faster kernels, judged one by one. (`hone run`; other options by their names)"""
    words = ["run", os.fspath(task)]
    words += _words(llm=llm, seed=seeds, strategy=strategy, write=write, attempts=attempts)
    words += _words(max_usd=max_usd, max_candidates=max_candidates, max_minutes=max_minutes)
    words += _words(device=device, archive=archive, **options)
    _, json, notes = call(words, progress)
    return results.run_from(json, notes)
