#include "cli/recheck.h"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/subject.h"
#include "core/evaluation_json.h"
#include "core/json.h"
#include "judge/ceilings.h"
#include "judge/judge.h"
#include "run/record.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using base::ExitCode;
using base::fail;
using Word = Recheck::Word;

// The task as it was then: the same hash, in the folder it had or in the one that was given.
core::Task task_of(store::Archive& archive, const RecheckCommand& command, const std::string& hash) {
  const auto record = store::get_task(archive, hash);
  const std::string folder = command.task.empty() ? record.folder : command.task;
  auto task = task::load_task(folder);
  if (!task)
    fail(ExitCode::bad_input, "the task {} cannot be read from {}: give its folder with --task\n{}", record.name,
         folder, task::render_with_sources(task.error()));
  if (task->hash != hash)
    fail(ExitCode::bad_input,
         "{}: the task {} has changed since this was recorded ({} then, {} now), so nothing can be checked again. Give "
         "the folder of the task as it was with --task, or judge the candidate anew with `hone eval`",
         folder, record.name, store::short_hash(hash), store::short_hash(task->hash));
  return *std::move(task);
}

core::Candidate candidate_of(store::Archive& archive, const Subject& subject) {
  auto candidate =
      task::candidate_from(store::get_candidate(archive, subject.hash).source, subject.language, subject.name);
  if (!candidate) fail(ExitCode::bad_input, "{}", task::render_with_sources(candidate.error()));
  return *std::move(candidate);
}

std::string table_of(const core::Evaluation& then, const core::Evaluation& now, const Screen& screen) {
  constexpr auto right = Column::Align::right;
  Table table({{"case"}, {"recorded", right}, {"now", right}, {"now / recorded", right}});
  for (const auto& c : now.cases) {
    if (!c.timed) continue;
    for (const auto& before : then.cases)
      if (before.timed && before.name == c.name)
        table.add({printable(c.name), format_seconds(before.median), format_seconds(c.median),
                   fmt::format("{:.3f}", c.median / before.median)});
  }
  if (then.geomean && now.geomean)
    table.add({"geometric mean", format_seconds(*then.geomean), format_seconds(*now.geomean),
               fmt::format("{:.3f}", *now.geomean / *then.geomean)});
  return table.empty() ? "" : table.text(screen);
}

// What is not as it was: it explains a difference.
std::string changes(const core::EvaluationKey& then, const core::EvaluationKey& now) {
  std::string out;
  const auto add = [&](const char* name, const std::string& before, const std::string& after) {
    if (before != after) out += fmt::format("{}: {} then, {} now\n", name, printable(before), printable(after));
  };
  add("device", then.device, now.device);
  add("driver", then.driver, now.driver);
  add("compiler", then.compiler, now.compiler);
  add("depth", std::string(core::name_of(then.depth)), std::string(core::name_of(now.depth)));
  add("protocol", std::to_string(then.protocol), std::to_string(now.protocol));
  return out;
}

int code_for(Word word) {
  return static_cast<int>(word == Word::not_accepted ? ExitCode::not_accepted
                          : word == Word::undecided  ? ExitCode::undecided
                          : word == Word::slower     ? ExitCode::slower
                                                     : ExitCode::ok);
}

}  // namespace

std::string_view name_of(Word word) {
  constexpr std::string_view names[] = {"holds", "faster", "slower", "not accepted", "undecided", "not comparable"};
  return names[static_cast<std::size_t>(word)];
}

