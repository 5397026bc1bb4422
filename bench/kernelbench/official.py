#!/usr/bin/env python3
"""KernelBench's own evaluator on a list of candidates, each in a fresh process: one JSON line each.

    PYTHONPATH=STUBS:KB/src python official.py KB FILES... [-j N] [--repeat N] [--out FILE.jsonl]
        [--perf 100] [--trials 5] [--limit 300]

eval_kernel_against_ref as run_and_check.py calls it (5 correctness and 100 performance trials,
cuda_event, fp32, both of its checks on); backend triton where the file imports triton, else cuda.
Builds are cold: extensions, Triton, Inductor and CUDA caches are new for each run. A file that
imports hone_light, and a .cu, is given as its export: exported/STEM_kernelbench.py beside this
script (hone export --format kernelbench).

The split comes from the times at which the evaluator's own progress lines (verbose=True) arrive
here; nothing in it is patched:
  import        process start, torch, kernelbench
  reference     CUDA context, the problem, its weights on the CPU
  build         candidate's text to a constructed module on the device (with torch-header builds)
  correctness   five trials: inputs on the CPU, reference, candidate, allclose
  first_call    of it: the first trial beyond the median of the others (Triton, NVRTC and
                Inductor compile there)
  timing        inputs, 3 + 101 calls of the candidate
  eager         inputs, 3 + 101 calls of the reference (made for refused candidates too)
  end           cleanup and exit of the process
-j N is for verdicts only: times of runs side by side mean nothing. "static" is what
validate_kernel_static says, which run_and_check.py asserts and eval_kernel_against_ref does not.
"""
import argparse
import concurrent.futures
import glob
import json
import os
import re
import shutil
import statistics
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from common import header_of, name_of, run

MARKS = [
    ("imported", "@@bench imported"),
    ("loading", "[Eval] Loading and Compiling New Model"),
    ("loaded", "[Eval] New Model with Custom CUDA Kernel Loaded"),
    ("checking", "[Eval] Checking Correctness"),
    ("checked", "[Eval] Pass count"),
    ("measuring", "[Eval] Measuring Performance as Sample is Correct"),
    ("reference", "[Eval] Additional checks to flag excessive speedup"),
    ("done", "@@bench done"),
]


def arguments():
    ap = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ap.add_argument("kb")
    ap.add_argument("files", nargs="+")
    ap.add_argument("-j", type=int, default=1)
    ap.add_argument("--repeat", type=int, default=1)
    ap.add_argument("--perf", type=int, default=100)
    ap.add_argument("--trials", type=int, default=5)
    ap.add_argument("--limit", type=float, default=300, help="seconds for one candidate")
    ap.add_argument("--device", default="cuda:0")
    ap.add_argument("--out", help="append the lines here as well")
    ap.add_argument("--exported", default=os.path.join(HERE, "exported"))
    ap.add_argument("--python", default=sys.executable)
    ap.add_argument(
        "--child", nargs=3, metavar=("PROBLEM", "BUILD", "RESULT"), help=argparse.SUPPRESS
    )
    return ap.parse_args()


