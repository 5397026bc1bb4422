#include "judge/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "judge/python/batch.h"
#include "judge/room.h"

namespace hone::judge {

using base::Failure;

namespace {

constexpr int pool_lifetime = 64;  // evaluations after which inputs are drawn anew
constexpr std::uint64_t plenty =
    4;  // times their own size must stay free where spare buffers are kept

}  // namespace

std::uint64_t bytes_beside_entries(const core::Task& task, const core::Case& which) {
  // Making one more also takes the results of honest kernels, whose errors are measured once.
  const std::uint64_t honest =
      BufferSet::footprint(expected_shapes(task_shapes(task, which).outputs));
  return Pool::entry_bytes(task, which) + honest + torch_bytes(task, which);
}

bool checks_variants(const core::Task& task, const core::Case& which, core::Depth depth) {
  const bool no_small_case = std::all_of(task.cases.begin(), task.cases.end(),
                                         [](const core::Case& one) { return one.timed; });
  return !which.timed || depth == core::Depth::certify || no_small_case;
}

Inputs::Inputs(const core::Task& task, const core::DeviceInfo& info, device::TensorOps& ops,
               Truth& truth, Secrets& secrets, const GuardSet& guards)
    : task_(task),
      info_(info),
      ops_(ops),
      truth_(truth),
      secrets_(secrets),
      guards_(guards),
      honest_(load_honest_errors(task, info)),
      honest_saved_(honest_.size()) {}

Pool& Inputs::pool(const core::Case& which) {
  auto& slot = pools_[which.name];
  if (!slot) slot = std::make_unique<Pool>(task_, which, ops_, truth_, secrets_, guards_, honest_);
  return *slot;
}

bool Inputs::fit(const core::Case& which) const {
  return pools_.contains(which.name) || fits(need_of(task_, which), info_, ops_);
}

void Inputs::release_all() {
  release_spare_sets();
  pools_.clear();
}

void Inputs::count_evaluation() {
  if (++evaluations_ % pool_lifetime != 0) return;
  pools_.clear();
}

base::Result<std::size_t> Inputs::entries_that_fit(const core::ResolvedPlan& plan,
                                                   const core::Case& which, std::size_t wanted) {
  if (!guards_.on(Guard::fresh_contents)) wanted = 1;
  const std::uint64_t entry = Pool::entry_bytes(task_, which),
                      needed = BufferSet::footprint(plan.buffers);
  const std::uint64_t torch = torch_bytes(task_, which);
  // What the pool holds already is not needed again.
  const auto drawn = [&] { return pools_.contains(which.name) ? pools_[which.name]->drawn() : 0; };
  const auto too_little = [&] {
    return needed + (drawn() == 0 ? entry + torch : 0) > ops_.free_bytes();
  };
  if (too_little()) release_spare_sets();
  if (too_little()) pools_.clear();
  if (too_little())
    return Failure{fmt::format(
        "the plan needs {} MiB for its buffers in this case, scratch included, beside {} MiB for "
        "inputs and expected values; {} MiB are free on {}: use less scratch",
        needed >> 20, entry >> 20, ops_.free_bytes() >> 20, info_.id)};
  const std::uint64_t beside = needed + bytes_beside_entries(task_, which);
  const std::uint64_t free = ops_.free_bytes();
  return std::clamp<std::size_t>(drawn() + (free > beside ? free - beside : 0) / entry, 1, wanted);
}

// What the candidate before left in and around its tensors must not reach the next one.
std::vector<std::unique_ptr<BufferSet>> Inputs::take_spare_sets() {
  for (const auto& set : spare_sets_)
    for (auto& buffer : set->all()) {
      ops_.poison(buffer.data, buffer.shape.dtype, secrets_.seed());
      set->set_canaries(buffer, secrets_.seed());
    }
  ops_.finish();
  return std::exchange(spare_sets_, {});
}

void Inputs::keep_spare_sets(std::vector<std::unique_ptr<BufferSet>> sets,
                             const core::Case& which) {
  spare_sets_ = std::move(sets);
  spare_case_ = which.name;
  if (ops_.free_bytes() < plenty * spare_bytes()) release_spare_sets();
}

void Inputs::release_spare_sets_of_other_cases(const core::Case& which) {
  if (spare_case_ != which.name) release_spare_sets();
}

std::uint64_t Inputs::spare_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& set : spare_sets_) bytes += allocated_bytes(*set);
  return bytes;
}

void Inputs::save_honest_errors() {
  if (honest_.size() == honest_saved_) return;
  honest_saved_ = honest_.size();
  judge::save_honest_errors(task_, info_, honest_);
}

}  // namespace hone::judge
