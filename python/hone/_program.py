"""The program `hone`: where it is, and how it is started and read."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path
from typing import Any, Callable, Sequence


class Error(RuntimeError):
    """Hone could not judge: the environment or the input cannot be used. The text names the fix."""

    def __init__(self, text: str, code: int = 70, kind: str = "internal") -> None:
        super().__init__(text)
        self.code = code
        self.kind = kind  # "usage", "bad_input", "environment", "archive", "internal"


def program() -> str:
    """Its file: $HONE_BINARY, the one that came with this package, or the one on the path."""
    named = os.environ.get("HONE_BINARY")
    if named:
        return named
    schemes = [None, *(s for s in sysconfig.get_scheme_names() if s.endswith("user"))]
    for scheme in schemes:
        folder = sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts")
        file = Path(folder, "hone")
        if os.access(file, os.X_OK):
            return str(file)
    found = shutil.which("hone")
    if found:
        return found
    raise Error(
        "the program hone is not on the path: install the wheel, or set HONE_BINARY to its file",
        4,
        "environment",
    )


def version() -> str:
    """What `hone --version` prints, such as 'hone 0.1.0 (73301112ab, portable)'."""
    return _run([program(), "--version"], None)[1].strip()


def call(
    words: Sequence[str], progress: bool | Callable[[str], None] = False
) -> tuple[int, dict[str, Any], list[str]]:
    """Runs `hone WORDS --json`: the exit code, the result, and the sentences beside it.

    There is a result at every exit code but those of errors, where the document has nothing but
    "error" (docs/formats.md).
    """
    tell = print if progress is True else progress or None
    code, out, err = _run([program(), *words, "--json"], tell)
    try:
        result = json.loads(out)
    except ValueError:
        result = None
    if not isinstance(result, dict) or set(result) == {"error"}:
        raise _error_of(code, result, err)
    return code, result, err


def _error_of(code: int, result: dict[str, Any] | None, err: list[str]) -> Error:
    if result:
        error = result["error"]
        return Error(error.get("message", "\n".join(err)), error.get("code", code), error["kind"])
    text = "\n".join(line[6:] if line.startswith("hone: ") else line for line in err[-20:])
    return Error(text or f"hone ended with exit code {code} and said nothing", code)


def _run(
    words: Sequence[str], tell: Callable[[str], None] | None
) -> tuple[int, str, list[str]]:
    try:
        process = subprocess.Popen(
            list(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
        )
    except OSError as error:
        raise Error(f"{words[0]} cannot be started: {error}", 4, "environment") from None
    said: list[str] = []

    def listen() -> None:
        assert process.stderr is not None
        for line in process.stderr:
            said.append(line.rstrip("\n"))
            if tell:
                tell(said[-1])

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    assert process.stdout is not None
    try:
        out = process.stdout.read()
        process.wait()
    except KeyboardInterrupt:
        # A search keeps what it has: it is asked to end, as Ctrl-C on a terminal does.
        process.send_signal(signal.SIGINT)
        process.wait()
        raise
    finally:
        if sys.exc_info()[0] is not None and process.poll() is None:
            process.kill()
            process.wait()
        listener.join()
        process.stdout.close()
        if process.stderr:
            process.stderr.close()
    return process.returncode, out, said
