#include "device/host_tensor_ops.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>

#include "base/error.h"
#include "device/host_compare.h"
#include "device/host_fill.h"
#include "device/host_threads.h"

namespace hone::device {
namespace {

std::uint64_t number_in(const char* file, std::uint64_t otherwise) {
  std::ifstream in(file);
  std::uint64_t value;
  return in >> value ? value : otherwise;  // "max" stands for no limit
}

// Page cache that the kernel releases when memory is asked for; it counts as used in the group's
// figures.
std::uint64_t reclaimable(const char* stat_file) {
  std::ifstream in(stat_file);
  std::string key;
  std::uint64_t value = 0;
  while (in >> key >> value)
    if (key == "inactive_file" || key == "total_inactive_file") return value;
  return 0;
}

// What the memory controller of this process's group leaves, in either version of control groups as
// containers mount them.
std::uint64_t group_headroom() {
  constexpr std::uint64_t no_limit = ~std::uint64_t{0};
  struct Files {
    const char *limit, *used, *stat;
  };
  std::uint64_t headroom = no_limit;
  for (const Files& files : {Files{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
                                   "/sys/fs/cgroup/memory.stat"},
                             Files{"/sys/fs/cgroup/memory/memory.limit_in_bytes",
                                   "/sys/fs/cgroup/memory/memory.usage_in_bytes",
                                   "/sys/fs/cgroup/memory/memory.stat"}}) {
    const std::uint64_t limit = number_in(files.limit, no_limit);
    if (limit == no_limit) continue;
    const std::uint64_t used = number_in(files.used, 0),
                        kept = used - std::min(used, reclaimable(files.stat));
    headroom = std::min(headroom, limit - std::min(limit, kept));
  }
  return headroom;
}

struct Memory {
  base::Fd fd;
  unsigned char* base = nullptr;
  std::uint64_t bytes = 0;

