// The judge's memory and arithmetic on a CUDA device: exported allocations and the kernels of
// resources/cuda/tensor_ops.cu, on one stream.
#include <fcntl.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>

#include "base/error.h"
#include "device/cuda_backend.h"
#include "device/cuda_memory.h"
#include "device/cuda_session.h"
#include "device/cuda_watch.h"

namespace hone::device::cuda {
namespace {

using core::DType;

constexpr unsigned threads = 256;      // of every kernel; the reductions are written for it
constexpr unsigned blocks_per_sm = 8;  // 2048 threads: as many as fit
constexpr double shift_deviations = 3,
                 large_factor = 40;  // docs/formats.md; heavy elements are made by the kernel

// The kernels' own structures, byte for byte.
struct Recipe {
  double start = 0, spread = 1, factor = 1, top = std::numeric_limits<double>::infinity();
  int normal = 1, heavy = 0;
};
struct Comparison {
  double sum, max;
  std::int64_t compared, worst, bad, nonfinite;
  std::uint64_t first_bad;
};
struct SquareSum {
  double squares;
  std::uint64_t finite;
};
constexpr std::uint64_t no_byte = ~std::uint64_t{0};
constexpr std::size_t most_words = 256;  // that are fetched at once
constexpr std::size_t result_bytes = most_words * sizeof(std::uint64_t);
static_assert(sizeof(Comparison) <= result_bytes);
static_assert(sizeof(Recipe) == 40 && sizeof(Comparison) == 56 && sizeof(SquareSum) == 16);

// The largest value below `high` that stays below it when rounded to the type: a uniform draw is
// from [low, high).
double below(double high, DType dtype) {
  switch (dtype) {
    case DType::f64:
      return std::nextafter(high, -std::numeric_limits<double>::infinity());
    case DType::f16:
      return high - std::fabs(high) * 0x1p-11 - 0x1p-25;
    case DType::bf16:
      return high - std::fabs(high) * 0x1p-8 -
             static_cast<double>(std::numeric_limits<float>::min());
    default:
      return static_cast<double>(
          std::nextafter(static_cast<float>(high), -std::numeric_limits<float>::infinity()));
  }
}

Recipe recipe_for(const DrawRequest& request) {
  const bool normal = request.kind == core::DrawKind::normal;
  Recipe recipe{
      .start = request.a, .spread = normal ? request.b : request.b - request.a, .normal = normal};
  const double deviation = normal ? recipe.spread : recipe.spread / 2;
  if (request.variant == core::Variant::shifted) recipe.start += shift_deviations * deviation;
  if (!normal) recipe.top = below(recipe.start + recipe.spread, request.dtype);
  if (request.variant == core::Variant::flipped) recipe.factor = -1;
  if (request.variant == core::Variant::large) recipe.factor = large_factor;
  recipe.heavy = request.variant == core::Variant::heavy;
  return recipe;
}

// Bits that make any random word hold NaNs only.
std::uint64_t nan_bits(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 0x7ff8000000000000ull;
    case DType::f32:
      return 0x7fc000007fc00000ull;
    case DType::f16:
      return 0x7e007e007e007e00ull;
    case DType::bf16:
      return 0x7fc07fc07fc07fc0ull;
    default:
      return 0;
  }
}

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

class CudaTensorOps : public TensorOps {
 public:
  explicit CudaTensorOps(const core::DeviceInfo& info)
      : session_(info),
        api_(session_.api()),
        granularity_(granularity_of(session_)),
        module_(session_.load_own("tensor_ops.cu")),
        watch_(std::make_unique<WatchKernel>(session_, module_)) {
    reduce_blocks_ = static_cast<unsigned>(session_.attribute(attribute_sm_count)) * blocks_per_sm;
    const auto kernel = [&](const char* name) { return session_.own_kernel(module_, name); };
    draw_reals_ = kernel("hone_draw_reals");
    draw_integers_ = kernel("hone_draw_integers");
    garbage_ = kernel("hone_garbage");
    find_change_ = kernel("hone_find_change");
    fingerprint_ = kernel("hone_fingerprint");
    scale_parts_ = kernel("hone_scale_parts");
    scale_ = kernel("hone_scale");
    distance_parts_ = kernel("hone_distance_parts");
    distance_ = kernel("hone_distance");
    round_ = kernel("hone_round");
    check(api_.mem_alloc(&result_, result_bytes + sizeof(Comparison) * std::size_t{reduce_blocks_}),
          "allocating room for results");
    parts_ = result_ + result_bytes;
    check(api_.host_alloc(&host_result_, result_bytes, 0), "allocating pinned memory for results");
  }

