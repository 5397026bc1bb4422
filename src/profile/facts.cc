#include "profile/facts.h"

namespace hone::profile {
namespace {

constexpr int whole_call = -1;

}  // namespace

MetricTable::MetricTable(const std::vector<core::Metric>& metrics) {
  for (const auto& metric : metrics) {
    if (metric.line) {
      const bool adds_up =
          metric.tag.starts_with("line.global.") || metric.tag.starts_with("line.shared.");
      if (!adds_up || !metric.value) continue;
      auto& sum = values_[{metric.tag, metric.launch.value_or(whole_call)}];
      sum.value = sum.value.value_or(0) + *metric.value;
      continue;
    }
    auto& value = values_[{metric.tag, metric.launch.value_or(whole_call)}];
    if (!value.value) value = {metric.value, metric.missing};  // the first that knows it stands
  }
}

std::optional<double> MetricTable::get(std::string_view tag, std::optional<int> launch) const {
  for (const int where : {launch.value_or(whole_call), whole_call})
    if (const auto found = values_.find({std::string(tag), where});
        found != values_.end() && found->second.value)
      return found->second.value;
  return std::nullopt;
}

std::string MetricTable::missing(std::string_view tag, std::optional<int> launch) const {
  for (const int where : {launch.value_or(whole_call), whole_call})
    if (const auto found = values_.find({std::string(tag), where});
        found != values_.end() && !found->second.value && !found->second.missing.empty())
      return found->second.missing;
  return "it was not measured";
}

std::map<std::string, double> MetricTable::under(std::string_view prefix,
                                                 std::optional<int> launch) const {
  std::map<std::string, double> found;
  for (const int where : {whole_call, launch.value_or(whole_call)})
    for (const auto& [key, value] : values_)
      if (key.second == where && value.value && key.first.starts_with(prefix))
        found[key.first.substr(prefix.size())] = *value.value;
  return found;
}

}  // namespace hone::profile
