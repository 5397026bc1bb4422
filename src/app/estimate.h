#pragma once
// What a run would cost, before any model is asked: calls, tokens, dollars and seconds of the
// device, from the prompts that its first generation would really send.
#include <optional>
#include <string>
#include <vector>

#include "base/fields_fwd.h"
#include "core/task.h"
#include "run/settings.h"

namespace hone::app {

struct RoleEstimate {
  std::string role, model;
  double calls = 0;
  double tokens_in = 0, tokens_out = 0;  // of one call
  std::optional<double> usd, usd_most;   // of all calls; nothing: the price is not known
};
struct RunEstimate {
  std::vector<RoleEstimate> roles;
  int candidates = 0, generations = 0;
  double device_seconds = 0;
  bool external = false;  // judged by an external evaluator, whose time is not known
  std::string assumptions;
};
RunEstimate estimate_run(const run::RunSettings& settings, const core::Task& task,
                         const run::RoleModels& models);
void describe(base::Fields& fields, const RunEstimate& estimate);

}  // namespace hone::app
