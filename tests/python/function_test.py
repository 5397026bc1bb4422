"""Tests of references that are functions of torch or NumPy, on the CPU: python3 function_test.py
SCRIPTS

SCRIPTS is resources/python.
"""

import pathlib
import sys
import textwrap
import unittest

SCRIPTS = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(SCRIPTS))
try:
    import numpy
    import torch
except ImportError:
    print("skipped: this Python has no torch or no NumPy")
    sys.exit(0)

from blocks import Refused
from function import FunctionProblem
from function_describe import describe
from function_extents import expression_for

torch.set_num_threads(1)
EXAMPLE = "return torch.randn(n, 32)"


def source_of(body, example=EXAMPLE, arguments="x", sizes="n=64"):
    return (
        f"import torch\nimport numpy as np\n\ndef f({arguments}):\n"
        f"{textwrap.indent(textwrap.dedent(body), '    ')}\n\n"
        f"def example_inputs({sizes}):\n    {example}\n"
    )


def described(body, *words, **question):
    return describe({"source": source_of(body, *words), "file": "reference.py", **question}, "cpu")


def why_not(body, *words, **question):
    try:
        described(body, *words, **question)
    except Refused as refused:
        return str(refused)
    return ""


class Described(unittest.TestCase):
    def test_parameters_of_the_example_are_the_symbols(self):
        told = described("return x.sum(1) * 2")
        self.assertEqual(told["function"], "f")
        self.assertEqual(
            [(one["name"], one["dtype"], one["shape"]) for one in told["inputs"]],
            [("x", "f32", ["n", 32])],
        )
        self.assertEqual(told["inputs"][0]["draw"], {"kind": "normal", "a": 0.0, "b": 1.0})
        self.assertEqual(told["outputs"][0]["shape"], ["n"])
        self.assertEqual([one["bind"]["n"] for one in told["cases"]], [64, 999, 10007])
        self.assertTrue(told["double"])
        self.assertEqual(told["flops"], {"f32": "33 * n"})  # 32 of each sum, and its double
        self.assertEqual(told["uncounted"], [])

    def test_extents_of_a_plain_example_become_symbols(self):
        told = described(
            "return torch.nn.functional.conv1d(x, w)",
            "return torch.randn(8, 16, 512), torch.randn(32, 16, 3)",
            "x, w",
            "",
        )
        self.assertEqual(
            [one["shape"] for one in told["inputs"]], [["x_0", "x_1", "x_2"], ["w_0", "x_1", "w_2"]]
        )
        self.assertEqual(told["outputs"][0]["shape"], ["x_0", "w_0", "x_2 - 2"])
        self.assertEqual(
            {one["bind"]["w_2"] for one in told["cases"]}, {3}
        )  # a number of taps is no size
        self.assertEqual(len(told["cases"]), 3)
        # No product of extents gives what depends on x_2 - 2
        self.assertEqual((told["flops"], told["uncounted"]), ({}, ["aten.convolution"]))

    def test_sizes_that_the_function_cannot_do_are_not_proposed(self):
        told = described(
            "return x.view(x.shape[0], 8, -1).mean(2)", "return torch.randn(64, 4096)", "x", ""
        )
        self.assertTrue(all(one["bind"]["x_1"] % 8 == 0 for one in told["cases"]))
        self.assertGreater(len({one["bind"]["x_0"] for one in told["cases"]}), 1)

    def test_strides_and_numbers_are_read(self):
        told = described(
            "return x * scale + n", "return torch.randn(64, 48).t(), 0.5, 64", "x, scale, n", ""
        )
        self.assertEqual(told["interface"]["orders"], {"x": [1, 0]})
        self.assertEqual(told["inputs"][0]["shape"], ["x_1", "x_0"])  # as it lies in memory
        self.assertEqual(
            told["interface"]["arguments"], [{"tensor": "x"}, {"scalar": "scale"}, {"scalar": "n"}]
        )
        self.assertEqual(
            {one["name"]: one["value"] for one in told["scalars"]}, {"scale": 0.5, "n": "x_1"}
        )

    def test_indices_stay_below_what_they_index(self):
        told = described(
            "return table[x]",
            "return torch.randint(0, 1000, (5000,)), torch.randn(1000, 64)",
            "x, table",
            "",
        )
        self.assertEqual(
            told["inputs"][0]["draw"], {"kind": "integers", "low": 0, "high": "table_0 - 1"}
        )
        self.assertGreater(len({one["bind"]["table_0"] for one in told["cases"]}), 1)

    def test_numpy_is_recognised(self):
        told = described("return np.cumsum(x)", "return np.random.rand(n).astype(np.float32)")
        self.assertTrue(told["numpy"])
        self.assertEqual(told["inputs"][0]["draw"]["kind"], "uniform")

    def test_what_is_drawn_otherwise_at_other_sizes_is_left_to_the_example(self):
        told = described("return x + 1", "return torch.randn(n, 32) / n ** 0.5")
        self.assertEqual(told["inputs"][0]["draw"]["kind"], "problem")
        self.assertTrue(told["inputs"][0]["draw"]["independent"])

    def test_half_precision_on_a_cpu(self):
        told = described(
            "return torch.nn.functional.gelu(x)", "return torch.randn(n, 32, dtype=torch.float16)"
        )
        self.assertEqual(told["outputs"][0]["dtype"], "f16")

    def test_a_function_that_cannot_compute_in_double_precision_is_noted(self):
        told = described("return x @ torch.ones(32, 8)")
        self.assertFalse(told["double"])
        self.assertIn("does not run in double precision", told["notes"][0])

    def test_expressions_fit_every_run(self):
        runs = [{"m": 512, "n": 384}, {"m": 37, "n": 61}, {"m": 257, "n": 127}]
        for values, text in (
            ([512, 37, 257], "m"),
            ([7, 7, 7], 7),
            ([514, 39, 259], "m + 2"),
            ([768, 122, 254], "2 * n"),
            ([896, 98, 384], "m + n"),
            ([256, 18, 128], "m / 2"),
            ([256, 19, 129], "(m + 1) / 2"),
            ([5, 1, 9], None),
        ):
            self.assertEqual(expression_for(values, runs), text)


