// The judge's own kernels: drawing inputs, poison and canaries, fingerprints, and the comparison
// with the truth. All are bound by memory, and all give the same answer every time: reductions have
// a fixed shape, sums of doubles a fixed order. Random words are those of src/core/philox.h,
// element by element.
typedef unsigned int u32;
typedef unsigned long long u64;
typedef long long i64;

// As core::DType numbers them.
enum DType { f64, f32, f16, bf16, int64, int32, int16, int8, uint64, uint32, uint16, uint8 };

constexpr u64 none = ~0ull;
constexpr int reduce_threads = 256;

__device__ inline u64 thread_index() {
  return blockIdx.x * static_cast<u64>(blockDim.x) + threadIdx.x;
}
__device__ inline u64 thread_count() { return gridDim.x * static_cast<u64>(blockDim.x); }

// ---- random words

enum Stream { stream_values = 0, stream_heavy = 1, stream_low_bits = 2 };

struct Words {
  u32 at[4];
};

__device__ Words philox(u64 seed, u32 stream, u64 counter) {
  u32 c0 = static_cast<u32>(counter), c1 = static_cast<u32>(counter >> 32), c2 = stream, c3 = 0;
  u32 k0 = static_cast<u32>(seed), k1 = static_cast<u32>(seed >> 32);
#pragma unroll
  for (int round = 0; round < 10; ++round) {
    const u32 high0 = __umulhi(0xD2511F53u, c0), low0 = 0xD2511F53u * c0,
              high1 = __umulhi(0xCD9E8D57u, c2), low1 = 0xCD9E8D57u * c2;
    c0 = high1 ^ c1 ^ k0;
    c2 = high0 ^ c3 ^ k1;
    c1 = low1;
    c3 = low0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// splitmix64's finaliser.
__device__ inline u64 mix(u64 x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}
__device__ inline u64 garbage_word(u64 seed, u64 index) {
  return mix(seed + (index + 1) * 0x9e3779b97f4a7c15ull);
}

// ---- element types

__device__ inline unsigned short half_bits(float x) {
  unsigned short bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
__device__ inline float half_value(unsigned short bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
__device__ inline unsigned short bf16_bits(float x) {
  const u32 bits = __float_as_uint(x);
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<unsigned short>((bits >> 16 & 0x8000u) | 0x7fc0u);
  return static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1)) >> 16);
}
__device__ inline float bf16_value(unsigned short bits) {
  return __uint_as_float(static_cast<u32>(bits) << 16);
}

// To float so that a second rounding is as good as one: towards zero, the last bit set if inexact.
__device__ inline float to_odd(double x) {
  const float toward_zero = __double2float_rz(x);
  return static_cast<double>(toward_zero) == x || x != x
             ? toward_zero
             : __uint_as_float(__float_as_uint(toward_zero) | 1u);
}

template <int dtype>
struct Element;
template <>
struct Element<f64> {
  typedef double type;
};
template <>
struct Element<f32> {
  typedef float type;
};
template <>
struct Element<f16> {
  typedef unsigned short type;
};
template <>
struct Element<bf16> {
  typedef unsigned short type;
};
template <>
struct Element<int64> {
  typedef i64 type;
};
template <>
struct Element<int32> {
  typedef int type;
};
template <>
struct Element<int8> {
  typedef signed char type;
};
template <>
struct Element<uint8> {
  typedef unsigned char type;
};

template <int dtype>
__device__ inline typename Element<dtype>::type from_real(double x) {
  if constexpr (dtype == f64)
    return x;
  else if constexpr (dtype == f32)
    return static_cast<float>(x);
  else if constexpr (dtype == f16)
    return half_bits(to_odd(x));
  else
    return bf16_bits(to_odd(x));
}
template <int dtype>
__device__ inline typename Element<dtype>::type from_single(float x) {
  if constexpr (dtype == f16)
    return half_bits(x);
  else if constexpr (dtype == bf16)
    return bf16_bits(x);
  else
    return x;
}
template <int dtype>
__device__ inline double to_real(typename Element<dtype>::type x) {
  if constexpr (dtype == f16)
    return half_value(x);
  else if constexpr (dtype == bf16)
    return bf16_value(x);
  else
    return static_cast<double>(x);
}

// Four neighbours, in one store where they are all there and aligned.
template <typename T>
struct alignas(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)) Four {
  T at[4];
};
template <typename T>
__device__ inline void put_four(T* to, u64 first, u64 elements, const Four<T>& values) {
  if (first + 4 <= elements && reinterpret_cast<u64>(to) % alignof(Four<T>) == 0) {
    *reinterpret_cast<Four<T>*>(to + first) = values;
    return;
  }
  for (int k = 0; k < 4 && first + k < elements; ++k) to[first + k] = values.at[k];
}

