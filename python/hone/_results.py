"""What the program says, as dataclasses. `json` has all of it; the fields are what is used most."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._html import facts, seconds_text, table

Json = dict  # as the program printed it


@dataclass(frozen=True)
class Case:
    """One case of a task. Times are seconds; None where it was only checked."""

    name: str
    outcome: str
    timed: bool
    seconds: float | None
    interval: tuple[float, float] | None  # 95 %
    ceiling_fraction: float | None
    ceiling: str
    error_max: float | None


@dataclass(frozen=True)
class Evidence:
    """Why a candidate was not accepted, or what the judge noticed."""

    text: str
    guard: str
    case: str
    convicts: bool


@dataclass(frozen=True)
class Evaluation:
    """The verdict on a candidate. Its time counts only where it was accepted."""

    outcome: str  # "accepted", "wrong", "build_failed", "crashed", ...
    seconds: float | None  # geometric mean over the timed cases
    cases: tuple[Case, ...]
    evidence: tuple[Evidence, ...]
    build_log: str
    device: str
    id: str | None  # in the archive; None: it is not recorded
    json: Json = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def accepted(self) -> bool:
        return self.outcome == "accepted"

    def _repr_html_(self) -> str:
        head = f"{self.outcome} {seconds_text(self.seconds)} on {self.device}"
        rows = [
            (
                case.name,
                case.outcome if case.outcome != "accepted" or case.timed else "checked",
                seconds_text(case.seconds),
                "" if case.ceiling_fraction is None else f"{100 * case.ceiling_fraction:.3g} %",
                "" if case.error_max is None else f"{case.error_max:.1e}",
            )
            for case in self.cases
        ]
        said = [(evidence.case, evidence.guard, evidence.text) for evidence in self.evidence]
        return (
            facts(head)
            + table(("case", "outcome", "time", "of the ceiling", "error"), rows)
            + table(("case", "guard", "evidence"), said)
        )


@dataclass(frozen=True)
class ComparedCase:
    name: str
    ratio: float | None  # time of b over time of a
    low: float | None
    high: float | None
    seconds_a: float | None
    seconds_b: float | None


@dataclass(frozen=True)
class Comparison:
    """Whether b is faster than a, measured in turns."""

    word: str | None  # "faster", "slower", "same", "cannot tell"; None: they were not compared
    ratio: float | None  # time of b over time of a
    low: float | None  # 99 %
    high: float | None
    cases: tuple[ComparedCase, ...]
    a: Evaluation | None  # None: nothing was judged of it
    b: Evaluation | None
    refusal: str | None  # why they could not be compared
    id: str | None
    json: Json = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def faster(self) -> bool:
        return self.word == "faster"

    @property
    def times_as_fast(self) -> float | None:
        return 1 / self.ratio if self.ratio else None

    def _repr_html_(self) -> str:
        if self.word is None:
            sides = "".join(side._repr_html_() for side in (self.a, self.b) if side)
            return facts(self.refusal or "not compared") + sides
        head = f"b is {self.word}"
        if self.ratio is not None and self.low is not None and self.high is not None:
            head += f": {self.ratio:.4g} of the time of a (99 %: {self.low:.4g} to {self.high:.4g})"
        rows = [
            (c.name, "" if c.ratio is None else f"{c.ratio:.4g}", seconds_text(c.seconds_a),
             seconds_text(c.seconds_b))
            for c in self.cases
        ]  # fmt: skip
        return facts(head) + table(("case", "b / a", "a", "b"), rows)


@dataclass(frozen=True)
class Advice:
    title: str
    severity: str
    evidence: str
    recommendation: str
    gain: tuple[float, float] | None  # part of the time that is expected to be saved
    tool: str
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Profile:
    """Why an accepted candidate takes the time that it takes, and what to do about it."""

    bound: str | None  # "compute", "memory", "latency", "mixed"; None: it was not accepted
    reason: str
    advice: tuple[Advice, ...]
    seconds: float | None
    evaluation: Evaluation | None  # of a candidate that was not accepted, and so not profiled
    id: str | None
    json: Json = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        if self.evaluation:
            return facts("Only an accepted candidate is profiled.") + self.evaluation._repr_html_()
        rows = [
            (a.severity, a.title, a.recommendation,
             "" if a.gain is None else f"{100 * a.gain[0]:.0f} to {100 * a.gain[1]:.0f} %")
            for a in self.advice
        ]  # fmt: skip
        head = f"{self.bound}: {self.reason}"
        return facts(head) + table(("severity", "advice", "what to do", "gain"), rows)


@dataclass(frozen=True)
class Tuning:
    """The fastest point of a candidate's [tune] table."""

    winner: dict[str, int] | None  # None: nothing was better than the default, or accepted
    seconds: float | None  # of the winner, certified
    times_as_fast: float | None  # as the default
    conclusion: str
    points: int  # that were tried
    interrupted: bool
    written: str | None  # the candidate's file
    run: str
    json: Json = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        point = " ".join(f"{name}={value}" for name, value in (self.winner or {}).items())
        rows = [(point or "none", seconds_text(self.seconds), str(self.points), self.written or "")]
        return facts(self.conclusion) + table(("winner", "time", "points", "written"), rows)


