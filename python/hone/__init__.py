"""Hone from Python: judge GPU kernels, explain their time, and make them faster.

    import hone
    task = hone.task("rmsnorm", reference=rmsnorm, inputs=example_inputs)
    verdict = hone.evaluate(task, "fast.cu")
    if verdict.accepted:
        print(verdict.seconds)

Every function starts the program `hone` that came with this package and reads the JSON that it
prints: nothing is said here that the program does not say. A candidate that is wrong, that crashes
or that does not build is a result. Only what keeps Hone from judging at all (no device, no
compiler, a task that cannot be loaded) is an exception, `hone.Error`, whose text says what to do.
"""

from ._calls import compare, evaluate, profile, run, tune
from ._program import Error, program, version
from ._results import Advice, Case, Comparison, ComparedCase, Evaluation, Evidence, Profile
from ._results import Run, Tuning
from ._task import Task, task

__all__ = [
    "Advice",
    "Case",
    "ComparedCase",
    "Comparison",
    "Error",
    "Evaluation",
    "Evidence",
    "Profile",
    "Run",
    "Task",
    "Tuning",
    "compare",
    "evaluate",
    "profile",
    "program",
    "run",
    "task",
    "tune",
    "version",
]
