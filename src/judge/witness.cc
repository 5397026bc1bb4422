#include "judge/witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "base/words.h"
#include "device/ptx_disturb.h"
#include "device/ptx_traits.h"
#include "judge/candidate_trial.h"
#include "judge/lease.h"
#include "judge/since.h"

namespace hone::judge {
namespace {

constexpr std::uint64_t most_compared =
    256u << 20;                     // bytes of results that are kept to find the first difference
constexpr double longest_call = 3;  // seconds; delays add less than a hundredth of that to a block

// What says that the result was wrong. Others (a call that did not end, say) prove nothing under
// delays.
bool is_witness(const Finding& finding) {
  return finding.outcome == core::Outcome::wrong || finding.guard == Guard::inputs;
}

// The outputs of the first call, against those of a later one.
class KeptOutputs {
 public:
  explicit KeptOutputs(CandidateTrial& trial) : trial_(trial) {}

  void keep() {
    for (const Guarded* output : outputs()) {
      std::vector<char>& bytes = kept_.emplace_back();
      // A fingerprint tells that a large one differs; it is only not said where.
      if (output->data.bytes > most_compared) continue;
      bytes.resize(output->data.bytes);
      trial_.parts().judge.tensor_ops().read(output->data, bytes.data());
    }
  }

  std::string difference() {
    const auto all = outputs();
    for (std::size_t i = 0; i < all.size() && i < kept_.size(); ++i) {
      std::vector<char> now(kept_[i].size());
      if (now.empty()) continue;
      trial_.parts().judge.tensor_ops().read(all[i]->data, now.data());
      const auto [before, after] = std::mismatch(kept_[i].begin(), kept_[i].end(), now.begin());
      if (before == kept_[i].end()) continue;
      return at(*all[i], static_cast<std::size_t>(before - kept_[i].begin()), kept_[i], now);
    }
    return "";
  }

 private:
  std::vector<const Guarded*> outputs() {
    std::vector<const Guarded*> found;
    for (const auto& buffer : trial_.parts().working->all())
      if (buffer.shape.role == core::ResolvedBuffer::Role::output) found.push_back(&buffer);
    return found;
  }

  static std::string at(const Guarded& output, std::size_t byte, const std::vector<char>& before,
                        const std::vector<char>& after) {
    const auto size = core::size_of(output.shape.dtype);
    std::size_t element = byte / size;
    const auto value = [&](const std::vector<char>& bytes) {
      const char* where = bytes.data() + element * size;
      return core::is_float(output.shape.dtype)
                 ? fmt::format("{:.9g}", core::load_as_double(output.shape.dtype, where))
                 : fmt::format("{}", core::load_as_integer(output.shape.dtype, where));
    };
    const std::string values =
        fmt::format("{} in one call and {} in another", value(before), value(after));
    std::string index;
    std::size_t rest = element;
    for (auto dim = output.shape.dims.rbegin(); dim != output.shape.dims.rend(); ++dim) {
      const auto width = std::max<std::size_t>(1, static_cast<std::size_t>(*dim));
      index = fmt::format("[{}]", rest % width) + index;
      rest /= width;
    }
    return fmt::format("{}{} is {}", output.shape.name, index, values);
  }

