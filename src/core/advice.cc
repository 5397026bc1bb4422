#include "core/advice.h"

#include <iterator>

namespace hone::core {
namespace {

constexpr std::string_view bounds[] = {"memory", "compute", "latency", "launch", "mixed"};
constexpr std::string_view severities[] = {"critical", "major", "minor", "note"};

}  // namespace

std::string_view name_of(Bound bound) { return bounds[static_cast<std::size_t>(bound)]; }
std::string_view name_of(Severity severity) {
  return severities[static_cast<std::size_t>(severity)];
}

std::optional<Severity> severity_from(std::string_view name) {
  for (std::size_t i = 0; i < std::size(severities); ++i)
    if (severities[i] == name) return static_cast<Severity>(i);
  return std::nullopt;
}

}  // namespace hone::core
