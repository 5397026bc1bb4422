#include "cli/inputs.h"

#include <unistd.h>

#include <charconv>
#include <cstdio>

#include "base/error.h"
#include "cli/format.h"
#include "device/device.h"
#include "task/candidate_loader.h"
#include "task/task_loader.h"

namespace hone::cli {

using base::ExitCode;

core::Task task_from(const std::string& path) {
  auto task = task::load_task(path);
  if (!task) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(task.error()));
  return *std::move(task);
}

core::Candidate candidate_from(const std::string& path) {
  auto candidate = task::load_candidate(path);
  if (!candidate) base::fail(ExitCode::bad_input, "{}", task::render_with_sources(candidate.error()));
  return *std::move(candidate);
}

core::DeviceInfo device_for(const Common& common, const core::Candidate& candidate) {
  if (!common.device.empty() || candidate.language == core::Language::cuda) return device::find_device(common.device);
  return device::find_device(std::string(core::name_of(candidate.language)) + ":0");
}

store::Archive archive_for(const Common& common) {
  return store::Archive::open(common.archive.empty() ? store::Archive::default_path() : std::filesystem::path(common.archive));
}

core::Depth depth_from(const std::string& name) {
  const auto depth = core::depth_from(name);
  if (!depth) base::fail(ExitCode::usage, "--depth {}: it is screen or certify", name);
  return *depth;
}

core::Point point_from(const core::Candidate& candidate, const std::vector<std::string>& settings) {
  core::Point point = core::default_point(candidate.plan);
  for (const auto& setting : settings) {
    const auto equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    std::int64_t value = 0;
    const char* begin = setting.data() + std::min(equals + 1, setting.size());
    const auto [end, ec] = std::from_chars(begin, setting.data() + setting.size(), value);
    if (equals == std::string::npos || ec != std::errc() || end != setting.data() + setting.size()) base::fail(ExitCode::usage, "--set {}: it is NAME=VALUE with a whole number", setting);
    if (!point.contains(name)) base::fail(ExitCode::usage, "--set {}: {} has no tunable '{}'", setting, candidate.name, name);
    point[name] = value;
  }
  return point;
}

Progress::Progress(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (terminal_ && !last_.empty()) std::fputs("\r\033[K", stderr);
}

void Progress::say(const std::string& text) {
  if (quiet_ || text == last_) return;
  last_ = text;
  const std::string line = printable(text);
  if (terminal_) std::fprintf(stderr, "\r\033[K%s", line.c_str());
  else if (!line.empty()) std::fprintf(stderr, "%s\n", line.c_str());
  std::fflush(stderr);
}

}  // namespace hone::cli
