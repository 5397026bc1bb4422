// `hone run` and `hone resume`: from what a user typed to a run of the scientist.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/resources.h"
#include "base/result.h"
#include "cli/commands.h"
#include "cli/device_file.h"
#include "cli/estimate.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/research.h"
#include "core/json.h"
#include "device/device.h"
#include "exec/bundle_executor.h"
#include "judge/ceilings.h"
#include "judge/python/candidate.h"
#include "run/evaluators.h"
#include "run/research.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

namespace fs = std::filesystem;
using base::ExitCode;

constexpr const char* how_to_get_a_model =
    "No model was named, so nothing new is written. The three easiest ways to get one:\n"
    "  a key:           export ANTHROPIC_API_KEY=... (or OPENAI_API_KEY), then --llm anthropic:MODEL or openai:MODEL\n"
    "  your own server: --llm openai:MODEL@http://localhost:11434/v1 (Ollama, vLLM, llama.cpp)\n"
    "  a coding agent:  --llm 'exec:COMMAND', a program that reads a prompt and writes an answer\n"
    "docs/models.md says more.\n";

// What was chosen for a role: its own, else the one for all, else the environment's.
std::string spec_for(const run::ResearchSettings& settings, const std::string& role) {
  for (const auto& name : {role, std::string()})
    if (const auto found = settings.models.find(name); found != settings.models.end() && !found->second.empty())
      return found->second;
  return "";
}

std::map<std::string, run::RoleModel> models_for(const run::ResearchSettings& settings) {
  std::map<std::string, std::shared_ptr<llm::LlmClient>> clients;  // one for each spec, whoever uses it
  std::map<std::string, run::RoleModel> models;
  for (const auto& role : run::research_roles()) {
    const std::string spec = spec_for(settings, role);
    if (spec.empty()) base::fail(ExitCode::usage, "no model for the {}: give one for all roles with --llm", role);
    auto& client = clients[spec];
    if (!client) client = llm::make_client(spec);
    const auto given = settings.prices.contains(role) ? settings.prices.at(role)
                       : settings.prices.contains("") ? settings.prices.at("")
                                                      : std::string();
    run::RoleModel model{client, llm::price_of(*client, given)};
    if (!model.price && !client->price_name().empty() && settings.budget.usd > 0)
      base::fail(ExitCode::usage,
                 "--max-usd {:g}: the price of {} is not known; give it with --price IN,OUT (dollars per million "
                 "tokens), or leave --max-usd away",
                 settings.budget.usd, client->name());
    models[role] = model;
  }
  return models;
}

// What follows "exec:". An external task cannot do without, and no other can do with.
std::string command_of(const std::string& evaluator, const core::Task& task) {
  constexpr std::string_view prefix = "exec:";
  if (!evaluator.starts_with(prefix) || evaluator.size() == prefix.size())
    base::fail(ExitCode::usage, "task {} is external: say who judges it with --evaluator exec:COMMAND", task.name);
  return evaluator.substr(prefix.size());
}

// What follows "bundle:".
std::string bundle_folder(const run::ResearchSettings& settings) {
  constexpr std::string_view prefix = "bundle:";
  if (!settings.executor.starts_with(prefix) || settings.executor.size() == prefix.size())
    base::fail(ExitCode::usage, "--executor {}: it is bundle:DIR, or left away", settings.executor);
  return settings.executor.substr(prefix.size());
}

// What somebody has to do, in this order.
std::string how_to_go_on(const run::ResearchSettings& settings, const std::string& run) {
  std::string text;
  if (!settings.executor.empty())
    text = fmt::format(
        "    hone bundle pack {0} -o bundle.hone   # then, where the GPU is:\n"
        "    hone bundle run bundle.hone -o results.hone\n"
        "    hone bundle import {0} results.hone   # here again\n",
        bundle_folder(settings));
  return text + fmt::format("    hone resume {}\n", run);
}

