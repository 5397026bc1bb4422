"""A small raw client of `hone mcp`, in the standard library alone: it sends lines and reads lines.

It speaks both revisions of the protocol. Nothing in it knows what a tool does.
"""

import json
import os
import queue
import subprocess
import threading

LEGACY, MODERN = "2025-11-25", "2026-07-28"
LIMIT = 900  # seconds: only a broken server takes that long


class Client:
    def __init__(self, binary, folder, *options, revision=LEGACY, environment=None):
        self.revision = revision
        self.process = subprocess.Popen(
            [binary, "mcp", "--folder", str(folder), *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.numbers = 0
        self.notifications = []
        self.answers = {}
        self.unnumbered = queue.Queue()  # answers to what had no id that could be read
        self.changed = threading.Condition()
        self.over = False
        self.errors = []
        self.readers = [
            threading.Thread(target=self._read, args=arguments, daemon=True)
            for arguments in (
                (self.process.stdout, self._take),
                (self.process.stderr, self._error),
            )
        ]
        for reader in self.readers:
            reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self, stream, take):
        for line in stream:
            take(line)
        if stream is self.process.stdout:
            with self.changed:
                self.over = True
                self.changed.notify_all()

    def _error(self, line):
        self.errors.append(line.decode(errors="replace"))

    def _take(self, line):
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0", message
        with self.changed:
            if "method" in message:
                assert "id" not in message, message
                self.notifications.append(message)
            elif "id" in message:
                assert message["id"] not in self.answers, message
                self.answers[message["id"]] = message
            else:
                self.unnumbered.put(message)
            self.changed.notify_all()

    def write(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def meta(self, progress=None):
        meta = {} if progress is None else {"progressToken": progress}
        if self.revision == MODERN:
            meta["io.modelcontextprotocol/protocolVersion"] = MODERN
            meta["io.modelcontextprotocol/clientCapabilities"] = {}
            meta["io.modelcontextprotocol/clientInfo"] = {"name": "raw", "version": "1"}
        return meta

    def send(self, method, params=None, progress=None):
        self.numbers += 1
        meta = self.meta(progress)
        whole = {**(params or {}), **({"_meta": meta} if meta else {})}
        self.write(
            json.dumps({"jsonrpc": "2.0", "id": self.numbers, "method": method, "params": whole})
        )
        return self.numbers

    def notify(self, method, params=None):
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params or {}}))

    def wait(self, number):
        with self.changed:
            self.changed.wait_for(lambda: number in self.answers or self.over, LIMIT)
            if number not in self.answers:
                raise AssertionError(f"no answer to {number}: {''.join(self.errors[-20:])}")
            return self.answers[number]

    def wait_for_notification(self, wanted):
        with self.changed:
            found = []

            def there():
                found.extend(n for n in self.notifications if wanted(n))
                return found or self.over

            self.changed.wait_for(there, LIMIT)
            return found[0]

    def request(self, method, params=None, progress=None):
        return self.wait(self.send(method, params, progress))

    def open(self):
        """What a client of the revision does first."""
        if self.revision == MODERN:
            return self.request("server/discover")["result"]
        result = self.request(
            "initialize",
            {
                "protocolVersion": LEGACY,
                "capabilities": {},
                "clientInfo": {"name": "raw", "version": "1"},
            },
        )["result"]
        self.notify("notifications/initialized")
        return result

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})["result"]

    def text(self, tool, **arguments):
        result = self.call(tool, **arguments)
        return result["content"][0]["text"]

    def close(self):
        """The exit code, after the end of its input."""
        if self.process.stdin and not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        code = self.process.wait(LIMIT)
        self.wait_for_end_of_streams()
        return code

    def wait_for_end_of_streams(self):
        """They end when the last process that has them has ended."""
        for reader in self.readers:
            reader.join(LIMIT)
            if reader.is_alive():
                raise AssertionError("a process of the server outlives it")
        self.process.stdout.close()
        self.process.stderr.close()
