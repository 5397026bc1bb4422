#include "device/cuda_surroundings.h"

#include <algorithm>

namespace hone::device::cuda {
namespace {

constexpr unsigned scrub_threads = 1024;
constexpr unsigned scrub_waves =
    4;  // blocks of full shared memory for each multiprocessor; one would do if they were dealt out evenly
constexpr unsigned flush_threads = 512, flush_waves = 4;
constexpr std::int64_t flush_factor = 2,
                       least_flush =
                           32 << 20;  // of the L2 cache; where its size is not told, more than any such device has

// How long the host needs to queue a launch, generously, and the most that a plan of very many launches may hold the
// stream.
constexpr unsigned long long runway_base_ns = 10'000, runway_launch_ns = 4'000, runway_most_ns = 100'000;

}  // namespace

Surroundings::Surroundings(const Session& session, std::int64_t l2_bytes) : session_(session) {
  const Driver& api = session.api();
  module_ = session.load_own("runner.cu");
  scrub_shared_ = session.own_kernel(module_, "hone_scrub_shared");
  scrub_local_ = session.own_kernel(module_, "hone_scrub_local");
  flush_ = session.own_kernel(module_, "hone_flush");
  runway_ = session.own_kernel(module_, "hone_runway");
  sm_count_ = static_cast<unsigned>(session.attribute(attribute_sm_count));
  shared_bytes_ = static_cast<unsigned>(session.attribute(attribute_shared_per_block_optin)) / 4 * 4;
  local_blocks_ =
      std::max(1u, static_cast<unsigned>(session.attribute(attribute_max_threads_per_sm)) / scrub_threads) * sm_count_;
  has_persisting_ = session.attribute(attribute_max_persisting_l2) > 0;
  check(api.function_set_attribute(scrub_shared_, function_max_dynamic_shared, static_cast<int>(shared_bytes_)),
        "asking for all shared memory for the scrubbing kernel");
  flush_bytes_ = static_cast<std::size_t>(std::max(flush_factor * l2_bytes, least_flush));
  check(api.mem_alloc(&flush_buffer_, flush_bytes_), "allocating the buffer that flushes the L2 cache");
}

Surroundings::~Surroundings() {
  if (flush_buffer_ != 0) (void)session_.api().mem_free(flush_buffer_);
  if (module_ != nullptr) (void)session_.api().module_unload(module_);
}

void Surroundings::reset_persisting(Steps& step) {
  if (has_persisting_) step("resetting the persisting L2 cache", session_.api().reset_persisting_l2());
}

void Surroundings::scrub_and_flush(Steps& step) {
  const Driver& api = session_.api();
  unsigned value = ++calls_ * 0x85EBCA6Bu, words = shared_bytes_ / 4;
  void* local_arguments[] = {&value, &flush_buffer_};
  Address sink = flush_buffer_;
  unsigned long long quads = flush_bytes_ / 16;
  void* flush_arguments[] = {&flush_buffer_, &quads, &sink};
  void* shared_arguments[] = {&words, &value, &flush_buffer_};
  step("scrubbing local memory", api.launch(scrub_local_, local_blocks_, 1, 1, scrub_threads, 1, 1, 0,
                                            session_.stream(), local_arguments, nullptr)) &&
      step("scrubbing shared memory", api.launch(scrub_shared_, sm_count_ * scrub_waves, 1, 1, scrub_threads, 1, 1,
                                                 shared_bytes_, session_.stream(), shared_arguments, nullptr)) &&
      step("flushing the L2 cache", api.launch(flush_, sm_count_ * flush_waves, 1, 1, flush_threads, 1, 1, 0,
                                               session_.stream(), flush_arguments, nullptr));
}

void Surroundings::hold_for(int launches, Steps& step) {
  unsigned long long nanoseconds =
      std::min(runway_base_ns + runway_launch_ns * static_cast<unsigned long long>(launches), runway_most_ns);
  void* arguments[] = {&nanoseconds};
  step("holding the stream",
       session_.api().launch(runway_, 1, 1, 1, 1, 1, 1, 0, session_.stream(), arguments, nullptr));
}

}  // namespace hone::device::cuda
