#include "app/run_checks.h"

#include <algorithm>
#include <cstdlib>

#include "app/device_file.h"
#include "app/executor.h"
#include "app/inputs.h"
#include "base/error.h"
#include "device/device.h"
#include "judge/python/candidate.h"
#include "llm/prices.h"
#include "search/strategy.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"
#include "task/plan_comment.h"

namespace hone::app {

namespace fs = std::filesystem;
using base::ExitCode;

run::RunSettings settings_from(const RunRequest& request, const std::string& task_folder) {
  run::RunSettings settings;
  settings.task_path = fs::absolute(task_folder);
  settings.strategy = request.strategy;
  settings.write = request.write;
  settings.models = request.models;
  if (const char* common = std::getenv("HONE_LLM");
      common != nullptr && !settings.models.contains(""))
    settings.models[""] = common;
  settings.prices = request.prices;
  settings.budget = request.budget;
  settings.stop_at_ceiling = request.stop_at_ceiling;
  settings.stop_after_flat = request.stop_after_flat;
  settings.attempts = request.attempts;
  settings.width = request.width;
  settings.tries = request.tries;
  settings.slots = request.slots;
  settings.tune_evals = request.tune_evals.value_or(settings.tune_evals);
  for (const auto& seed : request.seeds) settings.seeds.push_back(fs::absolute(seed).string());
  settings.executor = request.executor;
  settings.evaluator = request.evaluator;
  settings.device = request.device;
  settings.feedback = request.feedback;
  settings.tools = request.tools;
  settings.time_limit = request.time_limit.value_or(settings.time_limit);
  settings.unsafe = request.unsafe;
  return settings;
}

namespace {

// What was chosen for a role: its own, else the one for all.
std::string model_for(const run::RunSettings& settings, const std::string& role) {
  for (const auto& name : {role, std::string()})
    if (const auto found = settings.models.find(name);
        found != settings.models.end() && !found->second.empty())
      return found->second;
  base::fail(ExitCode::usage, "no model for the {}: give one for all roles with --llm", role);
}

}  // namespace

run::RoleModels models_for(const run::RunSettings& settings) {
  std::map<std::string, std::shared_ptr<llm::LlmClient>>
      clients;  // one for each spec, whichever roles use it
  run::RoleModels models;
  for (const auto& role : run::role_names()) {
    auto& client = clients[model_for(settings, role)];
    if (!client) client = llm::make_client(model_for(settings, role));
    const auto given = settings.prices.contains(role) ? settings.prices.at(role)
                       : settings.prices.contains("") ? settings.prices.at("")
                                                      : std::string();
    run::RoleModel model{client, llm::price_of(*client, given)};
    if (!model.price && !client->price_name().empty() && settings.budget.usd > 0)
      base::fail(ExitCode::usage,
                 "--max-usd {:g}: the price of {} is not known; give it with --price IN,OUT "
                 "(dollars per million tokens), or leave --max-usd away",
                 settings.budget.usd, client->name());
    models[role] = model;
  }
  return models;
}

std::string evaluator_command(const std::string& evaluator, const core::Task& task) {
  constexpr std::string_view prefix = "exec:";
  if (!evaluator.starts_with(prefix) || evaluator.size() == prefix.size())
    base::fail(ExitCode::usage,
               "task {} is external: name its evaluator with --evaluator exec:COMMAND", task.name);
  return evaluator.substr(prefix.size());
}

namespace {

// What models write, and what it begins from, are of one kind.
void check_written(const run::RunSettings& settings, const core::Task& task) {
  const bool python = settings.write == "python";
  if (python && task.external)
    base::fail(ExitCode::usage,
               "--write python: task {} is external, and says itself what its candidates are",
               task.name);
  if (python)
    if (const auto why = judge::no_python_here(task); !why.empty())
      base::fail(ExitCode::bad_input, "{}", why);
  if (task.external) return;
  for (const auto& seed : settings.seeds)
    if (fs::path(seed).extension() == ".py" && !python)
      base::fail(ExitCode::usage,
                 "--seed {}: it is Python; let the models write that too, with --write python",
                 seed);
    else if (fs::path(seed).extension() != ".py" && python)
      base::fail(ExitCode::usage, "--seed {}: with --write python a seed is a file ending in .py",
                 seed);
}

void check_seeds(const run::RunSettings& settings, const core::Task& task) {
  for (const auto& seed : settings.seeds) {
    const auto source = task::read_source(seed);
    if (!source) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(source.error()));
    if (task.external || settings.write == "python" || task::has_plan(*source)) continue;
    if (auto loaded = task::load_candidate_for(task, seed); !loaded)
      base::fail(ExitCode::bad_input, "{}", task::render_with_sources(loaded.error()));
  }
}

bool is_unlimited(const run::Budget& budget) {
  return budget.candidates == 0 && budget.calls == 0 && budget.usd == 0 && budget.minutes == 0;
}

}  // namespace

