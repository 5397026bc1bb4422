#!/usr/bin/env python3
"""The times to beat of examples/moe: VeOmni's Triton kernels as shipped and with tiles swept, and
torch._grouped_mm, in milliseconds, interleaved, L2 flushed, median.

    bars.py VEOMNI [--sweep] [--samples 40]

VEOMNI is a checkout of https://github.com/ByteDance-Seed/VeOmni. Every result is compared with a
product in single precision of a few rows first.
"""
import argparse
import itertools
import logging
import sys
import types

import torch

EXPERTS, ROWS, INNER, HIDDEN = 128, 65536, 768, 2048


def load(checkout):
    """The two kernels' module, without what the package's other modules import."""
    base = f"{checkout}/veomni"
    for inside in ("", "/ops", "/ops/kernels", "/ops/kernels/moe", "/utils"):
        module = types.ModuleType("veomni" + inside.replace("/", "."))
        module.__path__ = [base + inside]
        sys.modules[module.__name__] = module
    log = types.ModuleType("veomni.utils.logging")
    log.get_logger = logging.getLogger
    device = types.ModuleType("veomni.utils.device")
    device.get_torch_device = lambda: torch.cuda
    device.get_device_name = lambda: torch.cuda.get_device_name()
    device.get_device_type = lambda: "cuda"
    sys.modules["veomni.utils.logging"], sys.modules["veomni.utils.device"] = log, device
    sys.modules["veomni.utils"].logging, sys.modules["veomni.utils"].device = log, device
    from veomni.ops.kernels.moe._kernels.kernel import group_gemm
    return group_gemm


def ends_of(skew, empty, seed):
    """As the task's own draw: items go to parts at random, by weights to the power of skew."""
    generator = torch.Generator().manual_seed(seed)
    weights = torch.rand(EXPERTS, generator=generator) ** skew
    weights[torch.randperm(EXPERTS, generator=generator)[:empty]] = 0
    parts = torch.multinomial(weights, ROWS, replacement=True, generator=generator)
    return torch.bincount(parts, minlength=EXPERTS).cumsum(0)


def time_all(calls, samples):
    """Medians in ms; the calls take turns, the L2 is filled with something else before each."""
    flush = torch.empty(256 << 20, dtype=torch.uint8, device="cuda")
    times = {name: [] for name in calls}
    for _ in range(samples):
        for name, call in calls.items():
            flush.sum()
            start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            torch.cuda._sleep(200000)  # the host is ahead of the device
            start.record()
            call()
            end.record()
            torch.cuda.synchronize()
            times[name].append(start.elapsed_time(end))
    return {name: sorted(list_)[len(list_) // 2] for name, list_ in times.items()}


def tiles():
    for m, n, k, warps, stages in itertools.product((64, 128), (128, 256), (32, 64), (4, 8),
                                                    (3, 4)):
        if not (m * n == 128 * 256 and warps == 4):
            yield {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "GROUP": 8,
                   "num_warps": warps, "num_stages": stages}


def sweep(kernel, call):
    """The fastest of the tiles; those that do not compile or do not fit are left out."""
    shipped, best = kernel.configs["__CATCH_ALL__"], (float("inf"), None)
    for tile in tiles():
        kernel.configs["__CATCH_ALL__"] = tile
        try:
            call()
            torch.cuda.synchronize()
            ms = time_all({"": call}, 7)[""]
        except Exception:  # out of shared memory or registers
            continue
        best = min(best, (ms, tile), key=lambda one: one[0])
    kernel.configs["__CATCH_ALL__"] = shipped
    return best[1]


def check(got, wanted, what):
    error = ((got.float() - wanted).norm() / wanted.norm()).item()
    if not error < 5e-3:
        sys.exit(f"{what} is wrong: relative error {error}")


def cases(module, skew, empty):
    """Of each task: kernel, call, what torch has for it."""
    ends = ends_of(skew, empty, 7).cuda()
    ends32 = ends.int()
    counts = torch.diff(ends, prepend=torch.zeros(1, dtype=torch.int64, device="cuda"))
    most, busiest = int(counts.max()), int(counts.argmax())
    rows = slice(int(ends[busiest]) - most, int(ends[busiest]))
    make = lambda *shape: torch.randn(*shape, device="cuda", dtype=torch.bfloat16)
    for name, m, n in (("dw1", INNER, HIDDEN), ("dw2", HIDDEN, INNER)):
        dy, x, y = make(ROWS, m), make(ROWS, n), make(EXPERTS, m, n)
        call = lambda dy=dy, x=x, y=y: module.group_gemm_same_mn(dy, x, y, ends, most,
                                                                 transpose_a=True)
        grouped = lambda dy=dy, x=x: torch._grouped_mm(dy.t(), x, offs=ends32)
        call()
        wanted = dy[rows].float().t() @ x[rows].float()
        check(y[busiest], wanted, f"{name}, Triton")
        check(grouped()[busiest], wanted, f"{name}, torch")
        yield name, module.group_gemm_same_mn_kernel, call, grouped
    for name, k, n in (("forward", HIDDEN, INNER), ("dx", INNER, HIDDEN)):
        forward = name == "forward"
        x, w = make(ROWS, k), make(EXPERTS, n, k) if forward else make(EXPERTS, k, n)
        call = lambda x=x, w=w: module.group_gemm_same_nk(x, w, ends, most, transpose_b=forward)
        right = w.transpose(1, 2) if forward else w
        grouped = lambda x=x, right=right: torch._grouped_mm(x, right, offs=ends32)
        wanted = x[rows].float() @ right[busiest].float()
        check(call()[rows], wanted, f"{name}, Triton")
        check(grouped()[rows], wanted, f"{name}, torch")
        yield name, module.group_gemm_same_nk_kernel, call, grouped


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("veomni")
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--samples", type=int, default=40)
    options = parser.parse_args()
    torch.backends.cuda.matmul.allow_tf32 = False
    module = load(options.veomni)
    tile = {}
    print("task     case      Triton  swept  torch   (ms)")
    for case, skew, empty in (("balanced", 0, 0), ("skewed", 3, 0), ("empty", 0, 32)):
        for name, kernel, call, grouped in cases(module, skew, empty):
            if options.sweep and name not in tile:  # tiles are chosen on the balanced case
                tile[name] = sweep(kernel, call)
                print(f"# {name}: {tile[name]}", flush=True)
            shipped = dict(kernel.configs["__CATCH_ALL__"])

            def swept():
                kernel.configs["__CATCH_ALL__"] = tile[name]
                call()
                kernel.configs["__CATCH_ALL__"] = shipped

            calls = {"Triton": call, "torch": grouped} | ({"swept": swept} if name in tile else {})
            ms = time_all(calls, options.samples)
            print(f"{name:8} {case:9} {ms['Triton']:.3f}  {ms.get('swept', float('nan')):.3f}  "
                  f"{ms['torch']:.3f}", flush=True)


main()
