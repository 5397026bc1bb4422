"""Tests of how Hone asks a problem of GPU MODE, on the CPU: python3 gpumode_test.py SCRIPTS
PROBLEMS

SCRIPTS is resources/python, PROBLEMS the folder with problems written for the purpose.
"""

import pathlib
import sys
import textwrap
import unittest

SCRIPTS, PROBLEMS = map(pathlib.Path, sys.argv[1:3])
sys.path.insert(0, str(SCRIPTS))
try:
    import torch
except ImportError:
    print("skipped: this Python has no torch")
    sys.exit(0)

import candidate
import gpumode_describe
import nested
from gpumode import GpuModeProblem, said_by
from gpumode_describe import describe
from blocks import Refused

torch.set_num_threads(1)
GOOD = {
    "generate_input": "return torch.rand(size, generator=torch.Generator().manual_seed(seed))",
    "ref_kernel": "return 2 * data",
    "check_implementation": "return torch.allclose(output, ref_kernel(data))",
}
ARGUMENTS = {
    "generate_input": "size, seed",
    "ref_kernel": "data",
    "check_implementation": "data, output",
}


def made(cases=({"size": 300, "seed": 1},), **bodies):
    """A problem whose functions have these bodies."""
    text = "import torch\n"
    for name, body in {**GOOD, **bodies}.items():
        if body is not None:
            indented = textwrap.indent(textwrap.dedent(body), '    ')
            text += f"\ndef {name}({ARGUMENTS[name]}):\n{indented}\n"
    named = {f"test-{index}": dict(case) for index, case in enumerate(cases)}
    return GpuModeProblem({"reference.py": text}, named, tests=list(named))


def own(name, tests):
    files = {
        file.name: file.read_text()
        for file in (PROBLEMS / name).glob("*.py")
        if file.name != "submission.py"
    }
    files["utils.py"] = (PROBLEMS / "utils.py").read_text()
    cases = {f"test-{index}": case for index, case in enumerate(tests)}
    return GpuModeProblem(files, cases, tests=list(cases))


class Nested(unittest.TestCase):
    def test_a_value_is_taken_apart_and_put_together_again(self):
        value = (
            torch.rand(3, 4).T,
            {"a.b": torch.ones(2, dtype=torch.bool), "none": None},
            [7, 2.5, True, "word"],
        )
        flat = nested.Flattened(value, "in", "generate_input", "in_0")
        self.assertEqual(list(flat.tensors), ["in_0", "in_1_a_b"])
        self.assertEqual(flat.facts["in_0"]["order"], [1, 0])
        self.assertEqual(
            (flat.integers, flat.numbers), ({"in_2_0": 7, "in_2_2": 1}, {"in_2_1": 2.5})
        )
        tensors = {
            name: nested.from_memory(
                nested.to_memory(one, flat.facts[name]["order"]), flat.facts[name], tuple(one.shape)
            )
            for name, one in flat.tensors.items()
        }
        again = nested.rebuilt(flat.code, nested.places_of(tensors, flat.integers, flat.numbers))
        self.assertTrue(torch.equal(again[0], value[0]))
        self.assertEqual(again[0].stride(), value[0].stride())
        self.assertEqual(again[1]["a.b"].dtype, torch.bool)
        self.assertEqual((again[1]["none"], again[2]), (None, [7, 2.5, True, "word"]))
        self.assertIs(again[2][2], True)

    def test_shared_elements_are_handed_over_contiguous_and_it_is_said(self):
        flat = nested.Flattened((torch.rand(1, 4).expand(3, 4),), "in", "generate_input", "in_0")
        self.assertIn("handed over contiguous", flat.notes[0])

    def test_names_do_not_collide(self):
        flat = nested.Flattened(
            {"a.b": torch.ones(1), "a_b": torch.ones(1)}, "in", "generate_input", "in_0"
        )
        self.assertEqual(len(flat.tensors), 2)

    def test_what_cannot_be_handed_over_is_refused(self):
        for value, reason in (
            (torch.nn.Linear(2, 2), "nn.Module"),
            (object(), "object"),
            ({1: torch.ones(1)}, "dict"),
            (torch.ones(2, dtype=torch.complex64), "complex64"),
            (torch.ones(0), "no elements"),
            (torch.eye(2).to_sparse(), "dense"),
        ):
            with self.assertRaisesRegex(Refused, reason):
                nested.Flattened((value,), "in", "generate_input", "in_0")


