#!/usr/bin/env python3
"""Hone on a list of candidates, all of a problem in one command: one JSON line each, in the form of
official.py's.

    hone.py HONE FILES... [--copies N] [--extra=OPTION]... [--limit 200] [--out FILE.jsonl]

`seconds` is a candidate's turn in a command that judges several. The first of a command pays for
the problem's reference and has `first`: true; `start` is what the process took beside all turns.
With --copies each file has a command of its own and is judged N times, under different comments, so
that nothing is found built. HONE_KERNELBENCH and HONE_PYTHON say where both are.
"""
import argparse
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import header_of, name_of, run


def arguments():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("hone")
    ap.add_argument("files", nargs="+")
    ap.add_argument("--device", default="cuda:0")
    ap.add_argument("--copies", type=int, default=0)
    ap.add_argument("--limit", type=float, default=200, help="seconds for one command")
    ap.add_argument("--out", help="append the lines here as well")
    ap.add_argument(
        "--extra",
        action="append",
        default=[],
        help="a further option of hone eval, such as --extra=--quick",
    )
    return ap.parse_args()


def copies_of(path, count, folder):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    made = []
    for i in range(count):
        made.append(os.path.join(folder, f"{i}_{os.path.basename(path)}"))
        own = (
            [*lines[:1], f"# copy {i}", *lines[1:]]
            if path.endswith(".py")
            else [*lines, f"// copy {i}"]
        )
        with open(made[-1], "w", encoding="utf-8") as file:
            file.write("\n".join(own))
    return made


def groups_of(a, folder):
    """A problem, and the candidates of one command for it: (the file, what is judged) each."""
    if a.copies:
        return [
            (header_of(path)["problem"], [(path, one) for one in copies_of(path, a.copies, folder)])
            for path in a.files
        ]
    groups = {}
    for path in a.files:
        groups.setdefault(header_of(path)["problem"], []).append((path, path))
    return list(groups.items())


def evidence_of(document):
    found = sorted(document.get("evidence", []), key=lambda one: not one["convicts"])
    return [
        f"[{one['guard'] or 'note'}{', row ' + str(one['row']) if one['row'] else ''}] "
        f"{one['text']}"[
            :500
        ]
        for one in found
    ]


def split_of(document):
    parts = {name: round(value, 4) for name, value in document["seconds"].items()}
    for metric in document.get("metrics", []):
        if metric["tag"].startswith("seconds.") and metric["value"] is not None:
            name = metric["tag"][len("seconds."):]
            parts[name] = round(parts.get(name, 0) + metric["value"], 4)
    return parts


def line_of(document):
    evidence, cases = evidence_of(document), document.get("cases", [])
    refused = document["outcome"] != "accepted"
    return {
        "verdict": document["outcome"],
        "accepts": not refused,
        "why": evidence[0] if evidence and refused else "",
        "evidence": evidence[:8],
        "ms": document["geomean_s"] * 1e3 if document.get("geomean_s") else None,
        "seconds": round(document["seconds"].get("turn", document["seconds"]["total"]), 3),
        "error_max": max(
            (one["error_max"] for one in cases if one["error_max"] is not None), default=None
        ),
        "split": split_of(document),
        "metrics": {
            one["tag"]: one["value"]
            for one in document.get("metrics", [])
            if one["tag"].startswith(("class.", "clock.", "share."))
        },
        "build_log": document.get("build_log", "")[-600:]
        if document["outcome"] == "build_failed"
        else "",
    }


def main():
    a = arguments()
    with tempfile.TemporaryDirectory() as folder:
        for problem, files in groups_of(a, folder):
            command = [
                a.hone,
                "eval",
                "kernelbench:" + problem,
                *[one for _, one in files],
                "--device",
                a.device,
                "--json",
                "--no-record",
                *a.extra,
            ]
            code, out, err, seconds = run(command, a.limit)
            try:
                document = json.loads(out)
            except ValueError:
                document = {}
            found = document.get("evaluations", [document] if "outcome" in document else [])
            turns = sum(one["seconds"].get("turn", one["seconds"]["total"]) for one in found)
            for i, (path, _) in enumerate(files):
                line = {
                    "by": "hone",
                    "file": name_of(path),
                    **header_of(path),
                    "run": i,
                    "first": i == 0,
                    "of": len(files),
                    "start": round(seconds - turns, 2),
                    "command_s": round(seconds, 2),
                }
                line |= (
                    line_of(found[i])
                    if i < len(found)
                    else {
                        "verdict": "timed_out" if code is None else "no_verdict",
                        "accepts": False,
                        "why": (err or out)[-700:],
                    }
                )
                text = json.dumps(line)
                print(text, flush=True)
                if a.out:
                    with open(a.out, "a", encoding="utf-8") as file:
                        file.write(text + "\n")


if __name__ == "__main__":
    main()
