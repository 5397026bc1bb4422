// Tools that use the device: evaluate, compare, profile, tune; and export, which needs none.
#include <fmt/format.h>

#include <algorithm>

#include "app/compare.h"
#include "app/evaluate.h"
#include "app/export.h"
#include "app/profile.h"
#include "app/tune.h"
#include "base/error.h"
#include "base/fields.h"
#include "mcp/tool.h"
#include "text/compare_text.h"
#include "text/evaluation_text.h"
#include "text/profile_text.h"

namespace hone::mcp {
namespace {

constexpr int usual_points = 200;  // of a search; an agent can go on with another call
constexpr const char* task_about = "The task's folder, or a problem such as kernelbench:level1/23.";
constexpr const char* set_about = "Tunables as NAME=VALUE, instead of their defaults.";

void require_count(const std::vector<std::string>& settings) {
  constexpr std::size_t most = 64;
  if (settings.size() > most)
    base::fail(base::ExitCode::usage, "\"set\" has {} entries, and may have {}", settings.size(),
               most);
}

std::string recorded(const std::string& id) {
  return id.empty() ? "" : fmt::format("recorded as {}\n", id);
}

std::string not_recorded(const std::optional<base::Error>& error) {
  return error ? fmt::format("It is not recorded: {}\n", error->what()) : "";
}

// ---- evaluate

struct Evaluate : app::EvaluateRequest {
  std::string candidate;
};
void describe(base::Fields& f, Evaluate& a) {
  f("task", a.task, task_about);
  f("candidate", a.candidate, "The file: .cl, .cu or .py.");
  f.optional("case", a.case_name, "Only this case; such a verdict is not for all.");
  f.optional("depth", a.depth, "screen (default) or certify: all guards, for a final candidate.");
  f.optional("set", a.set, set_about);
  f.optional("time_limit", a.limit.seconds, "Seconds for one call of the candidate (default: 20).");
}
app::EvaluateResult evaluate(Evaluate& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  a.candidates = {inside(call.place, a.candidate, "candidate")};
  require_count(a.set);
  require_range("time_limit", a.limit.seconds, 0.01, 600);
  call.evals = 1;
  return app::evaluate(a, call.sink);
}
std::string evaluated_text(const Evaluate&, const app::EvaluateResult& result) {
  std::string text;
  for (const auto& verdict : result.verdicts)
    text += text::evaluation_report(verdict.evaluation, result.device, {}) + recorded(verdict.id) +
            not_recorded(verdict.not_recorded);
  return text;
}
// Of one candidate, which is all that a call judges.
std::string evaluated_schema() {
  app::EvaluateResult one;
  one.verdicts.emplace_back();
  return base::write_schema([&](base::Fields& f) { f.value(one); });
}

// ---- compare

struct Compare : app::CompareRequest {};
void describe(base::Fields& f, Compare& a) {
  f("task", a.task, task_about);
  f("a", a.a, "The file to compare with.");
  f("b", a.b, "The file in question: is it faster than a?");
  f.optional("case", a.case_name, "Only this case.");
  f.optional("depth", a.depth, "screen (default) or certify.");
  f.optional("margin", a.margin, "Differences within this fraction count as none (0.002: 0.2 %).");
  f.optional("max_seconds", a.seconds, "For the rounds.");
}
app::CompareResult compare(Compare& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  a.a = inside(call.place, a.a, "a");
  a.b = inside(call.place, a.b, "b");
  if (a.margin != 0) require_range("margin", a.margin, 0.0001, 0.5);
  if (a.seconds != 0) require_range("max_seconds", a.seconds, 0.1, 3600);
  call.evals = 2;
  return app::compare(a, call.sink);
}
std::string compared_text(const Compare& a, const app::CompareResult& result) {
  return text::comparison_report(a.a, a.b, result.comparison, result.device, {}) +
         recorded(result.id) + not_recorded(result.not_recorded);
}

// ---- profile

struct Profile : app::ProfileRequest {};
void describe(base::Fields& f, Profile& a) {
  f("task", a.task, task_about);
  f("candidate", a.candidate, "The file; it must be one that is accepted.");
  f.optional("case", a.case_name, "Of this case (default: the timed one that takes longest).");
  f.optional("set", a.set, set_about);
  f.optional("energy", a.energy, "Joules too, which takes several seconds more.");
}
app::ProfileResult profile(Profile& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  a.candidate = inside(call.place, a.candidate, "candidate");
  require_count(a.set);
  call.evals = 1;
  return app::profile(a, call.sink);
}
std::string profiled_text(const Profile&, const app::ProfileResult& result) {
  if (!result.profile)
    return text::evaluation_report(result.refusal, result.device, {}) +
           "Only an accepted candidate is profiled.\n";
  return text::profile_text(*result.profile, {}) + recorded(result.id) +
         not_recorded(result.not_recorded);
}
std::string profiled_schema() {
  app::ProfileResult refused, done;
  done.profile.emplace();
  const auto schema_of = [](const app::ProfileResult& result) {
    return base::write_schema([&](base::Fields& f) { f.value(result); });
  };
  return any_schema({schema_of(done), schema_of(refused)});
}

// ---- tune

struct Tune : app::TuneRequest {
  std::uint64_t points = usual_points;
};
void describe(base::Fields& f, Tune& a) {
  f("task", a.task, task_about);
  f("candidate", a.candidate, "A .cl or .cu file whose plan has a [tune] table.");
  f.optional("case", a.case_name, "Only this case.");
  f.optional("max_evals", a.points, "Points that may be tried (default: 200).");
  f.optional("max_minutes", a.max_minutes, "For the search.");
  f.optional("seed", a.seed, "Decides the order in which points are tried.");
  f.optional("out", a.out, "The file for the result (default: CANDIDATE.tuned.EXT beside it).");
  f.optional("force", a.force, "Overwrite that file, whatever it holds.");
}
int points_wanted(const Tune& a) {
  return static_cast<int>(std::min<std::uint64_t>(a.points, 1'000'000));
}
app::TuneResult tune(Tune& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  a.candidate = inside(call.place, a.candidate, "candidate");
  if (!a.out.empty()) a.out = inside(call.place, a.out, "out");
  require_range("max_evals", static_cast<double>(a.points), 1, 1e6);
  if (a.max_minutes != 0) require_range("max_minutes", a.max_minutes, 0.01, 1e4);
  a.max_evals = std::min<std::size_t>(a.points, static_cast<std::size_t>(call.evals));
  auto result = app::tune(a, call.sink);
  call.evals = static_cast<int>(result.tuning.status.done);
  return result;
}
std::string tuned_text(const Tune&, const app::TuneResult& result) {
  const auto& tuning = result.tuning;
  std::string text = fmt::format("{}\ntuning run {}: {}\n", app::status_line(tuning.status),
                                 tuning.run, tuning.stopped);
  if (!tuning.conclusion.empty()) text += tuning.conclusion + "\n";
  if (!tuning.written.empty()) text += fmt::format("wrote {}\n", tuning.written.string());
  return text;
}

// ---- export

struct Export : app::ExportRequest {};
void describe(base::Fields& f, Export& a) {
  f("task", a.task, task_about);
  f("candidate", a.candidate, "The file.");
  f.optional("format", a.format,
             "cuda or opencl (C++), torch, hf-kernels, kernelbench or gpumode (default: C++ in the "
             "candidate's own language).");
  f.optional("out", a.out, "The folder for the files (default: TASK-FORMAT).");
  f.optional("set", a.set, set_about);
  f.optional("force", a.force, "Overwrite files that hold something else.");
}
app::ExportResult export_candidate(Export& a, Call& call) {
  static_cast<app::CommonOptions&>(a) = call.place.common;
  a.task = task_inside(call.place, a.task);
  a.candidate = inside(call.place, a.candidate, "candidate");
  if (!a.out.empty()) a.out = inside(call.place, a.out, "out");
  require_count(a.set);
  return app::export_candidate(a, call.sink);
}
std::string exported_text(const Export&, const app::ExportResult& result) {
  std::string text = result.warning.empty() ? "" : fmt::format("warning: {}\n", result.warning);
  for (const auto& file : result.files) {
    text += fmt::format("wrote {}\n", file.path.string());
    for (const auto& note : file.notes) text += fmt::format("note: {}: {}\n", file.name, note);
  }
  return text;
}

template <typename Arguments>
int evals(const Arguments&) {
  return std::is_same_v<Arguments, Compare> ? 2 : 1;
}

}  // namespace

std::vector<Tool> judging_tools() {
  using enum Tool::Runs;
  Tool evaluating{
      "evaluate", "Judge a candidate",
      "Says whether a candidate is right, honest, and how fast it is in each case, with "
      "the evidence. Its time counts only when the outcome is \"accepted\". Takes about "
      "a second on a GPU, longer on a CPU.",
      apart};
  evaluating.result = evaluated_schema();
  Tool profiling{
      "profile", "Explain a candidate's time",
      "Says what limits an accepted candidate, and what to do about it, with the gain to "
      "expect, in order. Do this before you change a kernel, and follow one advice at a "
      "time.",
      apart};
  profiling.result = profiled_schema();
  return {
      judging(make_tool(std::move(evaluating), evaluate, evaluated_text), evals<Evaluate>),
      judging(make_tool({"compare", "Compare two candidates",
                         "Says whether b is faster than a, and how sure that is, by measuring both "
                         "in turns. Believe this, not two separate times: times of different "
                         "minutes differ.",
                         apart},
                        compare, compared_text),
              evals<Compare>),
      judging(make_tool(std::move(profiling), profile, profiled_text), evals<Profile>),
      judging(make_tool({"tune", "Tune a candidate",
                         "Searches the values of a candidate's [tune] table for the fastest point, "
                         "certifies it, and writes it as a candidate. Takes minutes. Cancelled, it "
                         "goes on when the same call comes again.",
                         apart, false, true},
                        tune, tuned_text),
              points_wanted),
      make_tool({"export", "Export a candidate",
                 "Writes a candidate as files that work without Hone, to a folder.", apart},
                export_candidate, exported_text),
  };
}

}  // namespace hone::mcp
