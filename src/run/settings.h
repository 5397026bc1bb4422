#pragma once
// What a run was asked for, as the archive keeps it: everything that a resumed run needs to go on
// alike.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm/client.h"
#include "llm/prices.h"

namespace hone::run {

struct Budget {
  double usd = 0;
  std::int64_t calls = 0;
  int candidates = 0;  // written by models; the user's seeds are not counted
  double minutes = 0;  // of all commands that work on the run
};                     // 0: no limit

struct RunSettings {
  std::filesystem::path task_path;
  std::string strategy = "scientist";
  std::string write = "device";  // what models write: device code with a plan, or "python"
  std::map<std::string, std::string>
      models;  // by role; "" is for all roles without one of their own
  std::map<std::string, std::string> prices;  // by role, as the user gave them
  Budget budget;
  double stop_at_ceiling = 0.95;    // fraction of the measured ceiling, in every timed case
  int stop_after_flat = 5;          // generations without gain
  int attempts = 0;                 // of writers from nothing, beside seeds and translation
  int width = 3;                    // experiments of a generation
  int tries = 3;                    // answers of a writer to one experiment, until one is accepted
  int slots = 0;                    // candidates in flight; 0: most_in_flight
  std::vector<std::string> seeds;   // files of the user's own
  std::string device;               // as --device takes it; "" with an external evaluator
  std::string executor, evaluator;  // "bundle:DIR"; "exec:COMMAND"; "": here, by our own judge
  std::string feedback =
      "tools";  // what designers get of a profile: "tools", "raw" counters, or "none"
  std::vector<std::string> tools;  // programs of the user's that give advice too
  // Points of [tune] tables that the run may measure (run/tune_job.h): as many as a tuning run of
  // one candidate takes by a local search, so that it costs no more than one such run afterwards.
  int tune_evals = 200;
  double time_limit = 20;  // seconds of one call of a candidate
  bool unsafe = false;     // native code runs even where no sandbox can be had
};
// What a provider's limits usually bear, and more than one device judges meanwhile.
constexpr int most_in_flight = 16;

std::string to_text(const RunSettings& settings);         // JSON
RunSettings settings_from_text(const std::string& text);  // throws Error (archive)

// A model as a role uses it.
struct RoleModel {
  std::shared_ptr<llm::LlmClient> client;
  std::optional<llm::Price> price;
};
using RoleModels = std::map<std::string, RoleModel>;  // by the name of the role

}  // namespace hone::run
