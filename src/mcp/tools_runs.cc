// Tools for runs of models: start, resume, watch and stop them; and what the server itself is at.
// The models are the server's: an agent that could name one could start any program (exec:COMMAND).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/run.h"
#include "base/error.h"
#include "base/fields.h"
#include "mcp/tool.h"
#include "store/research.h"
#include "text/format.h"

namespace hone::mcp {
namespace {

using base::ExitCode;

constexpr int usual_candidates = 30;  // of a run whose length an agent does not say

// What a call gives that began a run, or ended with it.
struct RunBegun {
  std::string run, state;
};
void describe(base::Fields& f, const RunBegun& begun) {
  f("run", begun.run, "Its id, for watch_run, stop_run, best and show.")("state", begun.state);
}
template <typename Arguments>
std::string begun_text(const Arguments&, const RunBegun& begun) {
  return fmt::format("run {}: {}\n", begun.run, begun.state);
}

// Tells the id once, and counts what models wrote.
app::StatusCallback watching(Call& call) {
  return [&call, told = false](const run::RunStatus& status) mutable {
    if (!told && !status.run.empty() && call.begun) call.begun(status.run);
    told = told || !status.run.empty();
  };
}

RunBegun ended(const app::RunDone& done, Call& call, double usd_before = 0) {
  call.evals = done.result.status.candidates;
  call.usd = done.result.status.spending.usd - usd_before;
  return {done.result.run, std::string(store::name_of(done.result.state))};
}

// ---- start_run

struct StartRun : app::RunRequest {};
void describe(base::Fields& f, StartRun& a) {
  f("task", a.task, "The task's folder, or a problem such as kernelbench:level1/23.");
  f.optional("seeds", a.seeds, "Kernels of yours to begin with.");
  f.optional("strategy", a.strategy, "How it searches (default: scientist).");
  f.optional("write", a.write, "device (default) or python.");
  f.optional("attempts", a.attempts, "First attempts from nothing (default: 0).");
  f.optional("width", a.width, "Experiments at once (default: 3).");
  f.optional("max_candidates", a.budget.candidates, "That models may write (default: 30).");
  f.optional("max_calls", a.budget.calls, "Calls of models.");
  f.optional("max_usd", a.budget.usd, "Dollars (default: all that the server has left).");
  f.optional("max_minutes", a.budget.minutes, "Minutes.");
}
int candidates_wanted(const StartRun& a) {
  return a.budget.candidates > 0 ? a.budget.candidates : usual_candidates;
}
// A point is an evaluation, and the server's budget of these is for candidates and the tool `tune`.
constexpr int no_tuning = 0;

RunBegun start_run(StartRun& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  for (auto& seed : a.seeds) seed = inside(call.place, seed, "seeds");
  a.models = call.place.models;
  a.tune_evals = no_tuning;
  a.prices = call.place.prices;
  require_range("attempts", a.attempts, 0, 64);
  require_range("width", a.width, 1, 16);
  require_range("max_usd", a.budget.usd, 0, 1e6);
  require_range("max_minutes", a.budget.minutes, 0, 1e5);
  require_range("max_calls", static_cast<double>(a.budget.calls), 0, 1e6);
  a.budget.candidates = std::min(candidates_wanted(a), call.evals);
  if (call.place.max_usd > 0) a.budget.usd = call.place.max_usd;  // booked of what is left
  if (!app::has_model(a))
    base::fail(ExitCode::usage,
               "this server has no model: start it with `hone mcp --llm MODEL` (or $HONE_LLM). "
               "Without one, write candidates yourself, and evaluate and tune them");
  return ended(app::run(a, call.sink, watching(call)), call);
}

// ---- resume_run

struct ResumeRun : app::ResumeRequest {};
void describe(base::Fields& f, ResumeRun& a) {
  f("run", a.run, "The run's id, or a prefix of it.");
  f.optional("max_candidates", a.budget.candidates, "That models may write, over all of the run.");
}
int candidates_wanted(const ResumeRun& a) {
  return a.budget.candidates > 0 ? a.budget.candidates : usual_candidates;
}
RunBegun resume_run(ResumeRun& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.tune_evals = no_tuning;
  a.models = call.place.models;
  a.prices = call.place.prices;
  const double before = app::run_progress(a, a.run).status.spending.usd;
  if (call.place.max_usd > 0) a.budget.usd = before + call.place.max_usd;
  return ended(app::resume(a, call.sink, watching(call)), call, before);
}

// ---- watch_run

struct WatchRun {
  std::string run;
  double seconds = 0;
};
void describe(base::Fields& f, WatchRun& a) {
  f("run", a.run, "The run's id, or a prefix of it.");
  f.optional("wait_seconds", a.seconds,
             "Wait so long for the run to end (default: 0, at most 600).");
}
app::RunProgress watch_run(WatchRun& a, Call& call) {
  constexpr auto look_again = std::chrono::milliseconds(300);
  require_range("wait_seconds", a.seconds, 0, 600);
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(a.seconds);
  std::string last;
  while (true) {
    auto progress = app::run_progress(call.place.common, a.run);
    const bool running = progress.state == store::name_of(store::RunState::running);
    if (!running || call.sink.cancelled() || std::chrono::steady_clock::now() >= until)
      return progress;
    std::string text =
        fmt::format("{}: {} candidates", progress.status.phase, progress.status.candidates);
    if (text != last) call.sink.step({last = std::move(text), {}, {}});
    std::this_thread::sleep_for(look_again);
  }
}
std::string watched_text(const WatchRun&, const app::RunProgress& progress) {
  const run::RunStatus& status = progress.status;
  std::string text =
      fmt::format("run {}: {}, {}; {} candidates, {} accepted, {} failed\n", status.run,
                  progress.state, status.phase, status.candidates, status.accepted, status.failed);
  if (status.best_seconds)
    text += fmt::format("best {:05}: {}\n", status.best.value_or(0),
                        text::format_seconds(*status.best_seconds));
  if (status.seed_seconds)
    text += fmt::format("seed: {}\n", text::format_seconds(*status.seed_seconds));
  for (const auto& [role, doing] : status.doing) text += fmt::format("{} {}\n", role, doing);
  return text;
}

// ---- stop_run

struct StopRun {
  std::string run;
};
void describe(base::Fields& f, StopRun& a) { f("run", a.run, "The run's id."); }
RunBegun stop_run(StopRun& a, Call& call) {
  if (!call.stop_run || !call.stop_run(a.run))
    base::fail(ExitCode::bad_input,
               "no run {} of this server is at work: `status` lists those that are, and watch_run "
               "says what became of another",
               base::valid_utf8(a.run.substr(0, 60)));
  return {a.run, "stopping"};
}

// ---- status

struct Status {};
void describe(base::Fields& f, Status&) { f.names(); }
ServerStatus status(Status&, Call& call) {
  return call.status ? call.status() : ServerStatus{call.place.folder.string()};
}
std::string status_text(const Status&, const ServerStatus& status) {
  std::string runs;
  for (const auto& run : status.runs) runs += (runs.empty() ? "" : ", ") + run;
  return fmt::format(
      "folder {}\ndevice {}\nbudget {} of {} evaluations, {:.1f} of {:g} minutes used{}\ncalls {}\n"
      "runs at work: {}\n",
      status.folder, status.device.empty() ? "the best one here" : status.device, status.evals,
      status.max_evals, status.minutes, status.max_minutes,
      status.max_usd > 0 ? fmt::format(", {:.2f} of {:g} dollars", status.usd, status.max_usd) : "",
      status.calls, runs.empty() ? "none" : runs);
}

}  // namespace

void describe(base::Fields& f, const ServerStatus& status) {
  f("folder", status.folder, "The one folder whose files are read and written.");
  f("device", status.device)("evals", status.evals)("max_evals", status.max_evals);
  f("minutes", status.minutes)("max_minutes", status.max_minutes)("runs", status.runs);
  f("usd", status.usd)("max_usd", status.max_usd)("calls", status.calls);
}

std::vector<Tool> run_tools() {
  using enum Tool::Runs;
  int (*const starting)(const StartRun&) = candidates_wanted;
  int (*const resuming)(const ResumeRun&) = candidates_wanted;
  return {
      judging(
          make_tool({"start_run", "Start a run",
                     "Starts a search in which the server's models write kernels for a task and "
                     "the judge decides. Answers when the run has begun, with its id; it goes "
                     "on in the background, as long as this server lives.",
                     background, false, true},
                    start_run, begun_text<StartRun>),
          starting),
      judging(make_tool({"resume_run", "Go on with a run",
                         "Goes on with a run that was stopped or killed. Nothing that was paid for "
                         "is asked or judged again.",
                         background, false, true},
                        resume_run, begun_text<ResumeRun>),
              resuming),
      make_tool({"watch_run", "Watch a run",
                 "Says how far a run is: candidates, the best so far, spending. Can wait for its "
                 "end.",
                 here, true},
                watch_run, watched_text),
      make_tool(
          {"stop_run", "Stop a run",
           "Asks a run of this server to end at the next good place; it can be resumed.", here},
          stop_run, begun_text<StopRun>),
      make_tool({"status", "What this server is at",
                 "Says which folder and device the server uses, what is left of its budget, and "
                 "which runs are at work.",
                 here, true},
                status, status_text),
  };
}

}  // namespace hone::mcp
