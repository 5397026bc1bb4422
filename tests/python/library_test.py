"""Tests of library operations in plans without a GPU: python3 library_test.py RESOURCES FAKE_DRIVER

Operations run on the CPU, on the judge's blocks as memory files. Kernels between them go to a
library that stands in for the driver and writes down what it is told.
"""

import ctypes
import importlib.util
import json
import os
import struct
import sys
import types
import unittest

RESOURCES, FAKE = sys.argv[1:3]
if importlib.util.find_spec("torch") is None:
    print("skipped: this Python has no torch")
    sys.exit(0)
sys.path.insert(0, RESOURCES + "/python")

import torch

import blocks
import hone_light
import library
from blocks import Refused

INTEGER, BUFFER, SCALAR, NONE, BOOLEAN, TEXT, LIST = 2, 0, 3, 5, 6, 7, 8


def buffer(index, dims=(), transposed=False):
    return [
        BUFFER,
        index,
        0,
        "i64",
        0,
        "",
        {"dims": list(dims), "transposed": transposed, "items": [], "word": ""},
    ]


def integer(value):
    return [INTEGER, 0, value, "i64", 0, "", None]


def real(value):
    return [SCALAR, 0, 0, "f64", struct.unpack("<Q", struct.pack("<d", value))[0], "", None]


def several(*items):
    return [
        LIST,
        0,
        0,
        "i64",
        0,
        "",
        {"dims": [], "transposed": False, "items": list(items), "word": ""},
    ]


NOTHING, TRUE = [NONE, 0, 0, "i64", 0, "", None], [BOOLEAN, 0, 1, "i64", 0, "", None]


def word(text):
    return [TEXT, 0, 0, "i64", 0, "", {"dims": [], "transposed": False, "items": [], "word": text}]


def operation(name, args, outs, index=0, tf32=False, **words):
    return [
        name,
        index,
        [1, 1, 1],
        [1, 1, 1],
        [0, 0, 0],
        0,
        False,
        args,
        {"words": words, "outs": outs, "tf32": tf32},
    ]


class Judged(unittest.TestCase):
    def setUp(self):
        self.blocks, self.buffers, self.sets = blocks.Blocks(blocks.HostMemory()), [], []
        self.library = library.Library(torch.device("cpu"))

    def tensor(self, name, role, dims, fill=None):
        """A buffer of the plan in a block of its own, 4096 bytes into it."""
        count = torch.Size(dims).numel()
        file = blocks.memory_file(bytes(4096 + 4 * count + 4096), name)
        self.sets.append([self.blocks.take(file, 4096 + 4 * count + 4096), 4096])
        os.close(file)
        self.buffers.append([name, role, "f32", list(dims), 4 * count])
        if fill is not None:
            self.view(name).copy_(fill)
        return len(self.buffers) - 1

    def view(self, name):
        index = [one[0] for one in self.buffers].index(name)
        self.blocks.map([self.sets[index][0]], fresh=False)
        return self.blocks.tensor(*self.sets[index], torch.float32, self.buffers[index][3])

    def go(self, *launches, **words):
        plan = {"buffers": self.buffers, "maps": [], "launches": list(launches)}
        message = {
            "sets": [self.sets],
            "times": 1,
            "fresh": False,
            "flush": True,
            "private": False,
            "skip": -1,
            "marked": [],
            "record": False,
            **words,
        }
        return self.library.prepare(plan, message, self.blocks)()


