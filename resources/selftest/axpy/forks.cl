/* hone 1
[[launch]]
kernel = "forks"
grid   = [1]
block  = [1]
args   = ["x", "y", "z", "n"]
*/
// Leaves a process behind that lives on after the call.

// A system call: on a CPU device code is native code, and nothing in OpenCL C keeps it from this.
long call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  __asm__ volatile("movq %5, %%r10\n movq %6, %%r8\n movq %7, %%r9\n syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                   : "rcx", "r8", "r9", "r10", "r11", "memory");
  return result;
}

__kernel void forks(__global const float* x, __global const float* y, __global float* z, int n) {
  if (call(57, 0, 0, 0, 0, 0, 0) == 0) {  // fork
    long half_a_minute[2] = {30, 0};
    call(35, (long)half_a_minute, 0, 0, 0, 0, 0);  // nanosleep
    call(60, 0, 0, 0, 0, 0, 0);                    // exit
  }
  for (int i = 0; i < n; ++i) z[i] = 2.0f * x[i] + y[i];
}