Recheck recheck_verdict(const core::Evaluation& then, const core::Evaluation& now, core::ClockKind clock) {
  // What two sessions on one machine differ by, seen in docs/measurements.md: clocks, temperature, neighbours.
  constexpr double cpu_noise = 0.10, gpu_noise = 0.02;
  Recheck verdict;
  verdict.margin = clock == core::ClockKind::host ? cpu_noise : gpu_noise;
  if (now.outcome == core::Outcome::undecided) {
    verdict.word = Word::undecided;
    verdict.reason = "Other programs kept this machine too busy to tell: try again when it is idle.";
    return verdict;
  }
  if (now.outcome != core::Outcome::accepted || !now.geomean) {
    verdict.word = Word::not_accepted;
    verdict.reason = then.outcome == core::Outcome::accepted
                         ? fmt::format("It is not accepted any more: {}.", core::name_of(now.outcome))
                         : fmt::format("It is not accepted ({}), and was not when it was recorded ({}).",
                                       core::name_of(now.outcome), core::name_of(then.outcome));
    return verdict;
  }
  if (then.outcome != core::Outcome::accepted) {
    verdict.reason =
        fmt::format("It is accepted now; when it was recorded it was not ({}).", core::name_of(then.outcome));
    return verdict;
  }
  if (!then.geomean || then.key.device != now.key.device || then.key.cases != now.key.cases) {
    verdict.reason = !then.geomean                       ? "It is right; no time of it was recorded."
                     : then.key.device != now.key.device ? "It is right here; its recorded time is of another device."
                                                         : "It is right; its recorded time is of other cases.";
    return verdict;
  }
  verdict.ratio = *now.geomean / *then.geomean;
  const std::string within =
      fmt::format("{:.3f} of the recorded time, where {:.0f} % are noise", verdict.ratio, 100 * verdict.margin);
  if (verdict.ratio > 1 + verdict.margin) {
    verdict.word = Word::slower;
    verdict.reason = fmt::format("It does not hold: it is right, and slower than it was ({}).", within);
  } else {
    verdict.word = verdict.ratio < 1 - verdict.margin ? Word::faster : Word::holds;
    verdict.reason = verdict.word == Word::faster ? fmt::format("It holds, and is faster than it was ({}).", within)
                                                  : fmt::format("It holds ({}).", within);
  }
  return verdict;
}

int recheck(const RecheckCommand& command) {
  auto archive = archive_for(command);
  const Subject subject = subject_from(archive, command.id);
  if (subject.language == core::Language::external)
    fail(ExitCode::bad_input,
         "{} was judged by somebody else's evaluator, and nothing here can judge it again: give the source to that "
         "evaluator (`hone best` writes it)",
         subject.label);
  if (!subject.evaluation)
    fail(ExitCode::bad_input, "{} was never evaluated, so there is nothing to check again: `hone eval` judges it",
         subject.label);
  const core::Evaluation& then = subject.evaluation->evaluation;
  const core::Task task = task_of(archive, command, then.key.task);
  const core::Candidate candidate = candidate_of(archive, subject);
  const core::DeviceInfo info = device_for(command, candidate);
  Progress progress(command.json);
  judge::JudgeOptions judging;
  judging.unsafe = command.unsafe;
  judging.call_seconds = command.time_limit;
  judging.limits_first_call = command.time_limit_given;
  judging.progress = [&](const std::string& text) { progress.step({text, {}, {}}); };
  judging.ceilings = judge::ceilings_of(info, true, {command.unsafe, judging.progress});
  judge::EvaluateOptions evaluate;
  evaluate.depth = core::Depth::certify;
  evaluate.point = then.key.point;
  if (then.key.cases.size() == 1) evaluate.case_name = then.key.cases.front();
  judge::Judge judge(task, info, judging);
  const core::Evaluation now = judge.evaluate(candidate, evaluate);
  const std::string id = run::record(archive, task, candidate, now, info);
  progress.step({});
  const Recheck verdict = recheck_verdict(then, now, core::clock_of(info));
  if (command.json) {
    nlohmann::json answer = {{"word", name_of(verdict.word)},
                             {"reason", verdict.reason},
                             {"margin", verdict.margin},
                             {"candidate", subject.hash},
                             {"recorded", to_json(then)},
                             {"now", to_json(now)},
                             {"recorded_id", subject.evaluation->id},
                             {"id", id}};
    answer["ratio"] =
        now.geomean && verdict.word != Word::not_comparable ? nlohmann::json(verdict.ratio) : nlohmann::json(nullptr);
    std::fputs(core::json_text(answer).c_str(), stdout);
    return code_for(verdict.word);
  }
  const Screen screen = screen_of(stdout);
  if (verdict.word == Word::not_accepted || verdict.word == Word::undecided)
    std::fputs(evaluation_report(now, info, screen).c_str(), stdout);
  fmt::print("{}\n{}{}\n{}recorded as {}\n", printable(subject.label), table_of(then, now, screen), verdict.reason,
             changes(then.key, now.key), id);
  return code_for(verdict.word);
}

}  // namespace hone::cli
