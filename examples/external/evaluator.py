#!/usr/bin/env python3
"""An evaluator that speaks docs/models.md: a queue that compiles C programs, checks what they
print and times them.

It stands for a queue on another machine: a submission is accepted at once, waits its turn, and is
done by a process of its own, one at a time. Its state is in the folder $HONE_EXAMPLE_QUEUE
(default: hone-example-queue in the temporary folder); remove it to forget everything.
$HONE_EXAMPLE_LATENCY makes every submission wait so many seconds.

Programs are run with limits on time, memory and files, but without a sandbox: a real evaluator of
code that models wrote needs one.
"""
import fcntl
import hashlib
import json
import os
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

QUEUE = pathlib.Path(
    os.environ.get("HONE_EXAMPLE_QUEUE")
    or pathlib.Path(tempfile.gettempdir(), "hone-example-queue")
)
LATENCY = float(os.environ.get("HONE_EXAMPLE_LATENCY", "0"))
CASES = {"n=300000": 300_000, "n=2000000": 2_000_000}
RUNS, SECONDS, MEMORY = 5, 10, 512 << 20


def write(path, value):
    """Never half a file, whenever this process ends."""
    aside = path.with_suffix(".tmp%d" % os.getpid())
    aside.write_text(json.dumps(value))
    os.replace(aside, path)


def describe(_):
    return {"protocol": 1, "parallel": 1, "cases": list(CASES)}


def submit(request):
    # The id is made of the name, so submitting the same again is the same submission.
    ident = hashlib.sha256(request["name"].encode()).hexdigest()[:16]
    place = QUEUE / ident
    if not (place / "submission.json").exists():
        place.mkdir(parents=True, exist_ok=True)
        (place / "program.c").write_bytes(pathlib.Path(request["file"]).read_bytes())
        write(place / "submission.json", {"name": request["name"], "task": request["task"]})
        with open(QUEUE / "submissions.log", "a") as log:
            log.write(request["name"] + "\n")
    work_on(ident)
    return {"id": ident}


def work_on(ident):
    """Starts the process that does the work; a second one for the same submission finds the lock
    taken and leaves."""
    subprocess.Popen(
        [sys.executable, __file__, "work", ident],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def status(request):
    place = QUEUE / pathlib.Path(request["id"]).name
    if not (place / "submission.json").exists():
        return {"state": "unknown"}
    if (place / "result.json").exists():
        failed = "failure" in json.loads((place / "result.json").read_text())
        return {"state": "failed" if failed else "done"}
    work_on(place.name)  # should its worker have been killed
    return {"state": "running" if (place / "running").exists() else "queued", "retry_after": 0.2}


def result(request):
    return json.loads((QUEUE / pathlib.Path(request["id"]).name / "result.json").read_text())


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))


def primes_below(n):
    sieve = bytearray([1]) * max(n, 2)
    sieve[0:2] = b"\0\0"
    for d in range(2, int(n**0.5) + 1):
        if sieve[d]:
            sieve[d * d :: d] = bytes(len(range(d * d, len(sieve), d)))
    return sum(sieve[:n])


def time_case(program, size):
    seconds = []
    for _ in range(RUNS):
        n = size - random.randrange(size // 20)
        start = time.perf_counter()
        done = subprocess.run(
            [program, str(n)], capture_output=True, timeout=SECONDS, preexec_fn=limit
        )
        seconds.append(time.perf_counter() - start)
        if done.returncode != 0:
            return None, "the program ended with code %d for N = %d" % (done.returncode, n)
        if done.stdout.decode(errors="replace").strip() != str(primes_below(n)):
            return None, "for N = %d it printed %r, and there are %d" % (
                n,
                done.stdout[:40],
                primes_below(n),
            )
    return sorted(seconds), None


def judge(place):
    program = place / "program"
    built = subprocess.run(
        ["cc", "-O2", "-std=c11", "-pthread", "-o", program, place / "program.c", "-lm"],
        capture_output=True,
        timeout=60,
    )
    if built.returncode != 0:
        return {"failure": "it does not compile:\n" + built.stderr.decode(errors="replace")[:4000]}
    cases = []
    for name, size in CASES.items():
        try:
            seconds, failure = time_case(program, size)
        except subprocess.TimeoutExpired:
            return {"failure": "case %s: more than %d s" % (name, SECONDS)}
        if failure:
            return {"failure": "case %s: %s" % (name, failure)}
        cases.append(
            {
                "name": name,
                "seconds": seconds[RUNS // 2],
                "seconds_low": seconds[0],
                "seconds_high": seconds[-1],
            }
        )
    return {"cases": cases}


def work(ident):
    place = QUEUE / ident
    with open(place / "lock", "w") as mine, open(QUEUE / "lock", "w") as turn:
        try:
            fcntl.flock(mine, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        if (place / "result.json").exists():
            return
        time.sleep(LATENCY)
        fcntl.flock(turn, fcntl.LOCK_EX)  # one at a time: times would suffer otherwise
        (place / "running").touch()
        write(place / "result.json", judge(place))


if __name__ == "__main__":
    if sys.argv[1] == "work":
        work(sys.argv[2])
    else:
        answer = {"describe": describe, "submit": submit, "status": status, "result": result}[
            sys.argv[1]
        ]
        print(json.dumps(answer(json.load(sys.stdin))))