// ---- drawing

struct Recipe {  // as cuda_tensor_ops.cc fills it
  double start, spread, factor, top;
  int normal, heavy;
};
constexpr u32 heavy_threshold = 17179869u;  // 0.004 * 2^32
constexpr float heavy_factor = 100;

// Box and Muller; the angle's two upper bits choose the quarter, as on the host.
__device__ inline void normal_pair(u32 radius_word, u32 angle_word, float& first, float& second) {
  const float u = (static_cast<float>(radius_word >> 8) + 0.5f) * 0x1p-24f;
  const float radius = sqrtf(-2.0f * logf(u));
  const float x =
      (static_cast<float>(static_cast<int>((angle_word >> 8) & 0x3fffffu) - 2097152) + 0.5f) *
      (1.57079633f / 4194304.0f);
  const float sine = __sinf(x), cosine = __cosf(x),
              sign = angle_word & 0x80000000u ? -radius : radius;
  const bool odd = angle_word >> 30 & 1u;
  first = sign * (odd ? -sine : cosine);
  second = sign * (odd ? cosine : sine);
}

__device__ inline void base_values(const Recipe& recipe, const Words& words, float* values) {
  if (recipe.normal) {
    normal_pair(words.at[0], words.at[1], values[0], values[1]);
    normal_pair(words.at[2], words.at[3], values[2], values[3]);
  } else {
    for (int k = 0; k < 4; ++k) values[k] = static_cast<float>(words.at[k] >> 8) * 0x1p-24f;
  }
}

template <int dtype>
__device__ void draw_reals(typename Element<dtype>::type* to, u64 elements, const Recipe& recipe,
                           u64 seed) {
  for (u64 group = thread_index(); group * 4 < elements; group += thread_count()) {
    float base[4];
    base_values(recipe, philox(seed, stream_values, group), base);
    Words heavy, low;
    if (recipe.heavy) heavy = philox(seed, stream_heavy, group);
    if (dtype == f64) low = philox(seed, stream_low_bits, group);
    Four<typename Element<dtype>::type> values;
    for (int k = 0; k < 4; ++k) {
      const bool large = recipe.heavy && heavy.at[k] < heavy_threshold;
      if constexpr (dtype == f64) {
        const double value = recipe.start + recipe.spread * (base[k] + low.at[k] * 0x1p-56);
        values.at[k] = fmin(value, recipe.top) * recipe.factor * (large ? heavy_factor : 1.0);
      } else {
        const float value =
            static_cast<float>(recipe.start) + static_cast<float>(recipe.spread) * base[k];
        values.at[k] =
            from_single<dtype>(fminf(value, static_cast<float>(recipe.top)) *
                               static_cast<float>(recipe.factor) * (large ? heavy_factor : 1.0f));
      }
    }
    put_four(to, group * 4, elements, values);
  }
}

extern "C" __global__ void hone_draw_reals(void* to, u64 elements, int dtype, Recipe recipe,
                                           u64 seed) {
  switch (dtype) {
    case f64:
      return draw_reals<f64>(static_cast<double*>(to), elements, recipe, seed);
    case f32:
      return draw_reals<f32>(static_cast<float*>(to), elements, recipe, seed);
    case f16:
      return draw_reals<f16>(static_cast<unsigned short*>(to), elements, recipe, seed);
    case bf16:
      return draw_reals<bf16>(static_cast<unsigned short*>(to), elements, recipe, seed);
  }
}

template <int dtype>
__device__ void draw_integers(typename Element<dtype>::type* to, u64 elements, i64 lowest,
                              u64 range, u64 seed) {
  const bool narrow = range != 0 && range <= 1ull << 32;
  for (u64 group = thread_index(); group * 4 < elements; group += thread_count()) {
    const Words words = philox(seed, stream_values, group);
    Words more;
    if (!narrow) more = philox(seed, stream_low_bits, group);
    Four<typename Element<dtype>::type> values;
    for (int k = 0; k < 4; ++k) {
      u64 offset;
      if (narrow) {
        offset = words.at[k] * range >> 32;
      } else {
        const u64 wide = static_cast<u64>(words.at[k]) << 32 | more.at[k];
        offset = range == 0 ? wide : __umul64hi(wide, range);
      }
      const i64 value = static_cast<i64>(static_cast<u64>(lowest) + offset);
      if constexpr (dtype == f16 || dtype == bf16)
        values.at[k] = from_real<dtype>(static_cast<double>(value));
      else
        values.at[k] = static_cast<typename Element<dtype>::type>(value);
    }
    put_four(to, group * 4, elements, values);
  }
}