class Chosen(unittest.TestCase):
    SEVERAL = (
        "import torch\ndef a(x):\n    return x + 1\ndef b(x):\n    return x + 2\ndef "
        "example_inputs(n=64):\n    return torch.randn(n, 5)\n"
    )
    TRITON = (
        "import triton\nimport triton.language as tl\n\n@triton.jit\ndef kernel(x):\n    pass\n\n"
        "def launch(x):\n    return x\n"
    )

    def asked(self, source, **question):
        return describe({"source": source, "file": "reference.py", **question}, "cpu")

    def test_a_name_decides_between_several(self):
        with self.assertRaisesRegex(Refused, "several functions"):
            self.asked(self.SEVERAL)
        self.assertEqual(self.asked(self.SEVERAL, reference_function="b")["function"], "b")
        with self.assertRaisesRegex(Refused, "defines no function c; it has a, b"):
            self.asked(self.SEVERAL, reference_function="c")

    def test_the_kernels_function_is_the_candidates(self):
        told = self.asked(source_of("return x + 1"), kernel=self.TRITON, kernel_file="kernel.py")
        self.assertEqual(
            (told["function"], told["entry"], told["interface"]["entry"]), ("f", "launch", "launch")
        )

    def test_a_kernel_of_tritons_is_no_function_to_call(self):
        with self.assertRaisesRegex(Refused, "name the function that launches it"):
            self.asked(
                source_of("return x + 1"),
                kernel=self.TRITON,
                kernel_file="kernel.py",
                entry="kernel",
            )

    def test_triton_is_no_reference_for_itself(self):
        with self.assertRaisesRegex(Refused, "uses Triton"):
            describe({"source": self.TRITON, "file": "kernel.py", "kernel": self.TRITON}, "cpu")

    def test_torch_is(self):
        text = source_of("return x + 1")
        self.assertEqual(
            describe({"source": text, "file": "kernel.py", "kernel": text}, "cpu")["entry"], "f"
        )


class BadReferences(unittest.TestCase):
    def test_each_has_its_own_sentence(self):
        for body, said in (
            ("x.mul_(2)\nreturn x + 1", "changes its input x"),
            ("x[0] = 1\nreturn x * 2", "changes its input x"),
            ("return x", "returns a view"),
            ("return x.t()", "returns a view"),
            ("y = x + 1\nreturn y, y[0]", "share their memory"),
            ("return float(x.sum())", "returns a float"),
            ("x + 1", "returns a NoneType"),
            ("return {'y': x + 1}", "returns a dict"),
            ("return []", "an empty list"),
            ("return (x + 1).numpy()", "returns a numpy.ndarray"),
            ("return torch.fft.fft(x)", "complex64"),
            ("return (x + 1).to_sparse()", "dense ones"),
            ("return x + torch.rand_like(x)", "is not deterministic"),
            ("f.calls = getattr(f, 'calls', 0) + 1\nreturn x * f.calls", "is not deterministic"),
            ("return x @ x", 'File "reference.py", line 5, in f'),
            ("return x.log()", "not finite"),
        ):
            with self.subTest(body):
                self.assertIn(said, why_not(body))

    def test_those_of_numpy_too(self):
        example = "return np.random.rand(n, 30)"
        for body, said in (
            ("x *= 2\nreturn x + 1", "changes its input x"),
            ("return x[:5]", "returns a view"),
            ("return x.tolist()", "returns a list with a list"),
        ):
            with self.subTest(body):
                self.assertIn(said, why_not(body, example))
        self.assertEqual(why_not("return x.sum()", example), "")

    def test_examples_that_say_too_little(self):
        self.assertIn(
            "there are no example inputs", why_not("return x", EXAMPLE + "\ndel example_inputs")
        )
        self.assertIn(
            "takes 1 (x)", why_not("return x + 1", "return torch.randn(5), torch.randn(5)")
        )
        self.assertIn("gives no tensor", why_not("return x + 1", "return 5"))
        self.assertIn("has no size as its default", why_not("return x + 1", EXAMPLE, "x", "n=1.5"))
        self.assertIn(
            "other shapes",
            why_not("return x + 1", "return torch.randn(int(torch.randint(5, 99, ())))", "x", ""),
        )
        self.assertIn("uint32", why_not("return x + 1", "return np.ones(n, dtype=np.uint32)"))
        self.assertIn(
            "example_inputs raises", why_not("return x + 1", "return torch.randn(n, missing)")
        )

    def test_an_example_that_was_typed_is_not_blamed_on_the_file(self):
        source = "def f(x):\n    return x + 1\n"
        ask = lambda example: describe(
            {"source": source, "file": "two.py", "example": example}, "cpu"
        )
        self.assertEqual(ask("torch.randn(64, 32)")["inputs"][0]["name"], "x")
        with self.assertRaisesRegex(
            Refused, r"^--example 'torch\.randn\(' is no expression of Python"
        ):
            ask("torch.randn(")
        with self.assertRaisesRegex(
            Refused, r"^--example 'torch\.randn\(m\)' raises(.|\n)*File \"--example\", line 1"
        ):
            ask("torch.randn(m)")

    def test_tracebacks_name_the_file_that_was_given(self):
        question = {"source": source_of("return x + missing"), "file": "two.py"}
        with self.assertRaisesRegex(Refused, 'File "two.py", line 5'):
            describe(question, "cpu")


