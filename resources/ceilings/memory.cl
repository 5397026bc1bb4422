/* hone 1
# What this device's memory gives. Each launch is one way to ask for it, and the best of each kind
# counts: the kind is the kernel's name up to the first underscore. `n` counts vectors of 64 bytes;
# `cpu` is 1 on a CPU, where a core wants a run of its own and few, long work-items, and 0
# elsewhere, where neighbours want neighbouring addresses.

[[launch]]
kernel = "read_runs"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["x", "y", "n"]

[[launch]]
kernel = "write_runs"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["y", "n"]

[[launch]]
kernel = "write_past_cache"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["y", "n"]

[[launch]]
kernel = "copy_runs"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["x", "y", "n"]

[[launch]]
kernel = "copy_past_cache"
when   = "cpu == 1"
grid   = ["8 * sm_count"]
block  = [1]
args   = ["x", "y", "n"]

[[launch]]
kernel = "read_stripes"
when   = "cpu == 0"
grid   = ["16 * sm_count"]
block  = ["min(256, max_threads)"]
args   = ["x", "y", "4 * n"]

[[launch]]
kernel = "write_stripes"
when   = "cpu == 0"
grid   = ["16 * sm_count"]
block  = ["min(256, max_threads)"]
args   = ["y", "4 * n"]

[[launch]]
kernel = "copy_stripes"
when   = "cpu == 0"
grid   = ["16 * sm_count"]
block  = ["min(256, max_threads)"]
args   = ["x", "y", "4 * n"]
*/

/* Written only if the sum is this, which random data does not give and no compiler can rule out. */
#define IMPROBABLE 0x1234567812345678UL

#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define STORE_PAST_CACHE(value, place) __builtin_nontemporal_store(value, place)
#endif
#endif
#ifndef STORE_PAST_CACHE
#define STORE_PAST_CACHE(value, place) (*(place) = (value))
#endif

static long run_begin(long n) { return n * (long)get_group_id(0) / (long)get_num_groups(0); }
static long run_end(long n) { return n * ((long)get_group_id(0) + 1) / (long)get_num_groups(0); }

/* Four streams with an accumulator each: one would wait for itself. */
__kernel void read_runs(__global const ulong8* x, __global ulong* y, long n) {
  const long begin = run_begin(n), quarter = (run_end(n) - begin) / 4;
  __global const ulong8 *x0 = x + begin, *x1 = x0 + quarter, *x2 = x1 + quarter, *x3 = x2 + quarter;
  ulong8 a = 0, b = 0, c = 0, d = 0;
  for (long i = 0; i < quarter; ++i) {
    a ^= x0[i];
    b ^= x1[i];
    c ^= x2[i];
    d ^= x3[i];
  }
  for (long i = begin + 4 * quarter; i < run_end(n); ++i) a ^= x[i];
  const ulong8 all = a ^ b ^ c ^ d;
  const ulong sum = all.s0 ^ all.s1 ^ all.s2 ^ all.s3 ^ all.s4 ^ all.s5 ^ all.s6 ^ all.s7;
  if (sum == IMPROBABLE) y[0] = sum;
}

__kernel void write_runs(__global ulong8* y, long n) {
  for (long i = run_begin(n); i < run_end(n); ++i) y[i] = (ulong8)(i);
}

__kernel void write_past_cache(__global ulong8* y, long n) {
  for (long i = run_begin(n); i < run_end(n); ++i) STORE_PAST_CACHE((ulong8)(i), y + i);
}

__kernel void copy_runs(__global const ulong8* x, __global ulong8* y, long n) {
  for (long i = run_begin(n); i < run_end(n); ++i) y[i] = x[i];
}

__kernel void copy_past_cache(__global const ulong8* x, __global ulong8* y, long n) {
  for (long i = run_begin(n); i < run_end(n); ++i) STORE_PAST_CACHE(x[i], y + i);
}

/* Vectors of 16 bytes, neighbours side by side, four in flight. */
__kernel void read_stripes(__global const uint4* x, __global ulong* y, long n) {
  const long step = get_global_size(0);
  uint4 a = 0, b = 0, c = 0, d = 0;
  long i = get_global_id(0);
  for (; i + 3 * step < n; i += 4 * step) {
    a ^= x[i];
    b ^= x[i + step];
    c ^= x[i + 2 * step];
    d ^= x[i + 3 * step];
  }
  for (; i < n; i += step) a ^= x[i];
  const uint4 all = a ^ b ^ c ^ d;
  if ((((ulong)(all.x ^ all.y) << 32) | (all.z ^ all.w)) == IMPROBABLE) y[0] = IMPROBABLE;
}

__kernel void write_stripes(__global uint4* y, long n) {
  for (long i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = (uint4)((uint)i);
}

__kernel void copy_stripes(__global const uint4* x, __global uint4* y, long n) {
  for (long i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[i];
}
