#pragma once
// The commands as functions: options in, an exit code out. main.cc reads the command line into these structs and does
// nothing else.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/compare.h"
#include "app/doctor.h"
#include "app/evaluate.h"
#include "app/learn.h"
#include "app/place.h"
#include "app/profile.h"
#include "app/recheck.h"
#include "app/selftest.h"
#include "app/task_check.h"
#include "app/task_new.h"
#include "app/tune.h"

namespace hone::cli {

// A request of app/ as it was typed.
template <typename Request>
struct Typed : Request {
  bool json = false;
};

// What many commands take.
struct Common : app::Place {
  bool json = false;
};

int eval(const Typed<app::EvaluateRequest>& command);

struct ProfileCommand : Typed<app::ProfileRequest> {
  std::string again;  // id of a recorded profile, instead of task and candidate
};
int profile(const ProfileCommand& command);

struct ToolsCommand : Common {};
int tools(const ToolsCommand& command);

int compare(const Typed<app::CompareRequest>& command);

int tune(const Typed<app::TuneRequest>& command);

struct RunCommand : Common {
  std::string task;                                   // of resume: the run
  std::map<std::string, std::string> models, prices;  // by role; "" is for all
  std::string strategy = "scientist", executor, evaluator, feedback = "tools", write = "device";
  std::vector<std::string> tools;  // programs of the user's that give advice
  double max_usd = 0, max_minutes = 0, stop_at_ceiling = 0.95;
  std::optional<double> time_limit;
  std::int64_t max_calls = 0;
  int max_candidates = 0, stop_after_flat = 5, attempts = 0, width = 3, tries = 3;
  std::vector<std::string> seeds;
  bool dry_run = false;
};
int run(const RunCommand& command);
int resume(const RunCommand& command);

int learn(const Typed<app::LearnRequest>& command);

struct ExportCommand {
  std::vector<std::string> candidates;  // as given: the task and the candidate, or the candidate alone
  std::string candidate, task, format, out;
  std::vector<std::string> set;
  bool json = false, force = false;
};
int export_candidate(const ExportCommand& command);

struct LogCommand : Common {
  std::string task, outcome, before;
  int limit = 20;
};
int log(const LogCommand& command);

struct ShowCommand : Common {
  std::string id;
  int limit = 20;
};
int show(const ShowCommand& command);

struct FindingsCommand : Common {
  enum class Action { list, add, edit, remove, show } action = Action::list;
  std::string task, about;  // about: an architecture or a device's name
  std::string id, text;
  int limit = 50;
};
int findings(const FindingsCommand& command);

struct BestCommand : Common {
  std::string run, out;  // out "": standard output
  bool force = false;    // overwrite a file that holds something else
};
int best(const BestCommand& command);

struct DiffCommand : Common {
  std::string a, b;  // files, ids, RUN:NUMBER
};
int diff(const DiffCommand& command);

struct ReportCommand : Common {
  std::string run, beside, out;  // out "": standard output, without the chart
  std::string beside_archive;    // where `beside` is; "": in the same one
  bool force = false;            // overwrite files that hold something else
};
int report_run(const ReportCommand& command);

struct RecheckCommand : Typed<app::RecheckRequest> {
  std::string id;  // of a candidate or an evaluation, RUN:00012, or a run for its best
};
int recheck(const RecheckCommand& command);

struct RunsCommand : Common {
  std::string run;  // "": a list
  int limit = 20;
};
int runs(const RunsCommand& command);

struct BundlePackCommand {
  std::string folder, out;
  bool json = false;
};
int bundle_pack(const BundlePackCommand& command);

struct BundleRunCommand : Common {
  std::string file, out;
  double max_minutes = 0;
  // Set by hone itself for the processes that do the work, so that one that crashes costs only its job.
  bool inner = false;
  std::string only;
};
int bundle_run(const BundleRunCommand& command);

struct BundleDeviceCommand : Common {
  std::string out;
};
int bundle_device(const BundleDeviceCommand& command);

struct BundleImportCommand {
  std::string folder, file;
  bool json = false;
};
int bundle_import(const BundleImportCommand& command);

struct ResourcesCommand {
  std::string folder;
  bool json = false;
};
int export_resources(const ResourcesCommand& command);

struct ConfigCommand {
  bool json = false;
};
int config(const ConfigCommand& command);

int doctor(const Typed<app::DoctorRequest>& command);

struct SelftestCommand : Typed<app::SelftestRequest> {
  bool cheats = false, guards = false;  // judge the specimens; or only list the guards
};
int selftest(const SelftestCommand& command);

int task_check(const Typed<app::TaskCheckRequest>& command);
int task_new(const Typed<app::TaskNewRequest>& command);

}  // namespace hone::cli
