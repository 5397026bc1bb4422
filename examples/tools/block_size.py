#!/usr/bin/env python3
"""A tool of your own for `hone profile`: finds blocks whose threads do not fill their last warp.

Reads the facts as JSON on standard input and answers advice as JSON on standard output
(docs/profiling.md)."""
import json
import sys

LEAST_IDLE = 0.05  # of the lanes; less is lost in the noise of a measurement


def look(launch, warp):
    threads = launch["block"][0] * launch["block"][1] * launch["block"][2]
    lanes = -(-threads // warp) * warp
    idle = 1 - threads / lanes
    if idle < LEAST_IDLE:
        return None
    high = 100 * launch["share"] * idle
    return {
        "severity": "major" if high >= 10 else "minor",
        "title": "The last warp of a block is not full",
        "evidence": f"A block has {threads} threads, which take {lanes} lanes: {idle:.0%} of them "
                    f"do nothing (looked at from {LEAST_IDLE:.0%}).",
        "cause": f"The block of kernel `{launch['kernel']}` is not a multiple of {warp} threads.",
        "recommendation": f"Launch `{launch['kernel']}` with {lanes} threads a block, or "
                          f"{lanes - warp}.",
        "launch": launch["index"],
        "lines": [],
        "gain": [0, round(high, 1)],
        "model": "If every lane had work, the same work would take as many warps less; nothing at "
                 "the low end, where the lanes are not what the kernel waits for.",
    }


def main():
    facts = json.load(sys.stdin)
    if facts["protocol"] != 1 or facts["device"]["cpu"]:
        print(json.dumps({"left_out": "it is for GPUs"}))
        return
    found = [look(launch, facts["device"]["warp_size"]) for launch in facts["launches"]]
    print(json.dumps({"advice": [advice for advice in found if advice]}))


main()