  Memory(base::Fd file, unsigned char* at, std::uint64_t size)
      : fd(std::move(file)), base(at), bytes(size) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { ::munmap(base, bytes); }
};

// Asks for the memory now, by all cores: it is a kernel's slowest work here. Where it cannot be had
// ahead (kernels before 5.14) it comes when it is touched.
void bring_in(unsigned char* base, std::uint64_t bytes) {
  constexpr std::uint64_t share = 4 << 20;
  over_threads(bytes, share, [&](std::uint64_t begin, std::uint64_t end) {
    (void)::madvise(base + begin, end - begin, MADV_POPULATE_WRITE);
  });
}

class HostTensorOps : public TensorOps {
 public:
  Block allocate(std::uint64_t bytes) override {
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    const std::uint64_t available = free_bytes();
    if (bytes >
        available)  // asked before touching: the kernel would rather end a process than refuse
      base::fail(base::ExitCode::environment,
                 "{} bytes of memory are needed and {} are free: use a smaller case, or end other "
                 "programs",
                 bytes, available);
    const std::uint64_t rounded = std::max((bytes + page - 1) / page * page, page);
    base::Fd fd(::memfd_create("hone-block", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    // Sealed in size: a runner that cut the file short would otherwise crash this process when it
    // reads it.
    if (!fd || ::ftruncate(fd.get(), static_cast<off_t>(rounded)) != 0 ||
        ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
      base::fail(base::ExitCode::environment, "cannot make a memory file of {} bytes: {}", rounded,
                 base::errno_text());
    void* base = ::mmap(nullptr, rounded, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
    if (base == MAP_FAILED)
      base::fail(base::ExitCode::environment, "cannot map {} bytes of memory: {}", rounded,
                 base::errno_text());
    bring_in(static_cast<unsigned char*>(base), rounded);
    const int id = next_++;
    blocks_.emplace(
        std::piecewise_construct, std::forward_as_tuple(id),
        std::forward_as_tuple(std::move(fd), static_cast<unsigned char*>(base), rounded));
    return {.id = id, .bytes = rounded};
  }

  void release(int block) override { blocks_.erase(block); }

  base::Fd export_block(int block) override {
    base::Fd copy(::fcntl(memory(block).fd.get(), F_DUPFD_CLOEXEC, 0));
    if (!copy)
      base::fail(base::ExitCode::environment, "cannot hand a memory block to the runner: {}",
                 base::errno_text());
    return copy;
  }

  std::uint64_t free_bytes() override { return available_host_bytes(); }

  void write(const Span& to, const void* from) override { std::memcpy(at(to), from, to.bytes); }
  void read(const Span& from, void* to) override { std::memcpy(to, at(from), from.bytes); }
  void copy(const Span& from, const Span& to) override {
    if (from.bytes != to.bytes)
      base::fail(base::ExitCode::environment, "copy of {} bytes into {}", from.bytes, to.bytes);
    copy_bytes(at(from), at(to), from.bytes);
  }

  void draw(const Span& to, const DrawRequest& request, std::uint64_t seed) override {
    fill_draw(at(to), elements(to, request.dtype), request, seed);
  }
  void garbage(const Span& to, std::uint64_t seed) override {
    fill_garbage(at(to), to.bytes, seed);
  }
  void poison(const Span& to, core::DType dtype, std::uint64_t seed) override {
    fill_poison(at(to), to.bytes, dtype, seed);
  }
  std::vector<std::int64_t> find_changes(std::span<const Garbage> in) override {
    std::vector<std::int64_t> first;
    for (const Garbage& one : in) first.push_back(first_change(at(one.at), one.at.bytes, one.seed));
    return first;
  }
  std::vector<std::uint64_t> fingerprints(std::span<const Span> in, std::uint64_t key) override {
    std::vector<std::uint64_t> prints;
    for (const Span& one : in) prints.push_back(fingerprint_of(at(one), one.bytes, key));
    return prints;
  }

  double scale(const Span& expected, core::DType dtype) override {
    return scale_of(at(expected), dtype, expected.bytes / 8);
  }
  Distance distance(const Span& actual, core::DType dtype, const Span& expected, double scale,
                    double limit) override {
    return distance_between(at(actual), dtype, at(expected), same_elements(expected, actual, dtype),
                            scale, limit);
  }
  void round_to(const Span& from_f64, const Span& to, core::DType dtype) override {
    round_elements(at(from_f64), at(to), dtype, same_elements(from_f64, to, dtype));
  }
  void finish() override {}  // everything here has happened when it returns

 private:
  Memory& memory(int block) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end())
      base::fail(base::ExitCode::environment, "there is no memory block {}", block);
    return found->second;
  }
  unsigned char* at(const Span& span) {
    Memory& held = memory(span.block);
    if (span.offset > held.bytes || span.bytes > held.bytes - span.offset)
      base::fail(base::ExitCode::environment,
                 "bytes {} + {} are outside memory block {} of {} bytes", span.offset, span.bytes,
                 span.block, held.bytes);
    return held.base + span.offset;
  }
  static std::uint64_t elements(const Span& span, core::DType dtype) {
    return span.bytes / core::size_of(dtype);
  }
  static std::uint64_t same_elements(const Span& wide, const Span& narrow, core::DType dtype) {
    if (wide.bytes / 8 != elements(narrow, dtype))
      base::fail(base::ExitCode::environment, "{} values against {} expected ones",
                 elements(narrow, dtype), wide.bytes / 8);
    return wide.bytes / 8;
  }

  std::map<int, Memory> blocks_;
  int next_ = 0;
};

}  // namespace

std::uint64_t available_host_bytes() {
  std::ifstream in("/proc/meminfo");
  std::string key, unit;
  std::uint64_t kibibytes = 0;
  while (in >> key >> kibibytes && key != "MemAvailable:") std::getline(in, unit);
  return std::min(kibibytes * 1024, group_headroom());
}

std::unique_ptr<TensorOps> open_host_tensor_ops() { return std::make_unique<HostTensorOps>(); }

}  // namespace hone::device
