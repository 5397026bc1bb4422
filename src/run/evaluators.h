#pragma once
// The evaluators behind run/evaluator.h.
#include <filesystem>
#include <memory>

#include "core/task.h"
#include "exec/executor.h"
#include "exec/external_executor.h"
#include "judge/judge.h"
#include "run/evaluator.h"
#include "run/work.h"

namespace hone::run {

struct LocalEvaluatorOptions {
  std::filesystem::path task_path;
  judge::JudgeOptions judging;
  // Options that a fresh process of hone needs as well: before its command, and behind it.
  std::vector<std::string> pass_on, child_options;
};
// Our own judge, on a thread of its own: it is used by one thread, and a GPU times one candidate at a time.
std::unique_ptr<Evaluator> local_evaluator(const core::Task& task, const core::DeviceInfo& info,
                                           LocalEvaluatorOptions options);
// Jobs go where the executor brings them; `call_seconds` limits one call of a candidate there.
std::unique_ptr<Evaluator> remote_evaluator(const core::Task& task, const std::filesystem::path& task_path,
                                            const core::DeviceInfo& info, std::unique_ptr<exec::Executor> executor,
                                            double call_seconds);

// Somebody else's evaluator for an external task: `command` speaks docs/external.md. Open submissions are kept in the
// home folder.
std::unique_ptr<Evaluator> external_evaluator(const core::Task& task, const std::string& command);
core::DeviceInfo external_device(const std::string& command);  // only names
core::Evaluation external_evaluation(const core::Task& task, const core::Candidate& candidate,
                                     const core::DeviceInfo& info, const exec::ExternalAnswer& answer);

// ---- between what a run asks and the jobs that are done for it

// A candidate that is slower than the incumbent by more than this, when screened, is not compared with it.
constexpr double near_the_incumbent = 1.05;
EvalJob job_for(const JudgeRequest& request, const core::Task& task, const std::filesystem::path& task_path,
                double call_seconds);
EvalJob job_for(const ProfileRequest& request, const core::Task& task, const std::filesystem::path& task_path,
                double call_seconds);
EvalJob job_for(const ProbeRequest& request, const core::Task& task, const std::filesystem::path& task_path,
                core::Language language);
Profiled profiled_from(const EvalResult& result);
// Throw Error where the environment failed; nothing: given up.
std::optional<Judged> judged_from(const EvalResult& result, const std::function<bool()>& give_up);
std::optional<Probed> probed_from(const EvalResult& result);

}  // namespace hone::run
