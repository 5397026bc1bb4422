/* hone 1
[[launch]]
kernel = "network"
grid   = [1]
block  = [1]
args   = ["x", "y", "z", "n"]
*/
// Connects to itself over the network, and computes nothing where there is no network.

// A system call: on a CPU device code is native code, and nothing in OpenCL C keeps it from this.
long call(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  __asm__ volatile("movq %5, %%r10\n movq %6, %%r8\n movq %7, %%r9\n syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(d), "r"(e), "r"(f)
                   : "rcx", "r8", "r9", "r10", "r11", "memory");
  return result;
}

__kernel void network(__global const float* x, __global const float* y, __global float* z, int n) {
  uchar address[16] = {2, 0, 0, 0, 127, 0, 0, 1};  // 127.0.0.1, a port that is free
  int size = 16;
  char word = 'a';
  const long socket = call(41, 2, 2, 0, 0, 0, 0);  // a datagram socket
  call(49, socket, (long)address, 16, 0, 0, 0);    // bind
  call(51, socket, (long)address, (long)&size, 0, 0, 0);
  const long sent = call(44, socket, (long)&word, 1, 0, (long)address, 16);
  call(3, socket, 0, 0, 0, 0, 0);
  if (sent != 1) return;
  for (int i = 0; i < n; ++i) z[i] = 2.0f * x[i] + y[i];
}
