#include "judge/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>

#include "judge/compare_python.h"
#include "judge/lease.h"
#include "judge/sampling.h"

namespace hone::judge {

using Clock = std::chrono::steady_clock;

CompareRule compare_rule(bool is_cpu) {
  if (is_cpu && quick_in_all()) return {0.03, 0, 0.5, 5, 8, 1, 2};
  if (is_cpu) return {0.03, 0, 0.5, 5, 40, 1, 20};
  return {};
}

std::string describe(const CompareRule& rule) {
  return fmt::format(
      "ABBA blocks of {} calls until the 99 % interval on the ratio is within ±{:.2g} % of its middle, at least {} and "
      "at most {} blocks or {:.3g} s; same means all of it within ±{:.2g} %{}",
      4 * rule.calls_per_letter, 100 * rule.margin * rule.sharpness, rule.fewest_blocks, rule.most_blocks, rule.seconds,
      100 * rule.margin, rule.resolution > 0 ? fmt::format(" or ±{:.2g} µs", 1e6 * rule.resolution) : "");
}

RatioEstimate estimate(const std::vector<std::vector<double>>& log_ratios_by_case) {
  // The mean over cases of each case's mean: a geometric mean of ratios. Cases are independent, so their variances add.
  RatioEstimate total;
  double variance = 0;
  const auto cases = static_cast<double>(log_ratios_by_case.size());
  std::int64_t degrees = 0;
  for (const auto& ratios : log_ratios_by_case) {
    const auto n = static_cast<double>(ratios.size());
    const double mean = std::accumulate(ratios.begin(), ratios.end(), 0.0) / n;
    double squares = 0;
    for (const double r : ratios) squares += (r - mean) * (r - mean);
    total.log_ratio += mean / cases;
    variance += squares / (n - 1) / n / (cases * cases);
    degrees += static_cast<std::int64_t>(ratios.size()) - 1;
  }
  total.half_width = core::student_t_995(degrees) * std::sqrt(variance);
  return total;
}

double margin_for(const CompareRule& rule, double seconds) {
  return seconds > 0 ? std::max(rule.margin, rule.resolution / seconds) : rule.margin;
}

bool comparison_done(const CompareRule& rule, const RatioEstimate& now, int blocks, double elapsed) {
  if (blocks < rule.fewest_blocks) return false;
  return blocks >= rule.most_blocks || elapsed >= rule.seconds || now.half_width <= rule.margin * rule.sharpness;
}

namespace {

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// One block of working buffers for both: inputs and outputs are shared, each has its own scratch.
std::vector<core::ResolvedBuffer> joined(const core::ResolvedPlan& a, const core::ResolvedPlan& b) {
  auto all = a.buffers;
  for (const auto& buffer : b.buffers)
    if (buffer.role == core::ResolvedBuffer::Role::scratch) {
      all.push_back(buffer);
      all.back().name += "'";  // a's scratch may have the same name
    }
  return all;
}

struct Match {
  const core::Case* which = nullptr;
  core::ResolvedPlan plan_a, plan_b;
  std::unique_ptr<BufferSet> working;
  std::unique_ptr<Caller> caller;
  Bound a, b;
  std::vector<Entry*> entries;
  Entry *only_a = nullptr, *only_b = nullptr;  // where a time depends on the inputs' values: the slowest of entries
  std::vector<double> log_ratios, times_a, times_b;
  std::vector<double> beforehand;      // the baseline's, only without the guard interleave
  std::unique_ptr<PythonPair> python;  // where both are Python
};

}  // namespace

ComparisonResult compare(Judge& judge, const core::Candidate& a, const core::Candidate& b,
                         const EvaluateOptions& options_a, const EvaluateOptions& options_b, const CompareRule& rule) {
  const auto start = Clock::now();
  ComparisonResult result;
  for (const core::Case* which : judge.cases(options_a.case_name)) judge.make_room(*which);
  const bool python_a = a.language == core::Language::python, python_b = b.language == core::Language::python;
  const bool in_a_row = python_a && python_b;  // many calls at one word, over all inputs
  judge.start_runners(!python_a + !python_b);
  if (python_a || python_b) judge.start_runners(python_a + python_b, true);
  auto ready_a = judge.make_ready(a, options_a, result.a);
  auto ready_b = judge.make_ready(b, options_b, result.b);
  if (!ready_a || !ready_b) return result;
  judge.truth().get_ready();
  const Lease lease(judge.info(), judge.options().progress);
  result.a.outcome = result.b.outcome = core::Outcome::accepted;
  const auto fail_one = [&](core::Evaluation& evaluation, const CallFailure& failure) {
    return convict(evaluation, failure.outcome, failure.evidence), result;
  };

  const auto seconds_on = [&](Match& match, bool is_a, const Entry& entry) -> base::Result<double, CallFailure> {
    const auto called =
        match.caller->call(is_a ? match.a : match.b, entry, {true, false, -1, judge.options().call_seconds});
    if (!called) return base::Failure{called.error()};
    // Where one of them has host code of its own, nobody's word is taken: both by the judge's clock.
    const bool by_judge = judge.info().is_cpu || match.a.hostile || match.b.hostile;
    return by_judge ? called->timed.judge_seconds : called->timed.report.device_seconds;
  };
  const auto varies = [&](const std::vector<double>& seconds) {
    const auto [quickest, slowest] = std::minmax_element(seconds.begin(), seconds.end());
    return depends_on_values(judge.info().is_cpu, *quickest, *slowest);
  };
  // Whose time depends on the values of its inputs is called on those on which it is slowest, as it is judged.
  const auto find_slowest = [&](Match& match) -> std::optional<std::pair<bool, CallFailure>> {
    constexpr int rounds = 3;
    std::vector<double> each_a, each_b;
    for (Entry* entry : match.entries) {
      std::vector<double> times_a, times_b;
      for (int round = 0; round < rounds; ++round)
        for (const bool is_a : {true, false}) {
          const auto seconds = seconds_on(match, is_a, *entry);
          if (!seconds) return std::pair{is_a, seconds.error()};
          (is_a ? times_a : times_b).push_back(*seconds);
        }
      each_a.push_back(core::median(times_a));
      each_b.push_back(core::median(times_b));
    }
    const auto slowest = [&](const std::vector<double>& each) {
      return match.entries[static_cast<std::size_t>(std::max_element(each.begin(), each.end()) - each.begin())];
    };
    if (varies(each_a)) match.only_a = slowest(each_a);
    if (varies(each_b)) match.only_b = slowest(each_b);
    return std::nullopt;
  };

  std::vector<Match> matches;
  for (const core::Case* which : judge.cases(options_a.case_name)) {
    Match match;
    match.which = which;
    for (auto [ready, plan, evaluation] :
         {std::tuple{&*ready_a, &match.plan_a, &result.a}, std::tuple{&*ready_b, &match.plan_b, &result.b}}) {
      auto resolved = judge.fitted_plan(*ready, *which);
      if (!resolved)
        return fail_one(*evaluation, {core::Outcome::rejected, {"", 0, true, which->name, resolved.error()}});
      *plan = *std::move(resolved);
    }
    match.working = std::make_unique<BufferSet>(judge.bench(), joined(match.plan_a, match.plan_b));
    match.caller = std::make_unique<Caller>(judge.task(), *which, judge.bench(), *match.working, judge.secrets(),
                                            judge.options().guards, judge.info());
    auto renamed = match.plan_b;
    for (auto& buffer : renamed.buffers)
      if (buffer.role == core::ResolvedBuffer::Role::scratch) buffer.name += "'";
    auto bound_a = judge.bind(*ready_a, match.plan_a, *match.working, matches.empty());
    if (!bound_a) return fail_one(result.a, bound_a.error());
    auto bound_b = judge.bind(*ready_b, renamed, *match.working, matches.empty());
    if (!bound_b) return fail_one(result.b, bound_b.error());
    match.a = *bound_a;
    match.b = *bound_b;
    match.entries = judge.pool(*which).plain(which->timed ? 4 : 2);
    // Everybody is verified on every case, and warmed up by it.
    std::vector<double> first_a, first_b;
    for (Entry* entry : match.entries)
      for (const bool is_a : {true, false}) {
        const auto seconds = seconds_on(match, is_a, *entry);
        if (!seconds) return fail_one(is_a ? result.a : result.b, seconds.error());
        (is_a ? first_a : first_b).push_back(*seconds);
      }
    if (which->timed && !in_a_row && judge.options().guards.on("values") && (varies(first_a) || varies(first_b)))
      if (const auto failed = find_slowest(match)) return fail_one(failed->first ? result.a : result.b, failed->second);
    if (which->timed) matches.push_back(std::move(match));
  }
  if (in_a_row)
    for (Match& match : matches) {  // they stay where they are from now on
      match.python =
          std::make_unique<PythonPair>(judge, *match.working, *match.caller, match.a, match.b, match.entries);
      if (const auto failed = match.python->prepare(match.plan_a))
        return fail_one(failed->is_a ? result.a : result.b, failed->failure);
    }

  // The mean logarithm of a letter's times, or why there is none.
  const auto letter_of = [&](Match& match, bool is_a) -> base::Result<double, CallFailure> {
    double sum = 0;
    for (int i = 0; i < rule.calls_per_letter; ++i) {
      if (match.python) {
        const auto seconds = match.python->time(is_a);
        if (!seconds) return seconds;
        (is_a ? match.times_a : match.times_b).push_back(*seconds);
        sum += std::log(*seconds);
        continue;
      }
      const Entry* only = is_a ? match.only_a : match.only_b;
      const Entry& entry = only != nullptr ? *only : *match.entries[judge.secrets().below(match.entries.size())];
      const auto seconds = seconds_on(match, is_a, entry);
      if (!seconds) return seconds;
      if (!(*seconds > 0))
        return base::Failure{
            CallFailure{core::Outcome::cheating,
                        {"activity", 13, true, match.which->name, "a timed call left no trace of work on the device"}}};
      (is_a ? match.times_a : match.times_b).push_back(*seconds);
      sum += std::log(*seconds);
    }
    return sum / rule.calls_per_letter;
  };
  // Without the guard: as is often done, the baseline first, all of it.
  if (!judge.options().guards.on("interleave"))
    for (int block = 0; block < rule.most_blocks; ++block)
      for (Match& match : matches) {
        const auto a_time = letter_of(match, true);
        if (!a_time) return fail_one(result.a, a_time.error());
        match.beforehand.push_back(*a_time);
      }

  RatioEstimate now{0, INFINITY};
  const auto sampling = Clock::now();
  while (!comparison_done(rule, now, result.blocks, since(sampling))) {
    for (Match& match : matches) {
      double log_a = 0, log_b = 0;
      // Which one is A changes at random from block to block, so that neither is always first.
      const bool swapped = judge.secrets().below(2) == 1;
      for (const char letter : {'a', 'b', 'b', 'a'}) {
        const bool is_a = (letter == 'a') != swapped;
        if (is_a && !match.beforehand.empty()) {
          log_a += match.beforehand[static_cast<std::size_t>(result.blocks)];
          continue;
        }
        const auto time = letter_of(match, is_a);
        if (!time) return fail_one(is_a ? result.a : result.b, time.error());
        (is_a ? log_a : log_b) += *time;
      }
      match.log_ratios.push_back((log_b - log_a) / 2);
    }
    ++result.blocks;
    std::vector<std::vector<double>> all;
    for (const Match& match : matches) all.push_back(match.log_ratios);
    if (result.blocks >= 2) now = estimate(all);
  }

  const auto to_interval = [](const RatioEstimate& e) {
    return core::Interval{std::exp(e.log_ratio - e.half_width), std::exp(e.log_ratio + e.half_width)};
  };
  for (const Match& match : matches) {
    const auto mine = estimate({match.log_ratios});
    result.cases.push_back({match.which->name,
                            to_interval(mine),
                            std::exp(mine.log_ratio),
                            core::median(match.times_a),
                            core::median(match.times_b),
                            result.blocks,
                            {}});
    for (const double log_ratio : match.log_ratios) result.cases.back().block_ratios.push_back(std::exp(log_ratio));
  }
  result.ratio = to_interval(now);
  result.ratio_estimate = std::exp(now.log_ratio);
  std::vector<double> medians;
  for (const auto& c : result.cases) medians.push_back(c.median_a);
  result.margin = margin_for(rule, core::geometric_mean(medians));
  result.word = core::word_for(result.ratio, result.margin);
  result.compared = true;
  result.seconds = since(start);
  return result;
}

}  // namespace hone::judge