// range: how many values there are; 0: all 2^64.
extern "C" __global__ void hone_draw_integers(void* to, u64 elements, int dtype, i64 lowest,
                                              u64 range, u64 seed) {
  switch (dtype) {
    case f64:
      return draw_integers<f64>(static_cast<double*>(to), elements, lowest, range, seed);
    case f32:
      return draw_integers<f32>(static_cast<float*>(to), elements, lowest, range, seed);
    case f16:
      return draw_integers<f16>(static_cast<unsigned short*>(to), elements, lowest, range, seed);
    case bf16:
      return draw_integers<bf16>(static_cast<unsigned short*>(to), elements, lowest, range, seed);
    case int64:
      return draw_integers<int64>(static_cast<i64*>(to), elements, lowest, range, seed);
    case int32:
      return draw_integers<int32>(static_cast<int*>(to), elements, lowest, range, seed);
    case int8:
      return draw_integers<int8>(static_cast<signed char*>(to), elements, lowest, range, seed);
    case uint8:
      return draw_integers<uint8>(static_cast<unsigned char*>(to), elements, lowest, range, seed);
  }
}

// ---- bytes: garbage, poison, canaries, fingerprints

__device__ inline u64 load_word(const unsigned char* from, u64 index, u64 bytes) {
  const u64 at = index * 8;
  if (at + 8 <= bytes && reinterpret_cast<u64>(from) % 8 == 0)
    return *reinterpret_cast<const u64*>(from + at);
  u64 word = 0;
  for (int k = 0; k < 8 && at + k < bytes; ++k) word |= static_cast<u64>(from[at + k]) << (8 * k);
  return word;
}

// Random bytes; `set` are bits that make every element a NaN.
extern "C" __global__ void hone_garbage(unsigned char* to, u64 bytes, u64 seed, u64 set) {
  const bool aligned = reinterpret_cast<u64>(to) % 16 == 0;
  for (u64 pair = thread_index(); pair * 16 < bytes; pair += thread_count()) {
    const u64 words[2] = {garbage_word(seed, 2 * pair) | set,
                          garbage_word(seed, 2 * pair + 1) | set};
    if (aligned && pair * 16 + 16 <= bytes) {
      *reinterpret_cast<ulonglong2*>(to + pair * 16) = make_ulonglong2(words[0], words[1]);
    } else {
      for (int k = 0; k < 16 && pair * 16 + k < bytes; ++k)
        to[pair * 16 + k] = static_cast<unsigned char>(words[k / 8] >> (8 * (k % 8)));
    }
  }
}

// *first: index of the first byte that is not garbage(seed)'s; it holds `none` before.
extern "C" __global__ void hone_find_change(const unsigned char* in, u64 bytes, u64 seed,
                                            u64* first) {
  for (u64 index = thread_index(); index * 8 < bytes; index += thread_count()) {
    u64 difference = load_word(in, index, bytes) ^ garbage_word(seed, index);
    if (const u64 left = bytes - index * 8; left < 8) difference &= (1ull << (8 * left)) - 1;
    if (difference == 0) continue;
    atomicMin(first, index * 8 + (__ffsll(static_cast<i64>(difference)) - 1) / 8);
    return;  // later words of this thread are later bytes
  }
}

