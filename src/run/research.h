#pragma once
// The scientist: models select, design, write and learn; the judge decides. A run is a sequence of named steps, each
// recorded in the archive when it is done. Killed or stopped, it is resumed by walking through the same steps again:
// what is recorded is taken from there, and nothing that was paid for is asked or judged a second time. The loop stands
// on one thread; the writers of a generation on one each.
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/candidate.h"
#include "core/device_info.h"
#include "judge/judge.h"
#include "llm/client.h"
#include "llm/prices.h"
#include "run/evaluator.h"
#include "run/interrupt.h"
#include "store/research.h"

namespace hone::run {

struct ResearchBudget {
  double usd = 0;
  std::int64_t calls = 0;
  int candidates = 0;  // written by models; the user's seeds are not counted
  double minutes = 0;  // of all commands that work on the run
};                     // 0: no limit

struct ResearchSettings {
  std::filesystem::path task_path;
  std::string strategy = "scientist";         // or "oneshot"
  std::string write = "device";               // what models write: device code with a plan, or "python"
  std::map<std::string, std::string> models;  // by role; "" is for all roles without one of their own
  std::map<std::string, std::string> prices;  // by role, as the user gave them
  ResearchBudget budget;
  double stop_at_ceiling = 0.95;    // fraction of the measured ceiling, in every timed case
  int stop_after_flat = 5;          // generations without gain
  int attempts = 0;                 // of writers from nothing, beside seeds and translation
  int width = 3;                    // experiments of a generation
  int tries = 3;                    // answers of a writer to one experiment, until one is accepted
  std::vector<std::string> seeds;   // files of the user's own
  std::string device;               // as --device takes it; "" with an external evaluator
  std::string executor, evaluator;  // "bundle:DIR"; "exec:COMMAND"; "": here, by our own judge
  std::string feedback = "tools";   // what designers get of a profile: "tools", "raw" counters, or "none"
  std::vector<std::string> tools;   // programs of the user's that give advice too
  double time_limit = 20;           // seconds of one call of a candidate
  bool unsafe = false;              // native code runs even where no sandbox can be had
};
std::string to_text(const ResearchSettings& settings);  // JSON, as it is archived
ResearchSettings settings_from_text(const std::string& text);
// Those that the run was last at work with: what is given when it is resumed stays.
std::string latest_settings(const store::ResearchRun& run,
                            const std::vector<std::pair<std::string, std::string>>& decisions);

// A model as a role uses it.
struct RoleModel {
  std::shared_ptr<llm::LlmClient> client;
  std::optional<llm::Price> price;
};

// What a person sees of a run at work.
struct ResearchStatus {
  std::string run, phase;
  int generation = 0, members = 0, accepted = 0, failed = 0;
  std::map<std::string, std::string> doing;  // by role: "writer 2" -> "is asked", "00012 is judged"
  std::optional<int> best, seed;
  std::optional<double> best_seconds, seed_seconds;
  core::Interval best_interval;            // of its slowest case, relative to that case's median
  std::optional<double> ceiling_fraction;  // of the case that is farthest from it
  std::string ceiling;
  store::Spending spending;
  ResearchBudget budget;
  double minutes = 0;
};
struct ResearchWatcher {
  std::function<void(const std::string&)> say = [](const std::string&) {};  // a sentence that lasts
  // What happens in this moment: who is asked, what is waited for. The status says it too, for those who see it.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  std::function<void(const ResearchStatus&)> update = [](const ResearchStatus&) {};  // any thread, one at a time
};

// What a fresh process found of one member. Number and evaluation belong together: a report that names the one beside
// the other's figures is wrong.
struct Certification {
  int member = 0;
  store::EvaluationRecord record;

  bool passed() const { return record.evaluation.outcome == core::Outcome::accepted; }
};

struct ResearchResult {
  std::string run;
  store::RunState state = store::RunState::finished;
  std::string stopped;                         // why, in words
  std::optional<int> best, seed;               // members; best: nothing where certification refused all that were tried
  std::optional<Certification> certification;  // of the last member that was tried; nothing: it is not known yet
  std::optional<store::ComparisonRecord> compared;  // a: the seed, b: the best
  std::string conclusion;
  std::vector<std::string> away;  // jobs that wait for somebody to bring them back
  ResearchStatus status;

  bool certified() const { return certification && certification->passed(); }
};

struct Research {
  store::Archive& archive;
  const core::Task& task;
  core::DeviceInfo info;  // of an external evaluator: only its name
  core::Ceilings ceilings;
  ResearchSettings settings;
  std::map<std::string, RoleModel> models;  // by role, all of them
  Evaluator& evaluator;
  ResearchWatcher watcher;
  const Interrupt& interrupt;
  std::string resume;  // the run to go on with; "": a new one
};
ResearchResult research(const Research& research);

// The roles a run may ask, in the order of the loop.
const std::vector<std::string>& research_roles();

}  // namespace hone::run