class Results(unittest.TestCase):
    def test_what_torch_gives_names_to_is_a_tuple(self):
        x = torch.rand(3, 4)
        places = [("y_0", torch.zeros(3)), ("y_1", torch.zeros(3, dtype=torch.int64))]
        candidate.take_results(torch.max(x, 1), places, torch.device("cpu"))
        self.assertTrue(
            torch.equal(places[0][1], x.amax(1)) and torch.equal(places[1][1], x.argmax(1))
        )


class Describing(unittest.TestCase):
    def test_says_which_case_it_is_at_where_nothing_was_said_for_a_while(self):
        for silence, expected in ((0, ["case 1 of 2, after", "case 2 of 2, after"]), (3600, [])):
            said = []
            describe(made(cases=[{"size": 30, "seed": 1}, {"size": 40, "seed": 2}]),
                     said.append, silence)
            self.assertEqual([text[:len("case 1 of 2, after")] for text in said], expected)

    def test_operations_are_counted_in_each_case(self):
        said = describe(own("affine", [{"rows": 10, "cols": 32, "seed": 1},
                                       {"rows": 20, "cols": 64, "seed": 1}]))
        for case, (rows, cols) in zip(said["cases"], ((10, 32), (20, 64))):
            # The square, its sum, plus eps and the root; the quotient and its scale; the product
            by_hand = 2 * rows * cols + 2 * rows + 2 * rows * cols + 2 * rows * cols * 24
            self.assertEqual(case["flops"], {"f32": by_hand})
            self.assertEqual(case["uncounted"], [])

    def test_a_tensor_that_is_there_to_be_written_is_no_input(self):
        said = describe(own("blend", [{"size": 32, "flag": "True", "seed": 1}]))
        self.assertEqual(said["buffers"], {"in_2": "y"})
        self.assertEqual(said["independent"], ["in_0", "in_1"])
        self.assertTrue(said["unique"] and said["double"])
        self.assertLess(said["outputs"][0]["error_max"], 1e-6)
        self.assertTrue(2e-5 < said["noise"] < 1e-3, said["noise"])
        self.assertEqual(said["variants"], ["shifted", "flipped", "heavy", "large"])

    def test_a_variant_on_which_a_precision_that_the_check_takes_is_too_coarse_is_left_out(self):
        def variants(tolerance):
            # The mean of products of shifted inputs is large, and is taken off again.
            said = describe(
                made(
                    generate_input="return torch.randn(24, size, "
                                   "generator=torch.Generator().manual_seed(seed))",
                    ref_kernel="y = data @ data.T\ny = y - y.mean()\nreturn y / "
                               "y.square().mean().sqrt()",
                    check_implementation="return torch.allclose(output, ref_kernel(data), "
                                         f"rtol={tolerance}, atol={tolerance})",
                )
            )
            self.assertEqual(len(said["notes"]), 4 - len(said["variants"]), said["notes"])
            return said["variants"]

        self.assertEqual(variants(2e-2), ["flipped", "heavy", "large"])
        self.assertEqual(variants(1e-3), ["shifted", "flipped", "heavy", "large"])

    def test_a_reference_that_cannot_be_asked_in_bfloat16_keeps_its_variants(self):
        gpumode_describe.SOME_SECONDS = 0.05
        for body in (
            "assert (data != data.bfloat16()).any(), 'rounded'\nreturn 2 * data",
            "assert data.dtype != torch.bfloat16\nreturn 2 * data",
            "while data.dtype == torch.bfloat16: pass\nreturn 2 * data",
            "return 2 * data if data.dtype != torch.bfloat16 else data / 0 * 0",
        ):
            said = describe(
                made(
                    ref_kernel=body,
                    check_implementation="return torch.allclose(output, ref_kernel(data), "
                                         "rtol=0.1)",
                )
            )
            self.assertEqual(said["variants"], ["shifted", "flipped", "heavy", "large"], body)

    def test_a_buffer_that_is_never_touched_is_one_too(self):
        said = describe(
            made(
                generate_input="return torch.rand(size), torch.empty(1)",
                ref_kernel="x, out = data\nout = x.sum()\nreturn out",
            )
        )
        self.assertEqual(said["buffers"], {"in_1": "y"})
        self.assertEqual(said["outputs"][0]["order"], [])

    def test_the_buffers_type_is_the_answers_and_an_input_that_one_case_does_not_need_is_no_buffer(
        self,
    ):
        said = describe(
            made(
                cases=[{"size": 300, "seed": 1}, {"size": 299, "seed": 1}],
                generate_input="return torch.rand(size), torch.rand(size), torch.empty(size)",
                ref_kernel="""
                                 x, shift, out = data
                                 return x.double() + (shift if len(x) == 299 else 0)""",
            )
        )
        self.assertEqual(said["buffers"], {"in_2": "y"})
        self.assertEqual(said["outputs"][0]["dtype"], "f32")

    def test_what_the_reference_cannot_do_without_is_an_input(self):
        said = describe(
            made(
                generate_input="return torch.rand(size)",
                ref_kernel="""
                                 if not torch.isfinite(data).all():
                                     raise RuntimeError("does not converge")
                                 return data.sort().values""",
            )
        )
        self.assertEqual((said["buffers"], [one["name"] for one in said["inputs"]]), ({}, ["in_0"]))

    def test_a_problem_is_asked_again_with_nothing_kept_where_memory_was_short(self):
        if not hasattr(torch.cuda, "OutOfMemoryError"):
            self.skipTest("this torch has no such error")
        problem = made(ref_kernel="""
            if data.dtype == torch.float64 and not hasattr(ref_kernel, "failed"):
                ref_kernel.failed = True
                raise torch.cuda.OutOfMemoryError("full")
            return 2 * data""")
        self.assertTrue(describe(problem)["double"])
        self.assertEqual((problem.kept, problem.most_kept), ({}, 0))

    def test_inputs_are_drawn_twice_at_most_for_a_case(self):
        problem = made(
            generate_input="generate_input.times = getattr(generate_input, 'times', 0) + 1\n"
            + GOOD["generate_input"]
        )
        describe(problem)
        self.assertEqual(problem.module.generate_input.times, 2)

    def test_nested_inputs_have_names_and_integers_are_numbers_of_the_case(self):
        said = describe(
            own("affine", [{"rows": 5, "cols": 64, "seed": 1}, {"rows": 7, "cols": 96, "seed": 1}])
        )
        self.assertEqual(
            [one["name"] for one in said["inputs"]], ["in_0", "in_1_scale_gamma", "in_3"]
        )
        self.assertEqual(said["inputs"][2]["order"], [1, 0])
        self.assertEqual(said["numbers"], {"in_2_eps": 0.5})
        self.assertEqual([one["integers"]["in_2_keep"] for one in said["cases"]], [18, 19])
        self.assertEqual([one["name"] for one in said["outputs"]], ["y_0", "y_1"])

    def test_strides_that_differ_from_case_to_case_are_dropped(self):
        said = describe(
            made(
                cases=[{"size": 300, "seed": 1}, {"size": 299, "seed": 1}],
                generate_input="x = torch.rand(size, 7)\nreturn x if size == 299 else x.T",
                ref_kernel="return 2 * data.T",
            )
        )
        self.assertEqual(
            (said["inputs"][0]["order"], said["outputs"][0]["order"]), ([0, 1], [0, 1])
        )
        self.assertIn("handed over contiguous", said["notes"][0])

    def test_a_check_of_residuals_has_no_one_answer(self):
        self.assertFalse(describe(own("roots", [{"size": 1000, "seed": 1}]))["unique"])

    def test_nor_has_one_that_asks_the_reference_but_takes_either_sign(self):
        problem = made(
            check_implementation="return torch.allclose(output.abs(), ref_kernel(data).abs())"
        )
        self.assertFalse(describe(problem)["unique"])

    def test_a_reference_that_insists_on_its_precision_is_the_truth_as_it_is(self):
        said = describe(made(ref_kernel="assert data.dtype == torch.float32\nreturn 2 * data"))
        self.assertTrue(said["unique"])
        self.assertFalse(said["double"])
        self.assertIn("AssertionError", said["notes"][0])

    def test_what_cannot_be_judged_is_refused_with_the_reason(self):
        for bodies, reason in (
            ({"check_implementation": None}, "no check_implementation"),
            (
                {"check_implementation": "return False, 'never'"},
                "refuses the answer of ref_kernel itself: never",
            ),
            ({"check_implementation": "return 3.5"}, "gives a float"),
            ({"generate_input": "return torch.rand(seed % 7 + 3)"}, "shape of in_0"),
            (
                {"generate_input": "return torch.rand(4), seed", "ref_kernel": "return data[0]"},
                "the number in_1",
            ),
            ({"ref_kernel": "data += 1\nreturn data"}, "reads in_0 and writes it"),
            ({"ref_kernel": "return data.tolist()"}, "something else than a tensor"),
            ({"ref_kernel": "return {'y': data}"}, "something else than a tensor"),
        ):
            with self.assertRaisesRegex(Refused, reason, msg=str(bodies)):
                describe(made(**bodies))
        with self.assertRaisesRegex(Refused, "task.yml name its arguments"):
            describe(made(cases=[{"width": 4, "seed": 1}]))
        with self.assertRaisesRegex(Refused, "other tensors"):
            describe(
                made(
                    cases=[{"size": 300, "seed": 1}, {"size": 301, "seed": 1}],
                    generate_input="return [torch.rand(size)] * (size - 299)",
                    ref_kernel="return 2 * data[0]",
                )
            )


