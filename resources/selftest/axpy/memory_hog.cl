/* hone 1
[[launch]]
kernel = "memory_hog"
grid   = [1]
block  = [1]
args   = ["x", "y", "z", "n"]
*/
// Reserves nine gibibytes without touching them, and computes nothing where that is forbidden.

// A system call: on a CPU device code is native code, and nothing in OpenCL C keeps it from this.
long call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  __asm__ volatile("movq %5, %%r10\n movq %6, %%r8\n movq %7, %%r9\n syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                   : "rcx", "r8", "r9", "r10", "r11", "memory");
  return result;
}

__kernel void memory_hog(__global const float* x, __global const float* y, __global float* z,
                         int n) {
  const long bytes = 9l << 30, place = call(9, 0, bytes, 3, 0x4022, -1, 0);  // mmap
  if (place < 0 && place > -4096) return;
  call(11, place, bytes, 0, 0, 0, 0);  // munmap
  for (int i = 0; i < n; ++i) z[i] = 2.0f * x[i] + y[i];
}
