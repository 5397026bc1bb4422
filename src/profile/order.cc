#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "profile/gains.h"
#include "profile/tool.h"

namespace hone::profile {
namespace {

// A tool is believed before anything is known of it as if it had been followed this often and right
// every time: two experiments that both failed halve its weight, one alone takes a third. More
// faith than that would outlast the experiments of a whole run.
constexpr double faith = 2;
// A low end below this promises nothing, and counts as this much: else every tool that cannot
// exclude "nothing" would be expected to gain nothing.
constexpr double least_promise = 1;  // percent

double weight_in(const std::map<std::string, TrackRecord>& records, const std::string& tool) {
  const auto found = records.find(tool);
  return found == records.end() ? 1 : weight_of(found->second);
}

// As severe as the gain is still worth, and never more than the tool said; a note stays one.
core::Severity severity_after(const core::Advice& advice, double weight) {
  const auto worth =
      severity_of(core::Interval{weight * advice.gain.low, weight * advice.gain.high});
  return std::max(advice.severity, worth.value_or(core::Severity::minor));
}

}  // namespace

double weight_of(const TrackRecord& record) {
  return (record.right + faith) / (record.followed + faith);
}

double expected_gain(const core::Interval& gain, double weight) {
  const double low = std::max(gain.low, std::min(least_promise, gain.high));
  const double square = low * gain.high;
  return square > 0 ? weight * std::sqrt(square) : 0;  // what came from elsewhere may be no number
}

void order(std::vector<core::Advice>& advice, const std::map<std::string, TrackRecord>& records) {
  for (auto& one : advice) one.severity = severity_after(one, weight_in(records, one.tool));
  const auto key = [&](const core::Advice& one) {
    const double expected = expected_gain(one.gain, weight_in(records, one.tool));
    return std::make_tuple(one.severity, -expected, one.tool, one.launch.value_or(-1), one.title);
  };
  std::stable_sort(advice.begin(), advice.end(),
                   [&](const core::Advice& a, const core::Advice& b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < advice.size(); ++i) advice[i].id = fmt::format("A{}", i + 1);
}

}  // namespace hone::profile
