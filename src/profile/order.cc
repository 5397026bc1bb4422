#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "profile/tool.h"

namespace hone::profile {
namespace {

// A tool is believed before anything is known of it as if it had been followed this often and right every time. Four
// experiments that all failed then halve its weight; one alone takes a fifth.
constexpr double faith = 4;

// Right over followed, shrunk towards 1 with few observations.
double weight_of(const std::map<std::string, Record>& records, const std::string& tool) {
  const auto found = records.find(tool);
  if (found == records.end()) return 1;
  return (found->second.right + faith) / (found->second.followed + faith);
}

}  // namespace

void order(std::vector<core::Advice>& advice, const std::map<std::string, Record>& records) {
  const auto key = [&](const core::Advice& one) {
    const double expected = (one.gain.low + one.gain.high) / 2 * weight_of(records, one.tool);
    return std::make_tuple(one.severity, -expected, one.tool, one.launch.value_or(-1), one.title);
  };
  std::stable_sort(advice.begin(), advice.end(),
                   [&](const core::Advice& a, const core::Advice& b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < advice.size(); ++i) advice[i].id = fmt::format("A{}", i + 1);
}

}  // namespace hone::profile
