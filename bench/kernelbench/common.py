"""What the drivers share: which problem a file is for, its first line, and processes with a time
limit."""
import os
import re
import signal
import subprocess
import threading
import time

HEADER = re.compile(r"# problem: (.*?); kind: (.*?); what: (.*?); expect-official: (.*)")


def header_of(path):
    """problem, kind, what, expect from the first line; of a device candidate from its name."""
    with open(path, encoding="utf-8") as file:
        found = HEADER.match(file.readline())
    if found:
        return dict(
            zip(("problem", "kind", "what", "expect"), (text.strip() for text in found.groups()))
        )
    level, number = re.search(r"level(\d)_(\d+)", os.path.basename(path)).groups()
    return {
        "problem": f"level{level}/{number}",
        "kind": "right",
        "what": "device candidate",
        "expect": "accepts",
    }


def name_of(path):
    return "/".join(os.path.abspath(path).split("/")[-2:])


def run(command, limit, env=None, on_line=None):
    """Runs a command in a session of its own; the whole group is killed at the limit. Gives code
    (None: killed), stdout, stderr, seconds. on_line(seconds since the start, line) is told each
    line of stdout as it comes."""
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        env=env,
        start_new_session=True,
    )
    out, err = [], []

    def read(stream, lines, tell):
        for line in stream:
            if tell:
                tell(time.monotonic() - start, line)
            lines.append(line)

    readers = [threading.Thread(target=read, args=given, daemon=True)
               for given in ((process.stdout, out, on_line), (process.stderr, err, None))]
    for reader in readers:
        reader.start()
    try:
        code = process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        code = None
    seconds = time.monotonic() - start
    try:
        # Also what it left behind; its own session, so nobody else's
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    for reader in readers:
        reader.join(5)
    return code, "".join(out), "".join(err), seconds