class Asking(unittest.TestCase):
    def problem(self):
        problem = own("affine", [{"rows": 5, "cols": 64, "seed": 1}])
        said = describe(problem)
        facts = {one["name"]: one for one in said["outputs"]}
        problem.output, problem.double = {"code": said["output"], "facts": facts}, said["double"]
        problem.choose("test-0")
        return problem

    def test_draws_depend_on_the_seed_alone_and_fill_the_judges_memory(self):
        problem = self.problem()
        one, two, other = (torch.zeros(5 * 64) for _ in range(3))
        for view, seed in ((one, 7), (two, 7), (other, 8)):
            problem.draw_into(seed, {"in_0": view})
        self.assertTrue(torch.equal(one, two))
        self.assertFalse(torch.equal(one, other))
        problem.draw_into(7, {"in_0": two}, "flipped", ["in_0"])
        self.assertTrue(torch.equal(one, -two))

    def test_outputs_and_the_problems_own_verdict(self):
        problem = self.problem()
        given = {
            "in_0": torch.zeros(5 * 64),
            "in_1_scale_gamma": torch.zeros(64),
            "in_3": torch.zeros(24 * 64),
        }
        problem.draw_into(3, given)
        kept = {name: value.clone() for name, value in given.items()}
        y, lengths = problem.call(given, {}, "f64")
        self.assertEqual(y.dtype, torch.float64)
        outputs = {"y_0": y.float(), "y_1": lengths.float()}
        shapes = {"y_0": [5, 18], "y_1": [5]}
        self.assertEqual(problem.check(given, outputs, shapes), (True, ""))
        outputs["y_1"] = outputs["y_1"] + 1
        self.assertEqual(problem.check(given, outputs, shapes), (False, "mismatch"))
        self.assertTrue(
            all(torch.equal(kept[name], given[name]) for name in kept),
            "the judge's memory stays as it is",
        )

    def test_all_forms_of_a_verdict_are_understood(self):
        for result, good in (
            ((True, ""), True),
            ((False, "no"), False),
            ("", True),
            ("no", False),
            (True, True),
            ([], True),
            (["no"], False),
            (None, True),
        ):
            self.assertEqual(said_by(result)[0], good, result)


unittest.main(argv=sys.argv[:1])
