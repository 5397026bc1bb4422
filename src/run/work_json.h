#pragma once
// The parts of jobs and results as JSON (run/work.h): numbers, evaluations, comparisons, devices. Private to this
// module. Whatever is read may come from a stranger: the ..._from functions throw Misshapen or an exception of the JSON
// library, which job_from() and result_from() turn into a sentence.
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/device_info.h"
#include "core/evaluation.h"
#include "store/comparisons.h"

namespace hone::run {

// A text that is well-formed JSON of another shape than a job or result.
struct Misshapen {
  std::string what;
};
template <typename T>
T known(const std::optional<T>& value, const char* what) {
  if (!value) throw Misshapen{std::string("it names a ") + what + " that this hone does not know"};
  return *value;
}

nlohmann::json number(double value);  // JSON has no infinities: they are words
double number_from(const nlohmann::json& value);
nlohmann::json map_json(const std::map<std::string, double>& map);
std::map<std::string, double> map_from(const nlohmann::json& object);

nlohmann::json evaluation_json(const core::Evaluation& e);  // samples as base64: compact and exact
core::Evaluation evaluation_from(const nlohmann::json& v);
nlohmann::json comparison_json(const store::ComparisonRecord& c);
store::ComparisonRecord comparison_from(const nlohmann::json& v);
nlohmann::json device_json(const core::DeviceInfo& d, const core::Ceilings& c);
void read_device(const nlohmann::json& v, core::DeviceInfo& d, core::Ceilings& c);

}  // namespace hone::run
