#pragma once
// The judge's side of memory: blocks a runner can import by file descriptor, and the arithmetic on
// them (drawing inputs, poison, canaries, fingerprints, comparison) done in the judge's own
// process. Host memory (memfd) for OpenCL and the fake; exported CUDA allocations and kernels of
// our own for CUDA. Owned by the judge, used from one thread. Throws Error when the environment
// fails (out of memory, a lost device).
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "core/device_info.h"
#include "core/task.h"

namespace hone::device {

struct Block {
  int id = -1;
  std::uint64_t bytes = 0;  // as allocated; at least what was asked for
};

struct Span {  // a part of a block
  int block = -1;
  std::uint64_t offset = 0, bytes = 0;
};

struct Garbage {  // that was written there
  Span at;
  std::uint64_t seed = 0;
};

struct DrawRequest {
  core::DType dtype = core::DType::f32;
  core::DrawKind kind = core::DrawKind::normal;
  double a = 0, b = 1;
  std::int64_t low = 0, high = 0;  // integers
  core::Variant variant = core::Variant::plain;
};

// How far an output is from the expected values (f64, or i64 for integer outputs). Errors are
// scaled: |y - t| / max(|t|, rms(t)).
struct Distance {
  double scale = 0;             // rms(t)
  double max = 0, rms = 0;      // of the scaled errors, non-finite outputs left out
  std::int64_t worst = -1;      // index of the largest
  std::int64_t first_bad = -1;  // first index whose scaled error is over the limit, or whose value
                                // is non-finite (or NaN for infinity) against the truth
  std::int64_t bad = 0;         // how many
  std::int64_t nonfinite =
      0;  // how many of them are non-finite where the truth is not, or differ in kind
};

class TensorOps {
 public:
  virtual ~TensorOps() = default;

  virtual Block allocate(std::uint64_t bytes) = 0;
  virtual void release(int block) = 0;
  virtual base::Fd export_block(int block) = 0;
  virtual std::uint64_t free_bytes() = 0;  // how much could be allocated now

  virtual void write(const Span& to, const void* from) = 0;
  virtual void read(const Span& from, void* to) = 0;
  virtual void copy(const Span& from, const Span& to) = 0;  // that do not overlap

  virtual void draw(const Span& to, const DrawRequest& request, std::uint64_t seed) = 0;
  virtual void garbage(const Span& to,
                       std::uint64_t seed) = 0;  // random bytes: canaries, integer poison
  virtual void poison(const Span& to, core::DType dtype,
                      std::uint64_t seed) = 0;  // random NaNs for floats, random bytes for integers
  // Of each the first byte that differs from what garbage(seed) wrote; -1: none.
  virtual std::vector<std::int64_t> find_changes(std::span<const Garbage> in) = 0;
  std::int64_t find_change(const Span& in, std::uint64_t seed) {
    const Garbage one{in, seed};
    return find_changes({&one, 1}).front();
  }
  // Of each a keyed hash of every byte and its place.
  virtual std::vector<std::uint64_t> fingerprints(std::span<const Span> in, std::uint64_t key) = 0;
  std::uint64_t fingerprint(const Span& in, std::uint64_t key) {
    return fingerprints({&in, 1}, key).front();
  }

  // rms of the finite values among `expected` (f64 or, for integer dtypes, i64): what errors are
  // held against.
  virtual double scale(const Span& expected, core::DType dtype) = 0;
  // `actual` of the given dtype against `expected`, whose scale is known. A scale of -s stands for
  // |y - t| / (s + |y|).
  virtual Distance distance(const Span& actual, core::DType dtype, const Span& expected,
                            double scale, double limit) = 0;
  Distance distance(const Span& actual, core::DType dtype, const Span& expected, double limit) {
    return distance(actual, dtype, expected, scale(expected, dtype), limit);
  }
  // How many elements of `actual` torch.allclose(expected, actual, rtol = atol = tolerance) would
  // refuse: those with |t - y| > tolerance * (1 + |y|).
  std::int64_t not_close(const Span& actual, core::DType dtype, const Span& expected,
                         double tolerance) {
    return distance(actual, dtype, expected, -1, tolerance).bad;
  }
  // Rounds f64 (or i64) values to dtype, e.g. to see what rounding alone costs.
  virtual void round_to(const Span& from_f64, const Span& to, core::DType dtype) = 0;
  virtual void finish() = 0;  // until everything asked for so far has happened

  // Notices work of other processes on a device that goes on when a process is stopped: end_watch()
  // returns for how many seconds, at the longest, the device worked for another one since
  // begin_watch(). A process waits for its turn for some milliseconds, so a short watch also keeps
  // others from working. Memory must not be allocated or released meanwhile. 0 where nothing can be
  // queued.
  virtual void begin_watch() {}
  virtual double end_watch() { return 0; }
};

std::unique_ptr<TensorOps> open_tensor_ops(const core::DeviceInfo& info);

}  // namespace hone::device