class Operations(Judged):
    def test_a_result_goes_from_operation_to_operation(self):
        x, w, b = torch.randn(3, 8), torch.randn(5, 8), torch.randn(5)
        names = [
            self.tensor("x", 0, [3, 8], x),
            self.tensor("w", 0, [5, 8], w),
            self.tensor("b", 0, [5], b),
        ]
        y, z = self.tensor("y", 1, [3, 5]), self.tensor("z", 2, [3, 5])
        said = self.go(
            operation(
                "aten.addmm",
                [buffer(names[2]), buffer(names[0]), buffer(names[1], transposed=True)],
                [z],
                alpha=integer(2),
            ),
            operation("aten.gelu", [buffer(z)], [y], 1, approximate=word("tanh")),
            record=True,
        )
        self.assertTrue(said["ok"], said)
        expected = torch.nn.functional.gelu(b + 2 * (x @ w.t()), approximate="tanh")
        self.assertTrue(torch.allclose(self.view("y"), expected, atol=1e-6))
        self.assertEqual([one[3] for one in self.library.recorded], [0, 1])

    def test_lists_numbers_booleans_and_none_arrive_as_they_are(self):
        x, w = torch.randn(2, 3, 6, 6), torch.randn(4, 3, 3, 3)
        a, b, y = (
            self.tensor("x", 0, [2, 3, 6, 6], x),
            self.tensor("w", 0, [4, 3, 3, 3], w),
            self.tensor("y", 1, [2, 4, 3, 3]),
        )
        two, one, none = (
            several(integer(2), integer(2)),
            several(integer(1), integer(1)),
            several(integer(0), integer(0)),
        )
        false = [BOOLEAN, 0, 0, "i64", 0, "", None]
        said = self.go(
            operation(
                "aten.convolution",
                [buffer(a), buffer(b), NOTHING, two, one, one, false, none, integer(1)],
                [y],
            )
        )
        self.assertTrue(said["ok"], said)
        self.assertTrue(
            torch.allclose(self.view("y"), torch.conv2d(x, w, stride=2, padding=1), atol=1e-5)
        )
        scaled = self.tensor("s", 1, [2, 108])
        self.assertTrue(
            self.go(operation("aten.mul.Scalar", [buffer(a, [2, 108]), real(0.5)], [scaled]))["ok"]
        )
        self.assertTrue(torch.equal(self.view("s"), x.reshape(2, 108) * 0.5))

    def test_what_does_not_fit_is_said(self):
        x, y = self.tensor("x", 0, [3, 8]), self.tensor("y", 1, [3, 3])
        said = self.go(operation("aten.relu", [buffer(x)], [y]))
        self.assertFalse(said["ok"])
        self.assertIn("launch 1 (aten.relu)", said["error"])
        said = self.go(operation("aten.mm", [buffer(x), buffer(x)], [y]))
        self.assertFalse(said["ok"])
        self.assertIn("shape", said["error"])

    def test_operations_are_checked_before_anything_runs(self):
        def refused(name, count, words=(), outs=1):
            with self.assertRaises(Refused) as caught:
                self.library.load(
                    json.dumps([[name, count, list(words), outs]]).encode() + b"\n", []
                )
            return str(caught.exception)

        self.assertIn("no operation", refused("aten.frobnicate", 1))
        self.assertIn("no overload", refused("aten.mm.nothing", 2))
        self.assertIn("torch's own", refused("prim.device", 1))
        self.assertIn("is not given mat2", refused("aten.mm", 1))
        self.assertIn("takes 2 arguments", refused("aten.mm", 3))
        self.assertIn("no argument gamma", refused("aten.addmm", 3, ["gamma"]))
        self.assertIn("in place", refused("aten.relu_", 1))
        self.assertIn("leave `.out` away", refused("aten.mm.out", 2))
        self.assertIn("random", refused("aten.bernoulli", 1))
        self.assertIn("random", refused("aten.native_dropout", 3, (), 2))
        self.assertIn("no operation has written", refused("aten.empty_like", 1))
        self.assertIn("no operation has written", refused("aten.from_file", 1))
        self.assertIn("gives 1 results", refused("aten.mm", 2, (), 2))
        self.assertIn("something else", refused("aten.size.int", 2))
        self.assertIn("need CUDA", str(self.refusal_of_kernels()))
        self.assertEqual(
            self.library.load(json.dumps([["aten.addmm", 3, ["alpha"], 1]]).encode() + b"\n", []),
            [],
        )

    def refusal_of_kernels(self):
        with self.assertRaises(Refused) as caught:
            self.library.load(b"[]\nimage", ["k"])
        return caught.exception


class Mixed(Judged):
    """Kernels between operations, on the fake driver; the tensors stay the CPU's."""

    def setUp(self):
        super().setUp()
        hone_light._DRIVER = FAKE
        hone_light._driver.cache_clear()
        torch.cuda.current_device = lambda: 0
        torch.cuda.current_stream = lambda: types.SimpleNamespace(cuda_stream=0x7F00DEADBEEF)
        self.fake = ctypes.CDLL(FAKE)
        self.fake.fake_log.restype = ctypes.c_char_p
        self.fake.fake_reset()
        self.library.device = torch.device("cuda:0")

    def test_a_kernel_gets_the_memory_of_a_result(self):
        for size in (8, 8, 4, 4):
            self.fake.fake_parameter(b"k", ctypes.c_size_t(size))
        told = self.library.load(b"[]\n\x7fELF.nv.constant0.k\0", ["k"])
        self.assertEqual([one[1] for one in told[0]["parameters"]], [8, 8, 4, 4])
        x, y, z = (
            self.tensor("x", 0, [4], torch.ones(4)),
            self.tensor("y", 1, [4]),
            self.tensor("z", 2, [4]),
        )
        kernel = [
            "k",
            1,
            [3, 2, 1],
            [64, 1, 1],
            [2, 1, 1],
            1024,
            True,
            [buffer(z), buffer(y), integer(7), [SCALAR, 0, 0, "f32", 0x3F800000, "", None]],
            None,
        ]
        said = self.go(operation("aten.relu", [buffer(x)], [z]), kernel)
        self.assertTrue(said["ok"], said)
        launch = [
            line
            for line in self.fake.fake_log().decode().split("\n")
            if line.startswith("cuLaunchKernelEx")
        ]
        self.assertEqual(len(launch), 1)
        self.assertIn("07000000 0000803f", launch[0])
        address = struct.pack("<Q", self.library.kept[0][y].data_ptr()).hex()
        self.assertIn(address, launch[0])
        self.assertNotIn(
            struct.pack("<Q", self.library.kept[0][z].data_ptr()).hex(), launch[0]
        )  # the result's own


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