  ~CudaTensorOps() override {
    const bool is_there = session_.try_make_current();
    watch_.reset();
    if (!is_there) return;  // the context went with its device, and the memory with it
    (void)api_.stream_synchronize(session_.stream());
    while (!blocks_.empty()) discard(blocks_.begin()->second), blocks_.erase(blocks_.begin());
    (void)api_.mem_free(result_);
    (void)api_.host_free(host_result_);
    (void)api_.module_unload(module_);
  }

  // ---- blocks

  Block allocate(std::uint64_t bytes) override {
    session_.make_current();
    Memory memory{.bytes = (std::max<std::uint64_t>(bytes, 1) + granularity_ - 1) / granularity_ *
                           granularity_};
    const AllocationProperties properties = exportable_on(session_.device());
    const AccessDescription access = full_access(session_.device());
    const std::string doing = fmt::format("allocating {} bytes", memory.bytes);
    check(api_.mem_create(&memory.handle, memory.bytes, &properties, 0), doing);
    const bool mapped = api_.address_reserve(&memory.address, memory.bytes, 0, 0, 0) == success &&
                        api_.mem_map(memory.address, memory.bytes, 0, memory.handle, 0) == success;
    const Result result = mapped ? api_.mem_set_access(memory.address, memory.bytes, &access, 1)
                                 : error_out_of_memory;
    if (result != success) {
      discard(memory);
      check(result, doing + " (mapping them)");
    }
    // It may be memory of this process that held expected values, and the driver does not clear it
    // then.
    check(api_.fill_bytes(memory.address, 0, memory.bytes, session_.stream()),
          doing + " (clearing them)");
    const int id = next_++;
    blocks_[id] = memory;
    return {.id = id, .bytes = memory.bytes};
  }

  void release(int block) override {
    finish();
    discard(memory(block));
    blocks_.erase(block);
  }

  base::Fd export_block(int block) override {
    session_.make_current();
    int fd = -1;
    check(api_.mem_export(&fd, memory(block).handle, handle_posix_fd, 0),
          "exporting a block to the runner");
    base::Fd owned(fd);
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    return owned;
  }

  std::uint64_t free_bytes() override {
    session_.make_current();
    std::size_t free = 0, total = 0;
    check(api_.mem_info(&free, &total), "asking for free memory");
    return free;
  }

  // ---- contents

  void write(const Span& to, const void* from) override {
    check(api_.copy_to_device(at(to), from, to.bytes, session_.stream()), "writing to the device");
    finish();  // the caller may reuse its memory
  }
  void read(const Span& from, void* to) override {
    check(api_.copy_to_host(to, at(from), from.bytes, session_.stream()),
          "reading from the device");
    finish();
  }
  void copy(const Span& from, const Span& to) override {
    if (from.bytes != to.bytes)
      base::fail(base::ExitCode::environment, "copy of {} bytes into {}", from.bytes, to.bytes);
    const Address source = at(from), target = at(to);
    check(api_.copy_on_device(target, source, from.bytes, session_.stream()),
          "copying on the device");
  }

