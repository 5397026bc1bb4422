#pragma once
// How the command line is read: options that many commands take, and the commands whose options
// stand in files of their own. Each set_up function adds its options and gives back what is to be
// done once they are read. Only here and in what includes it is CLI11 known.
#include <CLI/CLI.hpp>
#include <functional>

#include "cli/commands.h"
#include "core/evaluation.h"

namespace hone::cli {

CLI::Validator positive();  // a finite number greater than zero
// --time-limit; `given` where it was named, and so holds for the first call of a candidate in
// Python too.
void add_time_limit(CLI::App& app, double& seconds, bool& given);
// --depth screen or certify.
void add_depth(CLI::App& app, core::Depth& depth, const std::string& what);
void add_no_record(CLI::App& app, bool& record, const std::string& what);
void add_json(CLI::App& app, bool& json);
void add_problems(CLI::App& app);  // --kernelbench and --python
void add_python(CLI::App& app);    // --python
void add_place(CLI::App& app, app::CommonOptions& place, bool& json, bool with_device = true);

// ---- set_up_profile.cc: what explains
std::function<int()> set_up_profile(CLI::App& app);
std::function<int()> set_up_tools(CLI::App& app);

// ---- set_up_baseline.cc: torch itself, and tables of results
std::function<int()> set_up_baseline(CLI::App& app);
std::function<int()> set_up_table(CLI::App& app);

// ---- set_up_mcp.cc: for agents
std::function<int()> set_up_mcp(CLI::App& app);
std::function<int()> set_up_call(CLI::App& app);

// ---- set_up_bundle.cc: work that travels
std::function<int()> set_up_bundle(CLI::App& app);
std::function<int()> set_up_job(CLI::App& app);

// ---- set_up_worker.cc: a worker of a cluster
std::function<int()> set_up_worker(CLI::App& app);
std::function<int()> set_up_work(CLI::App& app);
// ---- set_up_simulate.cc
std::function<int()> set_up_simulate(CLI::App& app);

// ---- set_up_archive.cc: what reads the archive
std::function<int()> set_up_log(CLI::App& app);
std::function<int()> set_up_show(CLI::App& app);
std::function<int()> set_up_runs(CLI::App& app);
std::function<int()> set_up_findings(CLI::App& app);
std::function<int()> set_up_best(CLI::App& app);
std::function<int()> set_up_diff(CLI::App& app);
std::function<int()> set_up_report(CLI::App& app);
std::function<int()> set_up_recheck(CLI::App& app);

}  // namespace hone::cli