@dataclass(frozen=True)
class Run:
    """What a run of models came to."""

    id: str
    state: str  # "finished", "stopped", "away"
    conclusion: str
    best: int | None  # the number of the best candidate
    seconds: float | None  # of the best, certified
    candidates: int
    usd: float
    json: Json = field(repr=False, compare=False)
    notes: tuple[str, ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        best = "none" if self.best is None else f"{self.best:05}"
        rows = [(best, seconds_text(self.seconds), str(self.candidates), f"{self.usd:.2f}")]
        head = f"run {self.id}: {self.state}. {self.conclusion}"
        return facts(head) + table(("best", "time", "candidates", "dollars"), rows)


# ---- from what the program prints


def evaluation_from(json: Json, notes: list[str] | tuple[str, ...] = ()) -> Evaluation:
    return Evaluation(
        outcome=json["outcome"],
        seconds=json["geomean_s"] if json["outcome"] == "accepted" else None,
        cases=tuple(
            Case(
                name=case["name"],
                outcome=case["outcome"],
                timed=case["timed"],
                seconds=case["median_s"] if case["timed"] else None,
                interval=_pair(case["interval_s"]) if case["timed"] else None,
                ceiling_fraction=case["ceiling_fraction"],
                ceiling=case["ceiling"] or "",
                error_max=case["error_max"],
            )
            for case in json["cases"]
        ),
        evidence=tuple(
            Evidence(one["text"], one["guard"], one["case"] or "", one["convicts"])
            for one in json["evidence"]
        ),
        build_log=json["build_log"],
        device=(json.get("device") or {}).get("name", json["key"]["device"]),
        id=json.get("id"),
        json=json,
        notes=tuple(notes),
    )


def comparison_from(json: Json, notes: list[str]) -> Comparison:
    sides = [evaluation_from(json[side]) if json.get(side) else None for side in ("a", "b")]
    return Comparison(
        word=json["word"] if json["compared"] else None,
        ratio=json["ratio"] if json["compared"] else None,
        low=json["low"] if json["compared"] else None,
        high=json["high"] if json["compared"] else None,
        cases=tuple(
            ComparedCase(c["name"], c["ratio"], c["low"], c["high"], c["median_a"], c["median_b"])
            for c in json["cases"]
        ),
        a=sides[0],
        b=sides[1],
        refusal=json.get("refusal"),
        id=json.get("id"),
        json=json,
        notes=tuple(notes),
    )


def profile_from(json: Json, notes: list[str]) -> Profile:
    refused = "diagnosis" not in json
    diagnosis = {} if refused else json["diagnosis"]
    return Profile(
        bound=diagnosis.get("bound"),
        reason=diagnosis.get("reason", ""),
        advice=tuple(
            Advice(
                title=a["title"],
                severity=a["severity"],
                evidence=a["evidence"],
                recommendation=a["recommendation"],
                gain=_pair(a["gain"]),
                tool=a["tool"],
                lines=tuple(a["lines"]),
            )
            for a in json.get("advice", ())
        ),
        seconds=None if refused else json["seconds"],
        evaluation=evaluation_from(json) if refused else None,
        id=json.get("id"),
        json=json,
        notes=tuple(notes),
    )


def tuning_from(json: Json, notes: list[str]) -> Tuning:
    certified = json["certified"] or {}
    ratio = (json["compared"] or {}).get("ratio")
    return Tuning(
        winner=json["winner"],
        seconds=certified.get("geomean_s"),
        times_as_fast=1 / ratio if ratio else None,
        conclusion=json["conclusion"],
        points=json["points"]["done"],
        interrupted=json["interrupted"],
        written=json["written"],
        run=json["run"],
        json=json,
        notes=tuple(notes),
    )


def run_from(json: Json, notes: list[str]) -> Run:
    evaluation = json["evaluation"] or {}
    return Run(
        id=json["run"],
        state=json["state"],
        conclusion=json["conclusion"],
        best=json["best"],
        seconds=evaluation.get("geomean_s") if json["certified"] else None,
        candidates=json["candidates"]["all"],
        usd=json["spending"]["usd"],
        json=json,
        notes=tuple(notes),
    )


def _pair(values: Any) -> tuple[float, float] | None:
    return (values[0], values[1]) if values else None
