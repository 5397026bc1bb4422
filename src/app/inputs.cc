#include "app/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "adapters/gpumode.h"
#include "adapters/kernelbench.h"
#include "base/error.h"
#include "base/files.h"
#include "base/printable.h"
#include "device/device.h"
#include "judge/ceilings.h"
#include "tables/problems.h"
#include "task/borrowed_plan.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::app {

using base::ExitCode;

std::string task_folder(const std::string& text, Sink& sink) {
  const auto say = [&](const std::string& line) { sink.say(line); };
  if (const auto folder = adapters::gpumode_folder(text))
    return adapters::gpumode_task(*folder, say).string();
  const auto problem = adapters::kernelbench_problem(text);
  if (!problem) return text;
  return adapters::kernelbench_task(tables::kernelbench_checkout(text), *problem,
                                    adapters::asking_seconds, say)
      .string();
}

core::Task task_from(const std::string& path, Sink& sink) {
  const std::filesystem::path file(path);
  const bool looks_like_candidate =
      file.extension() == ".cu" || file.extension() == ".cl" || file.extension() == ".py";
  if (std::error_code ec; looks_like_candidate && std::filesystem::is_regular_file(file, ec))
    base::fail(ExitCode::bad_input,
               "{} is a file, and the task's folder stands before the candidate: are the two the "
               "wrong way round?",
               path);
  auto task = task::load_task(task_folder(path, sink));
  if (!task) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(task.error()));
  return *std::move(task);
}

std::string problem_named(const std::string& text, Sink& sink) {
  return adapters::kernelbench_problem(text) ? tables::problem_name(text)
                                             : task_from(text, sink).name;
}

void require_device_task(const core::Task& task) {
  if (!task.external) return;
  base::fail(ExitCode::bad_input,
             "task {} is external: nothing here can judge it, only its own evaluator (`hone run {} "
             "--evaluator exec:COMMAND`)",
             task.name, task.folder.string());
}

core::Candidate candidate_for(const core::Task& task, const std::string& path, Sink& sink) {
  auto loaded = task::load_candidate_for(task, path);
  if (!loaded) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(loaded.error()));
  if (!loaded->plan_from.empty())
    sink.say(fmt::format("{} has no launch plan: it is taken with that of {}",
                         base::printable(path), base::printable(loaded->plan_from)));
  return std::move(loaded->candidate);
}

core::DeviceInfo device_for(const CommonOptions& place, const core::Candidate& candidate) {
  const std::string language(core::name_of(candidate.language));
  const std::string usual = candidate.language == core::Language::python ? "" : language + ":0";
  const core::DeviceInfo info = device::find_device(place.device.empty() ? usual : place.device);
  require_language(candidate, info);
  return info;
}

void require_language(const core::Candidate& candidate, const core::DeviceInfo& info) {
  if (core::can_run(candidate.language, info)) return;
  base::fail(ExitCode::bad_input,
             "{} is {} source and cannot run on {}: choose another device with --device (hone "
             "doctor lists them), or a candidate in {}",
             candidate.name, core::name_of(candidate.language), info.id,
             core::name_of(info.language));
}

namespace {

// An archive that is not there is empty, and one that cannot be there is a mistake.
void require_folder_for(const std::filesystem::path& archive) {
  std::filesystem::path folder = std::filesystem::absolute(archive).parent_path();
  std::error_code ec;
  while (!std::filesystem::exists(folder, ec) && !ec && folder != folder.root_path())
    folder = folder.parent_path();
  if (ec)
    base::fail(ExitCode::archive, "{}: the archive cannot be reached: {}", archive.string(),
               ec.message());
  if (!std::filesystem::is_directory(folder, ec))
    base::fail(ExitCode::archive,
               "{}: there cannot be an archive, because {} is no folder; set HONE_HOME to one",
               archive.string(), folder.string());
}

}  // namespace

store::Archive archive_to_read(const CommonOptions& place) {
  const auto path =
      place.archive.empty() ? store::Archive::default_path() : std::filesystem::path(place.archive);
  require_folder_for(path);
  std::error_code ec;
  const bool there = std::filesystem::exists(path, ec);
  const bool empty = there && std::filesystem::is_regular_file(path, ec) &&
                     std::filesystem::file_size(path, ec) == 0;
  if (there && !empty) return archive_for(place);
  if (!place.archive.empty())
    base::fail(ExitCode::archive, "--archive {}: {}", place.archive,
               empty ? "the file is empty, and no archive" : "there is no such file");
  return store::Archive::empty();
}

