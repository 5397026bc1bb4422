#include "device/cuda_before_launches.h"

#include <algorithm>
#include <array>

namespace hone::device::cuda {
namespace {

constexpr unsigned scrub_threads = 1024;
constexpr unsigned scrub_waves = 4;  // blocks of full shared memory for each multiprocessor; one
                                     // would do if they were dealt out evenly
constexpr unsigned flush_threads = 512, flush_waves = 4, register_threads = 256;
// Of local memory, that the kernels in runner.cu overwrite. The driver allows a thread 512 KiB, and
// a kernel with that much has not been met: what lies beyond the last size is left.
constexpr std::array<std::int64_t, 6> local_sizes = {256, 1024, 4096, 16384, 65536, 262144};
constexpr std::size_t sink_bytes = 16;
constexpr std::int64_t
    flush_factor = 2,
    least_flush =
        32 << 20;  // of the L2 cache; where its size is not told, more than any such device has

// How long the host needs to queue a launch, generously, and the most that a plan of very many
// launches may hold the stream.
constexpr unsigned long long runway_base_ns = 10'000, runway_launch_ns = 4'000,
                             runway_most_ns = 100'000;

}  // namespace

BeforeLaunches::BeforeLaunches(const Session& session, std::int64_t l2_bytes) : session_(session) {
  const Driver& api = session.api();
  module_ = session.load_own("runner.cu");
  scrub_shared_ = session.own_kernel(module_, "hone_scrub_shared");
  scrub_registers_ = session.own_kernel(module_, "hone_scrub_registers");
  flush_ = session.own_kernel(module_, "hone_flush");
  runway_ = session.own_kernel(module_, "hone_runway");
  sm_count_ = static_cast<unsigned>(session.attribute(attribute_sm_count));
  shared_bytes_ =
      static_cast<unsigned>(session.attribute(attribute_shared_per_block_optin)) / 4 * 4;
  local_blocks_ =
      std::max(1u, static_cast<unsigned>(session.attribute(attribute_max_threads_per_sm)) /
                       scrub_threads) *
      sm_count_;
  has_persisting_ = session.attribute(attribute_max_persisting_l2) > 0;
  check(api.function_set_attribute(scrub_shared_, function_max_dynamic_shared,
                                   static_cast<int>(shared_bytes_)),
        "asking for all shared memory for the scrubbing kernel");
  // A multiple of the unit of allocation, so that nothing lies behind it.
  constexpr std::int64_t unit = 2 << 20;
  const std::int64_t wanted = std::max(flush_factor * l2_bytes, least_flush);
  const auto bytes = static_cast<std::size_t>((wanted + unit - 1) / unit * unit);
  check(api.mem_alloc(&flush_buffer_, bytes), "allocating the buffer that flushes the L2 cache");
  flush_bytes_ = bytes - sink_bytes;
  sink_ = flush_buffer_ + flush_bytes_;
  check(api.fill_bytes(flush_buffer_, 0, bytes, session.stream()),
        "clearing the buffer that flushes the L2 cache");
  void* pinned = nullptr;
  check(api.host_alloc(&pinned, sizeof *written_, 0), "allocating pinned memory");
  written_ = static_cast<unsigned*>(pinned);
  *written_ = 0;
}

BeforeLaunches::~BeforeLaunches() {
  if (flush_buffer_ != 0) (void)session_.api().mem_free(flush_buffer_);
  if (written_ != nullptr) (void)session_.api().host_free(written_);
  if (module_ != nullptr) (void)session_.api().module_unload(module_);
}

void BeforeLaunches::reset_persisting(Steps& step) {
  if (has_persisting_)
    step("resetting the persisting L2 cache", session_.api().reset_persisting_l2());
}

void BeforeLaunches::scrub_local(std::int64_t bytes, unsigned value, Steps& step) {
  const auto found = std::lower_bound(local_sizes.begin(), local_sizes.end(), bytes);
  const std::int64_t size = found == local_sizes.end() ? local_sizes.back() : *found;
  Function& kernel = scrub_local_[size];
  if (kernel == nullptr)
    kernel = session_.own_kernel(module_, ("hone_scrub_local_" + std::to_string(size)).c_str());
  void* arguments[] = {&value, &sink_};
  step("scrubbing local memory",
       session_.api().launch(kernel, local_blocks_, 1, 1, scrub_threads, 1, 1, 0, session_.stream(),
                             arguments, nullptr));
}

void BeforeLaunches::scrub_and_flush(std::int64_t local_bytes, Steps& step) {
  const Driver& api = session_.api();
  unsigned value = ++calls_ * 0x85EBCA6Bu, words = shared_bytes_ / 4;
  unsigned long long quads = flush_bytes_ / 16;
  void* register_arguments[] = {&value, &sink_};
  void* shared_arguments[] = {&words, &value, &sink_};
  Address written = sink_ + sizeof(unsigned);
  void* flush_arguments[] = {&flush_buffer_, &quads, &written};
  scrub_local(local_bytes, value, step);
  step("scrubbing registers", api.launch(scrub_registers_, sm_count_, 1, 1, register_threads, 1, 1,
                                         0, session_.stream(), register_arguments, nullptr)) &&
      step("scrubbing shared memory",
           api.launch(scrub_shared_, sm_count_ * scrub_waves, 1, 1, scrub_threads, 1, 1,
                      shared_bytes_, session_.stream(), shared_arguments, nullptr)) &&
      step("flushing the L2 cache",
           api.launch(flush_, sm_count_ * flush_waves, 1, 1, flush_threads, 1, 1, 0,
                      session_.stream(), flush_arguments, nullptr));
}

void BeforeLaunches::ask_whether_written(Steps& step) {
  step("asking whether the runner's memory was written",
       session_.api().copy_to_host(written_, sink_ + sizeof(unsigned), sizeof *written_,
                                   session_.stream()));
}

void BeforeLaunches::hold_for(int launches, Steps& step) {
  unsigned long long nanoseconds =
      std::min(runway_base_ns + runway_launch_ns * static_cast<unsigned long long>(launches),
               runway_most_ns);
  void* arguments[] = {&nanoseconds};
  step("holding the stream",
       session_.api().launch(runway_, 1, 1, 1, 1, 1, 1, 0, session_.stream(), arguments, nullptr));
}

}  // namespace hone::device::cuda
