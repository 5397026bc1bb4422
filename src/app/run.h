#pragma once
// `hone run` and `hone resume`: models write kernels for a task, the judge decides, until a budget
// is spent or nothing is left to gain.
#include <functional>
#include <optional>
#include <string>

#include "app/common_options.h"
#include "app/estimate.h"
#include "app/sink.h"
#include "base/fields_fwd.h"
#include "base/result.h"
#include "run/run.h"

namespace hone::app {

struct RunRequest : CommonOptions {
  std::string task;  // its folder, or a problem of KernelBench or GPU MODE
  std::map<std::string, std::string> models, prices;  // by role; "" is for all
  std::string strategy = "scientist", executor, evaluator, feedback = "tools", write = "device";
  std::vector<std::string> tools;  // programs of the user's that give advice
  run::Budget budget;
  double stop_at_ceiling = 0.95;
  std::optional<double> time_limit;
  int stop_after_flat = 5, attempts = 0, width = 3, tries = 3, slots = 0;
  std::optional<int> tune_evals;
  std::vector<std::string> seeds;
};

struct ResumeRequest : CommonOptions {
  std::string run;                                    // its id, or a prefix of it
  std::map<std::string, std::string> models, prices;  // what is given again wins
  run::Budget budget;
  std::optional<double> time_limit;
  std::optional<int> tune_evals;
  int slots = 0;
};

struct RunDone {
  run::RunResult result;
  run::RunSettings settings;
};
void describe(base::Fields& fields, const RunDone& done);
using StatusCallback = std::function<void(const run::RunStatus&)>;  // from the run's thread

// Throws Error (usage) where no model was named: has_model() says so before.
RunDone run(const RunRequest& request, Sink& sink, const StatusCallback& status = {});
RunDone resume(const ResumeRequest& request, Sink& sink, const StatusCallback& status = {});
RunEstimate estimate(const RunRequest& request, Sink& sink);  // asks no model and measures nothing

bool has_model(const RunRequest& request);
// What can be done without a model: the kernel that tuning would start from, or why there is none.
base::Result<std::string> tunable_seed(const RunRequest& request, Sink& sink);
// What a run without a model would do: no calls, no dollars.
struct TuningInstead {
  std::string seed;
};
void describe(base::Fields& fields, const TuningInstead& instead);

// How far a run is that may be at work in another process.
struct RunProgress {
  run::RunStatus status;
  std::string state;  // "running", "stopped", "killed", ...
};
RunProgress run_progress(const CommonOptions& place, const std::string& run);
void describe(base::Fields& fields, const RunProgress& progress);

inline constexpr const char* how_to_get_a_model =
    "No model was named, so nothing new is written. The three easiest ways to get one:\n"
    "  a key:           export ANTHROPIC_API_KEY=... (or OPENAI_API_KEY), then --llm "
    "anthropic:MODEL or openai:MODEL\n"
    "  your own server: --llm openai:MODEL@http://localhost:11434/v1 (Ollama, vLLM, llama.cpp)\n"
    "  a coding agent:  --llm 'exec:COMMAND', a program that reads a prompt and writes an answer\n"
    "docs/models.md says more.\n";

}  // namespace hone::app
