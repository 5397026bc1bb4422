// One comparison from beginning to end.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "judge/compare.h"
#include "judge/compare_python.h"
#include "judge/lease.h"
#include "judge/sampling.h"
#include "judge/since.h"
#include "judge/unseen.h"

namespace hone::judge {
namespace {

enum Who : std::size_t { a, b };
template <typename T>
using Both = std::array<T, 2>;
constexpr Both<Who> both = {a, b};

// One case of it.
struct Match {
  const core::Case* which = nullptr;
  Both<core::ResolvedPlan> plans;
  std::unique_ptr<BufferSet> working;  // inputs and outputs are shared, each has its own scratch
  std::unique_ptr<Caller> caller;
  Both<Bound> bounds;
  std::vector<Entry*> entries;
  Both<const Entry*> only = {nullptr, nullptr};  // whose time depends on its inputs' values: the slowest of entries
  Both<std::vector<double>> times;
  std::vector<double> log_ratios;
  std::vector<double> beforehand;      // the first one's, only without the guard interleave
  std::unique_ptr<PythonPair> python;  // where both are Python
};

// b's scratch may be called as a's.
core::ResolvedPlan with_other_scratch(core::ResolvedPlan plan) {
  for (auto& buffer : plan.buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch) buffer.name += "'";
  return plan;
}

std::vector<core::ResolvedBuffer> joined(const core::ResolvedPlan& first, const core::ResolvedPlan& second) {
  auto all = first.buffers;
  for (const auto& buffer : second.buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch) all.push_back(buffer);
  return all;
}

core::Interval interval_of(const RatioEstimate& one) {
  return {std::exp(one.log_ratio - one.half_width), std::exp(one.log_ratio + one.half_width)};
}

// Steps give back what ends the comparison: one of the two, and how it failed.
class Duel {
 public:
  Duel(Judge& judge, const CompareRule& rule) : judge_(judge), rule_(rule) {}
  ComparisonResult fight(Both<const core::Candidate*> candidates, Both<const EvaluateOptions*> options);

 private:
  struct Failed {
    Who who;
    CallFailure failure;
  };
  using Stopped = std::optional<Failed>;
  Stopped fight_over(const std::vector<const core::Case*>& cases);
  bool make_ready(Both<const core::Candidate*> candidates, Both<const EvaluateOptions*> options);
  Stopped bind(Match& match);
  Stopped warm_up(Match& match);
  Stopped find_slowest(Match& match);
  Stopped prepare_python(Match& match);
  Stopped sample_beforehand();
  Stopped sample_block(Match& match);
  Stopped sample();
  // What calls on new inputs tell of one of them.
  struct Memory {
    bool suspected = false;
    double usual = 0;           // of the calls that were compared
    std::vector<double> known;  // calls beside those on new inputs
    std::size_t calls = 0;      // on new ones, and the quickest of them
    double quickest = 0;
  };
  Stopped look_for_memory(Match& match);
  Stopped call_unseen(Match& match, Who who, const Unseen& unseen, Memory& found);
  CallFailure verdict_on(const Memory& found, const core::Case& which) const;
  void conclude();

  base::Result<double, CallFailure> seconds_on(Match& match, Who who, const Entry& entry);
  base::Result<double, CallFailure> next_seconds(Match& match, Who who);
  // The mean logarithm of a letter's times.
  base::Result<double, CallFailure> letter(Match& match, Who who);
  bool varies(const std::vector<double>& seconds) const;
  core::Evaluation& evaluation(Who who) { return who == a ? result_.a : result_.b; }

