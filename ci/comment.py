"""The comment on a pull request, of the JSON that `hone compare` or `hone eval` printed:
comment.py JSON CANDIDATE BASE [NOTE]"""

import json
import sys

WORDS = {
    "faster": "is faster than",
    "slower": "is slower than",
    "same": "is as fast as",
    "cannot tell": "may be faster or slower than",
}
MOST_EVIDENCE = 20  # lines; the archive has all


def plain(text):
    """One line in which nothing is markup: texts may come from the change itself."""
    line = " ".join(str(text).split())
    return "".join("\\" + c if c in "\\`*_{}[]()<>#+!|~@$&" else c for c in line)


def seconds(value):
    if value is None:
        return "-"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def fenced(lines):
    fence = "```"
    while any(fence in line for line in lines):
        fence += "`"
    return [fence, *lines, fence]


def refusal(name, evaluation):
    lines = [f"**{plain(name)} is not accepted: {plain(evaluation['outcome'])}.**", ""]
    said = [line for one in evaluation["evidence"] for line in one["text"].splitlines()]
    said += (evaluation.get("build_log") or "").splitlines()
    if len(said) > MOST_EVIDENCE:
        said = [*said[:MOST_EVIDENCE], "..."]
    return lines + (fenced(said) if said else [])


def comparison(result, name, base):
    if not result["compared"]:
        for which, side in ((f"{name} of {base}", result["a"]), (name, result["b"])):
            if side and side["outcome"] != "accepted":
                return refusal(which, side)
        return [f"**They could not be compared.** {plain(result.get('refusal') or '')}"]
    head = f"**{plain(name)} {WORDS[result['word']]} that of {plain(base)}**"
    if result["ratio"] is not None:
        head += f": {result['ratio']:.4g} of its time"
        if result["low"] is not None and result["high"] is not None:
            head += f" (99 %: {result['low']:.4g} to {result['high']:.4g})"
    lines = [head + ".", ""]
    lines += ["| case | base | this change | ratio | 99 % |", "|---|---|---|---|---|"]
    for case in result["cases"]:
        between = "-"
        if case["low"] is not None and case["high"] is not None:
            between = f"{case['low']:.4g} to {case['high']:.4g}"
        ratio = "-" if case["ratio"] is None else f"{case['ratio']:.4g}"
        lines.append(
            f"| {plain(case['name'])} | {seconds(case['median_a'])} | {seconds(case['median_b'])} "
            f"| {ratio} | {between} |"
        )
    return lines


def evaluation(result, name, base):
    if result["outcome"] != "accepted":
        return refusal(name, result)
    lines = [
        f"**{plain(name)} is accepted: {seconds(result['geomean_s'])}.** {plain(base)} has no such "
        "file, so there is nothing to compare with.",
        "",
        "| case | time |",
        "|---|---|",
    ]
    return lines + [
        f"| {plain(case['name'])} | {seconds(case['median_s'])} |"
        for case in result["cases"]
        if case["timed"]
    ]


def main(file, name, base, note=""):
    with open(file, encoding="utf-8") as stream:
        text = stream.read()
    result = json.loads(text) if text.strip() else {}
    if "compared" in result:
        lines = comparison(result, name, base)
    elif "outcome" in result:
        lines = evaluation(result, name, base)
    else:
        message = result.get("error", {}).get("message", "hone said nothing")
        lines = [f"**{plain(name)} could not be judged.**", "", *fenced(message.splitlines())]
    if note:
        lines += ["", note]
    print("\n".join(["### Hone", "", *lines]))


if __name__ == "__main__":
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    main(*sys.argv[1:])
