#pragma once
// Batches of calls: one request to a worker in Python for several calls, each on tensors of its
// own, all of them verified afterwards. The judge's clock over a batch is nearly the device's: the
// host queues a call while the device works on the one before it, and what the request itself costs
// is divided among the calls. How many calls, and whether they overlap, are pure functions; which
// time counts says judge/judged_seconds.h. Memory belongs to Batch, which lives no longer than the
// working buffers of its case.
#include <memory>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "judge/buffers.h"

namespace hone::judge {

struct BatchLimits {
  double seconds = 0;       // a batch lasts that long, if the rest allows it
  double requests = 0;      // and that many times what the request costs
  std::size_t calls = 1;    // at most
  std::size_t buffers = 1;  // at most, of all its calls: each is mapped anew for every batch
  std::uint64_t bytes = 0;  // at most, of all its calls
  double allowance =
      0;  // a call alone may take that much longer than one of many, beside twice the measured gap
  double host_part =
      0;  // and that much of a call of many, for its host's time, which nothing hides:
  double most_host = 0;  // at most so many seconds
  double noise = 0;      // and that share of the time
  // Ceilings of what is measured: a busy machine, or a program that makes it busy, must not be able
  // to raise them.
  double most_measured = 0;  // of twice the gap
  double most_part = 1;      // of a call alone, beyond what is always allowed
};
BatchLimits batch_limits(core::ClockKind clock);

// How many calls a batch has; 1: calls are timed one by one. `single` is the time of one,
// `contents` are the different inputs that there are: with one, the first answer would serve for
// all calls.
std::size_t batch_size(const BatchLimits& limits, double single, double request,
                       std::uint64_t set_bytes, std::size_t buffers, std::uint64_t free_bytes,
                       std::size_t contents);

// Whether calls alone take longer than calls in batches by more than the host's time explains: then
// calls overlap, or one does the work of several. Why, in words; "": they do not.
std::string overlap(const BatchLimits& limits, double batch, double single, double gap);
double overlap_allowance(const BatchLimits& limits, double batch, double single,
                         double gap);  // in seconds, beside the noise
// The same by what the device was busy with during one recorded call.
std::string overlap_in_record(double seconds, double busy);

// The tensors of all calls of a batch. The first are those of the case.
class Batch {
 public:
  Batch(device::TensorOps& ops, BufferSet& first) : ops_(ops) { sets_.push_back(&first); }
  // More sets like the first until there are `count`; `spare` ones first.
  void grow(std::size_t count, std::vector<std::unique_ptr<BufferSet>> spare = {});
  // All sets but the first, for the next batch of the same case.
  std::vector<std::unique_ptr<BufferSet>> release();
  BufferSet& set(std::size_t index) { return *sets_[index]; }
  std::size_t size() const { return sets_.size(); }

 private:
  device::TensorOps& ops_;
  std::vector<std::unique_ptr<BufferSet>> own_;
  std::vector<BufferSet*> sets_;
};
std::uint64_t allocated_bytes(const BufferSet& set);

}  // namespace hone::judge