void check_before(const run::RunSettings& settings, const core::Task& task) {
  if (!settings.executor.empty()) check_executor(settings.executor);
  check_written(settings, task);
  check_seeds(settings, task);
  const auto& budget = settings.budget;
  const bool oneshot = settings.strategy == "oneshot";
  if (oneshot && settings.attempts > 0)
    base::fail(
        ExitCode::usage,
        "--attempts is for the other strategies: with oneshot there are nothing but attempts");
  if (oneshot && is_unlimited(budget))
    base::fail(ExitCode::usage,
               "--strategy oneshot: say when it ends with --max-candidates N, --max-calls, "
               "--max-usd or --max-minutes");
  if (task.external) {
    evaluator_command(settings.evaluator, task);
  } else if (!settings.evaluator.empty()) {
    base::fail(ExitCode::usage, "--evaluator {}: it is for external tasks, and {} is none",
               settings.evaluator, task.name);
  }
  if (!search::has_generations(settings.strategy) && settings.stop_after_flat == 0 &&
      is_unlimited(budget))
    base::fail(ExitCode::usage,
               "--strategy {} with --stop-after-flat 0: say when it ends with --max-candidates N, "
               "--max-calls, --max-usd or --max-minutes",
               settings.strategy);
  if (!settings.executor.empty() && settings.device.empty())
    base::fail(ExitCode::usage,
               "--executor {}: say what device is there with --device FILE; `hone bundle device -o "
               "FILE` writes it, where the device is",
               settings.executor);
  if (!settings.tools.empty() && (task.external || !settings.executor.empty()))
    base::fail(ExitCode::usage,
               "--tool {}: it runs where candidates are judged, and commands do not travel there",
               settings.tools.front());
}

std::string device_or_best(const RunRequest& request, const core::Task& task) {
  if (!request.device.empty()) return request.device;
  const bool python = request.write == "python";
  for (const auto& backend : device::discover())
    for (const auto& info : backend.devices)
      if (info.language != core::Language::fake &&
          (!python || core::can_run(core::Language::python, info)) &&
          (python || info.language == core::Language::cuda || !task.seed_cu || task.seed_cl))
        return info.id;
  base::fail(ExitCode::environment, "there is no device here: hone doctor says what is missing");
}

namespace {

// "cuda:all": all that the backend has of the model of its first device.
std::vector<core::DeviceInfo> all_of(const std::string& kind) {
  std::vector<core::DeviceInfo> devices;
  for (const auto& backend : device::discover())
    for (const auto& info : backend.devices)
      if (info.id.starts_with(kind) && (devices.empty() || info.name == devices.front().name))
        devices.push_back(info);
  if (devices.empty())
    base::fail(ExitCode::environment,
               "--device {}all: there is no such device here; hone doctor lists them", kind);
  return devices;
}

}  // namespace

std::vector<core::DeviceInfo> devices_named(const std::string& names) {
  constexpr std::string_view all = ":all";
  std::vector<core::DeviceInfo> devices;
  for (std::size_t at = 0; at <= names.size();) {
    const auto end = std::min(names.find(',', at), names.size());
    const std::string name = names.substr(at, end - at);
    const auto found = name.ends_with(all) ? all_of(name.substr(0, name.size() - all.size() + 1))
                                           : std::vector{device::find_device(name)};
    for (const auto& info : found)
      if (std::none_of(devices.begin(), devices.end(),
                       [&](const auto& known) { return known.uuid == info.uuid; }))
        devices.push_back(info);
    at = end + 1;
  }
  for (const auto& info : devices)
    if (info.name != devices.front().name)
      base::fail(ExitCode::usage,
                 "--device {}: {} is a {} and {} a {}; only times of devices of one model are "
                 "ranked together",
                 names, devices.front().id, devices.front().name, info.id, info.name);
  return devices;
}

std::string same_device(const std::string& device, const run::RunSettings& settings,
                        const store::ResearchRun& run) {
  if (!settings.evaluator.empty())
    base::fail(ExitCode::usage, "--device {}: run {} is judged by an external evaluator", device,
               run.id);
  const bool away = !settings.executor.empty();
  const auto info = away ? read_device_file(device).info : devices_named(device).front();
  // Several devices are calibrated against each other when the run goes on.
  const bool same_model = !away && devices_named(device).size() > 1 && info.name == run.device_name;
  if (info.uuid != run.device && !same_model)
    base::fail(ExitCode::usage,
               "--device {}: run {} is of {} ({}), and times of two devices do not compare. Leave "
               "--device away, or begin a new run",
               device, run.id, run.device_name, run.device);
  return away ? fs::absolute(device).string() : device;
}

}  // namespace hone::app
