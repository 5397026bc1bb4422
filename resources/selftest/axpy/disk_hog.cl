/* hone 1
[[launch]]
kernel = "disk_hog"
grid   = [1]
block  = [1]
args   = ["x", "y", "z", "n"]
*/
// Writes far into a file, and computes nothing where that is forbidden.

// A system call: on a CPU device code is native code, and nothing in OpenCL C keeps it from this.
long call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  __asm__ volatile("movq %5, %%r10\n movq %6, %%r8\n movq %7, %%r9\n syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                   : "rcx", "r8", "r9", "r10", "r11", "memory");
  return result;
}

__kernel void disk_hog(__global const float* x, __global const float* y, __global float* z, int n) {
  char path[16] = {'/', 't', 'm', 'p', '/', 'h', 'o', 'g', 0};
  const long file = call(2, (long)path, 0x41, 0666, 0, 0, 0);            // open: write, create
  const long written = call(18, file, (long)path, 1, 300l << 20, 0, 0);  // pwrite
  call(3, file, 0, 0, 0, 0, 0);
  call(87, (long)path, 0, 0, 0, 0, 0);  // unlink
  if (written != 1) return;
  for (int i = 0; i < n; ++i) z[i] = 2.0f * x[i] + y[i];
}
