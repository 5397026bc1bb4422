#include "judge/trial_pair.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "judge/room.h"

namespace hone::judge {

using base::Failure;

namespace {

bool is_python(const core::Candidate& candidate) {
  return candidate.language == core::Language::python;
}
bool hold_state(const Judge& judge, const Both<Ready*>& ready) {
  return hold_state(judge, ready[side_a]->candidate, ready[side_b]->candidate);
}

using Buffers = std::vector<core::ResolvedBuffer>;

bool is_scratch(const core::ResolvedBuffer& buffer) {
  return buffer.role == core::ResolvedBuffer::Role::scratch;
}

// Scratch of b's that is like a's in the same place gets its name, and so its memory: where memory
// lies moves times, on an H200 those of a kernel with much scratch by up to 0.9 %. It is poisoned
// before every call. The rest gets names that a has not.
core::ResolvedPlan with_scratch_of(const Buffers& a, core::ResolvedPlan plan) {
  auto like = std::find_if(a.begin(), a.end(), is_scratch);
  for (auto& buffer : plan.buffers) {
    if (!is_scratch(buffer)) continue;
    const bool same = like != a.end() && like->bytes == buffer.bytes && like->dtype == buffer.dtype;
    buffer.name = same ? like->name : buffer.name + "'";
    if (like != a.end()) like = std::find_if(like + 1, a.end(), is_scratch);
  }
  return plan;
}

bool has(const Buffers& buffers, const std::string& name) {
  return std::any_of(buffers.begin(), buffers.end(),
                     [&](const auto& buffer) { return buffer.name == name; });
}

Buffers joined(const core::ResolvedPlan& first, const core::ResolvedPlan& second) {
  auto all = first.buffers;
  for (const auto& buffer : second.buffers)
    if (is_scratch(buffer) && !has(first.buffers, buffer.name)) all.push_back(buffer);
  return all;
}

using Plans = Both<core::ResolvedPlan>;

// Shared buffers make where memory lies the same for both sides; own ones keep a candidate that can
// hold state from reading or spoiling what the other works on.
std::uint64_t bytes_of(const Plans& plans, bool own_buffers) {
  if (!own_buffers) return BufferSet::footprint(joined(plans[side_a], plans[side_b]));
  return BufferSet::footprint(plans[side_a].buffers) + BufferSet::footprint(plans[side_b].buffers);
}

Both<std::shared_ptr<BufferSet>> allocate(device::TensorOps& ops, const Plans& plans,
                                          bool own_buffers) {
  if (own_buffers)
    return {std::make_shared<BufferSet>(ops, plans[side_a].buffers),
            std::make_shared<BufferSet>(ops, plans[side_b].buffers)};
  const auto shared = std::make_shared<BufferSet>(ops, joined(plans[side_a], plans[side_b]));
  return {shared, shared};
}

base::Result<Plans, SideFinding> plans_for(const Judge& judge, const Both<Ready*>& ready,
                                           const core::Case& which) {
  Plans plans;
  for (const Side side : both_sides) {
    auto plan = fitted_plan(judge, *ready[side], which);
    if (!plan) return Failure{SideFinding{side, in_case(which.name, rejection(plan.error()))}};
    plans[side] = side == side_a ? *std::move(plan)
                                 : with_scratch_of(plans[side_a].buffers, *std::move(plan));
  }
  return plans;
}

}  // namespace

SideFinding blamed(Side side, Finding finding, bool other_can_starve_it) {
  // These say that the device was busy, which the other side's host code can bring about.
  const bool by_device = finding.guard == Guard::arrival || finding.guard == Guard::late_work ||
                         finding.guard == Guard::activity;
  const bool own =
      (finding.outcome == core::Outcome::wrong || finding.outcome == core::Outcome::cheating) &&
      !by_device;
  if (own || !other_can_starve_it) return {side, std::move(finding)};
  finding.text =
      "not comparable: one of the two failed beside the other, which shares the device's memory: " +
      finding.text;
  return {std::nullopt, std::move(finding)};
}

bool hold_state(const Judge& judge, const core::Candidate& a, const core::Candidate& b) {
  return core::capabilities(judge.info()).native_code || is_python(a) || is_python(b);
}

// Plans with operations of a library run in a worker in Python, which keeps what the library has
// set up.
bool can_exchange(const Judge& judge, const Both<Ready*>& ready) {
  return !hold_state(judge, ready) && !core::has_operations(ready[side_a]->candidate.plan) &&
         !core::has_operations(ready[side_b]->candidate.plan);
}

bool have_like_scratch(const Judge& judge, const Both<Ready*>& ready,
                       const std::vector<const core::Case*>& cases) {
  return std::all_of(cases.begin(), cases.end(), [&](const core::Case* which) {
    if (!which->timed) return true;
    const auto plans = plans_for(judge, ready, *which);
    if (!plans) return true;  // there will be no comparison
    const Buffers &a = (*plans)[side_a].buffers, &b = (*plans)[side_b].buffers;
    return a.size() == b.size() &&
           std::all_of(b.begin(), b.end(), [&](const auto& buffer) { return has(a, buffer.name); });
  });
}

base::Result<std::size_t, std::uint64_t> inputs_that_fit(std::uint64_t buffers, std::uint64_t input,
                                                         std::uint64_t reference,
                                                         std::uint64_t free, std::size_t drawn,
                                                         std::size_t wanted) {
  const std::uint64_t least = buffers + (drawn == 0 ? input + reference : 0);
  if (least > free) return Failure{least - free};
  // One more for inputs that are drawn at the end, and the reference's own memory.
  const std::uint64_t beside = buffers + input + reference;
  return std::clamp<std::size_t>(drawn + (free > beside ? free - beside : 0) / input, 1, wanted);
}

TrialPair::TrialPair(Judge& judge, const Both<Ready*>& ready, const core::Case& which, Turns& turns)
    : judge_(judge),
      ready_(ready),
      which_(which),
      turns_(turns),
      own_buffers_(hold_state(judge, ready) && judge.options().guards.on(Guard::own_buffers)) {}

base::Result<std::unique_ptr<TrialPair>, SideFinding> TrialPair::make(Judge& judge,
                                                                      const Both<Ready*>& ready,
                                                                      const core::Case& which,
                                                                      Turns& turns, bool exchange,
                                                                      bool drop_others) {
  auto pair = std::unique_ptr<TrialPair>(new TrialPair(judge, ready, which, turns));
  if (auto problem = pair->make_trials(drop_others)) return Failure{*std::move(problem)};
  if (exchange)
    if (auto problem = pair->bind_exchanged()) return Failure{*std::move(problem)};
  return pair;
}

MaybeSideFinding TrialPair::choose_inputs(const Plans& plans) {
  const core::Task& task = judge_.task();
  const auto fit = inputs_that_fit(bytes_of(plans, own_buffers_), Pool::entry_bytes(task, which_),
                                   torch_bytes(task, which_), judge_.tensor_ops().free_bytes(),
                                   judge_.inputs().pool(which_).drawn(),
                                   inputs_wanted(which_, hold_state(judge_, ready_)));
  if (!fit) {
    constexpr std::uint64_t mib = 1 << 20;
    return SideFinding{
        std::nullopt,
        in_case(which_.name, rejection(fmt::format("not comparable on this device: {} MiB short",
                                                   (fit.error() + mib - 1) / mib)))};
  }
  inputs_ = *fit;
  return std::nullopt;
}

MaybeSideFinding TrialPair::make_trials(bool drop_others) {
  auto plans = plans_for(judge_, ready_, which_);
  if (!plans) return plans.error();
  if (inputs_ == 0)
    if (auto problem = choose_inputs(*plans)) return problem;
  const auto working = allocate(judge_.tensor_ops(), *plans, own_buffers_);
  for (const Side side : both_sides) {
    auto trial = make_trial_on(judge_, *ready_[side], which_, std::move((*plans)[side]), inputs_,
                               working[side], drop_others);
    if (!trial) return SideFinding{side, trial.error()};
    trials_[side] = std::move(*trial);
    if (is_mixed(*trials_[side], which_))
      if (auto problem = trials_[side]->mix_in(core::Depth::screen, false))
        return SideFinding{side, *problem};
  }
  choose_clock();
  return std::nullopt;
}

// Where one of them has host code of its own, its report is not believed: both are timed by the
// judge's clock.
void TrialPair::choose_clock() {
  const bool by_judge =
      trials_[side_a]->facts().can_remember || trials_[side_b]->facts().can_remember;
  for (const Side side : both_sides) {
    JudgedBy judged_by{by_judge, {}};
    auto& parts = trials_[side]->parts();
    if (trials_[side]->facts().has_host_code && core::capabilities(judge_.info()).queues_work)
      judged_by.cost.settle =
          judge_.python_costs().known(judge_, which_, parts.plan, *parts.working).settle;
    trials_[side]->judge_by(judged_by);
  }
}

MaybeSideFinding TrialPair::bind_exchanged() {
  for (const Side side : both_sides) {
    auto& parts = trials_[side]->parts();
    auto bound = bind_in(judge_, *ready_[other(side)]->runner, parts.plan, *parts.working);
    if (!bound) return SideFinding{side, in_case(which_.name, bound.error())};
    exchanged_[side].bound = *std::move(bound);
  }
  return std::nullopt;
}

void TrialPair::exchange() {
  for (const Side side : both_sides) trials_[side]->exchange(exchanged_[side]);
}

// The old buffers are kept until the new ones are there, which puts these elsewhere, unless there
// is no room for both.
MaybeSideFinding TrialPair::renew(bool drop_others) {
  std::uint64_t bytes = 0;
  for (const auto& trial : trials_) bytes += BufferSet::footprint(trial->parts().plan.buffers);
  auto old = std::move(trials_);
  if (bytes > judge_.tensor_ops().free_bytes()) old = {};
  return make_trials(drop_others);
}

MaybeSideFinding TrialPair::begin_turn(Side side) { return turns_.begin(side, which_.name); }

MaybeSideFinding TrialPair::use_sets(const std::shared_ptr<Batch>& sets) {
  for (const Side side : both_sides) {
    // In the runner where it is now and in the other one, and back.
    for (int place = 0; place < 2; ++place) {
      if (auto problem = trials_[side]->use_batch(sets))
        return SideFinding{side, *std::move(problem)};
      trials_[side]->exchange(exchanged_[side]);
    }
  }
  return std::nullopt;
}

base::Result<TimedCalls, SideFinding> TrialPair::time_in_place(Side side, const Entries& entries,
                                                               bool elsewhere) {
  auto timed = trials_[side]->time_in_place(entries, elsewhere);
  if (!timed) return Failure{SideFinding{side, timed.error()}};
  return *std::move(timed);
}

// Host code can take all of a GPU's memory. On a CPU each side has a limit of its own.
bool TrialPair::can_be_starved(Side side) const {
  return trials_[other(side)]->facts().has_host_code &&
         core::capabilities(judge_.info()).queues_work;
}

base::Result<TimedCalls, SideFinding> TrialPair::time(Side side, const Entries& entries) {
  if (auto problem = begin_turn(side)) return Failure{*std::move(problem)};
  auto timed = trials_[side]->time(entries);
  if (!timed) return Failure{blamed(side, timed.error(), can_be_starved(side))};
  return *std::move(timed);
}

}  // namespace hone::judge
