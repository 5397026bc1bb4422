#!/usr/bin/env python3
"""Both evaluators' lines as Markdown: agreement and throughput.

    compare.py FILE.jsonl... > table.md

Lines of official.py and hone.py in any order; of several runs of a file the median counts, and a
verdict that changed between runs is said. Only official runs made alone (-j 1) count for times.
"""
import json
import re
import statistics
import sys

FORMS = [
    ("headers", "torch headers"),
    ("light", "light loader"),
    ("triton", "Triton"),
    ("device", "device"),
]
GOALS = {"headers": 1, "light": 12, "triton": 3, "device": 40}


def read(paths):
    lines = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for text in file:
                if text.startswith("{"):
                    line = json.loads(text)
                    lines.setdefault(line["file"], {}).setdefault(line["by"], []).append(line)
    return lines


def cell(text, most=110):
    text = re.sub(r"\s+", " ", str(text)).replace("|", "\\|").strip()
    return text if len(text) <= most else text[: most - 1] + "…"


def median(values):
    values = [one for one in values if one is not None]
    return statistics.median(values) if values else None


def number(value, digits=3):
    return "–" if value is None else f"{value:.{digits}g}"


def verdict(runs):
    seen = sorted({one["verdict"] for one in runs})
    return " / ".join(seen)


def text_rules(static):
    """What KernelBench's static checker says; files without inline CUDA are none of its
    business."""
    if not static or static["valid"] is None:
        return "–"
    errors = [one for one in static["errors"] if not one.startswith("Missing __global__")]
    return (
        "takes"
        if static["valid"]
        else cell("refuses: " + "; ".join(errors), 60)
        if errors
        else "(no inline CUDA)"
    )


def alone(runs):
    return [one for one in runs if one.get("side_by_side", 1) == 1]


def form_of(file):
    if file.endswith(".cu"):
        return "device"
    found = re.search(r"_(headers|light|triton)\.py$", file)
    return found.group(1) if found and file.startswith("throughput/") else None


def table(head, rows):
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def agreement(lines):
    rows, counts, surprises = [], {}, []
    kinds = ["right", "wrong", "cheating"]
    chosen = [
        (file, by)
        for file, by in lines.items()
        if "official" in by and "hone" in by and not file.endswith(".cu")
    ]
    chosen.sort(key=lambda one: (kinds.index(one[1]["official"][0].get("kind", "right")), one[0]))
    for file, by in chosen:
        official, hone = by["official"], by["hone"]
        first = official[0]
        takes = all(one["accepts"] for one in official)
        hone_takes = all(one["accepts"] for one in hone)
        kind = first.get("kind", "right")
        ours = hone_takes == (kind == "right")
        theirs = takes == (kind == "right")
        count = counts.setdefault(kind, [0, 0, 0, 0])
        for at, true in enumerate((True, takes == hone_takes, theirs, ours)):
            count[at] += true
        expected = first.get("expect", "").split(" ")[0].strip(";") == "accepts"
        if expected != takes:
            surprises.append(
                (file, first.get("expect", ""), verdict(official), cell(first.get("why", "")))
            )
        said = verdict(official) + (
            ", flagged >10×" if any(one.get("flagged") for one in official) else ""
        )
        why = next((one.get("why") for one in hone if one.get("why")), "")
        rows.append(
            [
                file.split("/")[-1],
                first.get("problem", ""),
                kind,
                cell(first.get("what", ""), 90),
                said,
                text_rules(first.get("static")),
                number(median([one.get("ms") for one in official if one["accepts"]])),
                verdict(hone),
                number(median([one.get("ms") for one in hone])),
                "yes" if takes == hone_takes else "**no**",
                cell(why),
            ]
        )
    print("## Agreement\n")
    table(
        ["candidates", "number", "both agree", "official is right", "Hone is right"],
        [[kind, *map(str, counts[kind])] for kind in kinds if kind in counts],
    )
    table(
        [
            "candidate",
            "problem",
            "kind",
            "what",
            "official",
            "its text rules",
            "ms",
            "Hone",
            "ms",
            "agree",
            "Hone's reason",
        ],
        rows,
    )
    if surprises:
        print("### Official verdicts other than expected\n")
        table(
            ["candidate", "expected", "verdict", "why"],
            [[cell(one) for one in row] for row in surprises],
        )