  CandidateTrial& trial_;
  std::vector<std::vector<char>> kept_;
};

base::Result<Ready, Finding> load_disturbed(Judge& judge, const Ready& ready,
                                            std::uint32_t seed = disturbing_seed) {
  EvaluateOptions options;
  options.point = ready.point;
  options.variant.disturb = seed;
  core::Evaluation unused;
  return load(judge, ready.candidate, options, unused);
}

// So much shared memory that one block fits on a multiprocessor.
core::ResolvedPlan with_one_block(core::ResolvedPlan plan, const Ready& ready,
                                  std::int64_t shared_per_block) {
  for (auto& launch : plan.launches) {
    std::int64_t fixed = 0;
    for (const auto& kernel : ready.kernels)
      if (kernel.name == launch.kernel) fixed = std::max<std::int64_t>(0, kernel.shared_bytes);
    // A cooperative launch needs all of its blocks at once.
    if (!launch.cooperative) launch.shared = std::max(launch.shared, shared_per_block - fixed);
  }
  return plan;
}

Witness search(Judge& judge, Ready& disturbed, const core::Case& which, core::ResolvedPlan plan,
               const WitnessRule& rule) {
  auto trial = make_trial(judge, disturbed, which, std::move(plan), 1);
  Witness witness;
  if (!trial) {
    witness.stopped = trial.error().text;
    return witness;
  }
  KeptOutputs kept(**trial);
  return look_for_witness(**trial, rule, {[&] { kept.keep(); }, [&] { return kept.difference(); }});
}

// The whole search again, in a process of its own.
std::optional<Witness> search_build(Judge& judge, const Ready& ready, const core::Case& which,
                                    std::uint32_t seed, const WitnessRule& rule) {
  auto loaded = load_disturbed(judge, ready, seed);
  if (!loaded) return std::nullopt;
  auto plan = fitted_plan(judge, *loaded, which);
  if (!plan) return std::nullopt;
  return search(judge, *loaded, which, *std::move(plan), rule);
}

// A call that did not end under delays may only be slow. It is a finding where the same build
// without delays ends, and a second search with delays hangs as well.
MaybeFinding look_into_hang(Judge& judge, const Ready& ready, const core::Case& which,
                            const Witness& first, WitnessRule rule) {
  constexpr int most_undelayed = 50;
  const auto undelayed =
      search_build(judge, ready, which, disturbing_seed | device::without_delays,
                   {.seconds = 1, .most_calls = most_undelayed, .bits = rule.bits});
  if (!undelayed || undelayed->hung) return std::nullopt;
  if (undelayed->found) return undelayed->found;
  const auto second = search_build(judge, ready, which, disturbing_seed, rule);
  return second ? hang_finding(first, *undelayed, *second) : std::nullopt;
}

// With one block at a time on a multiprocessor. A launch that does not fit like this, or that waits
// for blocks which are not resident now, proves nothing.
bool search_with_one_block(Judge& judge, Ready& disturbed, const core::Case& which,
                           const core::ResolvedPlan& plan, const WitnessRule& rule,
                           Witness& witness) {
  Witness alone = search(judge, disturbed, which,
                         with_one_block(plan, disturbed, judge.info().shared_per_block), rule);
  witness.different = std::max(witness.different, alone.different);
  witness.found = std::move(alone.found);
  if (!alone.stopped.empty()) return false;
  witness.calls += alone.calls;
  return true;
}

void note_search(core::Evaluation& evaluation, const core::Case& which, const Witness& witness,
                 double seconds) {
  add_metric(evaluation, "witness.calls", "1", witness.calls, which.name);
  if (!witness.stopped.empty())
    add_metric(evaluation, "witness.ended", "1", std::nullopt, which.name, witness.stopped);
  add_metric(evaluation, "seconds.witness", "s", seconds, which.name);
}

// Of a search that found nothing.
std::string text_of(const Witness& witness, const std::string& how) {
  if (!witness.stopped.empty())
    return fmt::format("With {} call {} did not end well, which may be the delays' doing: {}", how,
                       witness.calls, witness.stopped);
  return fmt::format("{} with {} gave right results{}", base::counted(witness.calls, "call"), how,
                     witness.different > 1
                         ? " (not equal bit by bit: the order of its arithmetic is not fixed)"
                         : ", equal bit by bit");
}

}  // namespace

Witness look_for_witness(Trial& trial, const WitnessRule& rule, const WitnessEyes& eyes) {
  const double start = trial.now();
  Witness witness;
  std::set<std::uint64_t> results;
  CallOptions options;
  options.seconds = longest_call;
  options.fingerprint = true;
  while (witness.calls < rule.most_calls && trial.now() - start < rule.seconds) {
    // Cold and warm caches move the schedule in different ways.
    options.flush = witness.calls % 2 == 1;
    const auto called = trial.call(*trial.known().front(), options);
    ++witness.calls;
    if (!called) {
      witness.hung = called.error().outcome == core::Outcome::timed_out;
      if (is_witness(called.error()))
        witness.found = called.error();
      else
        witness.stopped = called.error().text;
      return witness;
    }
    results.insert(called->fingerprint);
    witness.different = static_cast<int>(results.size());
    if (witness.calls == 1) eyes.keep();
    if (witness.different == 1 || !rule.bits) continue;
    witness.found = conviction(core::Outcome::wrong, Guard::sanitizer, eyes.difference());
    return witness;
  }
  return witness;
}

MaybeFinding hang_finding(const Witness& first, const Witness& without_delays,
                          const Witness& second) {
  const bool ends_without =
      !without_delays.hung && without_delays.stopped.empty() && without_delays.calls > 0;
  if (!first.hung || !second.hung || !ends_without) return std::nullopt;
  return conviction(core::Outcome::wrong, Guard::sanitizer,
                    fmt::format("it does not end: not within {:g} s, in a second process neither, "
                                "where {} of the same code without the delays ended",
                                longest_call, base::counted(without_delays.calls, "call")));
}

WitnessSearch find_witness(Judge& judge, const Ready& ready, const core::Case& which,
                           const SearchTerms& terms, core::Evaluation& evaluation) {
  judge.options().progress(fmt::format("looking for a race on case {}", which.name));
  auto disturbed = load_disturbed(judge, ready);
  if (!disturbed)
    return {std::nullopt, "No build with delays could be made: " + disturbed.error().text};
  auto plan = fitted_plan(judge, *disturbed, which);
  if (!plan) return {std::nullopt, "No build with delays could be called: " + plan.error()};
  const Lease lease(judge.info(), judge.options().progress, judge.options().deadline);
  const auto start = Clock::now();
  WitnessRule rule;
  rule.bits = !device::has_trait(disturbed->traits, device::trait::free_order);
  rule.seconds = terms.seconds * 2 / 3;
  Witness witness = search(judge, *disturbed, which, *plan, rule);
  std::string how = "delays at its barriers, copies and shared memory";
  if (!witness.found && witness.stopped.empty()) {
    rule.seconds = terms.seconds / 3;
    if (search_with_one_block(judge, *disturbed, which, *plan, rule, witness))
      how += " and one block on a multiprocessor";
  }
  // Kernels that wait for other blocks may wait for such as are not resident in this build.
  const bool waits_for_blocks = device::has_trait(disturbed->traits, device::trait::free_order);
  if (witness.hung && terms.is_reported && !waits_for_blocks)
    witness.found = look_into_hang(judge, ready, which, witness, rule);
  note_search(evaluation, which, witness, since(start));
  if (!witness.found) return {std::nullopt, text_of(witness, how)};
  Finding finding = *witness.found;
  finding.guard = Guard::sanitizer;
  finding.row = race_row;
  finding.outcome = core::Outcome::wrong;
  finding.text =
      fmt::format("its result depends on the schedule: in call {} on one input, with {}: {}",
                  witness.calls, how, witness.found->text);
  return {in_case(which.name, finding), ""};
}

}  // namespace hone::judge
