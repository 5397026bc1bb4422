#pragma once
// The inputs of all cases of one task on one device, and the device memory they share: pools of
// secret inputs, and buffers kept between candidates in Python. When memory runs short they are
// released in the opposite order of their cost. Owned by the judge, on its thread.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/device_info.h"
#include "core/evaluation.h"
#include "core/plan.h"
#include "judge/pool.h"

namespace hone::judge {

class Inputs {
 public:
  Inputs(const core::Task& task, const core::DeviceInfo& info, device::TensorOps& ops, Truth& truth,
         Secrets& secrets, const GuardSet& guards);

  Pool& pool(const core::Case& which);
  // How many inputs of the pool can be had beside the plan's own buffers, up to `wanted`; or why
  // none can.
  base::Result<std::size_t> entries_that_fit(const core::ResolvedPlan& plan,
                                             const core::Case& which, std::size_t wanted);
  bool fit(const core::Case& which) const;  // or have been made already
  void release_all();
  // Called once for each evaluation: after a while all inputs are drawn anew.
  void count_evaluation();

  // Buffers of the last batch of calls, kept for the next candidate in Python on the same case:
  // allocating them takes longer than a batch of calls.
  std::vector<std::unique_ptr<BufferSet>> take_spare_sets();
  void keep_spare_sets(std::vector<std::unique_ptr<BufferSet>> sets, const core::Case& which);
  void release_spare_sets() { spare_sets_.clear(); }
  void release_spare_sets_of_other_cases(const core::Case& which);
  std::uint64_t spare_bytes() const;

  void save_honest_errors();

 private:
  const core::Task& task_;
  const core::DeviceInfo& info_;
  device::TensorOps& ops_;
  Truth& truth_;
  Secrets& secrets_;
  const GuardSet& guards_;
  HonestErrors honest_;
  std::size_t honest_saved_ = 0;
  std::map<std::string, std::unique_ptr<Pool>> pools_;  // by case
  std::vector<std::unique_ptr<BufferSet>> spare_sets_;
  std::string spare_case_;  // whose shapes they have
  int evaluations_ = 0;
};

// What an evaluation takes after the inputs that are kept: one more entry (a variant, an unseen
// input) and torch's own memory for its truth.
std::uint64_t bytes_beside_entries(const core::Task& task, const core::Case& which);

// Variants where they are cheap: on large cases only when certifying, or where no small case has
// them.
bool checks_variants(const core::Task& task, const core::Case& which, core::Depth depth);

// Honest errors on disk: measured once per task, case and variant, they save a reference run on
// every later start. They are not secret.
HonestErrors load_honest_errors(const core::Task& task, const core::DeviceInfo& info);
void save_honest_errors(const core::Task& task, const core::DeviceInfo& info,
                        const HonestErrors& errors);

}  // namespace hone::judge
