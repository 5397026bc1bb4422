/* hone 1
[[launch]]
kernel = "honest"
grid   = ["rows"]
block  = [1]
args   = ["x", "s", "cols"]
*/
__kernel void honest(__global const float* x, __global float* s, int cols) {
  const int row = get_global_id(0);
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += fabs(x[row * cols + c]);
  s[row] = sum;
}
