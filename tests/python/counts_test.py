"""Operations that are counted, against counts by hand: counts_test.py RESOURCES_PYTHON. Skipped
without torch."""

import sys
import unittest

try:
    import torch
except ImportError:
    print("skipped: no torch")
    sys.exit(77)

sys.path.insert(0, sys.argv.pop(1))

import torch.nn as nn
import torch.nn.functional as F

import describe
import work_table
from problem import Problem
from work_count import TorchDispatchMode, counts_of, expressions_of, flop_registry, told

if TorchDispatchMode is None:
    print("skipped: this torch cannot record operators")
    sys.exit(77)

X = torch.rand(2, 4, 8, 10) + 1  # 640 elements
N = 640


def counted(call):
    with torch.no_grad():
        return counts_of(call)


class Products(unittest.TestCase):
    def check(self, call, f32, **others):
        counts = counted(call)
        self.assertEqual(counts.unknown, [])
        self.assertEqual(counts.total(), {**({"f32": f32} if f32 else {}), **others})

    def test_of_matrices(self):
        a, b, c = torch.rand(3, 5), torch.rand(5, 7), torch.rand(3, 7)
        self.check(lambda: a @ b, 2 * 3 * 5 * 7)
        self.check(lambda: torch.addmm(c, a, b), 2 * 3 * 5 * 7 + 3 * 7)
        self.check(lambda: torch.addmm(c, a, b, alpha=2, beta=3), 2 * 3 * 5 * 7 + 3 * 3 * 7)
        self.check(lambda: a.mv(b[:, 0]), 2 * 3 * 5)
        self.check(lambda: torch.dot(b[0], b[1]), 2 * 7)
        d, e, f = torch.rand(6, 3, 5), torch.rand(6, 5, 7), torch.rand(6, 3, 7)
        self.check(lambda: torch.bmm(d, e), 6 * 210)
        self.check(lambda: torch.baddbmm(f, d, e), 6 * 210 + 6 * 21)
        self.check(lambda: torch.addbmm(c, d, e), 6 * 210 + 21)
        self.check(lambda: torch.matmul(d.view(2, 3, 3, 5), b), 6 * 210)
        self.check(lambda: torch.einsum("bik,bkj->bij", d, e), 6 * 210)

    def test_of_linear_layers(self):
        # 2 * 4 * 8 rows of 10
        for bias in (False, True):
            layer = nn.Linear(10, 6, bias=bias)
            self.check(lambda: layer(X), 2 * 64 * 10 * 6 + (64 * 6 if bias else 0))

    def test_of_convolutions(self):
        one, three = torch.rand(2, 4, 9), torch.rand(2, 4, 5, 6, 7)
        plain, grouped = nn.Conv1d(4, 6, 3, bias=False), nn.Conv2d(4, 6, 3, groups=2)
        self.check(lambda: plain(one), 2 * (2 * 6 * 7) * 4 * 3)
        self.check(lambda: grouped(X), 2 * (2 * 6 * 6 * 8) * 2 * 9 + 2 * 6 * 6 * 8)
        sparse = nn.Conv2d(4, 6, 3, dilation=2, stride=2, padding=1, bias=False)
        self.check(lambda: sparse(X), 2 * (2 * 6 * 3 * 4) * 4 * 9)  # 8 + 2 - 4 = 6; 10 + 2 - 4 = 8
        deep = nn.Conv3d(4, 3, (1, 2, 3), bias=False)
        self.check(lambda: deep(three), 2 * (2 * 3 * 5 * 5 * 5) * 4 * 6)
        depthwise = nn.Conv2d(4, 4, 3, groups=4, bias=False)
        self.check(lambda: depthwise(X), 2 * (2 * 4 * 6 * 8) * 9)

    def test_of_transposed_convolutions(self):
        # Each element of the input meets all filters of its group
        plain = nn.ConvTranspose2d(4, 6, 3, stride=2, bias=False)
        self.check(lambda: plain(X), 2 * N * 6 * 9)
        grouped = nn.ConvTranspose2d(4, 6, 3, groups=2)
        self.check(lambda: grouped(X), 2 * N * 3 * 9 + 2 * 6 * 10 * 12)
        line = nn.ConvTranspose1d(4, 6, 5, bias=False)
        x = torch.rand(2, 4, 9)
        self.check(lambda: line(x), 2 * 72 * 6 * 5)

    def test_by_the_type_of_the_operands(self):
        half = X.bfloat16()
        self.check(lambda: half @ half.transpose(-1, -2), 0, bf16=2 * 8 * 8 * 8 * 10)
        self.check(lambda: half * half, N)  # no tensor core does that
        double = X.double()
        self.check(lambda: torch.relu(double @ double.transpose(-1, -2)), 0,
                   f64=2 * 8 * 8 * 8 * 10 + 8 * 8 * 8)
        self.check(lambda: torch.ones(4).long() @ torch.ones(4).long(), 0)

    def test_of_recurrent_layers(self):
        # 5 steps of 3 rows; input 8, hidden 6
        x, rows = torch.rand(5, 3, 8), 15
        for make, gates in ((nn.LSTM, 4), (nn.GRU, 3), (nn.RNN, 1)):
            layer = make(8, 6)
            total = counted(lambda: layer(x)).total()["f32"]
            products = 2 * rows * gates * 6 * (8 + 6)
            self.assertGreater(total, products)
            # Less than 60 operations beside them for each number of each state
            self.assertLess(total, products + rows * 6 * 60)

    def test_of_recurrent_layers_in_one_operator(self):
        weights = [torch.rand(24, 8), torch.rand(24, 6), torch.rand(24), torch.rand(24)]
        arguments = {"input": torch.rand(5, 3, 8), "weight": weights, "mode": 2}
        self.assertEqual(
            work_table.count_of("_cudnn_rnn", arguments, torch.rand(5, 3, 6)),
            {"f32": 2 * 15 * 24 * (8 + 6) + 15 * 6 * 40},
        )
        one_layer = {f"weight{i + 1}": weight for i, weight in enumerate(weights)}
        self.assertEqual(
            work_table.count_of(
                "mkldnn_rnn_layer", {"input": torch.rand(5, 3, 8), **one_layer, "mode": 2},
                torch.rand(5, 3, 6)),
            {"f32": 2 * 15 * 24 * (8 + 6) + 15 * 6 * 40},
        )

    def test_of_attention_in_its_forms(self):
        q, k, v = torch.rand(2, 3, 5, 8), torch.rand(2, 3, 7, 8), torch.rand(2, 3, 7, 4)
        pairs = 2 * 3 * 5 * 7
        named = {"query": q.half(), "key": k.half(), "value": v.half()}
        for form in ("flash_attention", "efficient_attention", "cudnn_attention",
                     "attention_forward", "flash_attention_for_cpu"):
            self.assertEqual(
                work_table.count_of(f"_scaled_dot_product_{form}", named, torch.rand(2, 3, 5, 4)),
                {"f16": 2 * pairs * (8 + 4), "f32": pairs * 7},
            )
        by_hand = counted(lambda: torch.softmax(q @ k.transpose(-1, -2) / 3, -1) @ v)
        self.assertEqual(by_hand.total(), {"f32": 2 * pairs * (8 + 4) + pairs * 7})

    def test_by_torch_where_it_counts(self):
        kept = dict(flop_registry)
        mm = torch.ops.aten.mm
        try:
            flop_registry[mm] = lambda a, b, out_val=None: 10 * out_val.numel()
            a = torch.rand(3, 3)
            self.check(lambda: torch.relu(a @ a), 90 + 9)
            flop_registry[mm] = lambda a: 10
            self.check(lambda: a @ a, 2 * 27)
        finally:
            flop_registry.clear()
            flop_registry.update(kept)

    def test_as_torch_counts_them(self):
        if not flop_registry:
            self.skipTest("this torch does not count")
        from torch.utils.flop_counter import FlopCounterMode
        convolution, back = nn.Conv2d(4, 6, 3, groups=2), nn.ConvTranspose2d(4, 6, 3, groups=2)
        calls = (
            lambda: X @ X.transpose(-1, -2),
            lambda: torch.addmm(torch.rand(7), torch.rand(3, 5), torch.rand(5, 7)),
            lambda: convolution(X),
            lambda: back(X),
            lambda: F.scaled_dot_product_attention(X, X, X),
        )
        compared = 0
        for call in calls:
            with torch.no_grad(), FlopCounterMode(display=False) as torchs:
                call()
            if torchs.get_total_flops() == 0:  # attention on a CPU, in torch 2.8
                continue
            compared += 1
            kept = dict(flop_registry)
            flop_registry.clear()
            try:
                ours = counted(call).total()["f32"]
            finally:
                flop_registry.update(kept)
            # Biases and softmax are beside the products
            self.assertLessEqual(torchs.get_total_flops(), ours)
            self.assertLess(ours, 1.5 * torchs.get_total_flops())
        self.assertGreaterEqual(compared, 4)


