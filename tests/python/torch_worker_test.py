"""Tests of what runs in Hone's Python processes beside a candidate: python3 torch_worker_test.py
SCRIPTS FAKE_DRIVER

The judge's memory as tensors (on a CPU, and on CUDA as far as a library that stands in for the
driver tells), what is said of a problem, and a worker in the roles `reference` and `baseline`,
spoken to over its wire.
"""

import ctypes
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock

SCRIPTS, FAKE = sys.argv[1:3]
sys.path.insert(0, SCRIPTS)
try:
    import torch
except ImportError:
    print("skipped: this Python has no torch")
    sys.exit(77)

import ahead
import blocks
from describe import describe, distribution, scaled_errors
from blocks import Refused
from problem import Problem, TorchDispatchMode, rounded_to_tf32

HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"


def problem(body, inputs, init="[]"):
    return (
        HEAD
        + "class Model(nn.Module):\n"
        + body
        + "\ndef get_inputs():\n    "
        + inputs
        + "\ndef get_init_inputs():\n    return "
        + init
        + "\n"
    )


def forward(arguments, expression):
    return f"    def forward(self, {arguments}):\n        return {expression}\n"


def told(source):
    return describe(Problem(source))


def draws(source):
    return {one["name"]: one["draw"] for one in told(source)["tensors"]}


