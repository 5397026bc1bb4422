/* hone 1
[[launch]]
kernel = "global_state"
grid   = ["ceil_div(n, 64)"]
block  = [64]
args   = ["x", "y", "z", "n"]
*/
// Keeps state between calls in a writable section of its own code. OpenCL C refuses such variables;
// the assembler does not.
__kernel void global_state(__global const float* x, __global const float* y, __global float* z,
                           int n) {
  const int i = get_global_id(0);
  if (i == 0)
    __asm__ volatile(
        ".pushsection .data\n hone_state: .quad 0\n .popsection\n incq hone_state(%%rip)" ::
            : "memory");
  if (i < n) z[i] = 2.0f * x[i] + y[i];
}