// *sum: of keyed hashes of (word, place). Addition modulo 2^64 has no order, so the answer is the
// same every time; the place makes order count.
extern "C" __global__ void hone_fingerprint(const unsigned char* in, u64 bytes, u64 key, u64* sum) {
  __shared__ u64 parts[reduce_threads];
  u64 mine = 0;
  const u64 stride = thread_count();
  for (u64 base = thread_index(); base * 8 < bytes; base += 4 * stride) {
    u64 words[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      words[k] = (base + k * stride) * 8 < bytes ? load_word(in, base + k * stride, bytes) : 0;
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (const u64 index = base + k * stride; index * 8 < bytes)
        mine += mix(words[k] ^ mix(key + (index + 1) * 0x9e3779b97f4a7c15ull));
  }
  parts[threadIdx.x] = mine;
  for (int half = reduce_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, parts[0]);
}

// ---- distance

struct Sum {
  double squares;
  u64 finite;
};
struct Part {  // of the comparison, and in the end all of it
  double sum, max;
  i64 compared, worst, bad, nonfinite;
  u64 first_bad;
};

__device__ inline void add(Sum& a, const Sum& b) {
  a.squares += b.squares;
  a.finite += b.finite;
}
__device__ inline void add(Part& a, const Part& b) {
  a.sum += b.sum;
  if (b.max > a.max || (b.max == a.max && b.worst >= 0 && b.worst < a.worst)) {
    a.max = b.max;
    a.worst = b.worst;
  }
  a.compared += b.compared;
  a.bad += b.bad;
  a.nonfinite += b.nonfinite;
  if (b.first_bad < a.first_bad) a.first_bad = b.first_bad;
}

// Leaves the block's total in the first thread's value.
template <typename T>
__device__ void reduce_block(T& value) {
  __shared__ T parts[reduce_threads];
  parts[threadIdx.x] = value;
  for (int half = reduce_threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) add(parts[threadIdx.x], parts[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) value = parts[0];
}

template <typename T>
__device__ void sum_squares(const T* expected, u64 elements, Sum* sums) {
  Sum mine = {0, 0};
  const u64 stride = thread_count();
  for (u64 base = thread_index(); base < elements; base += 4 * stride) {
    double values[4];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      values[k] = base + k * stride < elements ? static_cast<double>(expected[base + k * stride])
                                               : __longlong_as_double(0x7ff8000000000000ll);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (isfinite(values[k])) {
        mine.squares += values[k] * values[k];
        ++mine.finite;
      }
  }
  reduce_block(mine);
  if (threadIdx.x == 0) sums[blockIdx.x] = mine;
}

extern "C" __global__ void __launch_bounds__(reduce_threads)
    hone_scale_parts(const void* expected, u64 elements, int integers, Sum* sums) {
  if (integers)
    sum_squares(static_cast<const i64*>(expected), elements, sums);
  else
    sum_squares(static_cast<const double*>(expected), elements, sums);
}

extern "C" __global__ void __launch_bounds__(reduce_threads)
    hone_scale(const Sum* sums, int count, double* result) {
  Sum mine = {0, 0};
  for (int i = threadIdx.x; i < count; i += reduce_threads) add(mine, sums[i]);
  reduce_block(mine);
  if (threadIdx.x == 0)
    *result = mine.finite == 0 ? 0 : sqrt(mine.squares / static_cast<double>(mine.finite));
}

// An output that should be all zeros has no scale: any other value is then infinitely wrong. A
// negative scale is added to what was given, as torch.allclose has it.
__device__ inline double scaled(double error, double value, double truth, double scale) {
  if (scale < 0) return error / (fabs(value) - scale);
  return error / fmax(fmax(fabs(truth), scale), 2.2250738585072014e-308);
}

__device__ inline void compare(double error, u64 index, double limit, Part& part) {
  part.sum += error * error;
  ++part.compared;
  if (error > part.max) {
    part.max = error;
    part.worst = static_cast<i64>(index);
  }
  if (error <= limit) return;
  ++part.bad;
  if (index < part.first_bad) part.first_bad = index;
}

__device__ inline void compare_reals(double value, double truth, u64 index, double scale,
                                     double limit, Part& part) {
  if (isfinite(value) && isfinite(truth))
    return compare(scaled(fabs(value - truth), value, truth, scale), index, limit, part);
  if (value == truth || (value != value && truth != truth))
    return;  // infinities of one sign are equal, NaN is NaN
  ++part.nonfinite;
  ++part.bad;
  if (index < part.first_bad) part.first_bad = index;
}

__device__ inline void compare_integers(i64 value, i64 truth, u64 index, double scale, double limit,
                                        Part& part) {
  const u64 difference = value > truth ? static_cast<u64>(value) - static_cast<u64>(truth)
                                       : static_cast<u64>(truth) - static_cast<u64>(value);
  compare(scaled(static_cast<double>(difference), static_cast<double>(value),
                 static_cast<double>(truth), scale),
          index, limit, part);
}

template <int dtype>
__device__ void distance_parts(const void* actual, const void* expected, u64 elements, double limit,
                               double scale, Part* parts) {
  typedef typename Element<dtype>::type T;
  constexpr bool real = dtype <= bf16;
  const T* values = static_cast<const T*>(actual);
  Part mine = {0, -1, 0, -1, 0, 0, none};
  const u64 stride = thread_count();
  for (u64 base = thread_index(); base < elements; base += 4 * stride) {
    T value[4];
    i64 truth[4];  // or the bits of a double
#pragma unroll
    for (int k = 0; k < 4; ++k)
      if (base + k * stride < elements) {
        value[k] = values[base + k * stride];
        truth[k] = static_cast<const i64*>(expected)[base + k * stride];
      }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const u64 index = base + k * stride;
      if (index >= elements) break;
      if constexpr (real)
        compare_reals(to_real<dtype>(value[k]), __longlong_as_double(truth[k]), index, scale, limit,
                      mine);
      else
        compare_integers(static_cast<i64>(value[k]), truth[k], index, scale, limit, mine);
    }
  }
  reduce_block(mine);
  if (threadIdx.x == 0) parts[blockIdx.x] = mine;
}

extern "C" __global__ void __launch_bounds__(reduce_threads)
    hone_distance_parts(const void* actual, int dtype, const void* expected, u64 elements,
                        double limit, double scale, Part* parts) {
  switch (dtype) {
    case f64:
      return distance_parts<f64>(actual, expected, elements, limit, scale, parts);
    case f32:
      return distance_parts<f32>(actual, expected, elements, limit, scale, parts);
    case f16:
      return distance_parts<f16>(actual, expected, elements, limit, scale, parts);
    case bf16:
      return distance_parts<bf16>(actual, expected, elements, limit, scale, parts);
    case int64:
      return distance_parts<int64>(actual, expected, elements, limit, scale, parts);
    case int32:
      return distance_parts<int32>(actual, expected, elements, limit, scale, parts);
    case int8:
      return distance_parts<int8>(actual, expected, elements, limit, scale, parts);
    case uint8:
      return distance_parts<uint8>(actual, expected, elements, limit, scale, parts);
  }
}

extern "C" __global__ void __launch_bounds__(reduce_threads)
    hone_distance(const Part* parts, int count, Part* result) {
  Part mine = {0, -1, 0, -1, 0, 0, none};
  for (int i = threadIdx.x; i < count; i += reduce_threads) add(mine, parts[i]);
  reduce_block(mine);
  if (threadIdx.x != 0) return;
  *result = mine;
}

// ---- rounding

template <typename T>
__device__ inline T saturated(i64 value, i64 low, i64 high) {
  return static_cast<T>(value < low ? low : value > high ? high : value);
}

extern "C" __global__ void hone_round(const void* from, void* to, u64 elements, int dtype) {
  const double* reals = static_cast<const double*>(from);
  const i64* integers = static_cast<const i64*>(from);
  for (u64 i = thread_index(); i < elements; i += thread_count()) switch (dtype) {
      case f64:
        static_cast<double*>(to)[i] = reals[i];
        break;
      case f32:
        static_cast<float*>(to)[i] = static_cast<float>(reals[i]);
        break;
      case f16:
        static_cast<unsigned short*>(to)[i] = from_real<f16>(reals[i]);
        break;
      case bf16:
        static_cast<unsigned short*>(to)[i] = from_real<bf16>(reals[i]);
        break;
      case int64:
        static_cast<i64*>(to)[i] = integers[i];
        break;
      case int32:
        static_cast<int*>(to)[i] = saturated<int>(integers[i], -2147483648ll, 2147483647ll);
        break;
      case int8:
        static_cast<signed char*>(to)[i] = saturated<signed char>(integers[i], -128, 127);
        break;
      case uint8:
        static_cast<unsigned char*>(to)[i] = saturated<unsigned char>(integers[i], 0, 255);
        break;
    }
}

// ---- other processes

// Reads the clock until it is told to stop (src/device/cuda_watch.h). The words lie in the host's
// memory.
struct WatchWords {
  volatile u32 started, stop;
  volatile u64 longest_gap;
};
extern "C" __global__ void hone_watch(WatchWords* words, u64 most_ns) {
  constexpr int readings = 8;  // for each look at the host's memory, which takes longer
  const auto now = [] {
    u64 nanoseconds;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
  };
  const u64 begin = now();
  u64 last = begin, longest = 0;
  words->started = 1;
  __threadfence_system();
  while (words->stop == 0 && last - begin < most_ns)
    for (int i = 0; i < readings; ++i) {
      const u64 reading = now();
      if (reading - last > longest) longest = reading - last;
      last = reading;
    }
  words->longest_gap = longest;
  __threadfence_system();
}
