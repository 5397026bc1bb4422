// What was measured of the whole call, a line each: the system's figures, energy, and what the
// checkers found.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "profile/tags.h"
#include "text/profile_text.h"

namespace hone::text {
namespace {

namespace tag = profile::tag;

std::optional<double> value_of(const core::Profile& profile, std::string_view name) {
  for (const auto& metric : profile.metrics)
    if (metric.tag == name && !metric.launch && !metric.line && metric.value) return metric.value;
  return std::nullopt;
}

std::string system_line(const core::Profile& profile) {
  const auto launches = value_of(profile, tag::system_launches),
             span = value_of(profile, tag::system_span);
  if (!launches || !span) return "";
  std::string line = fmt::format("system: {:.0f} launch{} in {}", *launches,
                                 *launches == 1 ? "" : "es", format_seconds(*span));
  if (const auto gaps = value_of(profile, tag::system_gaps))
    line += fmt::format(", {} between them", format_seconds(*gaps));
  if (const auto cost = value_of(profile, tag::system_launch_cost))
    line += fmt::format(", {} of the host's time for each", format_seconds(*cost));
  if (const auto wall = value_of(profile, tag::system_wall))
    line += fmt::format("; {} by the runner's clock", format_seconds(*wall));
  return line + "\n";
}

std::string energy_line(const core::Profile& profile) {
  const auto call = value_of(profile, tag::energy_call);
  if (!call) {
    for (const auto& metric : profile.metrics)
      if (metric.tag == tag::energy_call)
        return fmt::format("energy: not known: {}\n", printable(metric.missing));
    return "";
  }
  std::string line = fmt::format("energy: {:.3g} J a call", *call);
  const auto low = value_of(profile, tag::energy_low), high = value_of(profile, tag::energy_high);
  if (low && high) line += fmt::format(" ({:.3g} to {:.3g})", *low, *high);
  if (const auto watts = value_of(profile, tag::power)) line += fmt::format(", {:.0f} W", *watts);
  if (const auto limit = value_of(profile, tag::power_limit))
    line += fmt::format(" of {:.0f} W", *limit);
  if (const auto clock = value_of(profile, tag::clock_load))
    line += fmt::format(", SMs at {:.0f} MHz", *clock / 1e6);
  if (const auto most = value_of(profile, tag::clock_most))
    line += fmt::format(" of {:.0f} MHz", *most / 1e6);
  return line + "\n";
}

std::string checkers_line(const core::Profile& profile) {
  constexpr std::string_view before = "sanitizer.";
  std::map<std::string, std::vector<std::string>> by_outcome;
  for (const auto& metric : profile.metrics) {
    if (metric.tag != "sanitizer" && !metric.tag.starts_with(before)) continue;
    const std::string name =
        metric.tag.starts_with(before) ? metric.tag.substr(before.size()) : "the checkers";
    const std::string outcome = !metric.value        ? "did not run: " + metric.missing
                                : *metric.value == 0 ? "nothing found"
                                                     : "errors (see the notes)";
    by_outcome[outcome].push_back(name);
  }
  std::string line;
  for (const auto& [outcome, names] : by_outcome)
    line += fmt::format("{}{}: {}", line.empty() ? "" : "; ",
                        printable(fmt::format("{}", fmt::join(names, ", "))), printable(outcome));
  return line.empty() ? "" : line + "\n";
}

}  // namespace

std::string measured_text(const core::Profile& profile) {
  return system_line(profile) + energy_line(profile) + checkers_line(profile);
}

}  // namespace hone::text
