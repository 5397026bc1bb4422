#include "app/run.h"

#include <algorithm>

#include "app/device_file.h"
#include "app/executor.h"
#include "app/inputs.h"
#include "app/run_checks.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/resources.h"
#include "judge/builds_ahead.h"
#include "judge/ceilings.h"
#include "run/external_judges.h"
#include "run/judge_queue.h"
#include "run/run_lock.h"
#include "run/status.h"

namespace hone::app {

namespace fs = std::filesystem;
using base::ExitCode;

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
                                        const std::string& run, Sink& sink, run::JobCallback done,
                                        const std::function<bool()>& enough) {
  const run::RunSettings& settings = context.settings;
  if (context.task.external)
    return std::make_unique<run::ExternalJudges>(
        context.task, evaluator_command(settings.evaluator, context.task), std::move(done), enough);
  if (!settings.executor.empty()) return remote_judges(context, run, sink, std::move(done));
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
  whole.judges = [&](const std::string& run, run::JobCallback done,
                     const std::function<bool()>& enough) {
    return judges_for(request.context, site, run, sink, std::move(done), enough);
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
  if (request.tune_evals) settings.tune_evals = *request.tune_evals;
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

namespace {

void describe_counts(base::Fields& f, const run::RunStatus& status) {
  f.group("candidates", [&] {
    f("all", status.candidates)("accepted", status.accepted)("failed", status.failed);
  });
  f("device_seconds", status.device_seconds);
}

}  // namespace

void describe(base::Fields& f, const RunProgress& progress) {
  const run::RunStatus& status = progress.status;
  f("run", status.run)("state", progress.state)("phase", status.phase);
  f("generation", status.generation);
  describe_counts(f, status);
  f("doing", status.doing)("workers", status.workers)("best", status.best)(
      "best_s", status.best_seconds)("seed", status.seed);
  f("seed_s", status.seed_seconds)("ceiling_fraction", status.ceiling_fraction);
  f.group("spending", [&] { f("calls", status.spending.calls)("usd", status.spending.usd); });
  f("minutes", status.minutes);
}

void describe(base::Fields& f, const RunDone& done) {
  const run::RunResult& result = done.result;
  const auto& certification = result.certification;
  const auto compared = [&](base::Fields&) {
    f("id", result.compared->id)("word", result.compared->word);
    f("ratio", base::finite_or_null(result.compared->ratio))("interval", result.compared->interval);
  };
  f("run", result.run)("state", store::name_of(result.state))("stopped", result.stopped);
  f("conclusion", result.conclusion)("best", result.best)("seed", result.seed);
  f("certified", result.certified());
  f("evaluation", certification ? &certification->record.evaluation : nullptr);
  f("evaluation_of", certification ? &certification->node : nullptr);
  f("compared", result.compared ? &compared : nullptr)("away", result.away);
  describe_counts(f, result.status);
  f("workers", result.status.workers);
  const auto& spending = result.status.spending;
  f.group("spending", [&] {
    f("calls", spending.calls)("usd", spending.usd)("tokens_in", spending.tokens_in);
    f("tokens_out", spending.tokens_out)("tokens_cached", spending.tokens_cached);
    f("minutes", result.status.minutes);
  });
}

void describe(base::Fields& f, const TuningInstead& instead) {
  f("calls", 0)("usd", 0)("would_tune", instead.seed);
}

}  // namespace hone::app
