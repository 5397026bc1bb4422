"""What describing a problem of KernelBench costs and says: describe_test.py RESOURCES_PYTHON.
Skipped without torch."""

import sys
import unittest

try:
    import torch
except ImportError:
    print("skipped: no torch")
    sys.exit(77)

sys.path.insert(0, sys.argv.pop(1))

import describe
from problem import Problem

SOURCE = """
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)

    def forward(self, x, y):
        return self.norm(x) + y

def get_inputs():
    return [torch.randn(64, 8), torch.randn(64, 8)]

def get_init_inputs():
    return []
"""


class Describe(unittest.TestCase):
    def test_calls_the_model_as_often_as_it_says_at_the_most(self):
        problem, said = Problem(SOURCE), []
        describe.tell_of_calls(problem, said.append, silence=0)
        facts = describe.describe(problem)
        expected = describe.calls_expected(["x", "y"])
        self.assertLessEqual(len(said), expected)
        self.assertTrue(
            said[0].startswith(f"call 1 of about {expected} of its model, in f64, after ")
        )
        self.assertEqual(facts["outputs"][0]["shape"], [64, 8])
        self.assertEqual(facts["outputs"][0]["dtype"], "f32")
        self.assertGreater(facts["outputs"][0]["error_rms"], 0)

    def test_is_silent_while_nothing_takes_long(self):
        problem, said = Problem(SOURCE), []
        describe.tell_of_calls(problem, said.append, silence=3600)
        describe.describe(problem)
        self.assertEqual(said, [])


unittest.main()
