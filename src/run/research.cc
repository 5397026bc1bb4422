#include "run/research.h"
#include "core/ceiling_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "run/record.h"
#include "run/researcher.h"
#include "run/run_lock.h"
#include "store/findings.h"

namespace hone::run {

using nlohmann::json;
using store::RunState;

const std::vector<std::string>& research_roles() {
  static const std::vector<std::string> roles{"selector", "designer", "writer", "learner"};
  return roles;
}

std::string generation_name(int generation) { return fmt::format("g{:03}", generation); }
std::string member_name(int number) { return fmt::format("{:05}", number); }

std::string to_text(const ResearchSettings& settings) {
  return json{{"task_path", std::filesystem::absolute(settings.task_path).string()},
              {"strategy", settings.strategy},
              {"write", settings.write},
              {"models", settings.models},
              {"prices", settings.prices},
              {"budget",
               {{"usd", settings.budget.usd},
                {"calls", settings.budget.calls},
                {"candidates", settings.budget.candidates},
                {"minutes", settings.budget.minutes}}},
              {"stop_at_ceiling", settings.stop_at_ceiling},
              {"stop_after_flat", settings.stop_after_flat},
              {"attempts", settings.attempts},
              {"width", settings.width},
              {"tries", settings.tries},
              {"seeds", settings.seeds},
              {"device", settings.device},
              {"executor", settings.executor},
              {"evaluator", settings.evaluator},
              {"feedback", settings.feedback},
              {"tools", settings.tools},
              {"time_limit", settings.time_limit},
              {"unsafe", settings.unsafe}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

ResearchSettings settings_from_text(const std::string& text) {
  const json read = json::parse(text, nullptr, false);
  if (!read.is_object())
    base::fail(base::ExitCode::archive, "the settings of this run cannot be read: were they written by another Hone?");
  ResearchSettings settings;
  settings.task_path = read.value("task_path", std::string());
  settings.strategy = read.value("strategy", settings.strategy);
  settings.write = read.value("write", settings.write);
  settings.models = read.value("models", settings.models);
  settings.prices = read.value("prices", settings.prices);
  const json budget = read.value("budget", json::object());
  settings.budget = {budget.value("usd", 0.0), budget.value("calls", std::int64_t{0}), budget.value("candidates", 0),
                     budget.value("minutes", 0.0)};
  settings.stop_at_ceiling = read.value("stop_at_ceiling", settings.stop_at_ceiling);
  settings.stop_after_flat = read.value("stop_after_flat", settings.stop_after_flat);
  settings.attempts = read.value("attempts", settings.attempts);
  settings.width = read.value("width", settings.width);
  settings.tries = read.value("tries", settings.tries);
  settings.seeds = read.value("seeds", settings.seeds);
  settings.device = read.value("device", settings.device);
  settings.executor = read.value("executor", settings.executor);
  settings.evaluator = read.value("evaluator", settings.evaluator);
  settings.feedback = read.value("feedback", "none");  // a run from before there were profiles has none
  settings.tools = read.value("tools", settings.tools);
  settings.time_limit = read.value("time_limit", settings.time_limit);
  settings.unsafe = read.value("unsafe", settings.unsafe);
  return settings;
}

namespace {

constexpr std::string_view settings_decision = "settings/";

}  // namespace

std::string latest_settings(const store::ResearchRun& run,
                            const std::vector<std::pair<std::string, std::string>>& decisions) {
  std::string text = run.settings;
  for (const auto& [name, body] : decisions)
    if (name.starts_with(settings_decision)) text = body;
  return text;
}

Researcher::Researcher(const Research& research) : research_(research) {}

void Researcher::stop(RunState state, const std::string& why) {
  const std::lock_guard lock(mutex_);
  if (!stop_) stop_ = Stop{state, why};
}

bool Researcher::stopping() {
  if (give_up()) stop(RunState::stopped, "it was interrupted");
  const std::lock_guard lock(mutex_);
  return stop_.has_value();
}

void Researcher::say(const std::string& text) {
  const std::lock_guard lock(mutex_);
  research_.watcher.say(text);
}

void Researcher::note(const std::string& text) {
  const std::lock_guard lock(mutex_);
  research_.watcher.note(text);
}

void Researcher::doing(const std::string& role, const std::string& what) {
  {
    const std::lock_guard lock(mutex_);
    if (what.empty())
      doing_.erase(role);
    else
      doing_[role] = what;
  }
  publish();
}

namespace {

// The figures of the best member: how wide its widest interval is, and the case farthest from the ceiling.
void describe_best(ResearchStatus& status, const Member& best) {
  status.best = best.record.number;
  status.best_seconds = best.seconds();
  double widest = -1;
  for (const auto& result : best.evaluation->cases) {
    if (!result.timed || result.median <= 0) continue;
    const core::Interval relative{result.interval.low / result.median, result.interval.high / result.median};
    if (relative.high - relative.low > widest) {
      widest = relative.high - relative.low;
      status.best_interval = relative;
    }
    if (result.ceiling_fraction && (!status.ceiling_fraction || *result.ceiling_fraction < *status.ceiling_fraction)) {
      status.ceiling_fraction = result.ceiling_fraction;
      status.ceiling = result.ceiling;
    }
  }
}

}  // namespace

void Researcher::publish() {
  ResearchStatus status;
  status.spending = ledger_->spending();
  status.minutes = ledger_->minutes();
  const std::lock_guard lock(mutex_);
  status.run = run_;
  status.phase = phase_;
  status.generation = generation_;
  status.doing = doing_;
  status.budget = research_.settings.budget;
  for (const auto& [number, member] : population_.all()) {
    ++status.members;
    if (member.accepted())
      ++status.accepted;
    else if (member.evaluation)
      ++status.failed;
  }
  if (const Member* seed = population_.seed()) {
    status.seed = seed->record.number;
    status.seed_seconds = seed->seconds();
  }
  constexpr int any_generation = 1 << 30;
  if (const auto ranked = population_.ranking(any_generation); !ranked.empty()) describe_best(status, *ranked.front());
  research_.watcher.update(status);
}

void Researcher::writers_at_once(const std::vector<std::pair<std::string, std::function<void()>>>& writers) {
  std::vector<std::function<void()>> jobs;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [step, work] : writers) unsettled_.insert(step + "/try-1");
  }
  for (const auto& [step, work] : writers)
    jobs.push_back([this, first = step + "/try-1", work] {
      try {
        work();
      } catch (...) {
        settle(first);
        throw;
      }
      settle(first);  // whatever became of it
    });
  all_at_once(jobs);
}

void Researcher::all_at_once(const std::vector<std::function<void()>>& jobs) {
  std::vector<std::exception_ptr> thrown(jobs.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < jobs.size(); ++i)
    threads.emplace_back([&, i] {
      try {
        jobs[i]();
      } catch (...) {
        thrown[i] = std::current_exception();
      }
    });
  for (auto& thread : threads) thread.join();
  for (const auto& exception : thrown)
    if (exception) std::rethrow_exception(exception);
}

namespace {

// Whether it comes from a run's experiments rather than from a person or a document.
bool learned_by_research(store::Archive& archive, const store::Finding& finding) {
  return !finding.run.empty() &&
         json::parse(store::get_run(archive, finding.run).settings).value("strategy", "") != "learn";
}

}  // namespace

agents::Mission Researcher::mission() {
  agents::Mission mission = agents::mission_for(research_.task, research_.info, writes_python());
  mission.ceilings = research_.ceilings;
  const store::FindingFilter filter{research_.task.name, device_kind(), false, 40};
  ledger_->with([&](store::Archive& archive) {
    // The control arm knows what people and documents say, and nothing that a loop has learned.
    for (const auto& finding : store::findings(archive, filter))
      if (research_.settings.strategy != "oneshot" || !learned_by_research(archive, finding))
        mission.findings.push_back(finding.text);
  });
  return mission;
}

namespace {

// Each answer of a writer takes one, whatever became of it, except where it was asked for a probe.
int places_taken(store::Archive& archive, const std::string& run) {
  std::vector<std::string> probes;
  for (const auto& experiment : store::experiments_of(archive, run))
    if (experiment.kind == "probe")
      probes.push_back(fmt::format("{}/writer-{}/", generation_name(experiment.generation), experiment.index));
  std::set<std::string> steps;
  for (const auto& call : store::calls_of(archive, run, false))
    if (call.start.role == "writer" && call.end && call.end->answered &&
        std::none_of(probes.begin(), probes.end(),
                     [&](const auto& probe) { return call.start.step.starts_with(probe); }))
      steps.insert(call.start.step);
  return static_cast<int>(steps.size());
}

}  // namespace

void Researcher::open_run() {
  store::Archive& archive = research_.archive;
  record_task(archive, research_.task);
  if (!research_.resume.empty()) {
    const auto run = store::get_run(archive, research_.resume);
    if (run.task != research_.task.hash)
      base::fail(base::ExitCode::bad_input,
                 "the task of run {} has changed since: its verdicts would mean something else. Begin a new run",
                 run.id);
    run_ = run.id;
    lock_ = lock_run("research", run_);
    store::set_run_state(archive, run_, RunState::running, "resumed");
    const auto decisions = store::decisions_of(archive, run_);
    if (auto text = to_text(research_.settings); text != latest_settings(run, decisions))
      store::decide_once(archive, run_, fmt::format("{}{:06}", settings_decision, decisions.size()), text);
  } else {
    run_ = store::begin_run(archive, {.task = research_.task.hash,
                                      .device = research_.info.uuid,
                                      .device_name = research_.info.name,
                                      .settings = to_text(research_.settings)});
  }
  if (!lock_) lock_ = lock_run("research", run_);
  ledger_.emplace(archive, run_, research_.settings.budget, research_.interrupt.flag());
  population_ = Population::load(archive, run_);
  candidates_ = places_taken(archive, run_);
}

std::string Researcher::places_spent() const {
  return fmt::format("{} candidates were allowed", research_.settings.budget.candidates);
}

// The name of the rule that ends the run here, in words; "": it goes on.
std::string Researcher::stop_rule(int generation, int last_gain) {
  if (const auto cap = ledger_->spent(); !cap.empty()) return cap;
  const auto& settings = research_.settings;
  const std::lock_guard lock(mutex_);
  if (settings.budget.candidates > 0 && candidates_ >= settings.budget.candidates) return places_spent();
  if (settings.stop_after_flat > 0 && generation - last_gain > settings.stop_after_flat)
    return fmt::format("{} generations brought no gain", settings.stop_after_flat);
  const auto ranked = population_.ranking(generation);
  if (ranked.empty() || settings.stop_at_ceiling <= 0) return "";
  return core::reached_ceiling(*ranked.front()->evaluation, settings.stop_at_ceiling)
             ? fmt::format("the best member reached {:.0f} % of the measured ceiling", 100 * settings.stop_at_ceiling)
             : "";
}

std::optional<std::string> Researcher::decided(const std::string& name) {
  return ledger_->with([&](store::Archive& archive) { return store::decision(archive, run_, name); });
}

bool Researcher::begun(int generation) { return decided(generation_name(generation) + "/selection").has_value(); }

void Researcher::loop() {
  first_generation();
  if (stopping()) return;
  if (research_.settings.strategy == "oneshot") {
    one_shots();
    return;
  }
  int last_gain = 0;
  for (int number = 1; !stopping(); ++number) {
    if (!begun(number))
      if (const auto why = stop_rule(number, last_gain); !why.empty()) return stop(RunState::finished, why);
    generation(number);
    if (stopping()) return;
    if (incumbent_before(number + 1) != incumbent_before(number)) last_gain = number;
  }
}

ResearchResult Researcher::work() {
  open_run();
  ResearchResult result;
  result.run = run_;
  say(fmt::format("run {}: {} on {}", run_, research_.task.name, research_.evaluator.describe()));
  try {
    loop();
    if (!stop_) stop(RunState::finished, "everything was tried");
    const bool whole = stop_->state == RunState::finished && away_.empty();  // what is away may be the best
    if (whole) conclude(result);
  } catch (const std::exception& error) {  // whatever it is, the run is not at work any more
    store::set_run_state(research_.archive, run_, RunState::failed, error.what());
    throw;
  }
  result.state = stop_->state;
  result.stopped = stop_->why;
  result.away = away_;
  if (result.state == RunState::finished && !away_.empty()) result.state = RunState::away;
  store::set_run_state(research_.archive, run_, result.state, result.stopped);
  publish();
  return result;
}

ResearchResult research(const Research& research) { return Researcher(research).work(); }

}  // namespace hone::run
