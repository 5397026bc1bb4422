/* hone 1
[[scratch]]
name  = "before"
dtype = "f64"
shape = ["ceil_div(n, 1024)"]

[[launch]]
kernel = "sum_parts"
grid   = ["ceil_div(ceil_div(n, 1024), 256)"]
block  = [256]
args   = ["x", "before", "n"]

[[launch]]
kernel = "scan_sums"
grid   = [1]
block  = [1]
args   = ["before", "ceil_div(n, 1024)"]

[[launch]]
kernel = "scan_parts"
grid   = ["ceil_div(ceil_div(n, 1024), 256)"]
block  = [256]
args   = ["x", "before", "y", "n"]
*/
// A thread has 1024 elements to itself. It sums them, learns what came before them, and scans them. What came before
// is kept in double, in the honest-error build too: a float sum of this many parts would not be honest work.
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void sum_parts(const float* x, double* before, long long n) {
  const long long part = blockIdx.x * 256LL + threadIdx.x;
  if (part * 1024 >= n) return;
  HONE_REAL sum = 0;
  for (long long i = part * 1024; i < n && i < (part + 1) * 1024; ++i) sum += x[i];
  before[part] = sum;
}

extern "C" __global__ void scan_sums(double* before, long long parts) {
  double sum = 0;
  for (long long p = 0; p < parts; ++p) {
    const double next = sum + before[p];
    before[p] = sum;
    sum = next;
  }
}

extern "C" __global__ void scan_parts(const float* x, const double* before, HONE_REAL* y, long long n) {
  const long long part = blockIdx.x * 256LL + threadIdx.x;
  if (part * 1024 >= n) return;
  const HONE_REAL offset = before[part];
  HONE_REAL sum = 0;
  for (long long i = part * 1024; i < n && i < (part + 1) * 1024; ++i) y[i] = offset + (sum += x[i]);
}