std::unique_ptr<run::Evaluator> evaluator_for(const run::ResearchSettings& settings, const core::Task& task,
                                              const core::DeviceInfo& info, const core::Ceilings& ceilings) {
  if (task.external) return run::external_evaluator(task, command_of(settings.evaluator, task));
  if (!settings.executor.empty())
    return run::remote_evaluator(task, settings.task_path, info, exec::bundle_executor(bundle_folder(settings)),
                                 settings.time_limit);
  run::LocalEvaluatorOptions options;
  options.task_path = settings.task_path;
  options.judging.unsafe = settings.unsafe;
  options.judging.call_seconds = settings.time_limit;
  options.judging.ceilings = ceilings;
  options.judging.spare_runners = core::capabilities(info).native_code ? 0 : 2;
  if (!base::resource_folder().empty()) options.pass_on = {"--resources", base::resource_folder().string()};
  return run::local_evaluator(task, info, std::move(options));
}

int work(const RunCommand& command, const run::ResearchSettings& settings, store::Archive& archive,
         const std::string& resume) {
  const run::Interrupt interrupt;
  const core::Task task = task_from(settings.task_path.string());
  const bool away = !settings.executor.empty();
  DeviceFile device;
  LiveView view(command.json);
  if (task.external) {
    device.info = run::external_device(command_of(settings.evaluator, task));
  } else if (away) {
    device = read_device_file(settings.device);
  } else {
    device.info = device::find_device(settings.device);
    device.ceilings =
        judge::ceilings_of(device.info, true, {settings.unsafe, [&](const std::string& text) { view.say(text); }});
  }
  if (settings.write == "python" && !core::can_run(core::Language::python, device.info))
    base::fail(ExitCode::usage, "--write python: it runs on CUDA or on the CPU, and {} is neither", device.info.id);
  const auto evaluator = evaluator_for(settings, task, device.info, device.ceilings);
  run::ResearchStatus latest;
  run::ResearchWatcher watcher;
  watcher.say = [&](const std::string& text) { view.say(text); };
  watcher.note = [&](const std::string& text) { view.note(text); };
  watcher.update = [&](const run::ResearchStatus& status) { view.show(latest = status); };
  const run::Research research{archive,    task,    device.info, device.ceilings, settings, models_for(settings),
                               *evaluator, watcher, interrupt,   resume};
  const auto result = run::research(research);
  latest.spending = store::spending_of(archive, result.run);
  view.erase();
  if (command.json)
    std::fputs(research_json(result, latest).c_str(), stdout);
  else
    std::fputs(research_report(result, latest, screen_of(stdout)).c_str(), stdout);
  switch (result.state) {
    case store::RunState::away:
      if (!command.json) std::fputs(how_to_go_on(settings, result.run).c_str(), stdout);
      return static_cast<int>(ExitCode::away);
    case store::RunState::stopped:
      if (!command.json)
        fmt::print("Nothing that was answered or measured is lost. Go on with:\n    hone resume {}\n", result.run);
      return static_cast<int>(interrupt.requested() ? ExitCode::interrupted : ExitCode::environment);
    default:
      if (settings.budget.usd > 0 && latest.spending.calls == 0 && !command.dry_run)
        base::fail(ExitCode::usage, "nothing was asked: {}. Allow more with --max-usd", result.stopped);
      if (result.best) return static_cast<int>(ExitCode::ok);
      return static_cast<int>(result.certification ? exit_code(result.certification->record.evaluation.outcome)
                                                   : ExitCode::not_accepted);
  }
}

// What can be done without a model: the kernel that the tuner would tune, or why there is none.
base::Result<fs::path> tunable_seed(const RunCommand& command, const core::Task& task, const core::DeviceInfo& info) {
  if (command.write == "python") return base::Failure{std::string("Python has no tunables: there is nothing to tune.")};
  const bool cuda = info.language == core::Language::cuda;
  const fs::path seed =
      command.seeds.empty() ? fs::path(command.task) / (cuda ? "seed.cu" : "seed.cl") : fs::path(command.seeds.front());
  if (std::error_code ec; !fs::exists(seed, ec))
    return base::Failure{fmt::format("{} has no seed for {} to tune.", task.name, info.id)};
  if (candidate_for(task, seed.string()).plan.tunables.empty())
    return base::Failure{fmt::format("{} has no [tune] table: there is nothing to tune.", seed.string())};
  return seed;
}

