#pragma once
// The commands as functions: options in, an exit code out. main.cc reads the command line into
// these structs and does nothing else.
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/baseline.h"
#include "app/best.h"
#include "app/bundle.h"
#include "app/common_options.h"
#include "app/compare.h"
#include "app/diff.h"
#include "app/doctor.h"
#include "app/evaluate.h"
#include "app/export.h"
#include "app/findings.h"
#include "app/learn.h"
#include "app/log.h"
#include "app/profile.h"
#include "app/recheck.h"
#include "app/report.h"
#include "app/resources.h"
#include "app/run.h"
#include "app/selftest.h"
#include "app/show.h"
#include "app/simulate.h"
#include "app/table.h"
#include "app/task_check.h"
#include "app/task_new.h"
#include "app/tools.h"
#include "app/tune.h"
#include "app/worker.h"

namespace hone::cli {

// A request of app/ as it was typed.
template <typename Request>
struct Typed : Request {
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

struct ProfileCommand : Typed<app::ProfileRequest> {
  std::string again;  // id of a recorded profile, instead of task and candidate
};
int profile(const ProfileCommand& command);

int compare(const Typed<app::CompareRequest>& command);

int tune(const Typed<app::TuneRequest>& command);

struct RunCommand : Typed<app::RunRequest> {
  bool dry_run = false;
};
int run(const RunCommand& command);
using ResumeCommand = Typed<app::ResumeRequest>;
int resume(const ResumeCommand& command);

int learn(const Typed<app::LearnRequest>& command);

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

int recheck(const Typed<app::RecheckRequest>& command);

struct RunsCommand : Typed<app::CommonOptions> {
  std::string run;  // "": a list
  int limit = 20;
  bool follow = false;  // until it is not at work any more
};
int runs(const RunsCommand& command);

int bundle_pack(const Typed<app::BundlePackRequest>& command);
int bundle_run(const Typed<app::BundleRunRequest>& command);
int bundle_device(const Typed<app::BundleDeviceRequest>& command);
int bundle_import(const Typed<app::BundleImportRequest>& command);
struct SimulateCommand : Typed<app::SimulateRequest> {
  bool figures = false;  // print what recorded runs say, and simulate nothing
};
int simulate(const SimulateCommand& command);

int job(const app::CommonOptions&
            place);  // hidden: a job on standard input, its result on standard output

struct McpCommand : Typed<app::CommonOptions> {
  std::string folder;  // "": the current one
  int max_evals = 500;
  double max_minutes = 120, max_usd = 0;              // usd: 0 is no limit
  std::map<std::string, std::string> models, prices;  // of runs, by role
  std::string install;                                // a folder: write instructions, serve nothing
  bool force = false;
};
int mcp_server(const McpCommand& command);
struct CallCommand {
  std::string tool;
};
// Hidden: a call of that server's; the request on standard input, lines of JSON on standard output.
int call_tool(const CallCommand& command);
int worker(const Typed<app::WorkerRequest>& command);
int work(const app::WorkerRequest& command);  // hidden: the process of a worker that does the jobs

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
