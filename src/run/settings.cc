#include "run/settings.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "core/json.h"

namespace hone::run {

using nlohmann::json;

std::string to_text(const RunSettings& settings) {
  const Budget& budget = settings.budget;
  return core::json_line({{"task_path", std::filesystem::absolute(settings.task_path).string()},
                          {"strategy", settings.strategy},
                          {"write", settings.write},
                          {"models", settings.models},
                          {"prices", settings.prices},
                          {"budget",
                           {{"usd", budget.usd},
                            {"calls", budget.calls},
                            {"candidates", budget.candidates},
                            {"minutes", budget.minutes}}},
                          {"stop_at_ceiling", settings.stop_at_ceiling},
                          {"stop_after_flat", settings.stop_after_flat},
                          {"attempts", settings.attempts},
                          {"width", settings.width},
                          {"tries", settings.tries},
                          {"slots", settings.slots},
                          {"seeds", settings.seeds},
                          {"device", settings.device},
                          {"executor", settings.executor},
                          {"evaluator", settings.evaluator},
                          {"feedback", settings.feedback},
                          {"tools", settings.tools},
                          {"time_limit", settings.time_limit},
                          {"unsafe", settings.unsafe}});
}

RunSettings settings_from_text(const std::string& text) {
  const json read = json::parse(text, nullptr, false);
  if (!read.is_object())
    base::fail(base::ExitCode::archive,
               "the settings of this run cannot be read: were they written by another Hone?");
  RunSettings settings;
  settings.task_path = read.value("task_path", std::string());
  settings.strategy = read.value("strategy", settings.strategy);
  settings.write = read.value("write", settings.write);
  settings.models = read.value("models", settings.models);
  settings.prices = read.value("prices", settings.prices);
  const json budget = read.value("budget", json::object());
  settings.budget = {budget.value("usd", 0.0), budget.value("calls", std::int64_t{0}),
                     budget.value("candidates", 0), budget.value("minutes", 0.0)};
  settings.stop_at_ceiling = read.value("stop_at_ceiling", settings.stop_at_ceiling);
  settings.stop_after_flat = read.value("stop_after_flat", settings.stop_after_flat);
  settings.attempts = read.value("attempts", settings.attempts);
  settings.width = read.value("width", settings.width);
  settings.tries = read.value("tries", settings.tries);
  settings.slots = read.value("slots", settings.slots);
  settings.seeds = read.value("seeds", settings.seeds);
  settings.device = read.value("device", settings.device);
  settings.executor = read.value("executor", settings.executor);
  settings.evaluator = read.value("evaluator", settings.evaluator);
  settings.feedback = read.value("feedback", "none");  // runs from before profiles have none
  settings.tools = read.value("tools", settings.tools);
  settings.time_limit = read.value("time_limit", settings.time_limit);
  settings.unsafe = read.value("unsafe", settings.unsafe);
  return settings;
}

}  // namespace hone::run
