"""What numpy's BLAS takes for a product of 1024 x 1024 floats: median of 40 calls, caches written
over before each.

    python bench/library/numpy_matmul.py
"""
import statistics
import time

import numpy

size = 1024
rng = numpy.random.default_rng()
a, b = (rng.standard_normal((size, size), dtype=numpy.float32) for _ in range(2))
flush = numpy.empty(64 << 20, dtype=numpy.uint8)
times = []
for _ in range(40):
    flush[:] = 1
    start = time.perf_counter()
    numpy.matmul(a, b)
    times.append(time.perf_counter() - start)
print(f"{size}^3: median {1e3 * statistics.median(times):.1f} ms, numpy {numpy.__version__}")
