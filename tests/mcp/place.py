"""A folder with the smallest task there is, for the fake device, and candidates beside it."""

import pathlib
import tempfile

TASK = """hone = 1
name = "copy"
summary = "A copy."
[[input]]
name = "x"
dtype = "f32"
shape = ["n"]
draw = { kind = "normal" }
[[output]]
name = "y"
dtype = "f32"
shape = ["n"]
tolerance = { max = 0, rms = 0 }
[[case]]
name = "odd"
bind = { n = 33 }
use = "check"
[[case]]
name = "main"
bind = { n = 1024 }
[work]
bytes = "8 * n"
flops = { f32 = "n" }
"""
REFERENCE = """#include <hone/reference.h>
HONE_REFERENCE(call) { call.output("y") = call.input("x"); }
"""
PLAN = """/* hone 1
%s[[launch]]
kernel = "run"
grid = [1]
block = [1]
args = ["x", "y"]
*/
kernel run(buffer, buffer) %s
"""


def candidate(behaviour, tune=""):
    return PLAN % (tune, behaviour)


class Place:
    """Its folder, and the environment with a home of its own."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="hone-mcp-test-")
        top = pathlib.Path(self._folder.name).resolve()
        self.folder, self.outside = top / "project", top / "outside"
        for folder in (self.folder / "copy", self.outside, top / "home", top / "leases"):
            folder.mkdir(parents=True)
        self.environment = {
            "HONE_HOME": str(top / "home"),
            "HONE_LEASES": str(top / "leases"),
            "HONE_CONFIG": "",
            "HONE_QUICK": "all",
            "HONE_LLM": "",
        }
        self.write("copy/task.toml", TASK)
        self.write("copy/reference.cc", REFERENCE)
        self.write("good.fake", candidate("copy ns=2000000000"))
        self.write("better.fake", candidate("copy ns=1000000000"))
        self.write("wrong.fake", candidate("zeros ns=1000000000"))
        self.write("hang.fake", candidate("hang"))
        self.write(
            "tuned.fake",
            candidate("copy ns=1000000000*T", "[tune]\nT = { values = [1, 2, 3], default = 3 }\n"),
        )
        (self.outside / "secret.cl").write_text("secret")

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def close(self):
        self._folder.cleanup()