class Elements(unittest.TestCase):
    def check(self, expected, call):
        counts = counted(call)
        self.assertEqual(counts.unknown, [])
        self.assertEqual(counts.total().get("f32", 0), expected)

    def test_of_arithmetic(self):
        self.check(N, lambda: X + X)
        self.check(2 * N, lambda: torch.add(X, X, alpha=2))
        self.check(N, lambda: X + X[0, 0])  # broadcast
        self.check(N, lambda: 1 - X)
        self.check(N, lambda: X.clone().mul_(2))
        self.check(N, lambda: X ** 2)
        self.check(2 * N, lambda: X ** 3)
        self.check(N, lambda: X ** 0.5)
        self.check(3 * N, lambda: X ** 1.7)
        self.check(2 * N, lambda: X.clamp(0, 1))
        self.check(N, lambda: X.clamp(min=0))
        self.check(3 * N, lambda: torch.addcmul(X, X, X))

    def test_of_functions(self):
        expected = {
            torch.exp: 2, torch.log: 2, torch.sqrt: 1, torch.rsqrt: 1, torch.abs: 1, torch.erf: 16,
            torch.sigmoid: 4, torch.tanh: 6, torch.relu: 1, F.silu: 5, F.gelu: 20, F.elu: 5,
            F.selu: 5, F.softplus: 6, F.mish: 13, F.leaky_relu: 2, F.hardtanh: 2, F.relu6: 2,
            F.hardsigmoid: 4, F.hardswish: 5, F.logsigmoid: 8, F.softsign: 3,
            (lambda x: F.gelu(x, approximate="tanh")): 13,
        }
        for function, count in expected.items():
            with self.subTest(function=str(function)):
                self.check(count * N, lambda: function(X))

    def test_of_reductions(self):
        self.check(N, lambda: X.sum())
        self.check(N, lambda: X.max(1))
        self.check(N, lambda: X.argmax(1))
        self.check(N + 160, lambda: X.mean(1))  # and a division for each result
        self.check(4 * N, lambda: X.var(1))
        self.check(2 * N, lambda: X.norm(dim=1))
        self.check(N, lambda: X.cumsum(1))
        self.check(5 * N, lambda: torch.logsumexp(X, 1))
        self.check(6 * N, lambda: torch.softmax(X, 1))
        self.check(6 * N, lambda: torch.log_softmax(X, 1))
        self.check(4 * N, lambda: torch.sort(X, dim=-1))  # of 10

    def test_of_norms(self):
        self.check(7 * N, lambda: nn.LayerNorm(10)(X))
        self.check(5 * N, lambda: nn.LayerNorm(10, elementwise_affine=False)(X))
        self.check(7 * N, lambda: nn.GroupNorm(2, 4)(X))
        self.check(7 * N, lambda: nn.BatchNorm2d(4)(X))
        self.check(2 * N, lambda: nn.BatchNorm2d(4).eval()(X))
        self.check(5 * N, lambda: nn.InstanceNorm2d(4)(X))

    def test_of_windows(self):
        self.check(3 * 160, lambda: F.max_pool2d(X, 2))
        self.check(4 * 160, lambda: F.avg_pool2d(X, 2))
        self.check(6 * 2 * 4 * 4 * 3, lambda: F.avg_pool2d(X, (2, 3)))
        self.check(1 * 160, lambda: F.max_pool1d(X[0], 2))
        self.check(N + 8, lambda: F.adaptive_avg_pool2d(X, 1))
        self.check(7 * 16 * 20 * 8, lambda: F.interpolate(X, scale_factor=2, mode="bilinear"))

    def test_of_losses(self):
        self.check(3 * N, lambda: F.mse_loss(X, X))
        self.check(6 * 80 + 2 * 8, lambda: F.cross_entropy(X[0, 0], torch.ones(8).long()))
        self.check(11 * N, lambda: F.binary_cross_entropy_with_logits(X, X))

    def test_of_what_moves_is_nothing(self):
        self.check(0, lambda: torch.cat([X.transpose(1, 2).contiguous().half().float()] * 2))
        self.check(0, lambda: X[:, torch.tensor([0, 2])].flip(0).reshape(-1))
        self.check(0, lambda: torch.arange(10) * 2 + 1)  # integers
        self.assertEqual(told(counted(lambda: X.transpose(0, 1).clone())),
                         {"flops": {"f32": 0}, "uncounted": []})

    def test_names_what_it_does_not_know(self):
        counts = counted(lambda: torch.fft.rfft(X * 2))
        self.assertEqual(counts.unknown, ["aten._fft_r2c"])
        self.assertEqual(told(counts), {"flops": {"f32": N}, "uncounted": ["aten._fft_r2c"]})

    def test_is_silent_where_nothing_was_recorded(self):
        self.assertEqual(told(counted(lambda: None)), {"flops": {}, "uncounted": []})
        self.assertEqual(told(None), {"flops": {}, "uncounted": []})
        self.assertIsNone(counted(lambda: [][0]), "a call that fails has no count")