  Judge& judge_;
  const CompareRule& rule_;
  ComparisonResult result_;
  std::optional<Lease> lease_;  // given back when the memory below is
  Both<std::optional<Ready>> ready_;
  bool in_a_row_ = false;  // many calls at one word, over all inputs
  std::vector<Match> matches_;
  RatioEstimate estimate_{0, INFINITY};
};

ComparisonResult Duel::fight(Both<const core::Candidate*> candidates, Both<const EvaluateOptions*> options) {
  const auto start = Clock::now();
  const auto cases = judge_.cases(options[a]->case_name);
  judge_.give_up_spares();
  for (const core::Case* which : cases) judge_.make_room(*which);
  if (!make_ready(candidates, options)) return result_;
  judge_.truth().get_ready();
  lease_.emplace(judge_.info(), judge_.options().progress);
  result_.a.outcome = result_.b.outcome = core::Outcome::accepted;
  if (const auto failed = fight_over(cases)) {
    convict(evaluation(failed->who), failed->failure.outcome, failed->failure.evidence);
    return result_;
  }
  conclude();
  result_.seconds = since(start);
  return result_;
}

Duel::Stopped Duel::fight_over(const std::vector<const core::Case*>& cases) {
  for (const core::Case* which : cases) {
    Match match;
    match.which = which;
    if (auto failed = bind(match)) return failed;
    if (auto failed = warm_up(match)) return failed;
    if (which->timed) matches_.push_back(std::move(match));
  }
  for (Match& match : matches_)  // they stay where they are from now on
    if (auto failed = in_a_row_ ? prepare_python(match) : std::nullopt) return failed;
  if (!judge_.options().guards.on(Guard::interleave))
    if (auto failed = sample_beforehand()) return failed;
  if (auto failed = sample()) return failed;
  for (Match& match : matches_)
    if (auto failed = look_for_memory(match)) return failed;
  return std::nullopt;
}

bool Duel::make_ready(Both<const core::Candidate*> candidates, Both<const EvaluateOptions*> options) {
  const auto is_python = [&](Who who) { return candidates[who]->language == core::Language::python; };
  in_a_row_ = is_python(a) && is_python(b);
  const int pythons = is_python(a) + is_python(b);
  judge_.start_runners(2 - pythons);
  if (pythons > 0) judge_.start_runners(pythons, true);
  for (const Who who : both) ready_[who] = judge_.make_ready(*candidates[who], *options[who], evaluation(who));
  return ready_[a] && ready_[b];
}

Duel::Stopped Duel::bind(Match& match) {
  for (const Who who : both) {
    auto plan = judge_.fitted_plan(*ready_[who], *match.which);
    if (!plan) return Failed{who, {core::Outcome::rejected, {"", 0, true, match.which->name, plan.error()}}};
    match.plans[who] = who == a ? *std::move(plan) : with_other_scratch(*std::move(plan));
  }
  match.working = std::make_unique<BufferSet>(judge_.bench(), joined(match.plans[a], match.plans[b]));
  match.caller = std::make_unique<Caller>(judge_.task(), *match.which, judge_.bench(), *match.working, judge_.secrets(),
                                          judge_.options().guards, judge_.info());
  for (const Who who : both) {
    auto bound = judge_.bind(*ready_[who], match.plans[who], *match.working, matches_.empty());
    if (!bound) return Failed{who, bound.error()};
    match.bounds[who] = *bound;
  }
  return std::nullopt;
}

// Everybody is verified on every case, and warmed up by it.
Duel::Stopped Duel::warm_up(Match& match) {
  constexpr std::size_t timed = 4, checked = 2;  // inputs
  match.entries = judge_.pool(*match.which).plain(match.which->timed ? timed : checked);
  Both<std::vector<double>> first;
  for (const Entry* entry : match.entries)
    for (const Who who : both) {
      const auto seconds = seconds_on(match, who, *entry);
      if (!seconds) return Failed{who, seconds.error()};
      first[who].push_back(*seconds);
    }
  const bool look = match.which->timed && !in_a_row_ && judge_.options().guards.on(Guard::values);
  return look && (varies(first[a]) || varies(first[b])) ? find_slowest(match) : std::nullopt;
}

// Whose time depends on the values of its inputs is called on those on which it is slowest, as it is judged.
Duel::Stopped Duel::find_slowest(Match& match) {
  constexpr int rounds = 3;
  Both<std::vector<double>> medians;  // by entry
  for (const Entry* entry : match.entries) {
    Both<std::vector<double>> times;
    for (int round = 0; round < rounds; ++round)
      for (const Who who : both) {
        const auto seconds = seconds_on(match, who, *entry);
        if (!seconds) return Failed{who, seconds.error()};
        times[who].push_back(*seconds);
      }
    for (const Who who : both) medians[who].push_back(core::median(times[who]));
  }
  for (const Who who : both) {
    const auto& mine = medians[who];
    if (varies(mine)) match.only[who] = match.entries[std::max_element(mine.begin(), mine.end()) - mine.begin()];
  }
  return std::nullopt;
}

Duel::Stopped Duel::prepare_python(Match& match) {
  match.python = std::make_unique<PythonPair>(judge_, *match.working, *match.caller, match.bounds[a], match.bounds[b],
                                              match.entries);
  const auto failed = match.python->prepare(*match.which, match.plans[a]);
  return failed ? Stopped(Failed{failed->is_a ? a : b, failed->failure}) : std::nullopt;
}

bool Duel::varies(const std::vector<double>& seconds) const {
  const auto [quickest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
  return depends_on_values(judge_.info().is_cpu, *quickest, *slowest);
}

// ---- times

base::Result<double, CallFailure> Duel::seconds_on(Match& match, Who who, const Entry& entry) {
  const auto called = match.caller->call(match.bounds[who], entry, {true, false, -1, judge_.options().call_seconds});
  if (!called) return base::Failure{called.error()};
  // Where one of them has host code of its own, nobody's word is taken: both by the judge's clock.
  const bool by_judge = judge_.info().is_cpu || match.bounds[a].hostile || match.bounds[b].hostile;
  if (!by_judge) return called->timed.report.device_seconds;
  const bool may_be_late = match.bounds[who].hostile && !judge_.info().is_cpu;
  const PythonCost cost =
      may_be_late ? judge_.known_python_cost(*match.which, match.plans[who], *match.working) : PythonCost{};
  return called->timed.judge_seconds + late_seconds(cost, *called);
}

base::Result<double, CallFailure> Duel::next_seconds(Match& match, Who who) {
  if (match.python) return match.python->time(who == a);
  const Entry* only = match.only[who];
  const auto seconds =
      seconds_on(match, who, only != nullptr ? *only : *match.entries[judge_.secrets().below(match.entries.size())]);
  if (seconds && !(*seconds > 0))
    return base::Failure{
        CallFailure{core::Outcome::cheating,
                    {"activity", 13, true, match.which->name, "a timed call left no trace of work on the device"}}};
  return seconds;
}

base::Result<double, CallFailure> Duel::letter(Match& match, Who who) {
  double sum = 0;
  for (int i = 0; i < rule_.calls_per_letter; ++i) {
    const auto seconds = next_seconds(match, who);
    if (!seconds) return seconds;
    match.times[who].push_back(*seconds);
    sum += std::log(*seconds);
  }
  return sum / rule_.calls_per_letter;
}

// Without the guard: as is often done, one of them first, all of it.
Duel::Stopped Duel::sample_beforehand() {
  for (int block = 0; block < rule_.most_blocks; ++block)
    for (Match& match : matches_) {
      const auto time = letter(match, a);
      if (!time) return Failed{a, time.error()};
      match.beforehand.push_back(*time);
    }
  return std::nullopt;
}

Duel::Stopped Duel::sample_block(Match& match) {
  Both<double> logs = {0, 0};
  // Which one is A changes at random from block to block, so that neither is always first.
  const bool swapped = judge_.secrets().below(2) == 1;
  for (const char name : {'a', 'b', 'b', 'a'}) {
    const Who who = (name == 'a') != swapped ? a : b;
    if (who == a && !match.beforehand.empty()) {
      logs[a] += match.beforehand[static_cast<std::size_t>(result_.blocks)];
      continue;
    }
    const auto time = letter(match, who);
    if (!time) return Failed{who, time.error()};
    logs[who] += *time;
  }
  match.log_ratios.push_back((logs[b] - logs[a]) / 2);
  return std::nullopt;
}

Duel::Stopped Duel::sample() {
  const auto start = Clock::now();
  while (!comparison_done(rule_, estimate_, result_.blocks, since(start))) {
    for (Match& match : matches_)
      if (auto failed = sample_block(match)) return failed;
    ++result_.blocks;
    std::vector<std::vector<double>> all;
    for (const Match& match : matches_) all.push_back(match.log_ratios);
    if (result_.blocks >= 2) estimate_ = estimate(all);
  }
  return std::nullopt;
}

// A comparison calls the same few inputs over and over: whoever has begun to remember them is slower on new ones, which
// come in rows of the same length, at random places. On a busy machine not seldom every second call is slow, and after
// a pause the first ones: so known inputs before each new one, in a number left to chance, and many new ones before
// anything is said. The calls that were compared count, not those beside the new ones, where it may have changed its
// ways; but nobody is convicted by what a machine that has become busy does to both.
Duel::Stopped Duel::look_for_memory(Match& match) {
  constexpr std::size_t longest_row = 4;
  const bool is_cpu = judge_.info().is_cpu;
  Both<Memory> found;
  for (const Who who : both) {
    found[who].usual = core::geometric_mean(match.times[who]);
    found[who].suspected = judge_.options().guards.on(Guard::replay) && (is_cpu || match.bounds[who].hostile);
  }
  if (!found[a].suspected && !found[b].suspected) return std::nullopt;
  Pool& pool = judge_.pool(*match.which);
  const std::size_t entries = match.entries.size();
  const std::uint64_t room =
      room_for_unseen(judge_.bench().free_bytes(), judge_.task(), *match.which, pool, *match.caller, match.entries);
  if (match.entries.size() < entries) match.only = {nullptr, nullptr};
  const std::size_t calls = match.python ? match.python->calls() : 1;
  const Who hostile = match.bounds[b].hostile ? b : a;
  for (std::size_t row = 0; row < most_unseen(is_cpu) && (found[a].suspected || found[b].suspected); ++row) {
    const auto unseen = draw_unseen(pool, *match.caller, *match.which,
                                    std::min<std::size_t>({calls, longest_row, room}), match.bounds[hostile].hostile);
    if (!unseen) return Failed{hostile, unseen.error()};
    for (const Who who : both)
      if (auto failed = found[who].suspected ? call_unseen(match, who, *unseen, found[who]) : std::nullopt)
        return failed;
    for (const auto& entry : *unseen) match.caller->forget(*entry);
  }
  for (const Who who : both)
    if (found[who].suspected) return Failed{who, verdict_on(found[who], *match.which)};
  return std::nullopt;
}

Duel::Stopped Duel::call_unseen(Match& match, Who who, const Unseen& unseen, Memory& found) {
  for (auto times = waking_calls + judge_.secrets().below(2); times > 0; --times) {
    const auto one = next_seconds(match, who);
    if (!one) return Failed{who, one.error()};
    if (times == 1) found.known.push_back(*one);
  }
  const auto one = match.python ? match.python->time_with(who == a, unseen) : seconds_on(match, who, *unseen.front());
  if (!one) return Failed{who, one.error()};
  const std::size_t calls = match.python ? match.python->calls() : 1;
  const double seconds = seconds_on_new(*one, found.usual, calls, unseen.size());
  found.quickest = found.calls++ == 0 ? seconds : std::min(found.quickest, seconds);
  const bool is_cpu = judge_.info().is_cpu;
  found.suspected = is_quicker(is_cpu, suspicious_ratio(is_cpu, true, found.quickest), found.usual, found.quickest);
  return std::nullopt;
}

CallFailure Duel::verdict_on(const Memory& found, const core::Case& which) const {
  const bool is_cpu = judge_.info().is_cpu;
  const std::string text =
      fmt::format("called over and over on the same inputs it took {:.3g} s; on each of {} new ones {:.3g} s or more",
                  found.usual, found.calls, found.quickest);
  if (is_quicker(is_cpu, replay_ratio, found.usual, found.quickest) &&
      are_remembered(is_cpu, found.known, found.quickest))
    return {core::Outcome::cheating, {"replay", 9, true, which.name, text + ": answers are remembered"}};
  return {core::Outcome::rejected,
          {"replay", 9, true, which.name,
           fmt::format("{} (on known ones beside them {:.3g} s). Nothing can be told from such a comparison; on a "
                       "machine that was busy, try again",
                       text, core::median(found.known))}};
}

void Duel::conclude() {
  std::vector<double> medians;
  for (const Match& match : matches_) {
    const auto mine = estimate({match.log_ratios});
    medians.push_back(core::median(match.times[a]));
    result_.cases.push_back({match.which->name,
                             interval_of(mine),
                             std::exp(mine.log_ratio),
                             medians.back(),
                             core::median(match.times[b]),
                             result_.blocks,
                             {}});
    for (const double log_ratio : match.log_ratios) result_.cases.back().block_ratios.push_back(std::exp(log_ratio));
  }
  result_.ratio = interval_of(estimate_);
  result_.ratio_estimate = std::exp(estimate_.log_ratio);
  result_.margin = margin_for(rule_, core::geometric_mean(medians));
  result_.word = core::word_for(result_.ratio, result_.margin);
  result_.compared = true;
}

}  // namespace

ComparisonResult compare(Judge& judge, const core::Candidate& first, const core::Candidate& second,
                         const EvaluateOptions& options_a, const EvaluateOptions& options_b, const CompareRule& rule) {
  return Duel(judge, rule).fight({&first, &second}, {&options_a, &options_b});
}

}  // namespace hone::judge
