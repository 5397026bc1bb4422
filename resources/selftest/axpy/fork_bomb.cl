/* hone 1
[[launch]]
kernel = "fork_bomb"
grid   = [1]
block  = [1]
args   = ["x", "y", "z", "n"]
*/
// Starts three hundred processes, and computes nothing where that is forbidden. It ends them
// afterwards.

// A system call: on a CPU device code is native code, and nothing in OpenCL C keeps it from this.
long call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  __asm__ volatile("movq %5, %%r10\n movq %6, %%r8\n movq %7, %%r9\n syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                   : "rcx", "r8", "r9", "r10", "r11", "memory");
  return result;
}

// Memory that outlives the call: 32 MiB for each case, at an address where nothing else lies.
__global ulong* memory(int n) {
  const long place = 0x100000000000;
  call(9, place, 64 << 20, 3, 0x100022, -1,
       0);  // mmap; from the second call on it is there already
  return (__global ulong*)(place + (n < 2048 ? 0 : 32 << 20));
}

__kernel void fork_bomb(__global const float* x, __global const float* y, __global float* z,
                        int n) {
  __global ulong* done = memory(0);
  int children = 0;
  const int wanted = done[0]++ == 0 ? 300 : 0;
  for (; children < wanted; ++children) {
    const long child = call(57, 0, 0, 0, 0, 0, 0);  // fork
    if (child < 0) break;
    if (child == 0) {
      long ten_seconds[2] = {10, 0};
      call(35, (long)ten_seconds, 0, 0, 0, 0, 0);
      call(60, 0, 0, 0, 0, 0, 0);
    }
    done[1 + children] = child;
  }
  for (int i = 0; i < children; ++i) {
    call(62, done[1 + i], 9, 0, 0, 0, 0);  // kill
    call(61, done[1 + i], 0, 0, 0, 0, 0);  // wait4
  }
  if (children < wanted) return;
  for (int i = 0; i < n; ++i) z[i] = 2.0f * x[i] + y[i];
}