store::Archive archive_for(const CommonOptions& place) {
  return store::Archive::open(place.archive.empty() ? store::Archive::default_path()
                                                    : std::filesystem::path(place.archive));
}

void require_case(const core::Task& task, const std::string& name) {
  std::string names;
  for (const auto& known : task.cases) {
    if (name.empty() || known.name == name) return;
    names += (names.empty() ? "" : ", ") + known.name;
  }
  base::fail(ExitCode::bad_input, "--case {}: task {} has no such case; it has {}", name, task.name,
             names);
}

core::Depth depth_from(const std::string& name) {
  const auto depth = core::depth_from(name);
  if (!depth) base::fail(ExitCode::usage, "--depth {}: it is screen or certify", name);
  return *depth;
}

core::Outcome outcome_from(const std::string& name) {
  const auto outcome = core::outcome_from(name);
  if (!outcome)
    base::fail(ExitCode::usage,
               "--outcome {}: it is accepted, build_failed, launch_failed, wrong, timed_out, "
               "crashed, cheating, below_floor, rejected or undecided",
               name);
  return *outcome;
}

core::Point point_from(const core::Candidate& candidate, const std::vector<std::string>& settings) {
  core::Point point = core::default_point(candidate.plan);
  for (const auto& setting : settings) {
    const auto equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    std::int64_t value = 0;
    const char* begin = setting.data() + std::min(equals + 1, setting.size());
    const auto [end, ec] = std::from_chars(begin, setting.data() + setting.size(), value);
    if (equals == std::string::npos || ec != std::errc() || end != setting.data() + setting.size())
      base::fail(ExitCode::usage, "--set {}: it is NAME=VALUE with a whole number", setting);
    const auto& tunables = candidate.plan.tunables;
    const auto tunable =
        std::find_if(tunables.begin(), tunables.end(),
                     [&](const core::Tunable& known) { return known.name == name; });
    if (tunable == tunables.end()) {
      std::string names;
      for (const auto& known : tunables) names += (names.empty() ? "; it has " : ", ") + known.name;
      base::fail(ExitCode::bad_input, "--set {}: {} has no tunable '{}'{}", setting, candidate.name,
                 name, names);
    }
    if (std::find(tunable->values.begin(), tunable->values.end(), value) == tunable->values.end())
      base::fail(ExitCode::bad_input, "--set {}: the values of {} are {}", setting, name,
                 fmt::join(tunable->values, ", "));
    point[name] = value;
  }
  return point;
}

void require_wanted(const Sink& sink) {
  if (sink.cancelled()) base::fail(ExitCode::interrupted, "cancelled before there was a result");
}

std::function<void(const std::string&)> steps_to(Sink& sink) {
  return [&sink](const std::string& text) { sink.step({text, {}, {}}); };
}

judge::JudgeOptions judging_for(const CommonOptions& place, const CallLimit& limit,
                                const core::DeviceInfo& info, Sink& sink) {
  judge::JudgeOptions judging;
  judging.unsafe = place.unsafe;
  judging.call_seconds = limit.seconds;
  judging.limits_first_call = limit.first_too;
  judging.progress = steps_to(sink);
  judging.ceilings = judge::ceilings_of(info, true, {place.unsafe, judging.progress});
  return judging;
}

void refuse_to_overwrite(const std::vector<Written>& files, std::string_view option) {
  std::string others;
  for (const auto& [file, text] : files) {
    std::error_code ec;
    if (!std::filesystem::exists(file, ec)) continue;
    const bool same = std::filesystem::is_regular_file(file, ec) &&
                      std::filesystem::file_size(file, ec) == text.size() &&
                      base::read_file(file) == text;
    if (!same) others += (others.empty() ? "" : ", ") + file.string();
  }
  if (!others.empty())
    base::fail(base::ExitCode::bad_input,
               "already there, with something else in it: {}. Give another place with {}, or "
               "overwrite it with --force",
               others, option);
}

}  // namespace hone::app
