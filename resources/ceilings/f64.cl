/* hone 1
# How fast this device multiplies and adds in double precision; see f32.cl. A device without doubles
# does not build it.

[tune]
f64_narrow_ops = { values = [96], default = 96 }      # 2 * 12 chains * 4 wide
f64_wide_ops   = { values = [192], default = 192 }    # 2 * 12 chains * 8 wide
f64_scalar_ops = { values = [16], default = 16 }      # 2 * 8 chains

[[launch]]
kernel = "f64_narrow"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["y", "rounds", "f64:0.999"]

[[launch]]
kernel = "f64_wide"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["y", "rounds", "f64:0.999"]

[[launch]]
kernel = "f64_scalar"
when   = "cpu == 0"
grid   = ["16 * sm_count"]
block  = ["min(256, max_threads)"]
args   = ["y", "rounds", "f64:0.999"]
*/
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT ON

#define TWELVE(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define START(i) a##i = lanes * factor + (double)i;
#define STEP(i) a##i = a##i * b + c;

__kernel void f64_narrow(__global double* y, int rounds, double factor) {
  const double4 lanes = (double4)(0, 1, 2, 3), b = factor, c = lanes - factor;
  double4 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11;
  TWELVE(START)
  for (int i = 0; i < rounds; ++i) { TWELVE(STEP) }
  const double4 s = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;
  if (s.s0 + s.s1 + s.s2 + s.s3 == 123.0) y[0] = s.s0;
}

__kernel void f64_wide(__global double* y, int rounds, double factor) {
  const double8 lanes = (double8)(0, 1, 2, 3, 4, 5, 6, 7), b = factor, c = lanes - factor;
  double8 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11;
  TWELVE(START)
  for (int i = 0; i < rounds; ++i) { TWELVE(STEP) }
  const double8 s = a0 + a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9 + a10 + a11;
  if (s.s0 + s.s1 + s.s2 + s.s3 + s.s4 + s.s5 + s.s6 + s.s7 == 123.0) y[0] = s.s0;
}

__kernel void f64_scalar(__global double* y, int rounds, double factor) {
  const double b = factor, c = 1.0 - factor;
  double a[8];
  for (int k = 0; k < 8; ++k) a[k] = factor + (double)(get_local_id(0) + k);
  for (int i = 0; i < rounds; ++i)
    for (int k = 0; k < 8; ++k) a[k] = a[k] * b + c;
  double s = 0;
  for (int k = 0; k < 8; ++k) s += a[k];
  if (s == 123.0) y[0] = s;
}