class Asked(unittest.TestCase):
    """As the judge asks: flat memory in, outputs in the task's order out."""

    def problem(self, body, example=EXAMPLE, arguments="x", sizes="n=64", **words):
        told = described(body, example, arguments, sizes)
        return FunctionProblem(
            source_of(body, example, arguments, sizes),
            "f",
            inputs="example_inputs",
            numpy=told["numpy"],
            double=told["double"],
            interface=told["interface"],
            **words,
        )

    def test_expected_values_are_in_double_precision(self):
        problem = self.problem("return x.sum(1) / 3")
        problem.choose("c", {"x": [5, 32], "y": [5]}, {"n": 5})
        x = torch.randn(160)
        (exact,) = problem.call(*problem.sorted_out({"x": x}), "f64")
        self.assertEqual(exact.dtype, torch.float64)
        self.assertTrue(torch.equal(exact, x.double().reshape(5, 32).sum(1) / 3))
        self.assertEqual(problem.call(*problem.sorted_out({"x": x}), "f32")[0].dtype, torch.float32)

    def test_a_transposed_input_is_handed_over_transposed(self):
        problem = self.problem(
            "return x.sum(0) * scale", "return torch.randn(64, 48).t(), 0.5", "x, scale", ""
        )
        problem.choose("c", {"x": [7, 3], "y": [7]}, {})  # 7 rows of 3 in memory
        x = torch.randn(21)
        (result,) = problem.call(*problem.sorted_out({"x": x, "scale": 2.0}), "f64")
        self.assertTrue(torch.allclose(result, 2 * x.double().reshape(7, 3).sum(1)))

    def test_it_draws_at_the_sizes_of_the_case(self):
        problem = self.problem("return x + 1", "return torch.randn(n, 32) / n ** 0.5")
        problem.choose("c", {"x": [10000, 32]}, {"n": 10000})
        views = {"x": torch.zeros(320000)}
        problem.draw_into(7, views)
        self.assertAlmostEqual(views["x"].std().item(), 0.01, places=3)
        again = {"x": torch.zeros(320000)}
        problem.draw_into(7, again)
        self.assertTrue(torch.equal(views["x"], again["x"]))
        problem.choose("c", {"x": [9, 32]}, {"n": 10})
        with self.assertRaisesRegex(
            Refused, r"the extents \[10, 32\] in case c, and task.toml \[9, 32\]"
        ):
            problem.draw_into(7, {"x": torch.zeros(320)})

    def test_an_edited_reference_is_told_what_does_not_fit(self):
        problem = self.problem("return x + 1")
        x = torch.randn(160)
        for body, said in (
            (
                lambda x: x[:2] + 1,
                r"y with the extents \[2, 32\] in case c, where task.toml has \[5, 32\]",
            ),
            (lambda x: (x + 1).half(), "float16 for y"),
            (lambda x: x > 0, "bool for y"),
            (lambda x: (x + 1, x + 2), "2 results"),
            (lambda x: x.add_(1), "changes its input"),
        ):
            problem.function = body
            problem.choose("c", {"x": [5, 32], "y": [5, 32]}, {"n": 5})
            with self.assertRaisesRegex(Refused, said):
                problem.call(*problem.sorted_out({"x": x}), "f64")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