class CompiledAhead(unittest.TestCase):
    def loader(self, compiled):
        def compile_now(source, options, arch):
            compiled.append((source, arch))
            return b"image of " + source.encode(), "the compiler's log"

        return types.SimpleNamespace(_compile=compile_now, _arch=None)

    def test_what_was_compiled_without_a_device_is_not_compiled_again_with_one(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(
            ahead, "KEPT", folder + "/kept"
        ):
            compiled = []
            without, later = self.loader(compiled), self.loader(compiled)
            ahead.keep(without, "sm_90a")
            self.assertEqual(without._arch(), "sm_90a")
            first = without._compile("kernel", ["-DN=1"], without._arch())
            ahead.keep(later)
            self.assertEqual(later._compile("kernel", ["-DN=1"], "sm_90a"), first)
            self.assertEqual(compiled, [("kernel", "sm_90a")])
            for other in (
                ("kernel", ["-DN=2"], "sm_90a"),
                ("other", ["-DN=1"], "sm_90a"),
                ("kernel", ["-DN=1"], "sm_80"),
            ):
                later._compile(*other)
            self.assertEqual(len(compiled), 4)

    def test_architectures_are_named_as_torch_names_those_of_a_device(self):
        self.assertEqual(
            [ahead.torch_name(arch) for arch in ("sm_90a", "sm_86", "sm_120a")],
            ["9.0+PTX", "8.6+PTX", "12.0+PTX"],
        )


class HostBlocks(unittest.TestCase):
    def setUp(self):
        self.blocks = blocks.open_blocks("opencl:0")
        self.file = blocks.memory_file(bytes(1 << 16), "block")
        self.number = self.blocks.take(self.file, 1 << 16)

    def tearDown(self):
        self.blocks.drop()
        os.close(self.file)

    def test_a_tensor_is_the_judges_memory_itself(self):
        self.blocks.map([self.number])
        self.blocks.tensor(self.number, 4096, torch.float32, (2, 3)).fill_(2.5)
        self.assertEqual(struct.unpack("6f", os.pread(self.file, 24, 4096)), (2.5,) * 6)
        self.assertEqual(self.blocks.tensor(self.number, 4096, torch.float32, ()).item(), 2.5)

    def test_every_mapping_is_somewhere_else_and_holds_the_same(self):
        places = set()
        for _ in range(8):
            self.blocks.map([self.number])
            tensor = self.blocks.tensor(self.number, 0, torch.int64, (4,))
            tensor += 1
            places.add(tensor.data_ptr())
        self.assertEqual(len(places), 8)
        self.assertEqual(tensor.tolist(), [8] * 4)
        self.blocks.map([self.number], fresh=False)
        self.assertEqual(
            self.blocks.tensor(self.number, 0, torch.int64, (4,)).data_ptr(), tensor.data_ptr()
        )

    def test_nothing_reaches_past_a_block(self):
        self.blocks.map([self.number])
        for offset, shape in (((1 << 16) - 4, (2,)), (1 << 16, (1,)), (-4, (1,)), (0, (1 << 40,))):
            with self.assertRaises(ValueError):
                self.blocks.tensor(self.number, offset, torch.float32, shape)
        with self.assertRaises(ValueError):
            self.blocks.map([self.number + 1])
        with self.assertRaises(ValueError):
            self.blocks.take(self.file, 1 << 17)


class CudaBlocks(unittest.TestCase):
    """Addresses of the stand-in are the host's, so that contents can be looked at."""

    def setUp(self):
        self.fake = ctypes.CDLL(FAKE)
        self.fake.fake_log.restype = ctypes.c_char_p
        self.fake.fake_reset()
        self.kind = blocks.CudaMemory(0, FAKE)
        self.blocks = blocks.Blocks(self.kind)

    def log(self):
        return self.fake.fake_log().decode().splitlines()

    def test_blocks_are_imported_mapped_elsewhere_each_time_and_let_go(self):
        file = blocks.memory_file(bytes(1 << 17), "block")
        number = self.blocks.take(file, 100_000)  # rounded up to the driver's unit
        os.close(file)
        places = set()
        for _ in range(4):
            self.blocks.map([number])
            place = self.blocks.address(number, 16, 8)
            value = ctypes.c_uint64.from_address(place)
            value.value += 1
            places.add(place)
        self.assertEqual(len(places), 4)
        self.assertEqual(value.value, 4)
        self.assertEqual(self.blocks.blocks[number][1], 131072)
        self.blocks.drop()
        log = self.log()
        for name, times in (
            ("cuMemMap", 4),
            ("cuMemUnmap", 4),
            ("cuMemAddressReserve", 4),
            ("cuMemAddressFree", 4),
            ("cuMemRelease", 1),
            ("cuDevicePrimaryCtxRetain", 1),
        ):
            self.assertEqual(sum(line.split()[0] == name for line in log), times, name)
        self.assertIn("cuMemImportFromShareableHandle 1", log)
        self.assertIn("cuMemSetAccess 1,0,3,1", log)

    def test_a_refusal_of_the_driver_is_said(self):
        self.fake.fake_fail(b"cuMemImportFromShareableHandle", 1)
        file = blocks.memory_file(bytes(64), "block")
        with self.assertRaisesRegex(
            RuntimeError, "cuMemImportFromShareableHandle: invalid argument"
        ):
            self.blocks.take(file, 64)
        os.close(file)


class Descriptions(unittest.TestCase):
    def test_what_has_a_structure_is_left_to_the_problem(self):
        cases = {
            "symmetric": ("A = torch.rand(64, 64); return [(A + A.T) / 2]", "x @ x"),
            "a part of it is zero": ("return [torch.tril(torch.rand(64, 64))]", "x @ x"),
            "same sum": ("return [torch.rand(64, 256).softmax(-1)]", "torch.log(x)"),
            "another at each draw": ("return [torch.rand(64, 256) * torch.rand(())]", "x * x"),
            "neither uniform nor normal": (
                "return [torch.randint(0, 2, (1024,)).float() * 2 - 1]",
                "x * 3",
            ),
            "every element is 1": ("return [torch.ones(64, 64)]", "x + 1"),
            "in order": ("return [torch.randint(0, 9, (64,)).cumsum(0)]", "x * 2"),
        }
        for why, (inputs, expression) in cases.items():
            draw = draws(problem(forward("x", expression), inputs))["x"]
            self.assertEqual(draw["kind"], "problem", why)
            self.assertIn(why, draw["why"])

    def test_a_structure_is_seen_wherever_it_shows(self):
        # The first million elements of a large triangular matrix are nearly all of them drawn.
        first, second = (torch.rand(2048, 2048).triu() for _ in range(2))
        self.assertEqual(distribution("A", first, second, False)["kind"], "problem")

    def test_what_the_judge_can_draw_it_draws(self):
        found = draws(
            problem(
                forward("x, n, t, m", "F.cross_entropy(x + n, t) + m.sum()"),
                "return [torch.rand(512, 64), torch.randn(512, 64), torch.randint(0, 64, (512,)), "
                "torch.randint(0, 2, (512, 8)).bool()]",
            )
        )
        self.assertEqual(found["x"], {"kind": "uniform", "a": 0.0, "b": 1.0})
        self.assertEqual(found["n"]["kind"], "normal")
        self.assertEqual(found["t"], {"kind": "integers", "low": 0, "high": 63})
        self.assertEqual(found["m"], {"kind": "integers", "low": 0, "high": 1})

    def test_what_would_pass_without_computing_is_found(self):
        def weak(body, inputs):
            return told(problem(body, inputs))["weak"]

        self.assertEqual(
            weak(forward("x", "torch.softmax(x, -1)"), "return [torch.rand(4, 50000)]"),
            ["zeros pass", "ignoring the input x passes"],
        )
        self.assertEqual(
            weak(forward("x", "torch.relu(x)"), "return [torch.rand(64, 64)]"),
            ["returning the input x passes"],
        )
        self.assertEqual(
            weak(
                forward("x, b", "torch.relu(x - 9) + 0 * b + 7"),
                "return [torch.rand(64, 64), torch.rand(64)]",
            ),
            ["the constant 7 passes", "ignoring the input x passes", "ignoring the input b passes"],
        )
        self.assertEqual(weak(forward("x", "x @ x"), "return [torch.rand(64, 64)]"), [])

    def test_what_has_no_one_truth_is_refused(self):
        for body, why in (
            (forward("x", "torch.dropout(x, 0.5, True)"), "random numbers in forward"),
            (
                "    def __init__(self):\n        super().__init__()\n        self.h = "
                "torch.randn(64)\n"
                + forward("x", "x + self.h"),
                "no parameters of the model .h.",
            ),
        ):
            with self.assertRaisesRegex(Refused, why):
                told(problem(body, "return [torch.rand(64, 64)]"))

    def test_a_call_leaves_no_state_behind(self):
        one = Problem(
            problem(
                """    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(8)
        self.h = torch.zeros(8)

    def forward(self, x):
        self.h += x[0]
        return self.norm(x) + self.h
""",
                "return [torch.rand(16, 8)]",
            )
        )
        inputs, weights = one.draw(1), {
            name: value.detach().clone() for name, value in one.weights().items()
        }
        first = one.call(inputs, weights, "f64")[0]
        one.call(one.draw(2), weights, "f32")
        self.assertTrue(torch.equal(first, one.call(inputs, weights, "f64")[0]))


class Tf32(unittest.TestCase):
    def errors(self, body, inputs):
        one = Problem(problem(body, inputs))
        given, weights = one.draw(5), {
            name: value.detach().clone() for name, value in one.weights().items()
        }
        truth = one.call(given, weights, "f64")[0].double()
        return [
            scaled_errors(one.call(given, weights, precision)[0], truth)[1]
            for precision in ("f32", "tf32", "default")
        ]

    def test_a_cpu_rounds_the_operands_of_products_and_nothing_else(self):
        if TorchDispatchMode is None:
            self.skipTest("this torch cannot")
        made = (
            "    def __init__(self):\n        super().__init__()\n        self.f = {}\n\n"
            + forward("x", "self.f(x)")
        )
        for body, inputs in (
            (forward("x, y", "x @ y"), "return [torch.randn(32, 32), torch.randn(32, 32)]"),
            (made.format("nn.Linear(32, 32)"), "return [torch.randn(32, 32)]"),
            (made.format("nn.Conv2d(4, 4, 3)"), "return [torch.randn(2, 4, 16, 16)]"),
            (made.format("nn.ConvTranspose2d(4, 4, 3)"), "return [torch.randn(2, 4, 16, 16)]"),
        ):
            single, tf32, plain = self.errors(body, inputs)
            self.assertLess(single, 1e-6)
            self.assertEqual(plain, single)
            self.assertGreater(tf32, 1e-4, body)
            self.assertLess(tf32, 1e-3, body)
        single, tf32, _ = self.errors(
            forward("x", "torch.softmax(x, -1)"), "return [torch.randn(32, 32)]"
        )
        self.assertEqual(tf32, single)

    def test_rounding_is_to_the_nearest(self):
        given = torch.tensor([1 + 2**-11, 1 + 3 * 2**-11, 1 + 2**-12, -(1 + 2**-10 + 2**-12), 3.0])
        wanted = torch.tensor([1, 1 + 2**-9, 1, -(1 + 2**-10), 3.0])
        self.assertTrue(torch.equal(rounded_to_tf32(given), wanted))


class Worker:
    """The judge's end of a worker's wire."""

    def __init__(self, role):
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.control = ours
        number = theirs.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", os.path.join(SCRIPTS, "worker.py"), role],
            preexec_fn=lambda: os.dup2(number, 3),
            close_fds=False,
        )
        theirs.close()
        self.ask({"op": "open", "device": "opencl:0", "cpu": True, "threads": 1})

    def ask(self, message, *contents):
        files = [
            one if isinstance(one, int) else blocks.memory_file(one.encode(), "file")
            for one in contents
        ]
        blocks.send(self.control, message, files)
        answer, _ = blocks.receive(self.control)
        for one, file in zip(contents, files):
            if not isinstance(one, int):
                os.close(file)
        return answer

    def load(self, **image):
        return self.ask({"op": "load", "kernels": []}, json.dumps(image))

    def call(self, inputs, outputs, what):
        """Fills the output tensors; all by name."""
        return self.calls([(inputs, outputs)], what, True)

    def calls(self, sets, what, flush):
        """The same for several sets of tensors, in one batch. Their contents come when all is
        prepared."""
        bindings, files = [], []
        for groups in sets:
            buffers, bound = [], []
            for role, group in enumerate(groups):
                for name, tensor in group.items():
                    data = tensor.contiguous().view(-1).numpy().tobytes()
                    files.append(
                        (blocks.memory_file(bytes(64 + len(data)), "block"), data, tensor, role)
                    )
                    number = self.ask({"op": "block", "bytes": 64 + len(data)}, files[-1][0])["id"]
                    buffers.append(
                        [name, role, blocks.NAMES[tensor.dtype], list(tensor.shape), len(data)]
                    )
                    bound.append([number, 64])
            bindings.append(bound)
        plan = self.ask({"op": "plan"}, json.dumps({"buffers": buffers, "call": json.dumps(what)}))[
            "id"
        ]
        prepared = self.ask(
            {
                "op": "prepare",
                "plan": plan,
                "sets": bindings,
                "times": 1,
                "fresh": True,
                "flush": flush,
                "private": False,
                "skip": -1,
                "marked": [],
                "record": False,
            }
        )
        assert prepared == {"ok": True}, prepared
        for file, data, _, _ in files:
            os.pwrite(file, data, 64)
        report = self.ask({"op": "go"})
        for file, data, tensor, role in files:
            if role == 1:
                flat = torch.frombuffer(
                    bytearray(os.pread(file, len(data), 64)), dtype=tensor.dtype
                )
                tensor.copy_(flat.reshape(tensor.shape))
            os.close(file)
        self.ask({"op": "drop"})
        return report

    def end(self):
        blocks.send(self.control, {"op": "end"})
        self.process.wait(30)
        self.control.close()


