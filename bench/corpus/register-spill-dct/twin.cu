/* hone 1
[[launch]]
kernel = "dct"
grid   = ["ceil_div(n, 256)"]
block  = [256]
args   = ["x", "y", "n"]
*/
// A thread has a block of 8 x 8, all of it at once. How many registers the compiler may use for that is the matter.

// Eight elements, STEP apart, by their even and odd halves.
template <int STEP>
__device__ void transformed(float* v) {
  float even[4], odd[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    even[j] = v[j * STEP] + v[(7 - j) * STEP];
    odd[j] = v[j * STEP] - v[(7 - j) * STEP];
  }
  const float c1 = 0.490392640f, c2 = 0.461939766f, c3 = 0.415734806f, c4 = 0.353553391f;  // cos(k pi / 16) / 2
  const float c5 = 0.277785117f, c6 = 0.191341716f, c7 = 0.0975451610f;
  const float s = even[0] + even[3], t = even[1] + even[2], d = even[0] - even[3], e = even[1] - even[2];
  v[0 * STEP] = c4 * (s + t);
  v[4 * STEP] = c4 * (s - t);
  v[2 * STEP] = c2 * d + c6 * e;
  v[6 * STEP] = c6 * d - c2 * e;
  v[1 * STEP] = c1 * odd[0] + c3 * odd[1] + c5 * odd[2] + c7 * odd[3];
  v[3 * STEP] = c3 * odd[0] - c7 * odd[1] - c1 * odd[2] - c5 * odd[3];
  v[5 * STEP] = c5 * odd[0] - c1 * odd[1] + c7 * odd[2] + c3 * odd[3];
  v[7 * STEP] = c7 * odd[0] - c5 * odd[1] + c3 * odd[2] - c1 * odd[3];
}

extern "C" __global__ void __launch_bounds__(256) dct(const float* __restrict__ x, float* __restrict__ y, long long n) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  float v[64];
#pragma unroll
  for (int e = 0; e < 64; ++e) v[e] = x[e * n + i];
#pragma unroll
  for (int r = 0; r < 8; ++r) transformed<1>(v + r * 8);
#pragma unroll
  for (int c = 0; c < 8; ++c) transformed<8>(v + c);
#pragma unroll
  for (int e = 0; e < 64; ++e) y[e * n + i] = v[e];
}
