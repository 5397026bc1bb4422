#include <chrono>
#include <cstdio>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "core/device_json.h"
#include "core/evaluation_json.h"
#include "core/json.h"
#include "judge/ceilings.h"
#include "judge/doubt.h"
#include "judge/judge.h"
#include "judge/precision/tensor_instructions.h"
#include "judge/python/candidate.h"
#include "run/record.h"
#include "runner/ahead.h"
#include "runner/build_request.h"
#include "text/evaluation_text.h"

namespace hone::cli {
using namespace text;
namespace {

using nlohmann::json;

// Compiling needs no device, so the candidates that come next are compiled beside the judging of this one: device code
// into the cache, and of Python what loading it compiles, which its own worker gets.
using Built = std::shared_future<std::optional<base::Fd>>;

struct Entry {
  core::Candidate candidate;
  core::Point point;
  Built built;  // or tried to: what went wrong is told when it is the candidate's turn
};

std::optional<base::Fd> build_device_code(const device::BuildRequest& request, const core::DeviceInfo& info,
                                          double seconds, bool counted) {
  const auto built = runner::build(request, info, seconds);  // what came of it is in the cache, or comes again
  if (built && built->result.ok && counted) (void)judge::tensor_counts(built->result.image);
  return std::nullopt;
}

class BuildsAhead {
 public:
  BuildsAhead(const core::Task& task, const core::DeviceInfo& info, double seconds)
      : task_(task), info_(info), seconds_(seconds) {}

  Built start(const Entry& entry) const {
    if (entry.candidate.language == core::Language::python) return start_python(entry);
    const auto point = entry.point.empty() ? core::default_point(entry.candidate.plan) : entry.point;
    const bool counted = task_.reference_py && entry.candidate.language == core::Language::cuda;
    return beside([request = runner::build_request(info_, entry.candidate.source, entry.candidate.name, point),
                   info = info_, seconds = seconds_,
                   counted] { return build_device_code(request, info, seconds, counted); });
  }

 private:
  // On a CPU there is nothing to compile, and it would disturb what is timed.
  Built start_python(const Entry& entry) const {
    if (core::capabilities(info_).native_code || !task_.interface) return {};
    return beside([task = task_, candidate = entry.candidate, info = info_, seconds = seconds_] {
      return runner::compile_ahead(runner::find_python(), info, judge::python_image(task, candidate), seconds);
    });
  }

  template <typename Work>
  static Built beside(Work work) {
    return std::async(std::launch::async, [work = std::move(work)]() -> std::optional<base::Fd> {
      try {
        return work();
      } catch (const std::exception&) {
        return std::nullopt;  // the judge will meet it again, and say so
      }
    });
  }

  const core::Task& task_;
  const core::DeviceInfo& info_;
  double seconds_;
};

// Half of the cores: the others are for what is being judged.
std::size_t builds_at_once() { return std::max(1u, std::thread::hardware_concurrency() / 2); }

struct Judged {
  core::Evaluation evaluation;
  std::string id;
  // A verdict that cannot be recorded is told all the same.
  std::optional<base::Error> not_recorded;
};

json to_json(const Judged& judged, const core::DeviceInfo& info) {
  auto said = core::to_json(judged.evaluation);
  said["device"] = core::to_json(info);
  if (!judged.id.empty()) said["id"] = judged.id;
  if (judged.not_recorded) said["error"] = cli::to_json(*judged.not_recorded);
  return said;
}

}  // namespace

int eval(const EvalOptions& options) {
  const core::Task task = task_from(options.task);
  require_device_task(task);
  std::vector<Entry> entries;
  for (const auto& file : options.candidates) {
    auto& entry = entries.emplace_back(Entry{candidate_for(task, file), {}, {}});
    entry.point = point_from(entry.candidate, options.set);
  }
  judge::EvaluateOptions evaluate;
  evaluate.depth = depth_from(options.depth);
  evaluate.case_name = options.case_name;
  judge::JudgeOptions judging;
  for (const auto& guard : options.without) judging.guards.switch_off(judge::guard_named(guard));
  require_case(task, options.case_name);
  const core::DeviceInfo info = device_for(options, entries.front().candidate);
  for (const auto& entry : entries) require_language(entry.candidate, info);
  // Opened before anything is measured: an archive that cannot be written is said at once. A verdict without all guards
  // is not recorded.
  std::optional<store::Archive> archive;
  if (!options.no_record && options.without.empty()) archive = archive_for(options);
  Progress progress(options.json);
  const bool several = entries.size() > 1;
  judging.unsafe = options.unsafe;
  judging.call_seconds = options.time_limit;
  judging.limits_first_call = options.time_limit_given;
  if (options.quick && !core::capabilities(info).native_code && evaluate.depth == core::Depth::screen)
    judging.sampling = judge::quick_rule;
  judging.progress = [&](const std::string& text) { progress.say(text); };
  judging.ceilings = judge::ceilings_of(info, true, {options.unsafe, judging.progress});
  // Opening the device takes longer than judging a quick one.
  constexpr int spare_runners = 3;
  judging.first_runners = entries.front().candidate.language == core::Language::python ? 0 : 1;
  judging.spare_runners = several ? spare_runners : 0;
  judging.one_by_one = several;
  judge::Judge judge(task, info, judging);

  BuildsAhead builds(task, info, judging.build_seconds);
  json list = json::array();
  auto code = base::ExitCode::ok;
  std::optional<base::Error> not_recorded;
  std::size_t ahead = 1;
  auto before = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    auto& entry = entries[i];
    evaluate.ahead = entry.built.valid() && entry.built.get() ? &*entry.built.get() : nullptr;
    for (; ahead < entries.size() && ahead <= i + builds_at_once(); ++ahead)
      entries[ahead].built = builds.start(entries[ahead]);
    if (several) progress.say(options.candidates[i]);
    evaluate.point = entry.point;
    Judged judged{judge::evaluate_in_doubt(judge, entry.candidate, evaluate), "", {}};
    evaluate.ahead = nullptr;
    entry.built = {};
    add_speedups(task, options.task, info, judged.evaluation);
    try {
      if (archive) judged.id = run::record(*archive, task, entry.candidate, judged.evaluation, info);
    } catch (const base::Error& error) {
      judged.not_recorded = not_recorded = error;
    }
    code = worse(code, exit_code(judged.evaluation.outcome));
    progress.say("");
    if (options.json) {
      list.push_back(to_json(judged, info));
      if (several) list.back()["candidate"] = options.candidates[i];
      // From the end of the one before it: waiting for its build included, but not what was done for it meanwhile.
      const auto now = std::chrono::steady_clock::now();
      list.back()["seconds"]["turn"] = std::chrono::duration<double>(now - std::exchange(before, now)).count();
      continue;
    }
    if (several) std::printf("%s%s\n", i == 0 ? "" : "\n", options.candidates[i].c_str());
    std::fputs(report(judged.evaluation, info, screen_of(stdout)).c_str(), stdout);
    if (!judged.id.empty()) std::printf("recorded as %s\n", judged.id.c_str());
    std::fflush(stdout);
  }
  if (options.json) std::fputs(core::json_text(several ? json{{"evaluations", list}} : list.front()).c_str(), stdout);
  if (not_recorded) return tell(*not_recorded);
  return static_cast<int>(code);
}

}  // namespace hone::cli
