#include "app/run.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/device_file.h"
#include "app/inputs.h"
#include "app/run_checks.h"
#include "base/error.h"
#include "base/resources.h"
#include "core/evaluation_json.h"
#include "core/or_null.h"
#include "exec/bundle_executor.h"
#include "judge/builds_ahead.h"
#include "judge/ceilings.h"
#include "run/external_judges.h"
#include "run/judge_queue.h"
#include "run/remote_judges.h"
#include "run/run_lock.h"
#include "run/status.h"

namespace hone::app {

namespace fs = std::filesystem;
using base::ExitCode;
using nlohmann::json;

namespace {

// Where the kernels of a run are judged, and by what device's facts they are written.
struct Site {
  std::vector<core::DeviceInfo>
      devices;  // here, all of one model; of a bundle's or an evaluator's, one
  core::Ceilings ceilings;
};

Site site_for(const run::RunSettings& settings, const core::Task& task, Sink& sink) {
  if (task.external)
    return {{run::external_device(evaluator_command(settings.evaluator, task))}, {}};
  if (!settings.executor.empty()) {
    const DeviceFile there = read_device_file(settings.device);
    return {{there.info}, there.ceilings};
  }
  Site site{devices_named(settings.device), {}};
  site.ceilings =
      judge::ceilings_of(site.devices.front(), true,
                         {settings.unsafe, [&](const std::string& text) { sink.say(text); }});
  return site;
}

run::LocalJudgeOptions local_options(const run::RunSettings& settings, const Site& site,
                                     Sink& sink) {
  constexpr double busy_too_long =
      60;  // seconds; where there are several devices, another takes the job
  run::LocalJudgeOptions options;
  options.judging.unsafe = settings.unsafe;
  options.judging.call_seconds = settings.time_limit;
  options.judging.ceilings = site.ceilings;
  options.judging.spare_runners = core::capabilities(site.devices.front()).native_code ? 0 : 2;
  if (!base::resource_folder().empty())
    options.tools.pass_on = {"--resources", base::resource_folder().string()};
  options.tools.cancelled = [&sink] { return sink.cancelled().load(); };
  if (site.devices.size() > 1) options.lease_seconds = busy_too_long;
  return options;
}

std::unique_ptr<run::Judges> judges_for(const run::RunContext& context, const Site& site,
                                        Sink& sink, run::JobCallback done,
                                        const std::function<bool()>& enough) {
  const run::RunSettings& settings = context.settings;
  if (context.task.external)
    return std::make_unique<run::ExternalJudges>(
        context.task, evaluator_command(settings.evaluator, context.task), std::move(done), enough);
  if (!settings.executor.empty())
    return std::make_unique<run::RemoteJudges>(context.task, context.info,
                                               exec::bundle_executor(bundle_folder(settings)),
                                               std::move(done), sink.cancelled());
  std::vector<std::unique_ptr<run::Lane>> lanes;
  for (const auto& device : site.devices)
    lanes.push_back(run::local_lane(context.task, device, local_options(settings, site, sink)));
  return std::make_unique<run::JudgeQueue>(
      std::move(lanes), std::move(done), [&sink](const std::string& text) { sink.say(text); },
      sink.cancelled(), judge::builds_at_once());
}

RunDone work(const run::RunSettings& settings, store::Archive& archive, const std::string& resume,
             Sink& sink, const StatusCallback& status) {
  const core::Task task = task_from(settings.task_path.string(), sink);
  const Site site = site_for(settings, task, sink);
  const core::DeviceInfo& info = site.devices.front();
  if (settings.write == "python" && !core::can_run(core::Language::python, info))
    base::fail(ExitCode::usage, "--write python: it runs on CUDA or on the CPU, and {} is neither",
               info.id);
  run::RunWatcher watcher;
  watcher.say = [&](const std::string& text) { sink.say(text); };
  watcher.note = [&](const std::string& text) { sink.step({text, {}, {}}); };
  if (status) watcher.update = status;
  const run::RunRequest request{archive,
                                {task, info, site.ceilings, settings, models_for(settings)},
                                {},
                                watcher,
                                sink.cancelled(),
                                resume};
  run::RunRequest whole = request;
  whole.judges = [&](run::JobCallback done, const std::function<bool()>& enough) {
    return judges_for(request.context, site, sink, std::move(done), enough);
  };
  return {run::work_on(whole), settings};
}

// The settings of a run that can begin.
run::RunSettings prepared(const RunRequest& request, Sink& sink, core::Task& task) {
  const std::string folder = task_folder(request.task, sink);
  task = task_from(folder, sink);
  run::RunSettings settings = settings_from(request, folder);
  check_before(settings, task);
  if (!settings.executor.empty())
    settings.device = fs::absolute(settings.device).string();
  else if (!task.external)
    settings.device = device_or_best(request, task);
  require_programs(settings.tools);
  if (!task.external && settings.executor.empty()) settings.tools = programs_from(settings.tools);
  return settings;
}

bool names_a_model(const run::RunSettings& settings) {
  return std::any_of(settings.models.begin(), settings.models.end(),
                     [](const auto& m) { return !m.second.empty(); });
}

}  // namespace

bool has_model(const RunRequest& request) {
  return names_a_model(settings_from(request, request.task));
}

RunDone run(const RunRequest& request, Sink& sink, const StatusCallback& status) {
  core::Task task;
  const run::RunSettings settings = prepared(request, sink, task);
  if (!names_a_model(settings)) base::fail(ExitCode::usage, "{}", how_to_get_a_model);
  models_for(settings);  // what is wrong with them is said before there is an archive
  auto archive = archive_for(request);
  return work(settings, archive, "", sink, status);
}

RunEstimate estimate(const RunRequest& request, Sink& sink) {
  core::Task task;
  const run::RunSettings settings = prepared(request, sink, task);
  return estimate_run(settings, task, models_for(settings));
}

base::Result<std::string> tunable_seed(const RunRequest& request, Sink& sink) {
  core::Task task;
  const run::RunSettings settings = prepared(request, sink, task);
  if (!settings.executor.empty() || task.external)
    base::fail(ExitCode::usage, "{}", how_to_get_a_model);
  if (request.write == "python")
    return base::Failure{std::string("Python has no tunables: there is nothing to tune.")};
  const core::DeviceInfo info = devices_named(settings.device).front();
  const bool cuda = info.language == core::Language::cuda;
  const fs::path seed = request.seeds.empty() ? settings.task_path / (cuda ? "seed.cu" : "seed.cl")
                                              : fs::path(request.seeds.front());
  if (std::error_code ec; !fs::exists(seed, ec))
    return base::Failure{fmt::format("{} has no seed for {} to tune.", task.name, info.id)};
  if (candidate_for(task, seed.string(), sink).plan.tunables.empty())
    return base::Failure{
        fmt::format("{} has no [tune] table: there is nothing to tune.", seed.string())};
  return seed.string();
}

RunDone resume(const ResumeRequest& request, Sink& sink, const StatusCallback& status) {
  auto archive = archive_to_read(request);
  const auto found = store::get_run(archive, request.run);
  run::RunSettings settings = run::settings_of(archive, found);
  if (settings.strategy == "learn")
    base::fail(ExitCode::bad_input,
               "{} is a digest of documents, not a run: the same `hone learn` again goes on where "
               "it ended",
               found.id);
  for (const auto& [role, spec] : request.models) settings.models[role] = spec;
  for (const auto& [role, price] : request.prices) settings.prices[role] = price;
  const run::Budget& budget = request.budget;
  if (budget.usd > 0) settings.budget.usd = budget.usd;
  if (budget.calls > 0) settings.budget.calls = budget.calls;
  if (budget.candidates > 0) settings.budget.candidates = budget.candidates;
  if (budget.minutes > 0) settings.budget.minutes = budget.minutes;
  if (request.time_limit) settings.time_limit = *request.time_limit;
  if (request.slots > 0) settings.slots = request.slots;
  settings.unsafe = settings.unsafe || request.unsafe;
  if (!request.device.empty()) settings.device = same_device(request.device, settings, found);
  return work(settings, archive, found.id, sink, status);
}

RunProgress run_progress(const CommonOptions& place, const std::string& run) {
  auto archive = archive_to_read(place);
  const auto record = store::get_run(archive, run);
  RunProgress progress{run::read_status(archive, record.id),
                       run::told_state("research", record.id, store::name_of(record.state))};
  progress.status.budget = run::settings_of(archive, record).budget;
  return progress;
}

json to_json(const RunProgress& progress) {
  const run::RunStatus& status = progress.status;
  return {{"run", status.run},
          {"state", progress.state},
          {"phase", status.phase},
          {"generation", status.generation},
          {"candidates",
           {{"all", status.candidates}, {"accepted", status.accepted}, {"failed", status.failed}}},
          {"doing", status.doing},
          {"best", core::or_null(status.best)},
          {"best_s", core::or_null(status.best_seconds)},
          {"seed", core::or_null(status.seed)},
          {"seed_s", core::or_null(status.seed_seconds)},
          {"ceiling_fraction", core::or_null(status.ceiling_fraction)},
          {"spending", {{"calls", status.spending.calls}, {"usd", status.spending.usd}}},
          {"minutes", status.minutes},
          {"device_seconds", status.device_seconds}};
}

json to_json(const run::RunResult& result) {
  json compared = nullptr;
  if (result.compared)
    compared = {{"id", result.compared->id},
                {"word", core::name_of(result.compared->word)},
                {"ratio", result.compared->ratio},
                {"interval", core::to_json(result.compared->interval)}};
  const auto& certification = result.certification;
  const run::RunStatus& status = result.status;
  return {{"run", result.run},
          {"state", store::name_of(result.state)},
          {"stopped", result.stopped},
          {"conclusion", result.conclusion},
          {"best", core::or_null(result.best)},
          {"seed", core::or_null(result.seed)},
          {"certified", result.certified()},
          {"evaluation",
           certification ? core::to_json(certification->record.evaluation) : json(nullptr)},
          {"evaluation_of", certification ? json(certification->node) : json(nullptr)},
          {"compared", compared},
          {"away", result.away},
          {"candidates",
           {{"all", status.candidates}, {"accepted", status.accepted}, {"failed", status.failed}}},
          {"device_seconds", status.device_seconds},
          {"spending",
           {{"calls", status.spending.calls},
            {"usd", status.spending.usd},
            {"tokens_in", status.spending.tokens_in},
            {"tokens_out", status.spending.tokens_out},
            {"tokens_cached", status.spending.tokens_cached},
            {"minutes", status.minutes}}}};
}

}  // namespace hone::app
