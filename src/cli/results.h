#pragma once
// What a command prints of its result for a person. A command (cli/commands.h) asks app/, prints
// one of these texts or the result's JSON, and returns an exit code (cli/exit_code.h); so what
// users read is tested on results that a test makes up, without a device. Each text is made beside
// its command. Pure; the screen decides on colours and width.
#include "app/bundle.h"
#include "app/compare.h"
#include "app/doctor.h"
#include "app/evaluate.h"
#include "app/learn.h"
#include "app/profile.h"
#include "app/recheck.h"
#include "app/run.h"
#include "app/selftest.h"
#include "app/settings.h"
#include "app/task_check.h"
#include "app/task_new.h"
#include "app/tools.h"
#include "app/weak_problems.h"
#include "text/format.h"

namespace hone::cli {

std::string verdict_report(const app::Verdict& verdict, const core::DeviceInfo& device,
                           const text::Screen& screen);
std::string compared_text(const app::CompareRequest& request, const app::CompareResult& result,
                          const text::Screen& screen);
std::string profiled_text(const app::ProfileResult& result, const text::Screen& screen);
std::string tools_text(const app::ToolsResult& result, const text::Screen& screen);
std::string run_done_text(const app::RunDone& done, const text::Screen& screen);
std::string learned_text(const run::Learned& learned);
std::string rechecked_text(const app::RecheckResult& result, const text::Screen& screen);
std::string packed_text(const app::BundlePackResult& result);
std::string bundle_run_text(const app::BundleRunRequest& request,
                            const app::BundleRunResult& result);
std::string imported_text(const run::Imported& imported);
// Of a task that is well formed; what is wrong with another one goes to standard error.
std::string task_checked_text(const app::TaskCheckResult& result, const text::Screen& screen);
std::string weak_problems_text(const app::WeakProblemsResult& result, const text::Screen& screen);
std::string task_made_text(const app::TaskNewRequest& request, const app::TaskNewResult& result);
std::string doctor_text(const app::DoctorResult& result, const text::Screen& screen);
std::string selftested_text(const app::SelftestResult& result, const text::Screen& screen);
// By the order of app::setting_kinds().
std::string config_text(const std::vector<app::Setting>& settings, const text::Screen& screen);

}  // namespace hone::cli
