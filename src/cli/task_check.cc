#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/words.h"
#include "cli/baseline.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "core/device_json.h"
#include "core/json.h"
#include "device/device.h"
#include "judge/admission.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"
#include "text/evaluation_text.h"
#include "text/table.h"

namespace hone::cli {
using namespace text;
namespace {

using judge::AdmissionCheck;
using nlohmann::json;
using Verdict = AdmissionCheck::Verdict;

// JSON has no infinity.
json number(double value) { return std::isfinite(value) ? json(value) : json("infinite"); }

std::string counted(const auto& things, std::string_view singular) {
  return base::counted(static_cast<std::int64_t>(things.size()), singular);
}

std::string figure(double value) { return std::isfinite(value) ? fmt::format("{:.3g}", value) : "not finite"; }

Colour colour_of(Verdict verdict) {
  return verdict == Verdict::ok ? Colour::good : verdict == Verdict::doubtful ? Colour::doubtful : Colour::bad;
}

// How near a check is to going wrong: the case that is nearest stands for all of them.
double nearness(const AdmissionCheck& check) {
  if (!check.has_figures) return 0;
  const double ratio = check.bound > 0 ? check.figure / check.bound : check.figure > 0 ? INFINITY : 0;
  const bool large_is_good = check.expectation == "must fail" || check.expectation == "should fail" ||
                             check.expectation == "at least" || check.expectation == "more than";
  return large_is_good ? -ratio : ratio;
}

bool worse(const AdmissionCheck& a, const AdmissionCheck& b) {
  if (a.verdict != b.verdict) return a.verdict > b.verdict;
  if (a.forgiven != b.forgiven) return b.forgiven;
  return nearness(a) > nearness(b);
}

struct Row {
  const AdmissionCheck* check;  // the case that is nearest to going wrong
  std::size_t cases = 0;        // in how many it went as wrong
};

// One row for each check, over all cases.
std::vector<Row> rows_of(const judge::Admission& admission) {
  std::vector<Row> rows;
  std::map<std::string, std::size_t> at;
  for (const auto& check : admission.checks) {
    const auto [known, fresh] = at.try_emplace(check.name + "\n" + check.output, rows.size());
    if (fresh) rows.push_back({&check, 0});
    Row& row = rows[known->second];
    if (check.verdict != row.check->verdict) row.cases = check.verdict > row.check->verdict ? 0 : row.cases;
    row.cases += check.verdict >= row.check->verdict ? 1 : 0;
    if (worse(check, *row.check)) row.check = &check;
  }
  return rows;
}

std::string table_of(const std::vector<Row>& rows, const Screen& screen) {
  using Align = Column::Align;
  Table table({{""},
               {"what"},
               {"output", Align::left, 2},
               {"expected"},
               {"figure", Align::right},
               {"bound", Align::right},
               {"nearest case", Align::left, 1},
               {"trust row", Align::right, 3}});
  for (const auto& [check, cases] : rows)
    table.add({paint(std::string(judge::name_of(check->verdict)), colour_of(check->verdict), screen),
               printable(check->name), printable(check->output), check->expectation,
               check->has_figures ? figure(check->figure) : "", check->has_figures ? figure(check->bound) : "",
               printable(check->case_name), check->row > 0 ? std::to_string(check->row) : ""});
  return table.text(screen);
}

json to_json(const AdmissionCheck& check) {
  json out = {{"verdict", judge::name_of(check.verdict)},
              {"name", check.name},
              {"case", check.case_name},
              {"output", check.output},
              {"row", check.row},
              {"forgiven", check.forgiven},
              {"text", printable_lines(check.text)}};
  if (check.has_figures)
    out.update({{"expected", check.expectation}, {"figure", number(check.figure)}, {"bound", number(check.bound)}});
  return out;
}

int malformed(const task::Diagnostics& diagnostics, bool as_json) {
  if (as_json) {
    json list = json::array();
    for (const auto& diagnostic : diagnostics)
      list.push_back({{"file", diagnostic.file},
                      {"line", diagnostic.at.line},
                      {"column", diagnostic.at.column},
                      {"message", printable_lines(diagnostic.message)}});
    std::fputs(core::json_text({{"admitted", false}, {"malformed", list}}).c_str(), stdout);
  } else {
    std::fprintf(stderr, "%s\n%s to fix\n", printable_lines(task::render_with_sources(diagnostics)).c_str(),
                 base::counted(static_cast<std::int64_t>(diagnostics.size()), "mistake").c_str());
  }
  return static_cast<int>(base::ExitCode::bad_input);
}

// What can be said without its evaluator: that everything is there.
int check_external(const core::Task& task, bool as_json) {
  if (as_json) {
    json names = json::array();
    for (const auto& which : task.cases) names.push_back(which.name);
    std::fputs(core::json_text({{"admitted", true},
                                {"task", task.name},
                                {"external", true},
                                {"cases", names},
                                {"notes", {"only its own evaluator can say whether candidates are right"}}})
                   .c_str(),
               stdout);
  } else {
    fmt::print(
        "{} is well formed ({}, {}); it is external, so only its own evaluator can say whether "
        "candidates are right\n",
        printable(task.name), counted(task.cases, "case"), counted(task.external->seeds, "seed"));
  }
  return static_cast<int>(base::ExitCode::ok);
}

// The device that is asked for, or the best one here that the task has cases for; without any, the C++ reference alone
// will do.
core::DeviceInfo device_for(const TaskCheckOptions& options, const core::Task& task, bool& has_device) {
  has_device = true;
  if (!options.device.empty()) return device::find_device(options.device);
  for (const auto& backend : device::discover())
    for (const auto& info : backend.devices)
      if (judge::has_case_for(task, info)) return info;
  has_device = false;
  return device::find_device("fake:0");
}

}  // namespace

int task_check(const TaskCheckOptions& options) {
  if (names_several(options.task)) return weak_problems(options);
  const std::string folder = task_folder(options.task);
  if (const auto diagnostics = task::check_task(folder); !diagnostics.empty())
    return malformed(diagnostics, options.json);
  const core::Task task = task_from(folder);
  if (task.external) return check_external(task, options.json);
  Progress progress(options.json);
  judge::AdmissionOptions admission_options;
  admission_options.unsafe = options.unsafe;
  if (options.max_seconds > 0) admission_options.seconds = admission_options.all_seconds = options.max_seconds;
  admission_options.failed = [&](const std::string& text) { progress.say(text); };
  admission_options.progress = [&](const std::string& text) { progress.step({text, {}, {}}); };
  const core::DeviceInfo info = device_for(options, task, admission_options.device);
  const judge::Admission admission = judge::admit(task, info, admission_options);
  progress.step({});
  const std::string where =
      admission_options.device ? info.id + " " + info.name : "no device for it here: with the C++ reference alone";
  if (options.json) {
    json checks = json::array();
    for (const auto& check : admission.checks) checks.push_back(to_json(check));
    json out = {{"admitted", admission.admitted()},
                {"task", task.name},
                {"device", admission_options.device ? to_json(info) : json()},
                {"cases", admission.cases},
                {"notes", admission.notes},
                {"checks", checks}};
    std::fputs(core::json_text(out).c_str(), stdout);
  } else {
    const Screen screen = screen_of(stdout);
    const auto rows = rows_of(admission);
    fmt::print("{}", table_of(rows, screen));
    for (const auto& [check, cases] : rows)
      if (check->verdict != Verdict::ok)
        fmt::print("{}{}{}: {}\n",
                   paint(std::string(judge::name_of(check->verdict)), colour_of(check->verdict), screen),
                   check->case_name.empty() ? "" : " on case " + printable(check->case_name),
                   cases > 1 ? fmt::format(" and {} more", cases - 1) : "", printable_lines(check->text));
    for (const auto& note : admission.notes) fmt::print("note: {}\n", printable(note));
    fmt::print("{} is {} ({}, {})\n", printable(task.name),
               paint(admission.admitted() ? "admitted" : "not admitted",
                     admission.admitted() ? Colour::good : Colour::bad, screen),
               counted(admission.cases, "case"), printable(where));
  }
  return static_cast<int>(admission.admitted() ? base::ExitCode::ok : base::ExitCode::not_accepted);
}

}  // namespace hone::cli