LINEAR = problem(
    """    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(32, 32)

    def forward(self, x, mask, s):
        return self.linear(x) * mask * s
""",
    "return [torch.rand(16, 32), torch.randint(0, 2, (16, 32)).bool(), 3.5]",
)


class Roles(unittest.TestCase):
    def given(self, seed=7):
        torch.manual_seed(seed)
        return {
            "x": torch.rand(16, 32),
            "mask": torch.randint(0, 2, (16, 32), dtype=torch.uint8),
            "linear_weight": torch.randn(32, 32),
            "linear_bias": torch.randn(32),
        }

    def truth(self, given):
        y = given["x"].double() @ given["linear_weight"].double().T + given["linear_bias"].double()
        return y * given["mask"] * 3.5

    def test_the_reference_computes_and_draws_in_the_judges_memory(self):
        worker = Worker("reference")
        self.addCleanup(worker.end)
        self.assertEqual(worker.load(source=LINEAR)["kernels"], [])
        given, scalars = self.given(), [["s", False, 0, 3.5]]
        exact, single = torch.zeros(16, 32, dtype=torch.float64), torch.zeros(16, 32)
        self.assertTrue(
            worker.call(given, {"y": exact}, {"precision": "f64", "scalars": scalars})["ok"]
        )
        self.assertTrue(torch.equal(exact, self.truth(given)))
        self.assertTrue(
            worker.call(given, {"y": single}, {"precision": "f32", "scalars": scalars})["ok"]
        )
        self.assertLess((single - exact).abs().max().item(), 1e-4)
        self.assertFalse(torch.equal(single.double(), exact))
        draws = [
            {"mask": torch.zeros(16, 32, dtype=torch.uint8), "linear_weight": torch.zeros(32, 32)}
            for _ in range(3)
        ]
        for seed, drawn in zip((5, 5, 6), draws):
            self.assertTrue(worker.call({}, drawn, {"draw": [seed]})["ok"])
        self.assertTrue(torch.equal(draws[0]["linear_weight"], draws[1]["linear_weight"]))
        self.assertFalse(torch.equal(draws[0]["linear_weight"], draws[2]["linear_weight"]))
        self.assertEqual(set(draws[0]["mask"].flatten().tolist()), {0, 1})
        wrong = worker.call({}, {"y": torch.zeros(3)}, {"draw": [1]})
        self.assertFalse(wrong["ok"])
        self.assertIn("KeyError", wrong["error"])

    def test_a_baseline_is_torch_with_the_judges_weights(self):
        worker = Worker("baseline")
        self.addCleanup(worker.end)
        self.assertEqual(
            worker.load(source=LINEAR, mode="eager", precision="f32", seed=3)["kernels"], []
        )
        given, result = self.given(), torch.zeros(16, 32)
        report = worker.call(
            given, {"y": result}, {"precision": "f32", "scalars": [["s", False, 0, 3.5]]}
        )
        self.assertTrue(report["ok"], report)
        self.assertGreater(report["device"], 0)
        self.assertLess((result - self.truth(given)).abs().max().item(), 1e-4)
        # Calls of a batch have weights of their own; what is called after them, too.
        batch = [(self.given(seed), {"y": torch.zeros(16, 32)}) for seed in range(3)]
        self.assertTrue(
            worker.calls(batch, {"precision": "f32", "scalars": [["s", False, 0, 3.5]]}, False)[
                "ok"
            ]
        )
        self.assertTrue(
            worker.call(
                given, {"y": result}, {"precision": "f32", "scalars": [["s", False, 0, 3.5]]}
            )["ok"]
        )
        for inputs, outputs in [*batch, (given, {"y": result})]:
            self.assertLess((outputs["y"] - self.truth(inputs)).abs().max().item(), 1e-4)
        if not hasattr(torch, "compile"):
            self.assertIn(
                "no torch.compile",
                worker.load(source=LINEAR, mode="compile", precision="f32", seed=3)["error"],
            )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
