#include "core/advice.h"

#include <array>
#include <utility>

namespace hone::core {
namespace {

constexpr std::array<std::pair<Bound, std::string_view>, 5> bounds{{{Bound::memory, "memory"},
                                                                    {Bound::compute, "compute"},
                                                                    {Bound::latency, "latency"},
                                                                    {Bound::launch, "launch"},
                                                                    {Bound::mixed, "mixed"}}};
constexpr std::array<std::pair<Severity, std::string_view>, 4> severities{
    {{Severity::critical, "critical"},
     {Severity::major, "major"},
     {Severity::minor, "minor"},
     {Severity::note, "note"}}};

template <typename Table, typename Value>
std::string_view name_in(const Table& table, Value value) {
  for (const auto& [known, name] : table)
    if (known == value) return name;
  return "unknown";
}
template <typename Value, std::size_t count>
std::optional<Value> value_in(const std::array<std::pair<Value, std::string_view>, count>& table,
                              std::string_view name) {
  for (const auto& [value, known] : table)
    if (known == name) return value;
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Bound bound) { return name_in(bounds, bound); }
std::optional<Bound> bound_from(std::string_view name) { return value_in(bounds, name); }
std::string_view name_of(Severity severity) { return name_in(severities, severity); }
std::optional<Severity> severity_from(std::string_view name) { return value_in(severities, name); }

}  // namespace hone::core
