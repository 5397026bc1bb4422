"""What cuBLAS takes for bf16 products, by torch: the kernel alone, from the profiler's records,
caches written over before each call.

    python bench/library/torch_matmul.py            needs torch with CUDA
"""
import statistics

import torch
from torch.profiler import ProfilerActivity, profile

flush = torch.empty(512 << 20, dtype=torch.uint8, device="cuda")
for n in (2048, 8192):
    a, b, y = (torch.randn(n, n, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    for _ in range(5):
        torch.matmul(a, b, out=y)
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CUDA, ProfilerActivity.CPU]) as records:
        for _ in range(60):
            flush.fill_(1)
            torch.matmul(a, b, out=y)
            torch.cuda.synchronize()
    names = ("gemm", "nvjet", "cutlass")
    times = sorted(
        event.device_time
        for event in records.events()
        if event.device_type.name == "CUDA" and any(name in event.name.lower() for name in names)
    )
    print(
        f"{n}^3: {len(times)} calls, median {statistics.median(times):.1f} us, "
        f"tenths {times[len(times) // 10]:.1f} and {times[len(times) * 9 // 10]:.1f} us, torch "
        f"{torch.__version__}"
    )