  void draw(const Span& to, const DrawRequest& request, std::uint64_t seed) override {
    const std::uint64_t elements = to.bytes / core::size_of(request.dtype);
    const int dtype = static_cast<int>(request.dtype);
    if (request.kind != core::DrawKind::integers && core::is_float(request.dtype))
      return launch("drawing", draw_reals_, blocks_for(elements, 4), at(to), elements, dtype,
                    recipe_for(request), seed);
    const std::uint64_t range =
        static_cast<std::uint64_t>(request.high) - static_cast<std::uint64_t>(request.low) + 1;
    launch("drawing integers", draw_integers_, blocks_for(elements, 4), at(to), elements, dtype,
           request.low, range, seed);
  }
  void garbage(const Span& to, std::uint64_t seed) override { fill(to, seed, 0); }
  void poison(const Span& to, DType dtype, std::uint64_t seed) override {
    fill(to, seed, nan_bits(dtype));
  }

  std::vector<std::int64_t> find_changes(std::span<const Garbage> in) override {
    const auto words = words_of(in.size(), 0xff, [&](std::size_t i, Address result) {
      const Span& one = in[i].at;
      launch("looking for changes", find_change_, blocks_for(one.bytes, 8), at(one), one.bytes,
             in[i].seed, result);
    });
    std::vector<std::int64_t> first;
    for (const std::uint64_t word : words)
      first.push_back(word == no_byte ? -1 : static_cast<std::int64_t>(word));
    return first;
  }

  std::vector<std::uint64_t> fingerprints(std::span<const Span> in, std::uint64_t key) override {
    auto sums = words_of(in.size(), 0, [&](std::size_t i, Address result) {
      launch("taking fingerprints", fingerprint_, blocks_for(in[i].bytes, 16), at(in[i]),
             in[i].bytes, key, result);
    });
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = mix(sums[i] ^ mix(key ^ in[i].bytes));
    return sums;
  }

  double scale(const Span& expected, DType dtype) override {
    const std::uint64_t elements = expected.bytes / 8;
    const int integers = core::is_float(dtype) ? 0 : 1,
              count = static_cast<int>(blocks_for(elements, 1));
    launch("measuring the scale", scale_parts_, static_cast<unsigned>(count), at(expected),
           elements, integers, parts_);
    launch("measuring the scale", scale_, 1, parts_, count, result_);
    double scale = 0;
    fetch_result(&scale, sizeof scale);
    return scale;
  }

  Distance distance(const Span& actual, DType dtype, const Span& expected, double scale,
                    double limit) override {
    const std::uint64_t elements = same_elements(expected, actual, dtype);
    const int type = static_cast<int>(dtype), count = static_cast<int>(blocks_for(elements, 1));
    const double finite_limit =
        std::min(limit, std::numeric_limits<double>::max());  // an infinite error is over any limit
    launch("comparing", distance_parts_, static_cast<unsigned>(count), at(actual), type,
           at(expected), elements, finite_limit, scale, parts_);
    launch("comparing", distance_, 1, parts_, count, result_);
    Comparison seen{};
    fetch_result(&seen, sizeof seen);
    Distance result{
        .scale = scale, .worst = seen.worst, .bad = seen.bad, .nonfinite = seen.nonfinite};
    result.max = std::max(seen.max, 0.0);
    if (seen.compared > 0) result.rms = std::sqrt(seen.sum / static_cast<double>(seen.compared));
    result.first_bad =
        seen.first_bad == ~std::uint64_t{0} ? -1 : static_cast<std::int64_t>(seen.first_bad);
    return result;
  }

  void round_to(const Span& from_f64, const Span& to, DType dtype) override {
    const std::uint64_t elements = same_elements(from_f64, to, dtype);
    launch("rounding", round_, blocks_for(elements, 1), at(from_f64), at(to), elements,
           static_cast<int>(dtype));
  }

  void begin_watch() override { watch_->begin(); }
  double end_watch() override { return watch_->end(); }

  void finish() override {
    session_.make_current();
    check(api_.stream_synchronize(session_.stream()),
          std::string("in the judge's own work (") + last_ + ")");
  }