// Without a model there is still the tuner.
int tune_instead(const RunCommand& command, const core::Task& task, const core::DeviceInfo& info) {
  const auto seed = tunable_seed(command, task, info);
  if (!seed) base::fail(ExitCode::usage, "{}{}", how_to_get_a_model, seed.error());
  std::fputs(how_to_get_a_model, stderr);
  if (command.dry_run) {  // no model: no calls, no tokens, no dollars
    std::fprintf(stderr, "Without --dry-run, %s would be tuned in the meantime, which needs none.\n", seed->c_str());
    if (command.json)
      std::fputs(core::json_text({{"calls", 0}, {"usd", 0}, {"would_tune", seed->string()}}).c_str(), stdout);
    return static_cast<int>(ExitCode::ok);
  }
  std::fprintf(stderr, "Tuning %s in the meantime, which needs none.\n", seed->c_str());
  Typed<app::TuneRequest> tuning;
  static_cast<app::Place&>(tuning) = command;
  tuning.json = command.json;
  tuning.task = command.task;
  tuning.candidate = seed->string();
  tuning.max_minutes = command.max_minutes;
  tuning.limit.seconds = command.time_limit.value_or(tuning.limit.seconds);
  tuning.out = (fs::current_path() / (task.name + ".tuned" + seed->extension().string())).string();
  return tune(tuning);
}

run::ResearchSettings settings_from(const RunCommand& command) {
  run::ResearchSettings settings;
  settings.task_path = fs::absolute(command.task);
  settings.strategy = command.strategy;
  settings.write = command.write;
  settings.models = command.models;
  if (const char* common = std::getenv("HONE_LLM"); common != nullptr && !settings.models.contains(""))
    settings.models[""] = common;
  settings.prices = command.prices;
  settings.budget = {command.max_usd, command.max_calls, command.max_candidates, command.max_minutes};
  settings.stop_at_ceiling = command.stop_at_ceiling;
  settings.stop_after_flat = command.stop_after_flat;
  settings.attempts = command.attempts;
  settings.width = command.width;
  settings.tries = command.tries;
  for (const auto& seed : command.seeds) settings.seeds.push_back(fs::absolute(seed).string());
  settings.executor = command.executor;
  settings.evaluator = command.evaluator;
  settings.device = command.device;
  settings.feedback = command.feedback;
  settings.tools = command.tools;
  settings.time_limit = command.time_limit.value_or(settings.time_limit);
  settings.unsafe = command.unsafe;
  return settings;
}

// What models write, and what it begins from, are of one kind.
void check_written(const run::ResearchSettings& settings, const core::Task& task) {
  const bool python = settings.write == "python";
  if (python && task.external)
    base::fail(ExitCode::usage, "--write python: task {} is external, and says itself what its candidates are",
               task.name);
  if (python)
    if (const auto why = judge::no_python_here(task); !why.empty()) base::fail(ExitCode::bad_input, "{}", why);
  if (task.external) return;
  for (const auto& seed : settings.seeds)
    if (fs::path(seed).extension() == ".py" && !python)
      base::fail(ExitCode::usage, "--seed {}: it is Python; let the models write that too, with --write python", seed);
    else if (fs::path(seed).extension() != ".py" && python)
      base::fail(ExitCode::usage, "--seed {}: with --write python a seed is a file ending in .py", seed);
}

// What would stop a run later is said before there is one.
void check_before(const run::ResearchSettings& settings, const core::Task& task) {
  if (!settings.executor.empty()) bundle_folder(settings);
  check_written(settings, task);
  for (const auto& seed : settings.seeds) {
    const auto source = task::read_source(seed);
    if (!source) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(source.error()));
    if (!task.external && settings.write != "python" && !task::has_plan(*source)) candidate_for(task, seed);
  }
  const auto& budget = settings.budget;
  if (settings.strategy == "oneshot" && settings.attempts > 0)
    base::fail(ExitCode::usage, "--attempts is for --strategy scientist: with oneshot there are nothing but attempts");
  if (settings.strategy == "oneshot" && budget.candidates == 0 && budget.calls == 0 && budget.usd == 0 &&
      budget.minutes == 0)
    base::fail(ExitCode::usage,
               "--strategy oneshot: say when it ends with --max-candidates N, --max-calls, --max-usd or --max-minutes");
}

