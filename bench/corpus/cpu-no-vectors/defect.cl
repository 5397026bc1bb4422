/* hone 1
[[scratch]]
name  = "partial"
dtype = "f32"
shape = [8192]

[[launch]]
kernel = "sum_parts"
grid   = [8192]
block  = [1]
args   = ["x", "partial", "n"]

[[launch]]
kernel = "sum_rest"
grid   = [1]
block  = [1]
args   = ["partial", "y"]
*/
// Every work-item has a part of the vector, which it adds up one element at a time.

typedef float several;
#define WIDTH 1

__kernel void sum_parts(__global const float* x, __global float* partial, long n) {
  const long part = (n + 8191) / 8192, first = get_group_id(0) * part, end = min(n, first + part);
  several a = 0.0f, b = 0.0f;
  long i = first;
  for (; i + 2 * WIDTH <= end; i += 2 * WIDTH) {
    a += x[i];
    b += x[i + WIDTH];
  }
  float s = a + b;
  for (; i < end; ++i) s += x[i];
  partial[get_group_id(0)] = s;
}

__kernel void sum_rest(__global const float* partial, __global float* y) {
  float s = 0.0f;
  for (int p = 0; p < 8192; p += 64) {
    float t = 0.0f;
    for (int q = 0; q < 64; ++q) t += partial[p + q];
    s += t;
  }
  y[0] = s;
}
