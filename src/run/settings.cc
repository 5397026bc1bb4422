#include "run/settings.h"

#include "base/error.h"
#include "base/json.h"

namespace hone::run {

namespace {

void describe(base::Fields& f, Budget& budget) {
  f.optional("usd", budget.usd).optional("calls", budget.calls);
  f.optional("candidates", budget.candidates).optional("minutes", budget.minutes);
}

void describe(base::Fields& f, RunSettings& settings) {
  auto budget = [&](base::Fields&) { describe(f, settings.budget); };
  f.optional("task_path", settings.task_path).optional("strategy", settings.strategy);
  f.optional("write", settings.write).optional("models", settings.models);
  f.optional("prices", settings.prices).optional("budget", budget);
  f.optional("stop_at_ceiling", settings.stop_at_ceiling);
  f.optional("stop_after_flat", settings.stop_after_flat).optional("attempts", settings.attempts);
  f.optional("width", settings.width).optional("tries", settings.tries);
  f.optional("slots", settings.slots).optional("seeds", settings.seeds);
  f.optional("device", settings.device).optional("executor", settings.executor);
  f.optional("evaluator", settings.evaluator).optional("feedback", settings.feedback);
  f.optional("tools", settings.tools).optional("time_limit", settings.time_limit);
  f.optional("tune_evals", settings.tune_evals);
  f.optional("unsafe", settings.unsafe);
}

}  // namespace

std::string to_text(const RunSettings& settings) {
  RunSettings kept = settings;
  kept.task_path = std::filesystem::absolute(settings.task_path);
  return base::json_line([&](base::Fields& f) { describe(f, kept); });
}

RunSettings settings_from_text(const std::string& text) {
  RunSettings settings;
  settings.feedback = "none";  // runs from before profiles have none
  settings.tune_evals = 0;     // and those from before tuning tune nothing
  try {
    base::read_json(text, [&](base::Fields& f) { describe(f, settings); });
  } catch (const base::Error& error) {
    base::fail(base::ExitCode::archive,
               "the settings of this run cannot be read: were they written by another Hone? ({})",
               error.what());
  }
  return settings;
}

}  // namespace hone::run
