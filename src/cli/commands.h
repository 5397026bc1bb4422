#pragma once
// The commands as functions: options in, an exit code out. main.cc reads the command line into these structs and does
// nothing else.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/baseline.h"
#include "app/best.h"
#include "app/diff.h"
#include "app/evaluate.h"
#include "app/export.h"
#include "app/findings.h"
#include "app/log.h"
#include "app/place.h"
#include "app/report.h"
#include "app/run.h"
#include "app/resources.h"
#include "app/show.h"
#include "app/table.h"
#include "app/tools.h"

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
int baseline(const Typed<app::BaselineRequest>& command);
int table(const Typed<app::TableRequest>& command);
int tools(const Typed<app::ToolsRequest>& command);
int log(const Typed<app::LogRequest>& command);
int show(const Typed<app::ShowRequest>& command);
int diff(const Typed<app::DiffRequest>& command);
int best(const Typed<app::BestRequest>& command);
int export_resources(const Typed<app::ResourcesRequest>& command);

struct ProfileCommand : Common {
  std::string task, candidate, case_name;
  std::string again;               // id of a recorded profile, instead of task and candidate
  std::vector<std::string> set;    // NAME=VALUE for tunables
  std::vector<std::string> tools;  // programs of the user's
  bool no_source = false, energy = false, sanitize = false;
  double time_limit = 20;
  bool time_limit_given = false;
};
int profile(const ProfileCommand& command);

struct CompareOptions : Common {
  std::string task, a, b, case_name, depth = "screen";
  double margin = 0;  // 0: the device's default
  double seconds = 0;
  bool no_record = false;
};
int compare(const CompareOptions& options);

struct TuneCommand : Common {
  std::string task, candidate, case_name, out;
  std::size_t max_evals = 0;
  double max_minutes = 0, time_limit = 20;
  std::uint64_t seed = 1;
  bool resume = false, fresh = false, force = false;
};
int tune(const TuneCommand& command);

struct RunCommand : Typed<app::RunRequest> {
  bool dry_run = false;
};
int run(const RunCommand& command);
using ResumeCommand = Typed<app::ResumeRequest>;
int resume(const ResumeCommand& command);

struct LearnCommand : Common {
  std::vector<std::string> files;
  std::string task, llm, price;
  double max_usd = 0;
  bool again = false;
};
int learn(const LearnCommand& command);

struct ExportCommand : Typed<app::ExportRequest> {
  std::vector<std::string> words;  // the task and the candidate, or the candidate alone
};
int export_candidate(const ExportCommand& command);

struct FindingsCommand : Typed<app::FindingsRequest> {
  enum class Action { list, add, edit, remove, show } action = Action::list;
  std::string id, text;
};
int findings(const FindingsCommand& command);

using ReportCommand = Typed<app::ReportRequest>;
int report_run(const ReportCommand& command);

struct RecheckCommand : Common {
  std::string id, task;  // task: its folder, where it is not where it was
  double time_limit = 20;
  bool time_limit_given = false;
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

struct ConfigCommand {
  bool json = false;
};
int config(const ConfigCommand& command);

struct DoctorOptions : Common {
  bool measure = false;     // the ceilings again, even where they are known
  bool no_measure = false;  // not even where they are not
};
int doctor(const DoctorOptions& options);

struct SelftestOptions : Common {
  bool cheats = false, guards = false;  // judge the specimens; or only list the guards
  bool no_clock = false;
  std::string without, only_row, kind;
};
int selftest(const SelftestOptions& options);

struct TaskCheckOptions : Common {
  std::string task;
  double max_seconds = 0;  // for everything; 0: see judge::AdmissionOptions
};
int task_check(const TaskCheckOptions& options);

struct TaskNewOptions {
  std::string name, from, reference, example;
  double seconds = 120;  // that a reference in Python may take
  bool json = false;
};
int task_new(const TaskNewOptions& options);

}  // namespace hone::cli
