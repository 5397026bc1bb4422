#!/usr/bin/env python3
"""What a first call costs the host after a pause, seen from inside, in µs: none, 20 ms of sleep, 20
ms stopped by a signal.

    cold.py RESOURCES_PYTHON        # the folder of hone_light.py; needs CUDA, torch and Triton

`queue` is the time to queue the call, `whole` until the device is through, `queue again` that of
the call after it.
"""
import os
import signal
import statistics
import subprocess
import sys
import time

import torch
import triton
import triton.language as tl

sys.path.insert(0, sys.argv[1])
import hone_light

TIMES = 9
SOURCE = r"""extern "C" __global__ void relu(const float4* x, float4* y, long n) {
  long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n) {
    float4 v = x[i];
    y[i] = make_float4(fmaxf(v.x, 0.f), fmaxf(v.y, 0.f), fmaxf(v.z, 0.f), fmaxf(v.w, 0.f));
  }
}"""


@triton.jit
def relu_kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.maximum(tl.load(x + at, at < n), 0.0), at < n)


by_light = hone_light.load(SOURCE).kernel("relu")
x = torch.rand(64 << 20, device="cuda")
to = torch.empty_like(x)


def light():
    y = torch.empty_like(x)
    by_light((x.numel() // 4 + 255) // 256, 256, x, y, x.numel() // 4)
    to.copy_(y)


def by_triton():
    y = torch.empty_like(x)
    relu_kernel[(triton.cdiv(x.numel(), 4096),)](x, y, x.numel(), BLOCK=4096)
    to.copy_(y)


def by_torch():
    to.copy_(torch.relu(x))


def small():
    torch.relu(x[:256])


def stopped():
    subprocess.Popen(["sh", "-c", f"sleep 0.02; kill -CONT {os.getpid()}"])
    os.kill(os.getpid(), signal.SIGSTOP)


def once(call):
    start = time.perf_counter()
    call()
    queued = time.perf_counter()
    torch.cuda.synchronize()
    return queued - start, time.perf_counter() - start


def main():
    for call in (light, by_triton, by_torch, small):
        for _ in range(5):
            call()
        for name, pause in (
            ("none", lambda: None),
            ("sleep", lambda: time.sleep(0.02)),
            ("stop", stopped),
        ):
            first, again = [], []
            for _ in range(TIMES):
                torch.cuda.synchronize()
                pause()
                first.append(once(call))
                again.append(once(call))
            microseconds = [
                1e6 * statistics.median(values)
                for values in (*zip(*first), [queue for queue, _ in again])
            ]
            print(
                call.__name__,
                name,
                "queue {:.1f} whole {:.1f} queue again {:.1f}".format(*microseconds),
            )


main()
