#include "app/estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "agents/prompts.h"
#include "app/device_file.h"
#include "base/fields.h"
#include "device/device.h"

namespace hone::app {
namespace {

// Where no number was given: what runs were seen to need for a first result.
constexpr int usual_candidates = 24;
constexpr double seconds_a_candidate =
    4;  // of the device: screening, comparing, now and then certifying
constexpr double seconds_a_profile = 10;  // of the device, once a generation; less on a CPU
constexpr double short_answer = 1500,
                 long_answer = 6000;  // tokens that selectors and designers, and writers, answer

double tokens(const llm::Request& request) {
  return static_cast<double>(
      llm::estimated_tokens(request.prompt.system + llm::render(request.prompt)));
}

agents::Mission mission_of(const run::RunSettings& settings, const core::Task& task) {
  if (task.external) return agents::mission_for(task, {});
  const bool python = settings.write == "python";
  if (settings.executor.empty())
    return agents::mission_for(task, device::find_device(settings.device), python);
  const DeviceFile there = read_device_file(settings.device);
  agents::Mission mission = agents::mission_for(task, there.info, python);
  mission.ceilings = there.ceilings;
  return mission;
}

// Each role with what one call of it takes.
std::vector<RoleEstimate> one_call_each(const run::RunSettings& settings, const core::Task& task,
                                        const run::RoleModels& models) {
  const agents::Mission mission = mission_of(settings, task);
  agents::ShownNode seed;
  seed.node.number = 1;
  const auto& given = mission.device.language == core::Language::cuda ? task.seed_cu : task.seed_cl;
  seed.source = mission.python ? task.reference_py.value_or("")
                : given        ? *given
                               : task.reference_cc;
  if (task.external && !task.external->seeds.empty())
    seed.source = task.external->seeds.front().source;
  const agents::ListedNode listed{&seed.node, nullptr, false};
  const core::Experiment experiment{.description = "…", .rubric = "…"};
  std::vector<RoleEstimate> roles;
  const auto add = [&](const std::string& role, const llm::Request& request, double answer) {
    const auto& model = models.at(role);
    RoleEstimate one{role, model.client->name(), 1, tokens(request), answer, {}, {}};
    if (model.price) {
      one.usd = llm::dollars(*model.price, {static_cast<std::int64_t>(one.tokens_in),
                                            static_cast<std::int64_t>(one.tokens_out), 0});
      one.usd_most = llm::most_dollars(*model.price, request);
    } else if (model.client->price_name().empty()) {
      one.usd = one.usd_most = 0;
    }
    roles.push_back(one);
  };
  if (settings.strategy == "oneshot") {
    add("writer", agents::ask_first_attempt(mission, 1), long_answer);
    return roles;
  }
  add("selector", agents::ask_selector(mission, {listed, listed}), short_answer);
  add("designer", agents::ask_designer(mission, seed, nullptr, nullptr, {listed}), short_answer);
  add("writer", agents::ask_writer(mission, {&seed, nullptr, nullptr, nullptr}, experiment),
      long_answer);
  add("learner", agents::ask_learner(mission, {{experiment, seed, seed, {}}}), short_answer);
  return roles;
}

int generations_for(const run::RunSettings& settings, int candidates) {
  const int designed = std::max(0, candidates - settings.attempts);
  return settings.strategy == "oneshot" ? 1 : (designed + settings.width - 1) / settings.width;
}

struct Sum {
  double calls = 0, usd = 0;
};
Sum sum_for(const std::vector<RoleEstimate>& each, int candidates, int generations) {
  Sum sum;
  for (const auto& role : each) {
    const double calls = role.role == "writer" ? candidates : generations;
    sum.calls += calls;
    sum.usd += calls * role.usd.value_or(0);
  }
  return sum;
}

}  // namespace

RunEstimate estimate_run(const run::RunSettings& settings, const core::Task& task,
                         const run::RoleModels& models) {
  RunEstimate estimate;
  const auto& budget = settings.budget;
  const auto each = one_call_each(settings, task, models);
  // As many candidates as were asked for, or fewer where another cap comes first.
  std::string because = budget.candidates > 0 ? "" : " (no --max-candidates was given)";
  int candidates = budget.candidates > 0
                       ? budget.candidates
                       : std::max(usual_candidates, settings.attempts + 1 + settings.width);
  for (; candidates > 0; --candidates) {
    const Sum sum = sum_for(each, candidates, generations_for(settings, candidates));
    if (budget.calls > 0 && sum.calls > static_cast<double>(budget.calls))
      because = fmt::format(" (--max-calls {} allows no more)", budget.calls);
    else if (budget.usd > 0 && sum.usd > budget.usd)
      because = fmt::format(" (--max-usd {:g} allows no more)", budget.usd);
    else
      break;
  }
  estimate.candidates = candidates;
  estimate.generations = generations_for(settings, candidates);
  for (RoleEstimate role : each) {
    role.calls = role.role == "writer" ? estimate.candidates : estimate.generations;
    if (role.usd) role.usd = role.calls * *role.usd;
    if (role.usd_most) role.usd_most = role.calls * *role.usd_most;
    if (role.usd_most && budget.usd > 0) role.usd_most = std::min(*role.usd_most, budget.usd);
    estimate.roles.push_back(role);
  }
  const bool explains =
      settings.strategy != "oneshot" && !task.external && settings.feedback != "none";
  estimate.external = task.external.has_value();
  if (!estimate.external)
    estimate.device_seconds = seconds_a_candidate * estimate.candidates +
                              (explains ? seconds_a_profile * estimate.generations : 0);
  estimate.assumptions = fmt::format(
      "{} candidates{}, {} experiments a generation, answers of {:.0f} tokens (writers "
      "{:.0f}){}{}; prompts grow a little with the run{}",
      estimate.candidates, because, settings.width, short_answer, long_answer,
      estimate.external
          ? ""
          : fmt::format(", {:.0f} s of the device for each candidate", seconds_a_candidate),
      explains ? fmt::format(", {:.0f} s for each profile of a basis", seconds_a_profile) : "",
      budget.minutes > 0
          ? fmt::format(
                "; how long models take is not known, so --max-minutes {:g} may end it earlier",
                budget.minutes)
          : "");
  return estimate;
}

void describe(base::Fields& f, const RoleEstimate& role) {
  f("role", role.role)("model", role.model)("calls", role.calls)("tokens_in", role.tokens_in);
  f("tokens_out", role.tokens_out)("usd", role.usd)("usd_most", role.usd_most);
}

void describe(base::Fields& f, const RunEstimate& estimate) {
  f("roles", estimate.roles)("candidates", estimate.candidates);
  f("generations", estimate.generations);
  f("device_seconds", estimate.external ? nullptr : &estimate.device_seconds);
  f("assumptions", estimate.assumptions);
}

}  // namespace hone::app
