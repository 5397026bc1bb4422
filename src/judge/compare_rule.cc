#include "judge/compare_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/sampling.h"

namespace hone::judge {

namespace {

constexpr int no_limit = 1'000'000;  // rounds

// Whether a case shows the difference on that side by itself.
bool is_carried(const CompareRule& rule, const Rounds& cases, core::Comparison word, Look look) {
  return std::any_of(cases.begin(), cases.end(), [&](const CaseRounds& one) {
    const core::Interval ratio = interval_of(estimate(one.log_ratios), look);
    const double margin = margin_for(rule, one.seconds);
    return word == core::Comparison::faster ? ratio.high < 1 - margin : ratio.low > 1 + margin;
  });
}

// The schedule of looks: each after half as many rounds again as the one before.
bool is_look(const CompareRule& rule, int rounds) {
  int look = rule.fewest_rounds;
  while (look < rounds) look += (look + 1) / 2;
  return look == rounds;
}

int rounds_in(const Rounds& cases) {
  return cases.empty() ? 0 : static_cast<int>(cases.front().log_ratios.size());
}

double half_width(const RatioEstimate& ratio) {
  return core::student_t_995(ratio.degrees) * ratio.standard_error;
}

// How many times as many rounds bring the half width down to `wanted`.
double times_as_many(const RatioEstimate& ratio, double wanted) {
  if (wanted <= 0) return std::numeric_limits<double>::infinity();
  return std::pow(half_width(ratio) / wanted, 2);
}

}  // namespace

CompareRule compare_rule(core::ClockKind clock) {
  if (clock == core::ClockKind::device) return {};
  CompareRule rule{
      .margin = 0.03, .resolution = 0, .fewest_rounds = 5, .most_rounds = 40, .seconds = 20};
  rule.calls_per_letter = 1;  // which take milliseconds, each of them
  rule.exchange = false;      // code that is native can hold state
  if (!quick_in_all()) return rule;
  rule.most_rounds = 8;
  rule.seconds = 2;
  return rule;
}

CompareRule with_memory_apart(CompareRule rule) {
  // Where processes or memory differ: three times what two processes differ by, as a standard
  // deviation, and as much as the place of scratch was seen to move a kernel on an H200.
  constexpr double smallest_margin = 0.01;
  rule.margin = std::max(rule.margin, smallest_margin);
  return rule;
}

CompareRule without_exchange(CompareRule rule) {
  rule = with_memory_apart(rule);
  rule.exchange = false;
  return rule;
}

CompareRule with_seconds(CompareRule rule, double seconds) {
  rule.seconds = seconds;
  rule.most_rounds = no_limit;
  return rule;
}

std::string describe(const CompareRule& rule) {
  const std::string round =
      rule.exchange
          ? "two ABBA blocks of calls, between which the processes exchange the candidates"
          : "one ABBA block of calls";
  const int second = rule.fewest_rounds + (rule.fewest_rounds + 1) / 2;
  return fmt::format(
      "rounds of {}, until it is decided{} or {:.3g} s are over; same means the 99 % interval "
      "within ±{:.2g} %{}, asked after {} and every further one; faster and slower mean a case "
      "beyond that, asked after {}, {} and then half as many again, at 99.8 % but for the last "
      "time",
      round,
      rule.most_rounds < no_limit ? fmt::format(", {} rounds are made", rule.most_rounds) : "",
      rule.seconds, 100 * rule.margin,
      rule.resolution > 0 ? fmt::format(" or ±{:.2g} µs", 1e6 * rule.resolution) : "",
      rule.fewest_rounds, rule.fewest_rounds, second);
}

double margin_for(const CompareRule& rule, double seconds) {
  return seconds > 0 ? std::max(rule.margin, rule.resolution / seconds) : rule.margin;
}

double margin_of_all(const CompareRule& rule, const Rounds& cases) {
  double sum = 0;
  for (const CaseRounds& one : cases) sum += margin_for(rule, one.seconds);
  return cases.empty() ? rule.margin : sum / static_cast<double>(cases.size());
}

RatioEstimate estimate(std::span<const double> log_ratios) {
  RatioEstimate ratio;
  const auto n = static_cast<double>(log_ratios.size());
  if (log_ratios.empty()) return ratio;
  ratio.log_ratio = std::accumulate(log_ratios.begin(), log_ratios.end(), 0.0) / n;
  if (log_ratios.size() < 2) return ratio;
  double squares = 0;
  for (const double r : log_ratios) squares += (r - ratio.log_ratio) * (r - ratio.log_ratio);
  ratio.standard_error = std::sqrt(squares / (n - 1) / n);
  ratio.degrees = static_cast<std::int64_t>(log_ratios.size()) - 1;
  return ratio;
}

RatioEstimate estimate_of_all(const Rounds& cases) {
  std::vector<double> means(static_cast<std::size_t>(rounds_in(cases)), 0.0);
  for (const CaseRounds& one : cases)
    for (std::size_t i = 0; i < means.size(); ++i)
      means[i] += one.log_ratios[i] / static_cast<double>(cases.size());
  return estimate(means);
}

core::Interval interval_of(const RatioEstimate& ratio, Look look) {
  if (ratio.degrees < 1) return {0, std::numeric_limits<double>::infinity()};
  const double t =
      look == Look::early ? core::student_t_999(ratio.degrees) : core::student_t_995(ratio.degrees);
  const double half = t * ratio.standard_error;
  return {std::exp(ratio.log_ratio - half), std::exp(ratio.log_ratio + half)};
}

core::Comparison word_of(const CompareRule& rule, const Rounds& cases, Look look) {
  const RatioEstimate all = estimate_of_all(cases);
  const double margin = margin_of_all(rule, cases);
  // That two are the same is no claim that looking often could make true by chance.
  if (core::word_for(interval_of(all, Look::last), margin) == core::Comparison::same)
    return core::Comparison::same;
  const auto word = core::word_for(interval_of(all, look), margin);
  const bool claims = word == core::Comparison::faster || word == core::Comparison::slower;
  return claims && !is_carried(rule, cases, word, look) ? core::Comparison::cannot_tell : word;
}

double margin_when_busy(double share) {
  constexpr double most = 0.9;  // a share of 1 would leave no time at all
  return std::min(share, most) / (1 - std::min(share, most));
}

core::Comparison word_when_busy(const CompareRule& rule, const Rounds& cases, double share) {
  const auto word = word_of(rule, cases, Look::last);
  CompareRule wider = rule;
  wider.margin += margin_when_busy(share);
  const bool claims = word == core::Comparison::faster || word == core::Comparison::slower;
  return claims && word_of(wider, cases, Look::last) != word ? core::Comparison::cannot_tell : word;
}

std::string_view name_of(Stop stop) {
  switch (stop) {
    case Stop::decided:
      return "decided";
    case Stop::rounds:
      return "rounds";
    case Stop::time:
      return "time";
    default:
      return "";
  }
}

Stop stop_after(const CompareRule& rule, const Rounds& cases, double elapsed) {
  const int rounds = rounds_in(cases);
  if (rounds < rule.fewest_rounds) return Stop::not_yet;
  const core::Comparison word = word_of(rule, cases, Look::early);
  const bool is_claim = word == core::Comparison::faster || word == core::Comparison::slower;
  if (word == core::Comparison::same || (is_claim && is_look(rule, rounds))) return Stop::decided;
  if (rounds >= rule.most_rounds) return Stop::rounds;
  return elapsed >= rule.seconds ? Stop::time : Stop::not_yet;
}

std::optional<double> seconds_needed(const CompareRule& rule, const Rounds& cases, double elapsed) {
  constexpr double reserve = 1.3;       // the estimate will move, and looks are apart
  constexpr double longest = 100;       // times what it has taken so far, or
  constexpr double longest_wait = 600;  // seconds
  const RatioEstimate all = estimate_of_all(cases);
  // It is decided as soon as one of these is: all is the same, or a case differs.
  double times = times_as_many(all, margin_of_all(rule, cases) - std::abs(all.log_ratio));
  for (const CaseRounds& one : cases) {
    const RatioEstimate ratio = estimate(one.log_ratios);
    if ((ratio.log_ratio > 0) != (all.log_ratio > 0)) continue;
    // The interval over all cases has to exclude 1 as well.
    times = std::min(times, std::max(times_as_many(ratio, std::abs(ratio.log_ratio) -
                                                              margin_for(rule, one.seconds)),
                                     times_as_many(all, std::abs(all.log_ratio))));
  }
  const double seconds = reserve * std::max(times, 1.0) * elapsed;
  if (!(times <= longest) || seconds > longest_wait) return std::nullopt;
  return std::max(std::ceil(seconds), std::floor(rule.seconds) + 1);
}

}  // namespace hone::judge
