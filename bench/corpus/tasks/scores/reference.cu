/* hone 1
[[launch]]
kernel = "scores"
grid   = ["ceil_div(seq, 128)", "seq", "heads"]
block  = [128]
args   = ["q", "k", "y", "seq"]
*/
#ifndef HONE_REAL
#define HONE_REAL double
#endif

extern "C" __global__ void scores(const float* q, const float* k, HONE_REAL* y, int seq) {
  const int j = blockIdx.x * 128 + threadIdx.x;
  const long long i = blockIdx.y, h = blockIdx.z;
  if (j >= seq) return;
  HONE_REAL dot = 0;
  for (int d = 0; d < 64; ++d) dot += (HONE_REAL)q[(h * seq + i) * 64 + d] * (HONE_REAL)k[(h * seq + j) * 64 + d];
  y[(h * seq + i) * seq + j] = dot / 8;
}
