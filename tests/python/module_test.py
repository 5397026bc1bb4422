"""The Python module `hone`, driving the real binary on the fake GPU: module_test.py SOURCE HONE"""

import os
import pathlib
import subprocess
import sys
import unittest

SOURCE, HONE = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
sys.path[:0] = [str(SOURCE / "python"), str(SOURCE / "tests/mcp")]
os.environ["HONE_BINARY"] = HONE

import hone  # noqa: E402
from place import Place, candidate  # noqa: E402

try:
    import torch
except ImportError:
    torch = None

scale = 2.0


def helper(x):
    return x * scale


def doubled(x, bias=0.5):
    return torch.relu(helper(x)) + bias


def example_inputs(rows=64, columns=32):
    return torch.randn(rows, columns)


class Module(unittest.TestCase):
    def setUp(self):
        self.place = Place()
        self.addCleanup(self.place.close)
        self.before = dict(os.environ)
        os.environ.update(self.place.environment)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(self.before)))
        self.task = self.place.folder / "copy"

    def file(self, name):
        return self.place.folder / name

    def test_an_accepted_candidate_has_a_time(self):
        verdict = hone.evaluate(self.task, self.file("good.fake"), device="fake:1")
        self.assertTrue(verdict.accepted)
        self.assertAlmostEqual(verdict.seconds, 2.0, delta=0.1)
        self.assertEqual([case.name for case in verdict.cases], ["odd", "main"])
        self.assertIsNone(verdict.cases[0].seconds)
        self.assertTrue(verdict.id)
        self.assertIn("<table>", verdict._repr_html_())
        self.assertEqual(verdict.json["geomean_s"], verdict.seconds)

    def test_a_wrong_candidate_is_a_result(self):
        verdict = hone.evaluate(self.task, self.file("wrong.fake"), device="fake:1", record=False)
        self.assertEqual(verdict.outcome, "wrong")
        self.assertFalse(verdict.accepted)
        self.assertIsNone(verdict.seconds)
        self.assertTrue(verdict.evidence[0].text)
        self.assertIsNone(verdict.id)

    def test_what_is_shown_in_notebooks_is_escaped(self):
        self.place.write("evil.fake", candidate("copy") + "// <script>alert(1)</script>\nburn\n")
        try:
            shown = hone.evaluate(self.task, self.file("evil.fake"), device="fake:1")._repr_html_()
        except hone.Error as error:
            self.fail(f"a candidate that does not build is a result: {error}")
        self.assertNotIn("<script>", shown)

    def test_compare_profile_and_tune(self):
        better, good = self.file("better.fake"), self.file("good.fake")
        said = []
        comparison = hone.compare(self.task, good, better, device="fake:1", progress=said.append)
        self.assertTrue(comparison.faster)
        self.assertAlmostEqual(comparison.times_as_fast, 2.0, delta=0.1)
        self.assertLessEqual(comparison.low, comparison.ratio)
        self.assertIn("b is faster", comparison._repr_html_())
        refused = hone.compare(self.task, good, self.file("wrong.fake"), device="fake:1")
        self.assertIsNone(refused.word)
        self.assertEqual(refused.b.outcome, "wrong")
        self.assertIn("wrong", refused._repr_html_())
        profile = hone.profile(self.task, good, device="fake:1")
        self.assertIn(profile.bound, ("compute", "memory", "latency", "mixed"))
        self.assertIn("<p>", profile._repr_html_())
        self.assertEqual(
            hone.profile(self.task, self.file("wrong.fake"), device="fake:1").evaluation.outcome,
            "wrong",
        )
        tuning = hone.tune(self.task, self.file("tuned.fake"), device="fake:1")
        self.assertEqual(tuning.winner, {"T": 1})
        self.assertTrue(pathlib.Path(tuning.written).is_file())
        self.assertIn("T=1", tuning._repr_html_())

    def test_a_broken_environment_is_an_exception_that_names_the_fix(self):
        with self.assertRaises(hone.Error) as raised:
            hone.evaluate(self.task, self.file("nothere.fake"), device="fake:1")
        self.assertEqual((raised.exception.code, raised.exception.kind), (3, "bad_input"))
        self.assertIn("nothere.fake", str(raised.exception))
        with self.assertRaises(hone.Error) as raised:
            hone.evaluate(self.task, self.file("good.fake"), device="cuda:77")
        self.assertEqual(raised.exception.kind, "environment")
        os.environ["HONE_BINARY"] = str(self.file("no-such-program"))
        with self.assertRaises(hone.Error) as raised:
            hone.version()
        self.assertIn("no-such-program", str(raised.exception))

    def test_a_run_without_a_model_says_how_to_get_one(self):
        with self.assertRaises(hone.Error) as raised:
            hone.run(self.task, device="fake:1")
        self.assertIn("--llm", str(raised.exception))

    @unittest.skipUnless(torch, "this Python has no torch")
    def test_a_function_becomes_a_task(self):
        os.environ["HONE_PYTHON"] = sys.executable
        made = hone.task(self.place.folder / "doubled", reference=doubled, inputs=example_inputs)
        reference = (made.folder / "reference.py").read_text()
        for part in ("import torch", "scale = 2.0", "def helper", "def doubled", "example_inputs"):
            self.assertIn(part, reference)
        self.assertTrue((made.folder / "task.toml").is_file())
        self.assertEqual(os.fspath(made), str(made.folder))
        with self.assertRaises(hone.Error):
            hone.task(self.place.folder / "doubled", reference=doubled, inputs=example_inputs)

    def test_what_cannot_be_copied_is_refused(self):
        values = [1]

        def closed(x):
            return x + values[0]

        for function in (closed, lambda x: x, max):
            with self.assertRaises(hone.Error):
                hone.task(self.place.folder / "none", reference=function, inputs="1")
        self.assertFalse((self.place.folder / "none").exists())

    def test_the_version_is_that_of_the_program(self):
        said = subprocess.run([HONE, "--version"], capture_output=True, text=True).stdout.strip()
        self.assertEqual(hone.version(), said)
        self.assertEqual(hone.program(), HONE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
