#pragma once
// What a run would cost, before anybody is asked: calls, tokens, dollars and seconds of the device, from the prompts
// that its first generation would really send.
#include <map>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "run/research.h"

namespace hone::cli {

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
  bool external = false;  // judged by somebody else, whose time nobody knows
  std::string assumptions;
};
RunEstimate estimate_run(const run::ResearchSettings& settings, const core::Task& task,
                         const std::map<std::string, run::RoleModel>& models);
int print_estimate(const RunEstimate& estimate, bool as_json);

}  // namespace hone::cli
