/* hone 1
# How fast this device multiplies and adds in single precision, with nothing to wait for:
# independent chains in registers. Each launch is one way to ask. The tunable named after a kernel
# says how many operations one work-item does in one of its `rounds`.

[tune]
f32_narrow_ops = { values = [192], default = 192 }    # 2 * 12 chains * 8 wide
f32_wide_ops   = { values = [384], default = 384 }    # 2 * 12 chains * 16 wide
f32_scalar_ops = { values = [32], default = 32 }      # 2 * 16 chains

[[launch]]
kernel = "f32_narrow"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["y", "rounds", "f32:0.999"]

[[launch]]
kernel = "f32_wide"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["y", "rounds", "f32:0.999"]

[[launch]]
kernel = "f32_scalar"
when   = "cpu == 0"
grid   = ["16 * sm_count"]
block  = ["min(256, max_threads)"]
args   = ["y", "rounds", "f32:0.999"]
*/
#pragma OPENCL FP_CONTRACT ON

#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
/* Lanes differ, or a compiler might do one for all. */
#define START(i) a##i = lanes * factor + (float)i;
#define STEP(i) a##i = a##i * b + c;

__kernel void f32_narrow(__global float* y, int rounds, float factor) {
  const float8 lanes = (float8)(0, 1, 2, 3, 4, 5, 6, 7), b = factor, c = lanes - factor;
  float8 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11;
  TWELVE(START)
  for (int i = 0; i < rounds; ++i) {
    TWELVE(STEP)
  }
  const float8 s = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;
  if (s.s0 + s.s1 + s.s2 + s.s3 + s.s4 + s.s5 + s.s6 + s.s7 == 123.0f) y[0] = s.s0;
}

__kernel void f32_wide(__global float* y, int rounds, float factor) {
  const float16 lanes = (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), b = factor,
                c = lanes - factor;
  float16 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11;
  TWELVE(START)
  for (int i = 0; i < rounds; ++i) {
    TWELVE(STEP)
  }
  const float16 s = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;
  const float8 t = s.lo + s.hi;
  if (t.s0 + t.s1 + t.s2 + t.s3 + t.s4 + t.s5 + t.s6 + t.s7 == 123.0f) y[0] = t.s0;
}

__kernel void f32_scalar(__global float* y, int rounds, float factor) {
  const float b = factor, c = 1.0f - factor;
  float a[16];
  for (int k = 0; k < 16; ++k) a[k] = factor + (float)(get_local_id(0) + k);
  for (int i = 0; i < rounds; ++i)
    for (int k = 0; k < 16; ++k) a[k] = a[k] * b + c;
  float s = 0;
  for (int k = 0; k < 16; ++k) s += a[k];
  if (s == 123.0f) y[0] = s;
}
