#include "device/fake_device.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <mutex>
#include <random>
#include <thread>

#include "device/fake_program.h"
#include "device/host_blocks.h"

namespace hone::device {
namespace {

constexpr double nanoseconds_a_byte = 0.1, launch_nanoseconds = 1000,
                 host_nanoseconds = 5000;  // where a kernel does not say

struct Allocation {
  unsigned char* at = nullptr;
  std::uint64_t bytes = 0;
};

[[noreturn]] void hang() {
  for (;;) ::pause();
}

[[noreturn]] void exhaust() {
  constexpr std::size_t step = 16 << 20;
  for (;;) {
    void* memory = std::malloc(step);
    if (!memory) std::abort();
    std::memset(memory, 1, step);
  }
}

// Enough to be noticed by any limit on processes. Each ends by itself if it is not killed.
bool fork_many() {
  constexpr int children = 200;
  constexpr unsigned longest_life = 60;  // seconds
  for (int i = 0; i < children; ++i) {
    const pid_t child = ::fork();
    if (child < 0) return false;
    if (child > 0) continue;
    ::alarm(longest_life);
    hang();
  }
  return true;
}

void crash() {
  ::signal(SIGSEGV, SIG_DFL);
  ::raise(SIGSEGV);
}

// Relative disturbance in [-1, 1), the same for the same call of any process.
double disturbance(std::uint64_t call) {
  std::uint64_t x = (call + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  return static_cast<double>((x ^ (x >> 27)) >> 11) * 0x1p-52 - 1;
}

using Clock = std::chrono::steady_clock;

// A thread that watches the place where the last call wrote, and spoils what others write there
// later. It stands for work that a process has queued on a GPU, which goes on after the process was
// stopped.
class Trespasser {
 public:
  ~Trespasser() {
    ending_ = true;
    if (thread_.joinable()) thread_.join();
  }
  void start() {
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
  }
  void watch(unsigned char* at) {  // null: nothing
    const std::lock_guard lock(mutex_);
    at_ = at;
    if (at_ != nullptr) std::memcpy(&left_, at_, sizeof left_);
  }

 private:
  void work() {
    constexpr std::chrono::microseconds pause(20);
    for (; !ending_; std::this_thread::sleep_for(pause)) {
      const std::lock_guard lock(mutex_);
      if (at_ == nullptr || std::memcmp(at_, &left_, sizeof left_) == 0) continue;
      left_ = 0;
      std::memcpy(at_, &left_, sizeof left_);
    }
  }

  std::mutex mutex_;
  unsigned char* at_ = nullptr;
  std::uint64_t left_ = 0;  // what is there unless another process writes
  std::atomic<bool> ending_ = false;
  std::thread thread_;
};

class FakeDevice : public Device {
 public:
  explicit FakeDevice(const core::DeviceInfo& info) : info_(info) {}
  const core::DeviceInfo& info() const override { return info_; }

  base::Result<std::vector<KernelInfo>> load(const std::string& image,
                                             const std::vector<std::string>& names) override {
    auto program = parse_fake(image, "image", {});
    if (!program) return base::Failure{program.error()};
    program_ = std::move(*program);
    for (const FakeKernel& kernel : program_.kernels)
      for (const FakeBehaviour& behaviour : kernel.behaviours)
        if (behaviour.word == "trespass") trespasser_.start();
    std::vector<KernelInfo> found;
    for (const std::string& name : names) {
      const FakeKernel* kernel = find(name);
      if (!kernel) return base::Failure{fmt::format("the source has no kernel '{}'", name)};
      found.push_back(kernel->info);
    }
    return found;
  }

  int import_block(base::Fd fd, std::uint64_t bytes) override {
    return blocks_.import(std::move(fd), bytes);
  }
  void drop_blocks() override {
    trespasser_.watch(nullptr);
    blocks_.drop();
  }

  base::Result<bool> prepare(const CallRequest& request) override {
    request_ = request;
    trespasser_.watch(nullptr);  // what it watches is mapped elsewhere from now on
    for (const auto& launch : request.plan.launches) {
      const FakeKernel* kernel = find(launch.kernel);
      if (!kernel) return base::Failure{fmt::format("kernel '{}' is not loaded", launch.kernel)};
      if (kernel->info.parameters.size() != launch.args.size())
        return base::Failure{fmt::format("the plan gives '{}' {} arguments, it takes {}",
                                         launch.kernel, launch.args.size(),
                                         kernel->info.parameters.size())};
    }
    for (const BindingSet& set : request.sets)
      if (set.size() != request.plan.buffers.size())
        return base::Failure{std::string("a binding set does not cover the plan's buffers")};
    mappings_ += request.fresh_addresses ? 1 : 0;
    return blocks_.map(request.fresh_addresses);
  }

  CallReport go() override {
    CallReport report;
    double device = 0, wall = 0;
    for (const BindingSet& set : request_.sets)
      for (const auto& launch : request_.plan.launches) {
        if (launch.plan_index == request_.skip_launch || !report.error.empty()) continue;
        run(*find(launch.kernel), launch, set, report.error, device, wall);
        ++calls_;
      }
    report.ok = report.error.empty();
    report.device_seconds = device * 1e-9;
    report.wall_seconds = wall * 1e-9;
    return report;
  }

 private:
  const FakeKernel* find(const std::string& name) const {
    for (const FakeKernel& kernel : program_.kernels)
      if (kernel.info.name == name) return &kernel;
    return nullptr;
  }

  // The first two buffer arguments; a kernel with one has it as y.
  std::pair<Allocation, Allocation> places(const core::ResolvedLaunch& launch,
                                           const BindingSet& set) const {
    std::vector<Allocation> found;
    for (const auto& arg : launch.args)
      if (arg.kind == core::ResolvedArg::Kind::buffer) {
        const auto index = static_cast<std::size_t>(arg.index);
        const std::uint64_t bytes = request_.plan.buffers[index].bytes;
        found.push_back({blocks_.address(set[index], bytes), bytes});
      }
    if (found.empty()) return {};
    return found.size() == 1 ? std::pair{Allocation{}, found[0]} : std::pair{found[0], found[1]};
  }

  void run(const FakeKernel& kernel, const core::ResolvedLaunch& launch, const BindingSet& set,
           std::string& error, double& device, double& wall) {
    const auto [x, y] = places(launch, set);
    const auto start = Clock::now();
    double ns = launch_nanoseconds + nanoseconds_a_byte * static_cast<double>(x.bytes + y.bytes),
           own_wall = -1;
    for (const auto& [word, value] : kernel.behaviours) {
      if (word == "after" && static_cast<double>(calls_) < value) break;
      if (word == "first" && static_cast<double>(calls_) >= value) break;
      if (word == "every" && std::fmod(static_cast<double>(calls_ + 1), std::max(value, 1.0)) != 0)
        break;
      if (word == "ns") ns = value;
      if (word == "wall") own_wall = value;
      if (word == "drift") ns *= 1 + value * static_cast<double>(calls_);
      if (word == "jitter") ns *= 1 + value * disturbance(calls_);
      if (word == "process") ns *= 1 + value * disturbance(process_);
      if (word == "place")
        ns *= 1 + value * disturbance(process_ + mappings_ * 31 +
                                      static_cast<std::uint64_t>(set.front().block));
      if (word == "spin")
        while (nanoseconds_since(start) < value) {
        }
      if (word == "warm" && !request_.flush) ns = value;
      if (word == "halves") ns *= std::exp2(-nanoseconds_since(opened_) / value);
      if (word == "fail")
        error = fmt::format("launch {} ('{}'): the fake was told to fail", launch.plan_index + 1,
                            launch.kernel);
      if (word == "fork" && !fork_many())
        error = fmt::format("launch {} ('{}'): no more processes", launch.plan_index + 1,
                            launch.kernel);
      misbehave(word, y);
      compute(word, value, x, y);
      if (word == "trespass") trespasser_.watch(y.at);
    }
    if (uses_real_time(kernel)) ns = nanoseconds_since(start);
    device += ns;
    wall += own_wall >= 0 ? own_wall : ns + host_nanoseconds;
  }

  static double nanoseconds_since(Clock::time_point then) {
    return std::chrono::duration<double, std::nano>(Clock::now() - then).count();
  }
  static bool uses_real_time(const FakeKernel& kernel) {
    return std::any_of(kernel.behaviours.begin(), kernel.behaviours.end(),
                       [](const FakeBehaviour& behaviour) { return behaviour.word == "real"; });
  }

  static void misbehave(const std::string& word, const Allocation& y) {
    if (word == "crash") crash();
    if (word == "abort") std::abort();
    if (word == "hang") hang();
    if (word == "exhaust") exhaust();
    if (word == "thread" && y.at)
      std::thread([y] {
        volatile unsigned char* at = y.at;
        for (unsigned char value = 0;; ++value, std::this_thread::yield()) *at = value;
      }).detach();
  }

  void compute(const std::string& word, double value, const Allocation& x, const Allocation& y) {
    if (!y.at) return;
    const std::uint64_t both = x.at ? std::min(x.bytes, y.bytes) : 0, floats = both / sizeof(float);
    const auto* from = reinterpret_cast<const float*>(x.at);
    auto* to = reinterpret_cast<float*>(y.at);
    const auto copy = [&](std::uint64_t bytes) { std::memcpy(y.at, x.at, bytes); };
    if (word == "copy" && both) copy(both);
    if (word == "half" && both) copy(both / 2);
    if (word == "zeros") std::memset(y.at, 0, y.bytes);
    if (word == "scale")
      for (std::uint64_t i = 0; i < floats; ++i) to[i] = static_cast<float>(value) * from[i];
    if (word == "noise")
      for (std::uint64_t i = 0; i < floats; ++i)
        to[i] = from[i] * static_cast<float>(1 + value * disturbance(i));
    if (word == "nan" && y.bytes >= sizeof(float))
      to[y.bytes / sizeof(float) / 2] = std::numeric_limits<float>::quiet_NaN();
    if (word == "overrun") std::memset(y.at + y.bytes, 0, 8);
    if (word == "underrun") std::memset(y.at - 8, 0, 8);
    if (word == "scribble" && both) x.at[both / 2] ^= 1;
    if (word == "stale") replay("", both, x, y);
    if (word == "by_address")
      replay(fmt::format("{} {}", fmt::ptr(x.at), fmt::ptr(y.at)), both, x, y);
    if (word == "by_sample" && both)
      replay(std::string(reinterpret_cast<const char*>(x.at), std::min<std::uint64_t>(both, 16)),
             both, x, y);
  }

  void replay(const std::string& key, std::uint64_t bytes, const Allocation& x,
              const Allocation& y) {
    std::vector<unsigned char>& kept = memory_[fmt::format("{} {}", y.bytes, key)];
    if (kept.empty() && bytes) kept.assign(x.at, x.at + bytes);
    if (!kept.empty()) std::memcpy(y.at, kept.data(), kept.size());
  }

  core::DeviceInfo info_;
  Clock::time_point opened_ = Clock::now();
  FakeProgram program_;
  HostBlocks blocks_;
  CallRequest request_;
  Trespasser trespasser_;                           // ends before the memory that it watches goes
  std::uint64_t process_ = std::random_device{}();  // tells this process from others
  std::uint64_t mappings_ = 0;                      // that were made anew
  std::uint64_t calls_ = 0;                         // launches so far
  std::map<std::string, std::vector<unsigned char>> memory_;  // what replaying kernels remember
};

}  // namespace

core::DeviceInfo fake_info(bool is_cpu) {
  core::DeviceInfo info{.id = is_cpu ? "fake:0" : "fake:1",
                        .language = core::Language::fake,
                        .is_cpu = is_cpu,
                        .name = is_cpu ? "fake device" : "fake GPU",
                        .uuid = is_cpu ? "fake-0" : "fake-1",
                        .driver = "1"};
  info.compiler = "fake 1";
  info.shared_per_block = 48 << 10;
  info.max_threads = 1024;
  info.memory_bytes = std::int64_t{1} << 30;
  return info;
}

core::DeviceInfo second_fake_gpu() {
  core::DeviceInfo info = fake_info(false);
  info.id = "fake:3";
  info.uuid = "fake-3";
  return info;
}

core::DeviceInfo fake_info_with_pins() {
  core::DeviceInfo info = fake_info(false);
  info.id = "fake:2";
  info.name = "fake GPU with memory pins";
  info.uuid = "fake-2";
  info.pin_bandwidth =
      1e8;  // slow, so that its floor is far above the time that anything here really takes
  return info;
}

std::unique_ptr<Device> open_fake(const core::DeviceInfo& info) {
  return std::make_unique<FakeDevice>(info);
}

BuildResult build_fake(const BuildRequest& request) {
  auto program = parse_fake(request.source, request.name, request.defines);
  if (!program) return {.log = program.error()};
  BuildResult result{.ok = true, .image = write_fake(*program)};
  for (const std::string& name : program->globals)
    result.forbidden.push_back(fmt::format("a writable global '{}'", name));
  return result;
}

}  // namespace hone::device