// The device that was named, or the best one here that the task has a seed for.
std::string device_or_best(const RunCommand& command, const core::Task& task) {
  if (!command.device.empty()) return command.device;
  const bool python = command.write == "python";
  for (const auto& backend : device::discover())
    for (const auto& info : backend.devices)
      if (info.language != core::Language::fake && (!python || core::can_run(core::Language::python, info)) &&
          (python || info.language == core::Language::cuda || !task.seed_cu || task.seed_cl))
        return info.id;
  base::fail(ExitCode::environment, "there is no device here: hone doctor says what is missing");
}

// The device of a run may have another number by now, or its file another place; another device it cannot be.
std::string same_device(const RunCommand& command, const run::ResearchSettings& settings,
                        const store::ResearchRun& found) {
  if (!settings.evaluator.empty())
    base::fail(ExitCode::usage, "--device {}: run {} is judged by somebody else's evaluator", command.device, found.id);
  const bool away = !settings.executor.empty();
  const auto info = away ? read_device_file(command.device).info : device::find_device(command.device);
  if (info.uuid != found.device)
    base::fail(ExitCode::usage,
               "--device {}: run {} is of {} ({}), and times of two devices do not compare. Leave --device away, or "
               "begin a new run",
               command.device, found.id, found.device_name, found.device);
  return away ? fs::absolute(command.device).string() : command.device;
}

}  // namespace

int run(const RunCommand& given) {
  RunCommand command = given;
  command.task = task_folder(given.task);
  const core::Task task = task_from(command.task);
  run::ResearchSettings settings = settings_from(command);
  check_before(settings, task);
  if (task.external)
    command_of(settings.evaluator, task);  // throws where there is none
  else if (!settings.evaluator.empty())
    base::fail(ExitCode::usage, "--evaluator {}: it is for external tasks, and {} is none", settings.evaluator,
               task.name);
  else if (settings.executor.empty())
    settings.device = device_or_best(command, task);
  else if (settings.device.empty())
    base::fail(
        ExitCode::usage,
        "--executor {}: say what device is there with --device FILE; `hone bundle device -o FILE` writes it, where "
        "the device is",
        settings.executor);
  else
    settings.device = fs::absolute(settings.device).string();
  if (!settings.tools.empty() && (task.external || !settings.executor.empty()))
    base::fail(ExitCode::usage, "--tool {}: it runs where candidates are judged, and commands do not travel there",
               settings.tools.front());
  require_programs(settings.tools);
  if (!task.external && settings.executor.empty()) settings.tools = programs_from(settings.tools);
  const bool any =
      std::any_of(settings.models.begin(), settings.models.end(), [](const auto& m) { return !m.second.empty(); });
  if (!any) {
    if (!settings.executor.empty() || task.external) base::fail(ExitCode::usage, "{}", how_to_get_a_model);
    return tune_instead(command, task, device::find_device(settings.device));
  }
  if (command.dry_run) return print_estimate(estimate_run(settings, task, models_for(settings)), command.json);
  auto archive = archive_for(command);
  return work(command, settings, archive, "");
}

int resume(const RunCommand& command) {
  auto archive = archive_to_read(command);
  const auto found = store::get_run(archive, command.task);
  run::ResearchSettings settings =
      run::settings_from_text(run::latest_settings(found, store::decisions_of(archive, found.id)));
  if (settings.strategy == "learn")
    base::fail(ExitCode::bad_input,
               "{} is a digest of documents, not a run: the same `hone learn` again goes on where it ended", found.id);
  // What is given again wins: other models, a larger budget.
  for (const auto& [role, spec] : command.models) settings.models[role] = spec;
  for (const auto& [role, price] : command.prices) settings.prices[role] = price;
  if (command.max_usd > 0) settings.budget.usd = command.max_usd;
  if (command.max_calls > 0) settings.budget.calls = command.max_calls;
  if (command.max_candidates > 0) settings.budget.candidates = command.max_candidates;
  if (command.max_minutes > 0) settings.budget.minutes = command.max_minutes;
  if (command.time_limit) settings.time_limit = *command.time_limit;
  settings.unsafe = settings.unsafe || command.unsafe;
  if (!command.device.empty()) settings.device = same_device(command, settings, found);
  return work(command, settings, archive, found.id);
}

}  // namespace hone::cli
