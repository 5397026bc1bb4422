#include "core/json.h"

#include <fmt/chrono.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace hone::core {

using nlohmann::json;

json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double number_from(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "nan" || value.is_null()) return NAN;
  if (value == "inf") return INFINITY;
  if (value == "-inf") return -INFINITY;
  base::fail(base::ExitCode::bad_input, "a number is missing");
}

json numbers(const std::map<std::string, double>& map) {
  json object = json::object();
  for (const auto& [key, value] : map) object[key] = number(value);
  return object;
}

std::map<std::string, double> numbers_from(const json& object) {
  std::map<std::string, double> map;
  for (const auto& [key, value] : object.get_ref<const json::object_t&>())
    map[key] = number_from(value);
  return map;
}

std::string json_text(const json& value) {
  return value.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}
std::string json_line(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string json_time(std::chrono::sys_time<std::chrono::milliseconds> when) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(when);
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(seconds.time_since_epoch().count()),
                     (when - seconds).count());
}

}  // namespace hone::core