class Expressions(unittest.TestCase):
    def of(self, function):
        cases = [{"m": 64, "k": 32}, {"m": 37, "k": 61}]
        inputs = [torch.rand(one["m"], one["k"]) for one in cases]
        return expressions_of(cases, [counted(lambda: function(x)) for x in inputs])

    def test_are_sums_of_products_of_symbols(self):
        self.assertEqual(self.of(lambda x: torch.relu(x @ x.T).sum()),
                         {"flops": {"f32": "2 * m * m * k + 2 * m * m"}, "uncounted": []})
        self.assertEqual(self.of(lambda x: x.T.clone()), {"flops": {"f32": "0"}, "uncounted": []})

    def test_name_what_does_not_fit(self):
        self.assertEqual(self.of(lambda x: torch.relu(x[: x.shape[0] // 2])),
                         {"flops": {}, "uncounted": ["aten.relu"]})
        loop = self.of(lambda x: [torch.relu(x) for _ in range(x.shape[0])])
        self.assertEqual(loop["flops"], {})
        self.assertEqual(len(loop["uncounted"]), 1)


SOURCE = """
import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(64, 32)
        self.register_buffer("scale", torch.full((32,), 2.0))

    def forward(self, x):
        {}
        return torch.relu(self.first(x)) * self.scale

def get_inputs():
    return [torch.randn(16, 64)]

def get_init_inputs():
    return []
"""


class Problems(unittest.TestCase):
    WORK = 2 * 16 * 64 * 32 + 3 * 16 * 32

    def described(self, line):
        return describe.describe(Problem(SOURCE.format(line)))

    def test_are_counted_on_shapes_alone(self):
        problem = Problem(SOURCE.format("pass"))
        asked = []
        problem.call = lambda *arguments: asked.append(arguments)
        inputs = problem.draw(1)
        self.assertEqual(describe.work_of(problem, inputs, {}).total(), {"f32": self.WORK})
        self.assertEqual(asked, [])
        self.assertEqual(next(problem.model.parameters()).device.type, "cpu")

    def test_that_look_at_values_are_counted_once(self):
        facts = self.described("x = x.mul(1.0) if float(x.sum()) > 1e9 else x")
        self.assertEqual(facts["flops"], {"f32": self.WORK + 16 * 64})
        self.assertEqual(facts["uncounted"], [])

    def test_name_operators_without_a_count(self):
        facts = self.described("x = x + torch.fft.fft(x).real * 1e-3")
        self.assertEqual(facts["uncounted"], ["aten._fft_r2c"])
        self.assertEqual(facts["flops"], {"f32": self.WORK + 16 * 64 * 2})


unittest.main()