def given_to_it(path, exported):
    """The file that the official evaluator gets: the export where the candidate needs Hone."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not path.endswith(".cu") and not re.search(r"^\s*(import|from)\s+hone_light\b", text, re.M):
        return path
    stem = os.path.splitext(os.path.basename(path))[0]
    found = os.path.join(exported, stem + "_kernelbench.py")
    if not os.path.exists(found):
        raise SystemExit(
            f"{path} needs Hone: hone export {path} --format kernelbench --out {exported} (a .cu: "
            "and --task kernelbench:LEVEL/NUMBER)"
        )
    return found


def backend_of(text):
    return "triton" if re.search(r"^\s*(import|from)\s+triton\b", text, re.M) else "cuda"


# ---- in the process of its own

def child(a):
    problem, build, result_file = a.child
    with open(problem, encoding="utf-8") as file:
        problem_text = file.read()
    with open(a.files[0], encoding="utf-8") as file:
        text = file.read()
    answer = {}

    def keep():
        with open(result_file, "w", encoding="utf-8") as file:
            json.dump(answer, file)

    import torch
    from kernelbench.eval import eval_kernel_against_ref
    from kernelbench.utils import set_gpu_arch
    try:
        from kernelbench.kernel_static_checker import validate_kernel_static

        valid, errors, warnings = validate_kernel_static(
            text, backend=backend_of(text), precision="fp32"
        )
        answer["static"] = {"valid": bool(valid), "errors": [str(one) for one in errors]}
    except Exception as error:
        answer["static"] = {"valid": None, "errors": [f"{type(error).__name__}: {error}"]}
    set_gpu_arch(["Hopper"])
    keep()
    print("@@bench imported", flush=True)
    try:
        result = eval_kernel_against_ref(
            original_model_src=problem_text,
            custom_model_src=text,
            seed_num=42,
            num_correct_trials=a.trials,
            num_perf_trials=a.perf,
            measure_performance=True,
            timing_method="cuda_event",
            verbose=True,
            build_dir=build,
            device=torch.device(a.device),
            backend=backend_of(text),
            precision=torch.float32,
            check_for_excessive_speedup=True,
            excessive_speedup_threshold=10,
        )
    except BaseException as error:  # SystemExit too
        answer.update(verdict="evaluator_raised", why=f"{type(error).__name__}: {error}"[:1500])
    else:
        answer.update(told(result))
    keep()
    print("@@bench done", flush=True)


def told(result):
    if result is None:
        return {
            "verdict": "retry",
            "why": "the evaluator gave None: it takes the error for one of lock files",
        }
    metadata = {
        key: str(value)[:600]
        for key, value in result.metadata.items()
        if key not in ("hardware", "device", "runtime_error_traceback")
    }
    why = next(
        (
            metadata[key]
            for key in (
                "compilation_error",
                "runtime_error",
                "correctness_issue",
                "error_during_performance",
            )
            if key in metadata
        ),
        "",
    )
    if not result.compiled:
        verdict = "not_compiled"
    elif result.correctness:
        verdict = "accepted"
    else:
        verdict = "raised" if "runtime_error" in metadata else "wrong"
    return {
        "verdict": verdict,
        "why": why,
        "flagged": "excessive_speedup" in metadata,
        "ms": result.runtime,
        "eager_ms": getattr(result, "ref_runtime", None),
        "stats": result.runtime_stats,
        "metadata": metadata,
    }


# ---- outside

def split_of(marks, trials, seconds):
    def between(first, *last):
        ends = [marks[one] for one in last if one in marks]
        return round(ends[0] - marks[first], 3) if first in marks and ends else None

    parts = {
        "import": round(marks["imported"], 3) if "imported" in marks else None,
        "reference": between("imported", "loading"),
        "build": between("loading", "loaded", "done"),
        "correctness": between("checking", "checked", "measuring", "reference", "done"),
        "timing": between("measuring", "reference", "done"),
        "eager": between("reference", "done"),
        "end": round(seconds - marks["done"], 3) if "done" in marks else None,
    }
    lengths = [end - start for start, end in trials]
    if len(lengths) > 1:
        parts["first_call"] = round(max(0.0, lengths[0] - statistics.median(lengths[1:])), 3)
    return parts


def evaluate(path, a, which):
    head = header_of(path)
    level, number = head["problem"].split("/")
    problem = glob.glob(f"{a.kb}/KernelBench/{level}/{number}_*.py")[0]
    given = given_to_it(path, a.exported)
    folder = tempfile.mkdtemp(prefix="kb-bench-")
    marks, starts, trials = {}, [], []

    def line_came(when, line):
        for mark, text in MARKS:
            if line.startswith(text):
                marks.setdefault(mark, when)
        if line.startswith("[Eval] Generating Random Input"):
            starts.append(when)
        elif re.match(r"\[(PASS|FAIL)\] trial", line) and starts:
            trials.append((starts[-1], when))

    env = dict(
        os.environ,
        PYTHONUNBUFFERED="1",
        TRITON_CACHE_DIR=folder + "/triton",
        TORCHINDUCTOR_CACHE_DIR=folder + "/inductor",
        CUDA_CACHE_PATH=folder + "/cuda",
        PYTHONPATH=os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), a.kb + "/src"])),
    )
    os.makedirs(folder + "/build")
    result_file = folder + "/result.json"
    command = [
        a.python,
        os.path.abspath(__file__),
        a.kb,
        given,
        "--perf",
        str(a.perf),
        "--trials",
        str(a.trials),
        "--device",
        a.device,
        "--child",
        problem,
        folder + "/build",
        result_file,
    ]
    try:
        code, out, err, seconds = run(command, a.limit, env, line_came)
        answer = {}
        if os.path.exists(result_file):
            with open(result_file, encoding="utf-8") as file:
                answer = json.load(file)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if "verdict" not in answer:
        answer.update(
            verdict="timed_out" if code is None else "died",
            why="" if code is None else f"exit code {code}",
            tail=(out[-800:] + err[-800:]),
        )
    elif answer["verdict"] in ("evaluator_raised", "not_compiled", "raised"):
        answer["tail"] = out[-500:] + err[-500:]
    return {
        "by": "official",
        "file": name_of(path),
        "given": name_of(given),
        **head,
        **answer,
        "accepts": answer["verdict"] == "accepted",
        "seconds": round(seconds, 2),
        "split": split_of(marks, trials, seconds),
        "side_by_side": a.j,
        "run": which,
    }


def main():
    a = arguments()
    if a.child:
        return child(a)
    lock = threading.Lock()

    def one(job):
        path, which = job
        try:
            line = evaluate(path, a, which)
        except Exception as error:
            line = {
                "by": "official",
                "file": name_of(path),
                "verdict": "driver_failed",
                "accepts": False,
                "why": f"{type(error).__name__}: {error}",
            }
        text = json.dumps(line)
        with lock:
            print(text, flush=True)
            if a.out:
                with open(a.out, "a", encoding="utf-8") as file:
                    file.write(text + "\n")

    for path in a.files:
        given_to_it(path, a.exported)  # says what is missing before anything runs
    jobs = [(path, which) for which in range(a.repeat) for path in a.files]
    with concurrent.futures.ThreadPoolExecutor(max_workers=a.j) as pool:
        list(pool.map(one, jobs))


if __name__ == "__main__":
    main()
