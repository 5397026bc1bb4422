#!/usr/bin/env python3
"""What the judge says of each kernel: the planted races, the honest twins, and (bench/diagnosis)
the planted failures.

  bench/races/show.py HONE [--depth certify] [--device ID] FILE.cu ...

Three at a time: a checker takes seconds to start, and the judge takes the device for itself when it
needs it.
"""
import argparse, concurrent.futures, json, os, subprocess, time

here = os.path.dirname(os.path.abspath(__file__))


def judge(options, file):
    words = [options.hone, "eval", options.task, file, "--depth", options.depth, "--json"]
    if options.device:
        words += ["--device", options.device]
    start = time.time()
    done = subprocess.run(words, capture_output=True, text=True)
    return file, done, time.time() - start


def show(file, done, seconds):
    name = os.path.relpath(file, os.path.dirname(here))
    try:
        answer = json.loads(done.stdout)
        answer = answer.get("evaluation", answer)
    except json.JSONDecodeError:
        print(f"## {name}: no verdict\n{done.stdout[-500:]}{done.stderr[-1500:]}", flush=True)
        return
    metrics = {m["tag"]: m.get("value") for m in answer.get("metrics", [])}
    times = " ".join(f"{tag[8:]} {value:.2f}" for tag, value in metrics.items()
                     if tag.startswith("seconds.") and value is not None
                     and tag[8:] in ("memcheck", "racecheck", "witness", "diagnosis"))
    print(
        f"## {name}: {answer['outcome']}  ({seconds:.1f} s; {times}; "
        f"{metrics.get('witness.calls') or 0:.0f} calls)"
    )
    for one in answer.get("evidence", []):
        if one.get("convicts") or one.get("guard") in ("sanitizer", "diagnosis", "repeat"):
            kind = "convicts" if one.get("convicts") else "label"
            print(f"- {kind} [{one.get('guard', '')} {one.get('row', '')}] {one['text'][:1800]}")
    missing = [f"{m['tag']}: {m['missing']}" for m in answer.get("metrics", [])
               if m["tag"].startswith(("sanitizer", "witness")) and m.get("missing")]
    for text in missing:
        print(f"- {text}")
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("hone")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--task", default=os.path.join(here, "task"))
    parser.add_argument("--depth", default="certify")
    parser.add_argument("--device", default="")
    parser.add_argument("--at-once", type=int, default=3)
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
        for result in [pool.submit(judge, options, file) for file in options.files]:
            show(*result.result())


main()
