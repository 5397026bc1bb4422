/* hone 1
[[launch]]
kernel = "swiglu"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["gate", "value", "y", "n"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void swiglu(const float* gate, const float* value, HONE_REAL* y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  const HONE_REAL g = gate[i];
  y[i] = g / (1 + exp(-g)) * (HONE_REAL)value[i];
}