def parts_of(runs, names):
    return ", ".join(
        f"{name} {number(median([one['split'].get(name) for one in runs]))}"
        for name in names
        if median([one["split"].get(name) for one in runs]) is not None
    )


def throughput(lines):
    rows, ratios, seconds = [], {}, {}
    headers = {}  # what the official evaluator takes for the torch-header form of the same problem
    for file, by in lines.items():
        if form_of(file) == "headers" and "official" in by:
            headers[by["official"][0]["problem"]] = median(
                [one["seconds"] for one in alone(by["official"])]
            )
    for form, words in FORMS:
        for file in sorted(one for one in lines if form_of(one) == form):
            official = alone(lines[file].get("official", []))
            # The first of a command prepares the problem
            hone = [one for one in lines[file].get("hone", []) if not one.get("first")]
            if not hone and not official:
                continue
            theirs = median([one["seconds"] for one in official])
            ours = median([one["seconds"] for one in hone])
            problem = (official or hone)[0]["problem"]
            ratio = theirs / ours if theirs and ours else None
            against = (
                headers.get(problem) / ours
                if form == "device" and headers.get(problem) and ours
                else None
            )
            if ratio:
                ratios.setdefault(form, []).append(ratio)
            if against:
                ratios.setdefault("device, against the torch-header form", []).append(against)
            seconds.setdefault(form, []).append((theirs, ours))
            rows.append(
                [
                    problem,
                    words,
                    verdict(official) if official else "–",
                    number(theirs),
                    number(median([one.get("eager_ms") for one in official])),
                    number(median([one.get("ms") for one in official])),
                    verdict(hone) if hone else "–",
                    number(ours),
                    number(median([one.get("ms") for one in hone])),
                    number(ratio)
                    + (f" ({number(against)} against torch headers)" if against else ""),
                    parts_of(
                        [one for one in official if "split" in one],
                        (
                            "import",
                            "reference",
                            "build",
                            "correctness",
                            "first_call",
                            "timing",
                            "eager",
                            "end",
                        ),
                    ),
                    parts_of(
                        [one for one in hone if "split" in one],
                        sorted({name for one in hone for name in one.get("split", {})}),
                    ),
                    f"{len(official)}/{len(hone)}",
                ]
            )
    if not rows:
        return
    print(
        "## Throughput\n\nSeconds a candidate, medians: whole processes, and turns in a command of "
        "Hone's after the first.\n"
    )
    summary = []
    for form, words in FORMS:
        pairs = seconds.get(form, [])
        if pairs:
            summary.append(
                [
                    words,
                    number(median([one for one, _ in pairs])),
                    number(median([one for _, one in pairs])),
                    number(median(ratios.get(form, []))),
                    f"{GOALS[form]}×",
                ]
            )
    if "device, against the torch-header form" in ratios:
        summary.append(
            [
                "device, against the torch-header form",
                "",
                "",
                number(median(ratios["device, against the torch-header form"])),
                f"{GOALS['device']}×",
            ]
        )
    table(["form", "official s", "Hone s", "times faster, median", "goal"], summary)
    table(
        [
            "problem",
            "form",
            "official",
            "s",
            "eager ms",
            "ms",
            "Hone",
            "s",
            "ms",
            "times faster",
            "official's split, s",
            "Hone's split, s",
            "runs",
        ],
        rows,
    )


def main():
    lines = read(sys.argv[1:])
    throughput(lines)
    agreement(lines)


main()