 private:
  struct Memory {
    AllocationHandle handle = 0;
    Address address = 0;
    std::uint64_t bytes = 0;
  };

  // Whatever of it exists; a range that was reserved but not mapped included.
  void discard(const Memory& memory) {
    if (memory.address != 0) {
      (void)api_.mem_unmap(memory.address, memory.bytes);
      (void)api_.address_free(memory.address, memory.bytes);
    }
    (void)api_.mem_release(memory.handle);
  }

  Memory& memory(int block) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end())
      base::fail(base::ExitCode::environment, "there is no memory block {}", block);
    return found->second;
  }

  Address at(const Span& span) {
    session_.make_current();
    const Memory& held = memory(span.block);
    if (span.offset > held.bytes || span.bytes > held.bytes - span.offset)
      base::fail(base::ExitCode::environment,
                 "bytes {} + {} are outside memory block {} of {} bytes", span.offset, span.bytes,
                 span.block, held.bytes);
    return held.address + span.offset;
  }

  static std::uint64_t same_elements(const Span& wide, const Span& narrow, DType dtype) {
    const std::uint64_t elements = narrow.bytes / core::size_of(dtype);
    if (wide.bytes / 8 != elements)
      base::fail(base::ExitCode::environment, "{} values against {} expected ones", elements,
                 wide.bytes / 8);
    return elements;
  }

  unsigned blocks_for(std::uint64_t items, std::uint64_t per_thread) const {
    const std::uint64_t wanted = (items + per_thread * threads - 1) / (per_thread * threads);
    return static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, reduce_blocks_));
  }

  template <typename... Args>
  void launch(const char* doing, Function function, unsigned blocks, Args... args) {
    void* pointers[] = {&args...};
    last_ = doing;
    check(
        api_.launch(function, blocks, 1, 1, threads, 1, 1, 0, session_.stream(), pointers, nullptr),
        doing);
  }

  void fill(const Span& to, std::uint64_t seed, std::uint64_t set) {
    launch("filling with garbage", garbage_, blocks_for(to.bytes, 16), at(to), to.bytes, seed, set);
  }

  // What `count` launches leave in a word each, which is made of this byte before.
  template <typename Launch>
  std::vector<std::uint64_t> words_of(std::size_t count, unsigned char before, Launch launch_one) {
    std::vector<std::uint64_t> words(count);
    for (std::size_t first = 0; first < count; first += most_words) {
      const std::size_t bytes = sizeof(std::uint64_t) * std::min(most_words, count - first);
      session_.make_current();
      check(api_.fill_bytes(result_, before, bytes, session_.stream()), "clearing results");
      for (std::size_t at = 0; at < bytes; at += sizeof(std::uint64_t))
        launch_one(first + at / sizeof(std::uint64_t), result_ + at);
      fetch_result(&words[first], bytes);
    }
    return words;
  }
  void fetch_result(void* to, std::size_t bytes) {
    check(api_.copy_to_host(host_result_, result_, bytes, session_.stream()), "fetching results");
    finish();
    std::memcpy(to, host_result_, bytes);
  }

  Session session_;
  const Driver& api_;
  std::size_t granularity_;
  Module module_;
  std::unique_ptr<WatchKernel> watch_;
  Function draw_reals_, draw_integers_, garbage_, find_change_, fingerprint_, scale_parts_, scale_,
      distance_parts_, distance_, round_;
  unsigned reduce_blocks_ = 1;
  Address result_ = 0, parts_ = 0;
  void* host_result_ = nullptr;
  const char* last_ = "nothing yet";
  std::map<int, Memory> blocks_;
  int next_ = 0;
};

}  // namespace

std::unique_ptr<TensorOps> open_cuda_tensor_ops(const core::DeviceInfo& info) {
  (void)own_cubin(
      "runner.cu",
      info.arch);  // so that the runner, which starts in a sandbox, finds it in the cache
  return std::make_unique<CudaTensorOps>(info);
}

}  // namespace hone::device::cuda
