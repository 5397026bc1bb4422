#include "cli/estimate.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "agents/prompts.h"
#include "cli/evaluation_text.h"
#include "cli/table.h"
#include "device/device.h"

namespace hone::cli {
namespace {

using nlohmann::json;

// Where nobody said how many: what the loop was seen to need for a first result.
constexpr int usual_candidates = 24;
// Of the candidates that are written, this part answers a failure of an earlier one (seen in recorded runs).
constexpr double seconds_a_candidate = 4;  // of the device: screening, comparing, now and then certifying
constexpr double seconds_a_profile = 10;   // of the device, once a generation; less on a CPU
constexpr double short_answer = 1500, long_answer = 6000;  // tokens that selectors and designers, and writers, answer

double tokens(const llm::Request& request) {
  return static_cast<double>(llm::estimated_tokens(request.prompt.system + llm::render(request.prompt)));
}

}  // namespace

RunEstimate estimate_run(const run::ResearchSettings& settings, const core::Task& task,
                         const std::map<std::string, run::RoleModel>& models, const RunCommand&) {
  RunEstimate estimate;
  agents::Mission mission;
  mission.task = &task;
  if (settings.executor.empty() && !task.external) mission.device = device::find_device(settings.device);
  const bool cuda = mission.device.language == core::Language::cuda;
  mission.language = cuda ? "CUDA C++" : "OpenCL C";
  if (task.external) {
    mission.language = task.external->language;
    mission.external = task.external->statement;
    mission.knowledge = agents::knowledge_for(task.external->knowledge);
  } else {
    mission.knowledge = agents::knowledge_for(mission.device);
  }
  agents::Individual seed;
  seed.number = 1;
  const auto& given = cuda ? task.seed_cu : task.seed_cl;
  seed.source = given ? *given : task.reference_cc;
  if (task.external && !task.external->seeds.empty()) seed.source = task.external->seeds.front().source;
  const agents::Experiment experiment{.description = "…", .rubric = "…"};
  estimate.candidates = settings.budget.candidates > 0 ? settings.budget.candidates : usual_candidates;
  const bool loop = settings.strategy != "oneshot";
  estimate.generations =
      loop ? static_cast<int>(std::ceil(static_cast<double>(estimate.candidates) / settings.width)) : 1;
  const auto add = [&](const std::string& role, double calls, const llm::Request& request, double answer) {
    const auto& model = models.at(role);
    RoleEstimate one{role, model.client->name(), calls, tokens(request), answer, {}, {}};
    if (model.price) {
      one.usd = calls * llm::dollars(*model.price, {static_cast<std::int64_t>(one.tokens_in),
                                                    static_cast<std::int64_t>(one.tokens_out), 0});
      one.usd_most = calls * llm::most_dollars(*model.price, request);
    } else if (model.client->price_name().empty()) {
      one.usd = one.usd_most = 0;
    }
    estimate.roles.push_back(one);
  };
  if (loop) {
    add("selector", estimate.generations, agents::ask_selector(mission, {seed, seed}), short_answer);
    add("designer", estimate.generations, agents::ask_designer(mission, seed, nullptr, nullptr, {seed}), short_answer);
    add("writer", estimate.candidates, agents::ask_writer(mission, {&seed, nullptr, nullptr, nullptr}, experiment),
        long_answer);
    add("learner", estimate.generations, agents::ask_learner(mission, {{experiment, seed, seed, {}}}), short_answer);
  } else {
    add("writer", estimate.candidates, agents::ask_first_attempt(mission, 1), long_answer);
  }
  const bool explains = loop && !task.external && settings.feedback != "none";
  estimate.device_seconds =
      seconds_a_candidate * estimate.candidates + (explains ? seconds_a_profile * estimate.generations : 0);
  estimate.assumptions = fmt::format(
      "{} candidates{}, {} experiments a generation, answers of {:.0f} tokens (writers {:.0f}), {:.0f} s of the device "
      "for each candidate{}; prompts grow a little with the run",
      estimate.candidates, settings.budget.candidates > 0 ? "" : " (no --max-candidates was given)", settings.width,
      short_answer, long_answer, seconds_a_candidate,
      explains ? fmt::format(", {:.0f} s for each profile of a basis", seconds_a_profile) : "");
  return estimate;
}

int print_estimate(const RunEstimate& estimate, bool as_json) {
  const auto or_null = [](const auto& value) { return value ? json(*value) : json(nullptr); };
  if (as_json) {
    json roles = json::array();
    for (const auto& role : estimate.roles)
      roles.push_back({{"role", role.role},
                       {"model", role.model},
                       {"calls", role.calls},
                       {"tokens_in", role.tokens_in},
                       {"tokens_out", role.tokens_out},
                       {"usd", or_null(role.usd)},
                       {"usd_most", or_null(role.usd_most)}});
    std::fputs(json_text({{"roles", roles},
                          {"candidates", estimate.candidates},
                          {"generations", estimate.generations},
                          {"device_seconds", estimate.device_seconds},
                          {"assumptions", estimate.assumptions}})
                   .c_str(),
               stdout);
    return 0;
  }
  using Align = Column::Align;
  Table table({{"role"},
               {"model"},
               {"calls", Align::right},
               {"tokens in", Align::right},
               {"out", Align::right},
               {"dollars", Align::right},
               {"at most", Align::right}});
  const auto dollars = [](const std::optional<double>& usd) { return usd ? fmt::format("{:.2f}", *usd) : "unknown"; };
  double calls = 0, in = 0, out = 0;
  std::optional<double> usd = 0, most = 0;
  for (const auto& role : estimate.roles) {
    table.add({role.role, printable(role.model), fmt::format("{:.0f}", role.calls),
               fmt::format("{:.0f}", role.tokens_in), fmt::format("{:.0f}", role.tokens_out), dollars(role.usd),
               dollars(role.usd_most)});
    calls += role.calls;
    in += role.calls * role.tokens_in;
    out += role.calls * role.tokens_out;
    usd = usd && role.usd ? std::optional(*usd + *role.usd) : std::nullopt;
    most = most && role.usd_most ? std::optional(*most + *role.usd_most) : std::nullopt;
  }
  table.add({"all", "", fmt::format("{:.0f}", calls), fmt::format("{:.0f}", in), fmt::format("{:.0f}", out),
             dollars(usd), dollars(most)});
  std::fputs(table.text(screen_of(stdout)).c_str(), stdout);
  std::printf(
      "About %.0f s of the device. Estimated for %s. Tokens of a role are of one call, those of all of the run. "
      "Nobody was asked, nothing was spent.\n",
      estimate.device_seconds, estimate.assumptions.c_str());
  return 0;
}

}  // namespace hone::cli
