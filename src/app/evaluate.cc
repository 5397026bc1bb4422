#include "app/evaluate.h"

#include <chrono>

#include "app/inputs.h"
#include "base/fields.h"
#include "judge/builds_ahead.h"
#include "judge/doubt.h"
#include "judge/judge.h"
#include "run/record.h"
#include "tables/speedups.h"

namespace hone::app {
namespace {

using Clock = std::chrono::steady_clock;

struct Entry {
  core::Candidate candidate;
  core::Point point;
  judge::BuiltAhead built;
};

std::vector<Entry> read_entries(const EvaluateRequest& request, const core::Task& task,
                                Sink& sink) {
  std::vector<Entry> entries;
  for (const auto& file : request.candidates) {
    auto& entry = entries.emplace_back(Entry{candidate_for(task, file, sink), {}, {}});
    entry.point = point_from(entry.candidate, request.set);
  }
  return entries;
}

judge::JudgeOptions judging_of(const EvaluateRequest& request, const core::DeviceInfo& info,
                               const std::vector<Entry>& entries, Sink& sink) {
  constexpr int spare_runners = 3;  // opening the device takes longer than judging a quick one
  const bool several = entries.size() > 1;
  judge::JudgeOptions judging = judging_for(request, request.limit, info, sink);
  for (const auto& guard : request.without) judging.guards.switch_off(judge::guard_named(guard));
  if (request.quick && !core::capabilities(info).native_code &&
      request.depth == core::Depth::screen)
    judging.sampling = judge::quick_rule;
  judging.first_runners = entries.front().candidate.language == core::Language::python ? 0 : 1;
  judging.spare_runners = several ? spare_runners : 0;
  judging.one_by_one = several;
  return judging;
}

void describe_verdict(base::Fields& f, const Verdict& verdict, const core::DeviceInfo& device) {
  f.value(verdict.evaluation);
  f("device", device);
  f.sparse("id", verdict.id).sparse("error", verdict.not_recorded);
  f.group("seconds", [&] { f("turn", verdict.turn_seconds); });
}

}  // namespace

EvaluateResult evaluate(const EvaluateRequest& request, Sink& sink,
                        const std::function<void(const Verdict&, const core::DeviceInfo&)>& each) {
  const core::Task task = task_from(request.task, sink);
  require_device_task(task);
  auto entries = read_entries(request, task, sink);
  require_case(task, request.case_name);
  EvaluateResult result{device_for(request, entries.front().candidate), {}};
  const core::DeviceInfo& info = result.device;
  for (const auto& entry : entries) require_language(entry.candidate, info);
  // Opened before anything is measured: an archive that cannot be written is said at once. A
  // verdict without all guards is not recorded.
  std::optional<store::Archive> archive;
  if (request.record && request.without.empty()) archive = archive_for(request);
  const auto judging = judging_of(request, info, entries, sink);
  judge::Judge judge(task, info, judging);
  judge::EvaluateOptions options;
  options.depth = request.depth;
  options.case_name = request.case_name;
  auto before = Clock::now();
  for (std::size_t i = 0, ahead = 1; i < entries.size(); ++i) {
    auto& entry = entries[i];
    options.ahead = entry.built.valid() && entry.built.get() ? &*entry.built.get() : nullptr;
    for (; ahead < entries.size() && ahead <= i + judge::builds_at_once(); ++ahead)
      entries[ahead].built = judge::build_ahead(task, entries[ahead].candidate,
                                                entries[ahead].point, info, judging.build_seconds);
    if (entries.size() > 1)
      sink.step({request.candidates[i], double(i) / double(entries.size()), {}});
    options.point = entry.point;
    Verdict& verdict = result.verdicts.emplace_back();
    verdict.file = request.candidates[i];
    verdict.evaluation = judge::evaluate_in_doubt(judge, entry.candidate, options);
    options.ahead = nullptr;
    entry.built = {};
    tables::add_speedups(task, request.task, info, verdict.evaluation);
    try {
      if (archive)
        verdict.id = run::record(*archive, task, entry.candidate, verdict.evaluation, info);
    } catch (const base::Error& error) {
      verdict.not_recorded = error;
    }
    const auto now = Clock::now();
    verdict.turn_seconds = std::chrono::duration<double>(now - std::exchange(before, now)).count();
    sink.step({});
    if (each) each(verdict, info);
    if (sink.cancelled()) break;
  }
  return result;
}

void describe(base::Fields& f, const EvaluateResult& result) {
  if (result.verdicts.size() == 1)
    return describe_verdict(f, result.verdicts.front(), result.device);
  f.list("evaluations", result.verdicts, [&](const Verdict& verdict) {
    describe_verdict(f, verdict, result.device);
    f("candidate", verdict.file);
  });
}

}  // namespace hone::app
