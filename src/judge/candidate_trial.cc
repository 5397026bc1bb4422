#include "judge/candidate_trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "judge/judged_seconds.h"
#include "judge/room.h"
#include "judge/since.h"
#include "runner/contention.h"

namespace hone::judge {

using base::Failure;
using core::Outcome;

namespace {

TrialFacts facts_of(const Judge& judge, const core::Case& which, const BoundCandidate& bound) {
  return {which.name, core::clock_of(judge.info()), bound.has_host_code,
          bound.has_host_code || core::capabilities(judge.info()).native_code};
}

constexpr std::size_t many_of_its_own = 4, few_of_its_own = 1;
// Of the reference, for inputs that are made for one candidate alone when screening; and for those
// that are verified after a call when certifying.
constexpr double most_screening = 0.15, most_certifying = 1;

// Inputs that are made for one candidate alone, with their truth: each costs what the reference
// takes. When screening there are few, and none where that is long.
std::size_t of_its_own_wanted(double seconds_per_entry, core::Depth depth) {
  if (depth == core::Depth::certify) return many_of_its_own;
  return seconds_per_entry <= most_screening ? few_of_its_own : 0;
}

Entries known_of(Pool& pool, std::size_t count) {
  const auto entries = pool.plain(count);
  return {entries.begin(), entries.end()};
}

}  // namespace

Finding memory_taken(const std::string& case_name, const std::string& why) {
  return in_case(
      case_name,
      conviction(
          Outcome::rejected, Guard::replay,
          fmt::format("new inputs cannot be made beside the memory that it has taken: {}", why)));
}

Finding no_activity(const std::string& case_name) {
  return in_case(case_name, conviction(Outcome::cheating, Guard::activity,
                                       "a timed call left no trace of work on the device"));
}

CallOptions usual_call(const Judge& judge) {
  CallOptions options;
  options.seconds = judge.options().call_seconds;
  return options;
}

CandidateTrial::CandidateTrial(Judge& judge, const core::Case& which, core::ResolvedPlan plan,
                               std::shared_ptr<BufferSet> working, BoundCandidate bound,
                               std::size_t entries)
    : Trial(facts_of(judge, which, bound), judge.options().guards),
      parts_{judge,
             which,
             std::move(plan),
             working,
             std::move(bound),
             Caller(judge.task(), which, judge.tensor_ops(), *working, judge.secrets(),
                    judge.options().guards, judge.info())},
      most_afterwards_(most_screening) {
  set_known(known_of(judge.inputs().pool(which), entries));
  // What can hold state has host code, or is host code: its own report of a time is not believed.
  judged_by_.judge_clock = facts().can_remember && guards().on(Guard::judge_clock);
}

TrialResult make_trial(Judge& judge, Ready& ready, const core::Case& which, core::ResolvedPlan plan,
                       std::size_t entries) {
  auto working = std::make_shared<BufferSet>(judge.tensor_ops(), plan.buffers);
  return make_trial_on(judge, ready, which, std::move(plan), entries, std::move(working), true);
}

TrialResult make_trial_on(Judge& judge, Ready& ready, const core::Case& which,
                          core::ResolvedPlan plan, std::size_t entries,
                          std::shared_ptr<BufferSet> working, bool drop_others) {
  auto bound = bind(judge, ready, plan, *working, drop_others);
  if (!bound) return Failure{in_case(which.name, bound.error())};
  return std::make_unique<CandidateTrial>(judge, which, std::move(plan), std::move(working),
                                          *std::move(bound), entries);
}

base::Result<CallResult, Finding> CandidateTrial::call(const Entry& entry,
                                                       const CallOptions& options) {
  return run({{parts_.working.get(), &parts_.bound.bindings, &entry, written_first()}}, options);
}

base::Result<CallResult, Finding> CandidateTrial::run(const std::vector<BatchCall>& jobs,
                                                      const CallOptions& options) {
  // Unmapping the call before belongs to preparing this one (CallResult::sets_before).
  const std::size_t before = std::exchange(calls_before_, jobs.size());
  auto called = parts_.caller.call(parts_.bound, jobs, options);
  if (called) {
    called->sets_before = before;
    calls_made_ += static_cast<int>(jobs.size());
  }
  if (!called || !options.verify) return called;
  if (auto problem = verify_afterwards(jobs)) return Failure{*std::move(problem)};
  return called;
}

// Of the inputs whose results were not known some are verified now, at random: a candidate could
// not know which.
MaybeFinding CandidateTrial::verify_afterwards(std::vector<BatchCall> jobs) {
  std::erase_if(jobs, [](const BatchCall& job) { return job.entry->expected != nullptr; });
  Pool& pool = parts_.judge.inputs().pool(parts_.which);
  const std::uint64_t needed = Pool::entry_bytes(parts_.judge.task(), parts_.which) +
                               bytes_beside_entries(parts_.judge.task(), parts_.which);
  while (!jobs.empty() && afterwards_ + pool.seconds_per_entry() <= most_afterwards_ &&
         parts_.judge.tensor_ops().free_bytes() > needed) {
    std::swap(jobs[random_below(jobs.size())], jobs.back());
    const auto start = Clock::now();
    const auto entry = pool.with_expected(*jobs.back().entry);
    if (auto problem = parts_.caller.check_afterwards(jobs.back(), *entry)) return problem;
    afterwards_ += since(start);
    jobs.pop_back();
  }
  return std::nullopt;
}

// Inputs that serve nothing else: whatever works on them has seen none that count.
const Entry* CandidateTrial::written_first() {
  constexpr std::uint64_t plenty =
      8;  // times what is needed must be free: candidates need memory too
  if (!facts().has_host_code || !core::capabilities(parts_.judge.info()).queues_work)
    return nullptr;
  if (!written_first_) {
    const std::uint64_t needed =
        BufferSet::footprint(task_shapes(parts_.judge.task(), parts_.which).inputs);
    const bool fits = parts_.judge.tensor_ops().free_bytes() > plenty * needed;
    written_first_ = fits ? parts_.judge.inputs().pool(parts_.which).unchecked(1) : UnseenInputs{};
  }
  return written_first_->empty() ? nullptr : written_first_->front().get();
}

base::Result<TimedCalls, Finding> CandidateTrial::time(const Entries& entries) {
  return time_with(entries, usual_call(parts_.judge));
}

base::Result<TimedCalls, Finding> CandidateTrial::time_in_place(const Entries& entries,
                                                                bool elsewhere) {
  CallOptions options = usual_call(parts_.judge);
  options.in_place = true;
  options.elsewhere = elsewhere;
  return time_with(entries, std::move(options));
}

base::Result<TimedCalls, Finding> CandidateTrial::time_with(const Entries& entries,
                                                            CallOptions options) {
  std::vector<BatchCall> jobs;
  for (std::size_t i = 0; i < entries.size(); ++i)
    // The first call of a batch has the trial's own buffers, each other one a set of the batch.
    jobs.push_back({i == 0 ? parts_.working.get() : &batch_->set(i),
                    i == 0 ? &parts_.bound.bindings : &batch_bindings_[i - 1], entries[i],
                    written_first()});
  options.verify = guards().on(Guard::verify_timed);
  const auto called = run(jobs, options);
  if (!called) return Failure{called.error()};
  const auto& timed = called->timed;
  parts_.judge.kernel_seconds() += timed.report.runner_seconds;
  // An empty call would be infinitely fast.
  if (timed.report.ok && timed.report.device_seconds <= 0 && guards().on(Guard::activity))
    return Failure{no_activity(facts().case_name)};
  const auto count = static_cast<double>(entries.size());
  most_late_ = std::max(most_late_, late_seconds(judged_by_.cost, *called));
  most_early_ = std::max(most_early_, early_seconds(judged_by_.cost, *called, entries.size()));
  const double seconds = judged_by_.judge_clock
                             ? judged_seconds(judged_by_.cost, *called, entries.size())
                             : timed.report.device_seconds / count;
  return TimedCalls{seconds, timed.judge_seconds / count};
}

base::Result<ClockPair, Finding> CandidateTrial::time_by_both_clocks(int calls, double seconds) {
  runner::PrepareRequest request;
  request.plan = parts_.bound.plan;
  request.sets.assign(static_cast<std::size_t>(calls), parts_.bound.bindings);
  request.flush = false;
  const auto fail = [&](const runner::Fault& fault) {
    return Failure{in_case(facts().case_name, runner_failure(fault))};
  };
  const auto prepared = parts_.bound.runner->prepare(request, parts_.judge.options().call_seconds);
  if (!prepared) return fail(prepared.error());
  runner::CallWatch watch(*parts_.bound.runner);
  watch.start();
  const auto timed = parts_.bound.runner->go(seconds);
  if (!timed) return fail(timed.error());
  watch.finish(timed->judge_seconds);
  parts_.judge.kernel_seconds() += timed->report.runner_seconds;
  return ClockPair{timed->report.device_seconds, timed->judge_seconds};
}

std::size_t CandidateTrial::room_for_unseen() {
  const core::Task& task = parts_.judge.task();
  const std::uint64_t torch = torch_bytes(task, parts_.which);
  const std::uint64_t each = std::max<std::uint64_t>(1, Pool::entry_bytes(task, parts_.which));
  const std::uint64_t free = parts_.judge.tensor_ops().free_bytes();
  if (free >= torch + each) return (free - torch) / each;
  // The last known input makes room for one unseen one at a time; restore_known() draws it again.
  Entries fewer = known();
  parts_.caller.forget(*fewer.back());
  fewer.pop_back();
  set_known(std::move(fewer));
  parts_.judge.inputs().pool(parts_.which).drop_last();
  return 1;
}

base::Result<UnseenInputs, Finding> CandidateTrial::draw_unseen(std::size_t count,
                                                                Expected expected) {
  constexpr std::uint64_t free_part = 4;  // of what is free, since candidates need memory too
  Pool& pool = parts_.judge.inputs().pool(parts_.which);
  if (expected == Expected::unknown) {
    const std::uint64_t each =
        BufferSet::footprint(task_shapes(parts_.judge.task(), parts_.which).inputs);
    count = std::min<std::size_t>(count, parts_.judge.tensor_ops().free_bytes() / free_part /
                                             std::max<std::uint64_t>(each, 1));
  }
  UnseenInputs inputs;
  try {
    if (expected == Expected::unknown) inputs = pool.unchecked(count);
    while (inputs.size() < count) inputs.push_back(pool.fresh());
    for (const auto& entry : inputs) parts_.caller.take_fingerprints(*entry);
  } catch (const base::Error& error) {
    if (!facts().has_host_code) throw;
    return Failure{memory_taken(facts().case_name, error.what())};
  }
  return inputs;
}

std::unique_ptr<Entry> CandidateTrial::new_input() {
  Pool& pool = parts_.judge.inputs().pool(parts_.which);
  const core::Task& task = parts_.judge.task();
  const std::uint64_t needed =
      Pool::entry_bytes(task, parts_.which) + bytes_beside_entries(task, parts_.which);
  if (parts_.judge.tensor_ops().free_bytes() <= needed) return nullptr;
  return pool.seconds_per_entry() <= most_screening ? pool.fresh()
                                                    : std::move(pool.unchecked(1).front());
}

void CandidateTrial::forget(const UnseenInputs& inputs) {
  for (const auto& entry : inputs) parts_.caller.forget(*entry);
}

void CandidateTrial::restore_known(std::size_t count) {
  parts_.caller.forget_all();  // an input that is drawn again may lie where another was
  set_known(known_of(parts_.judge.inputs().pool(parts_.which), count));
}

bool is_mixed(const Trial& trial, const core::Case& which) {
  return which.timed && trial.facts().can_remember && trial.guards().on(Guard::sequence);
}

MaybeFinding CandidateTrial::mix_in(core::Depth depth, bool with_its_own) {
  try {
    set_mix(make_mix(depth, with_its_own));
  } catch (const base::Error& error) {
    if (!facts().has_host_code) throw;
    return memory_taken(facts().case_name, error.what());
  }
  return std::nullopt;
}

InputMix CandidateTrial::make_mix(core::Depth depth, bool with_its_own) {
  constexpr std::uint64_t plenty =
      2;  // times what is needed must stay free: candidates need memory too
  const core::Task& task = parts_.judge.task();
  Pool& pool = parts_.judge.inputs().pool(parts_.which);
  const std::uint64_t needed =
      Pool::entry_bytes(task, parts_.which) + bytes_beside_entries(task, parts_.which);
  const auto fits = [&] { return parts_.judge.tensor_ops().free_bytes() > plenty * needed; };
  if (depth == core::Depth::certify) most_afterwards_ = most_certifying;
  InputMix mix;
  const bool wants_some = with_its_own && guards().on(Guard::never_used);
  const std::size_t wanted = wants_some ? of_its_own_wanted(pool.seconds_per_entry(), depth) : 0;
  mix.new_batches = !wants_some ? 0 : wanted < many_of_its_own ? 1 : 2;
  while (of_its_own_.size() < wanted && fits()) {
    // Every second one is a known one with a few elements changed: what remembers by some elements
    // is wrong on it. The others are drawn as a whole: there is no answer that a few changes would
    // make right.
    of_its_own_.push_back(
        pool.fresh(is_drawn_whole(of_its_own_.size()) ? nullptr : known().front()));
    mix.of_its_own.push_back(of_its_own_.back().get());
  }
  if (wants_some && !facts().has_host_code) draw_unchecked(mix);
  mix.every_variant = checks_variants(task, parts_.which, depth);
  // When screening, a slow reference computes one that was not there before; which one is a matter
  // of chance, and the next candidate finds it there.
  constexpr double most_seconds = 0.5;
  double seconds = 0;
  auto variants = pool.variants();
  for (std::size_t i = variants.size(); i > 1; --i)
    std::swap(variants[i - 1], variants[random_below(i)]);
  for (const core::Variant variant : variants) {
    const bool is_cheap =
        pool.has(variant) || seconds == 0 || seconds + pool.seconds_per_entry() <= most_seconds;
    if (!fits() || (!is_cheap && !mix.every_variant)) continue;
    if (!pool.has(variant)) seconds += pool.seconds_per_entry();
    mix.variants.push_back(&pool.variant(variant, true));
  }
  // Now: what is done for an input only when it is called first could tell it from those whose
  // results are not known.
  for (const Entries* entries : {&mix.of_its_own, &mix.variants})
    for (const Entry* entry : *entries) parts_.caller.take_fingerprints(*entry);
  return mix;
}

// For single calls, which is how native code is timed: one verified input of its own would be one
// call, which may be slow by chance. Host code is timed in batches, which have theirs.
void CandidateTrial::draw_unchecked(InputMix& mix) {
  constexpr std::size_t count = 2;
  auto drawn = draw_unseen(count, Expected::unknown);
  if (!drawn) return;
  unchecked_ = *std::move(drawn);
  for (const auto& entry : unchecked_) mix.unchecked.push_back(entry.get());
}

std::string CandidateTrial::overlap(double batched, double alone) {
  if (!guards().on(Guard::overlap)) return "";
  const BatchLimits limits = batch_limits(facts().clock);
  const std::string why = judge::overlap(limits, batched, alone, judged_by_.cost.gap);
  if (why.empty() || facts().clock == core::ClockKind::device) return why;
  // A busy machine takes its time to wake a process. How long is measured only where it matters.
  constexpr double part = 0.75;  // twice of which is allowed, up to the ceiling of `limits`
  const PythonCost cost =
      parts_.judge.python_costs().measure(parts_.judge, parts_.which, parts_.plan, *parts_.working);
  return judge::overlap(limits, batched, alone, part * cost.request);
}

double CandidateTrial::now() const {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

std::uint64_t CandidateTrial::random_below(std::uint64_t bound) {
  return parts_.judge.secrets().below(bound);
}

MaybeFinding CandidateTrial::use_batch(std::shared_ptr<Batch> batch) {
  batch_ = std::move(batch);
  batch_bindings_.clear();
  for (std::size_t i = 1; i < batch_->size(); ++i) {
    auto bindings =
        share_for(parts_.plan, *parts_.bound.runner, parts_.judge.tensor_ops(), batch_->set(i));
    if (!bindings) return in_case(facts().case_name, runner_failure(bindings.error()));
    batch_bindings_.push_back(*std::move(bindings));
  }
  return std::nullopt;
}

void CandidateTrial::exchange(LoadedRunner& other) {
  std::swap(parts_.bound, other.bound);
  std::swap(batch_bindings_, other.batch);
}

// A runner that fails here fails in the next call, too.
void CandidateTrial::end_batch() {
  parts_.judge.inputs().keep_spare_sets(batch_->release(), parts_.which);
  batch_.reset();
  batch_bindings_.clear();
  if (!parts_.bound.runner->drop()) return;
  if (const auto bindings = share(*parts_.bound.runner, parts_.judge.tensor_ops(), *parts_.working))
    parts_.bound.bindings = *bindings;
}

}  // namespace hone::judge
