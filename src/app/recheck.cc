#include "app/recheck.h"

#include <fmt/format.h>

#include "app/inputs.h"
#include "app/named_candidate.h"
#include "base/error.h"
#include "base/fields.h"
#include "judge/judge.h"
#include "run/record.h"
#include "store/candidates.h"
#include "store/evaluations.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::app {
namespace {

using base::ExitCode;
using base::fail;
using Word = Recheck::Word;

// The task as it was then: the same hash, in the folder it had or in the one that was given.
core::Task task_as_recorded(store::Archive& archive, const RecheckRequest& request,
                            const std::string& hash) {
  const auto record = store::get_task(archive, hash);
  const std::string folder = request.task.empty() ? record.folder : request.task;
  auto task = task::load_task(folder);
  if (!task)
    fail(ExitCode::bad_input, "the task {} cannot be read from {}: give its folder with --task\n{}",
         record.name, folder, task::render_with_sources(task.error()));
  if (task->hash != hash)
    fail(ExitCode::bad_input,
         "{}: the task {} has changed since this was recorded ({} then, {} now), so nothing can be "
         "checked again. Give the folder of the task as it was with --task, or judge the candidate "
         "anew with `hone eval`",
         folder, record.name, store::short_hash(hash), store::short_hash(task->hash));
  return *std::move(task);
}

core::Candidate candidate_as_recorded(store::Archive& archive, const std::string& label,
                                      const std::string& hash) {
  const auto record = store::get_candidate(archive, hash);
  if (record.line.language == core::Language::external)
    fail(ExitCode::bad_input,
         "{} was judged by an external evaluator, and nothing here can judge it again: give the "
         "source to that evaluator (`hone best` writes it)",
         label);
  auto candidate = task::candidate_from(record.source, record.line.language, record.line.name);
  if (!candidate) fail(ExitCode::bad_input, "{}", task::render_with_sources(candidate.error()));
  return *std::move(candidate);
}

// Of a candidate that is accepted now and has no recorded time to compare with: why not. "": it has
// one.
std::string why_not_comparable(const core::Evaluation& then, const core::Evaluation& now) {
  if (then.outcome != core::Outcome::accepted)
    return fmt::format("It is accepted now; when it was recorded it was not ({}).",
                       core::name_of(then.outcome));
  if (!then.geomean) return "It is right; no time of it was recorded.";
  if (then.key.device != now.key.device)
    return "It is right here; its recorded time is of another device.";
  return then.key.cases != now.key.cases ? "It is right; its recorded time is of other cases." : "";
}

std::string why_not_accepted(const core::Evaluation& then, const core::Evaluation& now) {
  return then.outcome == core::Outcome::accepted
             ? fmt::format("It is not accepted any more: {}.", core::name_of(now.outcome))
             : fmt::format("It is not accepted ({}), and was not when it was recorded ({}).",
                           core::name_of(now.outcome), core::name_of(then.outcome));
}

}  // namespace

std::string_view name_of(Word word) {
  constexpr std::string_view names[] = {"holds",        "faster",    "slower",
                                        "not accepted", "undecided", "not comparable"};
  return names[static_cast<std::size_t>(word)];
}

Recheck recheck_verdict(const core::Evaluation& then, const core::Evaluation& now,
                        core::ClockKind clock) {
  // What two measurements on one machine differ by, seen in bench/results/judge.md: clocks,
  // temperature, other programs.
  constexpr double cpu_noise = 0.10, gpu_noise = 0.02;
  Recheck verdict;
  verdict.margin = clock == core::ClockKind::host ? cpu_noise : gpu_noise;
  if (now.outcome == core::Outcome::undecided) {
    verdict.word = Word::undecided;
    verdict.reason =
        "Other programs kept this machine too busy to tell: try again when it is idle.";
    return verdict;
  }
  if (now.outcome != core::Outcome::accepted || !now.geomean) {
    verdict.word = Word::not_accepted;
    verdict.reason = why_not_accepted(then, now);
    return verdict;
  }
  verdict.reason = why_not_comparable(then, now);
  if (!verdict.reason.empty()) return verdict;
  verdict.ratio = *now.geomean / *then.geomean;
  const std::string within = fmt::format("{:.3f} of the recorded time, where {:.0f} % are noise",
                                         verdict.ratio, 100 * verdict.margin);
  if (verdict.ratio > 1 + verdict.margin) {
    verdict.word = Word::slower;
    verdict.reason =
        fmt::format("It does not hold: it is right, and slower than it was ({}).", within);
  } else {
    verdict.word = verdict.ratio < 1 - verdict.margin ? Word::faster : Word::holds;
    verdict.reason = verdict.word == Word::faster
                         ? fmt::format("It holds, and is faster than it was ({}).", within)
                         : fmt::format("It holds ({}).", within);
  }
  return verdict;
}

RecheckResult recheck(const RecheckRequest& request, Sink& sink) {
  auto archive = archive_for(request);
  auto named = candidate_named(archive, request.id);
  if (!named.evaluation)
    fail(ExitCode::bad_input,
         "{} was never evaluated, so there is nothing to check again: `hone eval` judges it",
         named.label);
  RecheckResult result;
  result.label = named.label;
  result.then_id = named.evaluation->id;
  const core::Evaluation& then = result.then = std::move(named.evaluation->evaluation);
  const core::Task task = task_as_recorded(archive, request, then.key.task);
  const core::Candidate candidate =
      candidate_as_recorded(archive, result.label, then.key.candidate);
  const core::DeviceInfo& info = result.device = device_for(request, candidate);
  judge::EvaluateOptions options;
  options.depth = core::Depth::certify;
  options.point = then.key.point;
  if (then.key.cases.size() == 1) options.case_name = then.key.cases.front();
  judge::Judge judge(task, info, judging_for(request, request.limit, info, sink));
  require_wanted(sink);
  result.now = judge.evaluate(candidate, options);
  result.id = run::record(archive, task, candidate, result.now, info);
  sink.step({});
  result.verdict = recheck_verdict(then, result.now, core::clock_of(info));
  return result;
}

void describe(base::Fields& f, const RecheckResult& result) {
  const Recheck& verdict = result.verdict;
  const bool has_ratio = result.now.geomean && verdict.word != Word::not_comparable;
  f("word", name_of(verdict.word))("reason", verdict.reason)("margin", verdict.margin);
  f("candidate", result.then.key.candidate)("recorded", result.then)("now", result.now);
  f("recorded_id", result.then_id)("id", result.id)("ratio", has_ratio ? &verdict.ratio : nullptr);
}

}  // namespace hone::app
